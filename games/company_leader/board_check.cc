#include "games/company_leader/board_check.h"

#include <algorithm>

namespace baton::company_leader {
namespace {

// The fields that can be reached from one of the set without leaving it.
FieldSet connected(const Board& board, FieldSet set) {
  if (set.empty()) return set;
  FieldSet reached = FieldSet::of(set.front()), edge = reached;
  while (!edge.empty()) {
    FieldSet next;
    for (const int f : edge) next |= board.around[at(f)];
    edge = (next & set) - reached;
    reached |= edge;
  }
  return reached;
}

std::string counts(const std::array<int, terrain_count>& c) {
  return std::to_string(c[0]) + " open, " + std::to_string(c[1]) + " forest, " + std::to_string(c[2]) + " urban";
}

}  // namespace

std::vector<BoardFinding> check_board(const Scenario& sc) {
  std::vector<BoardFinding> found;
  const Board& board = sc.board;
  const auto refuse = [&](std::string field, std::string what) { found.push_back({true, std::move(field), std::move(what)}); };
  const auto warn = [&](std::string field, std::string what) { found.push_back({false, std::move(field), std::move(what)}); };
  const auto team = [&](int side) { return sc.seats[at(sc.sides[at(side)].seats.front())].team; };

  // "Make sure the game board is point symmetrical"
  std::vector<int> side_of_seat;
  for (const SeatPlan& seat : sc.seats) side_of_seat.push_back(seat.side);
  std::string why;
  if (!symmetry_of(board, side_of_seat, sc.side_count() == 3 ? 2 : 3, &why)) refuse("", "the board is not point symmetric: " + why + ".");

  // "around 10 to 20% of the total game board is fields with an urban area. Spread them evenly"
  const FieldSet urban = board.of_terrain[static_cast<std::size_t>(Terrain::urban)];
  if (urban.size() * 100 < least_urban_percent * board.fields || urban.size() * 100 > most_urban_percent * board.fields) {
    refuse("", std::to_string(urban.size()) + " of " + std::to_string(board.fields) + " fields are urban; it should be 10 to 20 per cent.");
  }
  for (const int f : urban) {
    for (const int g : board.after[at(f)] & urban)
      warn(board.name[at(f)], board.name[at(f)] + " and " + board.name[at(g)] + " are neighbouring urban fields; spread them evenly.");
  }
  for (int f = 0; f < board.fields; ++f) {
    int nearest = 99;
    for (const int g : urban) nearest = std::min(nearest, distance(board.hex[at(f)], board.hex[at(g)]));
    if (nearest > 3) warn(board.name[at(f)], board.name[at(f)] + " is more than three fields from any urban field.");
  }

  // "every player has the same amount of fields with forest and fields with an urban area"
  std::vector<std::array<int, terrain_count>> terrain(at(sc.side_count()), std::array<int, terrain_count>{});
  for (int f = 0; f < board.fields; ++f) {
    const int seat = board.owner[at(f)];
    if (seat >= 0) ++terrain[at(sc.side_of[at(seat)])][static_cast<std::size_t>(board.terrain[at(f)])];
  }
  for (int side = 1; side < sc.side_count(); ++side) {
    if (terrain[at(side)] != terrain[0])
      refuse("", team(0) + " has " + counts(terrain[0]) + " fields, " + team(side) + " has " + counts(terrain[at(side)]) +
                     "; they should be equal.");
  }
  for (int side = 0; side < sc.side_count(); ++side) {
    const Side& s = sc.sides[at(side)];
    if (s.purchase.size() < least_purchase_fields)
      refuse("", team(side) + " has " + std::to_string(s.purchase.size()) + " purchase fields; every territory needs three.");
    for (const int f : s.purchase) {
      if (board.terrain[at(f)] != Terrain::open) warn(board.name[at(f)], "the purchase field " + board.name[at(f)] + " is not open.");
    }
    FieldSet territory;
    int troops = 0;
    for (const int seat : s.seats) {
      territory |= sc.seats[at(seat)].territory;
      troops += sc.seats[at(seat)].troops;
    }
    if (const FieldSet apart = territory - connected(board, territory); !apart.empty()) {
      warn(board.name[at(apart.front())], "the territory of " + team(side) + " falls apart at " + board.name[at(apart.front())] + ".");
    }
    // "a ratio of troops to dummies between 1:2 and 1:4"
    const int dummies = territory.size() - troops;
    if (dummies < least_dummies_for_a_troop * troops || dummies > most_dummies_for_a_troop * troops) {
      warn("", team(side) + " has " + std::to_string(troops) + " troops and " + std::to_string(dummies) +
                   " dummies; there should be two to four dummies for a troop.");
    }
    // "a ratio of income and total amount of game board fields between 1:30 and 1:60"
    if (s.income == 0 || board.fields < least_fields_for_a_coin * s.income || board.fields > most_fields_for_a_coin * s.income) {
      warn("", team(side) + " has an income of " + std::to_string(s.income) + " on " + std::to_string(board.fields) +
                   " fields; there should be one coin for 30 to 60 fields.");
    }
  }
  if (const FieldSet apart = board.all - connected(board, board.all); !apart.empty()) {
    refuse(board.name[at(apart.front())], board.name[at(apart.front())] + " cannot be reached from the other fields.");
  }
  return found;
}

}  // namespace baton::company_leader
