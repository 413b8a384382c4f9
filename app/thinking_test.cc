#include "app/thinking.h"

#include <gtest/gtest.h>

namespace baton::app {
namespace {

TEST(TellableTime, AReactionLetGoByIsToldWithWhatShows) {
  TellableTime time(0.1);
  EXPECT_FALSE(time.tell()) << "not thought yet";
  time.add(0.2, false);
  EXPECT_FALSE(time.tell()) << "or it were known that there was something to answer with";
  EXPECT_EQ(time.last(), 0.2);
  time.add(0.3, true);
  EXPECT_DOUBLE_EQ(*time.tell(), 0.5);
  EXPECT_FALSE(time.tell()) << "once";
  time.add(0, true);
  EXPECT_FALSE(time.tell()) << "who does not think has nothing to tell";
  time.add(0.2, false);
  EXPECT_FALSE(time.tell()) << "what showed was told of, with nothing";
  time.add_seeming(0.1);
  EXPECT_FALSE(time.tell());
  EXPECT_EQ(time.last(), 0.2) << "what only seems to be thinking sets no measure";
  time.add(0.1, true);
  EXPECT_DOUBLE_EQ(*time.tell(), 0.4);
}

}  // namespace
}  // namespace baton::app
