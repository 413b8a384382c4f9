// From a kind of player to its mind.
#pragma once

#include "bots/player_kind.h"
#include "bots/search_mind.h"

namespace baton {

// Where an iteration takes longer, or gains more, than in Company Commander: a level's count is divided by it, so that levels keep to their
// time in every game.
template <Game G>
constexpr int iteration_cost() {
  if constexpr (requires { G::iteration_cost; }) return G::iteration_cost;
  return 1;
}

template <Game G>
Budget budget_in(const PlayerKind& kind, Budget budget) {
  if (kind.iterations_of_level && budget.iterations > 0)
    budget.iterations = std::max<std::int64_t>(1, budget.iterations / iteration_cost<G>());
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
