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
    for (int i = 0; i < events()[event.kind].size(); ++i) line += " " + spell(sc, events()[event.kind].fields[at(i)].kind, event.with[at(i)]);
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
    apply(*sc, *s, Seat(1), list[0], chance, log);
  }
  EXPECT_EQ(asked, 2);
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
