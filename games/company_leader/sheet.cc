// What a client needs to draw the board and the troops of a scenario.
#include <nlohmann/json.hpp>

#include "games/company_leader/notation.h"

namespace baton::company_leader {
namespace {

Json field_names(const Scenario& sc, const FieldSet& fields) {
  Json names = Json::array();
  for (const int f : fields) names.push_back(sc.board.name[at(f)]);
  return names;
}

Json seat_names(const Scenario& sc, std::uint8_t seats) {
  Json names = Json::array();
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    if ((seats >> seat & 1) != 0) names.push_back(sc.seats[at(seat)].id);
  }
  return names;
}

const std::string& team_of(const Scenario& sc, int side) { return sc.seats[at(sc.sides[at(side)].seats.front())].team; }

Json fields_json(const Scenario& sc) {
  const Board& board = sc.board;
  Json fields = Json::object();
  for (int f = 0; f < board.fields; ++f) {
    const int owner = board.owner[at(f)];
    fields[board.name[at(f)]] = {{"q", board.hex[at(f)].q},
                                 {"r", board.hex[at(f)].r},
                                 {"terrain", spell(sc, kind::terrain, static_cast<int>(board.terrain[at(f)]))},
                                 {"territory", owner < 0 ? Json(nullptr) : Json(sc.seats[at(owner)].id)},
                                 {"purchase", board.purchase.has(f)},
                                 {"exit", board.exits.has(f)}};
  }
  return fields;
}

}  // namespace

Json sheet(const Scenario& sc) {
  Json json = Json::object();
  for (const SeatPlan& plan : sc.seats) json["seats"].push_back({{"id", plan.id}, {"team", plan.team}});
  json["orientation"] = sc.board.orientation == Orientation::flat ? "flat" : "pointy";
  json["fields"] = fields_json(sc);
  for (int k = first_troop; k < kind_count; ++k) {
    const TroopFigures& t = sc.figures(k);
    json["troops"][std::string(piece_words[at(k)])] = {{"infantry", t.infantry}, {"high_arc", t.high_arc}, {"range", t.range},
                                                       {"view", t.view},         {"speed", t.speed},       {"strength", t.strength},
                                                       {"cost", t.cost}};
  }
  for (int terrain = 0; terrain < terrain_count; ++terrain) {
    Json& faces = json["dice"][spell(sc, kind::terrain, terrain)] = Json::array();
    for (const Face face : sc.dice[at(terrain)]) faces.push_back(word_of(face));
  }
  for (const SeatPlan& plan : sc.seats) {
    Json& army = json["armies"][plan.id] = Json::object();
    for (int k = first_troop; k < kind_count; ++k) {
      if (plan.army[at(k)] > 0) army[std::string(piece_words[at(k)])] = plan.army[at(k)];
    }
  }
  json["sides"] = Json::array();
  for (int side = 0; side < sc.side_count(); ++side) {
    const Side& s = sc.sides[at(side)];
    json["sides"].push_back({{"team", team_of(sc, side)},
                             {"seats", seat_names(sc, s.members)},
                             {"purchase", field_names(sc, s.purchase)},
                             {"income", s.income},
                             {"coins", s.coins}});
  }
  json["objectives"] = Json::array();
  for (const Objective& o : sc.objectives) {
    json["objectives"].push_back({{"id", o.id},
                                  {"start", sc.board.name[at(o.start)]},
                                  {"carriers", seat_names(sc, o.carriers)},
                                  {"to", o.to_exits ? "exits" : "purchase"},
                                  {"captured_by", o.captured_by < 0 ? Json(nullptr) : Json(team_of(sc, o.captured_by))}});
  }
  return json;
}

}  // namespace baton::company_leader
