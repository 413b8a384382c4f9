// The turn: windows for cards, deployment, tactics, recon, suppression, rally, its end. In rulebook order.
#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {
namespace {

// A game without kills for this long is decided as at a round limit (R12), so that every game ends.
constexpr int last_round = 500;

}  // namespace

// R19: in a shared window the seats alternate until both pass in succession. A seat without cards has nothing to say.
void Rules::open_window(Step step, int first, int passes) {
  s.step = step;
  s.passes = static_cast<std::uint8_t>(passes);
  give_go(first);
}

void Rules::give_go(int seat) {
  for (; s.passes < 2; ++s.passes, seat = other(seat)) {
    const bool renames = s.step == Step::block && seat == s.active && s.combat.stopped_by_fog != 0;
    if (s.hand[at(seat)] != 0 || renames) {
      s.chooser = static_cast<std::uint8_t>(seat);
      return;
    }
  }
  close_window();
}

void Rules::close_window() {
  s.passes = 0;
  switch (s.step) {
    case Step::deploy_window: end_deployment(); return;
    case Step::tactics_window: end_tactics(); return;
    case Step::suppression_window: begin_suppression(); return;
    case Step::block: begin_combats(); return;
    default: fight(); return;
  }
}

// Deployment, "draw three cards and place them" · R7, R79
void Rules::begin_turn() {
  const bool handicap = sc.options.first_turn_balance && s.round == 1 && s.active == s.starter;
  tell(Told::turn_begins, s.active, s.round);
  tell(Told::phase_begins, static_cast<int>(Phase::deployment));
  draw_squads(sc.figures.draw_squads - (handicap ? sc.figures.handicap_squads : 0));
  ask(Step::deploy, s.active);
}

void Rules::draw_squads(int count) {
  Force& f = mine(s);
  for (; count > 0 && f.deck != 0; --count) {
    const int unit = pick_member(f.deck, chance);
    f.deck &= ~bit(unit);
    f.drawn |= bit(unit);
    tell(Told::squad_drawn, number(s.active, unit));
  }
}

// R14, R69
void Rules::settle_move(bool stopped) {
  Force& f = mine(s);
  const int unit = s.unit, to = s.front;
  s.unit = no_unit;
  s.front = no_front;
  if (stopped) {
    f.halted |= bit(unit);
    tell(Told::move_cancelled, number(s.active, unit));
  } else {
    for (UnitSet& front : f.at) front &= ~bit(unit);
    f.at[at(to)] |= bit(unit);
    f.moved |= bit(unit);
    tell(Told::moved, number(s.active, unit), to);
  }
  ask(Step::deploy, s.active);
}

void Rules::end_deployment() {
  test_victory();  // R3: after each Deployment phase
  if (!over()) begin_tactics();
}

// Tactics phase · R9, R10, R79
void Rules::begin_tactics() {
  const bool handicap = sc.options.first_turn_balance && s.round == 1 && s.active != s.starter;
  tell(Told::phase_begins, static_cast<int>(Phase::tactics));
  draw_tactics(s.active, sc.figures.draw_tactics + (handicap ? sc.figures.handicap_tactics : 0));
  ask(Step::tactics, s.active);
}

void Rules::end_tactics() {
  if (std::popcount(s.hand[s.active]) > sc.figures.hand_limit) {
    ask(Step::discard, s.active);
  } else {
    begin_recon();
  }
}

// Recon phase · R26–R30
void Rules::begin_recon() {
  tell(Told::phase_begins, static_cast<int>(Phase::recon));
  ask(Step::recon, s.active);
}

Scouting recon_outcome(const Figures& f, int total) {
  return total >= f.recon_success ? Scouting::success : total >= f.recon_nothing ? Scouting::nothing : Scouting::spotted;
}

void Rules::scout(int unit) {
  Force& f = mine(s);
  const int front = front_of(f, unit);
  const int modifier = sc.companies[s.active].recon_modifier[at(unit)];
  claim_command(unit);
  f.on_mission |= bit(unit);
  const int die = chance.die();
  tell(Told::recon_roll, number(s.active, unit), front, die, modifier);
  const Scouting scouting = recon_outcome(sc.figures, die + modifier);
  if (scouting == Scouting::success) {
    tell(Told::recon_success, number(s.active, unit));
    s.unit = static_cast<std::uint8_t>(unit);
    s.front = static_cast<std::uint8_t>(front);
    ask(Step::recon_reward, s.active);
    return;
  }
  if (scouting == Scouting::nothing) {
    tell(Told::recon_nothing, number(s.active, unit));
    return;
  }
  // R29: one unmodified suppression roll against the unit itself.
  tell(Told::recon_spotted, number(s.active, unit));
  const int first = chance.die(), second = chance.die();
  tell(Told::spotted_roll, number(s.active, unit), first, second);
  const Outcome outcome = suppression_outcome(sc.figures, first + second);
  if (outcome == Outcome::nothing) return;
  s.unit = static_cast<std::uint8_t>(unit);
  s.barrage.result = static_cast<std::uint8_t>(outcome);
  if (s.hand[s.active] != 0) {
    ask(Step::spotted_reaction, s.active);
  } else {
    settle_spotted(false);
  }
}

// R78b: the first unit that acts in a front without a Platoon HQ brings the Company HQ's command there.
void Rules::claim_command(int unit) {
  if (!sc.options.commander_option) return;
  const int front = front_of(mine(s), unit);
  if ((mine(s).at[at(front)] & sc.with(s.active, Keyword::platoon_hq)) == 0) s.stand_in_front = static_cast<std::uint8_t>(front);
}

void Rules::begin_suppression() {
  tell(Told::phase_begins, static_cast<int>(Phase::suppression));
  ask(Step::suppression, s.active);
}

void Rules::begin_declaration() {
  tell(Told::phase_begins, static_cast<int>(Phase::assault));
  ask(Step::declare, s.active);
}

// Rally phase · R53–R57
void Rules::begin_rally() {
  tell(Told::phase_begins, static_cast<int>(Phase::rally));
  s.combat = {};
  next_rally();
}

void Rules::next_rally() {
  s.unit = no_unit;
  s.modifier = 0;
  if (may_rally(sc, s) == 0) {
    finish_rally();
  } else {
    ask(Step::rally, s.active);
  }
}

// R73: a success may be cancelled by the other seat, a failure repeated by the owner.
void Rules::roll_rally() {
  const int die = chance.die();
  tell(Told::rally_roll, number(s.active, s.unit), die, s.modifier);
  if (!rallies(sc.figures, die + s.modifier)) {
    tell(Told::rally_failed, number(s.active, s.unit));
    if (s.hand[s.active] != 0) {
      ask(Step::extra_rally, s.active);
    } else {
      next_rally();
    }
  } else if (s.hand[at(other(s.active))] != 0) {
    ask(Step::shaken_reaction, other(s.active));
  } else {
    rally_unit();
  }
}

// R46: one success removes all pins.
void Rules::rally_unit() {
  mine(s).pins[s.unit] = 0;
  mine(s).pinned &= ~bit(s.unit);
  tell(Told::rallied, number(s.active, s.unit));
  next_rally();
}

// R57: rout, tested only here; then the hand limit (R10).
void Rules::finish_rally() {
  const Company& company = sc.companies[s.active];
  const Force& f = mine(s);
  for (const int unit : each(f.on_table())) {
    if (f.casualties[at(unit)] + f.pins[at(unit)] > company.strength[at(unit)]) {
      remove(s.active, unit, Told::routed);
      if (over()) return;
    }
  }
  if (std::popcount(s.hand[s.active]) > sc.figures.hand_limit) {
    ask(Step::end_discard, s.active);
  } else {
    end_turn();
  }
}

// R2, R12
void Rules::end_turn() {
  for (Force& f : s.force) {
    f.fresh = f.moved = f.halted = f.on_mission = f.suppressed = f.assaulted = f.green = f.barred_assault = 0;
    f.may_assault = f.may_suppress = f.anti_tank = f.rolled_rally = f.helped_rally = 0;
    f.turn_dice = {};
  }
  s.headquarters_used = s.suppression_begun = false;
  s.stand_in_front = no_front;
  s.fire_direction = {};
  s.fogged = 0;
  if (s.active != s.starter) {
    const int limit = sc.options.max_rounds > 0 ? sc.options.max_rounds : last_round;
    if (s.round >= limit) {
      const auto standing = [&](int seat) {  // kills, then fronts held, then remaining strength
        const Force& f = s.force[at(seat)];
        int strength = 0;
        for (const int unit : each(f.on_table())) strength += sc.companies[at(seat)].strength[at(unit)] - f.casualties[at(unit)];
        return std::array{static_cast<int>(f.kills), (f.at[0] != 0) + (f.at[1] != 0) + (f.at[2] != 0), strength};
      };
      finish(standing(0) == standing(1) ? -1 : standing(0) > standing(1) ? 0 : 1, Reason::round_limit);
      return;
    }
    ++s.round;
  }
  s.active = static_cast<std::uint8_t>(other(s.active));
  begin_turn();
}

}  // namespace baton::company_commander
