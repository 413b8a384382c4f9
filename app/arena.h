// What came of an arena: for the terminal, as JSON, and as a page with plots.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/contest.h"

namespace baton::app {

struct ArenaReport {
  const Contest& contest;
  std::vector<ContestGame> games;
  double seconds = 0;
  std::optional<std::pair<double, double>> sequential;  // elo0, elo1
};

// "time" when the clock has a say: "captain:time=50" minds it, whatever the others do. Else "iterations".
std::string counting_of(const Contest& contest);

// For games of two sides: with more, equals would seem to be weaker than whoever they meet.
std::vector<Rating> ratings_of(const ArenaReport& report);

// A whole page that needs nothing from elsewhere.
std::string arena_page(const ArenaReport& report);

}  // namespace baton::app
