// How it is done: the targets of a volley are a multiset of units in equal condition, and each roll moves chance from
// multiset to multiset (class Targets). Three such walks make a combat:
//
//   1. the attackers under mines and defensive fire, with who is pinned → how many dice they fire back, in which order;
//   2. the same without who is pinned but with the number of pins       → the attackers' markers and losses;
//   3. the defenders under each of the volleys of 1                     → theirs.
//
// Walks 2 and 3 are small because a pin does not change what the next hit does.
#include "games/company_commander/odds.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>

#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {
namespace {

// --- The rules, tried out --------------------------------------------------------------------------------------------

// The table with nobody holding a card: the rules run on without asking anyone for a reaction.
State stage(const Table& table) {
  State s;
  static_cast<Table&>(s) = table;
  return s;
}

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

// For calls that draw nothing.
class Undrawn final : public Chance {
  std::uint32_t draw(Draw, std::uint32_t) override {
    assert(false && "this call was to draw nothing");
    return 0;
  }
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

// R78c: whether the loss of a unit is a kill.
bool counts_as_kill(const Scenario& sc, int seat, int unit) {
  State s;
  Undrawn chance;
  Events log = Events::unheard();
  Rules{sc, s, chance, log}.remove(seat, unit, Told::destroyed);
  return s.force[at(other(seat))].kills != 0;
}

// --- Shots -----------------------------------------------------------------------------------------------------------

struct Shot {
  RollOdds roll;
  Weapon weapon;
  bool operator==(const Shot&) const = default;
};

struct Salvo {
  Shot shot;
  int rolls = 0;
};

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

// --- Counting --------------------------------------------------------------------------------------------------------

struct Losses {
  int casualties = 0, removals = 0;
};

void add_at(std::vector<double>& chances, std::size_t count, double chance) {
  if (chances.size() <= count) chances.resize(count + 1);
  chances[count] += chance;
}

void add(SideOdds& odds, Losses losses, std::span<const double> by_pins, double weight) {
  double all = 0;
  for (std::size_t pins = 0; pins < by_pins.size(); ++pins) {
    if (by_pins[pins] != 0) add_at(odds.pins, pins, weight * by_pins[pins]);
    all += by_pins[pins];
  }
  add_at(odds.casualties, at(losses.casualties), weight * all);
  add_at(odds.removals, at(losses.removals), weight * all);
}

SideOdds nothing_counted() { return {{}, {}, {}}; }

// --- Targets ---------------------------------------------------------------------------------------------------------

// Whether the game ends when this many units that count as kills are gone, and these of the fronts are empty.
using GameEnds = std::vector<std::array<bool, 1 << front_count>>;

// Chance by multiset and, where pins are counted, by their number.
struct Spread {
  std::vector<double> mass;
  std::size_t used = 1;  // numbers of pins possible so far
};

class Targets {
 public:
  // `most_pins` is 0 where it is followed who is pinned, else the most that can be counted.
  Targets(const Scenario& sc, int seat, int most_pins, const GameEnds* game_ends, long& effort)
      : sc_(sc), seat_(seat), width_(at(most_pins) + 1), game_ends_(game_ends), effort_(effort), slots_(1024, none) {}

  // A unit that fires dice[n] in salvo `run` after n more casualties as long as it is not pinned; run -1: it never fires.
  // `home` is its front where that can matter for the end of the game, else -1.
  void put(int unit, int home, int run, std::vector<int> dice) {
    const int condition = condition_of(category_of(unit, home), run, std::move(dice));
    if (conditions_.size() > most_conditions) {
      effort_ = -1;
    } else {
      start_[word_of(condition)] += std::uint64_t{1} << shift_of(condition);
    }
  }
  void put(int unit, int home, int strength_left) { put(unit, home, -1, std::vector<int>(at(strength_left))); }

  Spread begin() {
    first_ = sum_of(start_);
    state_of(start_);
    Spread spread;
    spread.mass.assign(width_, 0.0);
    spread.mass[0] = 1;
    return spread;
  }

  bool exhausted() const { return effort_ < 0; }

  // One roll. `ended(losses, chances by pins)` gets what can change no more: nobody is left, or the game is over.
  template <class Ended>
  void roll(Spread& spread, const Shot& shot, bool game_may_end, const Ended& ended) {
    Moves& moves = moves_of(shot);
    const std::size_t known = spread.mass.size() / width_;
    const auto row = [this](Spread& of, std::size_t state) { return of.mass.data() + state * width_; };
    const auto is_empty = [&](Spread& of, std::size_t state) {
      return std::all_of(row(of, state), row(of, state) + of.used, [](double p) { return p == 0; });
    };
    for (std::size_t state = 0; state < known && states_.size() <= most_states && !exhausted(); ++state) {
      if (!is_empty(spread, state)) work_out(moves, state);
    }
    effort_ -= static_cast<long>(states_.size() * width_ / 4);
    if (states_.size() > most_states || states_.size() * width_ > most_numbers) effort_ = -1;
    if (exhausted()) return;
    Spread next;
    next.mass.assign(states_.size() * width_, 0.0);
    next.used = std::min(spread.used + (counts_pins() ? 1 : 0), width_);
    for (std::size_t state = 0; state < known; ++state) {
      if (is_empty(spread, state)) continue;
      const double* from = row(spread, state);
      for (std::size_t m = moves.first[state]; m < moves.first[state] + moves.count[state]; ++m) {
        const Move& move = moves.all[m];
        double* to = row(next, move.to) + move.pins;
        for (std::size_t pins = 0; pins < spread.used && pins + move.pins < width_; ++pins) to[pins] += move.chance * from[pins];
      }
      effort_ -= static_cast<long>(moves.count[state] * (spread.used + 2));
    }
    for (std::size_t state = 0; state < states_.size(); ++state) {
      if (!(states_[state].empty || (game_may_end && states_[state].game_ends)) || is_empty(next, state)) continue;
      ended(states_[state].losses, std::span<const double>(row(next, state), next.used));
      std::fill_n(row(next, state), width_, 0.0);
    }
    spread = std::move(next);
  }

  template <class Each>
  void visit(const Spread& spread, const Each& each) const {
    for (std::size_t state = 0; state * width_ < spread.mass.size(); ++state) {
      each(states_[state].losses, std::span<const double>(spread.mass.data() + state * width_, spread.used), states_[state].counts);
    }
  }

  // For each condition the salvo its units fire in and their dice; run -1: none.
  struct Fire {
    int run, dice;
  };
  std::vector<Fire> fires() const {
    std::vector<Fire> all;
    for (const Condition& c : conditions_) all.push_back({c.run, c.dice.front()});
    return all;
  }

  // How many units are in each condition: six bits each.
  static constexpr int most_conditions = 40;
  using Counts = std::array<std::uint64_t, 4>;
  static std::size_t word_of(int condition) { return at(condition / 10); }
  static int shift_of(int condition) { return condition % 10 * 6; }
  static int count_of(const Counts& counts, int condition) { return static_cast<int>(counts[word_of(condition)] >> shift_of(condition) & 63); }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t most_states = 300'000, most_numbers = 2'000'000;  // for the sake of memory

  // Units that hits treat alike.
  struct Category {
    std::array<std::array<HitOdds, 2>, 2> hits;  // [casualty][sniper]
    bool looked_for = false;                     // by anti-tank weapons
    bool is_kill = true;
    int home = -1;
    int example = 0;  // one of its units
  };
  // A category, what strength is left (the number of entries in `dice`), and what the unit fires.
  struct Condition {
    int category, run;
    std::vector<int> dice;
    int when_pinned = -1, when_hit = -1;  // -1: removed
  };
  struct Facts {
    Counts counts{};
    Losses losses;
    bool empty = false, game_ends = false;
  };
  struct Move {
    std::uint32_t to;
    std::uint32_t pins;
    double chance;
  };
  struct Moves {
    Shot shot;
    std::vector<std::uint32_t> first, count;  // by state; none: not worked out yet
    std::vector<Move> all;
  };
  struct Known {
    int kind, home, category;
  };
  struct Sum {
    int units = 0, kills = 0, strength = 0;  // strength of those that take casualty markers
    std::array<int, front_count> at_home{};
  };

  bool counts_pins() const { return width_ > 1; }

  int category_of(int unit, int home) {
    const int kind = sc_.companies[at(seat_)].kind[at(unit)];
    for (const Known& known : known_) {
      if (known.kind == kind && known.home == home) return known.category;
    }
    Category c;
    for (const bool casualty : {false, true}) {
      for (const bool sniper : {false, true}) c.hits[casualty][sniper] = hit_odds(sc_, seat_, unit, casualty, sniper);
    }
    c.looked_for = has(sc_.companies[at(seat_)].anti_tank_first, unit);
    c.is_kill = counts_as_kill(sc_, seat_, unit);
    c.home = home;
    c.example = unit;
    const auto known = std::find_if(categories_.begin(), categories_.end(), [&](const Category& other) {
      return other.hits == c.hits && other.looked_for == c.looked_for && other.is_kill == c.is_kill && other.home == c.home;
    });
    const auto number = static_cast<int>(known - categories_.begin());
    if (known == categories_.end()) categories_.push_back(c);
    known_.push_back({kind, home, number});
    return number;
  }

  int condition_of(int category, int run, std::vector<int> dice) {
    if (std::all_of(dice.begin(), dice.end(), [](int d) { return d == 0; })) run = -1;
    const auto known = std::find_if(conditions_.begin(), conditions_.end(),
                                    [&](const Condition& c) { return c.category == category && c.run == run && c.dice == dice; });
    const auto number = static_cast<int>(known - conditions_.begin());
    if (known != conditions_.end()) return number;
    conditions_.push_back({category, run, dice});
    const int pinned = run < 0 ? number : condition_of(category, -1, std::vector<int>(dice.size()));
    const int hit = dice.size() == 1 ? -1 : condition_of(category, run, std::vector<int>(dice.begin() + 1, dice.end()));
    conditions_[at(number)].when_pinned = pinned;
    conditions_[at(number)].when_hit = hit;
    return number;
  }

  const Category& category(int condition) const { return categories_[at(conditions_[at(condition)].category)]; }

  Sum sum_of(const Counts& counts) const {
    Sum sum;
    for (int c = 0; c < static_cast<int>(conditions_.size()); ++c) {
      const int n = count_of(counts, c);
      if (n == 0) continue;
      sum.units += n;
      sum.kills += category(c).is_kill ? n : 0;
      if (category(c).hits[1][0].loss == 0) sum.strength += n * static_cast<int>(conditions_[at(c)].dice.size());
      if (category(c).home >= 0) sum.at_home[at(category(c).home)] += n;
    }
    return sum;
  }

  Facts facts_of(const Counts& counts) const {
    const Sum left = sum_of(counts);
    Facts facts;
    facts.counts = counts;
    facts.losses = {first_.strength - left.strength, first_.units - left.units};
    facts.empty = left.units == 0;
    if (game_ends_ != nullptr && facts.losses.removals > 0) {
      std::size_t emptied = 0;
      for (int f = 0; f < front_count; ++f) {
        if (first_.at_home[at(f)] > 0 && left.at_home[at(f)] == 0) emptied |= front_bit(f);
      }
      facts.game_ends = (*game_ends_)[at(first_.kills - left.kills)][emptied];
    }
    return facts;
  }

  static std::size_t hash(const Counts& counts) {
    std::uint64_t h = 0;
    for (const std::uint64_t word : counts) {
      h = (h ^ word) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }

  std::uint32_t state_of(const Counts& counts) {
    std::size_t slot = hash(counts) & (slots_.size() - 1);
    for (; slots_[slot] != none; slot = (slot + 1) & (slots_.size() - 1)) {
      if (states_[slots_[slot]].counts == counts) return slots_[slot];
    }
    const auto number = static_cast<std::uint32_t>(states_.size());
    slots_[slot] = number;
    states_.push_back(facts_of(counts));
    effort_ -= 100;
    if (2 * states_.size() > slots_.size()) {
      std::vector<std::uint32_t> wider(2 * slots_.size(), none);
      for (std::uint32_t state = 0; state < states_.size(); ++state) {
        std::size_t to = hash(states_[state].counts) & (wider.size() - 1);
        while (wider[to] != none) to = (to + 1) & (wider.size() - 1);
        wider[to] = state;
      }
      slots_ = std::move(wider);
    }
    return number;
  }

  Moves& moves_of(const Shot& shot) {
    for (Moves& moves : moves_) {
      if (moves.shot == shot) return moves;
    }
    moves_.push_back({shot, {}, {}, {}});
    return moves_.back();
  }

  // Where one roll leads from a state.
  void work_out(Moves& moves, std::size_t state) {
    if (moves.first.size() <= state) {
      moves.first.resize(states_.size(), none);
      moves.count.resize(states_.size(), 0);
    }
    if (moves.first[state] != none) return;
    const std::size_t first = moves.all.size();
    const auto move = [&](std::uint32_t to, std::uint32_t pins, double chance) {
      if (chance == 0) return;
      for (std::size_t m = first; m < moves.all.size(); ++m) {
        if (moves.all[m].to == to && moves.all[m].pins == pins) {
          moves.all[m].chance += chance;
          return;
        }
      }
      moves.all.push_back({to, pins, chance});
    };

    const Counts counts = states_[state].counts;
    UnitSet examples = 0;
    std::array<int, max_units> here{};  // units by category
    for (int c = 0; c < static_cast<int>(conditions_.size()); ++c) {
      const int n = count_of(counts, c);
      if (n == 0) continue;
      examples |= bit(category(c).example);
      here[at(conditions_[at(c)].category)] += n;
    }
    const auto after = [&](int from, int to) {
      if (from == to) return static_cast<std::uint32_t>(state);
      Counts changed = counts;
      changed[word_of(from)] -= std::uint64_t{1} << shift_of(from);
      if (to >= 0) changed[word_of(to)] += std::uint64_t{1} << shift_of(to);
      return state_of(changed);
    };
    const auto self = static_cast<std::uint32_t>(state);
    move(self, 0, examples == 0 ? 1.0 : moves.shot.roll.nothing);
    for (const bool casualty : {false, true}) {
      const double chance = casualty ? moves.shot.roll.casualty : moves.shot.roll.pin;
      if (chance == 0 || examples == 0) continue;
      const UnitSet aimed = aimed_at(sc_, seat_, examples, casualty, moves.shot.weapon.anti_tank);
      int pool = 0;
      for (std::size_t k = 0; k < categories_.size(); ++k) pool += has(aimed, categories_[k].example) ? here[k] : 0;
      for (int c = 0; c < static_cast<int>(conditions_.size()); ++c) {
        const int n = count_of(counts, c);
        if (n == 0 || !has(aimed, category(c).example)) continue;
        const double share = chance * n / pool;
        const HitOdds& hit = category(c).hits[casualty][moves.shot.weapon.sniper];
        move(self, 0, share * hit.nothing);
        if (hit.pin != 0) move(after(c, conditions_[at(c)].when_pinned), counts_pins() ? 1 : 0, share * hit.pin);
        if (hit.casualty != 0) move(after(c, conditions_[at(c)].when_hit), 0, share * hit.casualty);
        if (hit.loss != 0) move(after(c, -1), 0, share * hit.loss);
      }
    }
    moves.first[state] = static_cast<std::uint32_t>(first);
    moves.count[state] = static_cast<std::uint32_t>(moves.all.size() - first);
    effort_ -= static_cast<long>(20 * moves.count[state]);
  }

  const Scenario& sc_;
  int seat_;
  std::size_t width_;
  const GameEnds* game_ends_;
  long& effort_;

  std::vector<Known> known_;
  std::vector<Category> categories_;
  std::vector<Condition> conditions_;
  Counts start_{};
  Sum first_;
  std::vector<Facts> states_;
  std::vector<std::uint32_t> slots_;  // states by hash
  std::vector<Moves> moves_;
};

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

// What a side fires, salvo by salvo. dice[salvo] of the attackers depends on how they fare.
struct AttackPlan {
  std::vector<Shot> runs;
  std::array<int, max_units> run{};               // by unit
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
      : sc_(sc), s_(s), first_(first), effort_(effort), attackers_(s.combat.against[s.combat.front]), defenders_(theirs(s).at[s.combat.front]) {}

  std::optional<CombatOdds> work_out() {
    // Where a front victory is there already, though untested, it comes with the first loss unless that loss undoes it.
    // Play does not lead there, only a made-up position; it is not followed.
    if (State now = s_; !s_.combat.simultaneous && game_over(sc_, now)) return std::nullopt;
    find_homes();
    attacker_ends_ = game_ends(sc_, s_, s_.active, attackers_, fallible_);
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
    FrontSet homes = 0;
    for (int f = 0; f < front_count; ++f) {
      if ((own.at[at(f)] & attackers_) == 0) continue;
      homes |= front_bit(f);
      if ((own.at[at(f)] & ~attackers_) == 0) fallible_ |= front_bit(f);
    }
    if (std::has_single_bit(homes)) fallible_ = 0;
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
    for (const int unit : in_order(s.combat.to_fire[1], s.step == Step::attackers_fire ? no_unit : first_)) append(defensive_, shot_of(s, 1, unit), s.combat.dice[1][at(unit)]);
  }

  // The attackers' dice for every number of casualties they may yet take.
  AttackPlan plan_attack() const {
    AttackPlan plan;
    State fixed = s_;
    if (dice_are_fixed()) {
      for (const int unit : each(attackers_ | s_.combat.to_fire[0])) plan.dice[at(unit)] = {has(s_.combat.to_fire[0], unit) ? s_.combat.dice[0][at(unit)] : 0};
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
    for (const Salvo& salvo : before) {
      for (int i = 0; i < salvo.rolls && effort_ >= 0; ++i) {
        targets.roll(spread, salvo.shot, true, [&](Losses, std::span<const double> chance) { volleys.chances[0] += chance[0]; });
      }
    }
    if (effort_ < 0) return volleys;
    const auto fires = targets.fires();
    targets.visit(spread, [&](Losses, std::span<const double> chance, const Targets::Counts& counts) {
      if (chance[0] == 0) return;
      std::size_t volley = 0;
      for (int c = 0; c < static_cast<int>(fires.size()); ++c) {
        if (fires[at(c)].run >= 0) volley += at(Targets::count_of(counts, c) * fires[at(c)].dice) * worth[at(fires[at(c)].run)];
      }
      volleys.chances[volley] += chance[0];
    });
    return volleys;
  }

  // Walk 2.
  SideOdds attackers_fate() {
    SideOdds odds = nothing_counted();
    Targets targets(sc_, s_.active, rolls_of(mines_) + rolls_of(defensive_), &attacker_ends_, effort_);
    for (const int unit : each(attackers_)) targets.put(unit, home_of(unit), strength_left(s_.active, unit));
    if (effort_ < 0) return odds;
    Spread spread = targets.begin();
    const auto count = [&](Losses losses, std::span<const double> by_pins) { add(odds, losses, by_pins, 1); };
    const auto suffer = [&](const std::vector<Salvo>& salvos, bool game_may_end) {
      for (const Salvo& salvo : salvos) {
        for (int i = 0; i < salvo.rolls && effort_ >= 0; ++i) targets.roll(spread, salvo.shot, game_may_end, count);
      }
    };
    suffer(mines_, true);
    suffer(defensive_, !s_.combat.simultaneous);
    targets.visit(spread, [&](Losses losses, std::span<const double> by_pins, const auto&) { add(odds, losses, by_pins, 1); });
    return odds;
  }

  // Walk 3.
  SideOdds defenders_fate(const Volleys& volleys, const GameEnds* ends) {
    SideOdds odds = nothing_counted();
    std::size_t most = 0;
    for (const std::size_t radix : volleys.radix) most += radix - 1;
    Targets targets(sc_, other(s_.active), static_cast<int>(most), ends, effort_);
    for (const int unit : each(defenders_)) targets.put(unit, -1, strength_left(other(s_.active), unit));
    if (effort_ >= 0) under_fire(targets, targets.begin(), volleys, 0, volleys.chances, odds);
    return odds;
  }

  // All volleys that begin alike share their first rolls: `chances` are those that go on from here with salvo `run`.
  void under_fire(Targets& targets, Spread spread, const Volleys& volleys, std::size_t run, std::span<const double> chances, SideOdds& odds) {
    if (run == volleys.runs.size()) {
      targets.visit(spread, [&](Losses losses, std::span<const double> by_pins, const auto&) { add(odds, losses, by_pins, chances[0]); });
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
      if (dice > 0) {
        targets.roll(spread, volleys.runs[run], true,
                     [&](Losses losses, std::span<const double> by_pins) { add(odds, losses, by_pins, going_on[dice]); });
      }
      const auto these = chances.subspan(dice * part, part);
      if (std::any_of(these.begin(), these.end(), [](double p) { return p != 0; })) {
        under_fire(targets, spread, volleys, run + 1, these, odds);
      }
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
      apply(sc, fought, Seat{fought.chooser}, {static_cast<std::uint16_t>(Verb::fire), static_cast<std::uint16_t>(unit_number(fought.chooser, first)), 0, 0}, chance, log);
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
  for (std::size_t total = 0; total < totals.size(); ++total) add(odds, suppression_outcome(sc.figures, static_cast<int>(total) + modifier), totals[total]);
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
  FireOdds odds{true, nothing_counted()};
  const auto count = [&](Losses losses, std::span<const double> by_pins, const auto&...) { add(odds.targets, losses, by_pins, 1); };
  if (effort >= 0) {
    Spread spread = targets.begin();
    for (const Salvo& salvo : salvos) {
      for (int i = 0; i < salvo.rolls && effort >= 0; ++i) targets.roll(spread, salvo.shot, true, count);
    }
    targets.visit(spread, count);
  }
  if (effort >= 0) return odds;

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
  const auto count = [&](double chance, std::size_t pins, int casualties, int removals) {
    if (chance == 0) return;
    std::array<double, 2> by_pins{};
    by_pins[pins] = chance;
    add(odds, {casualties, removals}, by_pins, 1);
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

// === For the browser and the terminal ================================================================================

namespace {

double rounded(double chance) { return std::round(chance * 10'000) / 10'000; }

Json chances_json(const std::vector<double>& chances) {
  Json list = Json::array();
  for (const double chance : chances) list.push_back(rounded(chance));
  while (list.size() > 1 && list.back() == 0.0) list.erase(list.size() - 1);
  return list;
}

Json side_json(const SideOdds& odds) {
  return {{"pins", chances_json(odds.pins)}, {"casualties", chances_json(odds.casualties)}, {"removals", chances_json(odds.removals)}};
}

// What is to be told, bit by bit.
class Answer {
 public:
  explicit Answer(const Scenario& sc) : sc_(sc) {}

  void combat(const Table& table, int front, int joining = no_unit, int first = no_unit) {
    const CombatOdds odds = assault_odds(sc_, table, front, joining, first);
    exact_ = exact_ && odds.exact;
    Json sides = Json::object();
    for (int seat = 0; seat < seat_count; ++seat) sides[sc_.companies[at(seat)].id] = side_json(seat == table.active ? odds.attackers : odds.defenders);
    add(front, std::move(sides));
  }

  // The combat being fought, or all that are declared.
  void combats(const Table& table) {
    for (int front = 0; front < front_count; ++front) {
      if (table.combat.against[at(front)] != 0 && (table.combat.front == no_front || table.combat.front == front)) combat(table, front);
    }
  }

  void barrage(const Table& table, const Barrage& barrage) {
    if (barrage.result == 0 && barrage.rolls_left == 0) return;
    const FireOdds odds = suppression_odds(sc_, table, barrage);
    exact_ = exact_ && odds.exact;
    one_side(other(table.active), barrage.front, odds.targets);
  }

  void one_side(int seat, int front, const SideOdds& odds) { add(front, {{sc_.companies[at(seat)].id, side_json(odds)}}); }

  void outcome(std::string_view is, double chance) { outcomes_.push_back({{"is", is}, {"chance", rounded(chance)}}); }

  void rally(int modifier) {
    outcome("success", rally_odds(sc_, modifier));
    outcome("failure", 1 - rally_odds(sc_, modifier));
  }

  Json json() const {
    if (combats_.empty() && outcomes_.empty()) return nullptr;
    return {{"exact", exact_}, {"combats", combats_}, {"outcomes", outcomes_}};
  }

 private:
  void add(int front, Json sides) { combats_.push_back({{"front", spell(sc_, kind::front, front)}, {"sides", std::move(sides)}}); }

  const Scenario& sc_;
  bool exact_ = true;
  Json combats_ = Json::array(), outcomes_ = Json::array();
};

// The spotted roll comes only where the mission fails: the chances of the whole mission.
SideOdds with_chance(SideOdds odds, double chance) {
  for (auto* numbers : {&odds.pins, &odds.casualties, &odds.removals}) {
    for (double& p : *numbers) p *= chance;
    numbers->front() += 1 - chance;
  }
  return odds;
}

// A card changes fights that are declared, starts a suppression attack, or settles the roll on the table.
void tell_card(const Scenario& sc, const State& s, Action action, Answer& answer) {
  const CardKind& card = sc.cards[action.a];
  switch (s.step) {
    case Step::suppression:
      if (card.effect == Effect::suppress) answer.barrage(s, support_barrage(sc, action.a, action.b));
      if (card.effect == Effect::grant_suppression) answer.barrage(s, unit_barrage(sc, s, action.b % max_units, action.c, action.a));
      return;
    case Step::fog_reaction:
      if (card.effect != Effect::forbid_attacks_on_front || action.b != s.barrage.front) answer.barrage(s, s.barrage);
      return;
    case Step::roll_reaction: {
      Barrage rest = s.barrage;
      rest.result = 0;
      answer.barrage(s, rest);
      return;
    }
    case Step::extra_rally:
      if (card.effect == Effect::extra_rally_roll) answer.rally(s.modifier);
      return;
    case Step::declare:
    case Step::block:
    case Step::combat_cards: {
      State played = s;
      Undrawn chance;
      Events log = Events::unheard();
      apply(sc, played, Seat{s.chooser}, action, chance, log);  // the other seat is asked next, before any die
      answer.combats(played);
      return;
    }
    default: return;
  }
}

}  // namespace

Json odds(const Scenario& sc, const Knowledge& known, Action action) {
  if (known.viewer >= seat_count) return nullptr;
  State s = stage(known);
  s.hand[known.viewer] = known.hand;
  s.hand[at(other(known.viewer))] = 1;  // some card: windows wait for that seat. Which one nobody asks.
  if (why_not(sc, s, Seat{known.viewer}, action) != Refusal::none) return nullptr;

  Answer answer(sc);
  const int unit = action.a % max_units;
  switch (static_cast<Verb>(action.verb)) {
    case Verb::assault: answer.combat(s, action.b, unit); break;
    case Verb::resolve: answer.combat(s, action.a); break;
    case Verb::fire: answer.combat(s, s.combat.front, no_unit, unit); break;
    case Verb::fire_all: answer.combat(s, s.combat.front); break;
    case Verb::done:
      if (s.step == Step::declare) answer.combats(s);
      break;
    case Verb::pass:
      if (s.step == Step::block || s.step == Step::combat_cards) answer.combats(s);
      if (s.step == Step::fog_reaction || s.step == Step::roll_reaction) answer.barrage(s, s.barrage);
      if (s.step == Step::spotted_reaction) {
        answer.one_side(s.active, front_of(mine(s), s.unit), spotted_odds(sc, s, s.unit, s.barrage.result));
      }
      break;
    case Verb::suppress: answer.barrage(s, unit_barrage(sc, s, unit, action.b, no_card)); break;
    case Verb::recon: {
      const ReconOdds recon = recon_odds(sc, s.active, unit);
      answer.one_side(s.active, front_of(mine(s), unit), with_chance(spotted_odds(sc, s, unit), recon.spotted));
      answer.outcome("spotted", recon.spotted);
      answer.outcome("nothing", recon.nothing);
      answer.outcome("success", recon.success);
      break;
    }
    case Verb::rally:
    case Verb::rally_helped:
      answer.rally(rally_modifier(sc, s.active, unit, static_cast<Verb>(action.verb) == Verb::rally_helped));
      break;
    case Verb::play:
    case Verb::play_front:
    case Verb::play_unit:
    case Verb::play_unit_front: tell_card(sc, s, action, answer); break;
    default: break;
  }
  return answer.json();
}

}  // namespace baton::company_commander
