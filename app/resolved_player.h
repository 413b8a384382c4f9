// What a kind of player comes to in a game. A level's name stays while its search, its settings and the game's judgement change; the file
// of a long run must notice that.
#pragma once

#include <string>

#include "app/arguments.h"
#include "bots/player.h"

namespace baton::app {

// What a search spends in this game: as many iterations as the game has its level make, or what was typed.
Budget budget_in(std::string_view game, const PlayerKind& kind, Counting counting);

// {"kind","iterations","time"} and, of a search, its settings.
Json resolved_player(std::string_view game, const PlayerKind& kind, Counting counting);

// A tiny number that changes with the rules, the judgement, its weights and the search: the beginning of a game between a search and greedy
// players, with what the search thought of each action.
std::string play_fingerprint(const ChosenGame& chosen);

}  // namespace baton::app
