#include "bots/own_turn.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

TEST(OwnTurn, LastsUntilTheNextOne) {
  OwnTurn turn;
  EXPECT_TRUE(turn.begins(7, 2));
  EXPECT_FALSE(turn.begins(7, 2));
  EXPECT_FALSE(turn.begins(8, 2)) << "a reaction in the other's turn";
  EXPECT_TRUE(turn.begins(9, 2));
  EXPECT_TRUE(turn.begins(3, 2)) << "taken back";
  EXPECT_TRUE(turn.begins(6, 3));
  EXPECT_FALSE(turn.begins(8, 3));
}

}  // namespace
}  // namespace baton
