#include "games/company_leader/knowledge.h"

#include <algorithm>

#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

// Team-mates share what they know once the set-up is over; when the game is over all pieces are turned up.
bool knows_pieces_of(const Scenario& sc, const Table& t, int viewer, int seat) {
  if (t.step == Step::over) return true;
  if (viewer >= sc.seat_count()) return false;
  return t.step == Step::set_up ? viewer == seat : sc.side_of[at(viewer)] == sc.side_of[at(seat)];
}

// R57
Knowledge observe(const Scenario& sc, const State& s, Seat viewer) {
  Knowledge k;
  static_cast<Table&>(k) = s;
  const int me = index(viewer);
  k.viewer = static_cast<std::uint8_t>(me);
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    const auto& from = knows_pieces_of(sc, s, me, seat) ? s.kind : s.shown;
    for (const int f : s.pieces[at(seat)]) k.kind[at(f)] = from[at(f)];
  }
  if (me >= sc.seat_count()) return k;
  if (s.step == Step::set_up) {
    k.hand = s.hand[at(me)];
    k.purse = s.purse[at(me)];
  }
  if (s.step == Step::purchase && !sc.hostile(me, s.active)) k.purchase = s.purchase;
  return k;
}

// --- Armies that fit ----------------------------------------------------------------------------------------------------

namespace {

int last_origin(const Origins& origins) {
  int last = origin_count - 1;
  while (last > 0 && !origins[at(last)].in_use) --last;
  return last;
}

// Finds a story for what was seen of a seat. Backwards from the last origin, the troops that must have been there are laid to what was
// certain, to one of the sets that the coins may have bought, or to pieces lifted from an earlier origin; all ways are tried, in random order,
// until one ends well at the set-up. Then, forwards, the troops that were never shown are hidden among the pieces.
class Story {
 public:
  Story(const Scenario& sc, const Table& t, int seat, Chance& chance)
      : sc_(sc), origins_(t.origins[at(seat)]), chance_(chance), last_(last_origin(origins_)) {
    for (int o = 0; o <= last_; ++o) {
      if (!origins_[at(o)].in_use) continue;
      room_[at(o)] = pieces_from(t, seat, o).size();
      wanted_[at(o)] = origins_[at(o)].shown;
      lifted_[at(o)] = origins_[at(o)].lifted;
    }
    if (has_joint_purse(sc, origins_, 0)) most_set_up_ = sc.seats[at(seat)].territory.size() / 2;
  }

  // The set-up of a free army has cost between these sums.
  bool found(int least, int most) {
    least_ = least;
    most_ = most;
    return explain(last_);
  }
  int paid() const { return paid_; }
  const std::array<Army, origin_count>& hidden() const { return hidden_; }

 private:
  using Lifted = std::array<std::array<std::uint8_t, origin_count>, origin_count>;
  static constexpr int most_steps = 4000;  // of a search; far more than any position needed
  static constexpr int most_sets = 64;

  int cost(int kind) const { return sc_.figures(kind).cost; }

  bool explain(int o) {
    if (++steps_ > most_steps) return false;
    if (o == 0) return set_up() && hide();
    const Origin& origin = origins_[at(o)];
    if (!origin.in_use) return explain(o - 1);
    int places = room_[at(o)];
    for (int later = o + 1; later <= last_; ++later) places += lifted_[at(later)][at(o)];
    std::array<Army, most_sets> sets, failed;  // `failed`: what was missing, and under 0 how many troops were left
    const int count = list_sets(o, places, sets);
    int failures = 0;
    for (int left = count; left > 0; --left) {
      const auto chosen = chance_.pick(static_cast<std::uint32_t>(left));
      Army got = sets[chosen], missing{};
      sets[chosen] = sets[at(left - 1)];
      for (int k = first_troop; k < kind_count; ++k) {
        const int had = got[at(k)] + origin.certain[at(k)], need = wanted_[at(o)][at(k)];
        got[at(k)] = static_cast<std::uint8_t>(std::max(had - need, 0));
        missing[at(k)] = static_cast<std::uint8_t>(std::max(need - had, 0));
      }
      rest_[at(o)] = got;
      // For what comes before only these count: of which kinds the rest is, is all the same.
      Army needs = missing;
      needs[0] = static_cast<std::uint8_t>(troop_count(got));
      if (std::find(failed.begin(), failed.begin() + failures, needs) != failed.begin() + failures) continue;
      if (has_room_from(o) && lift(o, missing)) return true;
      failed[at(failures++)] = needs;
    }
    return false;
  }

  // Sets of troops that cost the origin's coins, need no more lifted pieces than there are, and leave no more troops than there are places.
  // Where there are too many a random choice of them.
  int list_sets(int o, int places, std::array<Army, most_sets>& sets) {
    const Origin& origin = origins_[at(o)];
    const int lifted = origin.lifted_in_all();
    Army set{};
    int count = 0;
    std::uint32_t seen = 0;
    const auto next = [&](const auto& again, int kind, int coins, int missing, int left) -> void {
      if (left > places || missing > lifted || !sc_.payable(coins)) return;
      if (kind == kind_count) {
        if (coins != 0) return;
        ++seen;
        if (count < most_sets) {
          sets[at(count++)] = set;
        } else if (const auto rank = chance_.pick(seen); rank < most_sets) {
          sets[rank] = set;
        }
        return;
      }
      for (int n = 0; n * cost(kind) <= coins; ++n) {
        const int more = n + origin.certain[at(kind)] - wanted_[at(o)][at(kind)];
        if (more > places) break;
        set[at(kind)] = static_cast<std::uint8_t>(n);
        again(again, kind + 1, coins - n * cost(kind), missing + std::max(-more, 0), left + std::max(more, 0));
      }
      set[at(kind)] = 0;
    };
    next(next, first_troop, origin.coins, 0, 0);
    return count;
  }

  // Each missing troop was a piece lifted from one of the earlier origins.
  bool lift(int o, Army missing) {
    int kind = first_troop;
    while (kind < kind_count && missing[at(kind)] == 0) ++kind;
    if (kind == kind_count) return explain(o - 1);
    --missing[at(kind)];
    const int turn = static_cast<int>(chance_.pick(static_cast<std::uint32_t>(o)));
    for (int i = 0; i < o && steps_ <= most_steps; ++i) {
      const int from = (i + turn) % o;
      std::uint8_t& lifted = lifted_[at(o)][at(from)];
      if (lifted == 0 || !may_hold(from, kind)) continue;
      --lifted;
      ++wanted_[at(from)][at(kind)];
      if (lift(o, missing)) return true;
      --wanted_[at(from)][at(kind)];
      ++lifted;
    }
    return false;
  }
  bool may_hold(int o, int kind) const {
    const Origin& origin = origins_[at(o)];
    return wanted_[at(o)][at(kind)] < origin.certain[at(kind)] || origin.coins >= cost(kind) || origin.lifted_in_all() > 0;
  }

  // Nothing was lifted into the set-up.
  bool set_up() {
    Army& rest = rest_[0];
    if (most_set_up_ < 0) {
      for (int k = first_troop; k < kind_count; ++k) {
        if (wanted_[0][at(k)] > origins_[0].certain[at(k)]) return false;
        rest[at(k)] = static_cast<std::uint8_t>(origins_[0].certain[at(k)] - wanted_[0][at(k)]);
      }
      return true;
    }
    const int used = cost_of(sc_, wanted_[0]), gone = troop_count(wanted_[0]);
    int sums = 0;
    for (int sum = std::max(least_, used); sum <= most_; ++sum) sums += sc_.payable(sum - used);
    if (sums == 0) return false;
    auto chosen = chance_.pick(static_cast<std::uint32_t>(sums));
    for (paid_ = std::max(least_, used);; ++paid_) {
      if (sc_.payable(paid_ - used) && chosen-- == 0) break;
    }
    int places = room_[0];
    for (int later = 1; later <= last_; ++later) places += lifted_[at(later)][0];
    const int most = std::min(most_set_up_ - gone, places);
    for (const bool dearest : {false, false, false, true}) {
      rest = {};
      int coins = paid_ - used;
      while (coins > 0) {
        const int kind = affordable(coins, dearest);
        ++rest[at(kind)];
        coins -= cost(kind);
      }
      if (troop_count(rest) <= most) return true;
    }
    return false;
  }

  int affordable(int coins, bool dearest) {
    std::array<int, kind_count> kinds{};
    std::uint32_t count = 0;
    int most = 0;
    for (int k = first_troop; k < kind_count; ++k) {
      if (!sc_.payable(coins - cost(k)) || (dearest && cost(k) < most)) continue;
      if (dearest && cost(k) > most) count = 0;
      most = std::max(most, cost(k));
      kinds[count++] = k;
    }
    return kinds[chance_.pick(count)];
  }

  // Troops that found no room were lifted into later origins: each along a way that ends where there is some.
  bool make_room(int first, Lifted& lifted, std::array<Army, origin_count>& rest, std::array<int, origin_count>& spare) {
    for (int o = first; o <= last_; ++o) spare[at(o)] = room_[at(o)] - troop_count(rest[at(o)]);
    for (int o = last_; o >= first; --o) {
      while (spare[at(o)] < 0) {
        int from = o;
        while (from == o || spare[at(from)] < 0) {
          const int to = next_on_a_way(from, lifted, spare);
          if (to < 0) return false;
          push(from, to, lifted, rest, spare);
          from = to;
        }
      }
    }
    return true;
  }
  void push(int from, int to, Lifted& lifted, std::array<Army, origin_count>& rest, std::array<int, origin_count>& spare) {
    --lifted[at(to)][at(from)];
    const int kind = one_of(rest[at(from)]);
    --rest[at(from)][at(kind)];
    ++rest[at(to)][at(kind)];
    ++spare[at(from)];
    --spare[at(to)];
  }
  // What is left of an origin and of all later ones; earlier ones can only need more.
  bool has_room_from(int first) {
    auto lifted = lifted_;
    auto rest = rest_;
    std::array<int, origin_count> spare{};
    return make_room(first, lifted, rest, spare);
  }

  // Other troops may have been lifted too: a lifted piece is a troop as likely as one left behind.
  bool hide() {
    auto lifted = lifted_;
    auto rest = rest_;
    std::array<int, origin_count> spare{};
    if (!make_room(0, lifted, rest, spare)) return false;
    for (int o = 0; o < last_; ++o) {
      for (int later = o + 1; later <= last_; ++later) {
        for (int n = lifted[at(later)][at(o)]; n > 0 && spare[at(later)] > 0; --n) {
          const int troops = troop_count(rest[at(o)]);
          if (chance_.pick(static_cast<std::uint32_t>(std::max(room_[at(o)] + n, 1))) < static_cast<std::uint32_t>(troops)) push(o, later, lifted, rest, spare);
        }
      }
    }
    hidden_ = rest;
    return true;
  }
  int next_on_a_way(int from, const Lifted& lifted, const std::array<int, origin_count>& spare) const {
    for (int to = from + 1; to <= last_; ++to) {
      if (lifted[at(to)][at(from)] != 0 && (spare[at(to)] > 0 || next_on_a_way(to, lifted, spare) >= 0)) return to;
    }
    return -1;
  }

  int one_of(const Army& army) {
    auto rank = static_cast<int>(chance_.pick(static_cast<std::uint32_t>(troop_count(army))));
    int kind = first_troop;
    while (rank >= army[at(kind)]) rank -= army[at(kind++)];
    return kind;
  }

  const Scenario& sc_;
  const Origins& origins_;
  Chance& chance_;
  int last_;
  int least_ = 0, most_ = 0, paid_ = 0, most_set_up_ = -1, steps_ = 0;
  std::array<int, origin_count> room_{};
  std::array<Army, origin_count> wanted_{};  // shown, or lifted and shown later
  std::array<Army, origin_count> rest_{};    // never shown
  Lifted lifted_{};                          // not known to be troops
  std::array<Army, origin_count> hidden_{};
};

// What the free armies of a side cost is known together, so one after the other takes a part of it.
bool explain_side(const Scenario& sc, const Table& t, int side, Chance& chance, HiddenArmies& hidden) {
  const auto& members = sc.sides[at(side)].seats;
  int coins = t.origins[at(members.front())][0].coins;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const int seat = members[i];
    int least = coins, most = coins;
    for (std::size_t later = i + 1; later < members.size(); ++later) {
      least -= sc.seats[at(members[later])].budget;
      most -= std::max(sc.cheapest, cost_of(sc, t.origins[at(members[later])][0].shown));
    }
    Story story(sc, t, seat, chance);
    if (!story.found(std::max(least, sc.cheapest), std::min(most, sc.seats[at(seat)].budget))) return false;
    coins -= story.paid();
    hidden[at(seat)] = story.hidden();
  }
  return true;
}

}  // namespace

bool draw_armies(const Scenario& sc, const Table& t, int side, Chance& chance, HiddenArmies& hidden) {
  for (int tries = 0; tries < 16; ++tries) {  // one is enough, unless mates do not agree about their coins
    hidden = {};
    if (explain_side(sc, t, side, chance, hidden)) return true;
  }
  hidden = {};
  for (const int seat : sc.sides[at(side)].seats) {
    for (int o = 0; o < origin_count; ++o) {
      int room = pieces_from(t, seat, o).size();
      for (int k = first_troop; k < kind_count; ++k) {
        const int count = std::min<int>(t.origins[at(seat)][at(o)].certain[at(k)], room);
        hidden[at(seat)][at(o)][at(k)] = static_cast<std::uint8_t>(count);
        room -= count;
      }
    }
  }
  return false;
}

// --- A state the viewer cannot tell from the truth ------------------------------------------------------------------------

namespace {

void hide_army(State& s, FieldSet fields, const Army& army, Chance& chance) {
  for (int k = first_troop; k < kind_count; ++k) {
    for (int n = army[at(k)]; n > 0 && !fields.empty(); --n) {
      const int f = pick_member(fields, chance);
      fields.erase(f);
      s.kind[at(f)] = static_cast<std::uint8_t>(k);
      s.troops.insert(f);
    }
  }
}

// Somebody who is ready has placed an army; what the others have done so far is theirs alone.
void imagine_set_up(const Scenario& sc, State& s, int seat, Chance& chance) {
  const SeatPlan& plan = sc.seats[at(seat)];
  if (sc.options.free_armies) s.purse[at(seat)] = static_cast<std::uint16_t>(plan.budget);
  if (!has_seat(s.ready, seat)) {
    if (!sc.options.free_armies) s.hand[at(seat)] = plan.army;
    return;
  }
  Army army = plan.army;
  if (sc.options.free_armies) {
    army = {};
    int coins = plan.budget;
    for (int n = 0; n < plan.territory.size() / 2 && coins >= sc.cheapest; ++n) {
      int kind = first_troop + static_cast<int>(chance.pick(kind_count - 1));
      while (sc.figures(kind).cost > coins) kind = kind + 1 < kind_count ? kind + 1 : first_troop;
      ++army[at(kind)];
      coins -= sc.figures(kind).cost;
    }
    s.purse[at(seat)] = static_cast<std::uint16_t>(coins);
  }
  hide_army(s, plan.territory, army, chance);
}

}  // namespace

State imagine(const Scenario& sc, const Knowledge& k, Chance& chance) {
  State s;
  static_cast<Table&>(s) = k;
  const int me = k.viewer;
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    const bool known = knows_pieces_of(sc, k, me, seat);
    for (const int f : s.pieces[at(seat)]) {
      const int kind = known ? k.kind[at(f)] : k.shown[at(f)];
      if (kind == unknown_kind || kind == 0) continue;
      s.kind[at(f)] = static_cast<std::uint8_t>(kind);
      s.troops.insert(f);
    }
    if (s.step == Step::set_up) {
      for (int part = 0; part < 4; ++part) s.shuffle[at(seat)] = s.shuffle[at(seat)] << 16 | chance.pick(1u << 16);
      if (!known) imagine_set_up(sc, s, seat, chance);
    }
  }
  for (int side = 0; s.step != Step::set_up && side < sc.side_count(); ++side) {
    if (knows_pieces_of(sc, k, me, sc.sides[at(side)].seats.front())) continue;
    HiddenArmies hidden;
    draw_armies(sc, k, side, chance, hidden);
    for (const int seat : sc.sides[at(side)].seats) {
      for (int o = 0; o < origin_count; ++o) {
        if (k.origins[at(seat)][at(o)].in_use) hide_army(s, pieces_from(k, seat, o), hidden[at(seat)][at(o)], chance);
      }
    }
  }
  if (me >= sc.seat_count()) return s;
  if (s.step == Step::set_up) {
    s.hand[at(me)] = k.hand;
    s.purse[at(me)] = k.purse;
  }
  s.purchase = k.purchase;
  return s;
}

}  // namespace baton::company_leader
