// The exact odds against the rulings' table, and against the rules' own dice.
#include "games/company_leader/odds.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "games/company_leader/game.h"
#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {
namespace {

Scenario scenario(const std::string& id, const OptionValues& options) {
  std::ifstream in(std::string(BATON_SOURCE_DIR) + "/games/company_leader/scenarios/" + id + ".toml");
  std::stringstream text;
  text << in.rdbuf();
  return *load({id + ".toml", text.str()}, options);
}

Scenario standard() { return scenario("standard", {}); }

// Rulings, section 4, "Expected hits with rounding".
TEST(CompanyLeaderOdds, ExpectedHitsAreTheRulingsTable) {
  const Scenario sc = standard();
  const std::vector<std::tuple<Terrain, bool, std::array<double, 6>>> table = {
      {Terrain::open, true, {.667, 1.333, 2.000, 2.667, 3.333, 4.000}},
      {Terrain::forest, true, {.500, .972, 1.426, 1.867, 2.300, 2.728}},
      {Terrain::urban, true, {.333, .639, .926, 1.201, 1.467, 1.728}},
      {Terrain::open, false, {.667, 1.306, 1.926, 2.534, 3.134, 3.728}},
      {Terrain::forest, false, {.500, 1.000, 1.500, 2.000, 2.500, 3.000}},
      {Terrain::urban, false, {.333, .667, 1.000, 1.333, 1.667, 2.000}}};
  for (const auto& [terrain, infantry, expected] : table) {
    for (int dice = 1; dice <= 6; ++dice) EXPECT_NEAR(hit_odds(sc, terrain, infantry, dice).expected(), expected[at(dice - 1)], 0.0006);
  }
}

// Rulings, section 4, "Mean number of unanswered six-dice attacks to destroy a full target", open, forest, urban.
TEST(CompanyLeaderOdds, AttacksToDestroyAreTheRulingsFigures) {
  const Scenario sc = standard();
  const std::map<Piece, std::array<double, 3>> figures = {{Piece::infantry, {1.9, 2.6, 3.8}},   {Piece::infantry_scout, {1.4, 1.9, 2.7}},
                                                          {Piece::tank_heavy, {2.1, 2.4, 3.4}}, {Piece::tank_light, {1.4, 1.7, 2.4}},
                                                          {Piece::artillery, {1.1, 1.4, 1.9}},  {Piece::tank_scout, {1.0, 1.1, 1.4}}};
  for (const auto& [piece, expected] : figures) {
    const TroopFigures& troop = sc.figures(static_cast<int>(piece));
    for (int terrain = 0; terrain < terrain_count; ++terrain) {
      const HitOdds odds = hit_odds(sc, static_cast<Terrain>(terrain), troop.infantry, 6);
      std::vector<double> attacks(at(troop.strength + 1), 0.0);  // by strength left
      for (int strength = 1; strength <= troop.strength; ++strength) {
        double sum = 1;
        for (int hits = 1; hits <= strength; ++hits) sum += odds.chance[at(hits)] * attacks[at(strength - hits)];
        attacks[at(strength)] = sum / (1 - odds.chance[0]);
      }
      EXPECT_NEAR(attacks.back(), expected[at(terrain)], 0.0501)
          << piece_words[static_cast<std::size_t>(piece)] << " on terrain " << terrain;
    }
  }
}

TEST(CompanyLeaderOdds, EveryThrowOfFourDiceIsCounted) {
  const Scenario sc = standard();
  for (const Terrain terrain : {Terrain::open, Terrain::forest, Terrain::urban}) {
    for (const bool infantry : {true, false}) {
      std::array<int, most_hits + 1> count{};
      for (int n = 0; n < 1296; ++n) {
        const int faces[4] = {n % 6 + 1, n / 6 % 6 + 1, n / 36 % 6 + 1, n / 216 + 1};
        ++count[at(hits_of(sc, terrain, infantry, faces, 4))];
      }
      const HitOdds odds = hit_odds(sc, terrain, infantry, 4);
      for (int hits = 0; hits <= most_hits; ++hits) EXPECT_NEAR(odds.chance[at(hits)], count[at(hits)] / 1296.0, 1e-12);
    }
  }
}

TEST(CompanyLeaderOdds, AShotAndItsAnswer) {
  const Scenario sc = standard();
  State s;
  const int from = *read(sc, kind::field, "f8"), to = *read(sc, kind::field, "f7");
  const auto stand = [&](int f, int seat, int kind, int strength, int facing) {
    s.pieces[at(seat)].insert(f);
    s.revealed.insert(f);
    s.troops.insert(f);
    s.kind[at(f)] = s.shown[at(f)] = static_cast<std::uint8_t>(kind);
    s.stand[at(f)] = static_cast<std::uint8_t>(strength << 3 | facing);
  };
  stand(from, 0, 1, 6, 0);
  stand(to, 1, 4, 4, 3);
  const ShotOdds odds = shot_odds(sc, s, from, to);
  EXPECT_TRUE(odds.answered);
  EXPECT_NEAR(odds.hits.expected(), 3.0, 1e-9);  // six green dice at a vehicle
  double kill = 0;
  for (int n = 0; n < 46656; ++n) {
    const int faces[6] = {n % 6 + 1, n / 6 % 6 + 1, n / 36 % 6 + 1, n / 216 % 6 + 1, n / 1296 % 6 + 1, n / 7776 + 1};
    kill += hits_of(sc, Terrain::forest, false, faces, 6) >= 4;
  }
  EXPECT_NEAR(odds.kill, kill / 46656, 1e-12);
  EXPECT_NEAR(odds.both, odds.kill * odds.lost, 1e-12);
  EXPECT_LE(odds.damage, 4);
  s.stand[at(to)] = 4 << 3 | 0;  // looks away
  EXPECT_FALSE(shot_odds(sc, s, from, to).answered);
  EXPECT_EQ(shot_odds(sc, s, from, to).suffered, 0);
}

TEST(CompanyLeaderOdds, ChanceOfATroopAtTheStart) {
  const Scenario sc = standard();
  FastChance chance(5);
  Events log = Events::unheard();
  State s = start(sc, chance, log);
  for (int seat = 0; seat < 2; ++seat) {
    apply(sc, s, Seat(seat), {static_cast<std::uint16_t>(Verb::place_for_me), 0, 0, 0}, chance, log);
    apply(sc, s, Seat(seat), {static_cast<std::uint16_t>(Verb::ready), 0, 0, 0}, chance, log);
  }
  const Knowledge red = observe(sc, s, Seat(0));
  for (const int f : s.pieces[1]) {
    EXPECT_NEAR(troop_chance(sc, red, f).chance, 9.0 / 37, 1e-12);
    EXPECT_TRUE(troop_chance(sc, red, f).exact);
  }
  for (const int f : s.pieces[0]) EXPECT_EQ(troop_chance(sc, red, f).chance, s.troops.has(f) ? 1 : 0);
}

// What coins have bought nobody else knows; the figure says so.
TEST(CompanyLeaderOdds, ChancesAfterAPurchaseAreMarked) {
  const Scenario sc = standard();
  FastChance chance(5);
  Events log = Events::unheard();
  State s = start(sc, chance, log);
  const auto does = [&](Seat seat, Verb verb) { apply(sc, s, seat, {static_cast<std::uint16_t>(verb), 0, 0, 0}, chance, log); };
  for (int seat = 0; seat < 2; ++seat) {
    does(Seat(seat), Verb::place_for_me);
    does(Seat(seat), Verb::ready);
  }
  ActionList list;
  while (s.origins[0][1].in_use == false && s.round < 20) {
    const Seat seat = choosing(sc, s).front();
    list.clear();
    actions(sc, s, seat, list);
    Action chosen{static_cast<std::uint16_t>(Verb::done), 0, 0, 0};
    for (const Action a : list) {
      const Verb verb = static_cast<Verb>(a.verb);
      if (verb == Verb::put || (verb == Verb::buy && index(seat) == 0 && s.purchase.spent == 0)) chosen = a;
    }
    apply(sc, s, seat, chosen, chance, log);
  }
  ASSERT_TRUE(s.origins[0][1].in_use);
  const Knowledge blue = observe(sc, s, Seat(1));
  for (const int f : s.pieces[0]) {
    const TroopChance found = troop_chance(sc, blue, f);
    EXPECT_FALSE(found.exact) << "set-up troops may have been lifted";
    EXPECT_GT(found.chance, 0);
    EXPECT_LT(found.chance, 1);
  }
  for (const int f : s.pieces[1]) EXPECT_TRUE(troop_chance(sc, observe(sc, s, Seat(0)), f).exact);
}

// Five coins are two troops whatever they were (3 + 2): where only two pieces are left of that purchase both are troops.
TEST(CompanyLeaderOdds, APurchaseThatNeedsAllItsRoomIsCertain) {
  const Scenario sc = standard();
  const auto chance_with = [&](const char* third) {
    Json json = Json::parse(R"({"step": "actions", "active": "red", "only": {
      "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"},
      "f11": {"owner": "red", "piece": "artillery", "origin": 1}, "e10": {"owner": "red", "piece": "tank-scout", "origin": 1}},
      "origins": {"red": {"0": {"certain": {"infantry": 1}}, "1": {"coins": 5}}, "blue": {"0": {"certain": {"infantry": 1}}}}})");
    if (*third != 0) json["only"][third] = {{"owner", "red"}, {"piece", "dummy"}, {"origin", 1}};
    const auto s = restore(sc, json);
    EXPECT_TRUE(s) << s.error().text();
    return troop_chance(sc, observe(sc, *s, Seat(1)), *read(sc, kind::field, "f11"));
  };
  EXPECT_EQ(chance_with("").chance, 1);
  EXPECT_TRUE(chance_with("").exact);
  EXPECT_NEAR(chance_with("g10").chance, 2.0 / 3, 0.05);
  EXPECT_FALSE(chance_with("g10").exact);
}

// Twelve coins are two troops at least, so of the two set-up troops at most one can stand among the three refreshed pieces.
TEST(CompanyLeaderOdds, WhatFindsNoRoomInAPurchaseHasStayedBehind) {
  const Scenario sc = standard();
  auto s = restore(sc, Json::parse(R"({"step": "actions", "active": "red", "coins": {"red": 12, "blue": 0}, "only": {
    "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"}, "f3": {"owner": "blue", "piece": "dummy"},
    "f11": {"owner": "red", "piece": "dummy"}, "e10": {"owner": "red", "piece": "artillery"}, "g10": {"owner": "red", "piece": "dummy"}}})"));
  ASSERT_TRUE(s) << s.error().text();
  FastChance chance(1);
  Events log = Events::unheard();
  const auto field = [&](const char* name) { return static_cast<std::uint16_t>(*read(sc, kind::field, name)); };
  const auto red = [&](Verb verb, int kind = 0, int on = 0) {
    const Action action{static_cast<std::uint16_t>(verb), static_cast<std::uint16_t>(kind), static_cast<std::uint16_t>(on), 0};
    ASSERT_EQ(why_not(sc, *s, Seat(0), action), Refusal::none);
    apply(sc, *s, Seat(0), action, chance, log);
  };
  const int infantry = static_cast<int>(Piece::infantry);
  red(Verb::done);
  red(Verb::buy, infantry);
  red(Verb::buy, infantry);
  red(Verb::done);
  red(Verb::put, infantry, field("f11"));
  red(Verb::put, infantry, field("g10"));
  red(Verb::put, static_cast<int>(Piece::artillery), field("e10"));
  const Knowledge blue = observe(sc, *s, Seat(1));
  EXPECT_EQ(troop_chance(sc, blue, field("c8")).chance, 1);
  EXPECT_TRUE(troop_chance(sc, blue, field("c8")).exact);
  EXPECT_EQ(troop_chance(sc, blue, field("f11")).chance, 1) << "one piece is left of the set-up, so one of the two was lifted";
}

// Four coins went into the one field that was left, so the infantry of the set-up is one of the other two pieces.
TEST(CompanyLeaderOdds, TroopsThatMustBeSomewhereAreShared) {
  const Scenario sc = standard();
  const auto s = restore(sc, Json::parse(R"({"step": "actions", "active": "blue", "turn": 1, "only": {
    "c8": {"owner": "red", "piece": "infantry"}, "f9": {"owner": "red", "piece": "dummy"}, "f11": {"owner": "red", "piece": "tank-light", "origin": 1},
    "i1": {"owner": "blue", "piece": "infantry"}, "f3": {"owner": "blue", "piece": "dummy"}},
    "origins": {"red": {"0": {"certain": {"infantry": 1}}, "1": {"coins": 4, "lifted": {"0": 1}}}, "blue": {"0": {"certain": {"infantry": 1}}}}})"));
  ASSERT_TRUE(s) << s.error().text();
  const Knowledge blue = observe(sc, *s, Seat(1));
  EXPECT_EQ(troop_chance(sc, blue, *read(sc, kind::field, "f11")).chance, 1);
  for (const char* field : {"c8", "f9"}) EXPECT_NEAR(troop_chance(sc, blue, *read(sc, kind::field, field)).chance, 0.5, 1e-9) << field;
}

// Two coins are missing of what red and orange have paid: one scout tank, among the 18 pieces of both.
TEST(CompanyLeaderOdds, AJointPurseIsSpreadOverTheWholeTeam) {
  const Scenario sc = scenario("teams", {{"army", "free"}});
  Json json = Json::parse(R"({"step": "actions", "active": "blue", "turn": 1, "coins": {"warm": 0, "cold": 0}, "only": {
    "d12": {"owner": "blue", "piece": "infantry"}, "a1": {"owner": "cyan", "piece": "dummy"}, "g4": {"owner": "red", "piece": "tank-scout"}},
    "origins": {"red": {"0": {"coins": 18, "shown": {"infantry": 2}}}, "orange": {"0": {"coins": 18, "shown": {"infantry-scout": 1}}},
                "blue": {"0": {"coins": 6}}, "cyan": {"0": {"coins": 6}}}})");
  for (const char* field : {"f1", "g1", "g2", "g3", "h1", "h2", "i1", "f2", "f3", "f4"})
    json["only"][field] = {{"owner", "red"}, {"piece", "dummy"}};
  for (const char* field : {"f8", "f9", "g8", "g9", "h8", "h9", "i8"}) json["only"][field] = {{"owner", "orange"}, {"piece", "dummy"}};
  const auto s = restore(sc, json);
  ASSERT_TRUE(s) << s.error().text();
  for (const int seat : {0, 2}) {
    EXPECT_NEAR(troop_chance_of_origin(sc, *s, seat, 0).chance, 1.0 / 18, 1e-12);
    EXPECT_FALSE(troop_chance_of_origin(sc, *s, seat, 0).exact);
  }
}

// The one who is shot at reads the odds of his answer from his own side.
TEST(CompanyLeaderOdds, TheTargetsSideOfAShot) {
  const Scenario sc = standard();
  auto s = restore(sc, Json::parse(R"({"step": "actions", "active": "red", "only": {
    "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"},
    "f7": {"owner": "red", "piece": "infantry", "revealed": true, "strength": 6, "facing": "n"},
    "f6": {"owner": "blue", "piece": "infantry", "revealed": true, "strength": 1, "facing": "s"}}})"));
  ASSERT_TRUE(s) << s.error().text();
  const int from = *read(sc, kind::field, "f7"), to = *read(sc, kind::field, "f6");
  FastChance chance(1);
  Events log = Events::unheard();
  const Action shot{static_cast<std::uint16_t>(Verb::shoot), static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to), 0};
  const ShotOdds exact = shot_odds(sc, *s, from, to);
  const auto chance_of = [](const Json& json, const std::string& what) {
    for (const Json& outcome : json["outcomes"]) {
      if (outcome["is"] == what) return outcome["chance"].get<double>();
    }
    return -1.0;
  };
  const Json shooting = odds(sc, observe(sc, *s, Seat(0)), shot);
  EXPECT_NEAR(chance_of(shooting, "kill"), exact.kill, 1e-4);
  EXPECT_NEAR(chance_of(shooting, "lost"), exact.lost, 1e-4);
  apply(sc, *s, Seat(0), shot, chance, log);
  ASSERT_EQ(s->step, Step::return_fire);
  const Knowledge blue = observe(sc, *s, Seat(1));
  const Json answering = odds(sc, blue, {static_cast<std::uint16_t>(Verb::fire_back), 0, 0, 0});
  EXPECT_NEAR(chance_of(answering, "kill"), exact.lost, 1e-4);
  EXPECT_NEAR(chance_of(answering, "lost-now"), exact.kill, 1e-4);
  const Json holding = odds(sc, blue, {static_cast<std::uint16_t>(Verb::hold_fire), 0, 0, 0});
  EXPECT_NEAR(chance_of(holding, "lost-now"), exact.kill, 1e-4);
  EXPECT_EQ(chance_of(holding, "kill"), -1.0);
}

// Anything may be asked; only what dice or hidden pieces decide has an answer, and chances are chances.
TEST(CompanyLeaderOdds, OddsOfAnyAction) {
  const Scenario sc = standard();
  int answered = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    FastChance chance(seed);
    Events log = Events::unheard();
    State s = start(sc, chance, log);
    ActionList list;
    for (int decision = 0; decision < 4'000 && !choosing(sc, s).empty(); ++decision) {
      const Seat seat = choosing(sc, s).front();
      list.clear();
      actions(sc, s, seat, list);
      const Knowledge known = observe(sc, s, seat);
      const auto noise = [&](std::uint32_t below) { return static_cast<std::uint16_t>(chance.pick(below)); };
      (void)odds(sc, known, {noise(30), noise(140), noise(140), noise(8)});
      (void)odds(sc, observe(sc, s, spectator), list[0]);
      const Action action = any_action<Game>(list, chance);
      if (const Json json = odds(sc, known, action); !json.is_null()) {
        ++answered;
        for (const Json& outcome : json.value("outcomes", Json::array())) {
          ASSERT_GE(outcome["chance"], 0);
          ASSERT_LE(outcome["chance"], 1);
        }
        for (const Json& piece : json.value("hidden", Json::array())) ASSERT_LE(piece["chance"], 1);
        if (static_cast<Verb>(action.verb) == Verb::shoot) {
          ASSERT_EQ(json["combats"][0]["sides"].size(), may_fire_back(sc, s, action.a, action.b) ? 2u : 1u);
        }
      }
      apply(sc, s, seat, action, chance, log);
    }
  }
  EXPECT_GT(answered, 20);
}

// What is remembered of a chance is what would be reckoned anew, wherever the game has gone meanwhile.
TEST(CompanyLeaderOdds, RememberedChancesAreThoseOfThePosition) {
  int compared = 0, other_than_before = 0;
  for (const auto& [id, army] : {std::pair{"standard", "fixed"}, std::pair{"standard", "free"}, std::pair{"teams", "free"}}) {
    const Scenario sc = scenario(id, {{"income", "4"}, {"army", army}});
    FastChance chance(3);
    Events log = Events::unheard();
    State s = start(sc, chance, log);
    TroopChances remembered;
    std::map<std::pair<int, int>, double> before;
    ActionList list;
    for (int decision = 0; decision < 1'500 && !choosing(sc, s).empty(); ++decision) {
      const Seat seat = choosing(sc, s).front();
      list.clear();
      actions(sc, s, seat, list);
      apply(sc, s, seat, any_action<Game>(list, chance), chance, log);
      if (decision % 5 != 0) continue;
      remembered.look_at(sc, s);
      for (int owner = 0; owner < sc.seat_count(); ++owner) {
        for (int origin = 0; origin < origin_count; ++origin) {
          ASSERT_EQ(remembered.pieces(owner, origin), pieces_from(s, owner, origin).size());
          if (!s.origins[at(owner)][at(origin)].in_use || remembered.pieces(owner, origin) == 0) continue;
          const TroopChance told = remembered.of(sc, s, owner, origin), fresh = troop_chance_of_origin(sc, s, owner, origin);
          ASSERT_EQ(told.chance, fresh.chance) << id << ", decision " << decision << ", seat " << owner << ", origin " << origin;
          ASSERT_EQ(told.exact, fresh.exact);
          const auto known = before.find({owner, origin});
          other_than_before += known != before.end() && known->second != told.chance;
          before[{owner, origin}] = told.chance;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 500);
  EXPECT_GT(other_than_before, 20);
}

}  // namespace
}  // namespace baton::company_leader
