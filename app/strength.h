// From results of games to strength: scores, Elo, a sequential test, and a table of several players.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/interval.h"
#include "core/result.h"

namespace baton::app {

// Points are 1 for a win, 1/2 for a draw. Elo of a player who scores this share against another; infinite at 0 and 1. Where more than two
// sides play, equals get less than half: `fair` is what one of them gets.
double elo_of(double share, double fair = 0.5);
double share_of(double elo, double fair = 0.5);

// Games with the same seed and swapped seats.
struct GroupScore {
  double mean = 0;   // of the points
  double games = 0;  // how many games of equal weight would tell as much
};

// Of the points of the games of a group, one a seat, where seat i is of side `side_of_seat[i]`: each side counts alike, however many seats
// it has, so that equals get one divided by the number of sides.
GroupScore mean_over_sides(std::span<const double> points, std::span<const std::size_t> side_of_seat);

// The point of a game goes to the side that did best; several that did so, or all where it did not end, share it.
double points_of(const Result& result, std::span<const std::size_t> side_of_seat, std::size_t seat);

// Adds up the points of a player. Games with the same seed and swapped sides are one group: luck that helps a side helps both players,
// so groups vary less than games do.
class Score {
 public:
  void add(const GroupScore& group, int games);

  std::int64_t games() const { return games_; }
  std::int64_t groups() const { return groups_; }
  double points() const { return points_; }
  double share() const { return games_ == 0 ? 0.5 : points_ / static_cast<double>(games_); }
  Interval interval() const { return wilson_interval(share() * weight_, weight_); }

  // Generalised sequential probability ratio: the log of how much better "stronger by elo1" explains the groups than "by elo0".
  double log_likelihood_ratio(double elo0, double elo1, double fair = 0.5) const;

 private:
  std::int64_t games_ = 0, groups_ = 0;
  double points_ = 0, sum_ = 0, squares_ = 0;
  double weight_ = 0;  // games of equal weight that would tell as much
};

// What a score says about the Elo of the player.
struct EloOfScore {
  // Where everything was won or lost it is above or below every number, and this one is told: as if half a game had gone the other way, the
  // least that can be told apart.
  double elo = 0;
  bool won_all = false, lost_all = false;
  std::optional<double> low, high;  // of the 95 % interval; none: open at that end
};
// Nothing where nothing was played.
std::optional<EloOfScore> elo_of(const Score& score, double fair = 0.5);

// With errors of 5 % on both sides: above the bound elo1 is accepted, below its negative elo0.
inline constexpr double sequential_bound = 2.944438979166440;

// A game between two of several players.
struct Pairing {
  std::size_t first = 0, second = 0;
  double points = 0;  // of the first
  std::int64_t games = 0;
};

struct Rating {
  double elo = 0;
  double half_interval = 0;  // 95 %, of the distance to the middle of all
};

// The most likely Elo of each player (Bradley and Terry; draws count half), 0 in the middle. Half a drawn game between all
// keeps it finite where somebody won or lost everything. For games of two sides, where equals get half.
std::vector<Rating> ratings(std::size_t players, const std::vector<Pairing>& pairings);

}  // namespace baton::app
