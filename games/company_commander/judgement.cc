// The figures here are judgement, not rules: they were chosen by playing greedy against variants of itself (README, "Balance").
#include "games/company_commander/judgement.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {
namespace {

constexpr float pin_worth = 0.25f;     // of a kill: a pinned unit loses a turn and may rout
constexpr float own_pin_cost = 0.30f;  // pinned attackers do not defend either
constexpr float card_cost = 0.22f;     // what a held card may still be worth
constexpr float assault_threshold = 0.02f;

int fronts_held(const Force& f) { return (f.at[0] != 0) + (f.at[1] != 0) + (f.at[2] != 0); }

class Judge {
 public:
  Judge(const Scenario& sc, const Knowledge& k, const ActionList& legal)
      : sc_(sc), k_(k), legal_(legal), me_(k.chooser), own_(k.force[k.chooser]), enemy_(k.force[at(other(k.chooser))]) {
    if (k.step == Step::declare || k.step == Step::block) plan_assaults();
  }

  // The enemy holds every front, and somebody can be spared for one that we do not.
  bool fends_off_victory(int unit, int to) const {
    return fronts_held(enemy_) == front_count && own_.at[at(to)] == 0 && std::popcount(own_.at[at(front_of(own_, unit))]) > 1;
  }

  float value(Action a) const {
    switch (static_cast<Verb>(a.verb)) {
      case Verb::pass:
      case Verb::done: return 0;
      case Verb::deploy: return 1 + placing(a.a % max_units, a.b);
      case Verb::move: return moving(a.a % max_units, a.b);
      case Verb::headquarters: return static_cast<Deck>(a.a) == Deck::squad ? 0.9f : 0.8f;
      case Verb::recon: return scouting(a.a % max_units);
      case Verb::look: return 0.1f;
      case Verb::direct_fire: return k_.front < front_count ? 0.15f * static_cast<float>(rolls_against(k_.front)) : 0;
      case Verb::suppress: return 0.3f + 0.05f * unpinned(enemy_, a.b);
      case Verb::assault: return has(planned_[a.b], a.a % max_units) ? 1 : -1;
      case Verb::resolve: return static_cast<float>(std::popcount(k_.combat.against[a.a]));
      case Verb::fire_all: return 0;
      case Verb::fire: return has(sc_.with(me_, Keyword::anti_tank) | own_.anti_tank, a.a % max_units) ? 0.1f : -0.1f;
      case Verb::rally: return 1 + unit_worth(me_, a.a % max_units) + (has(sc_.with(me_, Keyword::commander), a.a % max_units) ? 5.f : 0.f);
      case Verb::rally_helped: return 2 + unit_worth(me_, a.a % max_units);
      case Verb::discard: return -holding(a.a);
      default: return playing(a);
    }
  }

 private:
  int seat_of(const Force& f) const { return &f == &own_ ? me_ : other(me_); }

  static float unpinned(const Force& f, int front) { return static_cast<float>(std::popcount(f.at[at(front)] & ~f.pinned)); }

  float remaining(int seat, int unit) const {
    return static_cast<float>(sc_.companies[at(seat)].strength[at(unit)] - k_.force[at(seat)].casualties[at(unit)]);
  }

  // Dice that a unit would roll, before cards.
  float attack_dice(int seat, int unit) const {
    return remaining(seat, unit) + (has(sc_.with(seat, Keyword::assault), unit) ? static_cast<float>(sc_.figures.assault_dice) : 0.f);
  }
  float defence_dice(int seat, int unit) const {
    return remaining(seat, unit) + (has(sc_.with(seat, Keyword::defense), unit) ? static_cast<float>(sc_.figures.defense_dice) : 0.f);
  }

  float unit_worth(int seat, int unit) const {
    float worth = remaining(seat, unit);
    if (has(sc_.with(seat, Keyword::suppress), unit)) worth += 1;
    if (has(sc_.with(seat, Keyword::defense), unit)) worth += 1;
    if (has(sc_.with(seat, Keyword::armor), unit)) worth += 0.5f;
    return worth;
  }

  // Asked for again and again where units are placed.
  float power(const Force& f, int front) const {
    const int seat = seat_of(f);
    std::optional<float>& known = power_[at(seat)][at(front)];
    if (known) return *known;
    float dice = 0;
    for (const int unit : each(f.at[at(front)])) dice += 0.5f * (attack_dice(seat, unit) + defence_dice(seat, unit));
    return *(known = dice);
  }

  // --- Assaults: what an exchange of fire would roughly bring the attacker, in kills ---------------------------------

  // Share of a group of `size` that at least one of `hits` random hits strikes.
  static float struck(float hits, float size) { return size <= 0 ? 0 : 1 - std::pow(1 - 1 / std::max(size, 1.f), hits); }

  // Units that fight together, or one of them.
  struct Fire {
    float units = 0, dice = 0;
    float fragile = 0;  // how easily they are removed, added up
    void operator+=(const Fire& other) {
      units += other.units;
      dice += other.dice;
      fragile += other.fragile;
    }
  };
  Fire in_attack(int attacker, int unit, float bonus) const {
    const Force& f = k_.force[at(attacker)];
    const bool fires = !has(f.pinned | f.green | k_.combat.silenced, unit);
    return {1, fires ? std::max(0.f, attack_dice(attacker, unit) + bonus) : 0, fragility(attacker, unit)};
  }
  Fire defence_of(int defender, int front) const {
    const Force& f = k_.force[at(defender)];
    Fire all;
    for (const int unit : each(f.at[at(front)]))
      all += {1, has(f.pinned | f.green, unit) ? 0 : defence_dice(defender, unit), fragility(defender, unit)};
    return all;
  }
  float exchange(int attacker, int front, UnitSet group) const {
    Fire attack;
    for (const int unit : each(group)) attack += in_attack(attacker, unit, 0);
    return exchange(attack, defence_of(other(attacker), front));
  }
  static float exchange(const Fire& attack, const Fire& defence) {
    if (attack.units == 0) return 0;
    const float dice = attack.dice * (1 - struck(defence.dice * 0.5f, attack.units));
    const float lost = std::min(attack.units, defence.dice / 6 * attack.fragile / attack.units);
    const float killed = std::min(defence.units, dice / 6 * defence.fragile / std::max(1.f, defence.units));
    return killed + pin_worth * std::min(defence.units, dice / 3) - lost - own_pin_cost * std::min(attack.units, defence.dice / 3);
  }

  // Chance that a casualty removes the unit, roughly.
  float fragility(int seat, int unit) const {
    float f = 1 / remaining(seat, unit);
    if (has(sc_.with(seat, Keyword::armor), unit)) f *= sc_.companies[at(seat)].armor_modifier[at(unit)] >= 2 ? 0.5f : 0.83f;
    return f;
  }

  // For each front the best group found by leaving out, one at a time, whoever makes it worse.
  void plan_assaults() {
    std::array<UnitSet, front_count> able{};
    for (const Action a : legal_) {
      if (static_cast<Verb>(a.verb) == Verb::assault) able[a.b] |= bit(a.a % max_units);
    }
    if ((able[0] | able[1] | able[2]) == 0) return;
    const UnitSet commanders = sc_.with(me_, Keyword::commander);
    const float help = hand_bonus(Effect::fire_dice_assaulters) + hand_bonus(Effect::fire_dice_own_side);
    for (int front = 0; front < front_count; ++front) {
      if (able[at(front)] == 0) continue;
      UnitSet group = (able[at(front)] & ~commanders) | k_.combat.against[at(front)];
      const Fire defence = defence_of(other(me_), front);
      std::array<Fire, max_units> attack;
      for (const int unit : each(group)) attack[at(unit)] = in_attack(me_, unit, help);
      const auto outcome = [&](UnitSet units) {
        Fire all;
        for (const int unit : each(units)) all += attack[at(unit)];
        return exchange(all, defence);
      };
      float best = outcome(group);
      for (bool better = true; better;) {
        better = false;
        for (const int unit : each(group & able[at(front)])) {
          const float without = outcome(group & ~bit(unit));
          if (without > best) {
            best = without;
            group &= ~bit(unit);
            better = true;
            break;
          }
        }
      }
      planned_[at(front)] = best > assault_threshold ? group : k_.combat.against[at(front)];
    }
  }

  float hand_bonus(Effect effect) const {
    float bonus = 0;
    for (const int card : each(k_.hand)) {
      const CardKind& kind = sc_.cards[sc_.card_kind[at(card)]];
      if (kind.effect == effect && (kind.nation < 0 || kind.nation == me_)) bonus += static_cast<float>(kind.amount);
    }
    return std::min(bonus, 1.f);
  }

  // --- Deployment ------------------------------------------------------------------------------------------------------

  float placing(int unit, int front) const {
    const float mine_here = power(own_, front), theirs_here = power(enemy_, front);
    float score = 0;
    if (own_.at[at(front)] == 0) score += 0.8f;
    score += 0.1f * std::min(theirs_here, 6.f) - 0.05f * std::max(0.f, mine_here - theirs_here - 4);
    const bool fire_support = has(sc_.with(me_, Keyword::suppress) | sc_.with(me_, Keyword::recon), unit);
    if (fire_support) score += 0.08f * static_cast<float>(std::popcount(enemy_.at[at(front)]));
    if (has(sc_.with(me_, Keyword::commander), unit)) score += 0.04f * static_cast<float>(std::popcount(own_.at[at(front)]));
    return score;
  }

  // Only to fend off the automatic victory.
  float moving(int unit, int to) const {
    const bool late = k_.round + 1 >= sc_.figures.automatic_win_from_round;
    return late && fronts_held(own_) <= 1 && fends_off_victory(unit, to) ? 2 : -0.2f;
  }

  // --- Recon and suppression -------------------------------------------------------------------------------------------

  // Own suppression rolls still possible against a front: units opposite, support cards in hand.
  int rolls_against(int front) const {
    int rolls = 0;
    const UnitSet ready =
        own_.at[at(front)] & sc_.with(me_, Keyword::suppress) & ~own_.pinned & ~own_.moved & ~own_.suppressed & ~own_.out_of_ammo;
    rolls += std::popcount(ready);
    for (const int card : each(k_.hand)) {
      const CardKind& kind = sc_.cards[sc_.card_kind[at(card)]];
      if (kind.effect == Effect::suppress && (kind.nation < 0 || kind.nation == me_)) rolls += kind.amount;
    }
    return rolls;
  }

  float scouting(int unit) const {
    const int front = front_of(own_, unit);
    if (enemy_.at[at(front)] == 0) return -0.1f;
    return 0.05f * static_cast<float>(rolls_against(front)) - 0.12f;
  }

  // --- Cards -----------------------------------------------------------------------------------------------------------

  // What it would hurt to throw the card away.
  float holding(int number) const {
    const CardKind& kind = sc_.cards[at(number)];
    if (kind.nation >= 0 && kind.nation != me_) return -1;  // R11: dead
    switch (kind.effect) {
      case Effect::suppress: return 0.2f * static_cast<float>(kind.amount);
      case Effect::mines: return 0.6f;
      case Effect::draw_squads:
      case Effect::draw_tactics: return 0.7f;
      case Effect::fire_dice_assaulters:
      case Effect::fire_dice_defenders:
      case Effect::fire_dice_own_side: return 0.55f;
      case Effect::cancel_suppression_roll: return 0.4f;
      case Effect::forbid_assault:
      case Effect::forbid_attacks_on_front: return 0.5f;
      case Effect::cancel_move:
      case Effect::allow_assault:
      case Effect::allow_attack: return 0.05f;
      default: return 0.3f;
    }
  }

  float playing(Action a) const {
    const CardKind& card = sc_.cards[a.a];
    const auto amount = static_cast<float>(card.amount);
    const int unit = a.b % max_units;
    switch (card.effect) {
      case Effect::draw_squads:
      case Effect::draw_tactics: return 1;
      case Effect::suppress:
        return 0.1f + 0.1f * amount * unpinned(enemy_, a.b) / 3 + 0.1f * static_cast<float>(k_.fire_direction[a.b]) +
               0.02f * power(own_, a.b);
      case Effect::grant_suppression: return rifle_fire(unit, a.c);
      case Effect::suppress_modifier: return 0.12f * amount * static_cast<float>(rolls_against(a.b)) - card_cost;
      case Effect::recon_success:
        return static_cast<Verb>(a.verb) == Verb::play ? -0.1f : 0.12f * static_cast<float>(rolls_against(a.b)) - card_cost;
      case Effect::cancel_suppression_roll:
        return static_cast<Outcome>(k_.barrage.result) == Outcome::casualty || k_.hand_size[at(me_)] >= 6 ? 0.5f : -0.1f;
      case Effect::cancel_move: return k_.hand_size[at(me_)] >= 6 ? 0.1f : -0.1f;
      case Effect::cancel_rally_roll:
      case Effect::extra_rally_roll: return 0.5f;
      case Effect::forbid_assault: return blocking(a, card);
      case Effect::forbid_attacks_on_front: return shrouding(a.b);
      case Effect::forbid_suppression:
        return has(sc_.with(other(me_), Keyword::suppress), unit) ? 0.2f + 0.1f * unit_worth(other(me_), unit) : -0.2f;
      case Effect::forbid_move_and_assault: return has(sc_.with(other(me_), Keyword::assault), unit) ? 0.2f : -0.05f;
      case Effect::allow_assault:
      case Effect::allow_attack: return has(own_.moved, unit) ? 0.2f : -0.2f;
      case Effect::fire_dice_assaulters:
      case Effect::fire_dice_defenders:
      case Effect::fire_dice_own_side:
      case Effect::fire_dice_unit:
      case Effect::cancel_fire:
      case Effect::mines:
      case Effect::simultaneous_fire:
      case Effect::forbid_everything:
      case Effect::pin:
      case Effect::grant_anti_tank: return k_.step == Step::combat_cards ? in_combat(a, card) : elsewhere(a, card);
    }
    return 0;
  }

  float rifle_fire(int unit, int front) const {
    // A squad that shoots does not assault: worth it only where it would stay back.
    const float assault = exchange(me_, front, own_.at[at(front)] & ~own_.pinned & ~sc_.with(me_, Keyword::commander));
    return assault > assault_threshold && has(own_.at[at(front)], unit) ? -0.1f : 0.15f;
  }

  float elsewhere(Action a, const CardKind& card) const {
    if (k_.step != Step::block) return -0.1f;
    const int unit = a.b % max_units;
    if (card.effect == Effect::pin && me_ != k_.active && has(k_.combat.against[0] | k_.combat.against[1] | k_.combat.against[2], unit)) {
      return 0.15f * attack_dice(k_.active, unit) - 0.1f;
    }
    return -0.1f;
  }

  // The combat now being fought: gain in dice, own more or enemy fewer.
  float in_combat(Action a, const CardKind& card) const {
    const Combat& c = k_.combat;
    const bool attacker = me_ == k_.active;
    const auto amount = static_cast<float>(card.amount);
    const int front = c.front, unit = a.b % max_units;
    const UnitSet attackers = c.against[at(front)] & ~k_.force[k_.active].pinned & ~k_.force[k_.active].green & ~c.silenced;
    const Force& defender = k_.force[at(other(k_.active))];
    const UnitSet defenders = defender.at[at(front)] & ~defender.pinned & ~defender.green;
    const UnitSet mine_firing = attacker ? attackers : defenders;
    constexpr float per_die = 0.26f;  // 1/6 kill and 1/3 pin
    // Attackers lose part of their dice to the defenders' fire.
    const float steady = attacker && !c.simultaneous ? 0.65f : 1.f;
    switch (card.effect) {
      case Effect::fire_dice_assaulters:
        if (attacker) return per_die * steady * amount * static_cast<float>(std::popcount(attackers)) - card_cost;
        return per_die * -amount * 0.7f * cut(attackers) - card_cost;
      case Effect::fire_dice_defenders: return per_die * amount * static_cast<float>(std::popcount(defenders)) - card_cost;
      case Effect::fire_dice_own_side: return per_die * steady * amount * static_cast<float>(std::popcount(mine_firing)) - card_cost;
      case Effect::fire_dice_unit: return has(mine_firing, unit) ? per_die * steady * amount - 0.1f : -1;
      case Effect::cancel_fire: return per_die * 0.7f * attack_dice(k_.active, unit) * (has(attackers, unit) ? 1.f : 0.f) - 0.2f;
      case Effect::mines: return 0.2f * amount - card_cost;
      case Effect::simultaneous_fire: return attacker ? 0.1f * static_cast<float>(std::popcount(defenders)) - 0.15f : -1;
      case Effect::forbid_everything:
      case Effect::pin: {
        const UnitSet firing = attacker ? defenders : attackers;
        if (!has(firing, unit)) return -1;
        const float dice = attacker ? defence_dice(other(me_), unit) : attack_dice(k_.active, unit);
        return per_die * (attacker ? 1.f : 0.7f) * dice - 0.2f;
      }
      case Effect::grant_anti_tank: {
        const Force& target = attacker ? defender : k_.force[k_.active];
        const UnitSet group = attacker ? target.at[at(front)] : c.against[at(front)];
        const bool tanks = (group & sc_.companies[at(other(me_))].anti_tank_first) != 0;
        return tanks && has(mine_firing, unit) ? 0.05f * unit_worth(me_, unit) : -1;
      }
      default: return -1;
    }
  }

  // Attackers who have a die to lose, and still roll.
  static float cut(UnitSet attackers) { return static_cast<float>(std::popcount(attackers)); }

  // What the declared assaults threaten to bring the enemy.
  float threat(int front) const { return exchange(k_.active, front, k_.combat.against[at(front)]); }

  float blocking(Action a, const CardKind& card) const {
    if (card.target == Target::enemy_front) {
      float total = 0;
      for (int front = 0; front < front_count; ++front) {
        if ((k_.combat.against[at(front)] & enemy_.at[a.b]) != 0) total += std::max(0.f, threat(front));
      }
      return total - 0.35f;
    }
    const int unit = a.b % max_units;
    for (int front = 0; front < front_count; ++front) {
      if (!has(k_.combat.against[at(front)], unit)) continue;
      if (threat(front) < 0) return -0.1f;
      return 0.15f * attack_dice(other(me_), unit) - 0.1f;
    }
    return -0.1f;
  }

  float shrouding(int front) const {
    if (k_.step == Step::block) return threat(front) - 0.35f;
    if (k_.step == Step::fog_reaction) {
      return k_.barrage.front == front && k_.barrage.rolls_left >= 3 && unpinned(own_, front) >= 3 ? 0.1f : -0.1f;
    }
    return -0.1f;
  }

  const Scenario& sc_;
  const Knowledge& k_;
  const ActionList& legal_;
  int me_;
  const Force& own_;
  const Force& enemy_;
  std::array<UnitSet, front_count> planned_{};
  mutable std::array<std::array<std::optional<float>, front_count>, seat_count> power_{};
};

// What a card in hand adds to a position, beyond being a card.
float card_worth(const Weights& w, const CardKind& kind) {
  switch (kind.effect) {
    case Effect::mines: return w[Weight::mines];
    case Effect::suppress: return w[Weight::barrage];
    case Effect::suppress_modifier: return w[Weight::fire_direction];
    case Effect::cancel_suppression_roll: return w[Weight::smoke];
    case Effect::forbid_suppression: return w[Weight::jam];
    case Effect::forbid_attacks_on_front: return w[Weight::fog];
    default: return 0;
  }
}

// How a company stands by itself; games/company_commander/judgement.toml tells what each weight is for.
float standing(const Scenario& sc, const State& s, int seat) {
  const Weights& w = sc.weights;
  const Force& f = s.force[at(seat)];
  const UnitSet table = f.on_table();
  const auto count = [](UnitSet units) { return static_cast<float>(std::popcount(units)); };
  float sum = w[Weight::kill] * static_cast<float>(f.kills) + w[Weight::kill_square] * static_cast<float>(f.kills * f.kills);
  for (const UnitSet front : f.at) {
    int strength = 0;
    for (const int unit : each(front)) {
      const int left = sc.companies[at(seat)].strength[at(unit)] - f.casualties[at(unit)];
      if (!has(f.pinned, unit)) strength += left;
      if (left == 1) sum += w[Weight::fragile];
      sum += w[Weight::pin] * static_cast<float>(f.pins[at(unit)]) + w[Weight::casualty] * static_cast<float>(f.casualties[at(unit)]);
    }
    sum += w[Weight::strength] * static_cast<float>(strength) + w[Weight::front_root] * std::sqrt(static_cast<float>(strength));
  }
  sum += w[Weight::pinned] * count(f.pinned) + w[Weight::unit] * count(table);
  sum += w[Weight::suppressor] * count(table & sc.with(seat, Keyword::suppress));
  sum += w[Weight::front] * static_cast<float>(fronts_held(f)) + w[Weight::squad] * count(f.deck);
  if (fronts_held(f) == front_count && fronts_held(s.force[at(other(seat))]) == 2) sum += w[Weight::near_victory];
  for (const int card : each(s.hand[at(seat)])) {
    const CardKind& kind = sc.cards[sc.card_kind[at(card)]];
    sum += w[Weight::card] + (kind.nation < 0 || kind.nation == seat ? card_worth(w, kind) : 0);
  }
  return sum + (s.active == seat ? w[Weight::own_turn] : 0);
}

}  // namespace

float worth(const Scenario& sc, const State& s, Seat seat) {
  const int me = index(seat);
  return std::tanh((standing(sc, s, me) - standing(sc, s, other(me))) / 2);
}

void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises) {
  const Judge judge(sc, k, legal);
  for (std::size_t i = 0; i < legal.size(); ++i) promises[i] = judge.value(legal[i]);
}

// Greed goes back to an empty front when the next loss would be the last; in time is one front earlier.
void prudence(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises) {
  if (k.step != Step::deploy || fronts_held(k.force[k.chooser]) == front_count) return;
  constexpr float in_time = 0.5f;
  const Judge judge(sc, k, legal);
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (static_cast<Verb>(legal[i].verb) == Verb::move && judge.fends_off_victory(legal[i].a % max_units, legal[i].b))
      promises[i] = std::max(promises[i], in_time);
  }
}

}  // namespace baton::company_commander
