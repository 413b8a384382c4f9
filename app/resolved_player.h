// What a kind of player comes to in a game. A level's name stays while its search, its settings and the game's weights change; the file of a long run
// must notice that.
#pragma once

#include <span>
#include <string>

#include "app/arguments.h"
#include "bots/player.h"

namespace baton::app {

// What a search spends in this game. A level counts the iterations of a light game, and dearer games make fewer.
Budget budget_in(std::string_view game, const PlayerKind& kind, Counting counting);

// {"kind","iterations","time"} and, of a search, its settings.
Json resolved_player(std::string_view game, const PlayerKind& kind, Counting counting);

// A fingerprint of the weights that the game's judgement reckons with; empty where a game has none.
std::string weights_hash(const ChosenGame& chosen);
std::string weights_hash(std::span<const float> weights);

}  // namespace baton::app
