#include "app/strength.h"

#include <cmath>
#include <map>

namespace baton::app {

double elo_of(double share, double fair) { return 400 * std::log10(share / (1 - share) / (fair / (1 - fair))); }
double share_of(double elo, double fair) { return 1 / (1 + std::pow(10, -elo / 400) * (1 - fair) / fair); }

double mean_over_sides(std::span<const double> points, std::span<const std::size_t> side_of_seat) {
  struct Side {
    double points = 0, seats = 0;
  };
  std::map<std::size_t, Side> sides;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sides[side_of_seat[i]].points += points[i];
    sides[side_of_seat[i]].seats += 1;
  }
  double sum = 0;
  for (const auto& [number, side] : sides) sum += side.points / side.seats;
  return sum / static_cast<double>(sides.size());
}

void Score::add(double group_mean, int games) {
  ++groups_;
  games_ += games;
  points_ += group_mean * games;
  sum_ += group_mean;
  squares_ += group_mean * group_mean;
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
  std::vector<Rating> result(players);
  for (std::size_t i = 0; i < players; ++i) {
    double information = 0;
    for (const Met& p : all) {
      if (p.first != i && p.second != i) continue;
      const double share = strength[p.first] / (strength[p.first] + strength[p.second]);
      information += p.games * share * (1 - share);
    }
    result[i] = {400 * std::log10(strength[i]), 1.96 * 400 / std::log(10) / std::sqrt(information)};
  }
  return result;
}

}  // namespace baton::app
