// What the files of the rules share. Not for use outside them.
#pragma once

#include "games/company_leader/rules.h"

namespace baton::company_leader {

constexpr std::uint8_t seat_bit(int seat) { return static_cast<std::uint8_t>(1u << seat); }
constexpr bool has_seat(std::uint8_t set, int seat) { return (static_cast<unsigned>(set) >> seat & 1u) != 0; }

inline const FieldSet& urban_fields(const Scenario& sc) { return sc.board.of_terrain[static_cast<std::size_t>(Terrain::urban)]; }
inline FieldSet hidden_of(const Table& t, int seat) { return t.pieces[at(seat)] - t.revealed; }
inline int troop_count(const Army& army) {
  int count = 0;
  for (int k = first_troop; k < kind_count; ++k) count += army[at(k)];
  return count;
}

inline void push(ActionList& list, Verb verb, int a = 0, int b = 0, int c = 0) {
  list.push(
      {static_cast<std::uint16_t>(verb), static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(c)});
}

// Unknown pieces of an origin; how many were lifted out of it into later ones.
FieldSet pieces_from(const Table& t, int seat, int origin);
int lifted_out_of(const Origins& origins, int origin);
int cost_of(const Scenario& sc, const Army& army);
// R42, R55: of a free army the others know what the whole side has paid.
bool has_joint_purse(const Scenario& sc, const Origins& origins, int origin);

Refusal why_not_set_up(const Scenario& sc, const State& s, int seat, Verb verb, Action a);
void list_set_up(const Scenario& sc, const State& s, int seat, ActionList& list);
// The enemy wins by taking what lies there when the game begins.
bool must_be_guarded(const Scenario& sc, int seat, int field);

// The pieces that may still change place this turn, and those among them that a view in the wrong place would betray.
struct SwapSets {
  FieldSet movers;    // dummies and concealed troops not finished yet
  FieldSet partners;  // revealed troops that may be swapped with
  FieldSet dummies;
  FieldSet observed;
};
SwapSets swap_sets(const Scenario& sc, const State& s, int seat);
Refusal why_not_swap(const State& s, const SwapSets& sets, int seat, int a, int b);

// The actions of a turn. Of the swaps all, or only those of a concealed troop with a dummy where nobody watches.
enum class Swaps : std::uint8_t { all, behind_the_screen };
void list_actions(const Scenario& sc, const State& s, int seat, Swaps which, ActionList& list);

Refusal why_not_reveal(const State& s, int seat, int field);
Refusal why_not_conceal(const Scenario& sc, const State& s, int seat, int field, FieldSet in_view);
Refusal why_not_act(const State& s, int seat, int field);   // move, shoot or repair with that troop at all
Refusal why_not_step(const Scenario& sc, const State& s);   // of the acting troop, straight ahead
FieldSet dummy_fields(const Scenario& sc, const State& s);  // where the acting troop may leave dummies
Refusal why_not_shoot(const Scenario& sc, const State& s, int field, int target, int facing);
Refusal why_not_repair(const Scenario& sc, const State& s, int field, int points);

// Purchase fields of the active seat's side, by what may be done with them (R43–R45).
struct PurchaseFields {
  FieldSet refreshed;  // unobserved, empty or with an own unrevealed piece: lifted and filled again, unless an empty one is left so
  FieldSet in_view;    // observed, empty or with an own dummy: a new troop may enter revealed
  FieldSet of_mate;    // with a team-mate's dummy
  FieldSet observed;
  FieldSet free;  // usable, and nothing has been put there yet
  FieldSet usable() const { return refreshed | in_view | of_mate; }
};
PurchaseFields purchase_fields(const Scenario& sc, const State& s);
Refusal why_not_buy(const Scenario& sc, const State& s, const PurchaseFields& fields, int kind);
Refusal why_not_put(const Scenario& sc, const State& s, const PurchaseFields& fields, int kind, int field, bool facing_given);
Refusal why_not_leave(const Scenario& sc, const State& s, const PurchaseFields& fields, int field);
int rank_of(FieldSet set, int field);

struct Rules {
  const Scenario& sc;
  State& s;
  Chance& chance;
  Events& log;

  template <class... With>
  void tell(Told kind, With... with) {
    log.tell(Seats::everyone(), kind, with...);
  }
  bool over() const { return s.step == Step::over; }
  void ask(Step step, int seat) {
    s.step = step;
    s.chooser = static_cast<std::uint8_t>(seat);
  }
  int side() const { return sc.side_of[s.active]; }

  // rules_set_up.cc
  void place_for(int seat);
  void take_back(int seat);
  void begin_battle();

  // rules_turn.cc
  void begin_turn();
  void finish_actions();
  void end_turn();
  void next_seat();

  // Pieces: the only places where fields change hands.
  void put_piece(int field, int seat, int kind);
  void unmark(int field);
  void remove_piece(int field);
  void move_piece(int from, int to);
  void exchange(int a, int b);
  void show_troop(int field);  // turns it up at full strength, its facing to be chosen

  // rules_move.cc
  void swap(int a, int b);
  void reveal(int field);
  void conceal(int field);
  void ask_facings(Step after);
  void face(int field, int facing);
  void go_on(Step step);
  void begin_action(int field);
  void scout();
  void begin_advance();
  void step_ahead();
  void begin_dummies();
  void end_slot();
  void end_activation();
  bool settled();
  void complete();
  void take_objectives();

  // rules_shoot.cc
  void shoot(int field, int target, int facing);
  void exchange_fire(bool answered);
  int throw_dice(int shooter, int target, int count);
  void hurt(int field, int hits);
  void follow_up();
  void repair(int field, int points);

  // rules_purchase.cc
  void collect_income();
  void begin_placing();
  void put(int kind, int field, int facing);
  void finish_purchase();
  void remember_shown(int field);
  void settle(int seat);
  bool settle_one(int seat, int origin);
  bool explain_shown(int seat, int origin, bool closed);
  void forget(int seat, int origin);
  int new_origin(int seat);

  // rules_victory.cc
  void test_victory();
  void eliminate(int side);
  void surrender(int seat);
  void decide_by_count(Reason reason, bool with_strength);
  void finish(std::uint8_t winning_sides, std::uint8_t drawn_sides, Reason reason);
  void announce(Reason reason);
};

}  // namespace baton::company_leader
