// Who chooses, what is legal and why not, and which rule an action leads to.
#include "games/company_leader/rules.h"

#include <algorithm>

#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {
namespace {

constexpr std::uint32_t verb_bit(Verb verb) { return 1u << static_cast<int>(verb); }

// What may be chosen at a step at all.
constexpr std::uint32_t verbs_at(Step step) {
  switch (step) {
    case Step::set_up: return verb_bit(Verb::place) | verb_bit(Verb::place_for_me) | verb_bit(Verb::place_again) | verb_bit(Verb::ready);
    case Step::actions:
      return verb_bit(Verb::swap) | verb_bit(Verb::reveal) | verb_bit(Verb::conceal) | verb_bit(Verb::move) | verb_bit(Verb::shoot) |
             verb_bit(Verb::repair) | verb_bit(Verb::done);
    case Step::facing: return verb_bit(Verb::face);
    case Step::advance: return verb_bit(Verb::step) | verb_bit(Verb::stay);
    case Step::arrival: return verb_bit(Verb::turn);
    case Step::dummies: return verb_bit(Verb::dummy) | verb_bit(Verb::done);
    case Step::second: return verb_bit(Verb::move) | verb_bit(Verb::shoot) | verb_bit(Verb::done);
    case Step::return_fire: return verb_bit(Verb::fire_back) | verb_bit(Verb::hold_fire);
    case Step::blitz: return verb_bit(Verb::follow_up) | verb_bit(Verb::stay);
    case Step::purchase:
      return verb_bit(Verb::buy) | verb_bit(Verb::put) | verb_bit(Verb::put_facing) | verb_bit(Verb::leave) | verb_bit(Verb::done) |
             verb_bit(Verb::reveal) | verb_bit(Verb::conceal);
    case Step::over: return 0;
  }
  return 0;
}

// How many of the three numbers a verb uses.
constexpr int numbers_of(Verb verb) {
  switch (verb) {
    case Verb::shoot:
    case Verb::put_facing: return 3;
    case Verb::place:
    case Verb::swap:
    case Verb::face:
    case Verb::move:
    case Verb::repair:
    case Verb::put: return 2;
    case Verb::reveal:
    case Verb::conceal:
    case Verb::turn:
    case Verb::dummy:
    case Verb::buy:
    case Verb::leave: return 1;
    default: return 0;
  }
}

bool well_formed(Verb verb, Action a) {
  const int used = numbers_of(verb);
  return (used > 2 || a.c == 0) && (used > 1 || a.b == 0) && (used > 0 || a.a == 0);
}

// The longest list is a turn's. A revealed troop has six moves and either one concealing or up to six repairs, and its shots: the six
// fields around it and the eighteen at distance three with one facing each, of the twelve at distance two six with two, 42 in all. Each
// shot needs a target of another side, and each target is in reach of no more than 42 shots, so there are at most 42 for each troop or each
// target, whichever are fewer: with half the board each the list is longest, because one more troop would be one target less. A piece that
// is not revealed has fewer actions: its reveal and three swaps, each pair counted once. Two more end the step and the game.
constexpr std::size_t most_shots = 42, most_others = 6 + 6;
static_assert(max_fields / 2 * (most_shots + most_others) + 2 <= ActionList::capacity);
static_assert((kind_count - 1) * max_fields + 3 <= ActionList::capacity, "the set-up");
static_assert(most_purchase_fields * (kind_count * (1 + facing_count) + 1) + max_fields + 2 <= ActionList::capacity, "purchases");

// --- Actions with playing pieces --------------------------------------------------------------------------------------

void list_swaps(const Scenario& sc, const SwapSets& sets, ActionList& list) {
  const FieldSet partners = sets.movers | sets.partners, watched_dummies = sets.dummies & sets.observed;
  for (const int a : partners) {
    FieldSet with = sc.board.after[at(a)] & (sets.movers.has(a) ? partners : sets.movers);
    if (with.empty()) continue;
    // why_not_swap on whole sets (R10).
    if (sets.observed.has(a)) {
      if (sets.dummies.has(a)) continue;
      with -= sets.dummies;
    } else {
      with -= sets.dummies.has(a) ? sets.observed : watched_dummies;
    }
    for (const int b : with) push(list, Verb::swap, a, b);
  }
}

void list_swaps_behind_the_screen(const Scenario& sc, const SwapSets& sets, ActionList& list) {
  const FieldSet unwatched = sets.movers - sets.observed, dummies = unwatched & sets.dummies;
  for (const int a : unwatched - dummies) {
    for (const int b : sc.board.around[at(a)] & dummies) push(list, Verb::swap, std::min(a, b), std::max(a, b));
  }
}

void list_shots(const Scenario& sc, const State& s, int field, FieldSet targets, ActionList& list) {
  const auto range = sc.reach(s.kind[at(field)]);
  for (const int target : targets& sc.fire_around[range][at(field)]) {
    for (int d = 0; d < facing_count; ++d) {
      if (sc.fire[range][at(field)][at(d)].has(target)) push(list, Verb::shoot, field, target, d);
    }
  }
}

}  // namespace

void list_actions(const Scenario& sc, const State& s, int seat, Swaps which, ActionList& list) {
  const SwapSets sets = swap_sets(sc, s, seat);
  const FieldSet mine = s.pieces[at(seat)];
  const FieldSet up = mine & s.revealed;
  if (!up.empty()) {
    const FieldSet targets = hostile_pieces(sc, s, seat) & s.revealed;
    for (const int f : up - s.used - s.swapped) {
      for (int d = 0; d < facing_count; ++d) push(list, Verb::move, f, d);
      if (!targets.empty()) list_shots(sc, s, f, targets, list);
      const int missing = s.repair_coins == 0 ? 0 : sc.figures(s.kind[at(f)]).strength - strength_of(s, f);
      for (int points = 1; points <= missing && why_not_repair(sc, s, f, points) == Refusal::none; ++points)
        push(list, Verb::repair, f, points);
    }
    for (const int f : up - s.attacked - s.hid - sets.observed) {
      if (why_not_conceal(sc, s, seat, f, sets.observed) == Refusal::none) push(list, Verb::conceal, f);
    }
  }
  for (const int f : (mine & s.troops) - s.revealed) push(list, Verb::reveal, f);
  if (which == Swaps::all) {
    list_swaps(sc, sets, list);
  } else {
    list_swaps_behind_the_screen(sc, sets, list);
  }
  push(list, Verb::done);
}

namespace {

Refusal why_not_in_turn(const Scenario& sc, const State& s, int seat, Verb verb, Action a) {
  if (verb == Verb::done) return Refusal::none;
  if (a.a >= sc.board.fields) return Refusal::no_such_field;
  switch (verb) {
    case Verb::swap:
      if (a.b >= sc.board.fields) return Refusal::no_such_field;
      if (a.a >= a.b) return Refusal::wrong_order;  // each pair is named once
      if (!sc.board.around[a.a].has(a.b)) return Refusal::not_adjacent;
      return why_not_swap(s, swap_sets(sc, s, seat), seat, a.a, a.b);
    case Verb::reveal: return why_not_reveal(s, seat, a.a);
    case Verb::conceal: return why_not_conceal(sc, s, seat, a.a, observed(sc, s, seat));
    default: break;
  }
  if (const Refusal why = why_not_act(s, seat, a.a); why != Refusal::none) return why;
  switch (verb) {
    case Verb::move: return a.b < facing_count ? Refusal::none : Refusal::no_such_action;
    case Verb::shoot:
      if (a.b >= sc.board.fields) return Refusal::no_such_field;
      return a.c < facing_count ? why_not_shoot(sc, s, a.a, a.b, a.c) : Refusal::no_such_action;
    default: return why_not_repair(sc, s, a.a, a.b);
  }
}

// --- Make purchases ---------------------------------------------------------------------------------------------------

// R12, R37: pieces may still be revealed and concealed in this part of the turn, until something is bought: from then on the
// purchase fields must stay as they are.
bool may_turn_over(const State& s) { return !s.purchase.placing && s.purchase.spent == 0; }

void list_purchase(const Scenario& sc, const State& s, ActionList& list) {
  const PurchaseFields fields = purchase_fields(sc, s);
  if (!s.purchase.placing) {
    for (int k = first_troop; k < kind_count; ++k) {
      if (why_not_buy(sc, s, fields, k) == Refusal::none) push(list, Verb::buy, k);
    }
    if (may_turn_over(s)) {
      const FieldSet mine = s.pieces[s.active];
      for (const int f : (mine & s.revealed) - s.hid - fields.observed) {
        if (why_not_conceal(sc, s, s.active, f, fields.observed) == Refusal::none) push(list, Verb::conceal, f);
      }
      for (const int f : (mine & s.troops) - s.revealed) push(list, Verb::reveal, f);
    }
    push(list, Verb::done);
    return;
  }
  for (const int f : fields.free) {
    for (int k = 0; k < kind_count; ++k) {
      if (k != 0 && s.purchase.bought[at(k)] + s.purchase.lifted[at(k)] == 0) continue;
      if (why_not_put(sc, s, fields, k, f, false) == Refusal::none) push(list, Verb::put, k, f);
      if (why_not_put(sc, s, fields, k, f, true) != Refusal::none) continue;
      for (int d = 0; d < facing_count; ++d) push(list, Verb::put_facing, k, f, d);
    }
    if (why_not_leave(sc, s, fields, f) == Refusal::none) push(list, Verb::leave, f);
  }
}

Refusal why_not_purchase(const Scenario& sc, const State& s, Verb verb, Action a) {
  const PurchaseFields fields = purchase_fields(sc, s);
  if (verb == Verb::done) return s.purchase.placing ? Refusal::not_all_placed : Refusal::none;
  if (verb == Verb::leave) return a.a >= sc.board.fields ? Refusal::no_such_field : why_not_leave(sc, s, fields, a.a);
  if (verb == Verb::reveal || verb == Verb::conceal) {
    if (!may_turn_over(s)) return Refusal::not_now;
    if (a.a >= sc.board.fields) return Refusal::no_such_field;
    return verb == Verb::reveal ? why_not_reveal(s, s.active, a.a) : why_not_conceal(sc, s, s.active, a.a, fields.observed);
  }
  if (verb == Verb::buy) return a.a < first_troop || a.a >= kind_count ? Refusal::no_such_action : why_not_buy(sc, s, fields, a.a);
  if (a.a >= kind_count || a.c >= facing_count) return Refusal::no_such_action;
  if (a.b >= sc.board.fields) return Refusal::no_such_field;
  return why_not_put(sc, s, fields, a.a, a.b, verb == Verb::put_facing);
}

}  // namespace

// --- Who chooses, what is legal ---------------------------------------------------------------------------------------

Seats choosing(const Scenario& sc, const State& s) {
  if (s.step == Step::over) return Seats::none();
  if (s.step != Step::set_up) return Seat(s.chooser);
  Seats all;
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    if (!has_seat(s.ready, seat)) all = all | Seat(seat);
  }
  return all;
}

// "placing again before everyone is ready": the set-up is secret, so nobody gains by it.
Seats reconsidering(const Scenario& sc, const State& s) {
  Seats all;
  for (int seat = 0; s.step == Step::set_up && seat < sc.seat_count(); ++seat) {
    if (has_seat(s.ready, seat)) all = all | Seat(seat);
  }
  return all;
}

namespace {

void list_step(const Scenario& sc, const State& s, int seat, ActionList& list) {
  switch (s.step) {
    case Step::set_up: list_set_up(sc, s, seat, list); return;
    case Step::actions: list_actions(sc, s, seat, Swaps::all, list); return;
    case Step::facing: {
      // R21: the first is the one that a clock takes when nobody chooses.
      const int field = (s.to_face & s.pieces[at(seat)]).front(), first = facing_towards(sc, field, s.scout);
      for (int d = 0; d < facing_count; ++d) push(list, Verb::face, field, turned(first, d));
      return;
    }
    case Step::advance:
      if (why_not_step(sc, s) == Refusal::none) push(list, Verb::step);
      push(list, Verb::stay);
      return;
    case Step::arrival:
      for (int d = 0; d < facing_count; ++d) push(list, Verb::turn, d);
      return;
    case Step::dummies:
      for (const int f : dummy_fields(sc, s)) push(list, Verb::dummy, f);
      push(list, Verb::done);
      return;
    case Step::second: {
      for (int d = 0; d < facing_count; ++d) push(list, Verb::move, s.acting.field, d);
      if (!s.acting.shot) list_shots(sc, s, s.acting.field, hostile_pieces(sc, s, seat) & s.revealed, list);
      push(list, Verb::done);
      return;
    }
    case Step::return_fire:
      push(list, Verb::fire_back);
      push(list, Verb::hold_fire);
      return;
    case Step::blitz:
      push(list, Verb::follow_up);
      push(list, Verb::stay);
      return;
    case Step::purchase: list_purchase(sc, s, list); return;
    case Step::over: return;
  }
}

}  // namespace

void actions(const Scenario& sc, const State& s, Seat chooser, ActionList& list) {
  if (!choosing(sc, s).has(chooser)) {
    if (reconsidering(sc, s).has(chooser)) push(list, Verb::place_again);
    return;
  }
  list_step(sc, s, index(chooser), list);
  if (s.step != Step::set_up) push(list, Verb::surrender);  // R52
}

Refusal why_not(const Scenario& sc, const State& s, Seat chooser, Action a) {
  if (s.step == Step::over) return Refusal::game_over;
  const bool asked = choosing(sc, s).has(chooser);
  if (!asked && !reconsidering(sc, s).has(chooser)) return Refusal::not_your_choice;
  if (a.verb >= verb_count) return Refusal::no_such_action;
  const Verb verb = static_cast<Verb>(a.verb);
  if (!well_formed(verb, a)) return Refusal::no_such_action;
  if (!asked) return verb == Verb::place_again ? Refusal::none : Refusal::not_your_choice;
  if (verb == Verb::surrender) return s.step == Step::set_up ? Refusal::not_now : Refusal::none;  // R52
  if ((verbs_at(s.step) & verb_bit(verb)) == 0) return Refusal::not_now;
  const int seat = index(chooser);
  switch (s.step) {
    case Step::set_up: return why_not_set_up(sc, s, seat, verb, a);
    case Step::actions:
    case Step::second: return why_not_in_turn(sc, s, seat, verb, a);
    case Step::facing:
      if (a.a != (s.to_face & s.pieces[at(seat)]).front()) return Refusal::not_asked;
      return a.b < facing_count ? Refusal::none : Refusal::no_such_action;
    case Step::advance: return verb == Verb::step ? why_not_step(sc, s) : Refusal::none;
    case Step::arrival: return a.a < facing_count ? Refusal::none : Refusal::no_such_action;
    case Step::dummies:
      if (verb == Verb::done) return Refusal::none;
      if (a.a >= sc.board.fields) return Refusal::no_such_field;
      if (dummy_fields(sc, s).has(a.a)) return Refusal::none;
      if (occupied(s).has(a.a)) return Refusal::field_occupied;
      return observed(sc, s, seat).has(a.a) ? Refusal::is_observed : Refusal::not_behind;
    case Step::purchase: return why_not_purchase(sc, s, verb, a);
    default: return Refusal::none;
  }
}

Result result(const Scenario& sc, const State& s) {
  Result r;
  r.over = s.step == Step::over;
  r.reason = static_cast<std::uint8_t>(s.reason);
  for (int seat = 0; seat < sc.seat_count(); ++seat) r.score[at(seat)] = s.score[at(seat)];
  return r;
}

// --- What an action does ----------------------------------------------------------------------------------------------

void apply(const Scenario& sc, State& s, Seat chooser, Action a, Chance& chance, Events& log) {
  Rules rules{sc, s, chance, log};
  const int seat = index(chooser);
  switch (static_cast<Verb>(a.verb)) {
    case Verb::place:
      rules.put_piece(a.b, seat, a.a);
      if (sc.options.free_armies) {
        s.purse[at(seat)] = static_cast<std::uint16_t>(s.purse[at(seat)] - sc.figures(a.a).cost);
      } else {
        --s.hand[at(seat)][a.a];
      }
      return;
    case Verb::place_for_me: rules.place_for(seat); return;
    case Verb::place_again:
      rules.take_back(seat);
      if (has_seat(s.ready, seat)) {
        s.ready &= static_cast<std::uint8_t>(~seat_bit(seat));
        rules.tell(Told::seat_not_ready, seat);
      }
      return;
    case Verb::ready:
      s.ready |= seat_bit(seat);
      rules.tell(Told::seat_ready, seat);
      if (choosing(sc, s).empty()) rules.begin_battle();
      return;
    case Verb::swap: rules.swap(a.a, a.b); return;
    case Verb::reveal: rules.reveal(a.a); return;
    case Verb::conceal: rules.conceal(a.a); return;
    case Verb::face: rules.face(a.a, a.b); return;
    case Verb::move:
      rules.begin_action(a.a);
      s.stand[a.a] = static_cast<std::uint8_t>((s.stand[a.a] & ~7) | a.b);
      rules.tell(Told::turned, a.a, a.b);
      rules.scout();
      rules.ask_facings(Step::advance);
      return;
    case Verb::step: rules.step_ahead(); return;
    case Verb::stay: rules.end_slot(); return;
    case Verb::turn: {
      const int field = s.acting.field;
      s.stand[at(field)] = static_cast<std::uint8_t>((s.stand[at(field)] & ~7) | a.a);
      rules.tell(Told::turned, field, a.a);
      rules.scout();
      rules.ask_facings(Step::dummies);
      return;
    }
    case Verb::dummy:
      rules.tell(Told::dummy_placed, s.active, a.a);
      rules.put_piece(a.a, s.active, 0);
      rules.begin_dummies();
      return;
    case Verb::shoot: rules.shoot(a.a, a.b, a.c); return;
    case Verb::fire_back:
      rules.tell(Told::fired_back, s.acting.target, s.acting.field);
      rules.exchange_fire(true);
      return;
    case Verb::hold_fire:
      rules.tell(Told::fire_held, seat, s.acting.target);
      rules.exchange_fire(false);
      return;
    case Verb::follow_up: rules.follow_up(); return;
    case Verb::repair: rules.repair(a.a, a.b); return;
    case Verb::done:
      switch (s.step) {
        case Step::actions: rules.finish_actions(); return;
        case Step::dummies: rules.end_slot(); return;
        case Step::second: rules.end_activation(); return;
        default:
          if (troop_count(s.purchase.bought) == 0) {
            rules.end_turn();
          } else {
            rules.begin_placing();
          }
          return;
      }
    case Verb::buy:
      ++s.purchase.bought[a.a];
      s.purchase.spent = static_cast<std::uint16_t>(s.purchase.spent + sc.figures(a.a).cost);
      return;
    case Verb::put:
    case Verb::put_facing: rules.put(a.a, a.b, a.c); return;
    case Verb::leave: s.purchase.put[at(rank_of(sc.sides[sc.side_of[s.active]].purchase, a.a))] = left_empty; return;
    case Verb::surrender: rules.surrender(seat); return;
  }
}

bool is_sound(const Scenario& sc, const State& s) {
  FieldSet all;
  for (const FieldSet& pieces : s.pieces) {
    if (pieces.meets(all)) return false;
    all |= pieces;
  }
  if (!(all - sc.board.all).empty() || !(s.revealed - all).empty() || !(s.troops - all).empty() || !(s.revealed - s.troops).empty())
    return false;
  for (int f = 0; f < max_fields; ++f) {
    if (!all.has(f) && (s.kind[at(f)] != 0 || s.shown[at(f)] != 0 || s.stand[at(f)] != 0)) return false;
    if (s.troops.has(f) != (s.kind[at(f)] != 0)) return false;
    if (all.has(f) && s.shown[at(f)] != unknown_kind && s.shown[at(f)] != s.kind[at(f)]) return false;
    if (s.revealed.has(f) &&
        (strength_of(s, f) < 1 || strength_of(s, f) > sc.figures(s.kind[at(f)]).strength || facing_of(s, f) >= facing_count))
      return false;
  }
  // Every unknown piece has an origin; pieces were lifted out of earlier origins only; a joint purse is the same for all who share it.
  for (int seat = 0; seat < sc.seat_count() && s.step != Step::set_up; ++seat) {
    const Origins& origins = s.origins[at(seat)];
    for (int o = 0; o < origin_count; ++o) {
      if (!origins[at(o)].in_use && (!(origins[at(o)] == Origin{}) || !pieces_from(s, seat, o).empty())) return false;
      if (o > 1 && origins[at(o)].in_use && !origins[at(o - 1)].in_use) return false;
      for (int from = 0; from < origin_count; ++from) {
        if (origins[at(o)].lifted[at(from)] != 0 && (from >= o || !origins[at(from)].in_use)) return false;
      }
    }
    for (const int mate : sc.sides[sc.side_of[at(seat)]].seats) {
      if (has_joint_purse(sc, origins, 0) && s.origins[at(mate)][0].coins != origins[0].coins) return false;
    }
  }
  return true;
}

}  // namespace baton::company_leader
