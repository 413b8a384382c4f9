// What cases cannot say: what may be taken back, what the log does not tell, in which order choices are offered.
#include "games/company_leader/rules.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "games/company_leader/game.h"
#include "games/company_leader/rules_parts.h"
#include "match/typed_match.h"

namespace baton::company_leader {
namespace {

ScenarioFile file_of(const std::string& id) {
  std::ifstream in(std::string(BATON_SOURCE_DIR) + "/games/company_leader/scenarios/" + id + ".toml");
  std::stringstream text;
  text << in.rdbuf();
  return {id + ".toml", text.str()};
}

// Whoever could take back a scouting, a reveal or a purchase would have looked for nothing.
TEST(CompanyLeaderUndo, WhatWasLearnedIsNotTakenBack) {
  int learned = 0, undoable = 0;
  for (const std::string id : {"standard", "three"}) {
    MatchSetup setup;
    setup.scenario = file_of(id);
    setup.options = {{"turn_limit", "6"}};
    setup.chance = Seeded{5};
    auto match = TypedMatch<Game>::create(setup);
    ASSERT_TRUE(match) << match.error().text();
    FastChance choices(8);
    while (!(*match)->choosing().empty()) {
      const Knowledge before = (*match)->knowledge(spectator);
      const Seat seat = (*match)->choosing().front();
      ActionList legal;
      for (const Action action : (*match)->actions(seat)) legal.push(action);
      Action action = any_action<Game>(legal, choices);
      if (before.step != Step::set_up && choices.pick(4'000) == 0) action = legal[legal.size() - 1];
      ASSERT_TRUE((*match)->act(seat, action));
      const Knowledge after = (*match)->knowledge(spectator);
      const auto hidden = [](const Knowledge& k) { return (occupied(k) - k.revealed).size(); };
      const bool concealed = static_cast<Verb>(action.verb) == Verb::conceal;
      const bool was_learned = !(after.revealed - before.revealed).empty() && after.revealed.size() > before.revealed.size();
      const bool left = !concealed && hidden(after) < hidden(before);
      const bool began = before.step == Step::set_up && after.step != Step::set_up;
      if (was_learned || left || began || after.out != before.out) {
        ++learned;
        for (int other = 0; other < (*match)->scenario().seat_count(); ++other) ASSERT_FALSE((*match)->can_undo(Seat(other)));
      }
      undoable += (*match)->can_undo(seat);
    }
  }
  EXPECT_GT(learned, 50);
  EXPECT_GT(undoable, 50);
}

// Rules: R38 as changed. Whoever does nothing but reveal and conceal runs out of it.
TEST(CompanyLeaderConcealing, ComesToAnEndInEveryTurn) {
  const auto sc = load(file_of("standard"), {});
  ASSERT_TRUE(sc);
  Events silent = Events::unheard();
  int concealed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    FastChance chance(seed);
    State s = start(*sc, chance, silent);
    int in_a_row = 0;
    for (int decisions = 0; decisions < 600 && !choosing(*sc, s).empty(); ++decisions) {
      const Seat seat = choosing(*sc, s).front();
      ActionList legal;
      actions(*sc, s, seat, legal);
      ActionList flips;
      for (const Action& action : legal) {
        const auto verb = static_cast<Verb>(action.verb);
        if (verb == Verb::reveal || verb == Verb::conceal || verb == Verb::face) flips.push(action);
      }
      // From some of the positions on the way.
      const bool flipping = !flips.empty() && (in_a_row > 0 || chance.pick(10) == 0 || s.step == Step::facing);
      const Action action = any_action<Game>(flipping ? flips : legal, chance);
      concealed += static_cast<Verb>(action.verb) == Verb::conceal;
      apply(*sc, s, seat, action, chance, silent);
      in_a_row = flipping ? in_a_row + 1 : 0;
      // Revealed, faced, concealed, revealed and faced again.
      ASSERT_LE(in_a_row, 5 * (s.pieces[at(index(seat))] & s.troops).size()) << "seed " << seed;
    }
  }
  EXPECT_GT(concealed, 100);
}

std::vector<std::string> told_by(const Scenario& sc, State& s, const std::vector<std::pair<int, Action>>& choices) {
  std::vector<Event> told;
  Events log(&told);
  FastChance chance(1);
  for (const auto& [seat, action] : choices) {
    EXPECT_EQ(why_not(sc, s, Seat(seat), action), Refusal::none);
    apply(sc, s, Seat(seat), action, chance, log);
  }
  std::vector<std::string> words;
  for (const Event& event : told) {
    std::string line(events()[event.kind].name);
    for (int i = 0; i < events()[event.kind].size(); ++i)
      line += " " + spell(sc, events()[event.kind].fields[at(i)].kind, event.with[at(i)]);
    words.push_back(line);
  }
  return words;
}

// R21: who does not choose looks towards the scout; a clock takes the first facing that is offered.
TEST(CompanyLeaderFacing, TheFirstFacingOfferedIsTowardsTheScout) {
  const auto sc = load(file_of("standard"), {});
  ASSERT_TRUE(sc);
  const auto field = [&](const char* name) { return static_cast<std::uint16_t>(*read(*sc, kind::field, name)); };
  auto s = restore(*sc, Json::parse(R"({"step": "actions", "active": "red", "only": {
    "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"},
    "f7": {"owner": "red", "piece": "infantry-scout", "revealed": true, "facing": "s"},
    "e6": {"owner": "blue", "piece": "artillery"}, "e5": {"owner": "blue", "piece": "artillery"}}})"));
  ASSERT_TRUE(s) << s.error().text();
  FastChance chance(1);
  Events log = Events::unheard();
  apply(*sc, *s, Seat(0), {static_cast<std::uint16_t>(Verb::move), field("f7"), 0, 0}, chance, log);
  ASSERT_EQ(s->step, Step::facing);
  int asked = 0;
  for (; s->step == Step::facing; ++asked) {
    ActionList list;
    actions(*sc, *s, Seat(1), list);
    ASSERT_EQ(list.size(), facing_count + 1u);
    const Hex here = sc->board.hex[list[0].a], scout = sc->board.hex[field("f7")];
    for (std::size_t i = 1; i < facing_count; ++i) {
      EXPECT_LE(distance(here + direction(list[0].b), scout), distance(here + direction(list[i].b), scout));
    }
    EXPECT_EQ(Game::when_time_is_out(*sc, *s, Seat(1)), list[0]);
    EXPECT_EQ(Game::when_time_is_out(*sc, *s, Seat(0)), std::nullopt);
    apply(*sc, *s, Seat(1), list[0], chance, log);
  }
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(Game::when_time_is_out(*sc, *s, Seat(0)), std::nullopt) << "R21 speaks of facings only";
}

// R12: who turns a troop up himself chooses its facing; the rule of R21 is for troops that were scouted.
TEST(CompanyLeaderFacing, WhoRevealsHimselfHasNoClocksRule) {
  const auto sc = load(file_of("standard"), {});
  ASSERT_TRUE(sc);
  auto s = restore(*sc, Json::parse(R"({"step": "actions", "active": "red", "only": {
    "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"}}})"));
  ASSERT_TRUE(s) << s.error().text();
  FastChance chance(1);
  Events log = Events::unheard();
  apply(*sc, *s, Seat(0), {static_cast<std::uint16_t>(Verb::reveal), static_cast<std::uint16_t>(*read(*sc, kind::field, "c8")), 0, 0},
        chance, log);
  ASSERT_EQ(s->step, Step::facing);
  EXPECT_EQ(Game::when_time_is_out(*sc, *s, Seat(0)), std::nullopt);
}

// Escort: blue wins by taking the convoy, which a light tank reaches in one turn where nobody stands in its way.
TEST(CompanyLeaderSetUp, PlaceForMeGuardsTheConvoy) {
  for (const std::string army : {"fixed", "free"}) {
    const auto sc = load(file_of("escort"), {{"army", army}});
    ASSERT_TRUE(sc) << sc.error().text();
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      FastChance chance(seed);
      Events log = Events::unheard();
      State s = start(*sc, chance, log);
      apply(*sc, s, Seat(0), {static_cast<std::uint16_t>(Verb::place_for_me), 0, 0, 0}, chance, log);
      bool strong = false;  // a free army may have none
      for (const int f : s.pieces[0] & s.troops) strong = strong || sc->figures(s.kind[at(f)]).strength == 6;
      if (strong) {
        EXPECT_EQ(sc->figures(s.kind[at(sc->objectives[0].start)]).strength, 6) << seed;
      }
    }
  }
}

// R42, R44, R57: what different purchases of the same price leave for others to see is the same to the last byte.
TEST(CompanyLeaderSecrets, EqualPricesLookTheSame) {
  const auto seen_after = [](const std::vector<std::string>& choices) {
    MatchSetup setup;
    setup.scenario = file_of("standard");
    setup.chance = Seeded{5};
    setup.position = Json::parse(R"({"step": "actions", "active": "red", "coins": {"red": 12, "blue": 0}, "only": {
      "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"}, "f3": {"owner": "blue", "piece": "dummy"},
      "f11": {"owner": "red", "piece": "dummy"}, "e10": {"owner": "red", "piece": "dummy"}, "g10": {"owner": "red", "piece": "dummy"}}})");
    auto match = TypedMatch<Game>::create(setup);
    EXPECT_TRUE(match) << match.error().text();
    const auto seen = [&] {
      std::string all;
      for (const Seat viewer : {Seat(1), spectator}) {
        all += (*match)->view(viewer).dump() + "\n" + (*match)->events(viewer).dump() + "\n" + (*match)->seat_record(viewer) + "\n";
      }
      return all;
    };
    std::vector<std::string> stages;
    for (const std::string& words : choices) {
      const auto done = (*match)->act_words(Seat(0), words);
      EXPECT_TRUE(done) << words << ": " << done.error().text();
      // What changes nothing for the others must not be seen at all; a table sends them a frame only when something is.
      if (stages.empty() || stages.back() != seen()) stages.push_back(seen());
    }
    EXPECT_EQ((*match)->choosing(), Seats(Seat(1)));
    return stages;
  };
  const auto two = seen_after({"done", "buy infantry", "buy infantry", "done", "put infantry f11", "put infantry g10"});
  EXPECT_EQ(two.size(), 2u) << "the turn's actions are over; the purchase is made";
  EXPECT_EQ(two, seen_after({"done", "buy tank-heavy", "buy infantry", "done", "put infantry e10", "put tank-heavy f11"}));
  EXPECT_EQ(two, seen_after({"done", "buy tank-light", "buy infantry-scout", "buy tank-light", "done", "put tank-light g10",
                             "put tank-light e10", "put infantry-scout f11"}));
}

// A troop that stays before an own dummy in view had no choice, before an own troop it had; what is taken back must not tell.
TEST(CompanyLeaderSecrets, UndoGoesAsFarWhetherTheStayWasForcedOrNot) {
  const auto seen_after_undo = [](const std::string& ahead) {
    MatchSetup setup;
    setup.scenario = file_of("standard");
    setup.chance = Seeded{5};
    setup.position = Json::parse(R"({"step": "actions", "active": "red", "only": {
      "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"}, "f3": {"owner": "blue", "piece": "dummy"},
      "f8": {"owner": "red", "piece": "infantry", "revealed": true, "strength": 6, "facing": "n"},
      "f6": {"owner": "blue", "piece": "infantry", "revealed": true, "strength": 6, "facing": "s"}}})");
    (*setup.position)["only"]["f7"] = {{"owner", "red"}, {"piece", ahead}};
    (*setup.position)["only"]["e9"] = {{"owner", "red"}, {"piece", ahead == "dummy" ? "infantry" : "dummy"}};
    auto match = TypedMatch<Game>::create(setup);
    EXPECT_TRUE(match) << match.error().text();
    if (!match) return ahead;
    EXPECT_TRUE((*match)->act_words(Seat(0), "move f8 n"));
    EXPECT_EQ((*match)->forced(Seat(0)).has_value(), ahead == "dummy");
    EXPECT_TRUE((*match)->act_words(Seat(0), "stay"));
    EXPECT_TRUE((*match)->undo(Seat(0)));
    return (*match)->view(Seat(1)).dump() + (*match)->events(Seat(1)).dump() + (*match)->seat_record(Seat(1));
  };
  EXPECT_EQ(seen_after_undo("dummy"), seen_after_undo("infantry"));
}

// What is bought and where it is put is seen when the last troop stands, and not before.
TEST(CompanyLeaderSecrets, APurchaseIsSeenAtItsEnd) {
  MatchSetup setup;
  setup.scenario = file_of("standard");
  setup.position = Json::parse(R"({"step": "actions", "active": "red", "coins": {"red": 12, "blue": 0}, "only": {
    "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"}, "f3": {"owner": "blue", "piece": "dummy"},
    "f11": {"owner": "red", "piece": "dummy"}, "e10": {"owner": "red", "piece": "dummy"}, "g10": {"owner": "red", "piece": "dummy"}}})");
  auto match = TypedMatch<Game>::create(setup);
  ASSERT_TRUE(match) << match.error().text();
  const std::vector<std::pair<std::string, bool>> choices = {{"done", true},  {"buy infantry", false},     {"buy infantry", false},
                                                             {"done", false}, {"put infantry f11", false}, {"put infantry g10", true}};
  for (const auto& [words, seen] : choices) {
    EXPECT_EQ((*match)->would_be_seen(Seat(0), (*match)->from_words(words).value()), seen) << words;
    ASSERT_TRUE((*match)->act_words(Seat(0), words));
  }
}

// A pair is listed once; people may name it either way.
TEST(CompanyLeaderSpelling, ASwapReadsTheSameInEitherOrder) {
  MatchSetup setup;
  setup.scenario = file_of("standard");
  auto match = TypedMatch<Game>::create(setup);
  ASSERT_TRUE(match) << match.error().text();
  const auto first = (*match)->from_words("swap f8 f9"), second = (*match)->from_words("swap f9 f8");
  const auto json = (*match)->from_json(Json::parse(R"({"do": "swap", "field": "f9", "with": "f8"})"));
  ASSERT_TRUE(first && second && json);
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(*first, *json);
  EXPECT_EQ((*match)->words(*second), "swap f8 f9");
}

// A choice between one thing and giving up is none.
TEST(CompanyLeaderChoices, SurrenderIsNoWayOut) {
  MatchSetup setup;
  setup.scenario = file_of("standard");
  setup.position = Json::parse(R"({"step": "actions", "active": "red", "only": {
    "c8": {"owner": "red", "piece": "infantry"}, "i1": {"owner": "blue", "piece": "infantry"}, "f3": {"owner": "blue", "piece": "dummy"},
    "f8": {"owner": "red", "piece": "infantry", "revealed": true, "strength": 6, "facing": "n"}, "f7": {"owner": "red", "piece": "dummy"},
    "f6": {"owner": "blue", "piece": "infantry", "revealed": true, "strength": 6, "facing": "s"}}})");
  auto match = TypedMatch<Game>::create(setup);
  ASSERT_TRUE(match) << match.error().text();
  EXPECT_EQ((*match)->forced(Seat(0)), std::nullopt);
  ASSERT_TRUE((*match)->act_words(Seat(0), "move f8 n"));
  EXPECT_EQ((*match)->actions(Seat(0)).size(), 2u);
  EXPECT_EQ((*match)->words((*match)->forced(Seat(0)).value()), "stay") << "the dummy ahead stands in view";
  EXPECT_EQ((*match)->forced(Seat(1)), std::nullopt);
}

// Who is ready may place again, and is not made to.
TEST(CompanyLeaderChoices, PlacingAgainIsNotForced) {
  MatchSetup setup;
  setup.scenario = file_of("standard");
  auto match = TypedMatch<Game>::create(setup);
  ASSERT_TRUE(match) << match.error().text();
  ASSERT_TRUE((*match)->act_words(Seat(0), "place-for-me"));
  ASSERT_TRUE((*match)->act_words(Seat(0), "ready"));
  EXPECT_EQ((*match)->actions(Seat(0)).size(), 1u);
  EXPECT_EQ((*match)->forced(Seat(0)), std::nullopt);
}

// R29: the high arc of artillery is not blocked, whatever its range in a scenario of one's own.
TEST(CompanyLeaderScenario, ShortArtilleryFiresOverForestToo) {
  ScenarioFile file = file_of("standard");
  file.text += "\n[troops.artillery]\nrange = 2\n";
  const auto sc = load(file, {});
  ASSERT_TRUE(sc) << sc.error().text();
  const int artillery = static_cast<int>(Piece::artillery);
  for (int f = 0; f < sc->board.fields; ++f) {
    for (int d = 0; d < facing_count; ++d) EXPECT_EQ(sc->hit_from(artillery, f, d), fire_from(sc->board, f, d, 2, true));
  }
}

constexpr Action done{static_cast<std::uint16_t>(Verb::done), 0, 0, 0};

// R54: the log names the one who has won, not his team-mate.
TEST(CompanyLeaderVictory, AnIndividualWinnerWinsAlone) {
  const auto sc = load(file_of("teams"), {{"urban_lead", "1"}, {"urban_lead_for", "seat"}});
  ASSERT_TRUE(sc);
  auto s = restore(*sc, Json::parse(R"({"step": "actions", "active": "red", "only": {
    "f1": {"owner": "red", "piece": "infantry"}, "d12": {"owner": "blue", "piece": "infantry"}, "f8": {"owner": "orange", "piece": "dummy"},
    "h9": {"owner": "orange", "piece": "dummy"}, "i6": {"owner": "orange", "piece": "infantry"}, "e3": {"owner": "orange", "piece": "dummy"}}})"));
  ASSERT_TRUE(s) << s.error().text();
  const auto words = told_by(*sc, *s, {{0, done}, {1, done}});
  EXPECT_THAT(words, testing::Contains("won orange urban-lead"));
  EXPECT_THAT(words, testing::Not(testing::Contains("won red urban-lead")));
}

}  // namespace
}  // namespace baton::company_leader
