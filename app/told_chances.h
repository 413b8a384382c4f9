// How true the chances were that a player saw for itself.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "app/interval.h"
#include "core/game.h"

namespace baton::app {

// Chances by twentieths: how often each was told, and the points that came of it.
struct ToldChances {
  static constexpr std::size_t steps = 20;
  std::array<std::int64_t, steps> times{};
  std::array<double, steps> chances{}, points{};  // added up

  // `got`: the points of the game, of whoever was told this.
  void add(double chance, double got);
  void add(const ToldChances& other);

  std::int64_t count() const;
  double mean_told() const;  // only when something was told
  double mean_got() const;
  // On average; only when something was told.
  double told(std::size_t step) const { return chances[step] / static_cast<double>(times[step]); }
  double got(std::size_t step) const { return points[step] / static_cast<double>(times[step]); }

  // What would have made them true: optimism taken off trust times the logarithm of the odds (bots/searchable.h), 0 and 1 where they are
  // true already. Nothing where too little was told to say.
  struct Correction {
    double optimism = 0, trust = 1;
  };
  std::optional<Correction> correction() const;
};

// How sure a correction is, at 95 %: the games are drawn again and again from those that were played (Efron's bootstrap), groups of the
// same dice together, because what is told in a game shares its result. Nothing where they are too few to say.
struct CorrectionIntervals {
  Interval optimism, trust;
};
std::optional<CorrectionIntervals> correction_intervals(std::span<const ToldChances> groups);

// [[step, times, chances, points], …], only of what was told.
Json told_json(const ToldChances& told);
// Of what told_json made; throws Json::exception where the form is another, nothing where the numbers cannot be.
std::optional<ToldChances> told_from(const Json& json);

// {"told","came_true","optimism","optimism_interval","trust","trust_interval","steps":[{"told","times","came_true"}]}
Json told_report(std::span<const ToldChances> groups);

}  // namespace baton::app
