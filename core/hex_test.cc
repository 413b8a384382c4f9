#include "core/hex.h"

#include <gmock/gmock.h>

#include <vector>

#include "core/field_set.h"

namespace baton {
namespace {

TEST(Hex, DirectionsGoRound) {
  for (int d = 0; d < facing_count; ++d) {
    EXPECT_EQ(direction(d) + direction(d + 3), Hex{});
    EXPECT_EQ(direction(d - 1) + direction(d + 1), direction(d));
    EXPECT_EQ(rotated(direction(d), 1), direction(d + 1));
    EXPECT_EQ(distance({}, direction(d)), 1);
  }
  EXPECT_EQ(turned(0, -1), 5);
  EXPECT_EQ(turned(5, 8), 1);
}

TEST(Hex, Distance) {
  EXPECT_EQ(distance({0, 0}, {2, -1}), 2);
  EXPECT_EQ(distance({-3, 5}, {2, -5}), 10);
  EXPECT_EQ(distance({1, 1}, {-1, -1}), 4);
}

TEST(FieldSet, HoldsFieldsOfBothWords) {
  FieldSet set;
  for (const int f : {0, 5, 63, 64, 100, 127}) set.insert(f);
  EXPECT_EQ(std::vector<int>(1, set.front()), std::vector<int>{0});
  std::vector<int> members;
  for (const int f : set) members.push_back(f);
  EXPECT_EQ(members, (std::vector<int>{0, 5, 63, 64, 100, 127}));
  EXPECT_EQ(set.size(), 6);
  EXPECT_EQ(set.member(3), 64);
  set.erase(64);
  EXPECT_FALSE(set.has(64));
  EXPECT_EQ(FieldSet::first(91).size(), 91);
  EXPECT_EQ(FieldSet::first(64).size(), 64);
  EXPECT_EQ(FieldSet::first(128).size(), 128);
  EXPECT_TRUE((FieldSet::first(91) - FieldSet::first(91)).empty());
  EXPECT_TRUE(FieldSet::first(70).meets(FieldSet::of(69)));
  EXPECT_FALSE(FieldSet::first(70).meets(FieldSet::of(70)));
}

}  // namespace
}  // namespace baton
