#include "games/company_commander/judgement.h"

#include <gtest/gtest.h>

#include <bit>

#include "games/company_commander/game.h"
#include "games/company_commander/rules_parts.h"
#include "match/registry.h"

namespace baton::company_commander {
namespace {

std::vector<float> promised(const Scenario& sc, const State& s, Seat seat, const ActionList& legal, bool with_prudence) {
  std::vector<float> promises(legal.size());
  const Knowledge known = observe(sc, s, seat);
  promise(sc, known, legal, promises);
  if (with_prudence) prudence(sc, known, legal, promises);
  return promises;
}

// In positions of random games: where the enemy holds every front and we do not, somebody is sent to the empty one, but nobody who was
// alone where he stood; nothing else looks different.
TEST(Prudence, HoldsEveryFrontWhileTheEnemyDoes) {
  const Scenario sc = *load(*shipped_scenario("company-commander", "normandy"), {});
  int sent = 0, untouched = 0;
  for (std::uint64_t game = 1; game <= 200; ++game) {
    FastChance dice(game), choices(game, 1);
    Events silent = Events::unheard();
    State s = start(sc, dice, silent);
    ActionList legal;
    while (!choosing(sc, s).empty()) {
      const Seat seat = choosing(sc, s).front();
      legal.clear();
      actions(sc, s, seat, legal);
      const auto greedy = promised(sc, s, seat, legal, false), prudent = promised(sc, s, seat, legal, true);
      const Force& own = s.force[static_cast<std::size_t>(index(seat))];
      const Force& enemy = s.force[static_cast<std::size_t>(1 - index(seat))];
      const bool enemy_everywhere = enemy.at[0] != 0 && enemy.at[1] != 0 && enemy.at[2] != 0;
      for (std::size_t i = 0; i < legal.size(); ++i) {
        if (greedy[i] == prudent[i]) {
          ++untouched;
          continue;
        }
        ++sent;
        ASSERT_EQ(static_cast<Verb>(legal[i].verb), Verb::move);
        EXPECT_TRUE(enemy_everywhere);
        EXPECT_EQ(own.at[legal[i].b], 0) << "to an empty front";
        const int unit = legal[i].a % max_units;
        EXPECT_GT(std::popcount(own.at[static_cast<std::size_t>(front_of(own, unit))]), 1) << "not from one that would be empty then";
        EXPECT_GT(prudent[i], 0) << "rather than to be done";
      }
      apply(sc, s, seat, any_action<Game>(legal, choices), dice, silent);
    }
  }
  EXPECT_GT(sent, 50);
  EXPECT_GT(untouched, 1000);
}

}  // namespace
}  // namespace baton::company_commander
