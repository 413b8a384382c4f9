#include "games/company_leader/knowledge.h"

#include <algorithm>
#include <optional>

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
  Knowledge k(s);
  const int me = index(viewer);
  k.viewer = static_cast<std::uint8_t>(me);
  FieldSet known;
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    if (knows_pieces_of(sc, s, me, seat)) known |= s.pieces[at(seat)];
  }
  copy_on(known, s.kind, k.kind);
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

// A piece of an origin that is taken for a troop of that kind, or with 0 for a dummy, to see whether a story is left.
struct Supposed {
  int seat = -1, origin = 0, kind = 0;
};

int dearest_troop(const Scenario& sc) {
  int most = 0;
  for (int k = first_troop; k < kind_count; ++k) most = std::max(most, sc.figures(k).cost);
  return most;
}

// How much may be tried before a search gives up: far more than any position of a game needs, little enough for what somebody made up.
class Patience {
 public:
  bool is_left() const { return left_ > 0; }
  bool spend() { return left_ > 0 && --left_ > 0; }

 private:
  int left_ = 20'000;
};

// Finds a story for what was seen of a seat. Backwards from the last origin, the troops that must have been there are laid to what was
// certain, to one of the sets that the coins may have bought, or to pieces lifted from an earlier origin; all ways are tried, in random
// order, until one ends well at the set-up. Then, forwards, the troops that were never shown are hidden among the pieces.
class Story {
 public:
  Story(const Scenario& sc, const Table& t, int seat, const Supposed& supposed, Chance& chance, Patience& patience)
      : sc_(sc), origins_(t.origins[at(seat)]), chance_(chance), patience_(patience), last_(last_origin(origins_)) {
    for (int o = 0; o <= last_; ++o) {
      if (!origins_[at(o)].in_use) continue;
      room_[at(o)] = pieces_from(t, seat, o).size();
      wanted_[at(o)] = origins_[at(o)].shown;
      lifted_[at(o)] = origins_[at(o)].lifted;
    }
    if (has_joint_purse(sc, origins_, 0)) most_set_up_ = sc.seats[at(seat)].territory.size() / 2;
    if (supposed.seat != seat) return;
    --room_[at(supposed.origin)];
    if (supposed.kind != 0) ++wanted_[at(supposed.origin)][at(supposed.kind)];
  }

  // `paid`: for the set-up, where the army is a free one.
  bool found(int paid) {
    paid_ = paid;
    return explain(last_);
  }
  // Not all stories were tried.
  bool cut_short() const { return cut_short_; }
  const std::array<Army, origin_count>& hidden() const { return hidden_; }

 private:
  using Lifted = std::array<std::array<std::uint8_t, origin_count>, origin_count>;
  static constexpr int most_sets = 64;

  int cost(int kind) const { return sc_.figures(kind).cost; }

  bool goes_on() {
    const bool on = patience_.spend();
    if (!on) cut_short_ = true;
    return on;
  }

  bool explain(int o) {
    if (!goes_on()) return false;
    if (o == 0) return set_up();
    const Origin& origin = origins_[at(o)];
    if (!origin.in_use) return explain(o - 1);
    int places = room_[at(o)];
    for (int later = o + 1; later <= last_; ++later) places += lifted_[at(later)][at(o)];
    std::array<Army, most_sets + 1> failed;
    int failures = 0;
    const auto leads_on = [&](const Army& set) {
      const Army missing = lay_out(o, set);
      // For what comes before only these count: of which kinds the rest is, is all the same.
      Army needs = missing;
      needs[0] = static_cast<std::uint8_t>(troop_count(rest_[at(o)]));
      if (std::find(failed.begin(), failed.begin() + failures, needs) != failed.begin() + failures) return false;
      if (has_room_from(o) && lift(o, missing)) return true;
      failed[at(failures++)] = needs;
      return false;
    };
    // Nearly always one set drawn from all of that price does; to list those that fit takes much longer.
    for (int tries = 0; tries < 8; ++tries) {
      const std::optional<Army> any = any_set(origin.coins);
      if (!any) break;
      if (!fits(o, places, *any)) continue;
      if (leads_on(*any)) return true;
      break;
    }
    std::array<Army, most_sets> sets;
    for (int left = list_sets(o, places, sets); left > 0; --left) {
      const auto chosen = chance_.pick(static_cast<std::uint32_t>(left));
      if (leads_on(sets[chosen])) return true;
      sets[chosen] = sets[at(left - 1)];
    }
    return false;
  }

  // The set and what was certain to be there, less what was shown of it since: leaves what was never shown, gives what is missing.
  Army lay_out(int o, const Army& set) {
    Army missing{};
    for (int k = first_troop; k < kind_count; ++k) {
      const int more = surplus(o, set, k);
      rest_[at(o)][at(k)] = static_cast<std::uint8_t>(std::max(more, 0));
      missing[at(k)] = static_cast<std::uint8_t>(std::max(-more, 0));
    }
    return missing;
  }
  int surplus(int o, const Army& set, int kind) const {
    return set[at(kind)] + origins_[at(o)].certain[at(kind)] - wanted_[at(o)][at(kind)];
  }
  bool fits(int o, int places, const Army& set) const {
    int missing = 0, left = 0;
    for (int k = first_troop; k < kind_count; ++k) {
      const int more = surplus(o, set, k);
      missing += std::max(-more, 0);
      left += std::max(more, 0);
    }
    return left <= places && missing <= origins_[at(o)].lifted_in_all();
  }

  // One of all sets of that price, each as likely; nothing where they are not counted.
  std::optional<Army> any_set(int coins) {
    if (coins > Scenario::most_counted_coins || sc_.sets_of_cost[at(first_troop)][at(coins)] == 0) return std::nullopt;
    Army set{};
    std::uint32_t rank = chance_.pick(sc_.sets_of_cost[at(first_troop)][at(coins)]);
    for (int kind = first_troop; kind < kind_count; ++kind) {
      // Those with one more of this kind come after those with no more.
      for (std::uint32_t without = sc_.sets_of_cost[at(kind + 1)][at(coins)]; rank >= without;
           without = sc_.sets_of_cost[at(kind + 1)][at(coins)]) {
        rank -= without;
        coins -= cost(kind);
        ++set[at(kind)];
      }
    }
    return set;
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
      if (left > places || missing > lifted || !sc_.payable(coins) || !goes_on()) return;
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
    if (seen > most_sets) cut_short_ = true;
    return count;
  }

  // Each missing troop was a piece lifted from one of the earlier origins.
  bool lift(int o, Army missing) {
    int kind = first_troop;
    while (kind < kind_count && missing[at(kind)] == 0) ++kind;
    if (kind == kind_count) return explain(o - 1);
    --missing[at(kind)];
    const int turn = static_cast<int>(chance_.pick(static_cast<std::uint32_t>(o)));
    for (int i = 0; i < o && goes_on(); ++i) {
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
      return hide();
    }
    const int unseen = paid_ - cost_of(sc_, wanted_[0]), gone = troop_count(wanted_[0]);
    if (!sc_.payable(unseen)) return false;
    int places = room_[0];
    for (int later = 1; later <= last_; ++later) places += lifted_[at(later)][0];
    const int most = std::min(most_set_up_ - gone, places), fewest = (unseen + dearest_troop(sc_) - 1) / dearest_troop(sc_);
    if (gone > most_set_up_ || fewest > most) return false;
    for (const bool dearest : {false, false, false, true}) {
      rest = {};
      int coins = unseen;
      while (coins > 0) {
        const int kind = affordable(coins, dearest);
        ++rest[at(kind)];
        coins -= cost(kind);
      }
      if (troop_count(rest) <= most && hide()) return true;
    }
    // Where the fewest troops find no room, no others do.
    if (troop_count(rest) > fewest) cut_short_ = true;
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

  // Troops that found no room were lifted into later origins. Which of them is all the same, so first it is worked out how many went from
  // where to where: each along a way that ends where there is room, or that leads another one elsewhere.
  using Went = std::array<std::array<std::uint8_t, origin_count>, origin_count>;
  bool find_room(int first, std::array<int, origin_count>& spare, Went& went) const {
    for (int o = first; o <= last_; ++o) spare[at(o)] = room_[at(o)] - troop_count(rest_[at(o)]);
    for (int o = first; o <= last_; ++o) {
      while (spare[at(o)] < 0) {
        std::uint32_t visited = 0;
        if (!leads_to_room(first, o, spare, went, visited)) return false;
        ++spare[at(o)];
      }
    }
    return true;
  }
  bool leads_to_room(int first, int from, std::array<int, origin_count>& spare, Went& went, std::uint32_t& visited) const {
    visited |= 1u << from;
    if (spare[at(from)] > 0) {
      --spare[at(from)];
      return true;
    }
    for (int to = first; to <= last_; ++to) {
      if ((visited >> to & 1u) != 0) continue;
      const bool later = to > from;
      if (later ? went[at(from)][at(to)] >= lifted_[at(to)][at(from)] : went[at(to)][at(from)] == 0) continue;
      if (!leads_to_room(first, to, spare, went, visited)) continue;
      if (later) {
        ++went[at(from)][at(to)];
      } else {
        --went[at(to)][at(from)];
      }
      return true;
    }
    return false;
  }
  void push(int from, int to, Lifted& lifted, std::array<Army, origin_count>& rest) {
    --lifted[at(to)][at(from)];
    const int kind = one_of(rest[at(from)]);
    --rest[at(from)][at(kind)];
    ++rest[at(to)][at(kind)];
  }
  // What is left of an origin and of all later ones; earlier ones can only need more.
  bool has_room_from(int first) const {
    std::array<int, origin_count> spare{};
    Went went{};
    return find_room(first, spare, went);
  }

  // Other troops may have been lifted too: a lifted piece is a troop as likely as one left behind.
  bool hide() {
    auto lifted = lifted_;
    auto rest = rest_;
    std::array<int, origin_count> spare{};
    Went went{};
    if (!find_room(0, spare, went)) return false;
    for (int o = 0; o < last_; ++o) {
      for (int later = o + 1; later <= last_; ++later) {
        for (int n = went[at(o)][at(later)]; n > 0; --n) push(o, later, lifted, rest);
      }
    }
    for (int o = 0; o < last_; ++o) {
      for (int later = o + 1; later <= last_; ++later) {
        for (int n = lifted[at(later)][at(o)]; n > 0 && spare[at(later)] > 0; --n) {
          const int troops = troop_count(rest[at(o)]);
          if (chance_.pick(static_cast<std::uint32_t>(std::max(room_[at(o)] + n, 1))) >= static_cast<std::uint32_t>(troops)) continue;
          push(o, later, lifted, rest);
          ++spare[at(o)];
          --spare[at(later)];
        }
      }
    }
    hidden_ = rest;
    return true;
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
  Patience& patience_;
  int last_;
  int paid_ = 0, most_set_up_ = -1;
  bool cut_short_ = false;
  std::array<int, origin_count> room_{};
  std::array<Army, origin_count> wanted_{};  // shown, or lifted and shown later
  std::array<Army, origin_count> rest_{};    // never shown
  Lifted lifted_{};                          // not known to be troops
  std::array<Army, origin_count> hidden_{};
};

// What a member's free army may have cost: at least what was seen of it, at most what finds room besides.
struct Sums {
  int least = 0, most = 0;
};
Sums sums_of(const Scenario& sc, const Table& t, int seat) {
  const Origins& origins = t.origins[at(seat)];
  if (!has_joint_purse(sc, origins, 0)) return {};
  const SeatPlan& plan = sc.seats[at(seat)];
  const int seen = cost_of(sc, origins[0].shown);
  const int room =
      std::min(plan.territory.size() / 2 - troop_count(origins[0].shown), pieces_from(t, seat, 0).size() + lifted_out_of(origins, 0));
  return {std::max(sc.cheapest, seen), std::min(plan.budget, seen + std::max(room, 0) * dearest_troop(sc))};
}

// Finds stories for all members of a side.
class SideStory {
 public:
  SideStory(const Scenario& sc, const Table& t, int side, const Supposed& supposed, Chance& chance)
      : sc_(sc), t_(t), members_(sc.sides[at(side)].seats), supposed_(supposed), chance_(chance) {}

  bool found() {
    const Origins& origins = t_.origins[at(members_.front())];
    return explain(0, has_joint_purse(sc_, origins, 0) ? origins[0].coins : 0);
  }
  bool cut_short() const { return cut_short_; }
  const HiddenArmies& hidden() const { return hidden_; }

 private:
  // What the free armies of a side cost is known together: each member takes a part that leaves enough and not too much for the next ones.
  // All parts are tried, beginning with any.
  bool explain(std::size_t member, int coins) {
    if (member == members_.size()) return coins == 0;
    const int seat = members_[member];
    Sums sums = sums_of(sc_, t_, seat);
    int least_later = 0, most_later = 0;
    for (std::size_t later = member + 1; later < members_.size(); ++later) {
      const Sums others = sums_of(sc_, t_, members_[later]);
      least_later += others.least;
      most_later += others.most;
    }
    sums = {std::max(sums.least, coins - most_later), std::min(sums.most, coins - least_later)};
    if (sums.least > sums.most) return false;
    const int count = sums.most - sums.least + 1;
    const int first = count == 1 ? 0 : static_cast<int>(chance_.pick(static_cast<std::uint32_t>(count)));
    for (int i = 0; i < count && (i == 0 || patience_.is_left()); ++i) {
      const int paid = sums.least + (first + i) % count;
      Story story(sc_, t_, seat, supposed_, chance_, patience_);
      const bool found = story.found(paid);
      cut_short_ = cut_short_ || (!found && story.cut_short());
      if (!found || !explain(member + 1, coins - paid)) continue;
      hidden_[at(seat)] = story.hidden();
      return true;
    }
    return false;
  }

  const Scenario& sc_;
  const Table& t_;
  const std::vector<int>& members_;
  Supposed supposed_;
  Chance& chance_;
  Patience patience_;
  HiddenArmies hidden_{};
  bool cut_short_ = false;
};

}  // namespace

bool draw_armies(const Scenario& sc, const Table& t, int side, Chance& chance, HiddenArmies& hidden) {
  for (int tries = 0; tries < 4; ++tries) {  // one is enough, unless there are more stories than are looked at
    SideStory story(sc, t, side, {}, chance);
    if (story.found()) {
      hidden = story.hidden();
      return true;
    }
    if (!story.cut_short()) break;
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

MayBe may_be(const Scenario& sc, const Table& t, int seat, int origin) {
  const auto has_story = [&](int kind) {
    FastChance chance(1);  // only the order in which stories are tried
    SideStory story(sc, t, sc.side_of[at(seat)], {seat, origin, kind}, chance);
    return story.found() || story.cut_short();
  };
  MayBe possible{has_story(0), false};
  for (int k = first_troop; k < kind_count && !possible.troop; ++k) possible.troop = has_story(k);
  return possible;
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
