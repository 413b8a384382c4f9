// The rulebook's guidelines for boards of one's own.
#pragma once

#include <string>
#include <vector>

#include "games/company_leader/scenario.h"

namespace baton::company_leader {

struct BoardFinding {
  bool refused = false;  // else a warning
  std::string field;     // the hex it is about, empty for the board as a whole
  std::string what;      // one sentence
};

// "Variants, Game board, Troops, Income" · R56. Without findings the board meets all guidelines.
std::vector<BoardFinding> check_board(const Scenario& sc);

// The guidelines' figures.
inline constexpr int least_urban_percent = 10, most_urban_percent = 20;
inline constexpr int least_purchase_fields = 3;
inline constexpr int least_dummies_for_a_troop = 2, most_dummies_for_a_troop = 4;
inline constexpr int least_fields_for_a_coin = 30, most_fields_for_a_coin = 60;

}  // namespace baton::company_leader
