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

// One attempt to explain what was seen. Later attempts are more careful: fewer set-up troops among lifted pieces, or as many as are
// needed, and fewer but dearer troops for the same coins.
class Attempt {
 public:
  Attempt(const Scenario& sc, const Table& t, int seat, Chance& chance, int patience)
      : sc_(sc), t_(t), seat_(seat), chance_(chance), patience_(patience), pool_(t.origins[at(seat)][0].certain), pool_coins_(t.origins[at(seat)][0].amounts) {
    for (int o = 0; o < origin_count; ++o) room_[at(o)] = pieces_from(t, seat, o).size();
    for (int o = 1; o < origin_count; ++o) lifted_ += origin(o).in_use ? origin(o).lifted : 0;
  }

  bool succeeds(std::array<Army, origin_count>& hidden) {
    hidden = {};
    int lifted_left = lifted_;
    for (int o = 1; o < origin_count; ++o) {
      if (!origin(o).in_use) continue;
      lifted_left -= origin(o).lifted;
      if (!explain(o, lifted_left, hidden[at(o)])) return false;
    }
    // The set-up itself: its troops that nobody lifted, and what folded purchases brought.
    Army own = pool_;
    pool_ = {};
    return explain_with(0, own, 0, 0, hidden[0]);
  }

 private:
  const Origin& origin(int o) const { return t_.origins[at(seat_)][at(o)]; }
  int cost(int kind) const { return sc_.figures(kind).cost; }

  bool explain(int o, int lifted_later, Army& hidden) { return explain_with(o, origin(o).certain, origin(o).lifted, lifted_later, hidden); }

  bool explain_with(int o, Army certain, int lifts, int lifted_later, Army& hidden) {
    auto amounts = o == 0 ? pool_coins_ : origin(o).amounts;
    // 1. Every troop shown came from somewhere.
    for (int k = first_troop; k < kind_count; ++k) {
      for (int n = origin(o).shown[at(k)]; n > 0; --n) {
        std::array<int, 2 * Origin::most_amounts + 2> sources{};
        std::uint32_t count = 0;
        if (certain[at(k)] > 0) sources[count++] = -1;
        if (lifts > 0 && pool_[at(k)] > 0) sources[count++] = -2;
        for (int i = 0; i < Origin::most_amounts; ++i) {
          const int rest = amounts[at(i)] - cost(k);
          if (amounts[at(i)] != 0 && (rest == 0 || payable(rest))) sources[count++] = i;
          const int pool_rest = pool_coins_[at(i)] - cost(k);
          if (o != 0 && lifts > 0 && pool_coins_[at(i)] != 0 && (pool_rest == 0 || payable(pool_rest))) sources[count++] = Origin::most_amounts + i;
        }
        if (count == 0) return false;
        const int source = sources[chance_.pick(count)];
        if (source == -1) {
          --certain[at(k)];
        } else if (source == -2) {
          --pool_[at(k)];
          --lifts;
        } else if (source >= Origin::most_amounts) {
          pool_coins_[at(source - Origin::most_amounts)] = static_cast<std::uint16_t>(pool_coins_[at(source - Origin::most_amounts)] - cost(k));
          --lifts;
        } else {
          amounts[at(source)] = static_cast<std::uint16_t>(amounts[at(source)] - cost(k));
        }
      }
    }
    // 2. What is certain and not shown is still there; 3. so is what the rest of the coins bought.
    hidden = certain;
    for (int rest : amounts) {
      while (rest > 0) {
        const int kind = affordable(rest);
        if (kind < 0) return false;
        ++hidden[at(kind)];
        rest -= cost(kind);
      }
    }
    // 4. A lifted set-up piece is a troop as likely as any other of the set-up; of a free army one of its troops, now and then.
    if (lifts > 0 && pool_coins_[0] != 0 && patience_ == 0 && troop_count(hidden) < room_[at(o)] && chance_.pick(4) == 0) {
      if (const int kind = affordable(pool_coins_[0]); kind >= 0 && pool_coins_[0] > cost(kind)) {
        pool_coins_[0] = static_cast<std::uint16_t>(pool_coins_[0] - cost(kind));
        ++hidden[at(kind)];
        --lifts;
      }
    }
    const int total = room_[0] + lifts + lifted_later;
    const int must = troop_count(pool_) - room_[0] - lifted_later;  // more than that cannot be elsewhere
    int taken = 0;
    for (int n = lifts; n > 0 && troop_count(pool_) > 0; --n) {
      const bool likely = chance_.pick(static_cast<std::uint32_t>(std::max(total, 1))) < static_cast<std::uint32_t>(troop_count(pool_));
      const bool room = troop_count(hidden) < room_[at(o)];
      if (taken < must || (likely && room && patience_ < 2)) {
        auto rank = static_cast<int>(chance_.pick(static_cast<std::uint32_t>(troop_count(pool_))));
        int kind = first_troop;
        while (rank >= pool_[at(kind)]) rank -= pool_[at(kind++)];
        --pool_[at(kind)];
        ++hidden[at(kind)];
        ++taken;
      }
    }
    int most = room_[at(o)];
    if (o == 0 && sc_.options.free_armies) most = std::max(std::min(most, sc_.seats[at(seat_)].territory.size() / 2), std::min(most, troop_count(certain)));
    return troop_count(hidden) <= most;
  }

  // Whether some troops cost exactly that much.
  bool payable(int coins) const {
    if (coins < 0) return false;
    std::uint64_t sums = 1;
    if (coins >= 64) return true;
    for (int sum = 0; sum <= coins; ++sum) {
      if ((sums >> sum & 1u) == 0) continue;
      for (int k = first_troop; k < kind_count; ++k) {
        if (sum + cost(k) <= coins) sums |= std::uint64_t{1} << (sum + cost(k));
      }
    }
    return (sums >> coins & 1u) != 0;
  }

  int affordable(int coins) {
    std::array<int, kind_count> kinds{};
    std::uint32_t count = 0;
    int dearest = 0;
    for (int k = first_troop; k < kind_count; ++k) {
      if (cost(k) > coins || !(coins == cost(k) || payable(coins - cost(k)))) continue;
      kinds[count++] = k;
      dearest = std::max(dearest, cost(k));
    }
    if (count == 0) return -1;
    if (patience_ > 0) {  // fewer, dearer troops
      const auto end = std::remove_if(kinds.begin(), kinds.begin() + count, [&](int k) { return cost(k) < dearest; });
      count = static_cast<std::uint32_t>(end - kinds.begin());
    }
    return kinds[chance_.pick(count)];
  }

  const Scenario& sc_;
  const Table& t_;
  int seat_;
  Chance& chance_;
  int patience_;
  Army pool_;  // set-up troops not accounted for
  std::array<std::uint16_t, Origin::most_amounts> pool_coins_;  // free armies: coins spent on others of them
  std::array<int, origin_count> room_{};
  int lifted_ = 0;
};

}  // namespace

bool draw_armies(const Scenario& sc, const Table& t, int seat, Chance& chance, std::array<Army, origin_count>& hidden) {
  for (int tries = 0; tries < 96; ++tries) {
    if (Attempt(sc, t, seat, chance, tries / 32).succeeds(hidden)) return true;
  }
  hidden = {};
  for (int o = 0; o < origin_count; ++o) {
    int room = pieces_from(t, seat, o).size();
    for (int k = first_troop; k < kind_count; ++k) {
      const int count = std::min<int>(t.origins[at(seat)][at(o)].certain[at(k)], room);
      hidden[at(o)][at(k)] = static_cast<std::uint8_t>(count);
      room -= count;
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
    } else if (!known) {
      std::array<Army, origin_count> hidden;
      draw_armies(sc, k, seat, chance, hidden);
      for (int o = 0; o < origin_count; ++o) hide_army(s, pieces_from(k, seat, o), hidden[at(o)], chance);
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
