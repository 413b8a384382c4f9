// How somebody looks who does not see everything.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/game.h"

namespace baton {

// What is overlooked stays so for a while: else it would only be done one decision later. What needs no further choice, such as to pass, is
// always seen, and whoever would see nothing sees everything.
class Glance {
 public:
  explicit Glance(float overlooks) : of_a_thousand_(static_cast<std::uint32_t>(overlooks * 1000)) {}

  // With the next decision. Nobody turns in a circle for long who looks again now and then.
  void look_again() { left_ = 0; }

  template <Game G>
  ActionList seen(const ActionList& legal, Chance& chance) {
    if (of_a_thousand_ == 0) return legal;
    if (left_-- <= 0) {
      left_ = decisions_at_most - 1;
      seed_ = std::uint64_t{chance.pick(1u << 31)} << 32 | chance.pick(1u << 31);
    }
    ActionList seen;
    for (const Action& action : legal) {
      if (G::verbs()[action.verb].size() == 0 || !overlooked(action)) seen.push(action);
    }
    return seen.empty() ? legal : seen;
  }

 private:
  static constexpr int decisions_at_most = 16;

  bool overlooked(Action action) const { return FastChance(seed_, std::bit_cast<std::uint64_t>(action)).pick(1000) < of_a_thousand_; }

  std::uint32_t of_a_thousand_;
  int left_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace baton
