// What writing and reading positions share. Not for use outside them.
#pragma once

#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {

inline constexpr std::array<std::string_view, step_count> step_words = {
    "deploy",          "move-reaction", "deploy-window",    "tactics",        "tactics-window",
    "discard",         "recon",         "spotted-reaction", "recon-reward",   "suppression-window",
    "suppression",     "fog-reaction",  "roll-reaction",    "declare",        "block",
    "combat-order",    "combat-cards",  "defenders-fire",   "attackers-fire", "rally",
    "shaken-reaction", "extra-rally",   "end-discard",      "over",
};

struct Mark {
  std::string_view word;
  UnitSet Force::*set;
};
inline const std::array<Mark, 15> marks = {{
    {"fresh", &Force::fresh},
    {"moved", &Force::moved},
    {"halted", &Force::halted},
    {"on-mission", &Force::on_mission},
    {"suppressed", &Force::suppressed},
    {"assaulted", &Force::assaulted},
    {"green", &Force::green},
    {"barred-assault", &Force::barred_assault},
    {"may-assault", &Force::may_assault},
    {"may-suppress", &Force::may_suppress},
    {"anti-tank", &Force::anti_tank},
    {"rolled-rally", &Force::rolled_rally},
    {"helped-rally", &Force::helped_rally},
    {"out-of-ammo", &Force::out_of_ammo},
    {"broken-down", &Force::broken_down},
}};

// What a roll of suppression or recon brought.
inline constexpr std::array<std::string_view, 3> result_words = {"nothing", "pin", "casualty"};

// "smoke-2": cards by copy, for saves; views name only the kind.
std::string card_word(const Scenario& sc, int card);

}  // namespace baton::company_commander
