// Playing in the terminal: whole games through a pipe, commands, who sits where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/play.h"
#include "app/program_run.h"

namespace baton::app {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string game = "company-commander";

std::string many(const std::string& line, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += line + "\n";
  return all;
}

TEST(Play, AWholeGameThroughAPipe) {
  for (const std::string locale : {"en", "de", "ja"}) {
    const auto run = run_baton({"play", game, "--plain", "--seed", "3", "--locale", locale, "--seat", "2=random"}, many("1", 3000));
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(run.out, HasSubstr(house_catalogue(game, locale).say("play.game-over")));
    EXPECT_THAT(run.out, HasSubstr(house_catalogue(game, locale).say("play.farewell")));
    EXPECT_EQ(run.out.find('\033'), std::string::npos) << "no cursor control, no colour";
    EXPECT_EQ(run.out.find("│"), std::string::npos) << "no boxes";
    EXPECT_EQ(run.out.find("[play."), std::string::npos) << "no key without a text";
    EXPECT_EQ(run.out.find("[view."), std::string::npos);
  }
}

TEST(Play, TwoComputersPlayForASpectator) {
  const Words words = {"play", game, "--seed", "5", "--plain", "--seat", "1=greedy", "--seat", "2=random"};
  const auto run = run_baton(words);
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("wins"));
  EXPECT_THAT(run.out, Not(HasSubstr("You drew")));
  EXPECT_EQ(run.out, run_baton(words).out) << "a seed names one game";
}

TEST(Play, ProvenDiceAreCommittedFirstAndRevealedAtTheEnd) {
  TemporaryFolder folder;
  const auto file = folder.file("game.jsonl");
  const auto run = run_baton({"play", game, "--plain", "--locale", "en", "--seat", "2=random"}, many("1", 10'000) + "save " + file + "\n");
  const auto committed = run.out.find("Commitment: ");
  ASSERT_NE(committed, std::string::npos);
  EXPECT_LT(committed, run.out.find("Round 1"));
  EXPECT_THAT(run.out, HasSubstr("The secret behind the dice: "));
  EXPECT_THAT(run.out, HasSubstr("The game is over, so “1” has no place any more."));
}

TEST(Play, EndOfInputSavesNothingAndSaysSo) {
  const auto run = run_baton({"play", game, "--plain", "--seed", "1", "--seat", "us=human", "--seat", "german=random"}, "1\n");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("The match was not saved."));
}

class AtTheTable : public testing::Test {
 protected:
  // The first choice is a person's, whoever begins.
  std::string after(const std::string& typed, const Words& more = {}) {
    Words words = {"play", game, "--plain", "--seed", "4", "--locale", "en", "--seat", "1=human", "--seat", "2=random"};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_baton(words, typed);
    EXPECT_EQ(run.code, 0) << run.err;
    return run.out;
  }
  TemporaryFolder folder_;
};

TEST_F(AtTheTable, CommandsAnswer) {
  EXPECT_THAT(after("help\n"), HasSubstr("save FILE"));
  EXPECT_THAT(after("all\n"), HasSubstr("(deploy "));
  EXPECT_THAT(after("table\n"), HasSubstr("Tactics deck: "));
  EXPECT_THAT(after("log\n"), HasSubstr("The story so far"));
  EXPECT_THAT(after("why 1\n"), HasSubstr("Yes, that is allowed."));
  EXPECT_THAT(after("why assault rifle-1 left\n"), HasSubstr("No. "));
  EXPECT_THAT(after("why nonsense\n"), HasSubstr("There is no such action."));
  EXPECT_THAT(after("why\n"), HasSubstr("Why what?"));
  EXPECT_THAT(after("rally rifle-1\n"), HasSubstr("No. "));
  EXPECT_THAT(after("dance\n"), HasSubstr("“dance” is not a command"));
  EXPECT_THAT(after("999\n"), HasSubstr("Please choose a number from 1 to"));
  EXPECT_THAT(after("1a\n"), HasSubstr("is not a number"));
  EXPECT_THAT(after("odds\n"), HasSubstr("odds"));
  EXPECT_THAT(after("undo\n"), HasSubstr("take back"));
  EXPECT_THAT(after("save\n"), HasSubstr("Save where? Type “save” "));
  EXPECT_THAT(after("Save-Position\n"), HasSubstr("Save where? Type “save-position” "));
  EXPECT_THAT(after("save /nowhere/at/all\n"), HasSubstr("Could not save"));
  EXPECT_THAT(after("1\nquit\nn\nquit\ny\n"), HasSubstr("Until the next battle."));
  EXPECT_THAT(after("\n"), HasSubstr("Choose 1"));
}

TEST_F(AtTheTable, EveryUnitAndCardCanBeLookedAt) {
  EXPECT_THAT(after("look Rifle Squad 1\n"), HasSubstr("Rifle Squad 1 (Strength 2). Infantry. The backbone of the company."));
  for (const char* tank : {"panzer4-1", "Panzer IV G Tank", "PANZER iv g tank"}) {
    EXPECT_THAT(after(std::string("look ") + tank + "\n"), HasSubstr("German Company: Panzer IV G Tank (Strength 1). ")) << "in the deck";
  }
  EXPECT_THAT(after("look rifle squad\n"), AllOf(HasSubstr("Rifle Squad 1 (Strength 2). "), HasSubstr("Rifle Squad 2 (Strength 2). ")));
  EXPECT_THAT(after("look Fog of War\n"), HasSubstr("Fog of War (fog-of-war): "));
  EXPECT_THAT(after("look Maus\n"), HasSubstr("There is no “Maus”"));
}

TEST_F(AtTheTable, AnActionInWordsIsAsGoodAsItsNumber) {
  const std::string listed = after("all\n");
  const auto begin = listed.find("(deploy ") + 1;
  const std::string words = listed.substr(begin, listed.find(')', begin) - begin);
  const std::string by_number = after("1\n"), by_words = after(words + "\n"), wide = after("１\n");
  EXPECT_EQ(by_number, by_words);
  EXPECT_EQ(by_number, wide);
}

TEST_F(AtTheTable, UndoTakesBackADeployment) { EXPECT_THAT(after("1\nundo\n"), HasSubstr("Taken back.")); }

TEST_F(AtTheTable, ASavedMatchGoesOnWhereItWas) {
  const auto file = folder_.file("saved.jsonl");
  EXPECT_THAT(after("1\nsave " + file + "\nquit\n"), HasSubstr("Saved to"));
  EXPECT_EQ(run_baton({"verify", file}).code, 0);
  const auto resumed = run_baton({"play", "--resume", file, "--plain", "--locale", "en"}, "log\nquit\n");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("Match resumed"));
  EXPECT_THAT(resumed.out, HasSubstr("deployed on the"));
  EXPECT_THAT(after("1\nsave " + file + "\nn\nquit\ny\n"), HasSubstr("Overwrite it?"));
  EXPECT_THAT(run_baton({"play", "--resume", file, "--plain", "--locale", "en"}, many("1", 4000)).out, HasSubstr("The game is over."));
}

TEST(Play, OnlyASaveThatWorksChangesTheDice) {
  TemporaryFolder folder;
  const auto after = [](const std::string& typed) {
    return run_baton({"play", game, "--plain", "--locale", "en", "--seat", "1=human", "--seat", "2=greedy"}, typed).out;
  };
  const std::string failed = after("save " + folder.file("no/such") + "\nsave " + folder.file("") + "\nsave /dev/full\ny\n");
  EXPECT_THAT(failed, HasSubstr("No such file or directory"));
  EXPECT_THAT(failed, HasSubstr("Is a directory"));
  EXPECT_THAT(failed, HasSubstr("No space left on device"));
  EXPECT_EQ(failed.find("Commitment: "), failed.rfind("Commitment: "));
  EXPECT_THAT(after("save " + folder.file("kept") + "\n"), HasSubstr("the dice from here on are new ones"));
}

TEST_F(AtTheTable, ASavedPositionStartsAMatch) {
  const auto file = folder_.file("position.json");
  EXPECT_THAT(after("1\nsave-position " + file + "\nquit\ny\n"), HasSubstr("Saved to"));
  EXPECT_THAT(after("table\nquit\n", {"--position", file}), HasSubstr("Tactics deck"));
  EXPECT_EQ(run_baton({"play", game, "--position", folder_.with("bad.json", R"({"round":"one"})")}).code, 2);
  EXPECT_EQ(run_baton({"play", game, "--position", folder_.with("torn.json", "{")}).code, 2);
}

TEST(Menu, StartsAMatchAndLeaves) {
  std::istringstream in("2\n2\n5\n3\n6\n3\n1\nquit\n\n8\n");
  std::ostringstream out, err;
  Terminal terminal{in, out, err};
  EXPECT_EQ(run_menu(terminal), 0);
  EXPECT_THAT(out.str(), HasSubstr("Deutsch"));
  EXPECT_THAT(out.str(), HasSubstr("Bis zur nächsten Schlacht"));
}

TEST(Menu, AnEmptyLineLeavesAnOptionAsItIs) {
  std::istringstream in("7\n7\n\n7\n7\n12\n8\nquit\n");
  std::ostringstream out, err;
  Terminal terminal{in, out, err};
  EXPECT_EQ(run_menu(terminal), 0);
  EXPECT_THAT(out.str(), Not(HasSubstr("does not fit")));
  EXPECT_THAT(out.str(), HasSubstr("max_rounds = 12"));
}

TEST(Locale, ComesFromTheEnvironment) {
  EXPECT_EQ(locale_of("de_AT.UTF-8"), "de");
  EXPECT_EQ(locale_of("ja"), "ja");
  EXPECT_EQ(locale_of("C.UTF-8"), "en");
  EXPECT_EQ(locale_of(""), "en");
}

TEST(Play, AProgramThatBreaksDownEndsNobodysMatch) {
  TemporaryFolder folder;
  const auto run = run_baton({"play", "company-commander", "--seed", "4", "--plain", "--seat", "us=exec:exit 3", "--seat", "german=human"},
                             "save " + folder.file("kept.json") + "\nquit\ny\n");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("US Company drops out: its program has broken down"));
  // Why may name what it held, so it is told when the person leaves.
  const auto why = run.out.find("dropped out because of this: the program \"exit 3\" ended with code 3");
  ASSERT_NE(why, std::string::npos) << run.out;
  EXPECT_GT(why, run.out.find("kept.json"));
  EXPECT_THAT(text_of_file(folder.file("kept.json")), HasSubstr("company-commander"));
}

TEST(Play, AProgramsWordsDoNotCommandTheScreen) {
  const std::string program = "us=exec:read -r a; read -r b; printf '%s\\n' '{\"action\":\"\\u001b[2Jfoo\"}'; cat > /dev/null";
  const auto run =
      run_baton({"play", "company-commander", "--seed", "4", "--plain", "--seat", program, "--seat", "german=human"}, "quit\ny\n");
  EXPECT_THAT(run.out, HasSubstr("?[2Jfoo"));
  EXPECT_THAT(run.out, Not(HasSubstr("\033")));
  const std::string why = run.out.substr(run.out.find("dropped out because of this: "));
  EXPECT_THAT(why, testing::ContainsRegex("[^.]\\.\n")) << "the reason is a part of a sentence";
  EXPECT_THAT(why, Not(HasSubstr("..")));
}

TEST(Play, OnlyAPersonIsToldOfCtrlC) {
  EXPECT_THAT(run_baton({"play", game, "--locale", "en", "--seed", "4", "--seat", "2=random", "--plain"}, "hint 1\n").out,
              Not(HasSubstr("Ctrl-C")));
}

TEST(Play, SeatsThatAreNotGiven) {
  TemporaryFolder folder;
  int number = 0;
  const auto players = [&](const Words& seats) {
    Words words = {"play", "company-leader", "--scenario", "three", "--locale", "en", "--seed", "4", "--plain"};
    for (const std::string& seat : seats) words.insert(words.end(), {"--seat", seat});
    const auto file = folder.file("match-" + std::to_string(++number));
    EXPECT_EQ(run_baton(words, "save " + file + "\nquit\n").code, 0);
    const std::string head = text_of_file(file);
    const auto sat = nlohmann::json::parse(head.substr(0, head.find('\n')))["players"];
    std::vector<std::string> all;
    for (const char* seat : {"red", "blue", "green"}) all.push_back(sat[seat].get<std::string>());
    return all;
  };
  using All = std::vector<std::string>;
  EXPECT_EQ(players({}), (All{"human", "sergeant", "sergeant"}));
  EXPECT_EQ(players({"1=random"}), (All{"random", "human", "sergeant"}));
  EXPECT_EQ(players({"3=human"}), (All{"sergeant", "sergeant", "human"}));
  EXPECT_EQ(players({"1=random", "3=random"}), (All{"random", "human", "random"}));
  EXPECT_THAT(run_baton({"play", "--help"}).out, HasSubstr("sergeant"));
}

TEST(Play, TellsHowLongEachSeatThought) {
  const auto after = [](const std::string& kind, const std::string& locale) {
    return run_baton({"play", game, "--seed", "4", "--plain", "--locale", locale, "--seat", "us=" + kind, "--seat", "german=human"}, "")
        .out;
  };
  EXPECT_THAT(after("recruit:iterations=1", "en"),
              testing::ContainsRegex("\\(Thinking time: US Company (under 0\\.01|[0-9]+\\.[0-9][0-9])\u00A0s\\)"));
  EXPECT_THAT(after("sergeant:time=300", "en"), testing::ContainsRegex("\\(Thinking time: US Company [0-9]+\\.[0-9][0-9]\u00A0s\\)"));
  EXPECT_THAT(after("sergeant:time=300", "de"), testing::ContainsRegex("\\(Bedenkzeit: [^0-9]* [0-9]+,[0-9][0-9]\u00A0s\\)"));
  EXPECT_THAT(after("greedy", "en"), Not(HasSubstr("Thinking time")));
}

TEST(Play, NothingChosenIsNothingToTakeBack) {
  const auto after = [](const std::string& typed) {
    return run_baton({"play", game, "--seed", "4", "--plain", "--locale", "en", "--seat", "us=greedy", "--seat", "german=human"}, typed)
        .out;
  };
  EXPECT_THAT(after(""), HasSubstr("deployed")) << "the computer has begun";
  EXPECT_THAT(after("undo\n"), HasSubstr("There is nothing to take back."));
  EXPECT_THAT(after("undo\n"), Not(HasSubstr("Too late")));
  const std::string twice = after("1\nundo\nundo\n");
  EXPECT_LT(twice.find("Taken back."), twice.find("There is nothing to take back."));
}

}  // namespace
}  // namespace baton::app
