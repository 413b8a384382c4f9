// The truth of a match of Company Commander.
//
// Squad decks are sets: a squad is drawn at random when it is needed, so there is no order to keep secret, and what
// is left in a deck is public because every squad on the table or removed is. The same goes for the tactics deck,
// of which only hands and the split between deck and the other hand are secret (R80).
#pragma once

#include <array>
#include <cstdint>

#include "games/company_commander/scenario.h"

namespace baton::company_commander {

inline constexpr std::uint8_t no_unit = 255;
inline constexpr std::uint8_t no_front = 255;
inline constexpr std::uint8_t no_card = 255;

enum class Reason : std::uint8_t { none, kills, fronts, round_limit };

// One company on the table. A unit is in exactly one of deck, drawn, at[…], or removed.
struct Force {
  UnitSet deck = 0;
  UnitSet drawn = 0;  // waiting to be placed
  std::array<UnitSet, front_count> at{};
  UnitSet pinned = 0;  // derived: pins > 0
  std::array<std::uint8_t, max_units> pins{}, casualties{};

  // Until the end of the current turn.
  UnitSet fresh = 0;           // placed this turn: may not move
  UnitSet moved = 0;           //
  UnitSet halted = 0;          // its move was cancelled: may not try again
  UnitSet on_mission = 0;      // went on recon
  UnitSet suppressed = 0;      // used suppression fire
  UnitSet assaulted = 0;       // took part in an assault
  UnitSet green = 0;           // may do nothing
  UnitSet barred_assault = 0;  // Awaiting Orders, Formation Disorder
  UnitSet may_assault = 0;     // although it moved
  UnitSet may_suppress = 0;    // although it moved
  UnitSet anti_tank = 0;       // by a card
  UnitSet rolled_rally = 0;    //
  UnitSet helped_rally = 0;    // HQ that gave its bonus
  std::array<std::int8_t, max_units> turn_dice{};

  // For the rest of the game.
  UnitSet out_of_ammo = 0, broken_down = 0;

  std::uint8_t kills = 0;  // enemy units this company destroyed or routed

  UnitSet on_table() const { return at[0] | at[1] | at[2]; }
  bool operator==(const Force&) const = default;
};

// The assault being declared or fought.
struct Combat {
  std::array<UnitSet, front_count> against{};  // assaulting units by target front
  UnitSet stopped_by_fog = 0;                  // may name another target
  FrontSet to_resolve = 0;
  std::uint8_t front = no_front;  // being fought

  // Cards of the combat being fought; [0] the active company's units, [1] the defender's.
  std::array<std::int8_t, 2> side_dice{};
  std::array<std::array<std::int8_t, max_units>, 2> unit_dice{};
  UnitSet silenced = 0;
  std::uint8_t mines = 0;
  bool simultaneous = false;
  bool firing = false;  // from the first die of the defenders to the last of the attackers

  // The volleys: dice and modifiers are fixed before the first die of a side is rolled (R41).
  std::array<UnitSet, 2> to_fire{};
  std::array<std::array<std::uint8_t, max_units>, 2> dice{};
  std::array<std::array<std::int8_t, max_units>, 2> modifier{};

  bool operator==(const Combat&) const = default;
};

// A suppression attack between its naming and its last roll.
struct Barrage {
  std::uint8_t shooter = no_unit;  // unit of the active company, or none for a support card
  std::uint8_t card = no_card;     // card kind that made it, or none for a unit's own fire
  std::uint8_t front = no_front;
  std::uint8_t rolls_left = 0;
  std::uint8_t dice = 2;     // per roll
  std::int8_t modifier = 0;  // of the shooter, with flank
  std::uint8_t result = 0;   // of the roll now on the table: 1 pin, 2 casualty
  bool operator==(const Barrage&) const = default;
};

// Everything on the table that both players and spectators see.
struct Table {
  Step step = Step::deploy;
  std::uint8_t active = 0, chooser = 0, starter = 0;
  std::uint8_t passes = 0;  // in a row, in a shared window
  std::uint16_t round = 1;

  std::array<Force, seat_count> force;

  // This turn.
  bool headquarters_used = false;
  bool suppression_begun = false;                         // a suppression roll was made
  std::uint8_t stand_in_front = no_front;                 // commander option: where the Company HQ commands this turn
  std::array<std::int8_t, front_count> fire_direction{};  // bonus to the active seat's suppression rolls
  FrontSet fogged = 0;                                    // the other seat's fronts that may not be attacked

  // What is being settled.
  std::uint8_t unit = no_unit;    // the unit that moves, scouts or rallies
  std::uint8_t front = no_front;  // where it goes, what it scouts
  std::int8_t modifier = 0;       // of its rally roll
  Barrage barrage;
  Combat combat;

  Reason reason = Reason::none;
  std::int8_t winner = -1;  // a seat, or -1: drawn or not over

  bool operator==(const Table&) const = default;
};

struct State : Table {
  CardSet deck = 0, discard = 0;
  std::array<CardSet, seat_count> hand{};
  std::array<CardSet, seat_count> seen{};  // cards of that hand which the other seat has seen and which are still there
  bool operator==(const State&) const = default;
};
static_assert(sizeof(State) < 2048);

}  // namespace baton::company_commander
