#include "match/case.h"

#include <gmock/gmock.h>

#include "match/test_game.h"

namespace baton {
namespace {

using namespace bluff;
using testing::HasSubstr;

constexpr const char* head = R"(title = "A case"
rules = ["1"]
game = "bluff"
[position]
stake = 2
deck = ["card-7", "card-8", "card-9", "card-10", "card-11", "card-12"]
[position.seats.north]
hand = ["card-1", "card-2", "card-3"]
[position.seats.south]
hand = ["card-4", "card-5", "card-6"]
)";

std::string run(const std::string& steps) {
  const auto read = read_case("some.toml", head + steps);
  if (!read) return read.error().text();
  const auto report = run_case_of<Bluff>(*read, two_seats);
  return report ? "" : report.error().text();
}

TEST(Case, PlaysAndChecks) {
  EXPECT_EQ(run(R"(
[[step]]
expect = { stake = 2, choosing = "north", "seats.north.hand.0" = "card-1", result = "absent" }
refuse = "south: raise"
why = "not-your-choice"
legal = ["north: raise 3", "north: peek south"]
illegal = ["north: raise 5", "north: bid card-1"]
[[step]]
do = "north: raise 2"
events = ["raised"]
expect = { stake = 4 }
[[step]]
do = ["north: done", "north: bid card-3"]
expect = { choosing = ["south"], phase = "bid" }
[[step]]
do = "south: bid card-4"
dice = [5]
events = ["bid-shown", "rolled"]
expect = { roll = 5, winner = "south", choosing = "north", seats = { south = { bid = -1 }, "north.bid" = -1 } }
[[step]]
do = "north: accept"
expect = { "seats.south.score" = 20 }
)"),
            "");
}

TEST(Case, UnknownKeysAreNamed) {
  EXPECT_THAT(run("[[step]]\nexpects = { stake = 2 }\n"), HasSubstr("some.toml:12:1: \"expects\" is not known here"));
}

TEST(Case, SaysWhatIsWrong) {
  EXPECT_THAT(run("[[step]]\ndo = 'north: raise 9'\n"), HasSubstr("some.toml:11:1 step 1: \"north: raise 9\" is refused: no-such-action"));
  EXPECT_THAT(run("[[step]]\ndo = 'north: jump'\n"), HasSubstr("\"jump\" is not a known action"));
  EXPECT_THAT(run("[[step]]\ndo = 'east: raise'\n"), HasSubstr("must begin with a seat"));
  EXPECT_THAT(run("[[step]]\ndo = 'north: raise'\ndice = [3]\n"), HasSubstr("1 of 1 dice were not used"));
  EXPECT_THAT(run("[[step]]\ndo = ['north: done', 'north: bid card-1', 'south: bid card-4']\n"), HasSubstr("a die of 6 but 0 dice"));
  EXPECT_THAT(run("[[step]]\ndo = ['north: done', 'north: bid card-1', 'south: bid card-4']\ndice = [9]\n"),
              HasSubstr("9 does not fit a die of 6"));
  EXPECT_THAT(run("[[step]]\nexpect = { stake = 3 }\n"), HasSubstr("stake must be 3 but is 2"));
  EXPECT_THAT(run("[[step]]\nexpect = { 'seats.north.hat' = 3 }\n"), HasSubstr("seats.north.hat must be 3 but there is nothing"));
  EXPECT_THAT(run("[[step]]\nexpect = { 'stake' = 'absent' }\n"), HasSubstr("stake must be absent but is 2"));
  EXPECT_THAT(run("[[step]]\nexpect = { 'result.reason' = 'cards-out' }\n"), HasSubstr("result.reason must be \"cards-out\""));
  EXPECT_THAT(run("[[step]]\nlegal = ['north: bid card-1']\n"), HasSubstr("must be legal but is refused: wrong-phase"));
  EXPECT_THAT(run("[[step]]\nillegal = ['north: raise']\n"), HasSubstr("must be refused but is legal"));
  EXPECT_THAT(run("[[step]]\nrefuse = 'north: raise'\n"), HasSubstr("must be refused but is legal"));
  EXPECT_THAT(run("[[step]]\nrefuse = 'south: raise'\nwhy = 'no-token'\n"), HasSubstr("for \"no-token\" but is for \"not-your-choice\""));
  EXPECT_THAT(run("[[step]]\ndo = 'north: raise'\nevents = ['rolled']\n"),
              HasSubstr("\"rolled\" must happen in this order; what happened: raised"));
  EXPECT_THAT(run(""), HasSubstr("at least one [[step]]"));
  EXPECT_THAT(run("[[step]]\nwhy = 'x'\n"), HasSubstr("\"why\" needs \"refuse\""));
}

TEST(Case, APositionMustBeOne) {
  const auto read = read_case("some.toml", "title = ''\ngame = 'bluff'\n[position]\nstake = 'high'\n[[step]]\n");
  ASSERT_TRUE(read);
  EXPECT_THAT(run_case_of<Bluff>(*read, two_seats).error().text(), HasSubstr("some.toml position: "));
}

TEST(Case, TheEndCanBeExpected) {
  const auto read = read_case("end.toml", R"(title = "The last bid ends the game"
game = "bluff"
[options]
most_stake = 8
[position]
phase = "react"
winner = "south"
roll = 3
deck = ["card-1"]
[position.seats]
north = { hand = [] }
south = { hand = [] }
[[step]]
do = "north: accept"
expect = { choosing = [], "result.reason" = "cards-out", "result.north" = -1, "result.south" = 1 }
)");
  ASSERT_TRUE(read) << read.error().text();
  const auto report = run_case_of<Bluff>(*read, two_seats);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->title, "The last bid ends the game");
  EXPECT_EQ(report->steps, 1u);
}

}  // namespace
}  // namespace baton
