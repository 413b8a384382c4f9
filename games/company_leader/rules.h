// The rules of Company Leader: who chooses, what is legal, what an action does.
//
//   rules.cc           who chooses, legal actions and why not
//   rules_set_up.cc    the start, placing troops, the beginning of the battle
//   rules_turn.cc      the course of turns and rounds
//   rules_move.cc      swaps, reveals, concealing, movement and scouting, dummies
//   rules_shoot.cc     shots, return fire, blitz, repair
//   rules_purchase.cc  income and purchases, and what opponents remember of pieces
//   rules_victory.cc   elimination, tie-breaks, all ways to win
#pragma once

#include "core/game.h"
#include "games/company_leader/state.h"

namespace baton::company_leader {

enum class Verb : std::uint16_t {
  place,         // set-up: piece, field
  place_for_me,  // set-up: all that is left, sensibly
  place_again,   // set-up: take everything back, also after "ready" as long as others are not
  ready,         // set-up
  swap,          // field, with
  reveal,        // field
  conceal,       // field
  face,          // field, facing: of a troop just revealed
  move,          // field, facing: turn and scout
  step,          // straight ahead
  stay,          // no step
  turn,          // facing: after the step, and scout
  dummy,         // field
  shoot,         // field, target, facing
  fire_back,     //
  hold_fire,     //
  follow_up,     // blitz
  repair,        // field, points
  done,          // no more actions, dummies, second go or purchases
  buy,           // piece
  put,           // piece, field
  put_facing,    // piece, field, facing: enters revealed
  leave,         // field: an empty purchase field stays empty
  surrender,     // at any choice once the battle has begun
};
inline constexpr int verb_count = static_cast<int>(Verb::surrender) + 1;

enum class Refusal : std::uint8_t {
  none,
  game_over,
  not_your_choice,
  no_such_action,
  no_such_field,
  not_now,
  not_your_territory,
  none_left,
  troop_there,
  too_many_troops,
  not_all_placed,
  nothing_placed,
  not_your_piece,
  wrong_order,
  not_adjacent,
  piece_swapped,
  piece_used,
  piece_displaced,
  both_revealed,
  dummy_observed,
  is_dummy,
  is_revealed,
  not_revealed,
  not_full_strength,
  has_attacked,
  has_hidden,
  is_observed,
  carries_objective,
  not_asked,
  off_board,
  field_blocked,
  not_behind,
  field_occupied,
  no_target,
  out_of_fire,
  shot_already,
  not_damaged,
  too_much_repair,
  no_coins,
  enemy_near,
  troop_acted,
  no_room,
  not_purchase_field,
  must_enter_revealed,
  must_enter_concealed,
};
inline constexpr int refusal_count = static_cast<int>(Refusal::must_enter_concealed) + 1;

enum class Told : std::uint16_t {
  set_up_begins,      //
  seat_ready,         // seat
  seat_not_ready,     // seat: places again
  battle_begins,      // seat: who begins
  turn_begins,        // seat, round
  swapped,            // seat, field, with
  revealed,           // seat, field, piece
  spotted,            // seat, field, piece: revealed by scouting
  exposed,            // seat, field, piece: revealed by moving in view
  dummy_removed,      // seat, field
  faced,              // field, facing
  concealed,          // seat, field, piece
  turned,             // field, facing
  stepped,            // field, to
  step_swapped,       // field, to
  dummy_placed,       // seat, field
  shot,               // field, target, facing
  fired_back,         // field, target
  fire_held,          // seat, field
  rolled,             // field, dice, terrain, hits
  dice,               // six faces, 0: not rolled
  damaged,            // field, piece, strength
  destroyed,          // seat, field, piece
  followed_up,        // field, to
  repaired,           // field, strength, coins
  income,             // seat, coins
  bought,             // seat, coins
  refreshed,          // seat
  entered,            // seat, field, piece
  objective_taken,    // objective, field, seat
  objective_dropped,  // objective, field
  objective_won,      // objective, seat
  eliminated,         // seat
  surrendered,        // seat
  won,                // seat, reason
  drawn,              // reason
};
inline constexpr int told_count = static_cast<int>(Told::drawn) + 1;

// A match that nothing decides is decided as at a turn limit after this many rounds, so that every game ends.
inline constexpr int last_round = 200;

State start(const Scenario& sc, Chance& chance, Events& log);
Seats choosing(const Scenario& sc, const State& s);
Seats reconsidering(const Scenario& sc, const State& s);  // ready, while others are not
void actions(const Scenario& sc, const State& s, Seat seat, ActionList& list);
Refusal why_not(const Scenario& sc, const State& s, Seat seat, Action action);
void apply(const Scenario& sc, State& s, Seat seat, Action action, Chance& chance, Events& log);
Result result(const Scenario& sc, const State& s);

// Figures that the view, the odds and the judgement share with the rules.

inline int facing_of(const Table& t, int field) { return t.stand[at(field)] & 7; }
inline int strength_of(const Table& t, int field) { return t.stand[at(field)] >> 3; }
inline int owner_of(const Table& t, int field) {
  for (int seat = 0; seat < most_seats; ++seat) {
    if (t.pieces[at(seat)].has(field)) return seat;
  }
  return -1;
}
inline FieldSet occupied(const Table& t) { return t.pieces[0] | t.pieces[1] | t.pieces[2] | t.pieces[3]; }
FieldSet pieces_of_side(const Scenario& sc, const Table& t, int side);
inline FieldSet hostile_pieces(const Scenario& sc, const Table& t, int seat) {
  return occupied(t) - pieces_of_side(sc, t, sc.side_of[at(seat)]);
}

// Fields in the view of these troops, which are revealed and have their facing.
FieldSet views_of(const Scenario& sc, const Table& t, FieldSet troops);
// Fields in the view of a revealed troop hostile to that seat (R23).
FieldSet observed(const Scenario& sc, const Table& t, int seat);

// R39, R40
FieldSet urban_held(const Scenario& sc, const Table& t, int side);
int income_of(const Scenario& sc, const Table& t, int side);

// R32: whether the target of a shot may answer it.
bool may_fire_back(const Scenario& sc, const Table& t, int shooter, int target);

// R30, R31: hits of a throw; faces are 1…6.
int hits_of(const Scenario& sc, Terrain terrain, bool on_infantry, const int* faces, int count);

// R21: the facing a troop revealed by scouting takes when nobody chooses one: towards the scout, or nearest to it. `actions` lists it
// first.
int facing_towards(const Scenario& sc, int field, int scout);

// What all pieces' records say agrees with itself; for tests.
bool is_sound(const Scenario& sc, const State& s);

}  // namespace baton::company_leader
