// baton tune: that it can go on, loses nothing, and says what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program_run.h"
#include "app/resolved_player.h"

namespace baton::app {
namespace {

using testing::HasSubstr;

const std::string game = "company-commander";

Words tuning(const TemporaryFolder& folder, const std::string& trials, const std::string& threads) {
  return {"tune", game, "--player", "recruit:iterations=16", "--climb", "64", "--games", "32", "--trials", trials, "--threads", threads, "--file", folder.file("trials.jsonl"), "--out", folder.file("judgement.toml")};
}

TEST(Tune, GoesOnWhereItStoppedWhateverTheThreads) {
  TemporaryFolder once, twice;
  const auto whole = run_baton(tuning(once, "3", "2"));
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("trial 3: "));
  EXPECT_THAT(whole.out, HasSubstr("kill_square"));
  run_baton(tuning(twice, "1", "1"));
  const auto rest = run_baton(tuning(twice, "3", "3"));
  EXPECT_THAT(rest.out, testing::Not(HasSubstr("trial 1: ")));
  EXPECT_EQ(text_of_file(once.file("trials.jsonl")), text_of_file(twice.file("trials.jsonl")));
}

TEST(Tune, GoesOnAfterACutLineAndWritesWhatWon) {
  TemporaryFolder folder;
  run_baton(tuning(folder, "2", "2"));
  const std::string file = folder.file("trials.jsonl"), kept = text_of_file(file);
  folder.with("trials.jsonl", kept.substr(0, kept.size() - 9));
  run_baton(tuning(folder, "2", "2"));
  EXPECT_EQ(text_of_file(file), kept);
  const auto again = run_baton(tuning(folder, "2", "2"));
  EXPECT_THAT(again.out, testing::Not(HasSubstr("trial "))) << "nothing is played twice";
  // A trial that won before the program was stopped.
  std::string won = kept;
  const auto last = won.rfind("\"verdict\":\"");
  won.replace(last, won.find(',', last) - last, "\"verdict\":\"accepted\"");
  folder.with("trials.jsonl", won);
  std::filesystem::remove(folder.file("judgement.toml"));
  run_baton(tuning(folder, "2", "2"));
  EXPECT_THAT(text_of_file(folder.file("judgement.toml")), HasSubstr("kill_square"));
  EXPECT_THAT(run_baton({"tune", game, "--out", folder.file("no/such.toml")}).err, HasSubstr("cannot be written")) << "before anything is played";
  folder.with("trials.jsonl", kept.substr(0, kept.find('\n') + 1) + "{\"trial\":\"x\"}\n");
  EXPECT_THAT(run_baton(tuning(folder, "2", "2")).err, HasSubstr("line 2"));
}

TEST(Tune, LosesNoFile) {
  TemporaryFolder folder;
  const Words words = {"tune", game, "--player", "recruit:iterations=4", "--climb", "2", "--games", "2", "--trials", "1", "--file", folder.file("trials.jsonl"), "--out", folder.file("judgement.toml")};
  // A weight that would go nowhere is told before anything is played.
  folder.with("judgement.toml", "# mine\nkill = 1 # my note\n");
  const auto refused = run_baton(words);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("the weight \"kill_square\" has no line"));
  EXPECT_EQ(text_of_file(folder.file("judgement.toml")), "# mine\nkill = 1 # my note\n");
  EXPECT_FALSE(std::filesystem::exists(folder.file("trials.jsonl")));
  // An empty file is as good as none, and other people's files beside it stay.
  folder.with("judgement.toml", "");
  folder.with("judgement.toml.new", "a stranger's");
  folder.with("judgement.toml.new-1", "another's");
  const auto run = run_baton(words);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(text_of_file(folder.file("judgement.toml")), HasSubstr("kill_square = "));
  EXPECT_EQ(text_of_file(folder.file("judgement.toml.new")), "a stranger's");
  EXPECT_EQ(text_of_file(folder.file("judgement.toml.new-1")), "another's");
  EXPECT_FALSE(std::filesystem::exists(folder.file("judgement.toml.new-2")));
}

TEST(Tune, KeepsWhatThePlayerComesTo) {
  TemporaryFolder folder;
  const std::string file = folder.file("trials.jsonl");
  ASSERT_EQ(run_baton({"tune", game, "--player", "recruit", "--climb", "2", "--games", "2", "--trials", "1", "--file", file}).code, 0);
  const auto head = nlohmann::json::parse(text_of_file(file).substr(0, text_of_file(file).find('\n')));
  EXPECT_EQ(head["player"]["iterations"], budget_in(game, *read_player_kind("recruit"), Counting::iterations).iterations);
  EXPECT_TRUE(head["player"].contains("turns"));
}

TEST(Tune, SaysWhatIsWrong) {
  EXPECT_THAT(run_baton({"tune", game, "--player", "greedy"}).err, HasSubstr("must be a level"));
  EXPECT_THAT(run_baton({"tune", game, "--trials", "0"}).err, HasSubstr("--trials"));
  TemporaryFolder folder;
  const auto strange = run_baton({"tune", game, "--file", folder.with("x", "{}\n")});
  EXPECT_EQ(strange.code, 2);
  EXPECT_THAT(strange.err, HasSubstr("name another one"));
}

}  // namespace
}  // namespace baton::app
