#include "bots/player_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using testing::HasSubstr;

std::string wrong(std::string_view text) {
  const auto kind = read_player_kind(text);
  return kind ? "nothing" : kind.error().text();
}

TEST(PlayerKind, KnowsEveryNameItLists) {
  for (const std::string_view name : player_kinds()) {
    const auto kind = read_player_kind(name);
    ASSERT_TRUE(kind) << name;
    EXPECT_EQ(kind->text, name);
  }
}

TEST(PlayerKind, EachLevelMayThinkLongerThanTheOneBelow) {
  std::int64_t iterations = 0;
  std::chrono::milliseconds time{0};
  for (const std::string_view name : level_names()) {
    const auto kind = read_player_kind(name);
    ASSERT_TRUE(kind);
    EXPECT_EQ(kind->type, PlayerKind::Type::search);
    EXPECT_GT(kind->by_iterations.iterations, iterations) << name;
    EXPECT_GT(kind->by_time.time, time) << name;
    EXPECT_EQ(kind->by_iterations.time.count(), 0) << "the clock may not decide";
    EXPECT_EQ(kind->by_time.iterations, kind->by_iterations.iterations) << "as strong in play as it was measured";
    iterations = kind->by_iterations.iterations;
    time = kind->by_time.time;
  }
}

TEST(PlayerKind, SettingsChangeALevel) {
  const auto kind = read_player_kind("captain:iterations=77,turns=3,exploration=0.25,impatience=0.75,prudence=1");
  ASSERT_TRUE(kind);
  EXPECT_EQ(kind->by_iterations.iterations, 77);
  EXPECT_EQ(kind->by_time.iterations, 77);
  EXPECT_EQ(kind->by_time.time.count(), 0);
  EXPECT_EQ(kind->settings.turns_ahead, 3);
  EXPECT_FLOAT_EQ(kind->settings.exploration, 0.25f);
  EXPECT_FLOAT_EQ(kind->settings.impatience.value_or(0), 0.75f);
  EXPECT_TRUE(kind->settings.prudence);
  EXPECT_FALSE(read_player_kind("general:prudence=0")->settings.prudence);
  EXPECT_EQ(read_player_kind("captain:time=250")->by_iterations.time.count(), 250);
  for (const char* both : {"captain:time=250,iterations=77", "captain:iterations=77,time=250"}) {
    for (const Budget& budget : {read_player_kind(both)->by_time, read_player_kind(both)->by_iterations}) {
      EXPECT_EQ(budget.time.count(), 250) << both;
      EXPECT_EQ(budget.iterations, 77) << both;
    }
  }
}

TEST(PlayerKind, SaysWhatIsWrong) {
  EXPECT_THAT(wrong("major"), HasSubstr("random, greedy, recruit, sergeant, captain, general or exec:COMMAND, not \"major\""));
  EXPECT_THAT(wrong(""), HasSubstr("a computer player can be"));
  EXPECT_THAT(wrong("random:iterations=3"), HasSubstr("random takes no settings; leave out \":iterations=3\""));
  EXPECT_THAT(wrong("greedy:"), HasSubstr("greedy takes no settings"));
  EXPECT_THAT(wrong("captain:"), HasSubstr("such as iterations=500"));
  EXPECT_THAT(wrong("captain:iterations=5,"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(wrong("captain:iterations=5,iterations=7"), HasSubstr("given twice"));
  EXPECT_THAT(wrong("captain:bl\x1b[31m=1"), HasSubstr("bl?[31m"));
  EXPECT_THAT(wrong("captain:depth"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(wrong("captain:depth=3"), HasSubstr("no setting \"depth\""));
  EXPECT_THAT(wrong("captain:iterations=0"), HasSubstr("iterations needs a number from 1"));
  EXPECT_THAT(wrong("captain:exploration=much"), HasSubstr("exploration needs a number from 0.0 to 100.0, not \"much\""));
  EXPECT_THAT(wrong("captain:prudence=2"), HasSubstr("prudence needs a number from 0 to 1, not \"2\""));
  EXPECT_THAT(wrong("captain:prudence=yes"), HasSubstr("prudence needs a number from 0 to 1, not \"yes\""));
  EXPECT_THAT(wrong("exec:"), HasSubstr("needs a command"));
}

TEST(PlayerKind, AProgramKeepsItsWholeCommand) {
  EXPECT_FALSE(read_player_kind("exec:echo \xff"));
  const auto kind = read_player_kind("exec:python3 bot.py --level=2,3");
  ASSERT_TRUE(kind);
  EXPECT_EQ(kind->type, PlayerKind::Type::program);
  EXPECT_EQ(kind->command, "python3 bot.py --level=2,3");
}

}  // namespace
}  // namespace baton
