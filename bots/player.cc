#include "bots/player.h"

#include "bots/minds.h"
#include "bots/program_player.h"
#include "match/registry.h"
#include "match/typed_match.h"

namespace baton {
namespace {

template <Game G>
class MindPlayer final : public Player {
 public:
  MindPlayer(std::unique_ptr<Mind<G>> mind, std::uint64_t seed) : mind_(std::move(mind)), chance_(seed) {}

  Expected<Action> choose(const SeenMatch& match) override {
    ActionList legal;
    for (const Action action : match.actions()) legal.push(action);
    return mind_->choose(match.scenario<G>(), match.knowledge<G>(), match.seat(), legal, chance_);
  }

  Thoughts thoughts() const override { return mind_->thoughts(); }
  void cancel() override { mind_->cancel(); }

 private:
  std::unique_ptr<Mind<G>> mind_;
  FastChance chance_;
};

}  // namespace

std::unique_ptr<Player> make_player(std::string_view game, const PlayerKind& kind, Counting counting, std::uint64_t seed) {
  const Budget& budget = counting == Counting::time ? kind.by_time : kind.by_iterations;
  if (kind.type == PlayerKind::Type::program) {
    ProgramClock clock;
    if (budget.time.count() > 0) clock = {.time = budget.time, .per = ProgramClock::Per::own_turn};
    return make_program_player(kind.command, clock);
  }
  std::unique_ptr<Player> player;
  with_game(game, [&](auto tag) {
    using G = typename decltype(tag)::Type;
    if (auto mind = make_mind<G>(kind, budget)) {
      player = std::make_unique<MindPlayer<G>>(std::move(mind), seed);
    }
  });
  return player;
}

}  // namespace baton
