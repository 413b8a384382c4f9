// baton board: check, new and draw, and what strangers' files get for an answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/display.h"
#include "app/program_run.h"
#include "match/registry.h"

namespace baton::app {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string standard_text() { return shipped_scenario("company-leader", "standard")->text; }

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const auto spot = text.find(from);
  EXPECT_NE(spot, std::string::npos) << from;
  return text.replace(spot, from.size(), to);
}

TEST(Board, CheckAcceptsWarnsOrRefusesAndNamesTheField) {
  TemporaryFolder folder;
  const auto good = run_baton({"board", "check", "standard"});
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.out, HasSubstr("meets all guidelines"));
  const auto rich = run_baton({"board", "check", folder.with("rich.toml", changed(standard_text(), "income = 2", "income = 9"))});
  EXPECT_EQ(rich.code, 0);
  EXPECT_THAT(rich.out, HasSubstr("warning  red has an income of 9"));
  const auto crooked = folder.with("crooked.toml", changed(standard_text(), "U2      .2      f2      U2", "f2      .2      f2      U2"));
  const auto run = run_baton({"board", "check", crooked});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("refused  the board is not point symmetric: c1"));
  const auto json = run_baton({"board", "check", crooked, "--json"}).json();
  EXPECT_EQ(json["accepted"], false);
  EXPECT_EQ(json["fields"], 91);
  EXPECT_TRUE(json["findings"][0]["refused"].get<bool>());
}

TEST(Board, NewBoardsPassTheCheckAndCanBePlayed) {
  TemporaryFolder folder;
  for (const std::string players : {"2", "3", "4"}) {
    const Words words = {"board", "new", "--size", "61", "--players", players, "--seed", "7"};
    const auto made = run_baton(words);
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.out, run_baton(words).out);
    const auto file = folder.with("new" + players + ".toml", made.out);
    const auto check = run_baton({"board", "check", file});
    EXPECT_EQ(check.code, 0) << check.out;
    EXPECT_THAT(check.out, HasSubstr("meets all guidelines"));
    const auto played = run_baton({"simulate", "company-leader", "--scenario", file, "--games", "2", "--option", "turn_limit=8", "--json"});
    EXPECT_EQ(played.json()["finished"], 2);
  }
}

TEST(Board, ASizeThatIsNoHexagonIsRoundedAloud) {
  const auto made = run_baton({"board", "new", "--size", "80", "--players", "2"});
  EXPECT_EQ(made.code, 0);
  EXPECT_THAT(made.err, HasSubstr("61 fields: the largest hexagon within 80"));
  EXPECT_EQ(run_baton({"board", "new", "--size", "61", "--players", "2"}).err, "");
}

// A board of one's own that breaks a guideline is played, but not in silence.
TEST(Board, GuidelinesAreToldWhereABoardIsUsed) {
  TemporaryFolder folder;
  const auto crooked = folder.with("crooked.toml", changed(standard_text(), "U2      .2      f2      U2", "f2      .2      f2      U2"));
  const auto run = run_baton({"simulate", "company-leader", "--scenario", crooked, "--games", "1", "--option", "turn_limit=2"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, HasSubstr("crooked.toml: the board is not point symmetric"));
  EXPECT_EQ(run_baton({"simulate", "company-leader", "--games", "1", "--option", "turn_limit=2"}).err, "");
}

TEST(Board, DrawsEveryFieldInEightyColumns) {
  for (const std::string id : {"standard", "three", "teams", "two-against-one", "escort", "capture-the-flag"}) {
    const auto run = run_baton({"board", "draw", id});
    EXPECT_EQ(run.code, 0);
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << id << ": " << line;
  }
  EXPECT_THAT(run_baton({"board", "draw", "standard"}).out, HasSubstr("/f11 * \\"));
  EXPECT_THAT(run_baton({"board", "draw", "teams"}).out, HasSubstr("|e13"));
  const auto svg = run_baton({"board", "draw", "standard", "--svg"});
  EXPECT_EQ(svg.code, 0);
  EXPECT_THAT(svg.out, StartsWith("<svg "));
  EXPECT_THAT(svg.out, HasSubstr("<title>f11 open</title>"));
  EXPECT_THAT(svg.out, EndsWith("</svg>\n"));
}

// Exit code 2 and one sentence that names file and line.
TEST(Board, BrokenAndHostileFilesAreRefusedByFileAndLine) {
  TemporaryFolder folder;
  const std::string good = standard_text();
  const auto refused = [&](const std::string& text) {
    const auto file = folder.with("mine.toml", text);
    for (const std::string what : {"check", "draw"}) {
      const auto run = run_baton({"board", what, file});
      EXPECT_EQ(run.code, 2) << run.out;
      EXPECT_THAT(run.err, StartsWith("baton: "));
      EXPECT_THAT(run.err, EndsWith(".\n"));
      EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
      EXPECT_EQ(run.out, "");
    }
    return run_baton({"board", "check", file}).err;
  };
  EXPECT_THAT(refused(changed(good, "f2      .2      .2", "x2      .2      .2")), HasSubstr("mine.toml:"));
  EXPECT_THAT(refused(changed(good, "f2      .2      .2", "x2      .2      .2")), HasSubstr("drawing line 6, column 1: \"x2\""));
  EXPECT_THAT(refused(changed(good, "infantry = 2", "infantry = 99")), HasSubstr("mine.toml:"));
  EXPECT_THAT(refused(changed(good, "[[seat]]", "[[throne]]")), HasSubstr("mine.toml"));
  EXPECT_THAT(refused(good.substr(0, good.size() / 2)), HasSubstr("mine.toml"));
  EXPECT_THAT(refused(""), HasSubstr("mine.toml"));
  EXPECT_THAT(refused(std::string(200'000, '[')), HasSubstr("mine.toml"));
  EXPECT_THAT(refused(std::string("\xFF\xFE\0x", 4)), HasSubstr("mine.toml"));
  std::string wide = good;
  wide.replace(wide.find("                    .2*"), 3, std::string(100'000, ' '));
  refused(wide);
}

TEST(Board, WrongUsageIsOneSentence) {
  for (const Words& words :
       {Words{"board"}, Words{"board", "paint"}, Words{"board", "check"}, Words{"board", "check", "/nowhere.toml"},
        Words{"board", "check", "/tmp"}, Words{"board", "draw"}, Words{"board", "draw", "standard", "--pdf"}, Words{"board", "new"},
        Words{"board", "new", "--size", "91"}, Words{"board", "new", "--size", "many", "--players", "2"},
        Words{"board", "new", "--size", "9", "--players", "2"}, Words{"board", "new", "--size", "91", "--players", "5"},
        Words{"board", "new", "--size", "91", "--players", "2", "--seed", "-1"}}) {
    const auto run = run_baton(words);
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_THAT(run.err, StartsWith("baton: "));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
  EXPECT_THAT(run_baton({"board", "--help"}).out, HasSubstr("baton board check FILE"));
}

}  // namespace
}  // namespace baton::app
