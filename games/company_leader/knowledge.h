// What a viewer knows: the table, the pieces of his own side, and of the others what everybody remembers.
#pragma once

#include "games/company_leader/state.h"

namespace baton::company_leader {

// Team-mates sit on the same side of the table and see each other's pieces, except during the secret set-up (R4).
struct Knowledge : Table {
  std::uint8_t viewer = 0;  // a seat, or `spectator`
  FieldBytes kind{};        // of a piece, unknown_kind where the viewer does not know it
  Purchase purchase;        // of his own side
  Army hand{};              // set-up: his own
  std::uint16_t purse = 0;

  Knowledge() = default;
  explicit Knowledge(const Table& table) : Table(table), kind(table.shown) {}
  bool operator==(const Knowledge&) const = default;
};

Knowledge observe(const Scenario& sc, const State& s, Seat viewer);
State imagine(const Scenario& sc, const Knowledge& k, Chance& chance);

// Which of the pieces on the board the viewer can name.
bool knows_pieces_of(const Scenario& sc, const Table& t, int viewer, int seat);

// The hidden troops of a side as its opponents may think of them: for each member one army for each origin, drawn at random among
// those that fit everything seen. False when the search gave up; then the armies fit the number of pieces only.
using HiddenArmies = std::array<std::array<Army, origin_count>, most_seats>;
bool draw_armies(const Scenario& sc, const Table& t, int side, Chance& chance, HiddenArmies& hidden);

// Whether an unknown piece of that origin may be a dummy, and a troop: whether there is a story in which it is. Where not all stories can
// be looked at it may.
struct MayBe {
  bool dummy = true, troop = true;
};
MayBe may_be(const Scenario& sc, const Table& t, int seat, int origin);

}  // namespace baton::company_leader
