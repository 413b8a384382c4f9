// list, load, simulate, replay, verify, case, check, bench: what they print and the codes they end with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program_run.h"

namespace baton::app {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string game = "company-commander";

TEST(List, NamesGamesScenariosSeatsAndOptions) {
  const auto run = run_baton({"list", "--json"});
  EXPECT_EQ(run.code, 0);
  const auto json = run.json();
  const auto& first = json["games"][0];
  EXPECT_EQ(first["id"], game);
  EXPECT_EQ(first["scenarios"][0], "normandy");
  EXPECT_EQ(first["seats"], nlohmann::json({"us", "german"}));
  EXPECT_EQ(first["options"].size(), 7u);
  EXPECT_EQ(first["options"][0]["name"], "fire_bonus_mode");
  EXPECT_EQ(first["options"][0]["default"], "dice");
  EXPECT_THAT(run_baton({"list"}).out, HasSubstr("max_rounds = 0"));
}

TEST(Load, CountsTheTimesOfBothKindsOfTables) {
  const auto run = run_baton({"load", "--tables", "6", "--bots", "3", "--rate", "20", "--seconds", "4", "--warm-up", "1", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["tables"], 6);
  EXPECT_EQ(json["tables_with_bots"], 3);
  const auto& people = json["people"];
  const auto& against_bots = json["against_bots"];
  for (const auto& kind : {people, against_bots}) {
    EXPECT_GT(kind["answer_ms"]["count"].get<int>(), 0);
    EXPECT_GT(kind["answer_ms"]["p50"].get<double>(), 0);
    EXPECT_LE(kind["answer_ms"]["p50"], kind["answer_ms"]["p99"]);
    EXPECT_LE(kind["view_ms"]["p99"], kind["view_ms"]["max"]);
  }
  // Whatever was due in the measured time is accounted for: 4 seconds of 20.
  const auto count = [](const nlohmann::json& times) { return times["count"].get<int>(); };
  EXPECT_EQ(count(people["answer_ms"]) + count(against_bots["answer_ms"]), json["actions"].get<int>() + json["unanswered"].get<int>());
  EXPECT_EQ(json["actions"].get<int>() + json["unanswered"].get<int>() + json["refused"].get<int>(), 80);
  EXPECT_GE(json["server_actions"].get<int>(), json["bot_actions"].get<int>());
  EXPECT_GT(json["bot_actions"].get<int>(), 0);
  EXPECT_GT(json["commits"].get<int>(), 0);
  EXPECT_GT(json["kib_per_table"].get<double>(), 0);
}

TEST(Load, SaysWhatIsWrongWithItsOptions) {
  EXPECT_THAT(run_baton({"load", "--game", "chess"}).err, HasSubstr("baton list"));
  EXPECT_THAT(run_baton({"load", "--level", "exec:rm"}).err, HasSubstr("--level"));
  EXPECT_THAT(run_baton({"load", "--tables", "10", "--bots", "11"}).err, HasSubstr("--bots needs a whole number from 0 to 10"));
  EXPECT_THAT(run_baton({"load", "--rate", "0"}).err, HasSubstr("--rate"));
}

TEST(Simulate, CountsEveryGame) {
  const auto json = run_baton({"simulate", game, "--games", "60", "--json"}).json();
  EXPECT_EQ(json["games"], 60);
  EXPECT_EQ(json["finished"], 60);
  EXPECT_EQ(json["wins"]["us"].get<int>() + json["wins"]["german"].get<int>() + json["draws"].get<int>(), 60);
  int reasons = 0;
  for (const auto& count : json["reasons"]) reasons += count.get<int>();
  EXPECT_EQ(reasons, 60);
  EXPECT_GT(json["decisions"].get<int>(), 60);
  EXPECT_GT(json["decisions_per_second"].get<double>(), 0);
  EXPECT_LE(json["win_intervals"]["us"][0], json["win_intervals"]["us"][1]);
  EXPECT_LE(json["first_player_wins"].get<int>(), 60);
  EXPECT_LE(json["lengths"]["p5"], json["lengths"]["median"]);
  EXPECT_GE(json["rounds"]["least"].get<int>(), 1);
}

TEST(Simulate, DependsOnTheSeedAndNotOnThreads) {
  const auto with = [](const std::string& threads, const std::string& seed) {
    return without_times(
        run_baton({"simulate", game, "--games", "150", "--seat", "2=greedy", "--json", "--threads", threads, "--seed", seed}).json());
  };
  const auto one = with("1", "7");
  EXPECT_EQ(one, with("3", "7"));
  EXPECT_EQ(one, with("8", "7"));
  EXPECT_NE(one, with("1", "8"));
}

TEST(Simulate, RecordsAreOfTheSameGamesAndVerify) {
  TemporaryFolder folder;
  const Words words = {"simulate", game, "--games", "12", "--seat", "us=greedy", "--json"};
  Words recording = words;
  recording.insert(recording.end(), {"--record", folder.file("records")});
  EXPECT_EQ(without_times(run_baton(words).json()), without_times(run_baton(recording).json()));
  int verified = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder.file("records"))) {
    const auto run = run_baton({"verify", file.path().string()});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    ++verified;
  }
  EXPECT_EQ(verified, 12);
}

TEST(Simulate, TellsHowLongWasThought) {
  const Words words = {"simulate", game, "--games", "1", "--seat", "us=recruit"};
  const auto json = run_baton([&] {
                      Words all = words;
                      all.push_back("--json");
                      return all;
                    }())
                        .json();
  EXPECT_GT(json["thinking"]["us"]["choices"].get<int>(), 0);
  EXPECT_GT(json["thinking"]["us"]["seconds"].get<double>(), 0);
  EXPECT_LE(json["thinking"]["us"]["longest"], json["thinking"]["us"]["seconds"]);
  EXPECT_EQ(json["thinking"]["german"]["choices"], 0) << "random does not think";
  const auto told = run_baton(words).out;
  EXPECT_THAT(told, HasSubstr("us thought "));
  EXPECT_THAT(told, testing::Not(HasSubstr("german thought ")));
}

TEST(Simulate, ASeatIsGivenOnce) {
  for (const char* again : {"us=greedy", "1=greedy"}) {
    for (const Words& words : {Words{"simulate", game, "--games", "1", "--seat", "us=recruit", "--seat", again},
                               Words{"play", game, "--seat", "us=recruit", "--seat", again}}) {
      const auto refused = run_baton(words);
      EXPECT_EQ(refused.code, 2);
      EXPECT_THAT(refused.err, HasSubstr("the seat 1 (us) is given twice"));
    }
  }
}

TEST(Simulate, CountsInWordsThatFit) {
  const auto one = run_baton({"simulate", game, "--games", "1", "--seat", "us=sergeant", "--seat", "german=sergeant"}).out;
  EXPECT_THAT(one, HasSubstr("\n1 game, 1 finished, "));
  EXPECT_THAT(one, testing::Not(HasSubstr("0.00 million")));
}

TEST(Simulate, TheClockHasNoSay) {
  const auto refused = run_baton({"simulate", game, "--games", "1", "--seat", "us=recruit:time=3"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("leave out time="));
}

TEST(Simulate, StartsNoMoreThreadsThanAMachineHas) {
  const auto refused = run_baton({"simulate", game, "--games", "1", "--threads", "256", "--seat", "us=recruit:threads=64"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--threads 256 with \"recruit:threads=64\" would be 16384 threads"));
}

// The name goes into JSON, which cannot hold it.
TEST(Simulate, AScenarioNeedsANameThatCanBeWritten) {
  TemporaryFolder folder;
  const std::string path = folder.with("\xff.toml", "");
  for (const Words& words : {Words{"simulate", game, "--games", "1", "--json", "--scenario", path},
                             Words{"arena", game, "--a", "greedy", "--b", "random", "--games", "2", "--scenario", path}}) {
    const auto refused = run_baton(words);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("is not in UTF-8"));
  }
}

TEST(Simulate, TellsAPersonToo) {
  const auto run = run_baton({"simulate", game, "--games", "20"});
  EXPECT_THAT(run.out, HasSubstr("whoever chose first"));
  EXPECT_THAT(run.out, HasSubstr("Length in decisions"));
  EXPECT_EQ(run.err, "") << "no bar without a screen";
}

class OnARecord : public testing::Test {
 protected:
  void SetUp() override {
    run_baton({"simulate", game, "--games", "1", "--record", folder_.file("records")});
    path_ = folder_.file("records/game-000001.jsonl");
  }
  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(OnARecord, ReplayShowsAnyPointThroughAnyonesEyes) {
  const auto start = run_baton({"replay", path_, "--to", "0", "--json"}).json();
  EXPECT_EQ(start["to"], 0);
  EXPECT_EQ(start["as"], "spectator");
  EXPECT_TRUE(start["view"]["state"]["hand"].empty());
  const auto later = run_baton({"replay", path_, "--to", "9", "--as", "german", "--json"}).json();
  EXPECT_EQ(later["to"], 9);
  EXPECT_EQ(later["view"]["seat"], "german");
  const auto end = run_baton({"replay", path_, "--json", "--as", "host"}).json();
  EXPECT_EQ(end["to"], end["steps"]);
  EXPECT_TRUE(end["position"].contains("cards"));
  EXPECT_TRUE(end["views"].contains("us"));
  const auto drawn = run_baton({"replay", path_, "--as", "us"});
  EXPECT_EQ(drawn.code, 0);
  EXPECT_THAT(drawn.out, HasSubstr("Your hand"));
  EXPECT_EQ(run_baton({"replay", path_, "--as", "red"}).code, 2);
  EXPECT_EQ(run_baton({"replay", path_, "--to", "100000"}).code, 2);
}

TEST_F(OnARecord, VerifyNamesTheFirstWrongLine) {
  EXPECT_THAT(run_baton({"verify", path_}).out, HasSubstr("verifies"));
  std::string text = text_of_file(path_);
  const auto die = text.find("d6=");
  ASSERT_NE(die, std::string::npos);
  text[die + 3] = text[die + 3] == '1' ? '2' : '1';
  const auto run = run_baton({"verify", folder_.with("edited.jsonl", text)});
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("line"));
  EXPECT_EQ(run_baton({"replay", folder_.file("edited.jsonl")}).code, 2);
}

TEST_F(OnARecord, TruncatedOrForeignFilesAreRefused) {
  const std::string text = text_of_file(path_);
  for (const std::string& broken : {text.substr(0, text.rfind('\n', text.size() / 2) - 3), std::string("{}"), std::string(),
                                    std::string("\xFF\xFE\0x", 4), text + "{"}) {
    const auto run = run_baton({"verify", folder_.with("broken.jsonl", broken)});
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_THAT(run.err, EndsWith(".\n"));
  }
}

const char* const holding_case = R"(title = "Nothing happens"
rules = ["R1"]
game = "company-commander"
[[step]]
expect = { "round" = 1 }
)";

TEST(Case, SaysOkFailedOrUnread) {
  TemporaryFolder folder;
  const auto good = folder.with("good.toml", holding_case);
  std::string wrong = holding_case;
  wrong.replace(wrong.find("= 1 }"), 5, "= 2 }");
  const auto bad = folder.with("bad.toml", wrong);
  EXPECT_THAT(run_baton({"case", good}).out, StartsWith("ok"));
  EXPECT_EQ(run_baton({"case", good}).code, 0);
  const auto mixed = run_baton({"case", good, bad});
  EXPECT_EQ(mixed.code, 1);
  EXPECT_THAT(mixed.out, HasSubstr("failed"));
  EXPECT_THAT(mixed.out, HasSubstr("1 of 2 cases hold"));
  EXPECT_EQ(run_baton({"case", good, folder.file("missing.toml")}).code, 2);
  EXPECT_EQ(run_baton({"case", folder.with("torn.toml", "title = \"")}).code, 2);
}

TEST(Check, KeepsEveryPromise) {
  const auto run = run_baton({"check", game, "--games", "1"});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_THAT(run.out, HasSubstr("keep every promise"));
}

TEST(Bench, FingerprintIsANumberThatStays) {
  const auto run = run_baton({"bench", "--fingerprint"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out.find_first_not_of("0123456789\n"), std::string::npos);
  const auto json = run_baton({"bench", "--fingerprint", "--json"}).json();
  EXPECT_EQ(std::to_string(json["fingerprint"].get<std::uint32_t>()) + "\n", run.out);
}

TEST(Bench, MeasuresEveryScenario) {
  const auto json = run_baton({"bench", "--json"}).json();
  const auto& first = json["results"][0];
  EXPECT_EQ(first["game"], game);
  EXPECT_EQ(first["scenario"], "normandy");
  EXPECT_GT(first["decisions_per_second"].get<double>(), 0);
  EXPECT_LT(first["state_bytes"].get<int>(), 2048);
}

TEST(Program, WithoutWordsAndAScreenItExplainsItself) {
  const auto run = run_baton({});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("baton simulate"));
  for (const char* command : {"list", "play", "simulate", "replay", "verify", "case", "check", "board", "bench"}) {
    const auto help = run_baton({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.out, HasSubstr("baton " + std::string(command)));
  }
}

// Wrong usage and wrong input: exit code 2 and one sentence.
class BadInput : public testing::TestWithParam<Words> {};

TEST_P(BadInput, IsOneClearSentence) {
  const auto run = run_baton(GetParam());
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, StartsWith("baton: "));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_THAT(run.err, EndsWith(".\n"));
}

INSTANTIATE_TEST_SUITE_P(
    Program, BadInput,
    testing::Values(
        Words{"conquer"}, Words{"--frobnicate"}, Words{"list", "more"}, Words{"list", "--xml"}, Words{"simulate"}, Words{"simulate", game},
        Words{"simulate", "chess", "--games", "1"}, Words{"simulate", game, "--games", "0"}, Words{"simulate", game, "--games", "-1"},
        Words{"simulate", game, "--games", "1e3"}, Words{"simulate", game, "--games", "99999999999999999999999999"},
        Words{"simulate", game, "--games", ""}, Words{"simulate", game, "--games"}, Words{"simulate", game, "--games", "1", "--seed", "-3"},
        Words{"simulate", game, "--games", "1", "--threads", "0"}, Words{"simulate", game, "--games", "1", "--threads", "100000"},
        Words{"simulate", game, "--games", "1", "--seat", "1"}, Words{"simulate", game, "--games", "1", "--seat", "3=random"},
        Words{"simulate", game, "--games", "1", "--seat", "0=random"}, Words{"simulate", game, "--games", "1", "--seat", "us=human"},
        Words{"simulate", game, "--games", "1", "--seat", "us=genius"}, Words{"simulate", game, "--games", "1", "--record", "/dev/null/x"},
        Words{"simulate", game, "--games", "1", "--option", "max_rounds"},
        Words{"simulate", game, "--games", "1", "--option", "max_rounds=-1"},
        Words{"simulate", game, "--games", "1", "--option", "max_rounds=many"},
        Words{"simulate", game, "--games", "1", "--option", "luck=9"},
        Words{"simulate", game, "--games", "1", "--option", "max_rounds=3", "--option", "max_rounds=4"},
        Words{"simulate", game, "--games", "1", "--scenario", "atlantis"},
        Words{"simulate", game, "--games", "1", "--scenario", "/nowhere/x.toml"},
        Words{"simulate", game, "--games", "1", "--scenario", "/tmp/"}, Words{"simulate", game, "--games", "1", "--games", "2"},
        Words{"replay"}, Words{"replay", "/nowhere"}, Words{"replay", "/tmp"}, Words{"replay", "/dev/null"}, Words{"verify"},
        Words{"verify", "/nowhere"}, Words{"verify", "/tmp"}, Words{"verify", "/dev/zero"}, Words{"case"}, Words{"case", "/nowhere.toml"},
        Words{"case", "/tmp"}, Words{"check", game}, Words{"check", "chess", "--games", "1"}, Words{"check", game, "--games", "none"},
        Words{"bench", "fast"}, Words{"play"}, Words{"play", "chess"}, Words{"play", game, "--seat", "9=human"},
        Words{"play", game, "--seat", "us=ghost"}, Words{"play", game, "--locale", "tlh"}, Words{"play", game, "--seed", "dice"},
        Words{"play", game, "--position", "/nowhere"}, Words{"play", game, "--position", "/tmp"}, Words{"play", "--resume", "/nowhere"},
        Words{"play", game, "--resume", "/dev/null", "--seed", "1"}));

}  // namespace
}  // namespace baton::app
