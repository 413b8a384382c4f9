// A mind chooses for one seat from what that seat knows, and from nothing else.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bots/thoughts.h"
#include "core/game.h"

namespace baton {

template <Game G>
class Mind {
 public:
  virtual ~Mind() = default;

  // One of `legal`, the actions of `seat`; never empty.
  virtual Action choose(const typename G::Scenario& sc, const typename G::Knowledge& known, Seat seat, const ActionList& legal,
                        Chance& chance) = 0;

  // What the last choice was taken on. A mind that does not think has no thoughts.
  virtual Thoughts thoughts() const { return {}; }

  // From another thread: choose at once with what is known so far.
  virtual void cancel() {}
};

// The index of the highest promise; chance decides between equals.
inline std::size_t most_promising(std::span<const float> promises, Chance& chance) {
  std::size_t best = 0;
  std::uint32_t equals = 1;
  for (std::size_t i = 1; i < promises.size(); ++i) {
    if (promises[i] > promises[best]) {
      best = i;
      equals = 1;
    } else if (promises[i] == promises[best] && chance.pick(++equals) == 0) {
      best = i;
    }
  }
  return best;
}

// The list without giving up, which no mind considers. It is listed last, and whoever may give up has another action too.
template <Game G>
void forget_giving_up(ActionList& legal) {
  if (!legal.empty() && gives_up<G>(legal[legal.size() - 1])) legal.shorten(legal.size() - 1);
}

// Any legal action but giving up, each as likely.
template <Game G>
class RandomMind final : public Mind<G> {
 public:
  Action choose(const typename G::Scenario&, const typename G::Knowledge&, Seat, const ActionList& legal, Chance& chance) override {
    return any_action<G>(legal, chance);
  }
};

// The action that the game's judgement finds most promising; chance decides between equals.
template <Game G>
class GreedyMind final : public Mind<G> {
 public:
  Action choose(const typename G::Scenario& sc, const typename G::Knowledge& known, Seat, const ActionList& legal,
                Chance& chance) override {
    if (legal.size() == 1) return legal[0];
    promises_.resize(legal.size());
    G::promise(sc, known, legal, promises_);
    return legal[most_promising(promises_, chance)];
  }

 private:
  std::vector<float> promises_;
};

}  // namespace baton
