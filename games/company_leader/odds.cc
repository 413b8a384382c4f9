#include "games/company_leader/odds.h"

#include <algorithm>
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
  // Whole hits and ½ signs are added die by die; rounding comes last.
  constexpr std::size_t most_dice = 8;
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
  HitOdds odds;
  for (std::size_t whole = 0; whole <= most_hits; ++whole) {
    for (std::size_t halves = 0; halves <= most_dice; ++halves) odds.chance[std::min<std::size_t>(whole + (halves + 1) / 2, most_hits)] += sums[whole][halves];
  }
  return odds;
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

}  // namespace

double troop_chance(const Scenario& sc, const Knowledge& k, int field) {
  const int kind = k.kind[at(field)], seat = owner_of(k, field);
  if (seat < 0) return 0;
  if (kind != unknown_kind) return kind == 0 ? 0 : 1;
  if (k.step == Step::set_up) return static_cast<double>(sc.seats[at(seat)].troops) / sc.seats[at(seat)].territory.size();
  const auto& origins = k.origins[at(seat)];
  const int number = k.stand[at(field)];
  const Origin& o = origins[at(number)];
  const int room = pieces_from(k, seat, number).size();
  // Set-up troops are spread evenly over the set-up pieces on the board and those lifted from it.
  double pieces = pieces_from(k, seat, 0).size(), lifted = 0;
  for (int other = 1; other < origin_count; ++other) lifted += origins[at(other)].in_use ? origins[at(other)].lifted : 0;
  const double share = number == 0 ? pieces : o.lifted;
  double set_up = troop_count(origins[0].certain);
  if (number != 0) set_up += origins[0].amounts[0] / 4.0;  // a free army costs about four coins a troop
  const double from_set_up = pieces + lifted > 0 ? set_up * share / (pieces + lifted) : 0;
  // What was shown came out of what is certain, and only then out of the coins.
  Army rest = number == 0 ? Army{} : o.certain;
  int coins = 0;
  double shown = 0;
  for (const std::uint16_t amount : o.amounts) coins += amount;
  for (int troop = first_troop; troop < kind_count; ++troop) {
    for (int n = o.shown[at(troop)]; n > 0; --n) {
      if (rest[at(troop)] > 0) {
        --rest[at(troop)];
      } else if (coins >= sc.figures(troop).cost) {
        coins -= sc.figures(troop).cost;
      } else {
        shown += 1;
      }
    }
  }
  double bought = 0;
  const int most = std::max(0, room - troop_count(rest));
  if (coins > 0 && most > 0) {
    const auto sets = sets_of_troops(sc, coins, most);
    double all = 0, sum = 0;
    for (int n = 1; n <= most; ++n) {
      all += sets[at(coins)][at(n)];
      sum += n * sets[at(coins)][at(n)];
    }
    bought = all > 0 ? sum / all : most;
  }
  return std::clamp((troop_count(rest) + bought + std::max(0.0, from_set_up - shown)) / std::max(room, 1), 0.0, 1.0);
}

}  // namespace baton::company_leader
