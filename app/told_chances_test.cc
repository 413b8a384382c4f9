#include "app/told_chances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/program_run.h"
#include "core/chance.h"

namespace baton::app {
namespace {

double odds_log(double chance) { return std::log(chance / (1 - chance)); }
double chance_of(double log) { return 1 / (1 + std::exp(-log)); }

// Somebody tells chances between 2 and 98 in a hundred; what comes true follows from `optimism` and `trust`.
ToldChances telling(double optimism, double trust) {
  ToldChances told;
  FastChance luck(1);
  for (int i = 0; i < 200'000; ++i) {
    // Many of them near the ends, where a game is as good as over.
    const double any = luck.pick(1'000'000) / 1e6, chance = 0.002 + 0.996 * any * any * (3 - 2 * any),
                 truth = chance_of(trust * odds_log(chance) - optimism);
    told.add(chance, luck.pick(1'000'000) < 1e6 * truth ? 1 : 0);
  }
  return told;
}

TEST(ToldChances, FindsWhatWouldHaveMadeThemTrue) {
  const auto honest = telling(0, 1).correction();
  ASSERT_TRUE(honest);
  EXPECT_NEAR(honest->optimism, 0, 0.03);
  EXPECT_NEAR(honest->trust, 1, 0.03);
  const auto hopeful = telling(0.8, 0.6).correction();
  ASSERT_TRUE(hopeful);
  EXPECT_NEAR(hopeful->optimism, 0.8, 0.04);
  EXPECT_NEAR(hopeful->trust, 0.6, 0.04);
}

// Games in which what is told wanders about and one result decides about all of it.
std::vector<ToldChances> games_told(std::size_t games, std::uint64_t seed) {
  FastChance luck(seed);
  std::vector<ToldChances> all(games);
  for (ToldChances& game : all) {
    const double truth = 0.02 + 0.96 * luck.pick(1'000'000) / 1e6;
    const double result = luck.pick(1'000'000) < 1e6 * truth ? 1 : 0;
    for (int round = 0; round < 15; ++round) game.add(truth, result);
  }
  return all;
}

TEST(ToldChances, IntervalsCountGamesAndNotRounds) {
  int covered = 0;
  double width = 0, width_of_more = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto few = correction_intervals(games_told(80, seed)), more = correction_intervals(games_told(320, seed));
    ASSERT_TRUE(few && more);
    covered += few->trust.low <= 1 && 1 <= few->trust.high && few->optimism.low <= 0 && 0 <= few->optimism.high;
    width += few->trust.high - few->trust.low;
    width_of_more += more->trust.high - more->trust.low;
  }
  EXPECT_GE(covered, 15)
      << "of 20 pairs of intervals of 95 %; as many rounds without games would give a quarter of the width, and hardly any";
  EXPECT_NEAR(width / width_of_more, 2, 0.5) << "four times as many games";
}

TEST(ToldChances, SaysNothingWhereTooLittleWasTold) {
  ToldChances always_right;
  for (int i = 0; i < 1000; ++i) always_right.add(i / 1000.0, 1);
  EXPECT_FALSE(always_right.correction());
  EXPECT_TRUE(told_report({}).is_null());
  const auto few = told_report(games_told(19, 1));
  EXPECT_TRUE(few["trust"].is_null() && few["trust_interval"].is_null());
  const auto enough = told_report(games_told(40, 1));
  EXPECT_LT(enough["trust_interval"][0], enough["trust"]);
  EXPECT_LT(enough["trust"], enough["trust_interval"][1]);
}

TEST(ToldChances, CountsEveryChanceSomewhereAndComesBackFromJson) {
  ToldChances told;
  for (const double chance : {0.0, 0.01, 0.05, 0.5, 0.999, 1.0}) told.add(chance, 0.5);
  EXPECT_EQ(told.count(), 6);
  EXPECT_EQ(told.times[0], 2);
  EXPECT_EQ(told.times[19], 2);
  EXPECT_DOUBLE_EQ(told.told(0), 0.005);
  EXPECT_DOUBLE_EQ(told.mean_got(), 0.5);
  const ToldChances again = *told_from(told_json(told));
  EXPECT_EQ(again.times, told.times);
  EXPECT_EQ(again.points, told.points);
  ToldChances twice = told;
  twice.add(again);
  EXPECT_EQ(twice.count(), 12);
  for (const char* impossible : {"[[20,1,0,0]]", "[[3,-1,0,0]]", "[[3,2,2.1,0]]", "[[3,2,1,3]]"})
    EXPECT_FALSE(told_from(nlohmann::json::parse(impossible))) << impossible;
}

TEST(ToldChances, TheArenaTellsThemAndGoesOnWithThem) {
  TemporaryFolder folder;
  const auto with = [&](const std::string& games) {
    return Words{"arena",  "company-commander",        "--a",    "captain:iterations=30", "--b", "greedy", "--games", games, "--json",
                 "--file", folder.file("games.jsonl"), "--html", folder.file("page.html")};
  };
  run_baton(with("2"));
  const auto json = run_baton(with("32")).json();
  ASSERT_EQ(json["chances"].size(), 2u);
  EXPECT_TRUE(json["chances"][1].is_null()) << "greedy sees no chances";
  std::int64_t times = 0;
  for (const auto& step : json["chances"][0]["steps"]) times += step["times"].get<std::int64_t>();
  EXPECT_GT(times, 32 * 3) << "one for each round";
  EXPECT_LT(times, json["thinking"][0]["choices"].get<std::int64_t>() / 4) << "of many choices";
  EXPECT_GT(json["chances"][0]["told"].get<double>(), 0);
  EXPECT_NEAR(json["chances"][0]["came_true"].get<double>(), json["score"].get<double>(), 0.3) << "long games count for more";
  EXPECT_THAT(text_of_file(folder.file("page.html")), testing::HasSubstr("Chances that captain:iterations=30 saw once a round"));
}

}  // namespace
}  // namespace baton::app
