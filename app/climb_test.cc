#include "app/climb.h"

#include <gtest/gtest.h>

namespace baton::app {
namespace {

// Games between players of whom the one nearer to `goal` wins more often, by three points in a hundred for a step.
class Contestants {
 public:
  Contestants(WeightValues start, WeightValues goal, std::uint64_t seed) : start_(std::move(start)), goal_(std::move(goal)), luck_(seed) {}

  double distance(const WeightValues& weights) const {
    double sum = 0;
    for (std::size_t w = 0; w < goal_.size(); ++w) sum += std::pow((weights[w] - goal_[w]) / step_of(start_[w]), 2);
    return std::sqrt(sum);
  }
  std::vector<double> meet(const std::vector<ShiftedWeights>& all) {
    std::vector<double> won;
    for (const auto& [up, down] : all) {
      const double share = 0.5 + 0.03 * (distance(down) - distance(up));
      int points = 0;
      for (int game = 0; game < 2; ++game) points += luck_.pick(1'000'000) < 1e6 * share ? 1 : 0;
      won.push_back(points - 1);
    }
    return won;
  }

 private:
  WeightValues start_, goal_;
  FastChance luck_;
};

TEST(Climb, ComesNearerToWhatWinsMore) {
  const WeightValues start = {1, 0.1f, -2, 0, 0.5f, 3}, goal = {1.9f, 0.2f, -0.8f, -0.06f, 0.5f, 3};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Contestants contestants(start, goal, seed);
    FastChance chance(seed, 7);
    const auto end = climb(start, 8'000, chance, [&](const auto& all, std::uint64_t) { return contestants.meet(all); });
    EXPECT_LT(contestants.distance(end), 0.6 * contestants.distance(start)) << "seed " << seed;
  }
}

TEST(Climb, StaysNearWhereNothingIsWon) {
  const WeightValues start = {1, 0.1f, -2, 0};
  FastChance chance(1), coin(2);
  const auto still = climb(start, 100, chance, [](const auto& all, std::uint64_t) { return std::vector<double>(all.size(), 0); });
  EXPECT_EQ(still, start);
  // By luck alone most weights end up where they began, and none far away.
  int moved = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    FastChance chance_of_seed(seed);
    const auto end = climb(start, 2'000, chance_of_seed, [&](const auto& all, std::uint64_t) {
      std::vector<double> won;
      for (std::size_t i = 0; i < all.size(); ++i) won.push_back(static_cast<double>(coin.pick(3)) - 1);
      return won;
    });
    for (std::size_t w = 0; w < start.size(); ++w) {
      moved += end[w] != start[w];
      EXPECT_LT(std::abs(end[w] - start[w]), 3 * step_of(start[w]));
    }
  }
  EXPECT_LT(moved, 50) << "of 100";
}

TEST(Climb, ShiftsEveryWeightByAStepBothWaysAndCountsGroups) {
  const WeightValues start = {1, -0.5f};
  std::uint64_t asked = 0;
  FastChance chance(3);
  climb(start, 70, chance, [&](const auto& all, std::uint64_t from) {
    EXPECT_EQ(from, asked);
    asked += all.size();
    for (const auto& [up, down] : all) {
      for (std::size_t w = 0; w < start.size(); ++w) {
        EXPECT_FLOAT_EQ(up[w] - start[w], start[w] - down[w]);
        EXPECT_FLOAT_EQ(std::abs(up[w] - start[w]), step_of(start[w]));
      }
    }
    return std::vector<double>(all.size(), 0);
  });
  EXPECT_EQ(asked, 70u);
}

}  // namespace
}  // namespace baton::app
