// Three walks over a group of targets make the odds of a combat:
//
//   1. the attackers under mines and defensive fire, following who is pinned → the volleys they may answer with;
//   2. the same, counting pins                                              → the attackers' markers and losses;
//   3. the defenders under each of the volleys, counting pins               → theirs.
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "games/company_commander/odds_parts.h"

namespace baton::company_commander {
namespace {

// --- The rules, tried out --------------------------------------------------------------------------------------------

// Walks every way the dice can fall: ask again as long as next() says so.
class Branches final : public Chance {
 public:
  double chance() const {
    return std::accumulate(path_.begin(), path_.end(), 1.0, [](double p, const Turn& turn) { return p / turn.bound; });
  }
  bool next() {
    asked_ = 0;
    while (!path_.empty() && path_.back().value + 1 == path_.back().bound) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().value;
    return true;
  }

 private:
  struct Turn {
    std::uint32_t value, bound;
  };
  std::uint32_t draw(Draw, std::uint32_t bound) override {
    if (asked_ == path_.size()) path_.push_back({0, bound});
    return path_[asked_++].value;
  }

  std::vector<Turn> path_;
  std::size_t asked_ = 0;
};

void prepare_volley(const Scenario& sc, State& s, int side) {
  Undrawn chance;
  Events log = Events::unheard();
  Rules{sc, s, chance, log}.prepare_volley(side);
}

bool game_over(const Scenario& sc, State& s) {
  Undrawn chance;
  Events log = Events::unheard();
  Rules{sc, s, chance, log}.test_victory();
  return s.step == Step::over;
}

// --- Shots -----------------------------------------------------------------------------------------------------------

// Shots of one kind in a row are one salvo.
void append(std::vector<Salvo>& salvos, const Shot& shot, int rolls) {
  if (rolls <= 0) return;
  if (salvos.empty() || !(salvos.back().shot == shot)) salvos.push_back({shot, 0});
  salvos.back().rolls += rolls;
}

int rolls_of(const std::vector<Salvo>& salvos) {
  return std::accumulate(salvos.begin(), salvos.end(), 0, [](int sum, const Salvo& salvo) { return sum + salvo.rolls; });
}

RollOdds certain(Outcome outcome) {
  return {outcome == Outcome::nothing ? 1.0 : 0.0, outcome == Outcome::pin ? 1.0 : 0.0, outcome == Outcome::casualty ? 1.0 : 0.0};
}

void add(RollOdds& odds, Outcome outcome, double chance) {
  (outcome == Outcome::casualty ? odds.casualty : outcome == Outcome::pin ? odds.pin : odds.nothing) += chance;
}

// A company list in the order of fire.
std::vector<int> in_order(UnitSet units, int first) {
  std::vector<int> order;
  if (first != no_unit && has(units, first)) order.push_back(first);
  for (const int unit : each(units)) {
    if (unit != first) order.push_back(unit);
  }
  return order;
}

// --- The end of the game in a fight · R3, R4 -------------------------------------------------------------------------

// Units of `seat` fall. `fallible`: fronts that are empty when their units of the group are gone.
GameEnds game_ends(const Scenario& sc, const Table& table, int seat, UnitSet group, FrontSet fallible) {
  GameEnds ends(at(std::popcount(group)) + 1);
  for (std::size_t kills = 0; kills < ends.size(); ++kills) {
    for (std::size_t emptied = 0; emptied < ends[kills].size(); ++emptied) {
      if ((emptied & ~std::size_t{fallible}) != 0) continue;
      State s = stage(table);
      Force& winner = s.force[at(other(seat))];
      winner.kills = static_cast<std::uint8_t>(winner.kills + kills);
      for (int f = 0; f < front_count; ++f) {
        if (has(emptied, f)) s.force[at(seat)].at[at(f)] = 0;
      }
      ends[kills][emptied] = game_over(sc, s);
    }
  }
  return ends;
}

// --- A combat --------------------------------------------------------------------------------------------------------

// What the attackers fire, salvo by salvo; how many dice depends on how they fare.
struct AttackPlan {
  std::vector<Shot> runs;
  std::array<int, max_units> run{};                // by unit: its salvo, -1 for none
  std::array<std::vector<int>, max_units> dice{};  // by unit: after so many more casualties
};

// The chance of each volley. Its number is a mixed-radix one: the dice of the first salvo are the leading digit.
struct Volleys {
  std::vector<Shot> runs;
  std::vector<std::size_t> radix;
  std::vector<double> chances{1.0};
};

class Fight {
 public:
  // `s` is the combat on the stage, before its mines or while it is fired out.
  Fight(const Scenario& sc, const State& s, int first, long effort)
      : sc_(sc),
        s_(s),
        first_(first),
        effort_(effort),
        attackers_(s.combat.against[s.combat.front]),
        defenders_(theirs(s).at[s.combat.front]) {}

  std::optional<CombatOdds> work_out() {
    // Where a front victory is there already, though untested, it comes with the first loss unless that loss undoes it.
    // Play does not lead there, only a made-up position; it is not followed.
    if (State now = s_; !s_.combat.simultaneous && game_over(sc_, now)) return std::nullopt;
    find_homes();
    const GameEnds defender_ends = game_ends(sc_, s_, other(s_.active), defenders_, 0);
    append(mines_, {fire_roll_odds(sc_, 0), {}}, s_.combat.mines);
    find_defensive_fire();
    CombatOdds odds;
    const Volleys volleys = answer();
    if (effort_ >= 0) odds.attackers = attackers_fate();
    if (effort_ >= 0) odds.defenders = defenders_fate(volleys, s_.combat.simultaneous ? nullptr : &defender_ends);
    if (effort_ < 0) return std::nullopt;
    return odds;
  }

 private:
  // Where attackers stand matters only if the loss of one front, with others still fighting, ends the game (R3).
  void find_homes() {
    const Force& own = mine(s_);
    for (int f = 0; f < front_count; ++f) {
      if ((own.at[at(f)] & attackers_) != 0 && (own.at[at(f)] & ~attackers_) == 0) fallible_ |= front_bit(f);
    }
    attacker_ends_ = game_ends(sc_, s_, s_.active, attackers_, fallible_);
    const auto& without_kills = attacker_ends_[0];
    if (std::none_of(without_kills.begin(), without_kills.end(), [](bool ends) { return ends; })) fallible_ = 0;
  }
  int home_of(int unit) const {
    const int home = front_of(mine(s_), unit);
    return has(fallible_, home) ? home : -1;
  }

  int strength_left(int seat, int unit) const {
    return sc_.companies[at(seat)].strength[at(unit)] - s_.force[at(seat)].casualties[at(unit)];
  }

  Shot shot_of(const State& s, int side, int unit) const {
    const int seat = side == 0 ? s.active : other(s.active);
    return {fire_roll_odds(sc_, s.combat.modifier[at(side)][at(unit)]), weapon_of(sc_, s, seat, unit)};
  }

  // Mines hit only attackers, so that the defenders' dice are those of now.
  void find_defensive_fire() {
    State s = s_;
    if (!s.combat.firing) prepare_volley(sc_, s, 1);
    for (const int unit : in_order(s.combat.to_fire[1], s.step == Step::attackers_fire ? no_unit : first_))
      append(defensive_, shot_of(s, 1, unit), s.combat.dice[1][at(unit)]);
  }

  // The attackers' dice for every number of casualties they may yet take.
  AttackPlan plan_attack() const {
    AttackPlan plan;
    State fixed = s_;
    if (dice_are_fixed()) {
      for (const int unit : each(attackers_ | s_.combat.to_fire[0]))
        plan.dice[at(unit)] = {has(s_.combat.to_fire[0], unit) ? s_.combat.dice[0][at(unit)] : 0};
    } else {
      int most = 0;
      for (const int unit : each(attackers_)) most = std::max(most, strength_left(s_.active, unit));
      for (int more = most - 1; more >= 0; --more) {  // down to 0, so that `fixed` ends as the present
        fixed = s_;
        for (const int unit : each(attackers_)) {
          auto& casualties = mine(fixed).casualties[at(unit)];
          casualties = static_cast<std::uint8_t>(casualties + std::min(more, strength_left(s_.active, unit) - 1));
        }
        prepare_volley(sc_, fixed, 0);
        for (const int unit : each(attackers_)) {
          if (more >= strength_left(s_.active, unit)) continue;
          auto& dice = plan.dice[at(unit)];
          dice.insert(dice.begin(), has(fixed.combat.to_fire[0], unit) ? fixed.combat.dice[0][at(unit)] : 0);
        }
      }
    }
    for (const int unit : in_order(attackers_ | s_.combat.to_fire[0], s_.step == Step::attackers_fire ? first_ : no_unit)) {
      const auto& dice = plan.dice[at(unit)];
      plan.run[at(unit)] = -1;
      if (std::all_of(dice.begin(), dice.end(), [](int d) { return d == 0; })) continue;
      const Shot shot = shot_of(fixed, 0, unit);
      if (plan.runs.empty() || !(plan.runs.back() == shot)) plan.runs.push_back(shot);
      plan.run[at(unit)] = static_cast<int>(plan.runs.size()) - 1;
    }
    return plan;
  }

  // R45, or the attackers are already firing.
  bool dice_are_fixed() const { return s_.combat.firing && (s_.combat.simultaneous || s_.step == Step::attackers_fire); }

  // Walk 1: the volleys with which the attackers answer.
  Volleys answer() {
    constexpr std::size_t most_volleys = 1 << 20;
    const AttackPlan plan = plan_attack();
    Volleys volleys;
    volleys.runs = plan.runs;
    volleys.radix.assign(plan.runs.size(), 1);
    for (const int unit : each(attackers_ | s_.combat.to_fire[0])) {
      if (plan.run[at(unit)] < 0) continue;
      const auto& dice = plan.dice[at(unit)];
      volleys.radix[at(plan.run[at(unit)])] += at(*std::max_element(dice.begin(), dice.end()));
    }
    std::size_t size = 1;
    std::vector<std::size_t> worth(plan.runs.size());  // of a die of the salvo, in the number of the volley
    for (std::size_t run = worth.size(); run-- > 0;) {
      worth[run] = size;
      size *= volleys.radix[run];
      if (size > most_volleys) {
        effort_ = -1;
        return volleys;
      }
    }
    volleys.chances.assign(size, 0.0);

    if (dice_are_fixed()) {
      std::size_t volley = 0;
      for (const int unit : each(s_.combat.to_fire[0])) volley += at(plan.dice[at(unit)].front()) * worth[at(plan.run[at(unit)])];
      volleys.chances[volley] = 1;
      return volleys;
    }
    Targets targets(sc_, s_.active, 0, &attacker_ends_, effort_);
    for (const int unit : each(attackers_)) targets.put(unit, home_of(unit), plan.run[at(unit)], plan.dice[at(unit)]);
    if (effort_ < 0) return volleys;
    Spread spread = targets.begin();
    std::vector<Salvo> before = mines_;  // the attackers count their dice after these
    if (!s_.combat.simultaneous) before.insert(before.end(), defensive_.begin(), defensive_.end());
    Spread silent;  // nobody is left to fire, or the game is over
    targets.roll(spread, before, true, silent);
    if (effort_ < 0) return volleys;
    volleys.chances[0] = std::accumulate(silent.mass.begin(), silent.mass.end(), 0.0);
    targets.add_volleys(spread, worth, volleys.chances);
    return volleys;
  }

  // Walk 2.
  SideOdds attackers_fate() {
    Targets targets(sc_, s_.active, rolls_of(mines_) + rolls_of(defensive_), &attacker_ends_, effort_);
    for (const int unit : each(attackers_)) targets.put(unit, home_of(unit), strength_left(s_.active, unit));
    if (effort_ < 0) return {};
    Spread spread = targets.begin(), total;
    targets.roll(spread, mines_, true, total);
    targets.roll(spread, defensive_, !s_.combat.simultaneous, total);
    targets.gather(spread, 1, total);
    return targets.count(total);
  }

  // Walk 3.
  SideOdds defenders_fate(const Volleys& volleys, const GameEnds* ends) {
    std::size_t most = 0;
    for (const std::size_t radix : volleys.radix) most += radix - 1;
    Targets targets(sc_, other(s_.active), static_cast<int>(most), ends, effort_);
    for (const int unit : each(defenders_)) targets.put(unit, -1, strength_left(other(s_.active), unit));
    if (effort_ < 0) return {};
    Spread total;
    under_fire(targets, targets.begin(), volleys, 0, volleys.chances, total);
    return targets.count(total);
  }

  // All volleys that begin alike share their first rolls: `chances` are those that go on from here with salvo `run`.
  void under_fire(Targets& targets, Spread spread, const Volleys& volleys, std::size_t run, std::span<const double> chances,
                  Spread& total) {
    if (run == volleys.runs.size()) {
      targets.gather(spread, chances[0], total);
      return;
    }
    const std::size_t part = chances.size() / volleys.radix[run];
    std::vector<double> going_on(volleys.radix[run] + 1);  // with at least so many dice in this salvo
    for (std::size_t dice = volleys.radix[run]; dice-- > 0;) {
      const auto these = chances.subspan(dice * part, part);
      going_on[dice] = std::accumulate(these.begin(), these.end(), going_on[dice + 1]);
    }
    effort_ -= static_cast<long>(chances.size());
    for (std::size_t dice = 0; going_on[dice] > 0 && effort_ >= 0; ++dice) {
      if (dice > 0) targets.roll(spread, volleys.runs[run], true, going_on[dice], total);
      const auto these = chances.subspan(dice * part, part);
      if (std::any_of(these.begin(), these.end(), [](double p) { return p != 0; }))
        under_fire(targets, spread, volleys, run + 1, these, total);
    }
  }

  const Scenario& sc_;
  const State& s_;
  int first_;
  long effort_;
  UnitSet attackers_, defenders_;
  FrontSet fallible_ = 0;
  GameEnds attacker_ends_;
  std::vector<Salvo> mines_, defensive_;
};

// --- Estimates -------------------------------------------------------------------------------------------------------

// Plays fights by the rules and counts what they tell. `play(s, chance, log)` fights one on a copy of `start`.
template <class Play>
std::array<SideOdds, seat_count> estimate(const State& start, const Play& play) {
  constexpr double one = 1.0 / estimate_fights;
  std::array<SideOdds, seat_count> odds;
  odds.fill(nothing_counted());
  FastChance chance(1944);
  std::vector<Event> told;
  Events log(&told);
  for (int fight = 0; fight < estimate_fights; ++fight) {
    State s = start;
    told.clear();
    play(s, chance, log);
    std::array<std::array<std::size_t, 3>, seat_count> counted{};
    for (const Event& event : told) {
      const auto kind = static_cast<Told>(event.kind);
      const int what = kind == Told::pinned ? 0 : kind == Told::casualty ? 1 : kind == Told::destroyed ? 2 : -1;
      if (what >= 0) ++counted[at(event.with[0] / max_units)][at(what)];
    }
    for (std::size_t seat = 0; seat < seat_count; ++seat) {
      add_at(odds[seat].pins, counted[seat][0], one);
      add_at(odds[seat].casualties, counted[seat][1], one);
      add_at(odds[seat].removals, counted[seat][2], one);
    }
  }
  return odds;
}

CombatOdds estimate_combat(const Scenario& sc, State s, int first) {
  // With two more combats to choose from the rules stop after this one.
  s.combat.to_resolve = static_cast<FrontSet>(0b111 & ~front_bit(s.combat.front));
  const auto odds = estimate(s, [&](State& fought, Chance& chance, Events& log) {
    if (!fought.combat.firing) {
      Rules{sc, fought, chance, log}.fight();
    } else if (first != no_unit) {
      apply(sc, fought, Seat{fought.chooser},
            {static_cast<std::uint16_t>(Verb::fire), static_cast<std::uint16_t>(unit_number(fought.chooser, first)), 0, 0}, chance, log);
    }
    while (fought.step == Step::defenders_fire || fought.step == Step::attackers_fire) {
      apply(sc, fought, Seat{fought.chooser}, {static_cast<std::uint16_t>(Verb::fire_all), 0, 0, 0}, chance, log);
    }
  });
  return {false, odds[s.active], odds[at(other(s.active))]};
}

}  // namespace

// === Single rolls ====================================================================================================

RollOdds fire_roll_odds(const Scenario& sc, int modifier) {
  RollOdds odds;
  for (int die = 1; die <= 6; ++die) add(odds, fire_outcome(sc.figures, die + modifier), 1.0 / 6);
  return odds;
}

RollOdds suppression_roll_odds(const Scenario& sc, int modifier, int dice) {
  std::vector<double> totals{1.0};
  for (int n = 0; n < dice; ++n) {
    std::vector<double> next(totals.size() + 6);
    for (std::size_t total = 0; total < totals.size(); ++total) {
      for (std::size_t die = 1; die <= 6; ++die) next[total + die] += totals[total] / 6;
    }
    totals = std::move(next);
  }
  RollOdds odds;
  for (std::size_t total = 0; total < totals.size(); ++total)
    add(odds, suppression_outcome(sc.figures, static_cast<int>(total) + modifier), totals[total]);
  return odds;
}

HitOdds hit_odds(const Scenario& sc, int seat, int unit, bool casualty, bool sniper) {
  HitOdds odds;
  Branches branches;
  std::vector<Event> told;
  Events log(&told);
  do {
    State s;
    s.force[at(seat)].at[0] = bit(unit);
    told.clear();
    Rules{sc, s, branches, log}.hit(seat, unit, casualty, sniper);
    const auto was_told = [&](Told kind) {
      return std::any_of(told.begin(), told.end(), [&](const Event& event) { return event.kind == static_cast<std::uint16_t>(kind); });
    };
    (was_told(Told::pinned)      ? odds.pin
     : was_told(Told::casualty)  ? odds.casualty
     : was_told(Told::destroyed) ? odds.loss
                                 : odds.nothing) += branches.chance();
  } while (branches.next());
  return odds;
}

ReconOdds recon_odds(const Scenario& sc, int seat, int unit) {
  ReconOdds odds;
  for (int die = 1; die <= 6; ++die) {
    const Scouting scouting = recon_outcome(sc.figures, die + sc.companies[at(seat)].recon_modifier[at(unit)]);
    (scouting == Scouting::success ? odds.success : scouting == Scouting::nothing ? odds.nothing : odds.spotted) += 1.0 / 6;
  }
  return odds;
}

double rally_odds(const Scenario& sc, int modifier) {
  int good = 0;
  for (int die = 1; die <= 6; ++die) good += rallies(sc.figures, die + modifier) ? 1 : 0;
  return good / 6.0;
}

// === Fights ==========================================================================================================

CombatOdds assault_odds(const Scenario& sc, const Table& table, int front, int joining, int first, long effort) {
  State s = stage(table);
  if (s.combat.front != front) {  // cards are played for the combat being fought
    s.combat = {};
    s.combat.against = table.combat.against;
    s.combat.front = static_cast<std::uint8_t>(front);
  }
  if (joining != no_unit) s.combat.against[at(front)] |= bit(joining);
  const bool anyone_fires = s.combat.firing || s.combat.against[at(front)] != 0;
  if (!anyone_fires || theirs(s).at[at(front)] == 0) return {};
  if (auto odds = Fight(sc, s, first, effort).work_out()) return *odds;
  return estimate_combat(sc, s, first);
}

FireOdds suppression_odds(const Scenario& sc, const Table& table, const Barrage& barrage, long effort) {
  const int seat = other(table.active);
  const UnitSet group = table.force[at(seat)].at[barrage.front];
  if (group == 0) return {};
  const Weapon weapon = barrage_weapon(sc, table, barrage);
  std::vector<Salvo> salvos;
  if (barrage.result != 0) append(salvos, {certain(static_cast<Outcome>(barrage.result)), weapon}, 1);
  append(salvos, {suppression_roll_odds(sc, barrage_modifier(table, barrage), barrage.dice), weapon}, barrage.rolls_left);

  const GameEnds ends = game_ends(sc, table, seat, group, 0);
  Targets targets(sc, seat, rolls_of(salvos), &ends, effort);
  for (const int unit : each(group)) {
    targets.put(unit, -1, sc.companies[at(seat)].strength[at(unit)] - table.force[at(seat)].casualties[at(unit)]);
  }
  if (effort >= 0) {
    Spread spread = targets.begin(), total;
    targets.roll(spread, salvos, true, total);
    targets.gather(spread, 1, total);
    if (effort >= 0) return {true, targets.count(total)};
  }

  State s = stage(table);
  s.barrage = barrage;
  return {false, estimate(s, [&](State& fired, Chance& chance, Events& log) {
            Rules rules{sc, fired, chance, log};
            if (barrage.result != 0) {
              rules.settle_roll(false);
            } else {
              rules.roll_barrage();
            }
          })[at(seat)]};
}

SideOdds spotted_odds(const Scenario& sc, const Table& table, int unit, int result) {
  const int seat = table.active;
  const RollOdds roll = result != 0 ? certain(static_cast<Outcome>(result)) : suppression_roll_odds(sc, 0);
  const bool last_point = table.force[at(seat)].casualties[at(unit)] + 1 >= sc.companies[at(seat)].strength[at(unit)];
  SideOdds odds = nothing_counted();
  const auto count = [&](double chance, std::size_t pins, std::size_t casualties, std::size_t removals) {
    if (chance == 0) return;
    add_at(odds.pins, pins, chance);
    add_at(odds.casualties, casualties, chance);
    add_at(odds.removals, removals, chance);
  };
  count(roll.nothing, 0, 0, 0);
  for (const bool casualty : {false, true}) {
    const double chance = casualty ? roll.casualty : roll.pin;
    const HitOdds hit = hit_odds(sc, seat, unit, casualty, false);
    count(chance * hit.nothing, 0, 0, 0);
    count(chance * hit.pin, 1, 0, 0);
    count(chance * hit.casualty, 0, 1, last_point ? 1 : 0);
    count(chance * hit.loss, 0, 0, 1);
  }
  return odds;
}

}  // namespace baton::company_commander
