// Income and purchases, and what opponents remember of unrevealed pieces.
#include <algorithm>

#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

// --- Collect income ---------------------------------------------------------------------------------------------------

// R39: any own piece possesses the field it stands on.
FieldSet urban_held(const Scenario& sc, const Table& t, int side) { return pieces_of_side(sc, t, side) & urban_fields(sc); }

// R40
int income_of(const Scenario& sc, const Table& t, int side) {
  return std::max(0, sc.sides[at(side)].income + urban_held(sc, t, side).size() - sc.sides[at(side)].reference);
}

// R41: once a round for a team, in the turn of its last member.
void Rules::collect_income() {
  for (int later = s.turn + 1; later < sc.seat_count(); ++later) {
    if (sc.side_of[at((s.first + later) % sc.seat_count())] == side()) return;
  }
  const int coins = income_of(sc, s, side());
  s.coins[at(side())] = static_cast<std::uint16_t>(std::min(s.coins[at(side())] + coins, 9999));
  tell(Told::income, s.active, coins);
}

// --- Make purchases ---------------------------------------------------------------------------------------------------

int rank_of(FieldSet set, int field) { return (set & FieldSet::first(field)).size(); }

// R43–R45. Revealed troops, hostile pieces and team-mates' troops block a purchase field; so does an own concealed troop in view.
PurchaseFields purchase_fields(const Scenario& sc, const State& s) {
  const int seat = s.active, side = sc.side_of[at(seat)];
  const FieldSet all = sc.sides[at(side)].purchase, taken = occupied(s), own = hidden_of(s, seat);
  PurchaseFields fields;
  fields.observed = observed(sc, s, seat);
  fields.refreshed = ((all - taken) | (all & own)) - fields.observed;
  fields.in_view = ((all - taken) | ((all & own) - s.troops)) & fields.observed;
  fields.of_mate = all & (pieces_of_side(sc, s, side) - s.pieces[at(seat)] - s.revealed - s.troops);
  for (const int f : fields.usable()) {
    if (s.purchase.put[at(rank_of(all, f))] == 0) fields.free.insert(f);
  }
  return fields;
}

Refusal why_not_buy(const Scenario& sc, const State& s, const PurchaseFields& fields, int kind) {
  if (s.purchase.placing) return Refusal::not_now;
  if (s.purchase.spent + sc.figures(kind).cost > s.coins[sc.side_of[s.active]]) return Refusal::no_coins;
  const int room = fields.refreshed.size() - (fields.refreshed & s.troops).size() + fields.in_view.size() + fields.of_mate.size();
  return troop_count(s.purchase.bought) < room ? Refusal::none : Refusal::no_room;
}

void Rules::begin_placing() {
  s.purchase.placing = true;
  for (const int f : purchase_fields(sc, s).refreshed& s.troops) ++s.purchase.lifted[s.kind[at(f)]];
}

// `put` keeps kind + 1, so that a dummy put on a team-mate's field is something too.
Refusal why_not_put(const Scenario& sc, const State& s, const PurchaseFields& fields, int kind, int field, bool facing_given) {
  const Purchase& p = s.purchase;
  if (!p.placing) return Refusal::not_now;
  if (!fields.usable().has(field))
    return sc.sides[sc.side_of[s.active]].purchase.has(field) ? Refusal::field_blocked : Refusal::not_purchase_field;
  if (!fields.free.has(field)) return Refusal::field_occupied;
  if (fields.observed.has(field)) {  // R45
    if (!facing_given) return Refusal::must_enter_revealed;
    return kind == 0 ? Refusal::dummy_observed : p.bought[at(kind)] == 0 ? Refusal::none_left : Refusal::none;
  }
  if (facing_given) return Refusal::must_enter_concealed;
  if (kind == 0) {  // an own dummy for a team-mate's, so that not only troops change hands; the rest must still find room
    if (!fields.of_mate.has(field)) return Refusal::none_left;
    return fields.free.size() > troop_count(p.lifted) + troop_count(p.bought) ? Refusal::none : Refusal::no_room;
  }
  if (fields.refreshed.has(field) && p.lifted[at(kind)] > 0) return Refusal::none;
  if (p.bought[at(kind)] == 0) return Refusal::none_left;
  // What was lifted must find room again.
  const bool room = fields.of_mate.has(field) || (fields.refreshed & fields.free).size() > troop_count(p.lifted);
  return room ? Refusal::none : Refusal::no_room;
}

// R43: a troop that is placed directly fills no other field, so an empty one may stay so. What was lifted or bought must still find room.
Refusal why_not_leave(const Scenario& sc, const State& s, const PurchaseFields& fields, int field) {
  const Purchase& p = s.purchase;
  if (!p.placing) return Refusal::not_now;
  if (!sc.sides[sc.side_of[s.active]].purchase.has(field)) return Refusal::not_purchase_field;
  if (!(fields.refreshed - occupied(s)).has(field) || !fields.free.has(field)) return Refusal::field_occupied;
  const int lifted = troop_count(p.lifted), all = lifted + troop_count(p.bought);
  return (fields.refreshed & fields.free).size() > lifted && fields.free.size() > all ? Refusal::none : Refusal::no_room;
}

void Rules::put(int kind, int field, int facing) {
  Purchase& p = s.purchase;
  const PurchaseFields fields = purchase_fields(sc, s);
  const auto rank = at(rank_of(sc.sides[at(side())].purchase, field));
  p.put[rank] = static_cast<std::uint8_t>(kind + 1);
  p.facing[rank] = static_cast<std::uint8_t>(facing);
  if (kind != 0) {
    Army& from = fields.refreshed.has(field) && p.lifted[at(kind)] > 0 ? p.lifted : p.bought;
    --from[at(kind)];
  }
  if (troop_count(p.lifted) + troop_count(p.bought) == 0) finish_purchase();
}

// R44: everything unrevealed on the purchase fields gets a new common origin; others see coins and the refreshed fields, no more.
void Rules::finish_purchase() {
  const Purchase p = s.purchase;
  const PurchaseFields fields = purchase_fields(sc, s);
  const FieldSet all = sc.sides[at(side())].purchase;
  const int seat = s.active;
  s.purchase = {};
  s.coins[at(side())] = static_cast<std::uint16_t>(s.coins[at(side())] - p.spent);
  tell(Told::bought, seat, p.spent);

  // 1. What went in, as the others know it.
  Origin in;
  in.in_use = true;
  int hidden_spent = p.spent;
  for (const int f : all) {
    const int put_there = p.put[at(rank_of(all, f))];
    if (put_there != 0 && fields.observed.has(f)) hidden_spent -= sc.figures(put_there - 1).cost;
  }
  in.coins = static_cast<std::uint16_t>(hidden_spent);
  const int origin = new_origin(seat);
  const FieldSet own_lifted = fields.refreshed & s.pieces[at(seat)];
  for (const int f : own_lifted) {
    const int shown = s.shown[at(f)];
    if (shown == unknown_kind) {
      ++in.lifted[s.stand[at(f)]];
    } else if (shown != 0) {
      ++in.certain[at(shown)];
    }
  }
  s.origins[at(seat)][at(origin)] = in;
  // 2. The old pieces leave; 3. the new ones come.
  const auto clear = [&](int f) {
    for (FieldSet& pieces : s.pieces) pieces.erase(f);
    s.troops.erase(f);
    unmark(f);
    s.kind[at(f)] = s.shown[at(f)] = s.stand[at(f)] = 0;
  };
  for (const int f : fields.usable()) {
    const int put_there = p.put[at(rank_of(all, f))];
    if (put_there == left_empty || (put_there == 0 && !fields.refreshed.has(f))) continue;
    const int kind = put_there == 0 ? 0 : put_there - 1;
    const int owner = owner_of(s, f);
    const bool replaced = owner >= 0 && !fields.refreshed.has(f);
    if (replaced) tell(Told::dummy_removed, owner, f);
    clear(f);
    put_piece(f, seat, kind);
    if (fields.observed.has(f)) {
      s.revealed.insert(f);
      s.shown[at(f)] = static_cast<std::uint8_t>(kind);
      s.stand[at(f)] = static_cast<std::uint8_t>(sc.figures(kind).strength << 3 | p.facing[at(rank_of(all, f))]);
      s.stirred = true;
      tell(Told::entered, seat, f, kind);
      tell(Told::faced, f, p.facing[at(rank_of(all, f))]);
    } else {
      s.shown[at(f)] = unknown_kind;
      s.stand[at(f)] = static_cast<std::uint8_t>(origin);
    }
    if (replaced && owner != seat) settle(owner);
  }
  tell(Told::refreshed, seat);
  settle(seat);
  end_turn();
}

// --- What opponents remember ------------------------------------------------------------------------------------------

FieldSet pieces_from(const Table& t, int seat, int origin) {
  FieldSet found;
  for (const int f : hidden_of(t, seat)) {
    if (t.shown[at(f)] == unknown_kind && t.stand[at(f)] == origin) found.insert(f);
  }
  return found;
}

namespace {

bool has_pieces_from(const Table& t, int seat, int origin) {
  for (const int f : hidden_of(t, seat)) {
    if (t.shown[at(f)] == unknown_kind && t.stand[at(f)] == origin) return true;
  }
  return false;
}

}  // namespace

int lifted_out_of(const Origins& origins, int origin) {
  int sum = 0;
  for (const Origin& later : origins) sum += later.lifted[at(origin)];
  return sum;
}

int cost_of(const Scenario& sc, const Army& army) {
  int cost = 0;
  for (int k = first_troop; k < kind_count; ++k) cost += army[at(k)] * sc.figures(k).cost;
  return cost;
}

bool has_joint_purse(const Scenario& sc, const Origins& origins, int origin) {
  return origin == 0 && sc.options.free_armies && origins[0].in_use && origins[0].coins != 0;
}

// A piece is turned up.
void Rules::remember_shown(int field) {
  const int seat = owner_of(s, field), kind = s.kind[at(field)];
  const bool unknown = s.shown[at(field)] == unknown_kind;
  const int origin = s.stand[at(field)];
  s.shown[at(field)] = static_cast<std::uint8_t>(kind);
  s.stand[at(field)] = 0;
  if (!unknown) return;
  std::uint8_t& count = s.origins[at(seat)][at(origin)].shown[at(kind)];
  if (count < 255) ++count;
  // While it is being turned up it must not be taken for a piece of origin 0.
  s.revealed.insert(field);
  settle(seat);
}

// Draws the conclusions from what was shown, until there are no more.
void Rules::settle(int seat) {
  bool again = true;
  while (again) {
    again = false;
    for (int o = 0; o < origin_count && !again; ++o) again = s.origins[at(seat)][at(o)].in_use && settle_one(seat, o);
  }
}

// What went into an origin is what came out of it and what is left: certain + bought + lifted = shown + lifted later + hidden. So whatever
// stands on both sides can be taken off both. True when other origins are to be looked at again.
bool Rules::settle_one(int seat, int origin) {
  Origins& all = s.origins[at(seat)];
  Origin& o = all[at(origin)];
  // 1. A shown troop that may have been a certain one is taken for it: what is left hidden is the same either way.
  for (int k = first_troop; k < kind_count; ++k) {
    const int certain = std::min(o.certain[at(k)], o.shown[at(k)]);
    o.certain[at(k)] = static_cast<std::uint8_t>(o.certain[at(k)] - certain);
    o.shown[at(k)] = static_cast<std::uint8_t>(o.shown[at(k)] - certain);
  }
  const int lifted = o.lifted_in_all();
  if (has_joint_purse(sc, all, origin)) {
    // 2. All that the side has paid for at the set-up was seen.
    const auto& members = sc.sides[sc.side_of[at(seat)]].seats;
    int cost = 0;
    for (const int mate : members) cost += cost_of(sc, s.origins[at(mate)][0].shown);
    if (cost < o.coins) return false;
    for (const int mate : members) {
      s.origins[at(mate)][0].coins = 0;
      s.origins[at(mate)][0].shown = {};
      if (mate != seat) settle(mate);
    }
  } else if (lifted == 0) {
    // 3. With nothing lifted into it, the rest was bought.
    o.coins = static_cast<std::uint16_t>(std::max(0, o.coins - cost_of(sc, o.shown)));
    o.shown = {};
  }
  const bool closed = lifted_out_of(all, origin) == 0 && !has_pieces_from(s, seat, origin);
  // 4. Nothing but dummies is left, or nothing at all.
  const bool spent = lifted == 0 && o.coins == 0 && troop_count(o.certain) == 0;
  if (spent || (closed && troop_count(o.shown) == 0)) {
    forget(seat, origin);
    return true;
  }
  // 5. Were shown troops bought or lifted?
  return troop_count(o.shown) != 0 && lifted != 0 && explain_shown(seat, origin, closed);
}

// Where only one set of the shown troops can have been bought, the others were lifted; from where, is known if there is but one place.
bool Rules::explain_shown(int seat, int origin, bool closed) {
  Origins& all = s.origins[at(seat)];
  Origin& o = all[at(origin)];
  // What may have been lifted: anything from a place where something was bought or lifted before, else what is certain there.
  Army most{};
  bool anything = false;
  int source = -1, sources = 0;
  for (int from = 0; from < origin; ++from) {
    if (o.lifted[at(from)] == 0) continue;
    source = from;
    ++sources;
    const Origin& earlier = all[at(from)];
    anything = anything || earlier.coins != 0 || earlier.lifted_in_all() != 0;
    for (int k = first_troop; k < kind_count; ++k)
      most[at(k)] = static_cast<std::uint8_t>(std::min(most[at(k)] + earlier.certain[at(k)], 255));
  }
  const int lifted = o.lifted_in_all();
  Army bought{}, answer{};
  int ways = 0, looks = 0;
  constexpr int most_looks =
      10'000;  // a game needs a few dozen; beyond, nothing is settled, which is less than could be known but never wrong
  const auto try_kind = [&](const auto& next, int kind, int coins) -> void {
    if (ways > 1) return;
    if (++looks > most_looks) {
      ways = 2;
      return;
    }
    if (kind < kind_count) {
      for (int n = 0; n <= o.shown[at(kind)] && n * sc.figures(kind).cost <= coins; ++n) {
        if (!anything && o.shown[at(kind)] - n > most[at(kind)]) continue;
        bought[at(kind)] = static_cast<std::uint8_t>(n);
        next(next, kind + 1, coins - n * sc.figures(kind).cost);
      }
      bought[at(kind)] = 0;
      return;
    }
    if (troop_count(o.shown) - troop_count(bought) > lifted || !sc.payable(coins) || (closed && coins != 0)) return;
    ++ways;
    answer = bought;
  };
  try_kind(try_kind, first_troop, o.coins);
  const int rest = troop_count(o.shown) - troop_count(answer);
  if (ways != 1 || (rest != 0 && sources != 1)) return false;
  o.coins = static_cast<std::uint16_t>(o.coins - cost_of(sc, answer));
  for (int k = first_troop; k < kind_count; ++k) {
    const int came = o.shown[at(k)] - answer[at(k)];
    o.shown[at(k)] = 0;
    if (came == 0) continue;
    std::uint8_t& before = all[at(source)].shown[at(k)];
    before = static_cast<std::uint8_t>(std::min(before + came, 255));
  }
  if (rest != 0) o.lifted[at(source)] = static_cast<std::uint8_t>(o.lifted[at(source)] - rest);
  return true;
}

// There are no troops of that origin any more: its pieces are dummies, and so were those lifted out of it. Later origins move up.
void Rules::forget(int seat, int origin) {
  Origins& all = s.origins[at(seat)];
  for (const int f : pieces_from(s, seat, origin)) s.shown[at(f)] = s.stand[at(f)] = 0;
  all[at(origin)] = {};
  for (Origin& later : all) later.lifted[at(origin)] = 0;
  if (origin == 0) return;
  std::rotate(all.begin() + origin, all.begin() + origin + 1, all.end());
  for (Origin& later : all) std::rotate(later.lifted.begin() + origin, later.lifted.begin() + origin + 1, later.lifted.end());
  for (const int f : hidden_of(s, seat)) {
    if (s.shown[at(f)] == unknown_kind && s.stand[at(f)] > origin) --s.stand[at(f)];
  }
}

// The next number. When there is none, the two neighbours in age with the fewest pieces are told apart no longer: what went into them and
// came out is added up, which is less than was known, but not wrong.
int Rules::new_origin(int seat) {
  Origins& all = s.origins[at(seat)];
  for (int o = 1; o < origin_count; ++o) {
    if (!all[at(o)].in_use) return o;
  }
  const auto pieces = [&](int o) { return pieces_from(s, seat, o).size() + lifted_out_of(all, o); };
  int first = 1;
  for (int o = 2; o + 1 < origin_count; ++o) {
    if (pieces(o) + pieces(o + 1) < pieces(first) + pieces(first + 1)) first = o;
  }
  Origin& to = all[at(first)];
  const Origin from = all[at(first + 1)];
  const auto add = [](std::uint8_t& sum, int more) { sum = static_cast<std::uint8_t>(std::min(sum + more, 255)); };
  for (int k = first_troop; k < kind_count; ++k) {
    add(to.certain[at(k)], from.certain[at(k)]);
    add(to.shown[at(k)], from.shown[at(k)]);
  }
  to.coins = static_cast<std::uint16_t>(to.coins + from.coins);
  for (int o = 0; o < first; ++o) add(to.lifted[at(o)], from.lifted[at(o)]);
  for (Origin& later : all) add(later.lifted[at(first)], later.lifted[at(first + 1)]);
  to.lifted[at(first)] = 0;  // from one of them into the other
  for (const int f : pieces_from(s, seat, first + 1)) s.stand[at(f)] = static_cast<std::uint8_t>(first);
  forget(seat, first + 1);
  return origin_count - 1;
}

}  // namespace baton::company_leader
