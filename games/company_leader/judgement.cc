#include "games/company_leader/judgement.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "games/company_leader/odds.h"
#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

void Remembered::look_at(const Scenario& sc, const Knowledge& k) {
  Grounds now;
  now.me = k.viewer;
  now.mine = k.pieces[at(now.me)];
  now.own = pieces_of_side(sc, k, sc.side_of[at(now.me)]);
  now.enemy = occupied(k) - now.own;
  now.enemy_up = (now.enemy & k.revealed) - k.to_face;
  now.enemy_hidden = now.enemy - k.revealed;
  now.in_view = observed(sc, k, now.me);
  now.boldness = std::min(8.0f, 0.7f * static_cast<float>(k.quiet) + 0.04f * static_cast<float>(k.round));
  now.objective_at = k.objective_at;
  now.carried = k.carried;
  bool same = now == grounds_;
  for (const int f : now.enemy_up) {
    same = same && shown_[at(f)] == k.shown[at(f)] && stand_[at(f)] == k.stand[at(f)];
    shown_[at(f)] = k.shown[at(f)];
    stand_[at(f)] = k.stand[at(f)];
  }
  if (!same) {
    grounds_ = now;
    ways_known_ = false;
    place_known_ = {};
    best_known_ = {};
  }
}

void Remembered::look_at_own(const Scenario& sc, const Knowledge& k) {
  FieldSet changed = (swapped_ - k.swapped) | (k.swapped - swapped_) | (used_ - k.used) | (k.used - used_) | (displaced_ - k.displaced) | (k.displaced - displaced_);
  swapped_ = k.swapped;
  used_ = k.used;
  displaced_ = k.displaced;
  for (const int f : grounds_.own) {
    if (!best_known_.empty() && kind_[at(f)] != k.kind[at(f)]) changed.insert(f);
    kind_[at(f)] = k.kind[at(f)];
  }
  best_known_ -= changed;
  for (const int f : changed) best_known_ -= sc.board.around[at(f)];
}

constexpr float never = -1000;

// One position, and what is remembered of it.
class Judge {
 public:
  Judge(const Scenario& sc, const Knowledge& k, Remembered& remembered)
      : sc_(sc),
        k_(k),
        memory_(remembered),
        me_(k.viewer),
        boldness_(remembered.grounds_.boldness),
        own_(remembered.grounds_.own),
        enemy_(remembered.grounds_.enemy),
        enemy_up_(remembered.grounds_.enemy_up),
        enemy_hidden_(remembered.grounds_.enemy_hidden),
        in_view_(remembered.grounds_.in_view) {}

  float of(Action a) const {
    switch (static_cast<Verb>(a.verb)) {
      case Verb::place: return -1;
      case Verb::place_for_me: return 1;
      case Verb::place_again: return -9;
      case Verb::ready: return 2;
      case Verb::swap: return swap(a.a, a.b);
      case Verb::reveal: return k_.step == Step::purchase ? -1 : reveal(a.a);  // it has no action any more
      // A troop that has done its work hides again; one that has not would only lose time.
      case Verb::conceal: return k_.used.has(a.a) ? 2.5f : -1;
      case Verb::face: return outlook(k_.kind[a.a], a.a, a.b, false);
      case Verb::move: return move(a.a, a.b);
      case Verb::step: return step();
      case Verb::stay: return 0;
      case Verb::turn: return outlook(k_.kind[k_.acting.field], k_.acting.field, a.a, true);
      case Verb::dummy: return sc_.board.terrain[a.a] == Terrain::urban ? 4 : 1;
      case Verb::shoot: return shot(k_.kind[a.a], strength_of(k_, a.a), a.a, a.b);
      case Verb::fire_back: return 1;
      case Verb::hold_fire: return 0;
      case Verb::follow_up: return place_value(k_.kind[k_.acting.field], k_.acting.target) - place_value(k_.kind[k_.acting.field], k_.acting.field) - 0.5f;
      case Verb::repair: return a.b >= 2 || sc_.figures(k_.kind[a.a]).strength - strength_of(k_, a.a) == a.b ? 1 + a.b : 0.1f;
      case Verb::done: return 0;
      case Verb::buy: return buy(a.a);
      case Verb::put:
      case Verb::put_facing: return a.a == 0 ? -1 : in_view_.has(a.b) ? 0 : 1;
      case Verb::leave: return -1;
      case Verb::surrender: return never;
    }
    return 0;
  }

 private:
  static bool urban(const Scenario& sc, int f) { return sc.board.terrain[at(f)] == Terrain::urban; }
  int far(int a, int b) const { return distance(sc_.board.hex[at(a)], sc_.board.hex[at(b)]); }

  // Steps to where there is something to win: urban fields that are not ours (with an enemy on them sooner, so 1.5 or 0.5 less),
  // hidden enemies, enemies in the open (1 more).
  float way(int f) const {
    if (!memory_.ways_known_) find_ways();
    return 0.5f * static_cast<float>(memory_.way_[at(f)]) - 1.5f;
  }
  void find_ways() const {
    memory_.ways_known_ = true;
    memory_.way_.fill(2 * 30 + 3);  // farther than it matters
    const FieldSet wanted = urban_fields(sc_) - own_;
    lead_to(wanted & enemy_, 0);
    lead_to(wanted - enemy_, 2);
    lead_to(enemy_hidden_, 3);
    lead_to(enemy_ & k_.revealed, 5);
  }
  void lead_to(FieldSet goals, int half_steps) const {
    auto& way = memory_.way_;
    for (const int goal : goals) {
      const auto& steps = sc_.board.steps[at(goal)];
      for (std::size_t f = 0; f < max_fields; ++f) way[f] = std::min(way[f], static_cast<std::uint8_t>(2 * steps[f] + half_steps));
    }
  }

  // With an objective: its carrier goes to the goal, the others to the objective.
  float errand(int f, int from) const {
    float value = 0;
    for (std::size_t i = 0; i < sc_.objectives.size(); ++i) {
      const Objective& o = sc_.objectives[i];
      const bool ours = has_seat(o.carriers, me_), catches = o.captured_by == sc_.side_of[at(me_)];
      if (has_seat(k_.carried, static_cast<int>(i)) && k_.objective_at[i] == from && own_.has(from)) {
        const FieldSet& goal = o.to_exits ? sc_.board.exits : sc_.sides[sc_.side_of[at(me_)]].purchase;
        int nearest = 30;
        for (const int g : goal) nearest = std::min(nearest, far(f, g));
        value += 6 * static_cast<float>(far(from, goal.front()) > 0 ? 10 - nearest : 0);
      } else if ((ours || catches) && !own_.has(k_.objective_at[i])) {
        value -= 1.5f * static_cast<float>(far(f, k_.objective_at[i]));
      } else if (ours && !has_seat(k_.carried, static_cast<int>(i))) {
        value -= static_cast<float>(far(f, k_.objective_at[i]));
      }
    }
    return value;
  }

  float cover(int f) const {
    const Terrain terrain = sc_.board.terrain[at(f)];
    return terrain == Terrain::urban ? 1.2f : terrain == Terrain::forest ? 0.8f : 0;
  }

  // Expected strength lost on a field to enemies that stand in the open now, should they turn on it.
  float threat(bool infantry, int f) const {
    float sum = 0;
    for (const int e : enemy_up_) {
      const int theirs = k_.shown[at(e)];
      if (!sc_.fire_around[sc_.reach(theirs)][at(e)].has(f)) continue;
      sum += static_cast<float>(hit_odds(sc_, sc_.board.terrain[at(f)], infantry, strength_of(k_, e)).expected());
    }
    return sum;
  }

  // Cover counts where the enemy is near. Purchase fields are left free for those who come after.
  float place_value(int kind, int f) const {
    const TroopFigures& troop = sc_.figures(kind);
    const std::size_t sort = (troop.high_arc ? 2u : 0u) + (troop.infantry ? 1u : 0u);
    float& value = memory_.place_[sort][at(f)];
    if (memory_.place_known_[sort].has(f)) return value;
    memory_.place_known_[sort].insert(f);
    const bool near = way(f) <= 3;
    const float steps = troop.high_arc ? std::abs(way(f) - 2) : way(f);  // artillery keeps its distance
    value = -steps + (near ? 0.6f / (1 + 0.5f * boldness_) : 0.15f) * cover(f) - 0.25f * threat(troop.infantry, f) / (1 + boldness_);
    if (!near && sc_.board.purchase.has(f)) value -= 1.5f;
    return value;
  }

  // What the three to six fields in front are worth to a scout, or to a watch.
  float outlook(int kind, int f, int facing, bool scouts) const {
    float value = 0;
    for (const int g : sc_.seen_from(kind, f, facing) & enemy_hidden_) {
      if (scouts) value += urban(sc_, g) ? 3.0f : 1.2f;
    }
    // The end of the move: better face those who may shoot.
    for (const int e : enemy_up_) {
      const int theirs = k_.shown[at(e)];
      if (!sc_.fire_around[sc_.reach(theirs)][at(e)].has(f)) continue;
      if (sc_.hit_from(kind, f, facing).has(e)) value += 0.6f;
    }
    const int front = sc_.board.next[at(f)][at(facing)];
    if (front < 0) value -= 0.3f;
    if (front >= 0) value += 0.05f * (way(f) - way(front));
    return value;
  }

  float shot(int kind, int strength, int from, int target) const {
    const int theirs = k_.shown[at(target)];
    const bool back = !sc_.figures(kind).high_arc && !sc_.figures(theirs).high_arc && sc_.hit_from(theirs, target, facing_of(k_, target)).has(from);
    const ShotOdds odds = shot_odds(sc_, k_, kind, strength, from, target, back);
    const auto worth = [&](int troop) { return static_cast<double>(sc_.figures(troop).cost); };
    double value = odds.damage + 0.6 * worth(theirs) * odds.kill - odds.suffered - 0.6 * worth(kind) * odds.lost;
    if (urban(sc_, target)) value += odds.kill * 2;
    for (std::size_t i = 0; i < sc_.objectives.size(); ++i) {
      if (has_seat(k_.carried, static_cast<int>(i)) && k_.objective_at[i] == target) value += 6 * odds.kill;
    }
    return static_cast<float>(2 + boldness_ + 2 * value);
  }

  // The best an own troop can do from where it stands, if it is turned up now.
  float best_from(int f) const {
    if (!std::exchange(own_looked_at_, true)) memory_.look_at_own(sc_, k_);
    float& best = memory_.best_[at(f)];
    if (memory_.best_known_.has(f)) return best;
    memory_.best_known_.insert(f);
    const int kind = k_.kind[at(f)];
    best = -1;
    const auto range = sc_.reach(kind);
    for (const int target : enemy_up_ & sc_.fire_around[range][at(f)]) best = std::max(best, shot(kind, sc_.figures(kind).strength, f, target));
    for (int d = 0; d < facing_count; ++d) best = std::max(best, go(kind, f, d));
    return best;
  }

  // Turn, scout, perhaps step.
  float go(int kind, int f, int facing) const {
    float scouted = 0;
    for (const int g : sc_.seen_from(kind, f, facing) & enemy_hidden_) scouted += urban(sc_, g) ? 3.0f : 1.2f;
    const int front = sc_.board.next[at(f)][at(facing)];
    float stepped = 0;
    if (front >= 0 && may_enter(f, front)) stepped = std::max(0.0f, advance(kind, f, front));
    return scouted + stepped;
  }

  // Empty, hidden enemies that scouting may clear away, or an own piece to swap with.
  bool may_enter(int from, int to) const {
    if (k_.displaced.has(from)) return false;
    if (!own_.has(to)) return !enemy_.has(to) || enemy_hidden_.has(to);
    if (!k_.pieces[at(me_)].has(to) || k_.swapped.has(to) || k_.used.has(to) || k_.displaced.has(to)) return false;
    return k_.kind[at(to)] != 0 || !(in_view_.has(from) || in_view_.has(to));
  }

  float advance(int kind, int from, int to) const {
    float value = place_value(kind, to) - place_value(kind, from) + errand(to, from) - errand(from, from);
    // A field that is left empty is lost; dummies can usually be left behind.
    if (urban(sc_, from) && in_view_.has(from)) value -= 2;
    if (urban(sc_, to) && !own_.has(to)) value += 1.5f;
    // A troop that is swapped with goes back as far as this one comes forward.
    if (const int other = own_.has(to) ? k_.kind[at(to)] : 0; other != 0) value += place_value(other, from) - place_value(other, to) - 0.3f;
    return value;
  }

  float move(int f, int facing) const { return go(k_.kind[at(f)], f, facing) - 0.05f; }

  float step() const {
    const int from = k_.acting.field, to = sc_.board.next[at(from)][at(facing_of(k_, from))];
    return to < 0 ? -1 : advance(k_.kind[at(from)], from, to);
  }

  // Concealed troops go forward behind the screen of dummies.
  float swap(int a, int b) const {
    const int kind_a = k_.kind[at(a)], kind_b = k_.kind[at(b)];
    const bool troop_a = kind_a != 0, troop_b = kind_b != 0;
    if (troop_a == troop_b || k_.revealed.has(a) || k_.revealed.has(b)) return -1;
    if (in_view_.has(a) || in_view_.has(b)) return -1;
    const int kind = troop_a ? kind_a : kind_b, from = troop_a ? a : b, to = troop_a ? b : a;
    if (best_from(from) > 1.5f) return -1;  // it has something better to do
    return place_value(kind, to) - place_value(kind, from) + errand(to, from) - errand(from, from) - 0.2f;
  }

  float reveal(int f) const {
    if (k_.swapped.has(f) || k_.used.has(f)) return -1;
    const int kind = k_.kind[at(f)];
    const float best = best_from(f);
    if (best > 1.5f) return best - 0.2f;
    // Nothing in reach: go on in the open only where no screen leads further.
    if (sc_.figures(kind).high_arc) return -1;
    for (const int g : sc_.board.around[at(f)] & k_.pieces[at(me_)]) {
      if (!k_.revealed.has(g) && k_.kind[at(g)] == 0 && place_value(kind, g) > place_value(kind, f) + 0.2f) return -1;
    }
    return best > 0.3f ? best - 0.4f + 0.5f * boldness_ : -1;
  }

  float buy(int kind) const {
    static constexpr std::array<float, kind_count> liking = {0, 3, 1.5f, 1, 2, 3.2f, 1.2f};
    // Coins for something better are worth waiting for, but not for long.
    const int coins = k_.coins[sc_.side_of[at(me_)]] - k_.purchase.spent;
    return coins >= 6 || sc_.figures(kind).cost >= 4 ? liking[at(kind)] : -0.5f;
  }

  const Scenario& sc_;
  const Knowledge& k_;
  Remembered& memory_;
  const int me_;
  const float boldness_;
  const FieldSet own_, enemy_, enemy_up_, enemy_hidden_, in_view_;
  mutable bool own_looked_at_ = false;
};

namespace {

int nearest(const Scenario& sc, int from, FieldSet fields) {
  int steps = 30;
  for (const int f : fields) steps = std::min(steps, distance(sc.board.hex[at(from)], sc.board.hex[at(f)]));
  return steps;
}

float worth_of_objectives(const Scenario& sc, const State& s, int side, FieldSet pieces) {
  const Weights& w = sc.weights;
  float sum = 0;
  for (std::size_t i = 0; i < sc.objectives.size(); ++i) {
    const Objective& o = sc.objectives[i];
    const int field = s.objective_at[i];
    if (field == no_field) continue;
    const bool carried = has_seat(s.carried, static_cast<int>(i)) && pieces.has(field);
    if (!carried && o.captured_by != side && (sc.sides[at(side)].members & o.carriers) == 0) continue;
    // Beyond six steps it does not matter how many.
    sum += w[Weight::errand] * static_cast<float>((carried ? 0 : std::min(6, nearest(sc, field, pieces & s.troops))) - 3);
    if (!carried) continue;
    const FieldSet& goal = o.to_exits ? sc.board.exits : sc.sides[at(side)].purchase;
    sum += std::max(0.0f, w[Weight::carried] + w[Weight::to_goal] * static_cast<float>(nearest(sc, field, goal)));
  }
  return sum;
}

float strength_of_side(const Scenario& sc, const State& s, int side, FieldSet others) {
  const Weights& w = sc.weights;
  const FieldSet pieces = pieces_of_side(sc, s, side), troops = pieces & s.troops, wanted = urban_fields(sc) - pieces;
  float material = 2 + w[Weight::coin] * static_cast<float>(s.coins[at(side)]), steps = 0, threat = 0;
  for (const int f : troops) {
    const TroopFigures& troop = sc.figures(s.kind[at(f)]);
    if (!wanted.empty()) steps += static_cast<float>(nearest(sc, f, wanted));
    if (!s.revealed.has(f)) {
      material += static_cast<float>(troop.cost);
      continue;
    }
    material += static_cast<float>(troop.cost * strength_of(s, f)) / static_cast<float>(troop.strength);
    for (const int e : others & s.revealed) {
      if (!sc.fire_around[sc.reach(s.kind[at(e)])][at(e)].has(f)) continue;
      threat += static_cast<float>(hit_odds(sc, sc.board.terrain[at(f)], troop.infantry, strength_of(s, e)).expected());
    }
  }
  const auto count = [](FieldSet fields) { return static_cast<float>(fields.size()); };
  return w[Weight::material] * std::log(material) + w[Weight::urban] * count(urban_held(sc, s, side)) + w[Weight::dummy] * count(pieces - troops) +
         w[Weight::concealed] * count(troops - s.revealed) + w[Weight::revealed] * count(troops & s.revealed) + w[Weight::way] * steps +
         w[Weight::threat] * threat + (sc.side_of[s.active] == side ? w[Weight::own_turn] : 0.0f) + worth_of_objectives(sc, s, side, pieces);
}

}  // namespace

// The chance to win among all sides that are still there: each in proportion to the exponential of its strength.
float worth(const Scenario& sc, const State& s, Seat seat) {
  const FieldSet all = occupied(s);
  const int own = sc.side_of[at(index(seat))];
  const float mine = strength_of_side(sc, s, own, all - pieces_of_side(sc, s, own));
  float others = 0;
  for (int side = 0; side < sc.side_count(); ++side) {
    const FieldSet pieces = pieces_of_side(sc, s, side);
    if (side != own && !pieces.empty()) others += std::exp(strength_of_side(sc, s, side, all - pieces) - mine);
  }
  return 2 / (1 + others) - 1;
}

void promise(const Scenario& sc, const Knowledge& k, Remembered& remembered, const ActionList& legal, std::span<float> promises) {
  remembered.look_at(sc, k);
  const Judge judge(sc, k, remembered);
  for (std::size_t i = 0; i < legal.size(); ++i) promises[i] = judge.of(legal[i]);
}

void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises) {
  Remembered nothing;
  promise(sc, k, nothing, legal, promises);
}

}  // namespace baton::company_leader
