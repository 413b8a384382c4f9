// What opponents may know: random games in which every remembered fact is checked against the truth.
#include "games/company_leader/knowledge.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "bots/mind.h"
#include "games/company_leader/game.h"
#include "games/company_leader/odds.h"
#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {
namespace {

Scenario scenario(const std::string& id, const OptionValues& chosen = {}) {
  std::ifstream in(std::string(BATON_SOURCE_DIR) + "/games/company_leader/scenarios/" + id + ".toml");
  std::stringstream text;
  text << in.rdbuf();
  auto loaded = load({id + ".toml", text.str()}, chosen);
  EXPECT_TRUE(loaded) << loaded.error().text();
  return *loaded;
}

template <class Visit>
void play(const Scenario& sc, std::uint64_t seed, int most, const Visit& visit) {
  FastChance chance(seed);
  Events log = Events::unheard();
  State s = start(sc, chance, log);
  ActionList list;
  for (int i = 0; i < most && !choosing(sc, s).empty(); ++i) {
    list.clear();
    const Seat seat = choosing(sc, s).front();
    actions(sc, s, seat, list);
    apply(sc, s, seat, any_action<Game>(list, chance), chance, log);
    visit(s);
  }
}

// Whoever remembers is never wrong, and always finds an army that explains what he saw.
TEST(CompanyLeaderKnowledge, WhatIsRememberedIsTrueAndCanBeExplained) {
  FastChance chance(99);
  std::int64_t drawn = 0, given_up = 0, certain = 0;
  for (const std::string id : {"standard", "three", "teams", "two-against-one"}) {
    for (const OptionValues& options : {OptionValues{{"income", "6"}}, OptionValues{{"army", "free"}, {"income", "4"}}}) {
      const Scenario sc = scenario(id, options);
      int count = 0;
      play(sc, 3, 12'000, [&](const State& s) {
        ASSERT_TRUE(is_sound(sc, s));
        if (++count % 20 != 0 || s.step == Step::set_up || s.step == Step::over) return;
        for (int side = 0; side < sc.side_count(); ++side) {
          if (has_seat(s.out, sc.sides[at(side)].seats.front())) continue;
          HiddenArmies hidden;
          ++drawn;
          given_up += !draw_armies(sc, s, side, chance, hidden);
        }
        if (count % 100 != 0) return;
        for (int seat = 0; seat < sc.seat_count(); ++seat) {
          for (int o = 0; o < origin_count; ++o) {
            const FieldSet pieces = pieces_from(s, seat, o);
            if (pieces.empty()) continue;
            const MayBe possible = may_be(sc, s, seat, o);
            ASSERT_TRUE(possible.troop || !pieces.meets(s.troops));
            ASSERT_TRUE(possible.dummy || (pieces - s.troops).empty());
            certain += possible.troop != possible.dummy;
          }
        }
      });
    }
  }
  EXPECT_GT(drawn, 5'000);
  EXPECT_GT(certain, 20);
  EXPECT_EQ(given_up, 0);
}

// The same among players who scout, shoot and buy as the computer does: with much to spend they fill their purchase fields with troops
// time and again, which leaves few stories.
TEST(CompanyLeaderKnowledge, OrdinaryPlayCanAlwaysBeExplained) {
  FastChance chance(3007);
  std::int64_t drawn = 0, given_up = 0, bought = 0;
  for (const std::string id : {"standard", "three", "teams", "two-against-one"}) {
    for (const std::string army : {"fixed", "free"}) {
      const Scenario sc = scenario(id, {{"army", army}, {"income", "6"}, {"turn_limit", "40"}});
      for (std::uint64_t game = 0; game < 2; ++game) {
        FastChance dice(1000 + game), luck(2000 + game);
        Events log = Events::unheard();
        State s = start(sc, dice, log);
        GreedyMind<Game> mind;
        ActionList list;
        for (int decision = 0; !choosing(sc, s).empty(); ++decision) {
          list.clear();
          const Seat seat = choosing(sc, s).front();
          actions(sc, s, seat, list);
          const Action action = mind.choose(sc, observe(sc, s, seat), seat, list, luck);
          bought += action.verb == static_cast<std::uint16_t>(Verb::buy);
          apply(sc, s, seat, action, dice, log);
          if (decision % 5 != 0 || s.step == Step::set_up || s.step == Step::over) continue;
          for (int side = 0; side < sc.side_count(); ++side) {
            if (has_seat(s.out, sc.sides[at(side)].seats.front())) continue;
            HiddenArmies hidden;
            ++drawn;
            given_up += !draw_armies(sc, s, side, chance, hidden);
          }
        }
      }
    }
  }
  EXPECT_GT(drawn, 5'000);
  EXPECT_GT(bought, 200);
  EXPECT_EQ(given_up, 0);
}

// R32: whoever is asked about return fire can always answer, and everyone can tell that he is asked. So neither the question nor how long
// the answer takes tells a secret.
TEST(CompanyLeaderKnowledge, ReturnFireIsAskedForInTheOpen) {
  int asked = 0;
  for (const std::string id : {"standard", "three", "teams"}) {
    const Scenario sc = scenario(id);
    play(sc, 5, 40'000, [&](const State& s) {
      if (s.step != Step::return_fire) return;
      ++asked;
      for (int viewer = 0; viewer < sc.seat_count(); ++viewer) {
        const Knowledge known = observe(sc, s, Seat(viewer));
        EXPECT_TRUE(known.step == Step::return_fire && known.chooser == s.chooser);
        EXPECT_TRUE(may_fire_back(sc, known, s.acting.field, s.acting.target));
      }
      const Seat owner = choosing(sc, s).front();
      for (const Verb verb : {Verb::fire_back, Verb::hold_fire})
        EXPECT_EQ(why_not(sc, s, owner, {static_cast<std::uint16_t>(verb), 0, 0, 0}), Refusal::none);
    });
  }
  EXPECT_GT(asked, 10);
}

// Free armies of a team: orange has no hidden pieces left, so red has paid all that is missing.
TEST(CompanyLeaderKnowledge, TeamMatesAgreeAboutWhatEachHasPaid) {
  const Scenario sc = scenario("teams", {{"army", "free"}});
  const auto s = restore(sc, Json::parse(R"({"step": "actions", "active": "blue", "turn": 1, "coins": {"warm": 0, "cold": 0}, "only": {
    "d12": {"owner": "blue", "piece": "infantry"}, "a1": {"owner": "cyan", "piece": "dummy", "known": true},
    "f1": {"owner": "red", "piece": "dummy"}, "g1": {"owner": "red", "piece": "infantry"}, "g2": {"owner": "red", "piece": "infantry"},
    "g3": {"owner": "red", "piece": "infantry"}, "h1": {"owner": "red", "piece": "dummy"}, "h2": {"owner": "red", "piece": "dummy"},
    "f8": {"owner": "orange", "piece": "dummy", "known": true}, "f9": {"owner": "orange", "piece": "dummy", "known": true},
    "h9": {"owner": "orange", "piece": "dummy", "known": true}},
    "origins": {"red": {"0": {"coins": 36, "shown": {"infantry": 1}}}, "orange": {"0": {"coins": 36, "shown": {"infantry": 2}}},
                "blue": {"0": {"coins": 6}}, "cyan": {"0": {"coins": 6}}}})"));
  ASSERT_TRUE(s) << s.error().text();
  FastChance chance(11);
  for (int draw = 0; draw < 200; ++draw) {
    HiddenArmies hidden;
    ASSERT_TRUE(draw_armies(sc, *s, 0, chance, hidden)) << draw;
    EXPECT_EQ(cost_of(sc, hidden[0][0]), 36 - 6 - 12);
    EXPECT_EQ(troop_count(hidden[2][0]), 0);
  }
}

// Set-up armies are known; so the number of hidden set-up troops is the truth until something is bought.
TEST(CompanyLeaderKnowledge, ImaginedArmiesHaveTheStartingForces) {
  const Scenario sc = scenario("standard", {{"income", "0"}});
  FastChance chance(7);
  bool bought = false;
  int compared = 0;
  play(sc, 5, 40'000, [&](const State& s) {
    bought = bought || s.purchase.spent != 0;
    if (bought || s.step == Step::set_up || s.step == Step::over || s.round % 5 != 0 || s.step != Step::actions) return;
    for (const int viewer : {0, 1}) {
      const State imagined = imagine(sc, observe(sc, s, Seat(viewer)), chance);
      Army truth{}, guess{};
      for (const int f : s.pieces[at(1 - viewer)]) {
        ++truth[s.kind[at(f)]];
        ++guess[imagined.kind[at(f)]];
      }
      EXPECT_EQ(truth, guess);
      ++compared;
    }
  });
  EXPECT_GT(compared, 100);
}

TEST(CompanyLeaderKnowledge, ATroopSeenAndConcealedIsFollowed) {
  const Scenario sc = scenario("standard");
  FastChance chance(7);
  int followed = 0;
  play(sc, 8, 20'000, [&](const State& s) {
    if (s.step == Step::set_up || s.step == Step::over) return;
    for (const int f : s.pieces[1] - s.revealed) {
      const bool known = s.shown[at(f)] != unknown_kind;
      const Knowledge red = observe(sc, s, Seat(0));
      EXPECT_EQ(red.kind[at(f)], known ? s.kind[at(f)] : unknown_kind);
      followed += known && s.kind[at(f)] != 0;
      break;
    }
  });
  EXPECT_GT(followed, 0);
}

// Nobody sees what a team-mate places before all are ready, and everything of his after.
TEST(CompanyLeaderKnowledge, TeamMatesShareAfterTheSetUp) {
  const Scenario sc = scenario("teams");
  play(sc, 2, 300, [&](const State& s) {
    const Knowledge red = observe(sc, s, Seat(0));
    for (const int f : s.pieces[2] - s.revealed)
      EXPECT_EQ(red.kind[at(f)], s.step == Step::set_up ? int{unknown_kind} : int{s.kind[at(f)]});
    for (const int f : s.pieces[1] - s.revealed) EXPECT_EQ(red.kind[at(f)], s.shown[at(f)]);
  });
}

TEST(CompanyLeaderKnowledge, ChancesStayChances) {
  const Scenario sc = scenario("standard", {{"income", "5"}});
  play(sc, 4, 12'000, [&](const State& s) {
    if (s.step != Step::purchase) return;
    const Knowledge k = observe(sc, s, Seat(1 - s.active));
    for (int f = 0; f < sc.board.fields; ++f) {
      const double chance = troop_chance(sc, k, f).chance;
      ASSERT_GE(chance, 0);
      ASSERT_LE(chance, 1);
      if (s.shown[at(f)] == unknown_kind && s.troops.has(f) && s.pieces[s.active].has(f)) {
        ASSERT_GT(chance, 0) << sc.board.name[at(f)];
      }
    }
  });
}

// Somebody may make up a past in which so much was lifted and shown that all its stories could never be tried.
TEST(CompanyLeaderKnowledge, AMadeUpPastIsNotExploredForEver) {
  const Scenario sc = scenario("standard", {});
  const Json many = {{"infantry", 30},   {"infantry-scout", 30}, {"artillery", 30},
                     {"tank-light", 30}, {"tank-heavy", 30},     {"tank-scout", 30}};
  Json json = Json::parse(R"({"step": "actions", "active": "blue", "turn": 1, "only": {
    "c8": {"owner": "red", "piece": "infantry"}, "f9": {"owner": "red", "piece": "dummy"}, "f11": {"owner": "red", "piece": "infantry", "origin": 1},
    "e10": {"owner": "red", "piece": "infantry", "origin": 1}, "i1": {"owner": "blue", "piece": "infantry"}, "f3": {"owner": "blue", "piece": "dummy"}},
    "origins": {"red": {"0": {"certain": {"infantry": 1}}, "1": {"coins": 900, "lifted": {"0": 60}}}, "blue": {"0": {"certain": {"infantry": 1}}}}})");
  json["origins"]["red"]["1"]["shown"] = many;
  const auto s = restore(sc, json);
  ASSERT_TRUE(s) << s.error().text();
  const Knowledge blue = observe(sc, *s, Seat(1));
  JsonText shown;
  view(sc, blue, shown);
  EXPECT_TRUE(shown.read().contains("remembered"));
  FastChance chance(1);
  State imagined = imagine(sc, blue, chance);
  EXPECT_EQ(observe(sc, imagined, Seat(1)), blue);
  Events log = Events::unheard();
  ActionList list;
  for (int i = 0; i < 300 && !choosing(sc, imagined).empty(); ++i) {
    const Seat seat = choosing(sc, imagined).front();
    list.clear();
    actions(sc, imagined, seat, list);
    apply(sc, imagined, seat, any_action<Game>(list, chance), chance, log);
  }
}

// All sets of troops that cost so much and have no more than `room` of them.
std::vector<Army> sets_costing(const Scenario& sc, int coins, int room) {
  std::vector<Army> all;
  Army set{};
  const auto next = [&](const auto& again, int kind, int left, int places) -> void {
    if (left < 0 || places < 0) return;
    if (kind == kind_count) {
      if (left == 0) all.push_back(set);
      return;
    }
    for (int n = 0; n * sc.figures(kind).cost <= left && n <= places; ++n) {
      set[at(kind)] = static_cast<std::uint8_t>(n);
      again(again, kind + 1, left - n * sc.figures(kind).cost, places - n);
    }
    set[at(kind)] = 0;
  };
  next(next, first_troop, coins, room);
  return all;
}

TEST(CompanyLeaderKnowledge, SetsOfAPriceAreCounted) {
  const Scenario sc = scenario("standard");
  for (int coins = 0; coins <= 30; ++coins)
    EXPECT_EQ(sc.sets_of_cost[at(first_troop)][at(coins)], sets_costing(sc, coins, coins).size()) << coins;
}

// Each set that the coins can have bought and that finds room is drawn as often, whether few or most sets of that price find room.
TEST(CompanyLeaderKnowledge, WhatCoinsBoughtIsDrawnEvenly) {
  const Scenario sc = scenario("standard");
  for (const int room : {2, 3, 5}) {
    Json json = Json::parse(R"({"step": "actions", "active": "red", "only": {
      "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"},
      "f11": {"owner": "red", "piece": "infantry", "origin": 1}, "e10": {"owner": "red", "piece": "tank-heavy", "origin": 1}},
      "origins": {"red": {"0": {"certain": {"infantry": 1}}, "1": {"coins": 12}}, "blue": {"0": {"certain": {"infantry": 1}}}}})");
    const std::array<const char*, 3> more = {"g10", "d9", "h9"};
    for (int piece = 2; piece < room; ++piece) json["only"][more[at(piece - 2)]] = {{"owner", "red"}, {"piece", "dummy"}, {"origin", 1}};
    const auto s = restore(sc, json);
    ASSERT_TRUE(s) << s.error().text();
    const Knowledge blue = observe(sc, *s, Seat(1));
    std::map<Army, int> drawn;
    constexpr int draws = 20'000;
    FastChance chance(11);
    for (int i = 0; i < draws; ++i) {
      HiddenArmies hidden{};
      ASSERT_TRUE(draw_armies(sc, blue, 0, chance, hidden));
      ++drawn[hidden[0][1]];
    }
    const auto sets = sets_costing(sc, 12, room);
    EXPECT_EQ(drawn.size(), sets.size()) << room;
    const double even = 1.0 / static_cast<double>(sets.size());
    for (const Army& set : sets)
      EXPECT_NEAR(drawn[set] / static_cast<double>(draws), even, 5 * std::sqrt(even * (1 - even) / draws)) << "room for " << room;
  }
}

}  // namespace
}  // namespace baton::company_leader
