// A player that is a program of its own, in any language: JSON Lines on its standard input and output (docs/bot-protocol.md).
#pragma once

#include <memory>

#include "bots/player.h"

namespace baton {

inline constexpr int program_protocol = 1;
inline constexpr std::chrono::milliseconds standard_patience{10'000};
inline constexpr std::chrono::milliseconds time_to_start{5'000};

// The program is started at its first choice. It has `patience` for each answer, and so much longer for the first one. Whatever it does wrong is a problem of choose(), and
// the program is gone afterwards, with all of its process group.
std::unique_ptr<Player> make_program_player(const std::string& command, std::chrono::milliseconds patience, std::chrono::milliseconds to_start = time_to_start);

}  // namespace baton
