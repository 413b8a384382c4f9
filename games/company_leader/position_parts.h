// What writing and reading positions share. Not for use outside them.
#pragma once

#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

inline constexpr std::array<std::string_view, step_count> step_words = {
    "set-up", "actions", "facing", "advance", "arrival", "dummies", "second", "return-fire", "blitz", "purchase", "over",
};

struct Mark {
  std::string_view word;
  FieldSet Table::*set;
};
inline const std::array<Mark, 6> marks = {{
    {"swapped", &Table::swapped},
    {"used", &Table::used},
    {"displaced", &Table::displaced},
    {"attacked", &Table::attacked},
    {"hid", &Table::hid},
    {"to-face", &Table::to_face},
}};

inline const std::string& team_of(const Scenario& sc, int side) { return sc.seats[at(sc.sides[at(side)].seats.front())].team; }

// What the origins are when nothing was bought yet and everything not known comes from the set-up.
std::array<Origins, most_seats> plain_origins(const Scenario& sc, const State& s);

}  // namespace baton::company_leader
