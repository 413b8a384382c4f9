// A mind chooses for one seat from what that seat knows, and from nothing else.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/game.h"

namespace baton {

template <Game G>
class Mind {
 public:
  virtual ~Mind() = default;

  // One of `legal`, which is never empty.
  virtual Action choose(const typename G::Scenario& sc, const typename G::Knowledge& known, const ActionList& legal, Chance& chance) = 0;
};

// The kinds of minds a seat can be given: "random", "greedy".
inline const std::vector<std::string_view>& mind_kinds() {
  static const std::vector<std::string_view> kinds = {"random", "greedy"};
  return kinds;
}

// Any legal action but giving up, each as likely.
template <Game G>
class RandomMind final : public Mind<G> {
 public:
  Action choose(const typename G::Scenario&, const typename G::Knowledge&, const ActionList& legal, Chance& chance) override {
    return any_action<G>(legal, chance);
  }
};

// The action that the game's judgement finds most promising; chance decides between equals.
template <Game G>
class GreedyMind final : public Mind<G> {
 public:
  Action choose(const typename G::Scenario& sc, const typename G::Knowledge& known, const ActionList& legal, Chance& chance) override {
    if (legal.size() == 1) return legal[0];
    promises_.resize(legal.size());
    G::promise(sc, known, legal, promises_);
    std::size_t best = 0;
    std::uint32_t equals = 1;
    for (std::size_t i = 1; i < legal.size(); ++i) {
      if (promises_[i] > promises_[best]) {
        best = i;
        equals = 1;
      } else if (promises_[i] == promises_[best] && chance.pick(++equals) == 0) {
        best = i;
      }
    }
    return legal[best];
  }

 private:
  std::vector<float> promises_;
};

// No mind for an unknown kind.
template <Game G>
std::unique_ptr<Mind<G>> make_mind(std::string_view kind) {
  if (kind == "random") return std::make_unique<RandomMind<G>>();
  if (kind == "greedy") return std::make_unique<GreedyMind<G>>();
  return nullptr;
}

}  // namespace baton
