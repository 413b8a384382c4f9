// Setting up the game: the start, placing troops in secret, the beginning of the battle.
#include <algorithm>

#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

// R3, R4: dummies on every own field, troops in hand, a random first player.
State start(const Scenario& sc, Chance& chance, Events& log) {
  State s;
  s.objective_at.fill(no_field);
  for (std::size_t i = 0; i < sc.objectives.size(); ++i) s.objective_at[i] = static_cast<std::uint8_t>(sc.objectives[i].start);
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    const SeatPlan& plan = sc.seats[at(seat)];
    s.pieces[at(seat)] = plan.territory;
    for (const int f : plan.territory) s.shown[at(f)] = unknown_kind;
    if (sc.options.free_armies) {
      s.purse[at(seat)] = static_cast<std::uint16_t>(plan.budget);
    } else {
      s.hand[at(seat)] = plan.army;
    }
    // Luck for "place for me", drawn now: choices made at the same time must not share dice.
    for (int part = 0; part < 4; ++part) s.shuffle[at(seat)] = s.shuffle[at(seat)] << 16 | chance.pick(1u << 16);
  }
  s.first = s.active = s.chooser = static_cast<std::uint8_t>(chance.pick(static_cast<std::uint32_t>(sc.seat_count())));
  log.tell(Seats::everyone(), Told::set_up_begins);
  return s;
}

// --- Placing troops · R4, R55 -----------------------------------------------------------------------------------------

namespace {

int placed(const Scenario& sc, const State& s, int seat) { return (sc.seats[at(seat)].territory & s.troops & s.pieces[at(seat)]).size(); }
int most_troops(const Scenario& sc, int seat) { return sc.seats[at(seat)].territory.size() / 2; }

Refusal why_not_take(const Scenario& sc, const State& s, int seat, int kind) {
  if (kind < first_troop || kind >= kind_count) return Refusal::no_such_action;
  if (!sc.options.free_armies) return s.hand[at(seat)][at(kind)] == 0 ? Refusal::none_left : Refusal::none;
  if (sc.figures(kind).cost > s.purse[at(seat)]) return Refusal::no_coins;
  return placed(sc, s, seat) >= most_troops(sc, seat) ? Refusal::too_many_troops : Refusal::none;
}

Refusal why_not_place(const Scenario& sc, const State& s, int seat, int field) {
  if (field >= sc.board.fields) return Refusal::no_such_field;
  if (!sc.seats[at(seat)].territory.has(field)) return Refusal::not_your_territory;
  return s.troops.has(field) ? Refusal::troop_there : Refusal::none;
}

bool may_take_any(const Scenario& sc, const State& s, int seat) {
  for (int k = first_troop; k < kind_count; ++k) {
    if (why_not_take(sc, s, seat, k) == Refusal::none) return true;
  }
  return false;
}

}  // namespace

Refusal why_not_set_up(const Scenario& sc, const State& s, int seat, Verb verb, Action a) {
  switch (verb) {
    case Verb::place: {
      const Refusal take = why_not_take(sc, s, seat, a.a);
      return take != Refusal::none ? take : why_not_place(sc, s, seat, a.b);
    }
    case Verb::place_for_me: return may_take_any(sc, s, seat) ? Refusal::none : Refusal::none_left;
    case Verb::place_again: return placed(sc, s, seat) == 0 ? Refusal::nothing_placed : Refusal::none;
    default:
      if (sc.options.free_armies) return placed(sc, s, seat) == 0 ? Refusal::nothing_placed : Refusal::none;
      return troop_count(s.hand[at(seat)]) == 0 ? Refusal::none : Refusal::not_all_placed;
  }
}

void list_set_up(const Scenario& sc, const State& s, int seat, ActionList& list) {
  const FieldSet free = sc.seats[at(seat)].territory - s.troops;
  for (int k = first_troop; k < kind_count; ++k) {
    if (why_not_take(sc, s, seat, k) != Refusal::none) continue;
    for (const int f : free) push(list, Verb::place, k, f);
  }
  for (const Verb verb : {Verb::place_for_me, Verb::place_again, Verb::ready}) {
    if (why_not_set_up(sc, s, seat, verb, {}) == Refusal::none) push(list, verb);
  }
}

bool must_be_guarded(const Scenario& sc, int seat, int field) {
  return std::any_of(sc.objectives.begin(), sc.objectives.end(),
                     [&](const Objective& o) { return o.start == field && o.captured_by >= 0 && o.captured_by != sc.side_of[at(seat)]; });
}

namespace {

// SplitMix64: luck for one seat's placement.
std::uint64_t next_luck(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

bool is_strongest(const Scenario& sc, int seat, int kind) {
  for (int k = first_troop; k < kind_count; ++k) {
    const bool has = sc.options.free_armies || sc.seats[at(seat)].army[at(k)] > 0;
    if (has && sc.figures(k).strength > sc.figures(kind).strength) return false;
  }
  return true;
}

// How well a kind of troop stands on a field: cover, and its distance from the fields of others. One of the strongest is put where the
// enemy must not get.
int fitness(const Scenario& sc, int seat, int kind, int field) {
  constexpr int guard = 100;
  int front = 99;
  for (int f = 0; f < sc.board.fields; ++f) {
    const int owner = sc.board.owner[at(f)];
    if (owner < 0 || sc.hostile(seat, owner)) front = std::min(front, distance(sc.board.hex[at(f)], sc.board.hex[at(field)]));
  }
  const Terrain terrain = sc.board.terrain[at(field)];
  const int cover = terrain == Terrain::urban ? 3 : terrain == Terrain::forest ? 2 : 0;
  const TroopFigures& t = sc.figures(kind);
  const int wanted = t.high_arc ? 3 : t.view > 1 ? 2 : t.speed > 1 ? 3 : 2;
  return 2 * cover - 3 * std::abs(front - wanted) - (sc.board.purchase.has(field) ? 4 : 0) +
         (must_be_guarded(sc, seat, field) && is_strongest(sc, seat, kind) ? guard : 0);
}

}  // namespace

// A sensible placement of all that is left, different each time.
void Rules::place_for(int seat) {
  std::uint64_t& luck = s.shuffle[at(seat)];
  while (may_take_any(sc, s, seat)) {
    int kind = first_troop + static_cast<int>(next_luck(luck) % (kind_count - 1));
    while (why_not_take(sc, s, seat, kind) != Refusal::none) kind = kind + 1 < kind_count ? kind + 1 : first_troop;
    int best = -1, best_score = 0;
    for (const int f : sc.seats[at(seat)].territory - s.troops) {
      // Fine luck, so that no two fields are equal: the first in the drawing must not be preferred.
      const int score = 1000 * fitness(sc, seat, kind, f) + static_cast<int>(next_luck(luck) % 8000);
      if (best < 0 || score > best_score) {
        best = f;
        best_score = score;
      }
    }
    put_piece(best, seat, kind);
    if (sc.options.free_armies) {
      s.purse[at(seat)] = static_cast<std::uint16_t>(s.purse[at(seat)] - sc.figures(kind).cost);
    } else {
      --s.hand[at(seat)][at(kind)];
    }
  }
}

void Rules::take_back(int seat) {
  for (const int f : s.pieces[at(seat)] & s.troops) {
    s.troops.erase(f);
    s.kind[at(f)] = 0;
  }
  if (sc.options.free_armies) {
    s.purse[at(seat)] = static_cast<std::uint16_t>(sc.seats[at(seat)].budget);
  } else {
    s.hand[at(seat)] = sc.seats[at(seat)].army;
  }
}

// R42, R55: coins are public from now on; so is what the free armies of a side cost together.
void Rules::begin_battle() {
  for (int side = 0; side < sc.side_count(); ++side) s.coins[at(side)] = static_cast<std::uint16_t>(sc.sides[at(side)].coins);
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    Origin& set_up = s.origins[at(seat)][0];
    set_up = {};
    set_up.in_use = true;
    if (sc.options.free_armies) {
      std::uint16_t& coins = s.coins[sc.side_of[at(seat)]];
      coins = static_cast<std::uint16_t>(coins + s.purse[at(seat)]);
      for (const int mate : sc.sides[sc.side_of[at(seat)]].seats) {
        set_up.coins = static_cast<std::uint16_t>(set_up.coins + sc.seats[at(mate)].budget - s.purse[at(mate)]);
      }
    } else {
      set_up.certain = sc.seats[at(seat)].army;
    }
  }
  s.hand = {};
  s.purse = {};
  s.shuffle = {};
  for (int side = 0; side < sc.side_count(); ++side) s.held[at(side)] = urban_held(sc, s, side);
  for (int seat = 0; seat < sc.seat_count(); ++seat) settle(seat);
  tell(Told::battle_begins, s.first);
  begin_turn();
}

}  // namespace baton::company_leader
