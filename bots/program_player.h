// A player that is a program of its own, in any language: JSON Lines on its standard input and output (docs/bot-protocol.md).
#pragma once

#include <memory>

#include "bots/player.h"

namespace baton {

inline constexpr int program_protocol = 1;
inline constexpr std::chrono::milliseconds standard_patience{10'000};
inline constexpr std::chrono::milliseconds time_to_start{5'000};

inline constexpr std::chrono::milliseconds least_time_to_answer{50};  // however little of a turn's time is left

// How long a program may think.
struct ProgramClock {
  std::chrono::milliseconds time = standard_patience;
  enum class Per { answer, own_turn } per = Per::answer;
  std::chrono::milliseconds to_start = time_to_start;  // for its first answer besides
};

// The program is started at its first choice. Whatever it does wrong is a problem of choose(), and the program is gone afterwards, with all
// of its process group.
std::unique_ptr<Player> make_program_player(const std::string& command, const ProgramClock& clock);

}  // namespace baton
