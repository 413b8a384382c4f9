#include "app/strength.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/positive_definite.h"

namespace baton::app {

double elo_of(double share, double fair) { return 400 * std::log10(share / (1 - share) / (fair / (1 - fair))); }
double share_of(double elo, double fair) { return 1 / (1 + std::pow(10, -elo / 400) * (1 - fair) / fair); }

GroupScore mean_over_sides(std::span<const double> points, std::span<const std::size_t> side_of_seat) {
  struct Side {
    double points = 0, seats = 0;
  };
  std::map<std::size_t, Side> sides;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sides[side_of_seat[i]].points += points[i];
    sides[side_of_seat[i]].seats += 1;
  }
  double sum = 0, spread = 0;
  for (const auto& [number, side] : sides) {
    sum += side.points / side.seats;
    spread += 1 / side.seats;
  }
  const auto count = static_cast<double>(sides.size());
  return {sum / count, count * count / spread};
}

double points_of(const Result& result, std::span<const std::size_t> side_of_seat, std::size_t seat) {
  const std::span score(result.score.data(), side_of_seat.size());
  const auto best = *std::max_element(score.begin(), score.end());
  std::set<std::size_t> sharing;
  for (std::size_t i = 0; i < score.size(); ++i) {
    if (!result.over || score[i] == best) sharing.insert(side_of_seat[i]);
  }
  return sharing.contains(side_of_seat[seat]) ? 1 / static_cast<double>(sharing.size()) : 0;
}

void Score::add(const GroupScore& group, int games) {
  ++groups_;
  games_ += games;
  weight_ += group.games;
  points_ += group.mean * games;
  sum_ += group.mean;
  squares_ += group.mean * group.mean;
}

std::optional<EloOfScore> elo_of(const Score& score, double fair) {
  if (score.games() == 0) return std::nullopt;
  const auto in_elo = [&](double share) { return share <= 0 || share >= 1 ? std::nullopt : std::optional(elo_of(share, fair)); };
  const double share = score.share(), half_game = 0.5 / static_cast<double>(score.games());
  const Interval interval = score.interval();
  const double told = share >= 1 ? 1 - half_game : share <= 0 ? half_game : share;
  return EloOfScore{elo_of(told, fair), share >= 1, share <= 0, in_elo(interval.low), in_elo(interval.high)};
}

double Score::log_likelihood_ratio(double elo0, double elo1, double fair) const {
  if (groups_ < 2) return 0;
  const auto n = static_cast<double>(groups_);
  const double mean = sum_ / n;
  // Where all groups ended alike nothing is known of the spread: one group that went the other way is supposed.
  const double least = 0.25 / (n + 1);
  const double variance = std::max(least, squares_ / n - mean * mean);
  const double s0 = share_of(elo0, fair), s1 = share_of(elo1, fair);
  return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}

std::vector<Rating> ratings(std::size_t players, const std::vector<Pairing>& pairings) {
  struct Met {
    std::size_t first, second;
    double points, games;
  };
  std::vector<Met> all;
  for (const Pairing& p : pairings) {
    if (p.games > 0) all.push_back({p.first, p.second, p.points, static_cast<double>(p.games)});
  }
  for (std::size_t i = 0; i < players; ++i) {
    for (std::size_t j = i + 1; j < players; ++j) all.push_back({i, j, 0.25, 0.5});
  }
  // Minorisation and maximisation (Hunter 2004): each step raises the likelihood.
  std::vector<double> strength(players, 1);
  for (int round = 0; round < 5000; ++round) {
    std::vector<double> won(players, 0), met(players, 0);
    for (const Met& p : all) {
      won[p.first] += p.points;
      won[p.second] += p.games - p.points;
      const double share = p.games / (strength[p.first] + strength[p.second]);
      met[p.first] += share;
      met[p.second] += share;
    }
    double log_sum = 0;
    for (std::size_t i = 0; i < players; ++i) {
      strength[i] = won[i] / met[i];
      log_sum += std::log(strength[i]);
    }
    for (double& s : strength) s /= std::exp(log_sum / static_cast<double>(players));
  }
  // What the games tell of the distances (Fisher's information). It says nothing of where the middle is, which is fixed by an equal part
  // for all.
  std::vector<double> information(in_triangle(players, 0), 1 / static_cast<double>(players));
  for (const Met& p : all) {
    const double share = strength[p.first] / (strength[p.first] + strength[p.second]), told = p.games * share * (1 - share);
    information[in_triangle(p.first, p.first)] += told;
    information[in_triangle(p.second, p.second)] += told;
    information[in_triangle(std::max(p.first, p.second), std::min(p.first, p.second))] -= told;
  }
  std::vector<Rating> result(players);
  for (std::size_t i = 0; i < players; ++i) {
    std::vector<double> only(players, 0);
    only[i] = 1;
    const double variance = std::max(0.0, solved(information, only)[i] - 1 / static_cast<double>(players));
    result[i] = {400 * std::log10(strength[i]), 1.96 * 400 / std::log(10) * std::sqrt(variance)};
  }
  return result;
}

}  // namespace baton::app
