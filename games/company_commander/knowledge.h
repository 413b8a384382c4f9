// What a viewer knows: the table, his own hand, the enemy cards he has seen, and how many there are of the rest.
#pragma once

#include "games/company_commander/state.h"

namespace baton::company_commander {

// Copies of a card cannot be told apart, so card sets here are canonical: of each kind the copies are dealt, lowest
// number first, to own seen, own unseen, known enemy cards, discards, and the unknown rest.
struct Knowledge : Table {
  std::uint8_t viewer = 0;  // a seat, or `spectator`
  CardSet hand = 0;         // own
  CardSet seen = 0;         // of these, the enemy knows
  CardSet enemy = 0;        // in the enemy hand, seen by a recon
  CardSet discard = 0;
  std::array<std::uint8_t, seat_count> hand_size{};
  std::uint8_t deck_size = 0;

  Knowledge() = default;
  explicit Knowledge(const Table& table) : Table(table) {}
  bool operator==(const Knowledge&) const = default;
};

Knowledge observe(const Scenario& sc, const State& s, Seat viewer);
State imagine(const Scenario& sc, const Knowledge& k, Chance& chance);

}  // namespace baton::company_commander
