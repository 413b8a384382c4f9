#include "match/text.h"

#include <gmock/gmock.h>

#include "match/test_game.h"
#include "match/typed_match.h"

namespace baton {
namespace {

using namespace bluff;

const std::vector<EmbeddedFile> files = {
    {"app/text/en.toml",
     "hello = 'Hello, {name}!'\n[count]\nsteps = '{n, plural, one {# step} other {# steps}}'\nbroken = '{n, plural'\nlate = 'app'\n"},
    {"app/text/de.toml", "hello = 'Guten Tag, {name}!'\n"},
    {"games/bluff/text/en.toml",
     "label.copy = '{name} {number}'\ncard.name = 'Card'\nseat.north = 'North'\nseat.south = 'South'\nseat.west = 'West'\n"
     "[event]\nraised = '{seat} raises to {stake, number}.'\nscored = '{seat_id, select, north {You score} other {{seat} scores}}.'\n"
     "bid-shown = '{seat} shows {card}.'\n"
     "[action]\nraise = 'Raise'\nraise-amount = 'Raise by {amount}'\nbid = 'Bid {card}'\n[refusal]\nno-token = 'No token is left.'\n"},
    {"games/bluff/text/ja.toml", "card.name = '札'\nlabel.copy = '{name}{number}'\n[action]\nbid = '{card}を出す'\n"},
};

const bluff::Scenario scenario = *Bluff::load(two_seats, {});

TEST(Catalogue, SaysMessagesWithNames) {
  const Catalogue english(files, "bluff", "en");
  EXPECT_EQ(english.say("hello", {{"name", "Ann"}}), "Hello, Ann!");
  EXPECT_EQ(english.say("count.steps", {{"n", 1}}), "1 step");
  EXPECT_EQ(english.say("count.steps", {{"n", 12}}), "12 steps");
}

TEST(Catalogue, FallsBackToEnglishThenToTheKey) {
  const Catalogue german(files, "bluff", "de");
  EXPECT_EQ(german.say("hello", {{"name", "Ann"}}), "Guten Tag, Ann!");
  EXPECT_EQ(german.say("count.steps", {{"n", 2}}), "2 steps");
  EXPECT_EQ(german.say("nowhere"), "[nowhere]");
  EXPECT_EQ(german.say("hello"), "Guten Tag, {name}!");
}

TEST(Catalogue, ABrokenMessageIsReportedAndNeverCrashes) {
  const Catalogue english(files, "", "en");
  EXPECT_EQ(english.say("count.broken", {{"n", 1}}), "[count.broken]");
  ASSERT_EQ(english.problems().size(), 1u);
  EXPECT_EQ(english.problems()[0].where, "count.broken");
  const std::vector<EmbeddedFile> bad = {{"app/text/en.toml", "a = \n"}};
  EXPECT_EQ(Catalogue(bad, "", "en").problems().size(), 1u);
}

TEST(Catalogue, PutsWordsOnThings) {
  const Catalogue english(files, "bluff", "en"), japanese(files, "bluff", "ja");
  EXPECT_EQ(say_event<Bluff>(english, scenario, {raised, Seats::everyone(), {1, 4}}), "South raises to 4.");
  EXPECT_EQ(say_event<Bluff>(english, scenario, {bids_shown, Seats::everyone(), {0, 4}}), "North shows Card 5.");
  EXPECT_EQ(say_event<Bluff>(english, scenario, {scored, Seats::everyone(), {0, 4}}), "You score.");
  EXPECT_EQ(say_event<Bluff>(english, scenario, {scored, Seats::everyone(), {1, 4}}), "South scores.");
  EXPECT_EQ(say_action<Bluff>(english, scenario, {raise_one}), "Raise");
  EXPECT_EQ(say_action<Bluff>(english, scenario, {raise_by, 3}), "Raise by 3");
  EXPECT_EQ(say_action<Bluff>(japanese, scenario, {bluff::bid, 2}), "札3を出す");
  EXPECT_EQ(say_refusal<Bluff>(english, bluff::Refusal::no_token), "No token is left.");
  EXPECT_EQ(say_refusal<Bluff>(english, bluff::Refusal::wrong_phase), "[refusal.wrong-phase]");
}

TEST(Catalogue, AScenariosOwnTextsStandAbove) {
  auto match = TypedMatch<Bluff>::create({.scenario = three_seats, .options = {}, .players = {}, .position = {}});
  ASSERT_TRUE(match);
  const Catalogue own = (*match)->catalogue(files, "en");
  EXPECT_EQ(own.say("seat.west"), "The Westerner");
  EXPECT_EQ(own.say("seat.north"), "North");
  EXPECT_EQ((*match)->say({raise_by, 2}, own), "Raise by 2");
  EXPECT_EQ((*match)->say_why_not(Seat{0}, {bluff::cancel}, own), "[refusal.wrong-phase]");
  EXPECT_EQ((*match)->say_why_not(Seat{0}, {raise_by, 2}, own), "");
  ASSERT_TRUE((*match)->act_words(Seat{0}, "raise 2"));
  EXPECT_EQ((*match)->log(spectator, own), std::vector<std::string>{"North raises to 3."});
}

}  // namespace
}  // namespace baton
