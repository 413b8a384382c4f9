// New boards that meet all guidelines.
#pragma once

#include "games/company_leader/scenario.h"

namespace baton::company_leader {

// A hexagon for 2 players, 3 players each for himself, or 4 in two teams, as the text of a
// scenario file. The same numbers give the same board.
// The largest hexagon that is not larger than `size` fields is taken.
Expected<std::string> make_board(int size, int players, std::uint64_t seed);

// How many fields that hexagon has.
int fields_within(int size);

}  // namespace baton::company_leader
