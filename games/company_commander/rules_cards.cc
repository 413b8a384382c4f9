// Tactics cards: who may play which when, on what, and what they do. Rulings R9–R11, R18–R25, R58–R77.
#include <algorithm>

#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {
namespace {

// What a card may be played on at this moment.
struct Aim {
  bool bare = false;      // on nothing in particular
  FrontSet fronts = 0;    // on one of these fronts
  UnitSet units = 0;      // on one of these units …
  int units_of = 0;       // … of this seat
  bool at_front = false;  // a unit and the front it attacks
};

UnitSet fitting(const Scenario& sc, int seat, const CardKind& card) {
  UnitSet units = sc.companies[at(seat)].all;
  for (const int word : each(card.needs)) units &= sc.companies[at(seat)].with[at(word)];
  for (const int word : each(card.bars)) units &= ~sc.companies[at(seat)].with[at(word)];
  return units;
}

FrontSet fronts_with_units(const Force& force) {
  return static_cast<FrontSet>((force.at[0] != 0 ? 1 : 0) | (force.at[1] != 0 ? 2 : 0) | (force.at[2] != 0 ? 4 : 0));
}

constexpr FrontSet every_front = 0b111;

Aim aim(const Scenario& sc, const State& s, int seat, const CardKind& card) {
  const Force& own = s.force[at(seat)];
  const Force& enemy = s.force[at(other(seat))];
  Aim a;
  switch (card.target) {
    case Target::none: a.bare = true; break;
    case Target::enemy_front:
      if (card.effect == Effect::suppress) {  // R32: any front with enemy units
        a.fronts = static_cast<FrontSet>(fronts_with_units(enemy) & ~s.fogged);
      } else if (card.effect == Effect::forbid_assault) {  // R67: units standing there, whatever front they attack
        for (int f = 0; f < front_count; ++f) {
          if ((enemy.at[at(f)] & assaulting(s)) != 0) a.fronts |= front_bit(f);
        }
      } else {
        a.fronts = every_front;
      }
      break;
    case Target::enemy_front_or_hand:  // R30, R75
      a.bare = s.hand[at(other(seat))] != 0;
      a.fronts = every_front;
      break;
    case Target::own_front: a.fronts = static_cast<FrontSet>(fronts_with_units(own) & ~s.fogged); break;  // R68
    case Target::own_unit:
      a.units_of = seat;
      a.units = own.on_table() & fitting(sc, seat, card);
      if (card.effect == Effect::fire_dice_unit) {  // R63, R64: a unit of this combat
        a.units &= seat == s.active ? s.combat.against[s.combat.front] : own.at[s.combat.front];
      } else if (card.effect == Effect::grant_suppression) {  // R31
        a.units &= may_suppress(sc, s, true);
        a.at_front = true;
      } else if (card.effect == Effect::grant_anti_tank) {
        a.units &= ~own.anti_tank;
      }
      break;
    case Target::enemy_unit:
      a.units_of = other(seat);
      a.units = enemy.on_table() & fitting(sc, other(seat), card);
      switch (card.effect) {
        case Effect::forbid_everything: a.units &= ~enemy.green; break;
        case Effect::forbid_suppression: a.units &= ~enemy.out_of_ammo; break;
        case Effect::forbid_move_and_assault: a.units &= ~enemy.broken_down; break;
        case Effect::forbid_assault: a.units &= assaulting(s); break;
        default: break;
      }
      break;
    case Target::assaulting_unit:  // R59
      a.units_of = s.active;
      a.units = s.combat.against[s.combat.front] & ~s.combat.silenced & fitting(sc, s.active, card);
      break;
  }
  return a;
}

// Beyond the window: moments inside a step at which a card is early or late.
bool timely(const State& s, const CardKind& card) {
  const auto opens = [&](Window w) { return has(card.windows, static_cast<int>(w)); };
  if (s.step == Step::deploy && mine(s).drawn != 0) {  // ANY_CARD_WINDOW is the end of Deployment
    return opens(Window::deploy) || opens(Window::own_turn_main) || opens(Window::own_turn_before_assault_end);
  }
  if (s.step == Step::suppression && s.suppression_begun) {  // OWN_TURN_MAIN ends with the first roll
    return opens(Window::suppression_action) || opens(Window::recon_or_suppression) || opens(Window::own_turn_before_assault_end);
  }
  return true;
}

// A squad card needs a squad to draw (R7).
bool something_to_draw(const State& s, int seat, const CardKind& card) {
  return card.effect != Effect::draw_squads || s.force[at(seat)].deck != 0;
}

}  // namespace

void card_actions(const Scenario& sc, const State& s, int seat, ActionList& list) {
  const CardSet candidates = s.hand[at(seat)] & sc.playable[at(seat)][static_cast<std::size_t>(s.step)][seat == s.active ? 1 : 0];
  int last = -1;
  for (const int card : each(candidates)) {
    const int number = sc.card_kind[at(card)];
    if (number == last) continue;  // another copy
    last = number;
    const CardKind& kind = sc.cards[at(number)];
    if (!timely(s, kind) || !something_to_draw(s, seat, kind)) continue;
    const auto k = static_cast<std::uint16_t>(number);
    const Aim a = aim(sc, s, seat, kind);
    if (a.bare) list.push({static_cast<std::uint16_t>(Verb::play), k, 0, 0});
    for (const int front : each(a.fronts))
      list.push({static_cast<std::uint16_t>(Verb::play_front), k, static_cast<std::uint16_t>(front), 0});
    for (const int unit : each(a.units)) {
      const auto u = static_cast<std::uint16_t>(unit_number(a.units_of, unit));
      if (!a.at_front) {
        list.push({static_cast<std::uint16_t>(Verb::play_unit), k, u, 0});
        continue;
      }
      for (int front = 0; front < front_count; ++front) {
        if (why_not_target(s, front_of(mine(s), unit), front) != Refusal::none) continue;
        list.push({static_cast<std::uint16_t>(Verb::play_unit_front), k, u, static_cast<std::uint16_t>(front)});
      }
    }
  }
}

Refusal why_not_play(const Scenario& sc, const State& s, int seat, Action action) {
  if (action.a >= sc.cards.size()) return Refusal::no_such_thing;
  const CardKind& card = sc.cards[action.a];
  const CardSet held = s.hand[at(seat)] & sc.copies[action.a];
  if (held == 0) return Refusal::card_not_held;
  if (card.nation >= 0 && card.nation != seat) return Refusal::card_other_nation;  // R11
  const CardSet playable = sc.playable[at(seat)][static_cast<std::size_t>(s.step)][seat == s.active ? 1 : 0];
  if ((held & playable) == 0 || !timely(s, card)) return Refusal::card_other_time;
  if (!something_to_draw(s, seat, card)) return Refusal::deck_empty;
  const Aim a = aim(sc, s, seat, card);
  switch (static_cast<Verb>(action.verb)) {
    case Verb::play:
      if (a.bare) return Refusal::none;
      return card.target == Target::enemy_front_or_hand ? Refusal::hand_empty : Refusal::card_needs_target;
    case Verb::play_front:
      if (action.b >= front_count) return Refusal::no_such_thing;
      return has(a.fronts, action.b) ? Refusal::none : Refusal::card_wrong_target;
    default: break;
  }
  if (action.b >= seat_count * max_units) return Refusal::no_such_thing;
  const bool with_front = static_cast<Verb>(action.verb) == Verb::play_unit_front;
  if (with_front != a.at_front) return a.at_front ? Refusal::card_needs_target : Refusal::card_wrong_target;
  const int unit = action.b % max_units;
  if (action.b / max_units != a.units_of || !has(a.units, unit)) return Refusal::card_wrong_target;
  if (!with_front) return Refusal::none;
  return action.c >= front_count ? Refusal::no_such_thing : why_not_target(s, front_of(mine(s), unit), action.c);
}

// R9: an empty deck is made anew from the discards; if there are none, nothing is drawn.
void Rules::draw_tactics(int seat, int count) {
  int drawn = 0;
  for (; drawn < count; ++drawn) {
    if (s.deck == 0) {
      if (s.discard == 0) break;
      s.deck = s.discard;
      s.discard = 0;
      tell(Told::deck_reshuffled);
    }
    const int card = pick_member(s.deck, chance);
    s.deck &= ~bit<CardSet>(card);
    s.hand[at(seat)] |= bit<CardSet>(card);
    log.tell(Seat(static_cast<std::uint8_t>(seat)), Told::card_drawn, sc.card_kind[at(card)]);
  }
  tell(Told::tactics_drawn, seat, drawn);
}

// R30: the enemy hand as it is now.
void Rules::reward_look(int seat) {
  const int enemy = other(seat);
  s.seen[at(enemy)] = s.hand[at(enemy)];
  tell(Told::hand_looked_at, seat);
  const Seats players = Seats(Seat{0}) | Seats(Seat{1});
  for (const int card : each(s.hand[at(enemy)])) log.tell(players, Told::card_seen, sc.card_kind[at(card)]);
  s.unit = no_unit;
  s.front = no_front;
}

// Of two copies the one the enemy has seen goes first: he cannot tell them apart.
CardSet Rules::take_from_hand(int seat, int kind) {
  const CardSet held = s.hand[at(seat)] & sc.copies[at(kind)];
  const CardSet shown = held & s.seen[at(seat)];
  const CardSet card = bit<CardSet>(std::countr_zero(shown != 0 ? shown : held));
  s.hand[at(seat)] &= ~card;
  s.seen[at(seat)] &= ~card;
  return card;
}

// R18: played in its window, then discarded.
void Rules::play(int seat, Action action) {
  const CardKind& card = sc.cards[action.a];
  const CardSet played = take_from_hand(seat, action.a);
  switch (static_cast<Verb>(action.verb)) {
    case Verb::play: tell(Told::card_played, seat, action.a); break;
    case Verb::play_front: tell(Told::card_played_front, seat, action.a, action.b); break;
    default: tell(Told::card_played_unit, seat, action.a, action.b); break;
  }
  if (card.effect == Effect::draw_tactics) draw_tactics(seat, card.amount);  // R76: before it is itself discarded
  s.discard |= played;
  take_effect(seat, card, action);
}

void Rules::take_effect(int seat, const CardKind& card, Action action) {
  Combat& c = s.combat;
  const int unit = action.b % max_units;
  const int unit_seat = action.b / max_units;  // only where the action names a unit
  const int side = seat == s.active ? 0 : 1;
  const auto add = [](std::int8_t& dice, int amount) { dice = static_cast<std::int8_t>(std::clamp(dice + amount, -100, 100)); };

  switch (card.effect) {
    case Effect::fire_dice_assaulters: add(c.side_dice[0], card.amount); break;       // R20, R21, R58, R61
    case Effect::fire_dice_defenders: add(c.side_dice[1], card.amount); break;        // R60
    case Effect::fire_dice_own_side: add(c.side_dice[at(side)], card.amount); break;  // R62
    case Effect::fire_dice_unit:                                                      // R63, R64
      add(card.whole_turn ? s.force[at(seat)].turn_dice[at(unit)] : c.unit_dice[at(side)][at(unit)], card.amount);
      break;
    case Effect::cancel_fire: c.silenced |= bit(unit); break;                                              // R59
    case Effect::mines: c.mines = static_cast<std::uint8_t>(std::min(c.mines + card.amount, 200)); break;  // R70
    case Effect::simultaneous_fire: c.simultaneous = true; break;                                          // R45

    case Effect::suppress:  // R23, R32
      begin_barrage(support_barrage(sc, action.a, action.b));
      return;
    case Effect::grant_suppression:  // R31, R35: as if it had the keyword
      claim_command(unit);
      tell(Told::suppression_named, action.b, action.c);
      begin_barrage(unit_barrage(sc, s, unit, action.c, action.a));
      return;
    case Effect::suppress_modifier:  // R22, R30
      s.fire_direction[action.b] = static_cast<std::int8_t>(std::clamp(s.fire_direction[action.b] + card.amount, -100, 100));
      tell(Told::fire_directed, seat, action.b);
      break;
    case Effect::recon_success:  // R75
      if (static_cast<Verb>(action.verb) == Verb::play) {
        reward_look(seat);
      } else {
        ++s.fire_direction[action.b];
        tell(Told::fire_directed, seat, action.b);
      }
      break;

    case Effect::cancel_suppression_roll:  // R34: one card, one roll
      tell(Told::roll_cancelled, seat);
      if (s.step == Step::spotted_reaction) {
        settle_spotted(true);
      } else {
        settle_roll(true);
      }
      return;
    case Effect::cancel_move: settle_move(true); return;  // R69
    case Effect::cancel_rally_roll:                       // R73
      tell(Told::rally_cancelled, number(s.active, s.unit));
      if (s.hand[s.active] != 0) {
        ask(Step::extra_rally, s.active);
      } else {
        next_rally();
      }
      return;
    case Effect::extra_rally_roll: roll_rally(); return;  // R73

    case Effect::draw_squads: draw_squads(card.amount); break;  // R77
    case Effect::draw_tactics: break;                           // done by play()

    case Effect::allow_assault: s.force[at(seat)].may_assault |= bit(unit); break;  // R65
    case Effect::allow_attack:
      s.force[at(seat)].may_assault |= bit(unit);
      s.force[at(seat)].may_suppress |= bit(unit);
      break;
    case Effect::grant_anti_tank: s.force[at(seat)].anti_tank |= bit(unit); break;                 // R74
    case Effect::forbid_everything: s.force[at(unit_seat)].green |= bit(unit); break;              // R66
    case Effect::forbid_suppression: s.force[at(unit_seat)].out_of_ammo |= bit(unit); break;       // R72
    case Effect::forbid_move_and_assault: s.force[at(unit_seat)].broken_down |= bit(unit); break;  // R72
    case Effect::pin: {                                                                            // R47, R71: no hit, no armour roll
      Force& force = s.force[at(unit_seat)];
      force.pins[at(unit)] = static_cast<std::uint8_t>(std::min(force.pins[at(unit)] + card.amount, 255));
      force.pinned |= bit(unit);
      tell(Told::pinned, number(unit_seat, unit));
      break;
    }
    case Effect::forbid_assault: {  // R39, R67
      Force& force = mine(s);
      const bool front = card.target == Target::enemy_front;
      const UnitSet stopped = front ? force.at[action.b] : bit(unit);
      force.barred_assault |= stopped;
      for (const int blocked : each(stopped & assaulting(s))) tell(Told::assault_blocked, number(s.active, blocked));
      for (UnitSet& group : c.against) group &= ~stopped;
      break;
    }
    case Effect::forbid_attacks_on_front:  // R39, R68
      s.fogged |= front_bit(action.b);
      if (s.step == Step::fog_reaction) {
        if (s.barrage.front != action.b) {
          roll_barrage();
          return;
        }
        tell(Told::attack_fogged, action.b);
        s.barrage = {};
        ask(Step::suppression, s.active);
        return;
      }
      if (s.step == Step::block) {
        for (const int blocked : each(c.against[action.b])) tell(Told::assault_blocked, number(s.active, blocked));
        c.stopped_by_fog |= c.against[action.b];
        c.against[action.b] = 0;
      }
      break;
  }

  switch (s.step) {  // R19: in a shared window the other seat now has its go
    case Step::deploy_window:
    case Step::tactics_window:
    case Step::suppression_window:
    case Step::block:
    case Step::combat_cards:
      s.passes = 0;
      give_go(other(seat));
      return;
    default: return;
  }
}

}  // namespace baton::company_commander
