#include "app/thinking.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace baton::app {
namespace {

TEST(TellableTime, IsThatOfWhatShows) {
  TellableTime time(0.1);
  EXPECT_FALSE(time.tell()) << "not thought yet";
  time.add(0.2, false, true);
  EXPECT_FALSE(time.tell()) << "or it were known that there was something to answer with";
  time.add(0.3, true, true);
  time.add(0.1, true, false);
  EXPECT_DOUBLE_EQ(*time.tell(), 0.4) << "without what did not show";
  EXPECT_FALSE(time.tell()) << "once";
  time.add(0, true, false);
  EXPECT_FALSE(time.tell()) << "who does not think has nothing to tell";
}

TEST(TellableTime, PassesTakeALittleLongerThanAnyReaction) {
  TellableTime time(0.1);
  FastChance chance(1);
  double least = 1, most = 0;
  for (int i = 0; i < 200; ++i) {
    const double seconds = time.before_passing(chance);
    least = std::min(least, seconds);
    most = std::max(most, seconds);
  }
  EXPECT_GE(least, 0.1) << "the thought itself has room in it";
  EXPECT_LE(most, 0.15 + 1e-9);
  EXPECT_GT(most - least, 0.04);
  time.add(0.01, false, true);
  EXPECT_GE(time.before_passing(chance), 0.1) << "one that was quick makes the next no quicker";
  time.add(5, true, false);
  EXPECT_LE(time.before_passing(chance), 0.15 + 1e-9) << "an own turn says nothing of reactions";
  time.add(2, false, true);
  EXPECT_GE(time.before_passing(chance), 2);
  EXPECT_EQ(TellableTime(0).before_passing(chance), 0) << "who does not think does not wait";
}

}  // namespace
}  // namespace baton::app
