// What a bot needs to play Company Leader: the promise of each legal action, from the chooser's knowledge only.
#pragma once

#include <span>

#include "core/action.h"
#include "games/company_leader/knowledge.h"

namespace baton::company_leader {

// More is better; 0 is doing nothing. Coins are the unit: a troop is worth its cost.
void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises);

// How a position stands for a seat, from -1 lost to 1 won.
float worth(const Scenario& sc, const State& s, Seat seat);

}  // namespace baton::company_leader
