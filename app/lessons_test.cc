#include "app/lessons.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/chance.h"

namespace baton::app {
namespace {

// Games whose results follow from true weights, seen by whoever judges by others: what a position shows is drawn at random.
Lessons games_of(const WeightValues& truth, const WeightValues& believed, int games, FastChance& chance) {
  Lessons all(truth.size());
  for (int game = 0; game < games; ++game) {
    std::vector<double> shown;
    double true_odds = 0, believed_odds = 0;
    for (std::size_t w = 0; w < truth.size(); ++w) {
      shown.push_back(chance.pick(2001) / 500.0 - 2);
      true_odds += truth[w] * shown[w];
      believed_odds += believed[w] * shown[w];
    }
    const double result = chance.pick(1'000'000) / 1e6 < 1 / (1 + std::exp(-true_odds)) ? 1 : 0;
    const Lesson lesson{believed_odds, shown, result};
    all.add_game(std::vector<Lesson>(1 + chance.pick(5), lesson));
  }
  return all;
}

TEST(Lessons, FindTheWeightsThatResultsFollowFrom) {
  const WeightValues truth = {1.0f, -0.5f, 0.3f, 0.0f};
  WeightValues weights = {0.7f, -0.7f, 0.1f, 0.2f};
  FastChance chance(1);
  for (int step = 0; step < 3; ++step) weights = learned(weights, games_of(truth, weights, 20'000, chance));
  for (std::size_t w = 0; w < truth.size(); ++w) EXPECT_NEAR(weights[w], truth[w], 0.06) << w;
}

TEST(Lessons, SayNothingOfWhatNoGameShows) {
  const WeightValues start = {0.5f, 0.8f};
  EXPECT_EQ(learned(start, Lessons(2)), start);
  Lessons lessons(2);
  lessons.add_game(std::vector<Lesson>{{0, {1, 0}, 1}});
  lessons.add_game({});
  const auto after = learned(start, lessons);
  EXPECT_GT(after[0], start[0]);
  EXPECT_LT(after[0], start[0] + step_of(start[0])) << "one game moves little";
  EXPECT_EQ(after[1], start[1]);
}

TEST(Lessons, CountAGameOnceHoweverLongItIs) {
  const Lesson lesson{0.4, {1, -2}, 0};
  Lessons brief(2), drawn_out(2), both(2);
  brief.add_game(std::vector<Lesson>(1, lesson));
  drawn_out.add_game(std::vector<Lesson>(50, lesson));
  for (std::size_t w = 0; w < 2; ++w) EXPECT_NEAR(brief.gradient[w], drawn_out.gradient[w], 1e-12);
  both.add(brief);
  both.add(brief);
  for (std::size_t i = 0; i < both.curvature.size(); ++i) EXPECT_NEAR(both.curvature[i], 2 * brief.curvature[i], 1e-12);
}

}  // namespace
}  // namespace baton::app
