#include "games/company_leader/judgement.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "games/company_leader/odds.h"
#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

namespace {

// Whether what own troops can do may be asked for.
bool asks_for_own(const Knowledge& k) { return k.step == Step::actions || k.step == Step::second; }

FieldSet apart(FieldSet a, FieldSet b) { return (a - b) | (b - a); }

}  // namespace

void Remembered::look_at(const Scenario& sc, const Knowledge& k) {
  side_ = pieces_of_side(sc, k, sc.side_of[k.viewer]);
  Grounds now;
  now.me = k.viewer;
  now.enemy = occupied(k) - side_;
  now.enemy_up = (now.enemy & k.revealed) - k.to_face;
  now.enemy_hidden = now.enemy - k.revealed;
  now.wanted = urban_fields(sc) - side_;
  now.in_view = views_of(sc, k, now.enemy_up);
  now.boldness = std::min(8.0f, 0.7f * static_cast<float>(k.quiet) + 0.04f * static_cast<float>(k.round));
  now.objective_at = k.objective_at;
  now.carried = k.carried;
  carriers_ = {};
  for (int i = 0; i < static_cast<int>(sc.objectives.size()); ++i) {
    if (!side_.has(k.objective_at[at(i)])) continue;
    now.ours |= seat_bit(i);
    if (has_seat(k.carried, i)) carriers_.insert(k.objective_at[at(i)]);
  }
  bool same = now == grounds_;
  for (const int f : now.enemy_up) {
    same = same && shown_[at(f)] == k.shown[at(f)] && stand_[at(f)] == k.stand[at(f)];
    shown_[at(f)] = k.shown[at(f)];
    stand_[at(f)] = k.stand[at(f)];
  }
  if (!same) {
    grounds_ = now;
    ways_known_ = false;
    for (Places& places : places_) places.known = {};
    errands_.known = {};
    goes_known_ = best_known_ = reveal_known_ = {};
  }
  if (asks_for_own(k)) look_at_own(sc, k);
}

FieldSet Remembered::Own::differing_from(const Own& other) const {
  return apart(mine, other.mine) | apart(side, other.side) | apart(revealed, other.revealed) | apart(swapped, other.swapped) |
         apart(used, other.used) | apart(displaced, other.displaced);
}

void Remembered::look_at_own(const Scenario& sc, const Knowledge& k) {
  // 1. What has changed since, and on which fields it may matter.
  const FieldSet mine = k.pieces[k.viewer];
  const Own now = {mine, side_, mine & k.revealed, k.swapped, k.used, k.displaced};
  FieldSet changed = now.differing_from(own_);
  own_ = now;
  changed |= differing(kind_, k.kind);
  kind_ = k.kind;
  FieldSet unsure = changed;
  for (const int f : changed) unsure |= sc.board.around[at(f)];
  goes_known_ -= unsure;
  best_known_ -= unsure;
  reveal_known_ -= unsure;
  enterable_ = (mine - k.swapped - k.used - k.displaced) | (sc.board.all - side_ - (grounds_.enemy - grounds_.enemy_hidden));
  // 2. The screen.
  const FieldSet screen = mine - k.revealed - grounds_.in_view;
  for (const int f : apart(screen, screen_) | changed)
    on_screen_[at(f)] = !screen.has(f) ? Screen::no : kind_[at(f)] == 0 ? Screen::dummy : Screen::troop;
  screen_ = screen;
}

constexpr float never = -1000;

// One position, and what is remembered of it. What is remembered is asked for often and found seldom: finding is kept out of line.
class Judge {
 public:
  Judge(const Scenario& sc, const Knowledge& k, Remembered& remembered)
      : sc_(sc),
        k_(k),
        memory_(remembered),
        me_(k.viewer),
        boldness_(remembered.grounds_.boldness),
        side_(remembered.side_),
        enemy_(remembered.grounds_.enemy),
        enemy_up_(remembered.grounds_.enemy_up),
        enemy_hidden_(remembered.grounds_.enemy_hidden),
        in_view_(remembered.grounds_.in_view) {}

  float of(Action a) const {
    if (a.verb == static_cast<std::uint16_t>(Verb::swap)) return swap(a.a, a.b);  // most of a turn's actions
    switch (static_cast<Verb>(a.verb)) {
      case Verb::place: return place(a.a, a.b);
      case Verb::place_for_me: return 1;
      case Verb::place_again: return -9;
      case Verb::ready: return 2;
      case Verb::swap: return swap(a.a, a.b);
      case Verb::reveal:
        return k_.step == Step::purchase ? -1 : reveal(a.a);  // it has no action any more
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
      case Verb::follow_up:
        return place_value(k_.kind[k_.acting.field], k_.acting.target) - place_value(k_.kind[k_.acting.field], k_.acting.field) - 0.5f;
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
  [[gnu::noinline]] void find_ways() const {
    memory_.ways_known_ = true;
    memory_.way_.fill(2 * 30 + 3);  // farther than it matters
    const FieldSet wanted = memory_.grounds_.wanted;
    lead_to(wanted & enemy_, 0);
    lead_to(wanted - enemy_, 2);
    lead_to(enemy_hidden_, 3);
    lead_to(enemy_ & k_.revealed, 5);
  }
  void lead_to(FieldSet goals, int half_steps) const {
    const FieldBytes steps = steps_to(sc_.board, goals);
    FieldBytes& way = memory_.way_;
    for (std::size_t f = 0; f < max_fields; ++f) way[f] = std::min(way[f], static_cast<std::uint8_t>(2 * steps[f] + half_steps));
  }

  // With an objective: its carrier goes to the goal, the others to the objective.
  float errand(int f, int from) const {
    if (sc_.objectives.empty()) return 0;
    if (memory_.carriers_.has(from)) return find_errand(f, from);
    Remembered::Places& errands = memory_.errands_;
    if (!errands.known.has(f)) {
      errands.known.insert(f);
      errands.value[at(f)] = find_errand(f, from);
    }
    return errands.value[at(f)];
  }
  [[gnu::noinline]] float find_errand(int f, int from) const {
    float value = 0;
    for (std::size_t i = 0; i < sc_.objectives.size(); ++i) {
      const Objective& o = sc_.objectives[i];
      const bool ours = has_seat(o.carriers, me_), catches = o.captured_by == sc_.side_of[at(me_)];
      if (has_seat(k_.carried, static_cast<int>(i)) && k_.objective_at[i] == from && side_.has(from)) {
        const FieldSet& goal = o.to_exits ? sc_.board.exits : sc_.sides[sc_.side_of[at(me_)]].purchase;
        int nearest = 30;
        for (const int g : goal) nearest = std::min(nearest, far(f, g));
        value += 6 * static_cast<float>(far(from, goal.front()) > 0 ? 10 - nearest : 0);
      } else if ((ours || catches) && !side_.has(k_.objective_at[i])) {
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
    for (const int e : enemy_up_& sc_.fire_at[at(f)]) {
      const int theirs = k_.shown[at(e)];
      if (!sc_.fire_around[sc_.reach(theirs)][at(e)].has(f)) continue;
      sum += sc_.expected_hits[static_cast<std::size_t>(sc_.board.terrain[at(f)])][infantry ? 1 : 0][at(strength_of(k_, e))];
    }
    return sum;
  }

  // Set-up. Whoever is first at the fields that both want wins them; but who has only to hold out, and who would lie between two enemies,
  // stands back as the rules place troops by themselves; a free army, whose troops are still to be chosen, is left to them too. Whole steps
  // only, so that many fields are as good as the best and nobody knows which it will be.
  float place(int kind, int f) const {
    if (sc_.side_count() > 2 || sc_.options.free_armies || sc_.victory.time_side == sc_.side_of[at(me_)]) return -1;
    const float guard = must_be_guarded(sc_, me_, f) ? 2 + 0.1f * static_cast<float>(sc_.figures(kind).strength) : 0;
    return 4 + 0.1f * std::round(place_value(kind, f)) + guard;
  }

  // Cover counts where the enemy is near. Purchase fields are left free for those who come after.
  float place_value(int kind, int f) const {
    const TroopFigures& troop = sc_.figures(kind);
    Remembered::Places& places = memory_.places_[(troop.high_arc ? 2u : 0u) + (troop.infantry ? 1u : 0u)];
    if (!places.known.has(f)) find_place_value(troop, places, f);
    return places.value[at(f)];
  }
  [[gnu::noinline]] void find_place_value(const TroopFigures& troop, Remembered::Places& places, int f) const {
    const bool near = way(f) <= 3;
    const float steps = troop.high_arc ? std::abs(way(f) - 2) : way(f);  // artillery keeps its distance
    float value = -steps + (near ? 0.6f / (1 + 0.5f * boldness_) : 0.15f) * cover(f) - 0.25f * threat(troop.infantry, f) / (1 + boldness_);
    if (!near && sc_.board.purchase.has(f)) value -= 1.5f;
    places.known.insert(f);
    places.value[at(f)] = value;
  }

  // What the three to six fields in front are worth to a scout, or to a watch.
  float outlook(int kind, int f, int facing, bool scouts) const {
    float value = 0;
    for (const int g : sc_.seen_from(kind, f, facing) & enemy_hidden_) {
      if (scouts) value += urban(sc_, g) ? 3.0f : 1.2f;
    }
    // The end of the move: better face those who may shoot.
    for (const int e : enemy_up_& sc_.fire_at[at(f)]) {
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
    const bool back =
        !sc_.figures(kind).high_arc && !sc_.figures(theirs).high_arc && sc_.hit_from(theirs, target, facing_of(k_, target)).has(from);
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
    assert(asks_for_own(k_));
    if (!memory_.best_known_.has(f)) find_best_from(f);
    return memory_.best_[at(f)];
  }
  [[gnu::noinline]] void find_best_from(int f) const {
    const int kind = k_.kind[at(f)];
    float best = -1;
    const auto range = sc_.reach(kind);
    for (const int target : enemy_up_& sc_.fire_around[range][at(f)])
      best = std::max(best, shot(kind, sc_.figures(kind).strength, f, target));
    for (const float value : goes(f)) best = std::max(best, value);
    memory_.best_known_.insert(f);
    memory_.best_[at(f)] = best;
  }

  // What turning there, scouting and perhaps stepping is worth, by facing.
  const std::array<float, facing_count>& goes(int f) const {
    assert(asks_for_own(k_));
    if (!memory_.goes_known_.has(f)) find_goes(f);
    return memory_.go_[at(f)];
  }
  [[gnu::noinline]] void find_goes(int f) const {
    const int kind = k_.kind[at(f)];
    const FieldSet found = enemy_hidden_ & sc_.seen_around(kind, f);
    const FieldSet ways = k_.displaced.has(f) ? FieldSet{} : sc_.board.around[at(f)] & memory_.enterable_;
    memory_.goes_known_.insert(f);
    memory_.go_[at(f)] = {};
    if (!found.empty()) {
      for (int d = 0; d < facing_count; ++d) {
        for (const int g : sc_.seen_from(kind, f, d) & found) memory_.go_[at(f)][at(d)] += urban(sc_, g) ? 3.0f : 1.2f;
      }
    }
    // Perhaps step, if the way is open.
    if (ways.empty()) return;
    const Left left = left_at(kind, f);
    for (int d = 0; d < facing_count; ++d) {
      const int front = sc_.board.next[at(f)][at(d)];
      if (front >= 0 && ways.has(front) && !moves_dummy_in_view(f, front))
        memory_.go_[at(f)][at(d)] += std::max(0.0f, advance(kind, f, front, left));
    }
  }

  // What a troop gives up that leaves a field.
  struct Left {
    float place = 0, errand = 0;
  };
  Left left_at(int kind, int f) const { return {place_value(kind, f), errand(f, f)}; }

  // R10
  bool moves_dummy_in_view(int from, int to) const {
    return side_.has(to) && k_.kind[at(to)] == 0 && (in_view_.has(from) || in_view_.has(to));
  }

  float advance(int kind, int from, int to, const Left& left) const {
    float value = place_value(kind, to) - left.place + errand(to, from) - left.errand;
    // A field that is left empty is lost; dummies can usually be left behind.
    if (urban(sc_, from) && in_view_.has(from)) value -= 2;
    if (urban(sc_, to) && !side_.has(to)) value += 1.5f;
    // A troop that is swapped with goes back as far as this one comes forward.
    if (const int other = side_.has(to) ? k_.kind[at(to)] : 0; other != 0)
      value += place_value(other, from) - place_value(other, to) - 0.3f;
    return value;
  }

  float move(int f, int facing) const { return goes(f)[at(facing)] - 0.05f; }

  float step() const {
    const int from = k_.acting.field, to = sc_.board.next[at(from)][at(facing_of(k_, from))];
    const int kind = k_.kind[at(from)];
    return to < 0 ? -1 : advance(kind, from, to, left_at(kind, from));
  }

  // Concealed troops go forward behind the screen of dummies.
  float swap(int a, int b) const {
    assert(asks_for_own(k_));
    using Screen = Remembered::Screen;
    const Screen on_a = memory_.on_screen_[at(a)], on_b = memory_.on_screen_[at(b)];
    if (on_a == on_b || on_a == Screen::no || on_b == Screen::no) return -1;
    const int from = on_a == Screen::troop ? a : b, to = on_a == Screen::troop ? b : a, kind = k_.kind[at(from)];
    if (best_from(from) > 1.5f) return -1;  // it has something better to do
    return place_value(kind, to) - place_value(kind, from) + errand(to, from) - errand(from, from) - 0.2f;
  }

  float reveal(int f) const {
    if (!memory_.reveal_known_.has(f)) {
      memory_.reveal_[at(f)] = find_reveal(f);
      memory_.reveal_known_.insert(f);
    }
    return memory_.reveal_[at(f)];
  }
  [[gnu::noinline]] float find_reveal(int f) const {
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
  const FieldSet side_, enemy_, enemy_up_, enemy_hidden_, in_view_;
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
    for (const int e : others& s.revealed& sc.fire_at[at(f)]) {
      if (!sc.fire_around[sc.reach(s.kind[at(e)])][at(e)].has(f)) continue;
      threat += sc.expected_hits[static_cast<std::size_t>(sc.board.terrain[at(f)])][troop.infantry ? 1 : 0][at(strength_of(s, e))];
    }
  }
  const auto count = [](FieldSet fields) { return static_cast<float>(fields.size()); };
  return w[Weight::material] * std::log(material) + w[Weight::urban] * count(urban_held(sc, s, side)) +
         w[Weight::dummy] * count(pieces - troops) + w[Weight::concealed] * count(troops - s.revealed) +
         w[Weight::revealed] * count(troops & s.revealed) + w[Weight::way] * steps + w[Weight::threat] * threat +
         (sc.side_of[s.active] == side ? w[Weight::own_turn] : 0.0f) + worth_of_objectives(sc, s, side, pieces);
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

double share_to_place(const Scenario& sc, const Knowledge& k) {
  if (k.step != Step::set_up || k.viewer >= sc.seat_count() || sc.options.free_armies) return 0;
  return static_cast<double>(troop_count(k.hand)) / std::max(1, troop_count(sc.seats[at(k.viewer)].army));
}

// What is left out promises -1; `done`, which is always listed, promises 0.
void worthwhile(const Scenario& sc, const State& s, Seat seat, ActionList& list) {
  if (s.step == Step::actions && choosing(sc, s).has(seat)) {
    list_actions(sc, s, index(seat), Swaps::behind_the_screen, list);
  } else {
    actions(sc, s, seat, list);
  }
}

void promise(const Scenario& sc, const Knowledge& k, Remembered& remembered, const ActionList& legal, std::span<float> promises) {
  // Where to leave dummies and whether to answer a shot is judged without looking around.
  if (k.step != Step::dummies && k.step != Step::return_fire) remembered.look_at(sc, k);
  const Judge judge(sc, k, remembered);
  for (std::size_t i = 0; i < legal.size(); ++i) promises[i] = judge.of(legal[i]);
}

void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises) {
  Remembered nothing;
  promise(sc, k, nothing, legal, promises);
}

}  // namespace baton::company_leader
