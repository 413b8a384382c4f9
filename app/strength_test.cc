// Intervals, scores, Elo, the sequential test and ratings.
#include "app/strength.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figures.h"

namespace baton::app {
namespace {

TEST(Interval, IsWilsons) {
  const Interval half = wilson_interval(50, 100);
  EXPECT_NEAR(half.low, 0.4038, 1e-4);
  EXPECT_NEAR(half.high, 0.5962, 1e-4);
  const Interval none = wilson_interval(0, 10);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.2775, 1e-4);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

TEST(Strength, EloAndShareAreInverse) {
  EXPECT_DOUBLE_EQ(elo_of(0.5), 0);
  EXPECT_NEAR(elo_of(0.75), 190.85, 0.01);
  for (const double elo : {-300.0, 0.0, 12.0, 400.0}) EXPECT_NEAR(elo_of(share_of(elo)), elo, 1e-9);
}

TEST(Strength, WhoWonEverythingCountsAsIfHalfAGameWasLost) {
  Score all, none, some;
  for (int i = 0; i < 5; ++i) {
    all.add({1, 2}, 2);
    none.add({0, 2}, 2);
    some.add({0.75, 2}, 2);
  }
  const auto won = elo_of(all, 0.5), lost = elo_of(none, 0.5), between = elo_of(some, 0.5);
  ASSERT_TRUE(won && lost && between);
  EXPECT_TRUE(won->won_all && !won->lost_all && lost->lost_all && !between->won_all && !between->lost_all);
  EXPECT_NEAR(won->elo, elo_of(0.95), 1e-9);
  EXPECT_NEAR(lost->elo, -won->elo, 1e-9);
  EXPECT_NEAR(between->elo, elo_of(0.75), 1e-9);
  EXPECT_FALSE(won->high || lost->low) << "open where nothing bounds it";
  EXPECT_NEAR(won->low.value(), 166.2, 0.1);
  EXPECT_TRUE(between->low && between->high);
  EXPECT_FALSE(elo_of(Score{})) << "nothing was played";
}

TEST(Interval, EndsExactlyWhereAllOrNoneWereHits) {
  for (int tries = 1; tries <= 2000; ++tries) {
    EXPECT_EQ(wilson_interval(tries, tries).high, 1);
    EXPECT_EQ(wilson_interval(0, tries).low, 0);
  }
}

TEST(Interval, NumbersHaveTheirSigns) {
  EXPECT_EQ(signed_text(12.4), "+12");
  EXPECT_EQ(signed_text(-12.4), "−12");
  EXPECT_EQ(signed_text(-0.2), "+0");
  EXPECT_EQ(signed_text(-0.25, 2), "−0.25");
  EXPECT_EQ(counted(1, "game"), "1 game");
  EXPECT_EQ(counted(0, "game"), "0 games");
}

TEST(Strength, TheSequentialTestDecides) {
  Score better, equal;
  for (int i = 0; i < 400; ++i) {
    better.add({i % 4 == 0 ? 0.5 : 1, 2}, 2);
    equal.add({static_cast<double>(i % 2), 2}, 2);
  }
  EXPECT_GT(better.log_likelihood_ratio(0, 30), sequential_bound);
  EXPECT_LT(equal.log_likelihood_ratio(0, 60), -sequential_bound);
  EXPECT_EQ(Score{}.log_likelihood_ratio(0, 10), 0);
}

// Three players with known strengths and more games than anyone could play.
TEST(Strength, RatingsFindTheStrengths) {
  const std::vector<double> truth = {-150, 0, 150};
  std::vector<Pairing> pairings;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i + 1; j < 3; ++j) pairings.push_back({i, j, 100'000 * share_of(truth[i] - truth[j]), 100'000});
  }
  const auto rated = ratings(3, pairings);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rated[i].elo, truth[i], 0.1);
  const auto unbeaten = ratings(2, {{0, 1, 10, 10}});
  EXPECT_TRUE(std::isfinite(unbeaten[0].elo));
  EXPECT_GT(unbeaten[0].elo, 300);
}

TEST(Strength, WhoDidNotPlayIsNeitherStrongNorWeak) {
  for (const auto& rated : {ratings(3, {}), ratings(3, {{0, 1, 0, 0}, {0, 2, 0, 0}})}) {
    for (const Rating& rating : rated) {
      EXPECT_NEAR(rating.elo, 0, 1e-9);
      EXPECT_TRUE(std::isfinite(rating.half_interval));
    }
  }
}

TEST(Strength, SidesCountAlikeHoweverManySeatsTheyHave) {
  const std::vector<std::size_t> two_against_one = {0, 1, 0};
  EXPECT_DOUBLE_EQ(mean_over_sides(std::vector<double>{1, 0, 1}, two_against_one).mean, 0.5);
  EXPECT_DOUBLE_EQ(mean_over_sides(std::vector<double>{1, 0.5, 0}, two_against_one).mean, 0.5);
  EXPECT_DOUBLE_EQ(mean_over_sides(std::vector<double>{1, 0, 0}, std::vector<std::size_t>{0, 1, 2}).mean, 1.0 / 3);
}

// One seat that counts as much as two others together tells less than three that count alike.
TEST(Strength, UnequalSidesTellLess) {
  const std::vector<std::size_t> two_against_one = {0, 1, 0}, each = {0, 1, 2};
  EXPECT_DOUBLE_EQ(mean_over_sides(std::vector<double>{1, 0, 1}, two_against_one).games, 8.0 / 3);
  EXPECT_DOUBLE_EQ(mean_over_sides(std::vector<double>{1, 0, 1}, each).games, 3);
  Score unequal, equal;
  for (int i = 0; i < 40; ++i) {
    unequal.add(mean_over_sides(std::vector<double>{1, 0, 1}, two_against_one), 3);
    equal.add({0.5, 3}, 3);
  }
  EXPECT_DOUBLE_EQ(unequal.share(), equal.share());
  EXPECT_LT(unequal.interval().low, equal.interval().low);
  EXPECT_GT(unequal.interval().high, equal.interval().high);
}

TEST(Strength, EveryGameHasOnePointToShare) {
  const std::vector<std::size_t> two = {0, 1}, three = {0, 1, 2}, teams = {0, 1, 0, 1};
  const auto over = [](std::vector<std::int8_t> score) {
    Result result;
    result.over = true;
    std::copy(score.begin(), score.end(), result.score.begin());
    return result;
  };
  EXPECT_EQ(points_of(over({1, -1}), two, 0), 1);
  EXPECT_EQ(points_of(over({1, -1}), two, 1), 0);
  EXPECT_EQ(points_of(over({0, 0}), two, 1), 0.5);
  EXPECT_EQ(points_of(Result{}, two, 1), 0.5) << "it did not end";
  EXPECT_EQ(points_of(over({0, 0, 0}), three, 2), 1.0 / 3);
  EXPECT_EQ(points_of(over({1, -1, 1}), three, 2), 0.5);
  EXPECT_EQ(points_of(over({0, -1, 0}), three, 1), 0);
  EXPECT_EQ(points_of(over({-1, 1, -1, 1}), teams, 3), 1) << "a team is one side";
}

// Worked out beside the program: the inverse of Fisher's information, with half a drawn game between each two.
TEST(Strength, TheIntervalsOfRatingsKnowThatTheOthersAreUncertainToo) {
  const auto rated = ratings(3, {{0, 1, 340, 400}, {0, 2, 400, 400}, {1, 2, 396, 400}});
  EXPECT_NEAR(rated[0].half_interval, 61, 1);
  EXPECT_NEAR(rated[1].half_interval, 57, 1);
  EXPECT_NEAR(rated[2].half_interval, 108, 1.5);
}

}  // namespace
}  // namespace baton::app
