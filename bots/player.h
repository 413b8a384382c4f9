// A player sits at a match of any game and sees what its seat sees: a mind gets its knowledge, a program its view.
#pragma once

#include <memory>
#include <string_view>

#include "bots/player_kind.h"
#include "bots/thoughts.h"
#include "core/chance.h"
#include "match/seen_match.h"

namespace baton {

class Player {
 public:
  virtual ~Player() = default;

  // A legal action for the seat, which has to choose. A problem: the player gives up the match, and why.
  virtual Expected<Action> choose(const SeenMatch& match) = 0;

  // What the last choice was taken on.
  virtual Thoughts thoughts() const { return {}; }

  // From another thread: choose at once.
  virtual void cancel() {}
};

// How a search counts what it spends: by the clock, or by iterations, which gives the same choices on any machine.
enum class Counting { time, iterations };

// For a game of the registry; null for another.
std::unique_ptr<Player> make_player(std::string_view game, const PlayerKind& kind, Counting counting, std::uint64_t seed);

}  // namespace baton
