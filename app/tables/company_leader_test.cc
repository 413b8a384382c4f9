// Company Leader in the terminal: the board, what is seen, odds, whole games through a pipe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/display.h"
#include "app/program_run.h"
#include "match/registry.h"

namespace baton::app {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string game = "company-leader";

std::string many(const std::string& line, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += line + "\n";
  return all;
}

TEST(CompanyLeaderTable, AWholeGameThroughAPipe) {
  for (const std::string locale : {"en", "de", "ja"}) {
    const auto run =
        run_baton({"play", game, "--plain", "--seed", "3", "--locale", locale, "--seat", "2=random", "--option", "turn_limit=2"},
                  "place-for-me\nready\n" + many("done", 40) + many("1", 60) + many("done", 40));
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(run.out, HasSubstr(house_catalogue(game, locale).say("play.game-over")));
    EXPECT_EQ(run.out.find('\033'), std::string::npos) << "no cursor control, no colour";
    EXPECT_EQ(run.out.find("\\__"), std::string::npos) << "no drawing";
    for (const char* key : {"[play.", "[view.", "[piece", "[facing.", "[terrain.", "[step.", "[seat."})
      EXPECT_EQ(run.out.find(key), std::string::npos) << key;
  }
}

TEST(CompanyLeaderTable, TheDrawnBoardFitsTheScreenInEveryModeAndLanguage) {
  for (const std::string scenario : {"standard", "three", "teams", "two-against-one", "capture-the-flag", "escort"}) {
    for (const std::string locale : {"en", "de", "ja"}) {
      const auto run =
          run_baton({"play", game, "--seed", "5", "--locale", locale, "--scenario", scenario, "--seat", "1=human"}, "table\nlook e5\n");
      EXPECT_EQ(run.code, 0) << run.err;
      std::istringstream lines(run.out);
      for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
      EXPECT_EQ(run.out.find("[view."), std::string::npos);
    }
  }
}

// A position in which red sees a troop, may be shot at, and has met a hidden piece.
const char* const position = R"({
  "round": 4, "step": "actions", "active": "red", "coins": {"red": 3},
  "only": {
    "f8": {"owner": "red", "piece": "tank-heavy", "revealed": true, "facing": "n"},
    "f9": {"owner": "red", "piece": "infantry"},
    "f11": {"owner": "red", "piece": "dummy"},
    "c8": {"owner": "red", "piece": "dummy"},
    "f7": {"owner": "blue", "piece": "tank-light", "revealed": true, "facing": "s", "strength": 3},
    "e6": {"owner": "blue", "piece": "artillery"},
    "g6": {"owner": "blue", "piece": "dummy"},
    "i1": {"owner": "blue", "piece": "dummy"}
  }
})";

class CompanyLeaderScene : public testing::Test {
 protected:
  std::string after(const std::string& typed, const Words& more = {}) {
    Words words = {"play",   game,      "--seed", "4",        "--locale",   "en",
                   "--seat", "1=human", "--seat", "2=random", "--position", folder_.with("position.json", position)};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_baton(words, typed);
    EXPECT_EQ(run.code, 0) << run.err;
    return run.out;
  }
  TemporaryFolder folder_;
};

TEST_F(CompanyLeaderScene, PiecesAreToldApartWithoutColour) {
  const std::string shown = after("quit\n");
  EXPECT_THAT(shown, HasSubstr("RH6↑")) << "own, revealed, strength, facing";
  EXPECT_THAT(shown, HasSubstr("BL3↓")) << "an enemy's";
  EXPECT_THAT(shown, HasSubstr("_Ri_")) << "own, concealed";
  EXPECT_THAT(shown, HasSubstr("_R-_")) << "own dummy";
  EXPECT_THAT(shown, HasSubstr("_B?_")) << "an enemy's hidden piece";
  EXPECT_THAT(shown, Not(HasSubstr("Ba"))) << "the artillery is a secret";
  EXPECT_THAT(shown, HasSubstr("f7 ♣ #")) << "in view and in range";
}

TEST_F(CompanyLeaderScene, OneFieldIsLookedAt) {
  const std::string troop = after("look f8\nquit\n", {"--plain"});
  EXPECT_THAT(troop, HasSubstr("heavy tank, strength 6 of 6, facing north"));
  EXPECT_THAT(troop, HasSubstr("In range: "));
  EXPECT_THAT(after("look e6\nquit\n", {"--plain"}), HasSubstr("unknown piece, a troop with 33 %"))
      << "one troop among three hidden pieces";
  EXPECT_THAT(after("look 0,0\nquit\n", {"--plain"}), HasSubstr("f6 (0,0), open ground, neutral zone"));
  EXPECT_THAT(after("look F6\nquit\n", {"--plain"}), HasSubstr("f6 (0,0), open ground, neutral zone"));
  EXPECT_THAT(after("look Heavy Tank\nquit\n", {"--plain"}), HasSubstr("Range 2, view 1, speed 1, strength 6."));
  EXPECT_THAT(after("look artillery\nquit\n", {"--plain"}), HasSubstr("speed 1, strength 3. No fire is returned by it or at it."))
      << "in one line";
  EXPECT_THAT(after("look z9\nquit\n"), HasSubstr("There is no “z9”"));
  EXPECT_THAT(after("look\nquit\n"), HasSubstr("Look at what?"));
}

TEST_F(CompanyLeaderScene, OddsOfAShotAndOfScouting) {
  const std::string shot = after("odds shoot f8 f7 n\nquit\n", {"--plain"});
  EXPECT_THAT(shot, HasSubstr("destroyed: "));
  EXPECT_THAT(shot, HasSubstr("own troop destroyed, if they fire back: "));
  EXPECT_THAT(shot, HasSubstr("both destroyed, if they fire back: "));
  EXPECT_THAT(shot, HasSubstr("Hits taken. 0: "));
  const std::string brief = after("odds\nquit\n", {"--plain"});
  EXPECT_THAT(brief, HasSubstr("Blue: Hits taken 3.0 on average")) << "six green dice at a vehicle";
}

TEST_F(CompanyLeaderScene, SurrenderIsAskedForTwice) {
  EXPECT_THAT(after("surrender\nn\nquit\ny\n"), Not(HasSubstr("The game is over.")));
  EXPECT_THAT(after("surrender\ny\n"), HasSubstr("Blue wins: surrender."));
}

TEST_F(CompanyLeaderScene, ThePlainTableReadsAsSentences) {
  const std::string told = after("quit\n", {"--plain"});
  EXPECT_THAT(told, HasSubstr("Red, f8, open ground: heavy tank, strength 6 of 6, facing north."));
  EXPECT_THAT(told, HasSubstr("Red, dummies: "));
  EXPECT_THAT(told, HasSubstr("Blue, hidden: "));
  EXPECT_THAT(told, Not(HasSubstr("artillery")));
}

}  // namespace
}  // namespace baton::app
