// baton tune: that it can go on, loses nothing, and says what is wrong.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
  return {"tune",      game,
          "--player",  "recruit:iterations=16",
          "--fit",     "40",
          "--climb",   "64",
          "--games",   "32",
          "--trials",  trials,
          "--threads", threads,
          "--file",    folder.file("trials.jsonl"),
          "--out",     folder.file("judgement.toml")};
}

TEST(Tune, GoesOnWhereItStoppedWhateverTheThreads) {
  TemporaryFolder once, twice;
  const auto whole = run_baton(tuning(once, "3", "2"));
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("trial 3 (fit): "));
  EXPECT_THAT(whole.out, HasSubstr("kill_square"));
  run_baton(tuning(twice, "1", "1"));
  const auto rest = run_baton(tuning(twice, "3", "3"));
  EXPECT_THAT(rest.out, testing::Not(HasSubstr("trial 1 ")));
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
  EXPECT_THAT(again.out, testing::Not(HasSubstr("trial 1 "))) << "nothing is played twice";
  EXPECT_THAT(again.out, HasSubstr("Nothing is left to do: " + file + " has 2 trials already"));
  // A trial that won before the program was stopped.
  std::string won = kept;
  const auto last = won.rfind("\"verdict\":\"");
  won.replace(last, won.find(',', last) - last, "\"verdict\":\"accepted\"");
  folder.with("trials.jsonl", won);
  std::filesystem::remove(folder.file("judgement.toml"));
  run_baton(tuning(folder, "2", "2"));
  EXPECT_THAT(text_of_file(folder.file("judgement.toml")), HasSubstr("kill_square"));
  EXPECT_THAT(run_baton({"tune", game, "--out", folder.file("no/such.toml")}).err, HasSubstr("cannot be written"))
      << "before anything is played";
  folder.with("trials.jsonl", kept.substr(0, kept.find('\n') + 1) + "{\"trial\":\"x\"}\n");
  EXPECT_THAT(run_baton(tuning(folder, "2", "2")).err, HasSubstr("line 2"));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line + "\n");
  return lines;
}

// Results that nobody would come to by playing: a batch in which all was won or lost.
std::string batch_of(const std::string& part, double points) {
  return nlohmann::json{{"trial", 0}, {"part", part}, {"from", 0}, {"numbers", std::vector<double>(32, points)}}.dump() + "\n";
}

// Wherever it was cut off: what was kept counts as if it were played now, and all ends as it would have ended.
TEST(Tune, LosesNoMoreThanABatch) {
  TemporaryFolder folder;
  const std::string file = folder.file("trials.jsonl");
  const auto words = [&](const std::string& fit) {
    return Words{
        "tune", game,     "--player", "recruit:iterations=1", "--fit", fit, "--climb", "80", "--games", "8", "--trials", "2", "--threads",
        "2",    "--file", file};
  };
  run_baton(words("40"));
  const std::string kept = text_of_file(file);
  const auto lines = lines_of(kept);
  ASSERT_EQ(lines.size(), 1u + 2 * (2 + 1 + 1))
      << "the head, and of each trial two batches of the fit or the climb, one of the exam, and the verdict";
  std::string begun;
  for (const std::string& line : lines) {
    folder.with("trials.jsonl", begun += line);
    run_baton(words("40"));
    EXPECT_EQ(text_of_file(file), kept);
  }
  // Lines that are not what comes next: one twice, numbers that are too few, a later trial's, a part that is none.
  for (const std::string& strange :
       {lines[2] + lines[2], std::string("{\"trial\":0,\"part\":\"fit\",\"from\":0,\"numbers\":[1.0]}\n"), lines[5], batch_of("rest", 1)}) {
    folder.with("trials.jsonl", lines[0] + strange);
    EXPECT_THAT(run_baton(words("40")).err, HasSubstr("not what comes next"));
  }
  // What is kept is not played again, and it counts.
  std::filesystem::remove(file);
  run_baton(words("0"));
  const auto climbed = lines_of(text_of_file(file));
  const std::string changed = climbed[0] + batch_of("climb", 1);
  folder.with("trials.jsonl", changed);
  run_baton(words("0"));
  EXPECT_EQ(text_of_file(file).substr(0, changed.size()), changed);
  EXPECT_NE(lines_of(text_of_file(file))[4], climbed[4]) << "the verdict, with the weights";
}

TEST(Tune, WritesWhatPassesAndGoesOnFromThere) {
  TemporaryFolder folder;
  const std::string file = folder.file("trials.jsonl"), out = folder.file("judgement.toml");
  const auto tune = [&](const std::string& trials, const Look& look = {}) {
    return run_baton({"tune", game, "--player", "recruit:iterations=1", "--fit", "32", "--climb", "0", "--games", "64", "--trials", trials,
                      "--file", file, "--out", out},
                     "", look);
  };
  EXPECT_THAT(tune("1").out, HasSubstr("trial 1 (fit): "));
  const auto lines = lines_of(text_of_file(file));
  const auto start = nlohmann::json::parse(lines[0])["start"], proposed = nlohmann::json::parse(lines.back())["weights"];
  EXPECT_NE(start, proposed);

  std::filesystem::remove(out);
  folder.with("trials.jsonl", lines[0] + lines[1] + batch_of("exam", 0));
  EXPECT_THAT(tune("1").out, HasSubstr("rejected"));
  EXPECT_FALSE(std::filesystem::exists(out)) << "nothing was found that would belong there";

  folder.with("trials.jsonl", lines[0] + lines[1] + batch_of("exam", 1));
  const auto passed = tune("1");
  EXPECT_THAT(passed.out, HasSubstr("accepted"));
  EXPECT_THAT(passed.out, HasSubstr("1 of 1 trial passed."));
  EXPECT_THAT(text_of_file(out), HasSubstr(fmt::format("kill = {:.4f}\n", proposed[0].get<float>())));
  // The next trial begins where this one ended: what is kept of it would teach another.
  tune("2");
  const auto second = nlohmann::json::parse(lines_of(text_of_file(file)).back());
  EXPECT_EQ(second["trial"], 1);
  double away_from_start = 0, away_from_best = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    away_from_start += std::abs(second["weights"][i].get<double>() - start[i].get<double>());
    away_from_best += std::abs(second["weights"][i].get<double>() - proposed[i].get<double>());
  }
  EXPECT_LT(away_from_best, away_from_start);

  // Weights that came from elsewhere are not lost, be it before the tuning or while it plays.
  std::string better = text_of_file(out);
  better.replace(better.find("kill = "), 14, "kill = 0.9123");
  const auto is_refused = [&](const ProgramRun& run) {
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr("they would be lost"));
    EXPECT_EQ(text_of_file(out), better);
  };
  folder.with("judgement.toml", better);
  is_refused(tune("3"));
  std::filesystem::remove(out);
  folder.with("trials.jsonl", lines[0] + lines[1] + batch_of("exam", 1));
  is_refused(tune("1", [&](const std::string& written) {
    if (written.find("accepted") != std::string::npos) folder.with("judgement.toml", better);
  }));
}

TEST(Tune, StopsInOrderWhenItIsTold) {
  TemporaryFolder folder, whole;
  const auto words = [](const TemporaryFolder& where, const std::string& threads) {
    return Words{
        "tune",      game,    "--player", "recruit:iterations=1",    "--fit", "0", "--climb", "400", "--games", "8", "--trials", "1",
        "--threads", threads, "--file",   where.file("trials.jsonl")};
  };
  const std::string file = folder.file("trials.jsonl");
  auto run = std::async(std::launch::async, [&] { return run_baton(words(folder, "2")); });
  while (!std::filesystem::exists(file) || std::ranges::count(text_of_file(file), '\n') < 3)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
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
  const Words words = {"tune", game, "--player", "recruit:iterations=4", "--fit", "2", "--climb", "2", "--games", "2", "--trials", "2"};
  EXPECT_THAT(run_baton(words).out, HasSubstr("No trial of 2 passed, and nothing was changed."));
}

TEST(Tune, LosesNoFile) {
  TemporaryFolder folder;
  const Words words = {"tune",     game,
                       "--player", "recruit:iterations=4",
                       "--fit",    "2",
                       "--climb",  "2",
                       "--games",  "2",
                       "--trials", "1",
                       "--file",   folder.file("trials.jsonl"),
                       "--out",    folder.file("judgement.toml")};
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
  EXPECT_EQ(text_of_file(folder.file("judgement.toml.new")), "a stranger's");
  EXPECT_EQ(text_of_file(folder.file("judgement.toml.new-1")), "another's");
  EXPECT_FALSE(std::filesystem::exists(folder.file("judgement.toml.new-2")));
}

TEST(Tune, KeepsWhatThePlayerComesTo) {
  TemporaryFolder folder;
  const std::string file = folder.file("trials.jsonl");
  ASSERT_EQ(
      run_baton({"tune", game, "--player", "recruit", "--fit", "2", "--climb", "2", "--games", "2", "--trials", "1", "--file", file}).code,
      0);
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
  EXPECT_THAT(run_baton({"tune", game, "--fit", "0", "--climb", "0"}).err, HasSubstr("both 0"));
  TemporaryFolder folder;
  const auto strange = run_baton({"tune", game, "--file", folder.with("x", "{}\n")});
  EXPECT_EQ(strange.code, 2);
  EXPECT_THAT(strange.err, HasSubstr("name another one"));
}

}  // namespace
}  // namespace baton::app
