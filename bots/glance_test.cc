#include "bots/glance.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "match/registry.h"

namespace baton {
namespace {

using G = company_commander::Game;
using company_commander::Verb;

Action act(Verb verb, std::uint16_t a = 0, std::uint16_t b = 0) { return {static_cast<std::uint16_t>(verb), a, b, 0}; }

ActionList moves(int count) {
  ActionList list;
  for (int i = 0; i < count; ++i) list.push(act(Verb::move, static_cast<std::uint16_t>(i / 3), static_cast<std::uint16_t>(i % 3)));
  return list;
}
std::vector<Action> listed(const ActionList& list) { return {list.begin(), list.end()}; }

TEST(Glance, OverlooksItsShare) {
  FastChance chance(1);
  Glance glance(0.2f);
  const ActionList legal = moves(90);
  std::size_t seen = 0;
  for (int turn = 0; turn < 200; ++turn) {
    glance.look_again();
    seen += glance.seen<G>(legal, chance).size();
  }
  EXPECT_NEAR(static_cast<double>(seen) / (200.0 * 90), 0.8, 0.02);
}

TEST(Glance, DoesNotSeeInTheNextDecisionWhatItHasOverlooked) {
  FastChance chance(2);
  Glance glance(0.5f);
  const auto first = listed(glance.seen<G>(moves(60), chance));
  for (int decision = 1; decision < 16; ++decision) EXPECT_EQ(listed(glance.seen<G>(moves(60), chance)), first);
  EXPECT_NE(listed(glance.seen<G>(moves(60), chance)), first) << "but not for ever";
  const auto second = listed(glance.seen<G>(moves(60), chance));
  glance.look_again();
  EXPECT_NE(listed(glance.seen<G>(moves(60), chance)), second) << "nor beyond the turn";
}

TEST(Glance, AlwaysSeesWhatNeedsNoFurtherChoice) {
  FastChance chance(3);
  Glance blind(1);
  ActionList legal = moves(30);
  legal.push(act(Verb::done));
  legal.push(act(Verb::fire_all));
  EXPECT_EQ(listed(blind.seen<G>(legal, chance)), (std::vector{act(Verb::done), act(Verb::fire_all)}));
}

TEST(Glance, SeesEverythingBeforeNothing) {
  FastChance chance(4);
  Glance blind(1);
  EXPECT_EQ(blind.seen<G>(moves(3), chance).size(), 3u);
}

TEST(Glance, OfOneWhoOverlooksNothingDrawsNoChance) {
  FastChance chance(5), untouched(5);
  Glance keen(0);
  EXPECT_EQ(keen.seen<G>(moves(9), chance).size(), 9u);
  EXPECT_EQ(chance.next(), untouched.next()) << "levels that see everything play as they did";
}

}  // namespace
}  // namespace baton
