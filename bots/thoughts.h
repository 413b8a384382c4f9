// What a mind thought before it chose: what it considered, how long, how sure.
#pragma once

#include <algorithm>
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

struct Thoughts {
  std::vector<Considered> actions;  // the most tried first; for advice, the best of what was tried often
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
