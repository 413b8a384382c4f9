// The rules of Company Commander: who chooses, what is legal, what an action does.
//
//   rules.cc       what is legal, and what an action does, in rulebook order
//   rules_turn.cc  the course of the turn: windows, phases, its end
//   rules_cards.cc playing tactics cards: windows, targets, effects
//   rules_fire.cc  suppression, combat, hits, removal, victory
#pragma once

#include "core/game.h"
#include "games/company_commander/state.h"

namespace baton::company_commander {

enum class Verb : std::uint16_t {
  pass,             // leave the window or reaction
  done,             // end this part of the own turn
  deploy,           // unit, front
  move,             // unit, front
  headquarters,     // deck: the Company HQ's extra card
  recon,            // unit
  look,             // recon reward: see the enemy hand
  direct_fire,      // recon reward: +1 to suppression against that front
  suppress,         // unit, front
  assault,          // unit, front
  resolve,          // front: which combat is next
  fire_all,         // the remaining units fire in the order of the company list
  fire,             // unit: fires next
  rally,            // unit
  rally_helped,     // unit, by: an HQ that helps
  discard,          // card
  play,             // card
  play_front,       // card, front
  play_unit,        // card, unit
  play_unit_front,  // card, unit, front
};
inline constexpr int verb_count = static_cast<int>(Verb::play_unit_front) + 1;

enum class Refusal : std::uint8_t {
  none,
  game_over,
  not_your_choice,
  no_such_action,
  no_such_thing,
  not_now,
  squads_waiting,
  unit_not_yours,
  unit_not_waiting,
  unit_not_on_table,
  unit_pinned,
  unit_moved,
  unit_fresh,
  unit_halted,
  unit_green,
  unit_broken_down,
  unit_on_mission,
  unit_fired,
  unit_out_of_ammo,
  unit_cannot_recon,
  unit_cannot_suppress,
  unit_cannot_assault,
  unit_barred,
  unit_assaulting,
  unit_not_stopped,
  unit_not_firing,
  unit_not_pinned,
  unit_rolled,
  no_command,
  front_not_adjacent,
  front_empty,
  front_not_opposite,
  front_fogged,
  front_not_contested,
  no_headquarters,
  headquarters_used,
  deck_empty,
  hand_empty,
  helper_not_hq,
  helper_self,
  helper_elsewhere,
  helper_busy,
  card_not_held,
  card_other_nation,
  card_other_time,
  card_needs_target,
  card_wrong_target,
};

enum class Told : std::uint16_t {
  turn_begins,         // seat, round
  phase_begins,        // phase
  squad_drawn,         // unit
  deployed,            // unit, front
  move_announced,      // unit, front
  moved,               // unit, front
  move_cancelled,      // unit
  headquarters_draws,  // seat, deck
  tactics_drawn,       // seat, count
  card_drawn,          // card: to its owner only
  deck_reshuffled,     //
  card_played,         // seat, card
  card_played_front,   // seat, card, front
  card_played_unit,    // seat, card, unit
  card_discarded,      // seat, card
  recon_roll,          // unit, front, die, modifier
  recon_nothing,       // unit
  recon_spotted,       // unit
  recon_success,       // unit
  hand_looked_at,      // seat
  card_seen,           // card: to both players
  fire_directed,       // seat, front
  suppression_named,   // unit, front
  suppression_roll,    // front, first, second, modifier
  barrage_roll,        // front, dice, total, modifier
  spotted_roll,        // unit, first, second
  roll_cancelled,      // seat
  attack_fogged,       // front
  assault_declared,    // unit, front
  assault_blocked,     // unit
  combat_begins,       // front
  mine_roll,           // die
  fire_roll,           // unit, die, modifier
  pinned,              // unit
  casualty,            // unit
  armour_roll,         // unit, die, modifier
  armour_holds,        // unit
  sniper_in_vain,      // unit
  commander_roll,      // unit, die
  destroyed,           // unit
  routed,              // unit
  rally_roll,          // unit, die, modifier
  rallied,             // unit
  rally_failed,        // unit
  rally_cancelled,     // unit
  won,                 // seat, reason
  drawn,               // reason
};
inline constexpr int told_count = static_cast<int>(Told::drawn) + 1;

enum class Phase : std::uint8_t { deployment, tactics, recon, suppression, assault, rally };
enum class Deck : std::uint8_t { squad, tactics };

State start(const Scenario& sc, Chance& chance, Events& log);
Seats choosing(const Scenario& sc, const State& s);
void actions(const Scenario& sc, const State& s, Seat seat, ActionList& list);
Refusal why_not(const Scenario& sc, const State& s, Seat seat, Action action);
void apply(const Scenario& sc, State& s, Seat seat, Action action, Chance& chance, Events& log);
Result result(const Scenario& sc, const State& s);

// A number that no action changes: cards and units are never lost or doubled. For the conformance tests.
std::uint64_t conserved(const Scenario& sc, const State& s);

}  // namespace baton::company_commander
