// Suppression, combat, hits, removal and victory.
#include <algorithm>
#include <utility>

#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {

Outcome suppression_outcome(const Figures& f, int total) {
  return total >= f.suppression_casualty ? Outcome::casualty : total >= f.suppression_pin ? Outcome::pin : Outcome::nothing;
}

Outcome fire_outcome(const Figures& f, int total) {
  return total >= f.fire_casualty ? Outcome::casualty : total >= f.fire_pin ? Outcome::pin : Outcome::nothing;
}

// --- Suppression phase · R31–R36 -------------------------------------------------------------------------------------

// R31, R51: one roll of two dice; from the flank with a bonus.
Barrage unit_barrage(const Scenario& sc, const Table& t, int unit, int front, int card) {
  const bool flank = front_of(t.force[t.active], unit) != front;
  Barrage b;
  b.shooter = static_cast<std::uint8_t>(unit);
  b.card = static_cast<std::uint8_t>(card);
  b.front = static_cast<std::uint8_t>(front);
  b.rolls_left = 1;
  b.modifier = static_cast<std::int8_t>(sc.companies[t.active].suppress_modifier[at(unit)] + (flank ? sc.figures.flank_bonus : 0));
  return b;
}

// R23: that many rolls of two dice, or one roll of that many dice.
Barrage support_barrage(const Scenario& sc, int card, int front) {
  const auto amount = static_cast<std::uint8_t>(sc.cards[at(card)].amount);
  Barrage b;
  b.card = static_cast<std::uint8_t>(card);
  b.front = static_cast<std::uint8_t>(front);
  b.rolls_left = sc.options.support_as_sum ? 1 : amount;
  if (sc.options.support_as_sum) b.dice = amount;
  return b;
}

// A target front has been named. The other seat may shroud it before the first roll (SUPP_START).
void Rules::begin_barrage(const Barrage& barrage) {
  s.barrage = barrage;
  if (s.hand[at(other(s.active))] != 0) {
    ask(Step::fog_reaction, other(s.active));
  } else {
    roll_barrage();
  }
}

// Each roll is seen, may be cancelled (R34), and falls on a random unit then in the front (R33).
void Rules::roll_barrage() {
  Barrage& b = s.barrage;
  s.suppression_begun = true;
  if (b.shooter != no_unit) mine(s).suppressed |= bit(b.shooter);  // R35
  while (b.rolls_left > 0 && theirs(s).at[b.front] != 0) {
    --b.rolls_left;
    const int modifier = barrage_modifier(s, b);
    int total = 0;
    if (b.dice == 2) {
      const int first = chance.die(), second = chance.die();
      total = first + second;
      tell(Told::suppression_roll, b.front, first, second, modifier);
    } else {  // R23, sum_nd6
      for (int i = 0; i < b.dice; ++i) total += chance.die();
      tell(Told::barrage_roll, b.front, b.dice, total, modifier);
    }
    b.result = static_cast<std::uint8_t>(suppression_outcome(sc.figures, total + modifier));
    if (b.result == 0) continue;
    if (s.hand[at(other(s.active))] != 0) {
      ask(Step::roll_reaction, other(s.active));
      return;
    }
    land_roll();
    if (over()) return;
  }
  s.barrage = {};
  ask(Step::suppression, s.active);
}

void Rules::land_roll() {
  const Barrage& b = s.barrage;
  const Weapon weapon = barrage_weapon(sc, s, b);
  strike(other(s.active), theirs(s).at[b.front], static_cast<Outcome>(b.result) == Outcome::casualty, weapon);
}

void Rules::settle_roll(bool cancelled) {
  if (!cancelled) land_roll();
  if (!over()) roll_barrage();
}

// R29: the roll against a spotted recon unit falls on that unit itself.
void Rules::settle_spotted(bool cancelled) {
  const bool casualty = static_cast<Outcome>(s.barrage.result) == Outcome::casualty;
  const int unit = s.unit;
  s.barrage = {};
  s.unit = no_unit;
  s.front = no_front;
  if (!cancelled) hit(s.active, unit, casualty, false);
  if (!over()) ask(Step::recon, s.active);
}

// --- Assault phase · R37–R45 -----------------------------------------------------------------------------------------

// Declaring is over; both may now play blocking and other cards. Ending the declaration was the attacker's pass (R19).
void Rules::end_declaration() {
  if (assaulting(s) == 0) {
    begin_rally();
    return;
  }
  open_window(Step::block, other(s.active), 1);
}

// R39: whoever was stopped has left and counts as not having attacked.
void Rules::begin_combats() {
  Combat& c = s.combat;
  c.stopped_by_fog = 0;
  mine(s).assaulted |= assaulting(s);
  for (int f = 0; f < front_count; ++f) {
    if (c.against[at(f)] != 0) c.to_resolve |= front_bit(f);
  }
  next_combat();
}

// R37: the attacker chooses the order of combats.
void Rules::next_combat() {
  const FrontSet left = s.combat.to_resolve;
  if (left == 0) {
    begin_rally();
  } else if (std::has_single_bit(left)) {
    begin_combat(std::countr_zero(left));
  } else {
    ask(Step::combat_order, s.active);
  }
}

void Rules::begin_combat(int front) {
  s.combat.to_resolve &= static_cast<FrontSet>(~front_bit(front));
  s.combat.front = static_cast<std::uint8_t>(front);
  tell(Told::combat_begins, front);
  open_window(Step::combat_cards, s.active, 0);
}

// R38: mines, then all unpinned defenders fire, then the attackers who still can.
void Rules::fight() {
  Combat& c = s.combat;
  const auto front = at(c.front);
  for (; c.mines > 0 && c.against[front] != 0; --c.mines) {  // 1. mines (R70)
    const int die = chance.die();
    tell(Told::mine_roll, die);
    const Outcome outcome = fire_outcome(sc.figures, die);
    if (outcome == Outcome::nothing) continue;
    strike(s.active, c.against[front], outcome == Outcome::casualty, {});
    if (over()) return;
  }
  c.mines = 0;
  if (c.against[front] == 0) {
    end_combat();
    return;
  }
  c.firing = true;
  prepare_volley(1);                      // 2. defenders
  if (c.simultaneous) prepare_volley(0);  // R45: both sides count their dice now
  fire_on(1);
}

// R42: dice per unit = strength − casualties + ability + cards; pinned units roll none. R21: cards may be modifiers instead.
void Rules::prepare_volley(int side) {
  Combat& c = s.combat;
  const int seat = side == 0 ? s.active : other(s.active);
  const Force& force = s.force[at(seat)];
  const Company& company = sc.companies[at(seat)];
  const UnitSet group = side == 0 ? c.against[c.front] : force.at[c.front];
  const UnitSet ability = side == 0 ? sc.with(seat, Keyword::assault) : sc.with(seat, Keyword::defense);
  const int ability_dice = side == 0 ? sc.figures.assault_dice : sc.figures.defense_dice;
  c.to_fire[at(side)] = 0;
  for (const int unit : each(group & ~force.pinned & ~force.green & ~(side == 0 ? c.silenced | force.broken_down : 0u))) {
    const auto u = at(unit);
    int dice = company.strength[u] - force.casualties[u] + (has(ability, unit) ? ability_dice : 0);
    int modifier = side == 0 && !has(force.at[c.front], unit) ? sc.figures.flank_bonus : 0;  // R51
    const int cards = c.side_dice[at(side)] + c.unit_dice[at(side)][u] + force.turn_dice[u];
    (sc.options.fire_bonus_as_modifier ? modifier : dice) += cards;
    if (dice <= 0) continue;
    c.to_fire[at(side)] |= bit(unit);
    c.dice[at(side)][u] = static_cast<std::uint8_t>(std::min(dice, 255));
    c.modifier[at(side)][u] = static_cast<std::int8_t>(std::clamp(modifier, -100, 100));
  }
}

// R41: the owner's order, asked only where units differ in what their hits do.
bool fire_order_matters(const Scenario& sc, const State& s, int side) {
  const Combat& c = s.combat;
  const int seat = side == 0 ? s.active : other(s.active);
  const UnitSet shooters = c.to_fire[at(side)];
  const UnitSet targets = side == 0 ? theirs(s).at[c.front] : c.against[c.front];
  if (std::popcount(shooters) < 2 || std::popcount(targets) < 2) return false;
  const UnitSet anti_tank = shooters & (sc.with(seat, Keyword::anti_tank) | s.force[at(seat)].anti_tank);
  const UnitSet snipers = shooters & sc.with(seat, Keyword::sniper);
  if ((anti_tank != 0 && anti_tank != shooters) || (snipers != 0 && snipers != shooters)) return true;
  const auto& modifier = c.modifier[at(side)];
  const int first = modifier[at(std::countr_zero(shooters))];
  for (const int unit : each(shooters)) {
    if (modifier[at(unit)] != first) return true;
  }
  return false;
}

void Rules::fire_on(int side) {
  if (fire_order_matters(sc, s, side)) {
    ask(side == 1 ? Step::defenders_fire : Step::attackers_fire, side == 1 ? other(s.active) : s.active);
    return;
  }
  for (const int unit : each(s.combat.to_fire[at(side)])) {
    fire_unit(side, unit);
    if (over()) return;
  }
  side_has_fired(side);
}

// R40: defenders hit a random assaulting unit, attackers a random unit of the target front. R41: die by die.
void Rules::fire_unit(int side, int unit) {
  Combat& c = s.combat;
  const int seat = side == 0 ? s.active : other(s.active);
  const Weapon weapon = weapon_of(sc, s, seat, unit);
  const int modifier = std::exchange(c.modifier[at(side)][at(unit)], std::int8_t{0});
  c.to_fire[at(side)] &= ~bit(unit);
  for (int left = std::exchange(c.dice[at(side)][at(unit)], std::uint8_t{0}); left > 0; --left) {
    const UnitSet targets = side == 0 ? theirs(s).at[c.front] : c.against[c.front];
    if (targets == 0) return;
    const int die = chance.die();
    tell(Told::fire_roll, number(seat, unit), die, modifier);
    const Outcome outcome = fire_outcome(sc.figures, die + modifier);
    if (outcome == Outcome::nothing) continue;
    strike(other(seat), targets, outcome == Outcome::casualty, weapon);
    if (over()) return;
  }
}

void Rules::side_has_fired(int side) {
  if (side == 1) {  // 3. the attackers
    if (!s.combat.simultaneous) prepare_volley(0);
    fire_on(0);
    return;
  }
  s.combat.firing = false;
  for (Force& force : s.force) force.anti_tank &= force.on_table();
  if (s.combat.simultaneous) test_victory();  // R5, R45: counted when both have fired
  if (!over()) end_combat();
}

// R44: nobody advances.
void Rules::end_combat() {
  const Combat& c = s.combat;
  Combat next;
  next.against = c.against;
  next.against[c.front] = 0;
  next.to_resolve = c.to_resolve;
  s.combat = next;
  next_combat();
}

// --- Markers, armour, anti-tank, snipers · R46–R50 -------------------------------------------------------------------

// R33: a random unit of those the weapon looks for.
void Rules::strike(int seat, UnitSet pool, bool casualty, Weapon weapon) {
  hit(seat, pick_member(aimed_at(sc, seat, pool, casualty, weapon.anti_tank), chance), casualty, weapon.sniper);
}

void Rules::hit(int seat, int unit, bool casualty, bool sniper) {
  const Company& company = sc.companies[at(seat)];
  Force& force = s.force[at(seat)];
  const auto u = at(unit);
  if (casualty && sniper && has(sc.with(seat, Keyword::tank), unit)) {  // R50
    tell(Told::sniper_in_vain, number(seat, unit));
    return;
  }
  if (has(sc.with(seat, Keyword::armor), unit)) {  // R47
    const int die = chance.die();
    tell(Told::armour_roll, number(seat, unit), die, company.armor_modifier[u]);
    if (die + company.armor_modifier[u] >= sc.figures.armor) {
      tell(Told::armour_holds, number(seat, unit));
      if (!casualty) return;
      casualty = false;
    }
  }
  if (casualty && sc.options.commander_option && has(sc.with(seat, Keyword::commander), unit)) {  // R78d
    const int die = chance.die();
    tell(Told::commander_roll, number(seat, unit), die);
    if (die <= sc.figures.commander_lost_at_most) remove(seat, unit, Told::destroyed);
    return;
  }
  if (!casualty) {
    if (force.pins[u] < 255) ++force.pins[u];
    force.pinned |= bit(unit);
    tell(Told::pinned, number(seat, unit));
    return;
  }
  ++force.casualties[u];
  tell(Told::casualty, number(seat, unit));
  if (force.casualties[u] >= company.strength[u]) remove(seat, unit, Told::destroyed);  // R46
}

void Rules::remove(int seat, int unit, Told how) {
  Force& force = s.force[at(seat)];
  const UnitSet rest = ~bit(unit);
  for (UnitSet& front : force.at) front &= rest;
  for (UnitSet* set : {&force.pinned, &force.fresh, &force.moved, &force.halted, &force.on_mission, &force.suppressed, &force.assaulted,
                       &force.green, &force.barred_assault, &force.may_assault, &force.may_suppress, &force.rolled_rally,
                       &force.helped_rally, &force.out_of_ammo, &force.broken_down}) {
    *set &= rest;
  }
  force.pins[at(unit)] = force.casualties[at(unit)] = 0;
  force.turn_dice[at(unit)] = 0;
  const bool at_once = s.combat.simultaneous && s.combat.firing;
  if (!at_once) force.anti_tank &= rest;  // R45: whoever is removed may still have to fire, as what it was
  if (seat == s.active) {
    for (UnitSet& group : s.combat.against) group &= rest;
    s.combat.silenced &= rest;
  }
  tell(how, number(seat, unit));
  const bool counts = !sc.options.commander_option || !has(sc.with(seat, Keyword::commander), unit);  // R78c
  if (counts) ++s.force[at(other(seat))].kills;
  if (!at_once) test_victory();
}

// --- Victory · R3–R5, R12 --------------------------------------------------------------------------------------------

void Rules::test_victory() {
  const int goal = sc.figures.kills_to_win;
  const int first = s.force[0].kills, second = s.force[1].kills;
  if (first >= goal || second >= goal) {  // R4, R5
    finish(first == second ? -1 : first > second ? 0 : 1, Reason::kills);
    return;
  }
  if (s.round < sc.figures.automatic_win_from_round) return;
  const auto fronts = [&](int seat) {
    const auto& at_front = s.force[at(seat)].at;
    return (at_front[0] != 0) + (at_front[1] != 0) + (at_front[2] != 0);
  };
  for (int seat = 0; seat < seat_count; ++seat) {  // R3
    if (fronts(seat) >= sc.figures.fronts_for_automatic_win && fronts(other(seat)) <= sc.figures.enemy_fronts_at_most) {
      finish(seat, Reason::fronts);
      return;
    }
  }
}

void Rules::finish(int winner, Reason reason) {
  s.winner = static_cast<std::int8_t>(winner);
  s.reason = reason;
  s.step = Step::over;
  if (winner < 0) {
    tell(Told::drawn, static_cast<int>(reason));
  } else {
    tell(Told::won, winner, static_cast<int>(reason));
  }
}

}  // namespace baton::company_commander
