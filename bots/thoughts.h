// What a mind thought before it chose: what it considered, how long, how sure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/action.h"

namespace baton {

// What a search thinks of one action.
struct Considered {
  Action action;
  std::int64_t visits = 0;
  double value = 0;          // the result hoped for, -1…1
  std::vector<Action> line;  // the own choices expected to follow
  double win_chance = 0;     // what experience makes of the hope
  std::size_t certain = 0;   // how many of `line` follow whatever the dice and the others do
};

// What is to be thought of an action beside the one that was tried most. Of few tries, or of tries that ended very differently, little is
// believed.
inline double believed_value(const Considered& one, const Considered& most_tried) {
  const auto visits = static_cast<double>(one.visits);
  const double doubt = 30 * std::max(1 - one.value * one.value, 1 / (visits + 1));
  return (visits * one.value + doubt * most_tried.value) / (visits + doubt);
}

// Of actions by their visits: first comes what was tried most, or what was tried often and is better than that by more than luck explains.
// Several trees that were added up may disagree so. In play, to take the best of what was tried often gained nothing (docs/bots.md).
inline void put_advice_first(std::vector<Considered>& actions) {
  const auto variance = [](const Considered& one) { return (1 - one.value * one.value) / static_cast<double>(one.visits); };
  auto best = actions.begin();
  for (auto one = actions.begin(); one != actions.end() && one->visits > 0 && 4 * one->visits >= actions.front().visits; ++one) {
    const double lead = one->value - actions.front().value;
    if (lead > 2 * std::sqrt(variance(actions.front()) + variance(*one)) && one->value > best->value) best = one;
  }
  if (best != actions.begin()) std::rotate(actions.begin(), best, best + 1);
}

struct Thoughts {
  std::vector<Considered> actions;  // the most tried first; before it, for advice, what is clearly better
  std::int64_t iterations = 0;
  double seconds = 0;
  bool opens_round = false;  // the first choice since everybody had a turn, own or in answer to somebody
};

// How long somebody thought over many choices. Whoever does not think is not counted.
struct ThinkingTime {
  std::int64_t choices = 0;
  double seconds = 0, longest = 0;

  void add(const Thoughts& thoughts) {
    if (thoughts.seconds > 0) add({1, thoughts.seconds, thoughts.seconds});
  }
  void add(const ThinkingTime& other) {
    choices += other.choices;
    seconds += other.seconds;
    longest = std::max(longest, other.longest);
  }
  double mean() const { return choices == 0 ? 0 : seconds / static_cast<double>(choices); }
};

}  // namespace baton
