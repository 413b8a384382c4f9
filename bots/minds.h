// From a kind of player to its mind.
#pragma once

#include "bots/player_kind.h"
#include "bots/search_mind.h"

namespace baton {

// Nothing for a program: it talks to a match and has no mind in here.
template <Game G>
std::unique_ptr<Mind<G>> make_mind(const PlayerKind& kind, const Budget& budget) {
  switch (kind.type) {
    case PlayerKind::Type::random: return std::make_unique<RandomMind<G>>();
    case PlayerKind::Type::greedy: return std::make_unique<GreedyMind<G>>();
    case PlayerKind::Type::search: return std::make_unique<SearchMind<G>>(kind.settings, budget);
    case PlayerKind::Type::program: break;
  }
  return nullptr;
}

}  // namespace baton
