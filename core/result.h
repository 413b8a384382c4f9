// How a game ended.
#pragma once

#include <array>
#include <cstdint>

#include "core/seat.h"

namespace baton {

struct Result {
  bool over = false;
  std::uint8_t reason = 0;                     // one of the game's reasons
  std::array<std::int8_t, max_seats> score{};  // per seat: +1 won, 0 drew, -1 lost
  bool operator==(const Result&) const = default;

  bool won(Seat seat) const { return over && score[static_cast<std::size_t>(index(seat))] > 0; }
};

}  // namespace baton
