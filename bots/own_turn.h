// Where one own turn ends and the next begins, for whoever shares a budget over it.
#pragma once

#include <optional>

namespace baton {

// An own turn lasts until the next one, with the reactions in the others' turns: as many turns as there are seats.
class OwnTurn {
 public:
  // `turn` as Game::turns counts it. Whether it belongs to another own turn than the last one asked about.
  bool begins(int turn, int seats) {
    if (first_ && turn >= *first_ && turn < *first_ + seats) return false;
    first_ = turn;
    return true;
  }

 private:
  std::optional<int> first_;
};

}  // namespace baton
