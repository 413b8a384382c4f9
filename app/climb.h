// How weights get better by games alone: simultaneous perturbation (Spall 1992).
//
// All weights are shifted a step up or down at random, whoever judges by them meets whoever judges by the weights shifted the other way,
// and the weights go a little towards the winner. After some thousand games what gains has added up, and what was luck has not; what luck
// alone explains is taken back.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/weights_file.h"
#include "core/chance.h"

namespace baton::app {

struct ShiftedWeights {
  WeightValues up, down;
};

// How well those who judge by `up` did against those who judge by `down`: 0 as equals do, 1 won all, below 0 less than equals do; one for
// each. `from` is the number of the first of them in this climb. None at all: the climb ends there.
using MeetAll = std::function<std::vector<double>(const std::vector<ShiftedWeights>& all, std::uint64_t from)>;

// Where `groups` of games lead from `start`. They are asked for so many at a time, however many threads play them.
inline constexpr std::uint64_t groups_at_once = 32;
WeightValues climb(const WeightValues& start, std::uint64_t groups, Chance& chance, const MeetAll& meet_all);

}  // namespace baton::app
