// One game from start to end with the game's own types: what bulk play, the bench and the allocation test share.
#pragma once

#include <cstdint>

#include "core/game.h"

namespace baton::app {

// A game that has not ended by then is given up; conformance says why that must not happen.
inline constexpr std::int64_t most_decisions = 100'000;

// Plays `s` on until nobody chooses. `choose(seat, legal)` gives one of `legal`; `seen(seat, legal, action)` is told before it is applied.
template <Game G, class Choose, class Seen>
std::int64_t play_out(const typename G::Scenario& sc, typename G::State& s, Chance& dice, Choose&& choose, Seen&& seen) {
  ActionList legal;
  Events unheard = Events::unheard();
  std::int64_t decisions = 0;
  for (Seats asked = G::choosing(sc, s); !asked.empty() && decisions < most_decisions; asked = G::choosing(sc, s)) {
    const Seat seat = asked.front();
    legal.clear();
    G::actions(sc, s, seat, legal);
    const Action action = choose(seat, legal);
    seen(seat, legal, action);
    G::apply(sc, s, seat, action, dice, unheard);
    ++decisions;
  }
  return decisions;
}

// Game number `game` of a run has its own seed, whichever thread plays it (SplitMix64).
constexpr std::uint64_t seed_of_game(std::uint64_t run_seed, std::uint64_t game) {
  std::uint64_t mixed = run_seed + (game + 1) * 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
  return mixed ^ mixed >> 31;
}

// Dice come from stream 0 of the game's seed, as in a seeded match; what the players choose by chance from stream 1.
inline constexpr std::uint64_t choice_stream = 1;

}  // namespace baton::app
