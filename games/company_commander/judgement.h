// What a bot needs to play Company Commander sensibly: how promising each legal action looks to the seat that chooses.
#pragma once

#include <span>

#include "games/company_commander/knowledge.h"
#include "games/company_commander/rules.h"

namespace baton::company_commander {

// Rough gain of each action in units of one kill; leaving a phase or window stands at 0. `promises` has the size of `legal`.
void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises);

// What greed for the next gain misses and a general does not: raises the promise of such actions.
void prudence(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises);

// How a position stands for a seat, from -1 (lost) to 1 (won).
float worth(const Scenario& sc, const State& s, Seat seat);

}  // namespace baton::company_commander
