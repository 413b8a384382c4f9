// A player sits at a match of any game: a mind that gets its knowledge through the match.
#pragma once

#include <memory>
#include <string_view>

#include "core/chance.h"
#include "match/match.h"

namespace baton {

class Player {
 public:
  virtual ~Player() = default;

  // A legal action for a seat that has to choose.
  virtual Action choose(const Match& match, Seat seat) = 0;
};

// For a game of the registry and one of mind_kinds(); nothing for others.
std::unique_ptr<Player> make_player(std::string_view game, std::string_view kind, std::uint64_t seed);

}  // namespace baton
