#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <set>

#include "core/action.h"
#include "core/bits.h"
#include "core/chance.h"
#include "core/events.h"
#include "core/field_set.h"
#include "core/notation.h"
#include "core/option.h"
#include "core/seat.h"

namespace baton {
namespace {

TEST(Seats, IterateInOrderAndTellTheirSize) {
  const Seats some = Seats(Seat{3}) | Seats(Seat{0}) | Seats(Seat{5});
  std::vector<int> order;
  for (const Seat seat : some) order.push_back(index(seat));
  EXPECT_EQ(order, (std::vector{0, 3, 5}));
  EXPECT_EQ(some.size(), 3);
  EXPECT_EQ(index(some.front()), 0);
  EXPECT_FALSE(some.has(Seat{1}));
  EXPECT_TRUE(Seats::none().empty());
}

TEST(Seats, EveryoneIncludesSpectatorsAndCanLeaveSomeoneOut) {
  EXPECT_TRUE(Seats::everyone().has(spectator));
  const Seats others = Seats::everyone_but(Seat{1});
  EXPECT_TRUE(others.has(Seat{0}));
  EXPECT_TRUE(others.has(spectator));
  EXPECT_FALSE(others.has(Seat{1}));
  EXPECT_EQ(Seats::first(4).size(), 4);
}

// These numbers must never change: seeded records are checked against them on every platform.
TEST(FastChance, GivesTheSameNumbersEverywhere) {
  FastChance chance(42, 7);
  std::vector<int> dice;
  for (int i = 0; i < 12; ++i) dice.push_back(chance.die());
  EXPECT_EQ(dice, (std::vector{3, 2, 4, 5, 2, 1, 6, 2, 5, 2, 3, 4}));
  std::vector<std::uint32_t> picks;
  for (int i = 0; i < 6; ++i) picks.push_back(chance.pick(57));
  EXPECT_EQ(picks, (std::vector<std::uint32_t>{34, 35, 45, 3, 37, 55}));
}

// The reference implementation of PCG prints these for seed 42, stream 54.
TEST(FastChance, IsThePublishedGenerator) {
  FastChance chance(42, 54);
  for (const std::uint32_t expected : {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u, 0x83d2f293u, 0xbfa4784bu, 0xcbed606eu})
    EXPECT_EQ(chance.next(), expected);
}

TEST(FastChance, StreamsOfOneSeedDiffer) {
  std::set<std::uint32_t> firsts;
  for (std::uint64_t stream = 0; stream < 1000; ++stream) firsts.insert(FastChance(1, stream).next());
  EXPECT_GT(firsts.size(), 990u);
}

TEST(FastChance, DiceAreFair) {
  FastChance chance(5);
  std::array<int, 6> counts{};
  constexpr int rolls = 600'000;
  for (int i = 0; i < rolls; ++i) ++counts[static_cast<std::size_t>(chance.die() - 1)];
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - rolls / 6.0) * (count - rolls / 6.0) / (rolls / 6.0);
  EXPECT_LT(chi_square, 20.5);  // 99.9 % point for 5 degrees of freedom
}

RC_GTEST_PROP(FastChance, PicksStayBelowTheirBound, (std::uint64_t seed, std::uint32_t bound)) {
  FastChance chance(seed);
  RC_PRE(bound > 1u);
  for (int i = 0; i < 20; ++i) RC_ASSERT(chance.pick(bound) < bound);
}

TEST(UnbiasedBelow, RejectsTheBitsThatWouldMakeSomeNumbersLikelier) {
  // With bound 3, 2^32 leaves a remainder of 1: exactly the product 0 is rejected.
  std::array<std::uint32_t, 2> bits = {0u, 0x80000000u};
  std::size_t used = 0;
  EXPECT_EQ(unbiased_below(3, [&] { return bits[used++]; }), 1u);
  EXPECT_EQ(used, 2u);
}

TEST(Chance, ASingleThingNeedsNoDraw) {
  FastChance one(9), two(9);
  EXPECT_EQ(one.pick(1), 0u);
  EXPECT_EQ(one.pick(0), 0u);
  EXPECT_EQ(one.die(), two.die());
}

RC_GTEST_PROP(Bits, MemberFindsEachMemberByRank, (std::uint64_t set)) {
  std::uint32_t rank = 0;
  for (const int i : each(set)) {
    RC_ASSERT(has(set, i));
    RC_ASSERT(member(set, rank++) == i);
  }
  RC_ASSERT(static_cast<int>(rank) == std::popcount(set));
}

TEST(Bits, PickMemberIsUniform) {
  FastChance chance(3);
  std::array<int, 64> counts{};
  for (int i = 0; i < 30'000; ++i) ++counts[static_cast<std::size_t>(pick_member(std::uint64_t{0b101001}, chance))];
  EXPECT_EQ(counts[0] + counts[3] + counts[5], 30'000);
  for (const int i : {0, 3, 5}) EXPECT_NEAR(counts[static_cast<std::size_t>(i)], 10'000, 400);
}

FieldBytes some_bytes(FastChance& chance) {
  FieldBytes bytes;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(chance.pick(4));  // few enough that some are equal
  return bytes;
}

RC_GTEST_PROP(FieldBytes, AreCopiedOnTheGivenFieldsOnly, (std::uint64_t seed)) {
  FastChance chance(seed);
  FieldSet fields;
  for (int f = 0; f < max_fields; ++f) {
    if (chance.pick(2) == 0) fields.insert(f);
  }
  const FieldBytes from = some_bytes(chance), before = some_bytes(chance);
  FieldBytes after = before;
  copy_on(fields, from, after);
  for (int f = 0; f < max_fields; ++f) {
    const auto at = static_cast<std::size_t>(f);
    RC_ASSERT(after[at] == (fields.has(f) ? from[at] : before[at]));
    RC_ASSERT(differing(before, after).has(f) == (before[at] != after[at]));
  }
}

TEST(Events, AreKeptWithTheirAudienceOrNotAtAll) {
  std::vector<Event> told;
  Events log(&told);
  log.tell(Seat{1}, 4, 7, -2);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].kind, 4);
  EXPECT_EQ(told[0].with[1], -2);
  EXPECT_FALSE(told[0].audience.has(Seat{0}));
  Events silent = Events::unheard();
  silent.tell(Seats::everyone(), 4, 7);
  EXPECT_FALSE(silent.heard());
}

TEST(ActionList, KeepsOrder) {
  ActionList list;
  list.push({1, 2, 0, 0});
  list.push({3, 0, 0, 0});
  EXPECT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1].verb, 3);
  list.clear();
  EXPECT_TRUE(list.empty());
}

TEST(Phrase, CountsItsFields) {
  constexpr Phrase none{"pass", {}};
  constexpr Phrase two{"move", {Field{"unit", 1}, Field{"front", 2}}};
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(two.size(), 2);
}

const std::vector<Option> known = {{"mode", Option::Type::choice, "dice", {"dice", "drm"}},
                                   {"strict", Option::Type::flag, "false", {}},
                                   {"rounds", Option::Type::number, "0", {}, 0, 50}};

TEST(Options, TakeDefaultsWhereNothingIsChosen) {
  const auto all = complete_options(known, {{"rounds", "12"}});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->at("mode"), "dice");
  EXPECT_EQ(all->at("strict"), "false");
  EXPECT_EQ(all->at("rounds"), "12");
}

TEST(Options, SayWhatWouldFit) {
  EXPECT_EQ(complete_options(known, {{"mode", "dize"}}).error().text(), "option mode: \"dize\" does not fit; expected one of dice, drm.");
  EXPECT_EQ(complete_options(known, {{"rounds", "51"}}).error().text(),
            "option rounds: \"51\" does not fit; expected a whole number from 0 to 50.");
  EXPECT_EQ(complete_options(known, {{"rounds", "5x"}}).error().where, "option rounds");
  EXPECT_EQ(complete_options(known, {{"strict", "yes"}}).error().text(), "option strict: \"yes\" does not fit; expected true or false.");
  EXPECT_EQ(complete_options(known, {{"moed", "dice"}}).error().text(),
            "option moed: there is no such option; known are mode, strict, rounds.");
}

}  // namespace
}  // namespace baton
