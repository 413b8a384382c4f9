// The rulebook as a test: every case file, what a case cannot say, and that no ruling and no card is left out.
#include "games/company_commander/rules.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "games/company_commander/game.h"
#include "match/registry.h"

namespace baton::company_commander {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

const std::filesystem::path folder = std::filesystem::path(BATON_SOURCE_DIR) / "games" / "company_commander";

std::string text_of(const std::filesystem::path& file) {
  auto text = read_text_file(file.string(), std::size_t{1} << 20);
  EXPECT_TRUE(text) << file;
  return text.value_or("");
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& where, const std::string& ending) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(where)) {
    if (entry.path().filename().string().ends_with(ending)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// --- Cases -----------------------------------------------------------------------------------------------------------

class CompanyCommanderCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(CompanyCommanderCase, Holds) {
  const auto report = run_case(GetParam().filename().string(), text_of(GetParam()));
  EXPECT_TRUE(report) << report.error().text();
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& tested) {
  std::string name = tested.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, CompanyCommanderCase, testing::ValuesIn(files_in(folder / "cases", ".toml")), name_of);

// --- What a case cannot say ------------------------------------------------------------------------------------------

Scenario normandy(const OptionValues& options = {}) { return *load(*shipped_scenario("company-commander", "normandy"), options); }

// Cards by the names of saved positions.
CardSet cards(const Scenario& sc, const std::vector<std::string>& ids) {
  CardSet set = 0;
  for (const std::string& id : ids) set |= sc.copies[static_cast<std::size_t>(*read(sc, kind::card, id))];
  return set;
}

struct Board {
  Scenario sc;
  State s;

  void act(int seat, const std::string& words, std::vector<int> dice, std::vector<int> picks, std::vector<Event>* told = nullptr) {
    ScriptedChance chance(std::move(dice), std::move(picks));
    Events log(told);
    const auto action = read_words<Game>(sc, words);
    ASSERT_TRUE(action) << words;
    ASSERT_EQ(why_not(sc, s, Seat(static_cast<std::uint8_t>(seat)), *action), Refusal::none) << words;
    apply(sc, s, Seat(static_cast<std::uint8_t>(seat)), *action, chance, log);
    const auto wrong = chance.problem_at_end();
    EXPECT_FALSE(wrong) << words << ": " << wrong->text();
  }
};

// A start in which US begins with its three squads placed on the left and the tactics deck as given.
Board deployed(const OptionValues& options = {}) {
  Board table{normandy(options), {}};
  ScriptedChance chance({}, {0, 0, 0, 0});
  Events log = Events::unheard();
  table.s = start(table.sc, chance, log);
  Force& us = table.s.force[0];
  us.at[0] = us.fresh = std::exchange(us.drawn, 0);
  return table;
}

// Rules: R1
TEST(CompanyCommanderRules, EitherSideMayStart) {
  const Scenario sc = normandy();
  Events log = Events::unheard();
  for (const int seat : {0, 1}) {
    ScriptedChance chance({}, {seat, 0, 0, 0});
    const State s = start(sc, chance, log);
    EXPECT_FALSE(chance.problem_at_end());
    EXPECT_EQ(s.active, seat);
    EXPECT_EQ(s.starter, seat);
    EXPECT_EQ(s.deck, sc.all_cards);
    EXPECT_EQ(s.hand[0] | s.hand[1] | s.discard, 0u);
    EXPECT_EQ(s.force[0].on_table() | s.force[1].on_table(), 0u);
    EXPECT_EQ(std::popcount(s.force[static_cast<std::size_t>(seat)].drawn), 3);
    EXPECT_EQ(s.force[static_cast<std::size_t>(1 - seat)].deck, sc.companies[static_cast<std::size_t>(1 - seat)].all);
  }
}

// Rules: R1. Any squad may come up first.
TEST(CompanyCommanderRules, TheSquadDeckIsShuffled) {
  const Scenario sc = normandy();
  Events log = Events::unheard();
  UnitSet first = 0;
  for (int pick = 0; pick < 22; ++pick) {
    ScriptedChance chance({}, {0, pick, 0, 0});
    const State s = start(sc, chance, log);
    EXPECT_TRUE(has(s.force[0].drawn, pick));
    first |= s.force[0].drawn & bit(pick);
  }
  EXPECT_EQ(first, sc.companies[0].all);
}

// Rules: R9. One card is left in the deck: it is drawn, then the discards are shuffled and drawn from.
TEST(CompanyCommanderRules, AnEmptyTacticsDeckIsMadeFromTheDiscards) {
  Board table = deployed();
  table.s.deck = cards(table.sc, {"mud"});
  table.s.discard = cards(table.sc, {"woods", "radio", "roads"});
  table.s.hand[1] = table.sc.all_cards & ~table.s.deck & ~table.s.discard;
  table.act(0, "done", {}, {});
  std::vector<Event> told;
  table.act(1, "pass", {}, {1}, &told);
  EXPECT_EQ(table.s.hand[0], cards(table.sc, {"mud", "radio"}));
  EXPECT_EQ(table.s.deck, cards(table.sc, {"woods", "roads"}));
  EXPECT_EQ(table.s.discard, 0u);
  EXPECT_EQ(std::count_if(told.begin(), told.end(), [](const Event& e) { return e.kind == static_cast<int>(Told::deck_reshuffled); }), 1);
}

// Rules: R9. Neither deck nor discards: nothing is drawn, and the turn goes on.
TEST(CompanyCommanderRules, WithoutAnyCardsNothingIsDrawn) {
  Board table = deployed();
  table.s.deck = 0;
  table.s.hand[1] = table.sc.all_cards;
  table.act(0, "done", {}, {});
  table.act(1, "pass", {}, {});
  EXPECT_EQ(table.s.step, Step::tactics);
  EXPECT_EQ(table.s.hand[0], 0u);
}

// Rules: R79. Only the starting side, and only in its first turn.
TEST(CompanyCommanderRules, FirstTurnBalanceTakesASquadFromTheStartingSide) {
  Events log = Events::unheard();
  for (const bool balance : {false, true}) {
    const Scenario sc = normandy({{"first_turn_balance", balance ? "true" : "false"}});
    FastChance chance(1);
    const State s = start(sc, chance, log);
    EXPECT_EQ(std::popcount(s.force[s.active].drawn), balance ? 2 : 3);
  }
}

// Rules: R79. The starting side's own tactics draw is the usual one.
TEST(CompanyCommanderRules, FirstTurnBalanceLeavesTheStartingSidesTacticsDraw) {
  Board table{normandy({{"first_turn_balance", "true"}}), {}};
  ScriptedChance chance({}, {0, 0, 0});
  Events log = Events::unheard();
  table.s = start(table.sc, chance, log);
  table.s.force[0].at[0] = std::exchange(table.s.force[0].drawn, 0);
  table.act(0, "done", {}, {0, 0});
  EXPECT_EQ(std::popcount(table.s.hand[0]), 2);
}

// Rules: R80. Which cards the enemy holds cannot be told, how many can.
Json seen_by(const Scenario& sc, const State& s, Seat viewer) {
  JsonText text;
  view(sc, observe(sc, s, viewer), text);
  return text.read();
}

TEST(CompanyCommanderRules, HandsAreSecret) {
  Board table = deployed();
  State one = table.s, other = table.s;
  one.hand[1] = cards(table.sc, {"mud", "woods"});
  other.hand[1] = cards(table.sc, {"roads", "radio"});
  for (State* s : {&one, &other}) {
    s->discard = cards(table.sc, {"trapped"});
    s->hand[0] = cards(table.sc, {"ambush"});
    s->deck = table.sc.all_cards & ~s->hand[0] & ~s->hand[1] & ~s->discard;
  }
  EXPECT_EQ(observe(table.sc, one, Seat{0}), observe(table.sc, other, Seat{0}));
  EXPECT_EQ(observe(table.sc, one, spectator), observe(table.sc, other, spectator));
  EXPECT_NE(observe(table.sc, one, Seat{1}), observe(table.sc, other, Seat{1}));

  const Json seen = seen_by(table.sc, one, Seat{0});
  EXPECT_EQ(seen["hands"]["german"], 2);
  EXPECT_EQ(seen["deck"], 53);
  EXPECT_EQ(seen["discard"], Json({"trapped"}));
  EXPECT_EQ(seen["hand"], Json({"ambush"}));
  EXPECT_THAT(seen["enemy_hand_known"], IsEmpty());
  const std::string text = seen_by(table.sc, one, spectator).dump();
  for (const char* card : {"mud", "woods", "ambush"}) EXPECT_EQ(text.find(card), std::string::npos) << card;
}

// Rules: R80. What a look has shown stays known until it is played; what is drawn afterwards is secret again.
TEST(CompanyCommanderRules, ALookShowsTheHandOfThatMoment) {
  Board table = deployed();
  table.s.hand[1] = cards(table.sc, {"mud", "woods"});
  table.s.deck &= ~table.s.hand[1];
  table.s.step = Step::recon_reward;
  table.s.front = 0;
  std::vector<Event> told;
  table.act(0, "look", {}, {}, &told);
  EXPECT_EQ(seen_by(table.sc, table.s, Seat{0})["enemy_hand_known"], Json({"woods", "mud"}));
  EXPECT_THAT(seen_by(table.sc, table.s, spectator).value("enemy_hand_known", Json()), IsEmpty());
  for (const Event& event : told) {
    EXPECT_FALSE(event.kind == static_cast<int>(Told::card_seen) && event.audience.has(spectator));
  }
  const CardSet fresh = cards(table.sc, {"roads"});
  table.s.hand[1] |= fresh;
  table.s.deck &= ~fresh;
  EXPECT_EQ(seen_by(table.sc, table.s, Seat{0})["enemy_hand_known"], Json({"woods", "mud"}));
}

// Rules: R80. A card drawn is told to its owner alone.
TEST(CompanyCommanderRules, DrawnCardsAreToldToTheirOwner) {
  Board table = deployed();
  std::vector<Event> told;
  table.act(0, "done", {}, {3, 4}, &told);
  int drawn = 0;
  for (const Event& event : told) {
    if (event.kind != static_cast<int>(Told::card_drawn)) continue;
    ++drawn;
    EXPECT_EQ(event.audience, Seats(Seat{0}));
  }
  EXPECT_EQ(drawn, 2);
}

// Rules: R41, R59. A silenced attacker may be removed before the others are asked for their order; the position stays sound.
TEST(CompanyCommanderRules, ASilencedUnitMayBeRemoved) {
  Board table = deployed();
  const auto place = [&](const std::string& word, int pins) {
    const int number = *read(table.sc, kind::unit, word);
    Force& force = table.s.force[static_cast<std::size_t>(number / max_units)];
    const int unit = number % max_units;
    force.deck &= ~bit(unit);
    force.at[0] |= bit(unit);
    force.pins[static_cast<std::size_t>(unit)] = static_cast<std::uint8_t>(pins);
    if (pins > 0) force.pinned |= bit(unit);
  };
  for (const char* word : {"us-half-1", "bazooka-1", "rifle-1", "jaeger-1"}) place(word, 0);
  place("jaeger-2", 1);
  table.s.hand[1] = cards(table.sc, {"buildings"});
  table.s.deck &= ~table.s.hand[1];
  table.s.step = Step::declare;
  for (const char* word : {"us-half-1", "bazooka-1", "rifle-1"}) table.act(0, "assault " + std::string(word) + " left", {}, {});
  table.act(0, "done", {}, {});
  table.act(1, "pass", {}, {});
  table.act(1, "play buildings us-half-1", {6, 1}, {1});
  EXPECT_EQ(table.s.step, Step::attackers_fire);
  const auto restored = restore(table.sc, save(table.sc, table.s));
  ASSERT_TRUE(restored) << restored.error().text();
  EXPECT_EQ(*restored, table.s);
}

// In simultaneous fire a side may have its tenth kill while the other still shoots; such a position can be saved. Rules: R5, R45
TEST(CompanyCommanderRules, TheTenthKillWaitsForTheOtherSidesFire) {
  Board table = deployed();
  const auto place = [&](const std::string& word) {
    const int number = *read(table.sc, kind::unit, word);
    Force& force = table.s.force[static_cast<std::size_t>(number / max_units)];
    force.deck &= ~bit(number % max_units);
    force.at[0] |= bit(number % max_units);
  };
  for (const char* word : {"us-half-1", "bazooka-1", "rifle-1", "jaeger-1", "jaeger-2"}) place(word);
  table.s.force[1].kills = static_cast<std::uint8_t>(table.sc.figures.kills_to_win - 1);
  table.s.hand[0] = cards(table.sc, {"surprise-contact"});
  table.s.deck &= ~table.s.hand[0];
  table.s.step = Step::declare;
  for (const char* word : {"us-half-1", "bazooka-1", "rifle-1"}) table.act(0, "assault " + std::string(word) + " left", {}, {});
  table.act(0, "done", {}, {});
  table.act(0, "play surprise-contact", {6, 1, 1, 1}, {1});
  ASSERT_EQ(table.s.step, Step::attackers_fire);
  EXPECT_EQ(table.s.force[1].kills, table.sc.figures.kills_to_win);
  const auto restored = restore(table.sc, save(table.sc, table.s));
  ASSERT_TRUE(restored) << restored.error().text();
  EXPECT_EQ(*restored, table.s);
  table.act(0, "fire", {1, 1, 1, 1}, {});
  EXPECT_EQ(table.s.step, Step::over);
  EXPECT_EQ(table.s.winner, 1);
}

// Nobody has won for ever: the last round is decided like a round limit, so every game ends. Rules: R12
TEST(CompanyCommanderRules, Round500IsTheLast) {
  Board table = deployed();
  table.s.round = 500;
  table.s.active = table.s.chooser = 1;
  table.s.step = Step::declare;
  table.s.force[1].kills = 3;
  table.act(1, "done", {}, {});
  const Result end = result(table.sc, table.s);
  EXPECT_TRUE(end.over);
  EXPECT_TRUE(end.won(Seat{1}));
  EXPECT_EQ(end.reason, static_cast<int>(Reason::round_limit));
}

// --- Nothing is left out ---------------------------------------------------------------------------------------------

// Cases say which rules they test in `rules`, tests in a line "// … Rules: R1, T7".
TEST(CompanyCommanderCoverage, EveryRulingAndEveryCardIsTested) {
  std::set<std::string> tested;
  for (const auto& file : files_in(folder / "cases", ".toml")) {
    const auto read = read_case(file.filename().string(), text_of(file));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_THAT(read->rules, testing::Not(IsEmpty())) << file.filename();
    tested.insert(read->rules.begin(), read->rules.end());
  }
  const std::regex line("//[^\\n]*Rules:([^\\n]*)"), name("\\b[RT][0-9]+\\b");
  for (const auto& file : files_in(folder, "_test.cc")) {
    const std::string text = text_of(file);
    for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
      const std::string names = (*it)[1];
      for (std::sregex_iterator n(names.begin(), names.end(), name); n != end; ++n) tested.insert(n->str());
    }
  }
  std::vector<std::string> missing, unknown;
  std::set<std::string> all;
  for (int i = 1; i <= 80; ++i) all.insert("R" + std::to_string(i));
  for (int i = 1; i <= 54; ++i) all.insert("T" + std::to_string(i));
  std::set_difference(all.begin(), all.end(), tested.begin(), tested.end(), std::back_inserter(missing));
  std::set_difference(tested.begin(), tested.end(), all.begin(), all.end(), std::back_inserter(unknown));
  EXPECT_THAT(missing, IsEmpty());
  EXPECT_THAT(unknown, IsEmpty());
}

// A case that names a card's number plays or refuses that very card.
TEST(CompanyCommanderCoverage, CardNumbersFollowTheDeck) {
  const Scenario sc = normandy();
  ASSERT_THAT(sc.cards, SizeIs(54));
  for (const auto& file : files_in(folder / "cases", ".toml")) {
    const std::string text = text_of(file);
    const auto read = read_case(file.filename().string(), text);
    ASSERT_TRUE(read) << read.error().text();
    for (const std::string& rule : read->rules) {
      if (rule.front() != 'T') continue;
      const std::string& id = sc.cards[static_cast<std::size_t>(std::stoi(rule.substr(1)) - 1)].id;
      // What a card left behind on a unit tests it as well.
      const std::map<std::string, std::string> marks = {
          {"breakdown", "\"broken-down\""}, {"out-of-ammo", "\"out-of-ammo\""}, {"green-unit", "\"green\""}};
      const auto mark = marks.find(id);
      const bool used =
          text.find("play " + id) != std::string::npos || (mark != marks.end() && text.find(mark->second) != std::string::npos);
      EXPECT_TRUE(used) << file.filename() << " names " << rule << " but does not play " << id;
    }
  }
}

}  // namespace
}  // namespace baton::company_commander
