// baton tune: that it can go on, loses nothing, and says what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <future>
#include <thread>

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
  EXPECT_THAT(again.out, testing::Not(HasSubstr("trial 1: "))) << "nothing is played twice";
  EXPECT_THAT(again.out, HasSubstr("Nothing is left to do: " + file + " has 2 trials already"));
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

// Wherever it was cut off: the climb is gone through again with the results that are kept, and ends where it would have ended.
TEST(Tune, LosesNoMoreThanABatch) {
  TemporaryFolder folder;
  const Words words = {"tune", game, "--player", "recruit:iterations=1", "--climb", "80", "--games", "8", "--trials", "2", "--threads", "2", "--file", folder.file("trials.jsonl")};
  run_baton(words);
  const std::string file = folder.file("trials.jsonl"), kept = text_of_file(file);
  std::vector<std::size_t> ends;
  for (auto at = kept.find('\n'); at != std::string::npos; at = kept.find('\n', at + 1)) ends.push_back(at + 1);
  ASSERT_EQ(ends.size(), 1u + 2 * (2 + 1 + 1)) << "the head, and of each trial two batches of the climb, one of the exam, and the verdict";
  for (const std::size_t end : ends) {
    folder.with("trials.jsonl", kept.substr(0, end));
    run_baton(words);
    EXPECT_EQ(text_of_file(file), kept);
  }
  // Results that nobody would come to by playing.
  std::string changed = kept.substr(0, ends[1]);
  changed.replace(changed.rfind("\"means\":["), std::string::npos, "\"means\":[");
  for (int i = 0; i < 32; ++i) changed += i == 0 ? "1.0" : ",1.0";
  changed += "]}\n";
  folder.with("trials.jsonl", changed);
  run_baton(words);
  EXPECT_EQ(text_of_file(file).substr(0, changed.size()), changed) << "kept results are not played again";
  EXPECT_NE(text_of_file(file).substr(changed.size()), kept.substr(ends[1])) << "and they count";
  // Lines that are not what comes next.
  const std::string second_batch = kept.substr(ends[1], ends[2] - ends[1]);
  for (const std::string& strange : {second_batch + second_batch, std::string("{\"trial\":0,\"part\":\"climb\",\"from\":0,\"means\":[1.0]}\n"), kept.substr(ends[5], ends[6] - ends[5])}) {
    folder.with("trials.jsonl", kept.substr(0, ends[0]) + strange);
    EXPECT_THAT(run_baton(words).err, HasSubstr("not what comes next"));
  }
}

TEST(Tune, StopsInOrderWhenItIsTold) {
  TemporaryFolder folder, whole;
  const auto words = [](const TemporaryFolder& where, const std::string& threads) {
    return Words{"tune", game, "--player", "recruit:iterations=1", "--climb", "400", "--games", "8", "--trials", "1", "--threads", threads, "--file", where.file("trials.jsonl")};
  };
  const std::string file = folder.file("trials.jsonl");
  auto run = std::async(std::launch::async, [&] { return run_baton(words(folder, "2")); });
  while (!std::filesystem::exists(file) || std::ranges::count(text_of_file(file), '\n') < 3) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(getpid(), SIGTERM);  // as Ctrl-C, which whoever started the tests may ignore
  const auto stopped = run.get();
  EXPECT_EQ(stopped.code, 1);
  EXPECT_THAT(stopped.err, HasSubstr("Stopped in trial 1; " + file + " keeps "));
  EXPECT_THAT(stopped.err, HasSubstr("The same command goes on from there."));
  const std::string kept = text_of_file(file);
  EXPECT_EQ(kept.find("verdict"), std::string::npos);
  run_baton(words(folder, "1"));
  run_baton(words(whole, "2"));
  EXPECT_EQ(text_of_file(file).substr(0, kept.size()), kept);
  EXPECT_EQ(text_of_file(file), text_of_file(whole.file("trials.jsonl")));
}

TEST(Tune, SaysWhenNothingWasChanged) {
  const Words words = {"tune", game, "--player", "recruit:iterations=4", "--climb", "2", "--games", "2", "--trials", "2"};
  EXPECT_THAT(run_baton(words).out, HasSubstr("No trial of 2 passed, and nothing was changed."));
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
  for (const char* player : {"greedy", "random:iterations=3", "exec:foo", "major"}) {
    const std::string told = run_baton({"tune", game, "--player", player}).err;
    EXPECT_THAT(told, HasSubstr("must be a level"));
    EXPECT_THAT(told, HasSubstr(std::string("recruit, sergeant, captain, general, not \"") + player + "\""));
  }
  EXPECT_THAT(run_baton({"tune", game, "--player", "recruit:depth=3"}).err, HasSubstr("no setting \"depth\""));
  EXPECT_THAT(run_baton({"tune", game, "--trials", "0"}).err, HasSubstr("--trials"));
  TemporaryFolder folder;
  const auto strange = run_baton({"tune", game, "--file", folder.with("x", "{}\n")});
  EXPECT_EQ(strange.code, 2);
  EXPECT_THAT(strange.err, HasSubstr("name another one"));
}

}  // namespace
}  // namespace baton::app
