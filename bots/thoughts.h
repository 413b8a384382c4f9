// What a mind thought before it chose: what it considered, how long, how sure.
#pragma once

#include <cstdint>
#include <vector>

#include "core/action.h"

namespace baton {

// What a search thinks of one action.
struct Considered {
  Action action;
  std::int64_t visits = 0;
  double value = 0;          // expected result for the seat, -1…1
  std::vector<Action> line;  // the own choices expected to follow

  double win_chance() const { return (value + 1) / 2; }
};

struct Thoughts {
  std::vector<Considered> actions;  // the most tried first
  std::int64_t iterations = 0;
  double seconds = 0;
};

}  // namespace baton
