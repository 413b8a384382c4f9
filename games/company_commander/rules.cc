// Who chooses, what is legal, what an action does. In rulebook order.
#include "games/company_commander/rules.h"

#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {
namespace {

constexpr std::uint32_t verb_bit(Verb verb) { return 1u << static_cast<int>(verb); }
constexpr std::uint32_t card_verbs =
    verb_bit(Verb::play) | verb_bit(Verb::play_front) | verb_bit(Verb::play_unit) | verb_bit(Verb::play_unit_front);

// What may be chosen at a step at all.
constexpr std::uint32_t verbs_at(Step step) {
  switch (step) {
    case Step::deploy:
      return verb_bit(Verb::deploy) | verb_bit(Verb::move) | verb_bit(Verb::headquarters) | verb_bit(Verb::done) | card_verbs;
    case Step::tactics: return verb_bit(Verb::done) | card_verbs;
    case Step::recon: return verb_bit(Verb::recon) | verb_bit(Verb::done) | card_verbs;
    case Step::recon_reward: return verb_bit(Verb::look) | verb_bit(Verb::direct_fire);
    case Step::suppression: return verb_bit(Verb::suppress) | verb_bit(Verb::done) | card_verbs;
    case Step::declare: return verb_bit(Verb::assault) | verb_bit(Verb::done) | card_verbs;
    case Step::block: return verb_bit(Verb::assault) | verb_bit(Verb::pass) | card_verbs;
    case Step::combat_order: return verb_bit(Verb::resolve);
    case Step::defenders_fire:
    case Step::attackers_fire: return verb_bit(Verb::fire) | verb_bit(Verb::fire_all);
    case Step::rally: return verb_bit(Verb::rally) | verb_bit(Verb::rally_helped) | verb_bit(Verb::done);
    case Step::discard:
    case Step::end_discard: return verb_bit(Verb::discard);
    case Step::move_reaction:
    case Step::deploy_window:
    case Step::tactics_window:
    case Step::spotted_reaction:
    case Step::suppression_window:
    case Step::fog_reaction:
    case Step::roll_reaction:
    case Step::combat_cards:
    case Step::shaken_reaction:
    case Step::extra_rally: return verb_bit(Verb::pass) | card_verbs;
    case Step::over: return 0;
  }
  return 0;
}

// --- Deployment phase · R7, R8, R13–R17 ------------------------------------------------------------------------------

// R14: any number of own unpinned units, each one front, once; not those placed this turn.
auto bars_to_move(const Scenario&, const State& s) {
  const Force& f = mine(s);
  return std::array<Bar, 7>{{{~f.on_table(), Refusal::unit_not_on_table},
                             {f.pinned, Refusal::unit_pinned},
                             {f.fresh, Refusal::unit_fresh},
                             {f.moved, Refusal::unit_moved},
                             {f.halted, Refusal::unit_halted},
                             {f.green, Refusal::unit_green},
                             {f.broken_down, Refusal::unit_broken_down}}};
}

// R13: once in the own turn, when all drawn squads are placed and the Company HQ, pinned or not, is on the table.
Refusal why_not_headquarters(const Scenario& sc, const State& s, Deck deck) {
  if (s.headquarters_used) return Refusal::headquarters_used;
  if (mine(s).drawn != 0) return Refusal::squads_waiting;
  if ((mine(s).on_table() & sc.with(s.active, Keyword::company_hq)) == 0) return Refusal::no_headquarters;
  if (deck == Deck::squad ? mine(s).deck == 0 : (s.deck | s.discard) == 0) return Refusal::deck_empty;
  return Refusal::none;
}

// R78: with the commander option units act only in a front with a Platoon HQ, or the one the Company HQ takes over.
UnitSet without_command(const Scenario& sc, const State& s) {
  if (!sc.options.commander_option) return 0;
  const Force& f = mine(s);
  const bool company_hq = (f.on_table() & sc.with(s.active, Keyword::company_hq)) != 0;
  UnitSet lost = 0;
  for (int front = 0; front < front_count; ++front) {
    const UnitSet here = f.at[at(front)];
    const bool stand_in = company_hq && (s.stand_in_front == no_front || s.stand_in_front == front);
    if ((here & sc.with(s.active, Keyword::platoon_hq)) == 0 && !stand_in) lost |= here;
  }
  return lost;
}

// --- Recon phase · R26–R30 -------------------------------------------------------------------------------------------

// R27: unpinned, unmoved units with recon, one mission each.
auto bars_to_recon(const Scenario& sc, const State& s) {
  const Force& f = mine(s);
  return std::array<Bar, 7>{{{~f.on_table(), Refusal::unit_not_on_table},
                             {~sc.with(s.active, Keyword::recon), Refusal::unit_cannot_recon},
                             {f.pinned, Refusal::unit_pinned},
                             {f.moved, Refusal::unit_moved},
                             {f.on_mission, Refusal::unit_on_mission},
                             {f.green, Refusal::unit_green},
                             {without_command(sc, s), Refusal::no_command}}};
}

// --- Suppression phase · R31, R32 ------------------------------------------------------------------------------------

// R31: unpinned, unmoved units with suppress, or an infantry squad with a card; R65: Roads lifts the ban on movers.
auto bars_to_suppress(const Scenario& sc, const State& s, bool by_card) {
  const Force& f = mine(s);
  return std::array<Bar, 9>{{{~f.on_table(), Refusal::unit_not_on_table},
                             {by_card ? 0 : ~sc.with(s.active, Keyword::suppress), Refusal::unit_cannot_suppress},
                             {f.pinned, Refusal::unit_pinned},
                             {f.moved & ~f.may_suppress, Refusal::unit_moved},
                             {f.on_mission, Refusal::unit_on_mission},
                             {f.suppressed, Refusal::unit_fired},
                             {f.out_of_ammo, Refusal::unit_out_of_ammo},  // R72
                             {f.green, Refusal::unit_green},
                             {without_command(sc, s), Refusal::no_command}}};
}

// --- Assault phase · R37 ---------------------------------------------------------------------------------------------

// Unpinned, unmoved (or Veteran, Roads), not on a mission, not having suppressed, not barred; each unit one front.
auto bars_to_assault(const Scenario& sc, const State& s) {
  const Force& f = mine(s);
  return std::array<Bar, 12>{{{~f.on_table(), Refusal::unit_not_on_table},
                              {sc.with(s.active, Keyword::no_assault), Refusal::unit_cannot_assault},
                              {f.pinned, Refusal::unit_pinned},
                              {f.moved & ~f.may_assault, Refusal::unit_moved},
                              {f.on_mission, Refusal::unit_on_mission},
                              {f.suppressed, Refusal::unit_fired},
                              {f.barred_assault, Refusal::unit_barred},
                              {f.green, Refusal::unit_green},
                              {f.broken_down, Refusal::unit_broken_down},
                              {assaulting(s), Refusal::unit_assaulting},
                              // R39: while cards are being played only a unit stopped by fog may name another target.
                              {s.step == Step::block ? ~s.combat.stopped_by_fog : 0, Refusal::unit_not_stopped},
                              {without_command(sc, s), Refusal::no_command}}};
}

// --- Rally phase · R53–R56 -------------------------------------------------------------------------------------------

auto bars_to_rally(const Scenario&, const State& s) {
  const Force& f = mine(s);
  return std::array<Bar, 4>{{{~f.on_table(), Refusal::unit_not_on_table},
                             {~f.pinned, Refusal::unit_not_pinned},
                             {f.rolled_rally, Refusal::unit_rolled},
                             {f.green, Refusal::unit_green}}};
}

// R55: an unpinned HQ that did not move, recon, suppress or assault; one unit each.
auto bars_to_help(const Scenario& sc, const State& s) {
  const Force& f = mine(s);
  return std::array<Bar, 5>{{{~f.on_table(), Refusal::unit_not_on_table},
                             {~sc.with(s.active, Keyword::commander), Refusal::helper_not_hq},
                             {f.pinned, Refusal::unit_pinned},
                             {f.green, Refusal::unit_green},
                             {f.moved | f.on_mission | f.suppressed | f.assaulted | f.helped_rally, Refusal::helper_busy}}};
}

// R55, R56: an HQ has its own bonus, and two do not add up.
Refusal why_not_helped(const Scenario& sc, const State& s, int unit, int helper) {
  if (has(sc.with(s.active, Keyword::commander), unit)) return Refusal::helper_self;
  if (const Refusal why = first_bar(bars_to_help(sc, s), helper); why != Refusal::none) return why;
  if (!sc.options.rally_any_front && front_of(mine(s), unit) != front_of(mine(s), helper)) return Refusal::helper_elsewhere;
  return Refusal::none;
}

// --- Reading an action -----------------------------------------------------------------------------------------------

// The numbers an action needs: unused ones must be 0, so that every choice has one spelling.
bool well_formed(Verb verb, Action a) {
  switch (verb) {
    case Verb::pass:
    case Verb::done:
    case Verb::look:
    case Verb::direct_fire:
    case Verb::fire_all: return a.a == 0 && a.b == 0 && a.c == 0;
    case Verb::headquarters:
    case Verb::recon:
    case Verb::resolve:
    case Verb::fire:
    case Verb::rally:
    case Verb::discard:
    case Verb::play: return a.b == 0 && a.c == 0;
    case Verb::deploy:
    case Verb::move:
    case Verb::suppress:
    case Verb::assault:
    case Verb::rally_helped:
    case Verb::play_front:
    case Verb::play_unit: return a.c == 0;
    case Verb::play_unit_front: return true;
  }
  return false;
}

bool is_unit(const Scenario& sc, int number) {
  return number < seat_count * max_units && has(sc.companies[at(number / max_units)].all, number % max_units);
}

void list_units(Verb verb, int seat, UnitSet units, ActionList& list) {
  for (const int unit : each(units))
    list.push({static_cast<std::uint16_t>(verb), static_cast<std::uint16_t>(unit_number(seat, unit)), 0, 0});
}

// Units with each front they may attack (R32, R51).
void list_attacks(const State& s, Verb verb, UnitSet units, ActionList& list) {
  for (int own = 0; own < front_count; ++own) {
    const UnitSet here = units & mine(s).at[at(own)];
    if (here == 0) continue;
    for (int target = 0; target < front_count; ++target) {
      if (why_not_target(s, own, target) != Refusal::none) continue;
      for (const int unit : each(here)) {
        list.push({static_cast<std::uint16_t>(verb), static_cast<std::uint16_t>(unit_number(s.active, unit)),
                   static_cast<std::uint16_t>(target), 0});
      }
    }
  }
}

bool must_place_first(const State& s) { return s.step == Step::deploy && mine(s).drawn != 0; }

Refusal why_not_unit_verb(const Scenario& sc, const State& s, Verb verb, int unit, Action a) {
  const Force& f = mine(s);
  switch (verb) {
    case Verb::deploy:  // R8: any number to each front
      if (a.b >= front_count) return Refusal::no_such_thing;
      return has(f.drawn, unit) ? Refusal::none : Refusal::unit_not_waiting;
    case Verb::move:
      if (a.b >= front_count) return Refusal::no_such_thing;
      if (const Refusal why = first_bar(bars_to_move(sc, s), unit); why != Refusal::none) return why;
      return adjacent(front_of(f, unit), a.b) ? Refusal::none : Refusal::front_not_adjacent;
    case Verb::recon: return first_bar(bars_to_recon(sc, s), unit);
    case Verb::suppress:
    case Verb::assault: {
      if (a.b >= front_count) return Refusal::no_such_thing;
      const Refusal why = verb == Verb::suppress ? why_not_suppress(sc, s, unit, false) : first_bar(bars_to_assault(sc, s), unit);
      return why != Refusal::none ? why : why_not_target(s, front_of(f, unit), a.b);
    }
    case Verb::rally:
    case Verb::rally_helped: {
      const Refusal why = first_bar(bars_to_rally(sc, s), unit);
      if (why != Refusal::none || verb == Verb::rally) return why;
      if (!is_unit(sc, a.b)) return Refusal::no_such_thing;
      if (a.b / max_units != s.active) return Refusal::unit_not_yours;
      return why_not_helped(sc, s, unit, a.b % max_units);
    }
    case Verb::fire: return has(s.combat.to_fire[at(firing_side(s))], unit) ? Refusal::none : Refusal::unit_not_firing;
    default: return Refusal::no_such_action;
  }
}

}  // namespace

UnitSet may_rally(const Scenario& sc, const State& s) { return unbarred(bars_to_rally(sc, s)); }
UnitSet may_suppress(const Scenario& sc, const State& s, bool by_card) { return unbarred(bars_to_suppress(sc, s, by_card)); }

Refusal why_not_suppress(const Scenario& sc, const State& s, int unit, bool by_card) {
  return first_bar(bars_to_suppress(sc, s, by_card), unit);
}

// R32, R51: the opposite front; if it is empty, an adjacent one from the flank. R68: not a front in fog.
Refusal why_not_target(const State& s, int own_front, int target) {
  const auto& enemy = theirs(s).at;
  if (enemy[at(target)] == 0) return Refusal::front_empty;
  if (target != own_front && (enemy[at(own_front)] != 0 || !adjacent(own_front, target))) return Refusal::front_not_opposite;
  return has(s.fogged, target) ? Refusal::front_fogged : Refusal::none;
}

// === Who chooses, what is legal ======================================================================================

Seats choosing(const Scenario&, const State& s) { return s.step == Step::over ? Seats::none() : Seats(Seat{s.chooser}); }

void actions(const Scenario& sc, const State& s, Seat seat, ActionList& list) {
  if (s.step == Step::over || index(seat) != s.chooser) return;
  const int me = s.chooser;
  const Force& f = mine(s);
  switch (s.step) {
    case Step::deploy:
      for (const int unit : each(f.drawn)) {
        for (std::uint16_t front = 0; front < front_count; ++front) {
          list.push({static_cast<std::uint16_t>(Verb::deploy), static_cast<std::uint16_t>(unit_number(me, unit)), front, 0});
        }
      }
      for (int front = 0; front < front_count; ++front) {
        for (const int unit : each(f.at[at(front)] & unbarred(bars_to_move(sc, s)))) {
          for (std::uint16_t to = 0; to < front_count; ++to) {
            if (adjacent(front, to))
              list.push({static_cast<std::uint16_t>(Verb::move), static_cast<std::uint16_t>(unit_number(me, unit)), to, 0});
          }
        }
      }
      for (const Deck deck : {Deck::squad, Deck::tactics}) {
        if (why_not_headquarters(sc, s, deck) == Refusal::none) {
          list.push({static_cast<std::uint16_t>(Verb::headquarters), static_cast<std::uint16_t>(deck), 0, 0});
        }
      }
      break;
    case Step::recon: list_units(Verb::recon, me, unbarred(bars_to_recon(sc, s)), list); break;
    case Step::recon_reward:
      if (s.hand[at(other(me))] != 0) list.push({static_cast<std::uint16_t>(Verb::look), 0, 0, 0});
      list.push({static_cast<std::uint16_t>(Verb::direct_fire), 0, 0, 0});
      return;
    case Step::suppression: list_attacks(s, Verb::suppress, may_suppress(sc, s, false), list); break;
    case Step::declare: list_attacks(s, Verb::assault, unbarred(bars_to_assault(sc, s)), list); break;
    case Step::block:
      if (me == s.active && s.combat.stopped_by_fog != 0) list_attacks(s, Verb::assault, unbarred(bars_to_assault(sc, s)), list);
      break;
    case Step::combat_order:
      for (const int front : each(s.combat.to_resolve))
        list.push({static_cast<std::uint16_t>(Verb::resolve), static_cast<std::uint16_t>(front), 0, 0});
      return;
    case Step::defenders_fire:
    case Step::attackers_fire:
      list.push({static_cast<std::uint16_t>(Verb::fire_all), 0, 0, 0});
      list_units(Verb::fire, me, s.combat.to_fire[at(firing_side(s))], list);
      return;
    case Step::rally: {
      const UnitSet helpers = unbarred(bars_to_help(sc, s));
      for (const int unit : each(may_rally(sc, s))) {
        const auto number = static_cast<std::uint16_t>(unit_number(me, unit));
        list.push({static_cast<std::uint16_t>(Verb::rally), number, 0, 0});
        for (const int helper : each(helpers)) {
          if (why_not_helped(sc, s, unit, helper) != Refusal::none) continue;
          list.push({static_cast<std::uint16_t>(Verb::rally_helped), number, static_cast<std::uint16_t>(unit_number(me, helper)), 0});
        }
      }
      break;
    }
    case Step::discard:
    case Step::end_discard: {
      int last = -1;
      for (const int card : each(s.hand[at(me)])) {
        const int kind = sc.card_kind[at(card)];
        if (kind != last) list.push({static_cast<std::uint16_t>(Verb::discard), static_cast<std::uint16_t>(kind), 0, 0});
        last = kind;
      }
      return;
    }
    default: break;
  }
  card_actions(sc, s, me, list);
  const std::uint32_t verbs = verbs_at(s.step);
  if ((verbs & verb_bit(Verb::pass)) != 0) list.push({static_cast<std::uint16_t>(Verb::pass), 0, 0, 0});
  if ((verbs & verb_bit(Verb::done)) != 0 && !must_place_first(s)) list.push({static_cast<std::uint16_t>(Verb::done), 0, 0, 0});
}

Refusal why_not(const Scenario& sc, const State& s, Seat seat, Action a) {
  if (s.step == Step::over) return Refusal::game_over;
  if (index(seat) != s.chooser) return Refusal::not_your_choice;
  if (a.verb >= verb_count) return Refusal::no_such_action;
  const Verb verb = static_cast<Verb>(a.verb);
  if (!well_formed(verb, a)) return Refusal::no_such_action;
  if ((verbs_at(s.step) & verb_bit(verb)) == 0) return Refusal::not_now;
  switch (verb) {
    case Verb::pass:
    case Verb::direct_fire: return Refusal::none;
    case Verb::done: return must_place_first(s) ? Refusal::squads_waiting : Refusal::none;
    case Verb::look: return s.hand[at(other(s.chooser))] == 0 ? Refusal::hand_empty : Refusal::none;
    case Verb::headquarters: return a.a > 1 ? Refusal::no_such_thing : why_not_headquarters(sc, s, static_cast<Deck>(a.a));
    case Verb::resolve:
      if (a.a >= front_count) return Refusal::no_such_thing;
      return has(s.combat.to_resolve, a.a) ? Refusal::none : Refusal::front_not_contested;
    case Verb::fire_all: return Refusal::none;
    case Verb::discard:
      if (a.a >= sc.cards.size()) return Refusal::no_such_thing;
      return (s.hand[s.chooser] & sc.copies[a.a]) == 0 ? Refusal::card_not_held : Refusal::none;
    case Verb::play:
    case Verb::play_front:
    case Verb::play_unit:
    case Verb::play_unit_front: return why_not_play(sc, s, s.chooser, a);
    default: break;
  }
  if (!is_unit(sc, a.a)) return Refusal::no_such_thing;
  if (a.a / max_units != s.chooser) return Refusal::unit_not_yours;
  if (s.chooser != s.active && verb != Verb::fire) return Refusal::not_now;
  return why_not_unit_verb(sc, s, verb, a.a % max_units, a);
}

Result result(const Scenario&, const State& s) {
  Result r;
  r.over = s.step == Step::over;
  r.reason = static_cast<std::uint8_t>(s.reason);
  if (s.winner >= 0) {
    r.score[at(s.winner)] = 1;
    r.score[at(other(s.winner))] = -1;
  }
  return r;
}

std::uint64_t conserved(const Scenario& sc, const State& s) {
  const auto cards =
      static_cast<std::uint64_t>(std::popcount(s.deck) + std::popcount(s.discard) + std::popcount(s.hand[0]) + std::popcount(s.hand[1]));
  std::uint64_t doubled = (s.deck | s.discard | s.hand[0] | s.hand[1]) == sc.all_cards ? 0 : 1;
  for (int seat = 0; seat < seat_count; ++seat) {
    const Force& f = s.force[at(seat)];
    const UnitSet places = f.deck | f.drawn | f.on_table();
    const int listed =
        std::popcount(f.deck) + std::popcount(f.drawn) + std::popcount(f.at[0]) + std::popcount(f.at[1]) + std::popcount(f.at[2]);
    if (listed != std::popcount(places) || (places & ~sc.companies[at(seat)].all) != 0) ++doubled;
    // Every removed unit that counts was somebody's kill (R4, R78c).
    const UnitSet counting = sc.options.commander_option ? ~sc.with(seat, Keyword::commander) : ~UnitSet{0};
    if (std::popcount(sc.companies[at(seat)].all & ~places & counting) != s.force[at(other(seat))].kills) ++doubled;
  }
  return cards << 8 | doubled;
}

// === What an action does =============================================================================================

// R1: no units, empty hands, shuffled decks, a random starting player.
State start(const Scenario& sc, Chance& chance, Events& log) {
  State s;
  s.deck = sc.all_cards;
  for (int seat = 0; seat < seat_count; ++seat) s.force[at(seat)].deck = sc.companies[at(seat)].all;
  s.active = s.starter = static_cast<std::uint8_t>(chance.pick(seat_count));
  Rules{sc, s, chance, log}.begin_turn();
  return s;
}

void apply(const Scenario& sc, State& s, Seat seat, Action a, Chance& chance, Events& log) {
  Rules rules{sc, s, chance, log};
  const int me = index(seat);
  const int unit = a.a % max_units;
  Force& f = mine(s);
  switch (static_cast<Verb>(a.verb)) {
    case Verb::deploy:
      f.drawn &= ~bit(unit);
      f.at[a.b] |= bit(unit);
      f.fresh |= bit(unit);
      rules.tell(Told::deployed, a.a, a.b);
      return;
    case Verb::move:
      s.unit = static_cast<std::uint8_t>(unit);
      s.front = static_cast<std::uint8_t>(a.b);
      rules.tell(Told::move_announced, a.a, a.b);
      if (s.hand[at(other(me))] != 0) {
        rules.ask(Step::move_reaction, other(me));
      } else {
        rules.settle_move(false);
      }
      return;
    case Verb::headquarters:
      s.headquarters_used = true;
      rules.tell(Told::headquarters_draws, me, a.a);
      if (static_cast<Deck>(a.a) == Deck::squad) {
        rules.draw_squads(1);
      } else {
        rules.draw_tactics(me, 1);
      }
      return;
    case Verb::recon: rules.scout(unit); return;
    case Verb::look:
      rules.reward_look(me);
      rules.ask(Step::recon, me);
      return;
    case Verb::direct_fire:
      ++s.fire_direction[s.front];
      rules.tell(Told::fire_directed, me, s.front);
      s.unit = no_unit;
      s.front = no_front;
      rules.ask(Step::recon, me);
      return;
    case Verb::suppress:
      rules.claim_command(unit);
      rules.tell(Told::suppression_named, a.a, a.b);
      rules.begin_barrage(unit_barrage(sc, s, unit, a.b, no_card));
      return;
    case Verb::assault:
      rules.claim_command(unit);
      s.combat.against[a.b] |= bit(unit);
      s.combat.stopped_by_fog &= ~bit(unit);
      rules.tell(Told::assault_declared, a.a, a.b);
      if (s.step == Step::block) {
        s.passes = 0;
        rules.give_go(other(me));
      }
      return;
    case Verb::resolve: rules.begin_combat(a.a); return;
    case Verb::fire: {
      const int side = firing_side(s);
      rules.fire_unit(side, unit);
      if (!rules.over()) rules.fire_on(side);
      return;
    }
    case Verb::fire_all: {
      const int side = firing_side(s);
      for (const int shooter : each(s.combat.to_fire[at(side)])) {
        rules.fire_unit(side, shooter);
        if (rules.over()) return;
      }
      rules.side_has_fired(side);
      return;
    }
    case Verb::rally_helped: f.helped_rally |= bit(a.b % max_units); [[fallthrough]];
    case Verb::rally:
      f.rolled_rally |= bit(unit);
      s.unit = static_cast<std::uint8_t>(unit);
      s.modifier = static_cast<std::int8_t>(rally_modifier(sc, me, unit, static_cast<Verb>(a.verb) == Verb::rally_helped));
      rules.roll_rally();
      return;
    case Verb::discard:
      s.discard |= rules.take_from_hand(me, a.a);
      rules.tell(Told::card_discarded, me, a.a);
      if (std::popcount(s.hand[at(me)]) > sc.figures.hand_limit) return;
      if (s.step == Step::discard) {
        rules.begin_recon();
      } else {
        rules.end_turn();
      }
      return;
    case Verb::play:
    case Verb::play_front:
    case Verb::play_unit:
    case Verb::play_unit_front: rules.play(me, a); return;
    case Verb::pass:
      switch (s.step) {
        case Step::move_reaction: rules.settle_move(false); return;
        case Step::spotted_reaction: rules.settle_spotted(false); return;
        case Step::fog_reaction: rules.roll_barrage(); return;
        case Step::roll_reaction: rules.settle_roll(false); return;
        case Step::shaken_reaction: rules.rally_unit(); return;
        case Step::extra_rally: rules.next_rally(); return;
        default:
          ++s.passes;
          rules.give_go(other(me));
          return;
      }
    case Verb::done:
      // R19: ending a phase is the active seat's pass in the window that follows.
      switch (s.step) {
        case Step::deploy: rules.open_window(Step::deploy_window, other(me), 1); return;
        case Step::tactics: rules.open_window(Step::tactics_window, other(me), 1); return;
        case Step::recon: rules.open_window(Step::suppression_window, other(me), 1); return;
        case Step::suppression: rules.begin_declaration(); return;
        case Step::declare: rules.end_declaration(); return;
        default: rules.finish_rally(); return;
      }
  }
}

}  // namespace baton::company_commander
