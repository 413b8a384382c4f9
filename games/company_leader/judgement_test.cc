// What a position is worth: it follows what wins games, and the chances of all sides add up.
#include "games/company_leader/judgement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "bots/mind.h"
#include "games/company_leader/game.h"
#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {
namespace {

Scenario scenario(const std::string& name) {
  std::ifstream file(BATON_SOURCE_DIR "/games/company_leader/scenarios/" + name + ".toml");
  std::stringstream text;
  text << file.rdbuf();
  auto scenario = load({name + ".toml", text.str()}, *complete_options(options(), {}));
  if (!scenario) throw std::runtime_error(scenario.error().text());
  return *scenario;
}

// Positions at the start of turns, in random games.
template <class Look>
void in_random_games(const Scenario& sc, Look&& look) {
  Events silent = Events::unheard();
  ActionList list;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    FastChance chance(seed);
    State s = start(sc, chance, silent);
    for (int turn = -1; !choosing(sc, s).empty() && s.round < 12;) {
      if (s.step == Step::actions && Game::turns(sc, s) != turn) {
        turn = Game::turns(sc, s);
        look(s);
      }
      const Seat seat = choosing(sc, s).front();
      list.clear();
      actions(sc, s, seat, list);
      const auto choices = static_cast<std::uint32_t>(list.size()) - (Game::gives_up(list[list.size() - 1]) ? 1 : 0);
      apply(sc, s, seat, list[chance.pick(choices)], chance, silent);
    }
  }
}

// One memory through whole games of all seats, with many of everything that can happen, against none. A search also jumps back to where it
// began, and to positions that only differ in what is hidden.
TEST(Promise, IsTheSameWhateverIsRemembered) {
  for (const char* name : {"standard", "capture-the-flag", "escort", "three", "teams", "two-against-one"}) {
    const Scenario sc = scenario(name);
    Remembered remembered;
    ActionList list;
    std::vector<float> with, without;
    const auto compare = [&](const State& s) {
      const Seat seat = choosing(sc, s).front();
      list.clear();
      actions(sc, s, seat, list);
      const Knowledge known = observe(sc, s, seat);
      with.assign(list.size(), 0);
      without.assign(list.size(), 0);
      promise(sc, known, remembered, list, with);
      promise(sc, known, list, without);
      return with == without;
    };
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      FastChance chance(seed);
      Events silent = Events::unheard();
      State s = start(sc, chance, silent);
      State earlier = s;
      while (!choosing(sc, s).empty() && s.round < 14) {
        const Seat seat = choosing(sc, s).front(), other{static_cast<std::uint8_t>((index(seat) + 1) % sc.seat_count())};
        if (chance.pick(4) == 0) {
          ASSERT_TRUE(compare(earlier)) << name << ", game " << seed << ", back from round " << s.round;
        }
        if (chance.pick(20) == 0) earlier = s;
        if (chance.pick(4) == 0) {
          ASSERT_TRUE(compare(imagine(sc, observe(sc, s, other), chance)))
              << name << ", game " << seed << ", imagined in round " << s.round;
        }
        ASSERT_TRUE(compare(s)) << name << ", game " << seed << ", round " << s.round;
        ++compared;
        // Mostly as greed has it, so that the turns look like those of players.
        const auto best = static_cast<std::size_t>(std::max_element(with.begin(), with.end()) - with.begin());
        const std::size_t any = chance.pick(static_cast<std::uint32_t>(list.size()));
        apply(sc, s, seat, list[chance.pick(4) == 0 && !Game::gives_up(list[any]) ? any : best], chance, silent);
      }
    }
    EXPECT_GT(compared, 500) << name;
  }
}

// What is not worth while is legal too, but nothing that is promised most is missing.
TEST(Promise, WhatIsWorthwhileIsAllThatIsPromisedMost) {
  for (const char* name : {"standard", "capture-the-flag", "teams", "two-against-one"}) {
    const Scenario sc = scenario(name);
    int shorter = 0;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      FastChance chance(seed);
      Events silent = Events::unheard();
      State s = start(sc, chance, silent);
      ActionList all, some;
      while (!choosing(sc, s).empty() && s.round < 14) {
        const Seat seat = choosing(sc, s).front();
        all.clear();
        actions(sc, s, seat, all);
        some.clear();
        worthwhile(sc, s, seat, some);
        std::vector<float> promises(all.size());
        promise(sc, observe(sc, s, seat), all, promises);
        const float most = *std::max_element(promises.begin(), promises.end());
        for (std::size_t i = 0; i < all.size(); ++i) {
          const bool kept = std::find(some.begin(), some.end(), all[i]) != some.end();
          ASSERT_TRUE(kept || promises[i] < most) << name << ", game " << seed << ", round " << s.round;
        }
        for (const Action action : some) {
          ASSERT_EQ(std::count(all.begin(), all.end(), action), 1) << name;
          ASSERT_EQ(std::count(some.begin(), some.end(), action), 1) << name;
        }
        shorter += some.size() + 1 < all.size();
        apply(sc, s, seat, all[chance.pick(static_cast<std::uint32_t>(all.size()) - (s.step == Step::set_up ? 0 : 1))], chance, silent);
      }
    }
    EXPECT_GT(shorter, 100) << name;
  }
}

TEST(Worth, TheChancesOfAllSidesAddUpToOne) {
  for (const char* name : {"standard", "three", "teams", "two-against-one", "escort"}) {
    const Scenario sc = scenario(name);
    in_random_games(sc, [&](const State& s) {
      float sum = 0;
      for (const Side& side : sc.sides) {
        const float first = worth(sc, s, Seat{static_cast<std::uint8_t>(side.seats.front())});
        for (const int seat : side.seats)
          EXPECT_EQ(worth(sc, s, Seat{static_cast<std::uint8_t>(seat)}), first) << "a side wins or loses together";
        if (!pieces_of_side(sc, s, static_cast<int>(&side - sc.sides.data())).empty()) sum += (first + 1) / 2;
      }
      EXPECT_NEAR(sum, 1, 1e-4) << name;
    });
  }
}

TEST(Worth, TroopsCoinsAndStrengthCount) {
  const Scenario sc = scenario("standard");
  int looked_at = 0;
  in_random_games(sc, [&](const State& s) {
    const Seat red{0}, blue{1};
    const float before = worth(sc, s, red);
    if (std::abs(before) > 0.99f) return;  // decided: nothing more can be told apart
    ++looked_at;
    State richer = s;
    richer.coins[0] += 4;
    EXPECT_GT(worth(sc, richer, red), before);
    EXPECT_LT(worth(sc, richer, blue), worth(sc, s, blue));
    for (const int f : s.pieces[0] & s.troops & s.revealed) {
      if (strength_of(s, f) < 2) continue;
      State weaker = s;
      weaker.stand[at(f)] = static_cast<std::uint8_t>(weaker.stand[at(f)] - 8);  // one strength less, the same facing
      EXPECT_LT(worth(sc, weaker, red), before);
    }
  });
  EXPECT_GT(looked_at, 50);
}

// The weight is the logarithm of the odds that the turn itself is worth, as the regression found it.
TEST(Worth, TheTurnCountsOnce) {
  const Scenario sc = scenario("standard");
  int looked_at = 0;
  in_random_games(sc, [&](const State& s) {
    const auto odds = [&](int active) {
      State turn = s;
      turn.active = static_cast<std::uint8_t>(active);
      return 2 * std::atanh(worth(sc, turn, Seat{0}));
    };
    if (std::abs(odds(0)) > 5 || std::abs(odds(1)) > 5) return;
    ++looked_at;
    EXPECT_NEAR(odds(0) - odds(1), 2 * sc.weights[Weight::own_turn], 0.02);
  });
  EXPECT_GT(looked_at, 50);
}

// The first choice of a seat's set-up by judgement alone, in many games.
std::set<std::string> first_placements(const Scenario& sc, Seat seat) {
  std::set<std::string> all;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    FastChance chance(seed);
    Events silent = Events::unheard();
    const State s = start(sc, chance, silent);
    ActionList list;
    actions(sc, s, seat, list);
    GreedyMind<Game> mind;
    const Action first = mind.choose(sc, observe(sc, s, seat), seat, list, chance);
    all.insert(std::string(verbs()[first.verb].name) +
               (first.verb == static_cast<std::uint16_t>(Verb::place) ? " " + sc.board.name[first.b] : ""));
  }
  return all;
}

TEST(SetUp, GoesForwardWhereItPaysAndNobodyKnowsWhere) {
  const auto standard = first_placements(scenario("standard"), Seat(0));
  EXPECT_GE(standard.size(), 4u) << "not the same field in every game";
  EXPECT_FALSE(standard.contains("place-for-me"));
  const std::set<std::string> stands_back = {"place-for-me"};
  EXPECT_EQ(first_placements(scenario("attacker-defender"), Seat(0)), stands_back) << "red wins when time is out";
  EXPECT_NE(first_placements(scenario("attacker-defender"), Seat(1)), stands_back);
  EXPECT_EQ(first_placements(scenario("three"), Seat(0)), stands_back) << "between two enemies";
}

TEST(SetUp, GuardsTheConvoy) {
  const Scenario sc = scenario("escort");
  const auto first = first_placements(sc, Seat(0));
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(*first.begin(), "place " + sc.board.name[at(sc.objectives[0].start)]);
}

// The nearer an objective is to its goal, the better for who carries it; the nearer a troop to it, the better for who wants it.
TEST(Worth, ObjectivesComeNearer) {
  const Scenario sc = scenario("capture-the-flag");
  FastChance chance(3);
  Events silent = Events::unheard();
  State s = start(sc, chance, silent);
  ActionList list;
  while (s.step == Step::set_up) {
    const Seat seat = choosing(sc, s).front();
    list.clear();
    actions(sc, s, seat, list);
    const auto quick = std::find_if(list.begin(), list.end(), [](Action a) {
      return a.verb == static_cast<std::uint16_t>(Verb::place_for_me) || a.verb == static_cast<std::uint16_t>(Verb::ready);
    });
    apply(sc, s, seat, *quick, chance, silent);
  }
  const Seat red{0}, blue{1};
  const auto steps_home = [&](int f) { return distance(sc.board.hex[at(f)], sc.board.hex[at(sc.sides[0].purchase.front())]); };
  const int enemy = (s.pieces[1] & s.troops).front();
  int troop = (s.pieces[0] & s.troops).front();
  for (const int f : s.pieces[0] & s.troops) troop = steps_home(f) < steps_home(troop) ? f : troop;
  State near = s, far = s;
  near.objective_at[0] = static_cast<std::uint8_t>(troop);
  far.objective_at[0] = static_cast<std::uint8_t>(enemy);
  EXPECT_GT(worth(sc, near, red), worth(sc, far, red));
  EXPECT_LT(worth(sc, near, blue), worth(sc, far, blue));
  State carried = near;
  carried.carried = 1;
  EXPECT_GT(worth(sc, carried, red), worth(sc, near, red)) << steps_home(troop) << " steps from home";
}

// Where all urban fields do not win at once, the last one is still worth having.
TEST(Worth, TheLastUrbanFieldIsNoLoss) {
  const Scenario sc = scenario("capture-the-flag");
  in_random_games(sc, [&](const State& s) {
    const FieldSet missing = urban_fields(sc) - occupied(s);
    if (missing.empty() || s.pieces[0].empty()) return;
    State all_but_one = s;
    for (const int f : urban_fields(sc) - s.pieces[0] - FieldSet::of(missing.front())) {
      all_but_one.pieces[1].erase(f);
      all_but_one.troops.erase(f);
      all_but_one.pieces[0].insert(f);
    }
    State all = all_but_one;
    all.pieces[0].insert(missing.front());
    EXPECT_GE(worth(sc, all, Seat{0}), worth(sc, all_but_one, Seat{0}));
  });
}

}  // namespace
}  // namespace baton::company_leader
