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
  return fields;
}

namespace {

// Fields where nothing has been put yet.
FieldSet still_free(const Scenario& sc, const State& s, FieldSet fields) {
  const FieldSet all = sc.sides[sc.side_of[s.active]].purchase;
  FieldSet free;
  for (const int f : fields) {
    if (s.purchase.put[at(rank_of(all, f))] == 0) free.insert(f);
  }
  return free;
}

}  // namespace

Refusal why_not_buy(const Scenario& sc, const State& s, const PurchaseFields& fields, int kind) {
  if (s.purchase.placing) return Refusal::not_now;
  if (s.purchase.spent + sc.figures(kind).cost > s.coins[sc.side_of[s.active]]) return Refusal::no_coins;
  const int room = fields.refreshed.size() - (fields.refreshed & s.troops).size() + fields.in_view.size() + fields.of_mate.size();
  return troop_count(s.purchase.bought) < room ? Refusal::none : Refusal::no_room;
}

void Rules::begin_placing() {
  s.purchase.placing = true;
  for (const int f : purchase_fields(sc, s).refreshed & s.troops) ++s.purchase.lifted[s.kind[at(f)]];
}

// `put` keeps kind + 1, so that a dummy put on a team-mate's field is something too.
Refusal why_not_put(const Scenario& sc, const State& s, const PurchaseFields& fields, int kind, int field, bool facing_given) {
  const Purchase& p = s.purchase;
  if (!p.placing) return Refusal::not_now;
  const FieldSet usable = fields.refreshed | fields.in_view | fields.of_mate;
  if (!usable.has(field)) return sc.sides[sc.side_of[s.active]].purchase.has(field) ? Refusal::field_blocked : Refusal::not_purchase_field;
  if (!still_free(sc, s, usable).has(field)) return Refusal::field_occupied;
  if (fields.observed.has(field)) {  // R45
    if (!facing_given) return Refusal::must_enter_revealed;
    return kind == 0 ? Refusal::dummy_observed : p.bought[at(kind)] == 0 ? Refusal::none_left : Refusal::none;
  }
  if (facing_given) return Refusal::must_enter_concealed;
  if (kind == 0) {  // an own dummy for a team-mate's, so that not only troops change hands; the rest must still find room
    if (!fields.of_mate.has(field)) return Refusal::none_left;
    return still_free(sc, s, usable).size() > troop_count(p.lifted) + troop_count(p.bought) ? Refusal::none : Refusal::no_room;
  }
  if (fields.refreshed.has(field) && p.lifted[at(kind)] > 0) return Refusal::none;
  if (p.bought[at(kind)] == 0) return Refusal::none_left;
  // What was lifted must find room again.
  const bool room = fields.of_mate.has(field) || still_free(sc, s, fields.refreshed).size() > troop_count(p.lifted);
  return room ? Refusal::none : Refusal::no_room;
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
  if (hidden_spent > 0) in.amounts[0] = static_cast<std::uint16_t>(hidden_spent);
  const int origin = new_origin(seat);
  s.origins[at(seat)][at(origin)] = in;
  const FieldSet own_lifted = fields.refreshed & s.pieces[at(seat)];
  for (const int f : own_lifted) {
    Origin& made = s.origins[at(seat)][at(origin)];
    const int shown = s.shown[at(f)];
    if (shown != unknown_kind) {
      if (shown != 0) ++made.certain[at(shown)];
    } else if (s.stand[at(f)] == 0) {
      ++made.lifted;
    } else if (s.stand[at(f)] != origin) {
      fold(seat, s.stand[at(f)], origin);
    }
  }
  // 2. The old pieces leave; 3. the new ones come.
  const auto clear = [&](int f) {
    for (FieldSet& pieces : s.pieces) pieces.erase(f);
    s.troops.erase(f);
    for (FieldSet* marks : {&s.swapped, &s.used, &s.displaced, &s.attacked}) marks->erase(f);
    s.kind[at(f)] = s.shown[at(f)] = s.stand[at(f)] = 0;
  };
  for (const int f : fields.refreshed | fields.in_view | fields.of_mate) {
    const int put_there = p.put[at(rank_of(all, f))];
    if (put_there == 0 && !fields.refreshed.has(f)) continue;
    const int kind = put_there == 0 ? 0 : put_there - 1;
    const int owner = owner_of(s, f);
    const bool replaced = owner >= 0 && !fields.refreshed.has(f);
    const int old_origin = replaced && s.shown[at(f)] == unknown_kind ? s.stand[at(f)] : -1;
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
    if (old_origin >= 0) settle(owner, old_origin);
  }
  tell(Told::refreshed, seat);
  for (int o = 0; o < origin_count; ++o) settle(seat, o);
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
  settle(seat, origin);
}

// Draws the conclusions from what was shown, so that what is remembered stays small. A shown troop that may have been a certain one is
// taken for it: what is left hidden is the same either way. Coins that can no longer be told apart are added up.
void Rules::settle(int seat, int origin) {
  auto& all = s.origins[at(seat)];
  Origin& o = all[at(origin)];
  if (!o.in_use) return;
  // 1. Where set-up troops may be mixed in, only a little is kept apart.
  if (origin != 0 && o.lifted != 0 && troop_count(o.shown) > 2) {
    fold(seat, origin, 0);
    settle(seat, 0);
    return;
  }
  if (origin == 0 && o.amounts[0] != 0 && troop_count(o.shown) != 0) {
    for (int other = 1; other < origin_count; ++other) {
      if (all[at(other)].in_use && all[at(other)].lifted != 0) fold(seat, other, 0);
    }
  }
  // 2. Otherwise everything shown came out of what is certain, or out of the coins.
  if (origin == 0 || o.lifted == 0) {
    int cost = 0, coins = 0;
    for (int k = first_troop; k < kind_count; ++k) {
      const int certain = std::min(o.certain[at(k)], o.shown[at(k)]);
      o.certain[at(k)] = static_cast<std::uint8_t>(o.certain[at(k)] - certain);
      cost += (o.shown[at(k)] - certain) * sc.figures(k).cost;
      o.shown[at(k)] = 0;
    }
    if (cost > 0) {
      for (const std::uint16_t amount : o.amounts) coins += amount;
      o.amounts = {};
      o.amounts[0] = static_cast<std::uint16_t>(std::max(0, coins - cost));
    }
    // 3. Nothing but dummies is left.
    if (o.amounts[0] == 0 && troop_count(o.certain) == 0) {
      for (const int f : pieces_from(s, seat, origin)) s.shown[at(f)] = s.stand[at(f)] = 0;
      o = {};
      for (int other = 1; origin == 0 && other < origin_count; ++other) {
        if (!all[at(other)].in_use || all[at(other)].lifted == 0) continue;
        all[at(other)].lifted = 0;
        settle(seat, other);
      }
      return;
    }
  }
  // 4. No piece bears its number any more.
  if (origin != 0 && pieces_from(s, seat, origin).empty()) {
    fold(seat, origin, 0);
    settle(seat, 0);
  }
}

// Two origins become one; what was known apart is known together.
void Rules::fold(int seat, int origin, int into) {
  auto& all = s.origins[at(seat)];
  const Origin from = all[at(origin)];
  Origin& to = all[at(into)];
  all[at(origin)] = {};
  to.in_use = true;
  const auto add = [](std::uint8_t& sum, int more) { sum = static_cast<std::uint8_t>(std::min(sum + more, 255)); };
  for (int k = first_troop; k < kind_count; ++k) {
    add(to.certain[at(k)], from.certain[at(k)]);
    add(to.shown[at(k)], from.shown[at(k)]);
  }
  for (const std::uint16_t amount : from.amounts) {
    if (amount == 0) continue;
    auto slot = std::find(to.amounts.begin(), to.amounts.end(), 0);
    if (slot == to.amounts.end()) slot = std::min_element(to.amounts.begin(), to.amounts.end());
    *slot = static_cast<std::uint16_t>(*slot + amount);
  }
  if (into != 0) add(to.lifted, from.lifted);
  for (const int f : pieces_from(s, seat, origin)) s.stand[at(f)] = static_cast<std::uint8_t>(into);
}

// An unused number; when there is none the one with the fewest pieces is told no longer from the set-up.
int Rules::new_origin(int seat) {
  auto& all = s.origins[at(seat)];
  int fewest = 1;
  for (int o = 1; o < origin_count; ++o) {
    if (!all[at(o)].in_use) return o;
    if (pieces_from(s, seat, o).size() < pieces_from(s, seat, fewest).size()) fewest = o;
  }
  fold(seat, fewest, 0);
  return fewest;
}

}  // namespace baton::company_leader
