// What the three files of the rules share, and the odds, which ask the same functions. Not for use outside them.
#pragma once

#include "games/company_commander/notation.h"
#include "games/company_commander/rules.h"

namespace baton::company_commander {

constexpr int other(int seat) { return 1 - seat; }
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr FrontSet front_bit(int front) { return static_cast<FrontSet>(1u << front); }
constexpr bool adjacent(int a, int b) { return a - b == 1 || b - a == 1; }

inline Force& mine(State& s) { return s.force[s.active]; }
inline const Force& mine(const State& s) { return s.force[s.active]; }
inline Force& theirs(State& s) { return s.force[at(other(s.active))]; }
inline const Force& theirs(const State& s) { return s.force[at(other(s.active))]; }

inline int front_of(const Force& force, int unit) {
  for (int f = 0; f < front_count; ++f) {
    if (has(force.at[at(f)], unit)) return f;
  }
  return no_front;
}

inline UnitSet assaulting(const State& s) { return s.combat.against[0] | s.combat.against[1] | s.combat.against[2]; }

// Legality of what units do, written once: the reasons that bar a unit, in the order in which they are told.
// The list of legal actions takes whoever no reason bars; the explanation names the first reason that does.
struct Bar {
  UnitSet units;
  Refusal why;
};
template <std::size_t N>
UnitSet unbarred(const std::array<Bar, N>& bars) {
  UnitSet barred = 0;
  for (const Bar& bar : bars) barred |= bar.units;
  return ~barred;
}
template <std::size_t N>
Refusal first_bar(const std::array<Bar, N>& bars, int unit) {
  for (const Bar& bar : bars) {
    if (has(bar.units, unit)) return bar.why;
  }
  return Refusal::none;
}

// What hits do beyond the table of results: R48, R74 and R50. Mines and support cards have neither.
struct Weapon {
  bool anti_tank = false, sniper = false;
  bool operator==(const Weapon&) const = default;
};

struct Rules {
  const Scenario& sc;
  State& s;
  Chance& chance;
  Events& log;

  template <class... With>
  void tell(Told kind, With... with) {
    log.tell(Seats::everyone(), kind, with...);
  }
  int number(int seat, int unit) const { return unit_number(seat, unit); }
  bool over() const { return s.step == Step::over; }
  void ask(Step step, int seat) {
    s.step = step;
    s.chooser = static_cast<std::uint8_t>(seat);
  }

  // rules.cc: the turn
  void begin_turn();
  void draw_squads(int count);
  void end_deployment();
  void begin_tactics();
  void end_tactics();
  void begin_recon();
  void begin_suppression();
  void begin_declaration();
  void begin_rally();
  void next_rally();
  void finish_rally();
  void end_turn();
  void roll_rally();
  void rally_unit();
  void settle_move(bool stopped);
  void scout(int unit);
  void claim_command(int unit);
  void open_window(Step step, int first, int passes);
  void give_go(int seat);
  void close_window();

  // rules_cards.cc
  CardSet take_from_hand(int seat, int kind);
  void draw_tactics(int seat, int count);
  void play(int seat, Action action);
  void take_effect(int seat, const CardKind& card, Action action);
  void reward_look(int seat);

  // rules_fire.cc
  void begin_barrage(const Barrage& barrage);
  void roll_barrage();
  void land_roll();
  void settle_roll(bool cancelled);
  void settle_spotted(bool cancelled);
  void end_declaration();
  void begin_combats();
  void next_combat();
  void begin_combat(int front);
  void fight();
  void prepare_volley(int side);
  void fire_on(int side);
  void fire_unit(int side, int unit);
  void side_has_fired(int side);
  void end_combat();
  void strike(int seat, UnitSet pool, bool casualty, Weapon weapon);
  void hit(int seat, int unit, bool casualty, bool sniper);
  void remove(int seat, int unit, Told how);
  void test_victory();
  void finish(int winner, Reason reason);
};

enum class Outcome : std::uint8_t { nothing, pin, casualty };
Outcome suppression_outcome(const Figures& f, int total);
Outcome fire_outcome(const Figures& f, int total);
enum class Scouting : std::uint8_t { spotted, nothing, success };
Scouting recon_outcome(const Figures& f, int total);
inline bool rallies(const Figures& f, int total) { return total >= f.rally; }

// R55, R56: `helped` by an HQ, or an HQ itself.
inline int rally_modifier(const Scenario& sc, int seat, int unit, bool helped) {
  const bool bonus = helped || has(sc.with(seat, Keyword::commander), unit);
  return sc.companies[at(seat)].rally_modifier[at(unit)] + (bonus ? sc.figures.hq_rally_bonus : 0);
}

inline Weapon weapon_of(const Scenario& sc, const Table& t, int seat, int unit) {
  return {has(sc.with(seat, Keyword::anti_tank) | t.force[at(seat)].anti_tank, unit), has(sc.with(seat, Keyword::sniper), unit)};
}
// R48: casualties of anti-tank weapons go first to vehicles and artillery.
inline UnitSet aimed_at(const Scenario& sc, int seat, UnitSet pool, bool casualty, bool anti_tank) {
  const UnitSet first = casualty && anti_tank ? pool & sc.companies[at(seat)].anti_tank_first : 0;
  return first != 0 ? first : pool;
}

// Suppression attacks as they are named (rules_fire.cc): of a unit, by its own ability or a card, and of a support card.
Barrage unit_barrage(const Scenario& sc, const Table& t, int unit, int front, int card);
Barrage support_barrage(const Scenario& sc, int card, int front);
inline int barrage_modifier(const Table& t, const Barrage& b) { return b.modifier + t.fire_direction[b.front]; }
inline Weapon barrage_weapon(const Scenario& sc, const Table& t, const Barrage& b) {
  return b.shooter == no_unit ? Weapon{} : weapon_of(sc, t, t.active, b.shooter);
}

// Which units may do what, and why not (rules.cc).
Refusal why_not_move(const Scenario& sc, const State& s, int unit);
UnitSet may_suppress(const Scenario& sc, const State& s, bool by_card);
UnitSet may_rally(const Scenario& sc, const State& s);
Refusal why_not_suppress(const Scenario& sc, const State& s, int unit, bool by_card);
Refusal why_not_target(const State& s, int own_front, int target);
bool fire_order_matters(const Scenario& sc, const State& s, int side);
inline int firing_side(const State& s) { return s.step == Step::defenders_fire ? 1 : 0; }

// Cards (rules_cards.cc).
void card_actions(const Scenario& sc, const State& s, int seat, ActionList& list);
Refusal why_not_play(const Scenario& sc, const State& s, int seat, Action action);

}  // namespace baton::company_commander
