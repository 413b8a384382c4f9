#include "bots/search.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "match/registry.h"

namespace baton {
namespace {

using G = company_commander::Game;

const G::Scenario& normandy() {
  static const G::Scenario sc = *G::load(*shipped_scenario(G::id, "normandy"), {});
  return sc;
}

std::vector<Considered> think(const G::Knowledge& known, Seat seat, int iterations, std::uint64_t seed) {
  SearchTree<G> tree(normandy(), known, seat, {}, seed);
  for (int i = 0; i < iterations; ++i) tree.iterate();
  auto considered = tree.considered();
  std::sort(considered.begin(), considered.end(), [](const Considered& a, const Considered& b) { return a.visits > b.visits; });
  return considered;
}

// A position somewhere in a random game, with a real choice.
G::State somewhere(std::uint64_t seed, int decisions) {
  FastChance chance(seed);
  Events silent = Events::unheard();
  G::State s = G::start(normandy(), chance, silent);
  ActionList legal;
  for (int i = 0;; ++i) {
    legal.clear();
    const Seat seat = G::choosing(normandy(), s).front();
    G::actions(normandy(), s, seat, legal);
    if (i >= decisions && legal.size() > 1) return s;
    G::apply(normandy(), s, seat, legal[chance.pick(static_cast<std::uint32_t>(legal.size()))], chance, silent);
  }
}

TEST(Search, SameSeedSameThoughts) {
  const G::State s = somewhere(3, 40);
  const Seat seat = G::choosing(normandy(), s).front();
  const auto first = think(G::observe(normandy(), s, seat), seat, 200, 7), second = think(G::observe(normandy(), s, seat), seat, 200, 7);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].action, second[i].action);
    EXPECT_EQ(first[i].visits, second[i].visits);
    EXPECT_EQ(first[i].value, second[i].value);
  }
}

TEST(Search, ConsidersLegalActionsAndSpendsEveryIteration) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const G::State s = somewhere(seed, 30);
    const Seat seat = G::choosing(normandy(), s).front();
    std::int64_t visits = 0;
    for (const Considered& c : think(G::observe(normandy(), s, seat), seat, 100, seed)) {
      EXPECT_EQ(G::why_not(normandy(), s, seat, c.action), G::Refusal::none);
      EXPECT_LE(std::abs(c.value), 1.0);
      visits += c.visits;
    }
    EXPECT_EQ(visits, 100);
  }
}

// Positions that the seat cannot tell apart lead to the same thoughts.
TEST(Search, ThinksOnlyWithWhatTheSeatKnows) {
  const G::State s = somewhere(5, 60);
  const Seat seat = G::choosing(normandy(), s).front();
  FastChance chance(8);
  const auto known = G::observe(normandy(), s, seat);
  const G::State imagined = G::imagine(normandy(), known, chance);
  const auto first = think(G::observe(normandy(), s, seat), seat, 100, 2),
             second = think(G::observe(normandy(), imagined, seat), seat, 100, 2);
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first.front().action, second.front().action);
  EXPECT_EQ(first.front().visits, second.front().visits);
}

// What is called certain of a line can be done in every position that the seat could be in, whatever the dice.
TEST(Search, TellsWhatOfALineIsCertain) {
  int certain = 0, uncertain = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const G::State s = somewhere(seed, 10);
    const Seat seat = G::choosing(normandy(), s).front();
    const auto known = G::observe(normandy(), s, seat);
    for (const Considered& c : think(known, seat, 600, seed)) {
      ASSERT_LE(c.certain, c.line.size());
      certain += static_cast<int>(c.certain);
      uncertain += static_cast<int>(c.line.size() - c.certain);
      if (c.certain == 0) continue;
      FastChance chance(seed, 9);
      for (int imagined = 0; imagined < 10; ++imagined) {
        Events silent = Events::unheard();
        G::State there = G::imagine(normandy(), known, chance);
        G::apply(normandy(), there, seat, c.action, chance, silent);
        for (std::size_t i = 0; i < c.certain; ++i) {
          // Choices that are none are not part of a line.
          ActionList legal;
          for (G::actions(normandy(), there, seat, legal); legal.size() == 1; legal.clear(), G::actions(normandy(), there, seat, legal)) {
            G::apply(normandy(), there, seat, legal[0], chance, silent);
          }
          ASSERT_EQ(G::why_not(normandy(), there, seat, c.line[i]), G::Refusal::none);
          G::apply(normandy(), there, seat, c.line[i], chance, silent);
        }
      }
    }
  }
  EXPECT_GT(certain, 20);
  EXPECT_GT(uncertain, 20);
}

// A line's value is made of what the position is worth when everybody has had a turn and of what it is worth at the end.
TEST(Search, ALineCountsWhatComesSoonAndWhatComesLate) {
  const G::State s = somewhere(2, 30);
  const Seat seat = G::choosing(normandy(), s).front();
  const auto value = [&](int turns, float impatience, std::uint64_t seed) {
    SearchSettings settings;
    settings.turns_ahead = turns;
    settings.impatience = impatience;
    SearchTree<G> tree(normandy(), G::observe(normandy(), s, seat), seat, settings, seed);
    tree.iterate();
    double sum = 0;
    for (const Considered& c : tree.considered()) sum += c.visits > 0 ? c.value : 0;
    return sum;
  };
  int different = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const double soon = value(2, 0, seed), late = value(8, 0, seed);
    EXPECT_NEAR(value(8, 0.25f, seed), 0.25 * soon + 0.75 * late, 1e-6);
    different += std::abs(soon - late) > 0.01;
  }
  EXPECT_GT(different, 10);
}

}  // namespace
}  // namespace baton
