// The chances of an action before it is taken, in words and small bars. The numbers are the game's own.
#pragma once

#include "app/choices.h"
#include "match/match.h"

namespace baton::app {

// Null when the game has none for this action.
Json odds_of(const Match& match, Seat seat, Action action);

// Every action that has odds, with a line for each side.
Lines odds_in_brief(const Match& match, Seat seat, const Choices& choices, const Catalogue& texts);

// Everything about one. Empty when there are none.
Lines odds_in_full(const Json& odds, const Catalogue& texts, bool plain);

}  // namespace baton::app
