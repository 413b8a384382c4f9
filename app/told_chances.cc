#include "app/told_chances.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/figures.h"

namespace baton::app {

void ToldChances::add(double chance, double got) {
  const auto step = std::min(steps - 1, static_cast<std::size_t>(std::max(0.0, chance) * static_cast<double>(steps)));
  ++times[step];
  chances[step] += chance;
  points[step] += got;
}

void ToldChances::add(const ToldChances& other) {
  for (std::size_t i = 0; i < steps; ++i) {
    times[i] += other.times[i];
    chances[i] += other.chances[i];
    points[i] += other.points[i];
  }
}

std::int64_t ToldChances::count() const { return std::accumulate(times.begin(), times.end(), std::int64_t{0}); }

double ToldChances::mean_told() const { return std::accumulate(chances.begin(), chances.end(), 0.0) / static_cast<double>(count()); }

double ToldChances::mean_got() const { return std::accumulate(points.begin(), points.end(), 0.0) / static_cast<double>(count()); }

// Logistic regression of the points on the logarithm of the odds that were told, by Newton's steps.
std::optional<ToldChances::Correction> ToldChances::correction() const {
  const auto kinds = std::count_if(times.begin(), times.end(), [](std::int64_t t) { return t > 0; });
  if (kinds < 3 || mean_got() <= 0 || mean_got() >= 1) return std::nullopt;
  double offset = 0, slope = 1;
  for (int round = 0; round < 50; ++round) {
    double g0 = 0, g1 = 0, h00 = 0, h01 = 0, h11 = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      if (times[i] == 0) continue;
      const double chance = std::clamp(told(i), 0.001, 0.999), x = std::log(chance / (1 - chance)), n = static_cast<double>(times[i]),
                   p = 1 / (1 + std::exp(-offset - slope * x));
      g0 += points[i] - n * p;
      g1 += (points[i] - n * p) * x;
      h00 += n * p * (1 - p);
      h01 += n * p * (1 - p) * x;
      h11 += n * p * (1 - p) * x * x;
    }
    const double determinant = h00 * h11 - h01 * h01;
    if (determinant < 1e-9) return std::nullopt;
    const double d0 = (h11 * g0 - h01 * g1) / determinant, d1 = (h00 * g1 - h01 * g0) / determinant;
    offset += d0;
    slope += d1;
    if (std::abs(d0) + std::abs(d1) < 1e-9) return Correction{-offset, slope};
  }
  return std::nullopt;
}

std::optional<CorrectionIntervals> correction_intervals(std::span<const ToldChances> groups) {
  constexpr std::size_t enough = 20, draws = 1000;
  if (groups.size() < enough) return std::nullopt;
  FastChance chance(groups.size());  // the same games, the same intervals
  std::vector<double> optimism, trust;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    ToldChances drawn;
    for (std::size_t i = 0; i < groups.size(); ++i) drawn.add(groups[chance.pick(static_cast<std::uint32_t>(groups.size()))]);
    const auto correction = drawn.count() > 0 ? drawn.correction() : std::nullopt;
    if (!correction) continue;
    optimism.push_back(correction->optimism);
    trust.push_back(correction->trust);
  }
  if (trust.size() < draws * 99 / 100) return std::nullopt;
  const auto middle = [](std::vector<double>& all) {
    std::sort(all.begin(), all.end());
    return Interval{all[all.size() / 40], all[all.size() - 1 - all.size() / 40]};
  };
  return CorrectionIntervals{middle(optimism), middle(trust)};
}

Json told_json(const ToldChances& told) {
  Json json = Json::array();
  for (std::size_t i = 0; i < ToldChances::steps; ++i) {
    if (told.times[i] > 0) json.push_back({i, told.times[i], told.chances[i], told.points[i]});
  }
  return json;
}

std::optional<ToldChances> told_from(const Json& json) {
  constexpr std::int64_t most = 1'000'000;  // no game has so many rounds
  ToldChances told;
  for (const Json& one : json) {
    const auto step = one.at(0).get<std::size_t>();
    const auto times = one.at(1).get<std::int64_t>();
    const auto chances = one.at(2).get<double>(), points = one.at(3).get<double>();
    const auto at_most = static_cast<double>(times);
    if (step >= ToldChances::steps || times < 1 || times > most || chances < 0 || chances > at_most || points < 0 || points > at_most)
      return std::nullopt;
    told.times[step] = times;
    told.chances[step] = chances;
    told.points[step] = points;
  }
  return told;
}

Json told_report(std::span<const ToldChances> groups) {
  ToldChances told;
  for (const ToldChances& group : groups) told.add(group);
  if (told.count() == 0) return nullptr;
  Json json = {{"told", rounded(told.mean_told())}, {"came_true", rounded(told.mean_got())}};
  for (const char* name : {"optimism", "optimism_interval", "trust", "trust_interval"}) json[name] = nullptr;
  const auto correction = told.correction();
  const auto intervals = correction ? correction_intervals(groups) : std::nullopt;
  if (intervals) {
    const auto in_short = [](double value) { return rounded(value, 1000); };
    json["optimism"] = in_short(correction->optimism);
    json["optimism_interval"] = {in_short(intervals->optimism.low), in_short(intervals->optimism.high)};
    json["trust"] = in_short(correction->trust);
    json["trust_interval"] = {in_short(intervals->trust.low), in_short(intervals->trust.high)};
  }
  for (std::size_t i = 0; i < ToldChances::steps; ++i) {
    if (told.times[i] > 0)
      json["steps"].push_back({{"told", rounded(told.told(i))}, {"times", told.times[i]}, {"came_true", rounded(told.got(i))}});
  }
  return json;
}

}  // namespace baton::app
