// Actions with dummies and concealed troops, and the movement of revealed troops.
#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

FieldSet pieces_of_side(const Scenario& sc, const Table& t, int side) {
  FieldSet all;
  for (std::size_t seat = 0; seat < most_seats; ++seat) {  // seats that nobody has have no pieces
    if (sc.side_of[seat] == side) all |= t.pieces[seat];
  }
  return all;
}

FieldSet views_of(const Scenario& sc, const Table& t, FieldSet troops) {
  FieldSet seen;
  for (const int f : troops) seen |= sc.seen_from(t.shown[at(f)], f, facing_of(t, f));
  return seen;
}

// R23: only troops whose facing is chosen look anywhere.
FieldSet observed(const Scenario& sc, const Table& t, int seat) {
  return views_of(sc, t, (hostile_pieces(sc, t, seat) & t.revealed) - t.to_face);
}

int facing_towards(const Scenario& sc, int field, int scout) {
  if (scout >= sc.board.fields) return 0;
  const Hex here = sc.board.hex[at(field)], there = sc.board.hex[at(scout)];
  int best = 0;
  for (int d = 1; d < facing_count; ++d) {
    if (distance(here + direction(d), there) < distance(here + direction(best), there)) best = d;
  }
  return best;
}

// --- Actions with dummies and concealed troops ------------------------------------------------------------------------

// "swap each of his dummies or concealed troops with a playing piece of his own on an adjacent field" · R7–R10
SwapSets swap_sets(const Scenario& sc, const State& s, int seat) {
  const FieldSet mine = s.pieces[at(seat)];
  const FieldSet fresh = mine - s.swapped - s.used - s.displaced;
  return {fresh - s.revealed, fresh & s.revealed, mine - s.troops, observed(sc, s, seat)};
}

Refusal why_not_swap(const State& s, const SwapSets& sets, int seat, int a, int b) {
  for (const int f : {a, b}) {
    if (!s.pieces[at(seat)].has(f)) return Refusal::not_your_piece;
  }
  for (const int f : {a, b}) {
    if (s.swapped.has(f)) return Refusal::piece_swapped;  // R7, R8
    if (s.used.has(f)) return Refusal::piece_used;
    if (s.displaced.has(f)) return Refusal::piece_displaced;  // R9
  }
  if (!sets.movers.has(a) && !sets.movers.has(b)) return Refusal::both_revealed;
  const bool in_view = sets.observed.has(a) || sets.observed.has(b);
  if (in_view && (sets.dummies.has(a) || sets.dummies.has(b))) return Refusal::dummy_observed;  // R10
  return Refusal::none;
}

void Rules::swap(int a, int b) {
  const FieldSet seen = observed(sc, s, s.active);
  const bool in_view = seen.has(a) || seen.has(b);
  tell(Told::swapped, s.active, a, b);
  exchange(a, b);
  for (const int f : {a, b}) {
    if (s.revealed.has(f)) {
      s.displaced.insert(f);  // R9
      continue;
    }
    s.swapped.insert(f);
    if (in_view) {  // R10: "they are revealed immediately"
      tell(Told::exposed, s.active, f, s.kind[at(f)]);
      show_troop(f);
    }
  }
  ask_facings(Step::actions);
}

// "a player can voluntarily reveal his playing pieces at all times" · R12
Refusal why_not_reveal(const State& s, int seat, int field) {
  if (!s.pieces[at(seat)].has(field)) return Refusal::not_your_piece;
  if (s.revealed.has(field)) return Refusal::is_revealed;
  if (!s.troops.has(field)) return Refusal::is_dummy;
  return Refusal::none;
}

void Rules::reveal(int field) {
  tell(Told::revealed, s.active, field, s.kind[at(field)]);
  show_troop(field);
  ask_facings(s.step);
}

// "Concealing troops" · R35, R37, R38 as changed: once a turn
Refusal why_not_conceal(const Scenario& sc, const State& s, int seat, int field, FieldSet in_view) {
  if (!s.pieces[at(seat)].has(field)) return Refusal::not_your_piece;
  if (!s.revealed.has(field)) return Refusal::not_revealed;
  if (strength_of(s, field) < sc.figures(s.kind[at(field)]).strength) return Refusal::not_full_strength;
  if (s.attacked.has(field)) return Refusal::has_attacked;
  if (s.hid.has(field)) return Refusal::has_hidden;
  if (in_view.has(field)) return Refusal::is_observed;
  for (int i = 0; i < static_cast<int>(sc.objectives.size()); ++i) {
    if (has_seat(s.carried, i) && s.objective_at[at(i)] == field) return Refusal::carries_objective;
  }
  return Refusal::none;
}

// What it is stays known as long as its way can be followed: `shown` keeps the kind.
void Rules::conceal(int field) {
  s.revealed.erase(field);
  s.stand[at(field)] = 0;
  s.hid.insert(field);
  tell(Told::concealed, s.active, field, s.kind[at(field)]);
  go_on(s.step);
}

// "this opponent … can choose in which direction he will place the playing pieces" · R20, R21
void Rules::ask_facings(Step after) {
  s.after_facing = after;
  if (s.to_face.empty()) {
    s.scout = no_field;
    s.after_facing = Step::actions;
    go_on(after);
    return;
  }
  // Owners in turn order from the active seat on.
  for (int i = 0; i < sc.seat_count(); ++i) {
    const int seat = (s.active + i) % sc.seat_count();
    if (s.pieces[at(seat)].meets(s.to_face)) {
      ask(Step::facing, seat);
      return;
    }
  }
}

void Rules::face(int field, int facing) {
  s.to_face.erase(field);
  s.stand[at(field)] = static_cast<std::uint8_t>((s.stand[at(field)] & ~7) | facing);
  tell(Told::faced, field, facing);
  ask_facings(s.after_facing);
}

// Where the turn goes on once all facings are chosen.
void Rules::go_on(Step step) {
  take_objectives();
  if (over()) return;
  switch (step) {
    case Step::advance: begin_advance(); return;
    case Step::arrival: ask(Step::arrival, s.active); return;
    case Step::dummies: begin_dummies(); return;
    case Step::purchase:
      if (settled()) ask(Step::purchase, s.active);
      return;
    default: complete(); return;
  }
}

// --- Movement of revealed troops --------------------------------------------------------------------------------------

// "only one at the time" · R8, R13
Refusal why_not_act(const State& s, int seat, int field) {
  if (!s.pieces[at(seat)].has(field)) return Refusal::not_your_piece;
  if (s.step == Step::second) return field == s.acting.field ? Refusal::none : Refusal::troop_acted;
  if (!s.revealed.has(field)) return Refusal::not_revealed;
  if (s.swapped.has(field)) return Refusal::piece_swapped;
  if (s.used.has(field)) return Refusal::piece_used;
  return Refusal::none;
}

void Rules::begin_action(int field) {
  if (s.step == Step::second) return;
  s.acting = {};
  s.acting.field = static_cast<std::uint8_t>(field);
  s.acting.slots = static_cast<std::uint8_t>(sc.figures(s.kind[at(field)]).speed);  // R19
}

// "the opponent's dummies are removed from the game board and hostile troops are revealed" · R15, R20, R22
void Rules::scout() {
  const int field = s.acting.field;
  const FieldSet seen = sc.seen_from(s.kind[at(field)], field, facing_of(s, field));
  const FieldSet found = (hostile_pieces(sc, s, s.active) - s.revealed) & seen;
  for (const int f : found) {
    const int owner = owner_of(s, f);
    if (s.troops.has(f)) {
      tell(Told::spotted, owner, f, s.kind[at(f)]);
      show_troop(f);
      s.scout = static_cast<std::uint8_t>(field);
    } else {
      tell(Told::dummy_removed, owner, f);
      remove_piece(f);
    }
  }
}

// R16: one field straight ahead, empty or with an own piece that may be swapped.
Refusal why_not_step(const Scenario& sc, const State& s) {
  const int from = s.acting.field, to = sc.board.next[at(from)][at(facing_of(s, from))];
  if (to < 0) return Refusal::off_board;
  if (s.displaced.has(from)) return Refusal::piece_displaced;
  const int owner = owner_of(s, to);
  if (owner < 0) return Refusal::none;
  if (owner != s.active) return Refusal::field_blocked;
  if (s.swapped.has(to)) return Refusal::piece_swapped;
  if (s.used.has(to)) return Refusal::piece_used;
  if (s.displaced.has(to)) return Refusal::piece_displaced;
  if (!s.troops.has(to)) {
    const FieldSet seen = observed(sc, s, s.active);
    if (seen.has(from) || seen.has(to)) return Refusal::dummy_observed;  // R10
  }
  return Refusal::none;
}

// R17, R18: the troop may step or stay. Whether it is asked must not tell what an unrevealed piece before it is.
void Rules::begin_advance() {
  const Refusal why = why_not_step(sc, s);
  if (why == Refusal::none || why == Refusal::dummy_observed) {
    ask(Step::advance, s.active);
  } else {
    end_slot();
  }
}

void Rules::step_ahead() {
  const int from = s.acting.field, facing = facing_of(s, from), to = sc.board.next[at(from)][at(facing)];
  const FieldSet seen = observed(sc, s, s.active);
  s.acting.from = static_cast<std::uint8_t>(from);
  s.acting.direction = static_cast<std::uint8_t>(facing);
  s.acting.field = static_cast<std::uint8_t>(to);
  if (owner_of(s, to) < 0) {
    tell(Told::stepped, from, to);
    move_piece(from, to);
  } else {
    tell(Told::step_swapped, from, to);
    exchange(from, to);
    if (s.revealed.has(from)) {
      s.displaced.insert(from);
    } else {
      s.swapped.insert(from);
      if (seen.has(from) || seen.has(to)) {
        tell(Told::exposed, s.active, from, s.kind[at(from)]);
        show_troop(from);
      }
    }
  }
  if (s.attacked.has(from)) {
    s.attacked.erase(from);
    s.attacked.insert(to);
  }
  take_objectives();
  if (!over()) ask_facings(Step::arrival);
}

// "place dummies on the three adjacent fields … in the direction where it came from" · R24
FieldSet dummy_fields(const Scenario& sc, const State& s) {
  const int from = s.acting.from, d = s.acting.direction;
  FieldSet fields = FieldSet::of(from);
  for (const int side : {turned(d, -1), turned(d, 1)}) {
    if (const int f = sc.board.next[at(from)][at(side)]; f >= 0) fields.insert(f);
  }
  fields -= occupied(s);
  return fields.empty() ? fields : fields - observed(sc, s, s.active);
}

void Rules::begin_dummies() {
  if (dummy_fields(sc, s).empty()) {
    end_slot();
  } else {
    ask(Step::dummies, s.active);
  }
}

// R19: a fast troop has a second go, unless its first has decided the game (R48).
void Rules::end_slot() {
  s.acting.from = no_field;
  s.acting.direction = 0;
  s.acting.target = no_field;
  --s.acting.slots;
  if (s.acting.slots > 0) {
    if (settled()) ask(Step::second, s.active);
  } else {
    end_activation();
  }
}

void Rules::end_activation() {
  const int field = s.acting.field;
  s.acting = {};
  s.used.insert(field);
  complete();
}

// R48: after every completed action and at the end of a turn. False when the game or the active seat's part in it is over.
bool Rules::settled() {
  const int seat = s.active;
  take_objectives();
  if (!over()) test_victory();
  return !over() && s.active == seat;
}

// Between two actions.
void Rules::complete() {
  if (settled()) ask(Step::actions, s.active);
}

// Scenarios, "has to be brought back": a revealed troop on the objective's field takes it, however it came there; on its goal it has won.
void Rules::take_objectives() {
  for (int i = 0; i < static_cast<int>(sc.objectives.size()); ++i) {
    const Objective& o = sc.objectives[at(i)];
    const int field = s.objective_at[at(i)];
    if (!(s.revealed - s.to_face).has(field)) continue;
    const int seat = owner_of(s, field), side = sc.side_of[at(seat)];
    bool won = false;
    if (!has_seat(s.carried, i)) {
      won = o.captured_by == side;
      if (!won && !has_seat(o.carriers, seat)) continue;
      s.carried |= seat_bit(i);
      tell(Told::objective_taken, i, field, seat);
    }
    const FieldSet& goal = o.to_exits ? sc.board.exits : sc.sides[at(side)].purchase;
    if (won || goal.has(field)) {
      tell(Told::objective_won, i, seat);
      finish(seat_bit(side), 0, Reason::objective);
      return;
    }
  }
}

// --- Pieces -----------------------------------------------------------------------------------------------------------

void Rules::put_piece(int field, int seat, int kind) {
  s.pieces[at(seat)].insert(field);
  s.kind[at(field)] = static_cast<std::uint8_t>(kind);
  if (kind != 0) s.troops.insert(field);
}

void Rules::unmark(int field) {
  for (FieldSet* marks : {&s.swapped, &s.used, &s.displaced, &s.attacked, &s.hid}) marks->erase(field);
}

// The fields of an objective's carrier: dropped where it fell.
void Rules::remove_piece(int field) {
  const int seat = owner_of(s, field);
  const bool unknown = s.shown[at(field)] == unknown_kind;
  const bool was_revealed = s.revealed.has(field);
  s.pieces[at(seat)].erase(field);
  s.revealed.erase(field);
  s.troops.erase(field);
  s.to_face.erase(field);
  unmark(field);
  s.kind[at(field)] = s.shown[at(field)] = s.stand[at(field)] = 0;
  if (unknown && !was_revealed) settle(seat);
  for (int i = 0; i < static_cast<int>(sc.objectives.size()); ++i) {
    if (was_revealed && has_seat(s.carried, i) && s.objective_at[at(i)] == field) {
      s.carried &= static_cast<std::uint8_t>(~seat_bit(i));
      tell(Told::objective_dropped, i, field);
    }
  }
}

namespace {

void carry(const Scenario& sc, State& s, int from, int to, bool also_back) {
  for (std::size_t i = 0; i < sc.objectives.size(); ++i) {
    if (!has_seat(s.carried, static_cast<int>(i))) continue;
    if (s.objective_at[i] == from) {
      s.objective_at[i] = static_cast<std::uint8_t>(to);
    } else if (also_back && s.objective_at[i] == to) {
      s.objective_at[i] = static_cast<std::uint8_t>(from);
    }
  }
}

void exchange_bits(FieldSet& set, int a, int b) {
  const bool in_a = set.has(a), in_b = set.has(b);
  if (in_a == in_b) return;
  if (in_a) {
    set.erase(a);
    set.insert(b);
  } else {
    set.erase(b);
    set.insert(a);
  }
}

}  // namespace

void Rules::move_piece(int from, int to) {
  FieldSet& own = s.pieces[at(owner_of(s, from))];
  exchange_bits(own, from, to);
  exchange_bits(s.revealed, from, to);
  exchange_bits(s.hid, from, to);
  exchange_bits(s.troops, from, to);
  for (auto* array : {&s.kind, &s.shown, &s.stand}) std::swap((*array)[at(from)], (*array)[at(to)]);
  carry(sc, s, from, to, false);
}

// Both pieces belong to the same seat.
void Rules::exchange(int a, int b) {
  exchange_bits(s.revealed, a, b);
  exchange_bits(s.hid, a, b);
  exchange_bits(s.troops, a, b);
  for (auto* array : {&s.kind, &s.shown, &s.stand}) std::swap((*array)[at(a)], (*array)[at(b)]);
  if (!sc.objectives.empty()) carry(sc, s, a, b, true);
}

void Rules::show_troop(int field) {
  remember_shown(field);
  s.revealed.insert(field);
  s.stand[at(field)] = static_cast<std::uint8_t>(sc.figures(s.kind[at(field)]).strength << 3);
  s.to_face.insert(field);
  s.stirred = true;
}

}  // namespace baton::company_leader
