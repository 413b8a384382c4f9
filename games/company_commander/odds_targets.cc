#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>
#include <utility>

#include "games/company_commander/odds_parts.h"

namespace baton::company_commander {
namespace {

// R78c: whether the loss of a unit is a kill.
bool counts_as_kill(const Scenario& sc, int seat, int unit) {
  State s;
  Undrawn chance;
  Events log = Events::unheard();
  Rules{sc, s, chance, log}.remove(seat, unit, Told::destroyed);
  return s.force[at(other(seat))].kills != 0;
}

}  // namespace

std::uint32_t Undrawn::draw(Draw, std::uint32_t) {
  assert(false && "this call was to draw nothing");
  return 0;
}

// --- Who stands there ------------------------------------------------------------------------------------------------

void Targets::put(int unit, int home, int strength_left) { stand(condition_of(category_of(unit, home), -1, strength_left), 1); }

void Targets::put(int unit, int home, int run, const std::vector<int>& dice) {
  const int category = category_of(unit, home), strength_left = static_cast<int>(dice.size());
  if (std::all_of(dice.begin(), dice.end(), [](int d) { return d == 0; })) {
    stand(condition_of(category, -1, strength_left), 1);
    return;
  }
  std::vector<int> by_strength(dice.rbegin(), dice.rend());
  by_strength.insert(by_strength.begin(), 0);
  auto muster = std::find_if(musters_.begin(), musters_.end(),
                             [&](const Muster& m) { return m.category == category && m.strength_left == strength_left; });
  if (muster == musters_.end()) muster = musters_.insert(muster, {category, strength_left, {}});
  auto family = std::find_if(muster->families.begin(), muster->families.end(),
                             [&](const Family& f) { return f.run == run && f.dice == by_strength; });
  if (family == muster->families.end()) family = muster->families.insert(family, {run, by_strength, 0});
  ++family->size;
}

int Targets::category_of(int unit, int home) {
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

int Targets::condition_of(int category, int group, int strength_left) {
  if (group >= 0) {
    const auto& families = groups_[at(group)].families;
    const bool fires = std::any_of(families.begin(), families.end(), [&](const Family& family) {
      return std::any_of(family.dice.begin(), family.dice.begin() + strength_left + 1, [](int dice) { return dice != 0; });
    });
    if (!fires) group = -1;
  }
  const auto known = std::find_if(conditions_.begin(), conditions_.end(), [&](const Condition& c) {
    return c.category == category && c.group == group && c.strength_left == strength_left;
  });
  const auto number = static_cast<int>(known - conditions_.begin());
  if (known != conditions_.end()) return number;
  conditions_.push_back({category, group, strength_left});
  const int pinned = group < 0 ? number : condition_of(category, -1, strength_left);
  const int hit = strength_left == 1 ? -1 : condition_of(category, group, strength_left - 1);
  conditions_[at(number)].when_pinned = pinned;
  conditions_[at(number)].when_hit = hit;
  return number;
}

void Targets::stand(int condition, int units) {
  if (conditions_.size() > most_conditions) {
    effort_ = -1;
  } else {
    start_[word_of(condition)] += static_cast<std::uint64_t>(units) << shift_of(condition);
  }
}

void Targets::form_groups() {
  std::vector<std::size_t> joined;  // group of each muster
  for (const Muster& muster : musters_) {
    const auto group = std::find_if(groups_.begin(), groups_.end(),
                                    [&](const Group& g) { return g.category == muster.category && fire_alike(g, muster); });
    joined.push_back(static_cast<std::size_t>(group - groups_.begin()));
    if (group == groups_.end()) {
      groups_.push_back({muster.category, muster.families});
    } else if (group->families[0].dice.size() < muster.families[0].dice.size()) {
      group->families[0].dice = muster.families[0].dice;
    }
  }
  for (std::size_t m = 0; m < musters_.size(); ++m) {
    int units = 0;
    for (const Family& family : musters_[m].families) units += family.size;
    stand(condition_of(musters_[m].category, static_cast<int>(joined[m]), musters_[m].strength_left), units);
  }
}

bool Targets::fire_alike(const Group& group, const Muster& muster) {
  if (group.families.size() > 1 || muster.families.size() > 1) return false;
  const auto &one = group.families[0].dice, &two = muster.families[0].dice;
  const auto common = static_cast<std::ptrdiff_t>(std::min(one.size(), two.size()));
  return group.families[0].run == muster.families[0].run && std::equal(one.begin(), one.begin() + common, two.begin());
}

Spread Targets::begin() {
  form_groups();
  Spread spread;
  if (effort_ < 0) return spread;
  first_ = sum_of(start_);
  state_of(start_);
  spread.mass.assign(width_, 0.0);
  spread.mass[0] = 1;
  return spread;
}

// --- States ----------------------------------------------------------------------------------------------------------

Targets::Sum Targets::sum_of(const Counts& counts) const {
  Sum sum;
  for (int c = 0; c < static_cast<int>(conditions_.size()); ++c) {
    const int n = count_of(counts, c);
    if (n == 0) continue;
    sum.units += n;
    sum.kills += category(c).is_kill ? n : 0;
    if (category(c).hits[1][0].loss == 0) sum.strength += n * conditions_[at(c)].strength_left;
    if (category(c).home >= 0) sum.at_home[at(category(c).home)] += n;
  }
  return sum;
}

Targets::Facts Targets::facts_of(const Counts& counts) const {
  const Sum left = sum_of(counts);
  Facts facts;
  facts.counts = counts;
  facts.casualties = first_.strength - left.strength;
  facts.removals = first_.units - left.units;
  facts.empty = left.units == 0;
  if (game_ends_ != nullptr && facts.removals > 0) {
    std::size_t emptied = 0;
    for (int f = 0; f < front_count; ++f) {
      if (first_.at_home[at(f)] > 0 && left.at_home[at(f)] == 0) emptied |= front_bit(f);
    }
    facts.game_ends = (*game_ends_)[at(first_.kills - left.kills)][emptied];
  }
  return facts;
}

std::uint32_t Targets::state_of(const Counts& counts) {
  const auto same = [](const Counts& a, const Counts& b) { return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) == 0; };
  const auto hash = [](const Counts& of) {
    std::uint64_t h = 0;
    for (const std::uint64_t word : of) {
      h = (h ^ word) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  };
  std::size_t slot = hash(counts) & (slots_.size() - 1);
  for (; slots_[slot] != none; slot = (slot + 1) & (slots_.size() - 1)) {
    if (same(states_[slots_[slot]].counts, counts)) return slots_[slot];
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

// The neighbours of a state: what hits on units in each condition make of it.
const std::vector<Targets::Link>& Targets::links_of(std::size_t state) {
  if (links_.size() <= state) links_.resize(states_.size());
  if (!links_[state].empty()) return links_[state];
  std::vector<Link> links;
  const Counts counts = states_[state].counts;
  for (int c = 0; c < static_cast<int>(conditions_.size()); ++c) {
    const int n = count_of(counts, c);
    if (n == 0) continue;
    const auto after = [&](int to) {
      Counts changed = counts;
      changed[word_of(c)] -= std::uint64_t{1} << shift_of(c);
      if (to >= 0) changed[word_of(to)] += std::uint64_t{1} << shift_of(to);
      return state_of(changed);
    };
    const Condition& condition = conditions_[at(c)];
    const bool outright = category(c).hits[1][0].loss != 0;
    const auto pinned = condition.when_pinned == c ? static_cast<std::uint32_t>(state) : after(condition.when_pinned);
    links.push_back({condition.category, n, pinned, after(outright ? -1 : condition.when_hit)});
  }
  links_.resize(std::max(links_.size(), states_.size()));
  return links_[state] = std::move(links);
}

// --- Rolls -----------------------------------------------------------------------------------------------------------

Targets::Moves& Targets::moves_of(const Shot& shot) {
  for (Moves& moves : moves_) {
    if (moves.shot == shot) return moves;
  }
  moves_.push_back({shot, {}, {}, {}});
  return moves_.back();
}

// Where one roll leads from a state.
void Targets::work_out(Moves& moves, std::size_t state) {
  const auto& links = links_of(state);
  if (moves.first.size() < states_.size()) {
    moves.first.resize(states_.size(), none);
    moves.count.resize(states_.size(), 0);
  }
  if (moves.first[state] != none) return;
  moves.first[state] = static_cast<std::uint32_t>(moves.all.size());

  UnitSet examples = 0;
  for (const Link& link : links) examples |= bit(categories_[at(link.category)].example);
  const auto self = static_cast<std::uint32_t>(state);
  double unchanged = links.empty() ? 1.0 : moves.shot.roll.nothing, only_pins = 0;
  for (const bool casualty : {false, true}) {
    const double chance = casualty ? moves.shot.roll.casualty : moves.shot.roll.pin;
    if (chance == 0) continue;
    const UnitSet aimed = aimed_at(sc_, seat_, examples, casualty, moves.shot.weapon.anti_tank);
    int pool = 0;
    for (const Link& link : links) pool += has(aimed, categories_[at(link.category)].example) ? link.units : 0;
    for (const Link& link : links) {
      const Category& category = categories_[at(link.category)];
      if (!has(aimed, category.example)) continue;
      const double share = chance * link.units / pool;
      const HitOdds& hit = category.hits[casualty][moves.shot.weapon.sniper];
      unchanged += share * hit.nothing;
      if (link.when_pinned == self) {
        (counts_pins() ? only_pins : unchanged) += share * hit.pin;
      } else if (hit.pin != 0) {
        moves.all.push_back({link.when_pinned, 0, share * hit.pin});
      }
      if (hit.casualty + hit.loss != 0) moves.all.push_back({link.when_hit, 0, share * (hit.casualty + hit.loss)});
    }
  }
  if (unchanged != 0) moves.all.push_back({self, 0, unchanged});
  if (only_pins != 0) moves.all.push_back({self, 1, only_pins});
  moves.count[state] = static_cast<std::uint32_t>(moves.all.size()) - moves.first[state];
  effort_ -= static_cast<long>(20 * moves.count[state]);
}

bool Targets::is_empty(const Spread& spread, std::size_t state) const {
  const auto row = spread.mass.begin() + static_cast<std::ptrdiff_t>(state * width_);
  return std::all_of(row, row + static_cast<std::ptrdiff_t>(spread.used), [](double p) { return p == 0; });
}

void Targets::roll(Spread& spread, const Shot& shot, bool game_may_end, double weight, Spread& total) {
  Moves& moves = moves_of(shot);
  const std::size_t known = spread.mass.size() / width_;
  for (std::size_t state = 0; state < known && states_.size() <= most_states && effort_ >= 0; ++state) {
    if (!is_empty(spread, state)) work_out(moves, state);
  }
  effort_ -= static_cast<long>(states_.size() * width_ / 4);
  if (states_.size() > most_states || states_.size() * width_ > most_numbers) effort_ = -1;
  if (effort_ < 0) return;
  Spread next;
  next.mass.assign(states_.size() * width_, 0.0);
  next.used = std::min(spread.used + (counts_pins() ? 1 : 0), width_);
  for (std::size_t state = 0; state < known; ++state) {
    if (is_empty(spread, state)) continue;
    const double* from = spread.mass.data() + state * width_;
    for (std::size_t m = moves.first[state]; m < moves.first[state] + moves.count[state]; ++m) {
      const Move& move = moves.all[m];
      double* to = next.mass.data() + move.to * width_ + move.pins;
      const std::size_t used = std::min(spread.used, width_ - move.pins);
      for (std::size_t pins = 0; pins < used; ++pins) to[pins] += move.chance * from[pins];
    }
    effort_ -= static_cast<long>(moves.count[state] * (spread.used + 2));
  }
  total.mass.resize(next.mass.size());
  for (std::size_t state = 0; state < states_.size(); ++state) {
    if (!states_[state].empty && !(game_may_end && states_[state].game_ends)) continue;
    for (std::size_t i = state * width_; i < (state + 1) * width_; ++i) total.mass[i] += weight * std::exchange(next.mass[i], 0.0);
  }
  spread = std::move(next);
}

void Targets::roll(Spread& spread, const std::vector<Salvo>& salvos, bool game_may_end, Spread& total) {
  for (const Salvo& salvo : salvos) {
    for (int i = 0; i < salvo.rolls && effort_ >= 0; ++i) roll(spread, salvo.shot, game_may_end, 1, total);
  }
}

void Targets::gather(const Spread& spread, double weight, Spread& total) {
  total.mass.resize(std::max(total.mass.size(), spread.mass.size()));
  for (std::size_t i = 0; i < spread.mass.size(); ++i) total.mass[i] += weight * spread.mass[i];
  effort_ -= static_cast<long>(spread.mass.size() / 2);
}

SideOdds Targets::count(const Spread& total) const {
  SideOdds odds = nothing_counted();
  for (std::size_t state = 0; state * width_ < total.mass.size(); ++state) {
    double all = 0;
    for (std::size_t pins = 0; pins < width_; ++pins) {
      const double chance = total.mass[state * width_ + pins];
      if (chance != 0) add_at(odds.pins, pins, chance);
      all += chance;
    }
    if (all == 0) continue;
    add_at(odds.casualties, at(states_[state].casualties), all);
    add_at(odds.removals, at(states_[state].removals), all);
  }
  return odds;
}

// --- The volley of those who still fire --------------------------------------------------------------------------------

// Which families the units of a group that still fire belong to: dealt like cards, family by family.
class Targets::Dealing {
 public:
  Dealing(const Group& group, const std::vector<std::size_t>& worth) : families_(group.families), worth_(worth) {}

  // take(volley, chance)
  template <class Take>
  void deal(const Standing& standing, const Take& take) const {
    const int all = std::accumulate(families_.begin(), families_.end(), 0, [](int sum, const Family& family) { return sum + family.size; });
    next_family(0, standing, all, 0, 1.0, take);
  }

 private:
  template <class Take>
  void next_family(std::size_t f, const Standing& standing, int all, std::size_t volley, double chance, const Take& take) const {
    if (f + 1 == families_.size()) {  // takes the rest
      for (std::size_t strength = 1; strength < families_[f].dice.size(); ++strength) volley += shots(f, strength, standing[strength]);
      take(volley, chance);
      return;
    }
    next_strength(f, 1, families_[f].size, standing, all, volley, chance / choose(all, families_[f].size), take);
  }

  template <class Take>
  void next_strength(std::size_t f, std::size_t strength, int open, Standing standing, int all, std::size_t volley, double chance,
                     const Take& take) const {
    const Family& family = families_[f];
    if (strength == family.dice.size()) {  // the others of the family do not fire
      const int silent = all - std::accumulate(standing.begin(), standing.end(), family.size - open);
      if (open <= silent) next_family(f + 1, standing, all - family.size, volley, chance * choose(silent, open), take);
      return;
    }
    const int here = standing[strength];
    for (int n = 0; n <= std::min(here, open); ++n) {
      standing[strength] = here - n;
      next_strength(f, strength + 1, open - n, standing, all, volley + shots(f, strength, n), chance * choose(here, n), take);
    }
  }

  std::size_t shots(std::size_t f, std::size_t strength, int units) const {
    return at(units * families_[f].dice[strength]) * worth_[at(families_[f].run)];
  }
  static double choose(int n, int k) {
    double ways = 1;
    for (int i = 1; i <= k; ++i) ways = ways * (n - k + i) / i;
    return ways;
  }

  const std::vector<Family>& families_;
  const std::vector<std::size_t>& worth_;
};

void Targets::merge(std::vector<Part>& parts) {
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return std::tie(a.counts, a.volley) < std::tie(b.counts, b.volley); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (kept > 0 && parts[kept - 1].counts == parts[i].counts && parts[kept - 1].volley == parts[i].volley) {
      parts[kept - 1].chance += parts[i].chance;
    } else {
      parts[kept++] = parts[i];
    }
  }
  parts.resize(kept);
}

void Targets::add_volleys(const Spread& spread, const std::vector<std::size_t>& worth, std::vector<double>& chances) {
  Counts firing{};
  for (int c = 0; c < static_cast<int>(conditions_.size()); ++c) {
    if (conditions_[at(c)].group >= 0) firing[word_of(c)] |= std::uint64_t{63} << shift_of(c);
  }
  std::vector<Part> parts;
  for (std::size_t state = 0; state < spread.mass.size(); ++state) {
    if (spread.mass[state] == 0) continue;
    Counts counts = states_[state].counts;
    for (std::size_t w = 0; w < counts.size(); ++w) counts[w] &= firing[w];
    parts.push_back({counts, 0, spread.mass[state]});
  }
  merge(parts);
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    std::vector<Part> next;
    for (const Part& part : parts) {
      Standing standing{};
      Counts rest = part.counts;
      for (int c = 0; c < static_cast<int>(conditions_.size()); ++c) {
        if (conditions_[at(c)].group != g) continue;
        standing[at(conditions_[at(c)].strength_left)] = count_of(rest, c);
        rest[word_of(c)] &= ~(std::uint64_t{63} << shift_of(c));
      }
      Dealing(groups_[at(g)], worth).deal(standing, [&](std::size_t volley, double chance) {
        next.push_back({rest, part.volley + volley, part.chance * chance});
      });
      effort_ -= 100;
      if (effort_ < 0 || next.size() > most_numbers) {
        effort_ = -1;
        return;
      }
    }
    effort_ -= static_cast<long>(20 * next.size());
    parts = std::move(next);
    merge(parts);
  }
  for (const Part& part : parts) chances[part.volley] += part.chance;
}

}  // namespace baton::company_commander
