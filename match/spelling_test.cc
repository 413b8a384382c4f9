#include "match/spelling.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "match/json_reader.h"
#include "match/test_game.h"

namespace baton {
namespace {

using namespace bluff;
using testing::HasSubstr;

const bluff::Scenario scenario = *Bluff::load(three_seats, {});

TEST(Spelling, ActionsInWordsAndJson) {
  const Action bid_five{bluff::bid, 4};
  EXPECT_EQ(words_of<Bluff>(scenario, bid_five), "bid card-5");
  EXPECT_EQ(json_of<Bluff>(scenario, bid_five).dump(), R"({"do":"bid","card":"card-5"})");
  EXPECT_EQ(json_of<Bluff>(scenario, Action{raise_by, 3}).dump(), R"({"do":"raise","amount":3})");
  EXPECT_EQ(*read_words<Bluff>(scenario, "  bid   card-5 "), bid_five);
}

TEST(Spelling, PhrasesThatShareANameAreToldApartByTheirFields) {
  EXPECT_EQ(*read_words<Bluff>(scenario, "raise"), (Action{raise_one}));
  EXPECT_EQ(*read_words<Bluff>(scenario, "raise 3"), (Action{raise_by, 3}));
  EXPECT_EQ(*read_action<Bluff>(scenario, Json::parse(R"({"do":"raise"})")), (Action{raise_one}));
  EXPECT_EQ(*read_action<Bluff>(scenario, Json::parse(R"({"do":"raise","amount":3})")), (Action{raise_by, 3}));
  EXPECT_EQ(*read_action<Bluff>(scenario, Json::parse(R"({"amount":"3","do":"raise"})")), (Action{raise_by, 3}));
}

TEST(Spelling, SaysWhatWouldFit) {
  EXPECT_THAT(read_words<Bluff>(scenario, "fly north").error().what,
              HasSubstr("\"fly\" is not a known action; known are raise, peek, done"));
  EXPECT_THAT(read_words<Bluff>(scenario, "bid card-99").error().what,
              HasSubstr("\"card-99\" does not fit <card>; expected \"bid <card>\""));
  EXPECT_THAT(read_action<Bluff>(scenario, Json::parse(R"({"do":"raise","amount":-3})")).error().what,
              HasSubstr("\"-3\" does not fit <amount>"));
  EXPECT_THAT(read_words<Bluff>(scenario, "bid").error().what, HasSubstr("\"bid\" does not go with these words; expected"));
  EXPECT_THAT(read_words<Bluff>(scenario, "raise 1 2").error().what, HasSubstr("\"raise\" or \"raise <amount>\""));
  EXPECT_THAT(read_words<Bluff>(scenario, "").error().what, HasSubstr("missing"));
  EXPECT_FALSE(read_words<Bluff>(scenario, "raise 65536"));
  EXPECT_FALSE(read_words<Bluff>(scenario, "raise -1"));
}

TEST(Spelling, JsonOfAnyShapeIsReadOrRefused) {
  for (const char* text :
       {"null", "[]", "{}", "1", R"({"do":1})", R"({"do":"bid"})", R"({"do":"bid","card":5})", R"({"do":"bid","card":null})",
        R"({"do":"bid","hand":"card-5"})", R"({"do":"raise","amount":70000})", R"({"do":"raise","amount":1.5})",
        R"({"do":"raise","amount":-3})", R"({"do":"raise","amount":99999999999999999999})", R"({"do":"bid","card":"card-5","x":1})"}) {
    EXPECT_FALSE(read_action<Bluff>(scenario, Json::parse(text))) << text;
  }
}

TEST(Spelling, Events) {
  const Event event{rolled, Seats::everyone(), {2, 6}};
  JsonText out;
  write_event<Bluff>(scenario, event, out);
  EXPECT_EQ(out.text(), R"({"event":"rolled","seat":"west","roll":6})");
  EXPECT_EQ(id_of<Bluff>(bluff::Refusal::no_token), "no-token");
  EXPECT_EQ(reason_of<Bluff>({.over = true, .reason = 1, .score = {}}), "goal-reached");
  EXPECT_EQ(reason_of<Bluff>({}), "");
}

rc::Gen<Action> speakable() {
  return rc::gen::oneOf(rc::gen::just(Action{raise_one}), rc::gen::just(Action{done}), rc::gen::just(Action{bluff::accept}),
                        rc::gen::map(rc::gen::inRange(0, 65536),
                                     [](int n) {
                                       return Action{raise_by, static_cast<std::uint16_t>(n)};
                                     }),
                        rc::gen::map(rc::gen::inRange(0, 3),
                                     [](int n) {
                                       return Action{bluff::peek, static_cast<std::uint16_t>(n)};
                                     }),
                        rc::gen::map(rc::gen::inRange(0, card_count), [](int n) {
                          return Action{bluff::bid, static_cast<std::uint16_t>(n)};
                        }));
}

RC_GTEST_PROP(Spelling, EveryActionReadsBack, ()) {
  const Action action = *speakable();
  RC_ASSERT(*read_words<Bluff>(scenario, words_of<Bluff>(scenario, action)) == action);
  RC_ASSERT(*read_action<Bluff>(scenario, json_of<Bluff>(scenario, action)) == action);
}

RC_GTEST_PROP(Spelling, AnyTextIsReadOrRefusedWithASentence, (const std::string& text)) {
  const auto action = read_words<Bluff>(scenario, text);
  if (!action) RC_ASSERT(!action.error().what.empty());
}

TEST(ReadJson, RefusesDepthAndGarbage) {
  EXPECT_TRUE(read_json(R"({"a":"[[[[","b":[1,2]})", "x"));
  EXPECT_THAT(read_json(std::string(100000, '['), "x").error().what, HasSubstr("nested deeper"));
  EXPECT_THAT(read_json("{\"a\":", "x").error().text(), "x: this is not valid JSON.");
  EXPECT_FALSE(read_json("\xff", "x"));
  EXPECT_FALSE(read_json("1e999", "x"));
}

}  // namespace
}  // namespace baton
