// The file of a long run: what is kept, and what is refused.
#include "app/run_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "app/program_run.h"

namespace baton::app {
namespace {

using testing::HasSubstr;

const std::string game = "company-commander";

TEST(RunFile, TakesBackWhatCouldOnlyBeWrittenInPart) {
  TemporaryFolder folder;
  const std::string path = folder.file("run.jsonl");
  RunFile file;
  ASSERT_TRUE(file.open(path, {{"format", "test"}}, "a test", [](const RunFile::Line&) { return Expected<void>{}; }));
  ASSERT_TRUE(file.add({{"part", 1}}));
  const std::string before = text_of_file(path);
  // No file may grow by more than five bytes now.
  rlimit usual{};
  getrlimit(RLIMIT_FSIZE, &usual);
  const auto obeyed = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit narrow{before.size() + 5, usual.rlim_max};
  setrlimit(RLIMIT_FSIZE, &narrow);
  const auto added = file.add({{"part", 2}});
  setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, obeyed);
  EXPECT_FALSE(added);
  EXPECT_EQ(text_of_file(path), before);
  EXPECT_TRUE(file.add({{"part", 3}}));
  EXPECT_EQ(text_of_file(path), before + "{\"part\":3}\n");
}

TEST(RunFile, MayBeLarge) {
  TemporaryFolder folder;
  const std::string line = "{\"text\":\"" + std::string(900'000, 'x') + "\"}\n";
  std::string text = "{\"format\":\"test\"}\n";
  for (int i = 0; i < 80; ++i) text += line;
  int lines = 0;
  RunFile file;
  const auto opened = file.open(folder.with("large.jsonl", text), {{"format", "test"}}, "a test", [&](const RunFile::Line&) {
    ++lines;
    return Expected<void>{};
  });
  EXPECT_TRUE(opened);
  EXPECT_EQ(lines, 80);
}

TEST(RunFile, IsAFile) {
  TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  const auto refused = run_baton({"arena", game, "--a", "greedy", "--b", "random", "--games", "2", "--file", folder.file("pipe")});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("a pipe or a device"));
  EXPECT_THAT(run_baton({"arena", game, "--a", "greedy", "--b", "random", "--games", "2", "--html", folder.file("pipe")}).err,
              HasSubstr("not a file that can be written"));
}

}  // namespace
}  // namespace baton::app
