#include "games/company_leader/odds.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

double HitOdds::expected() const {
  double sum = 0;
  for (int hits = 1; hits <= most_hits; ++hits) sum += hits * chance[at(hits)];
  return sum;
}

double HitOdds::at_least(int hits) const {
  double sum = 0;
  for (int h = std::max(hits, 0); h <= most_hits; ++h) sum += chance[at(h)];
  return sum;
}

HitOdds hit_odds(const Scenario& sc, Terrain terrain, bool on_infantry, int dice) {
  return {sc.hit_chances[static_cast<std::size_t>(terrain)][on_infantry ? 1 : 0][at(std::clamp(dice, 0, most_strength))]};
}

HitChances chances_of_throw(const Scenario& sc, Terrain terrain, bool on_infantry, int dice) {
  // Whole hits and ½ signs are added die by die; rounding comes last.
  constexpr std::size_t most_dice = most_strength;
  std::array<std::array<double, most_dice + 1>, most_hits + 1> sums{};
  sums[0][0] = 1;
  for (int die = 0; die < dice; ++die) {
    std::array<std::array<double, most_dice + 1>, most_hits + 1> next{};
    for (int face = 1; face <= 6; ++face) {
      int pair[2] = {face, face};
      const int one = hits_of(sc, terrain, on_infantry, pair, 1), two = hits_of(sc, terrain, on_infantry, pair, 2);
      const bool half = one == 1 && two == 1;
      for (std::size_t whole = 0; whole <= most_hits; ++whole) {
        for (std::size_t halves = 0; halves <= most_dice; ++halves) {
          if (sums[whole][halves] == 0) continue;
          const std::size_t more = half ? whole : std::min<std::size_t>(whole + at(one), most_hits);
          next[more][std::min(halves + (half ? 1 : 0), most_dice)] += sums[whole][halves] / 6;
        }
      }
    }
    sums = next;
  }
  HitChances chances{};
  for (std::size_t whole = 0; whole <= most_hits; ++whole) {
    for (std::size_t halves = 0; halves <= most_dice; ++halves)
      chances[std::min<std::size_t>(whole + (halves + 1) / 2, most_hits)] += sums[whole][halves];
  }
  return chances;
}

ShotOdds shot_odds(const Scenario& sc, const Table& t, int kind, int strength, int from, int target, bool fires_back) {
  ShotOdds odds;
  const int theirs = t.shown[at(target)], their_strength = strength_of(t, target);
  odds.hits = hit_odds(sc, sc.board.terrain[at(target)], sc.figures(theirs).infantry, strength);
  odds.answered = fires_back;
  if (fires_back) {
    odds.answer = hit_odds(sc, sc.board.terrain[at(from)], sc.figures(kind).infantry, their_strength);
  } else {
    odds.answer.chance[0] = 1;
  }
  // R33: both throw before anybody is hurt, so the two are independent.
  odds.kill = odds.hits.at_least(their_strength);
  odds.lost = odds.answer.at_least(strength);
  odds.both = odds.kill * odds.lost;
  for (int hits = 1; hits <= most_hits; ++hits) {
    odds.damage += std::min(hits, their_strength) * odds.hits.chance[at(hits)];
    odds.suffered += std::min(hits, strength) * odds.answer.chance[at(hits)];
  }
  return odds;
}

ShotOdds shot_odds(const Scenario& sc, const Table& t, int from, int target) {
  return shot_odds(sc, t, t.shown[at(from)], strength_of(t, from), from, target, may_fire_back(sc, t, from, target));
}

namespace {

// How many different sets of `count` troops cost exactly `coins`.
std::vector<std::vector<double>> sets_of_troops(const Scenario& sc, int coins, int most) {
  std::vector<std::vector<double>> sets(at(coins + 1), std::vector<double>(at(most + 1), 0));
  sets[0][0] = 1;
  for (int k = first_troop; k < kind_count; ++k) {
    const int cost = sc.figures(k).cost;
    for (int c = cost; c <= coins; ++c) {
      for (int n = 1; n <= most; ++n) sets[at(c)][at(n)] += sets[at(c - cost)][at(n - 1)];
    }
  }
  return sets;
}

// How many troops those coins have bought: at least, and on average when every set that finds room is equally likely. Where none costs just
// that much, because shown troops were laid to the coins that had been lifted, the nearest sum below counts.
struct BoughtTroops {
  int least = 0;
  double expected = 0;
};
BoughtTroops troops_for(const Scenario& sc, int coins, int most) {
  if (coins <= 0 || most == 0) return {};
  const auto sets = sets_of_troops(sc, coins, most);
  for (; coins > 0; --coins) {
    double all = 0, sum = 0;
    int least = most;
    for (int n = most; n >= 1; --n) {
      if (sets[at(coins)][at(n)] == 0) continue;
      least = n;
      all += sets[at(coins)][at(n)];
      sum += n * sets[at(coins)][at(n)];
    }
    if (all > 0) return {least, sum / all};
  }
  return {};
}

}  // namespace

TroopChance troop_chance(const Scenario& sc, const Knowledge& k, int field) {
  const int kind = k.kind[at(field)], seat = owner_of(k, field);
  if (seat < 0) return {0, true};
  if (kind != unknown_kind) return {kind == 0 ? 0.0 : 1.0, true};
  return troop_chance_of_origin(sc, k, seat, k.stand[at(field)]);
}

namespace {

// From the numbers alone, without looking for stories.
TroopChance reckoned(const Scenario& sc, const Table& t, int seat, int number) {
  // From the set-up on, troops are spread evenly over an origin's pieces, those on the board and those lifted out of it.
  const Origins& origins = t.origins[at(seat)];
  std::array<double, origin_count> lifted{};  // troops expected among the pieces lifted into it
  for (int n = 0; n <= number; ++n) {
    const Origin& o = origins[at(n)];
    const int room = pieces_from(t, seat, n).size();
    int places = room + lifted_out_of(origins, n);
    if (!o.in_use || places == 0) continue;
    const bool joint = has_joint_purse(sc, origins, n);
    int coins = o.coins;
    double lifted_shown = 0;
    if (joint) {
      const auto& members = sc.sides[sc.side_of[at(seat)]].seats;
      // What is left of the purse is spread over the pieces of all who paid from it.
      for (const int mate : members) {
        coins -= cost_of(sc, t.origins[at(mate)][0].shown);
        if (mate != seat) places += pieces_from(t, mate, 0).size() + lifted_out_of(t.origins[at(mate)], 0);
      }
    } else {
      for (int troop = first_troop; troop < kind_count; ++troop) {
        for (int shown = o.shown[at(troop)]; shown > 0; --shown) {
          const bool bought = coins >= sc.figures(troop).cost;
          coins -= bought ? sc.figures(troop).cost : 0;
          lifted_shown += bought ? 0 : 1;
        }
      }
    }
    const int certain = troop_count(o.certain);
    const BoughtTroops bought = troops_for(sc, coins, std::max(0, places - certain));
    const double all = certain + bought.expected + std::max(0.0, lifted[at(n)] - lifted_shown);
    const double chance = std::clamp(all / places, 0.0, 1.0);
    if (n == number) {
      // Whatever was bought, it needs all the room there is.
      const bool all_troops = !joint && certain + bought.least >= places;
      return {chance, o.lifted_in_all() == 0 && places == room && (o.coins == 0 || all_troops)};
    }
    for (int later = n + 1; later < origin_count; ++later) lifted[at(later)] += chance * origins[at(later)].lifted[at(n)];
  }
  return {0, true};
}

// Troops among the pieces of an origin, in the mean of armies that fit what was seen.
std::optional<double> mean_of_stories(const Scenario& sc, const Table& t, int seat, int number) {
  constexpr int stories = 128;
  FastChance chance(1);  // the same knowledge gives the same figure
  HiddenArmies hidden;
  int troops = 0;
  for (int i = 0; i < stories; ++i) {
    if (!draw_armies(sc, t, sc.side_of[at(seat)], chance, hidden)) return std::nullopt;
    troops += troop_count(hidden[at(seat)][at(number)]);
  }
  return static_cast<double>(troops) / stories;
}

}  // namespace

TroopChance troop_chance_of_origin(const Scenario& sc, const Table& t, int seat, int number) {
  if (t.step == Step::set_up) {
    const SeatPlan& plan = sc.seats[at(seat)];
    return {std::min(1.0, static_cast<double>(plan.troops) / plan.territory.size()), !sc.options.free_armies};
  }
  TroopChance found = reckoned(sc, t, seat, number);
  const int room = pieces_from(t, seat, number).size();
  if (found.exact || room == 0) return found;
  const MayBe possible = may_be(sc, t, seat, number);
  if (possible.troop != possible.dummy) return {possible.troop ? 1.0 : 0.0, true};
  if (!has_joint_purse(sc, t.origins[at(seat)], number)) {
    if (const auto mean = mean_of_stories(sc, t, seat, number)) found.chance = *mean / room;
  }
  // Neither is certain, so the figure must not say so.
  if (found.chance <= 0) found.chance = 0.5 / (room + 1);
  if (found.chance >= 1) found.chance = 1 - 0.5 / (room + 1);
  return found;
}

void TroopChances::look_at(const Scenario& sc, const Table& t) {
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    Grounds now{t.step == Step::set_up, t.origins[at(seat)], {}};
    for (const int f : hidden_of(t, seat)) {
      if (t.shown[at(f)] == unknown_kind) ++now.pieces[t.stand[at(f)]];
    }
    if (now == grounds_[at(seat)]) continue;
    grounds_[at(seat)] = now;
    for (const int mate : sc.sides[sc.side_of[at(seat)]].seats) chances_[at(mate)] = {};
  }
}

TroopChance TroopChances::of(const Scenario& sc, const Table& t, int seat, int origin) {
  auto& chance = chances_[at(seat)][at(origin)];
  if (!chance) chance = troop_chance_of_origin(sc, t, seat, origin);
  return *chance;
}

// --- For the browser and the terminal -------------------------------------------------------------------------------------

namespace {

double rounded(double chance) { return std::round(chance * 10000) / 10000; }

Json hits_json(const HitOdds& odds) {
  Json list = Json::array();
  int last = most_hits;
  while (last > 0 && odds.chance[at(last)] == 0) --last;
  for (int hits = 0; hits <= last; ++hits) list.push_back(rounded(odds.chance[at(hits)]));
  return {{"hits", list}};
}

// "kill" is the enemy destroyed, "lost" the own troop, should the other fire back. Whoever is shot at loses it now, whether he answers or
// not.
Json shot_json(const Scenario& sc, const Table& t, const ShotOdds& odds, int from, int target, bool as_target) {
  Json json = {{"exact", true}};
  json["outcomes"] = Json::array();
  const auto outcome = [&](const char* what, double chance) { json["outcomes"].push_back({{"is", what}, {"chance", rounded(chance)}}); };
  if (odds.answered || !as_target) outcome("kill", as_target ? odds.lost : odds.kill);
  if (as_target) {
    outcome("lost-now", odds.kill);
    if (odds.answered) outcome("both-now", odds.both);
  } else if (odds.answered) {
    outcome("lost", odds.lost);
    outcome("both", odds.both);
  }
  Json& sides = json["combats"][0]["sides"];
  sides[sc.seats[at(owner_of(t, target))].id] = hits_json(odds.hits);
  if (odds.answered) {
    sides[sc.seats[at(owner_of(t, from))].id] = hits_json(odds.answer);
  }
  return json;
}

Json scouting_json(const Scenario& sc, const Knowledge& k, int field, int facing) {
  const FieldSet found = sc.seen_from(k.kind[at(field)], field, facing) & (hostile_pieces(sc, k, k.viewer) - k.revealed);
  if (found.empty()) return nullptr;
  Json json = {{"exact", true}, {"hidden", Json::array()}};
  for (const int f : found) {
    const TroopChance chance = troop_chance(sc, k, f);
    json["exact"] = json["exact"].get<bool>() && chance.exact;
    json["hidden"].push_back({{"field", sc.board.name[at(f)]}, {"chance", rounded(chance.chance)}, {"exact", chance.exact}});
  }
  return json;
}

}  // namespace

Json odds(const Scenario& sc, const Knowledge& k, Action action) {
  const int viewer = k.viewer;
  if (viewer >= sc.seat_count() || action.verb >= verb_count || k.step == Step::set_up || k.step == Step::over) return nullptr;
  const auto own_troop = [&](int field) { return field < sc.board.fields && (k.pieces[at(viewer)] & k.revealed).has(field); };
  switch (static_cast<Verb>(action.verb)) {
    case Verb::shoot: {
      if (!own_troop(action.a) || action.b >= sc.board.fields || action.c >= facing_count) return nullptr;
      if (!(hostile_pieces(sc, k, viewer) & k.revealed & sc.hit_from(k.kind[action.a], action.a, action.c)).has(action.b)) return nullptr;
      return shot_json(sc, k, shot_odds(sc, k, action.a, action.b), action.a, action.b, false);
    }
    case Verb::fire_back:
    case Verb::hold_fire: {
      if (k.step != Step::return_fire) return nullptr;
      const int from = k.acting.field, target = k.acting.target;
      const bool answers = static_cast<Verb>(action.verb) == Verb::fire_back;
      return shot_json(sc, k, shot_odds(sc, k, k.shown[at(from)], strength_of(k, from), from, target, answers), from, target, true);
    }
    case Verb::move:
      if (!own_troop(action.a) || action.b >= facing_count) return nullptr;
      return scouting_json(sc, k, action.a, action.b);
    case Verb::turn:
      if (k.step != Step::arrival || !own_troop(k.acting.field) || action.a >= facing_count) return nullptr;
      return scouting_json(sc, k, k.acting.field, action.a);
    default: return nullptr;
  }
}

}  // namespace baton::company_leader
