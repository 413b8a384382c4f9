// From a kind of player to its mind.
#pragma once

#include "bots/player_kind.h"
#include "bots/search_mind.h"

namespace baton {

// `static constexpr std::array<std::int64_t, 4> level_iterations`: how many iterations the levels make per own turn, weakest first, where
// those of bots/player_kind.cc take too long or gain too little in the game.
template <Game G>
Budget budget_in(const PlayerKind& kind, Budget budget) {
  if constexpr (requires { G::level_iterations; }) {
    static_assert(G::level_iterations.size() == count_levels);
    if (kind.level && budget.iterations > 0) budget.iterations = G::level_iterations[*kind.level];
  }
  return budget;
}

// Nothing for a program: it talks to a match and has no mind in here.
template <Game G>
std::unique_ptr<Mind<G>> make_mind(const PlayerKind& kind, const Budget& budget) {
  switch (kind.type) {
    case PlayerKind::Type::random: return std::make_unique<RandomMind<G>>();
    case PlayerKind::Type::greedy: return std::make_unique<GreedyMind<G>>();
    case PlayerKind::Type::search: return std::make_unique<SearchMind<G>>(kind.settings, budget_in<G>(kind, budget));
    case PlayerKind::Type::program: break;
  }
  return nullptr;
}

}  // namespace baton
