// Saved positions and views as JSON; position_read.cc reads them back.
#include <cmath>
#include <nlohmann/json.hpp>

#include "games/company_leader/notation.h"
#include "games/company_leader/odds.h"
#include "games/company_leader/position_parts.h"

namespace baton::company_leader {

std::array<Origins, most_seats> plain_origins(const Scenario& sc, const State& s) {
  std::array<Origins, most_seats> origins{};
  for (int seat = 0; seat < sc.seat_count() && s.step != Step::set_up; ++seat) {
    for (const int f : hidden_of(s, seat)) {
      if (s.shown[at(f)] != unknown_kind) continue;
      Origin& set_up = origins[at(seat)][0];
      set_up.in_use = true;
      if (s.kind[at(f)] != 0) ++set_up.certain[s.kind[at(f)]];
    }
  }
  return origins;
}

namespace {

Json field_or_null(const Scenario& sc, std::uint8_t field) { return field >= sc.board.fields ? Json(nullptr) : Json(sc.board.name[field]); }

Json field_list(const Scenario& sc, FieldSet fields) {
  Json list = Json::array();
  for (const int f : fields) list.push_back(sc.board.name[at(f)]);
  return list;
}

Json seat_list(const Scenario& sc, std::uint8_t seats) {
  Json list = Json::array();
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    if (has_seat(seats, seat)) list.push_back(sc.seats[at(seat)].id);
  }
  return list;
}

Json army_json(const Army& army) {
  Json json = Json::object();
  for (int k = first_troop; k < kind_count; ++k) {
    if (army[at(k)] != 0) json[std::string(piece_words[at(k)])] = army[at(k)];
  }
  return json;
}

Json origin_json(const Origin& o) {
  Json json = {{"certain", army_json(o.certain)}, {"shown", army_json(o.shown)}, {"coins", o.coins}, {"lifted", Json::object()}};
  for (int from = 0; from < origin_count; ++from) {
    if (o.lifted[at(from)] != 0) json["lifted"][std::to_string(from)] = o.lifted[at(from)];
  }
  return json;
}

Json purchase_json(const Scenario& sc, const Table& t, const Purchase& p) {
  Json json = {{"bought", army_json(p.bought)}, {"lifted", army_json(p.lifted)}, {"spent", p.spent}, {"placing", p.placing}};
  Json& put = json["put"] = Json::object();
  const FieldSet all = sc.sides[sc.side_of[t.active]].purchase;
  for (const int f : all) {
    const auto rank = at(rank_of(all, f));
    if (p.put[rank] == 0) continue;
    if (p.put[rank] == left_empty) {
      put[sc.board.name[at(f)]] = "empty";
      continue;
    }
    put[sc.board.name[at(f)]] = {{"piece", piece_words[at(p.put[rank] - 1)]}, {"facing", spell(sc, kind::facing, p.facing[rank])}};
  }
  return json;
}

// The pieces with the kinds that the reader may know.
Json pieces_json(const Scenario& sc, const Table& t, const std::array<std::uint8_t, max_fields>& kinds) {
  Json json = Json::object();
  for (int f = 0; f < sc.board.fields; ++f) {
    const int owner = owner_of(t, f);
    if (owner < 0) continue;
    const int kind = kinds[at(f)];
    Json piece = {{"owner", sc.seats[at(owner)].id}, {"piece", kind == unknown_kind ? Json("unknown") : Json(piece_words[at(kind)])}};
    if (t.revealed.has(f)) {
      piece["revealed"] = true;
      piece["facing"] = spell(sc, kind::facing, facing_of(t, f));
      piece["strength"] = strength_of(t, f);
    } else if (t.shown[at(f)] != unknown_kind) {
      piece["known"] = true;
    } else if (t.stand[at(f)] != 0) {
      piece["origin"] = t.stand[at(f)];
    }
    Json words = Json::array();
    for (const Mark& mark : marks) {
      if ((t.*mark.set).has(f)) words.push_back(mark.word);
    }
    if (!words.empty()) piece["marks"] = std::move(words);
    json[sc.board.name[at(f)]] = std::move(piece);
  }
  return json;
}

Json table_json(const Scenario& sc, const Table& t) {
  Json json = {{"round", t.round},
               {"step", step_words[static_cast<std::size_t>(t.step)]},
               {"after_facing", step_words[static_cast<std::size_t>(t.after_facing)]},
               {"active", sc.seats[t.active].id},
               {"chooser", sc.seats[t.chooser].id},
               {"first", sc.seats[t.first].id},
               {"ready", seat_list(sc, t.ready)},
               {"out", seat_list(sc, t.out)},
               {"quiet", t.quiet},
               {"stirred", t.stirred}};
  Json& coins = json["coins"] = Json::object();
  for (int side = 0; side < sc.side_count(); ++side) coins[team_of(sc, side)] = t.coins[at(side)];
  json["repair_coins"] = t.repair_coins;
  const Activation& a = t.acting;
  json["acting"] = {{"field", field_or_null(sc, a.field)}, {"slots", a.slots},
                    {"from", field_or_null(sc, a.from)},   {"direction", spell(sc, kind::facing, a.direction)},
                    {"target", field_or_null(sc, a.target)}, {"shot", a.shot}};
  json["scout"] = field_or_null(sc, t.scout);
  Json& objectives = json["objectives"] = Json::object();
  for (std::size_t i = 0; i < sc.objectives.size(); ++i) {
    objectives[sc.objectives[i].id] = {{"at", field_or_null(sc, t.objective_at[i])}, {"carried", has_seat(t.carried, static_cast<int>(i))}};
  }
  json["reason"] = reasons()[static_cast<std::size_t>(t.reason)];
  Json& score = json["score"] = Json::object();
  for (int seat = 0; seat < sc.seat_count(); ++seat) score[sc.seats[at(seat)].id] = t.score[at(seat)];
  return json;
}

Json origins_json(const Scenario& sc, const Table& t) {
  Json json = Json::object();
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    Json& own = json[sc.seats[at(seat)].id] = Json::object();
    for (int o = 0; o < origin_count; ++o) {
      if (t.origins[at(seat)][at(o)].in_use) own[std::to_string(o)] = origin_json(t.origins[at(seat)][at(o)]);
    }
  }
  return json;
}

}  // namespace

Json save(const Scenario& sc, const State& s) {
  Json json = table_json(sc, s);
  json["turn"] = s.turn;
  json["fields"] = pieces_json(sc, s, s.kind);
  if (s.step == Step::set_up) {
    for (int seat = 0; seat < sc.seat_count(); ++seat) {
      const std::string& id = sc.seats[at(seat)].id;
      json["hands"][id] = army_json(s.hand[at(seat)]);
      json["purses"][id] = s.purse[at(seat)];
      Json& shuffle = json["shuffle"][id] = Json::array();
      for (int part = 3; part >= 0; --part) shuffle.push_back(s.shuffle[at(seat)] >> (16 * part) & 0xffff);
    }
  }
  if (s.step == Step::purchase) json["purchase"] = purchase_json(sc, s, s.purchase);
  if (s.origins != plain_origins(sc, s)) json["origins"] = origins_json(sc, s);
  bool held_now = true;
  for (int side = 0; side < sc.side_count(); ++side) held_now = held_now && s.held[at(side)] == (s.step == Step::set_up ? FieldSet{} : urban_held(sc, s, side));
  if (!held_now) {
    for (int side = 0; side < sc.side_count(); ++side) json["held"][team_of(sc, side)] = field_list(sc, s.held[at(side)]);
  }
  return json;
}

Json view(const Scenario& sc, const Knowledge& k) {
  Json json = table_json(sc, k);
  json["viewer"] = k.viewer < sc.seat_count() ? Json(sc.seats[k.viewer].id) : Json(nullptr);
  json["fields"] = pieces_json(sc, k, k.kind);
  // R23, R27: what a revealed troop sees and where it can fire is for all to see.
  for (const int f : k.revealed) {
    Json& piece = json["fields"][sc.board.name[at(f)]];
    piece["sees"] = field_list(sc, sc.seen_from(k.kind[at(f)], f, facing_of(k, f)));
    piece["hits"] = field_list(sc, sc.hit_from(k.kind[at(f)], f, facing_of(k, f)));
  }
  std::string names;
  for (int f = 0; f < sc.board.fields; ++f) names += (f == 0 ? "" : " ") + sc.board.name[at(f)];
  json["board"] = {{"orientation", sc.board.orientation == Orientation::flat ? "flat" : "pointy"}, {"drawing", sc.board.drawing}, {"names", names}};
  for (int side = 0; side < sc.side_count(); ++side) {
    Json& own = json["sides"][team_of(sc, side)];
    own = {{"seats", seat_list(sc, sc.sides[at(side)].members)}, {"urban", urban_held(sc, k, side).size()}, {"income", income_of(sc, k, side)}};
  }
  if (k.viewer < sc.seat_count()) json["in_enemy_view"] = field_list(sc, observed(sc, k, k.viewer));
  if (k.step == Step::set_up && k.viewer < sc.seat_count()) {
    json["hand"] = army_json(k.hand);
    json["purse"] = k.purse;
  }
  if (k.step == Step::purchase && k.viewer < sc.seat_count() && !sc.hostile(k.viewer, k.active)) json["purchase"] = purchase_json(sc, k, k.purchase);
  Json& remembered = json["remembered"] = origins_json(sc, k);
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    if (knows_pieces_of(sc, k, k.viewer, seat)) continue;
    for (int o = 0; o < origin_count; ++o) {
      if (k.step == Step::set_up ? o != 0 : !k.origins[at(seat)][at(o)].in_use || pieces_from(k, seat, o).empty()) continue;
      const TroopChance chance = troop_chance_of_origin(sc, k, seat, o);
      Json& own = remembered[sc.seats[at(seat)].id][std::to_string(o)];
      own["troop_chance"] = std::round(chance.chance * 10000) / 10000;
      own["exact"] = chance.exact;
    }
  }
  return json;
}

}  // namespace baton::company_leader
