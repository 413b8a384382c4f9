#include "games/company_leader/board_make.h"

#include <algorithm>

#include "games/company_leader/board_check.h"
#include "games/company_leader/notation.h"

namespace baton::company_leader {
namespace {

struct Plan {
  Orientation orientation;
  int sixths;  // turn of the symmetry
  std::vector<std::string> seats, teams;
};

Plan plan_for(int players) {
  if (players == 2) return {Orientation::flat, 3, {"red", "blue"}, {"red", "blue"}};
  if (players == 3) return {Orientation::flat, 2, {"red", "blue", "green"}, {"red", "blue", "green"}};
  return {Orientation::pointy, 3, {"red", "blue", "orange", "cyan"}, {"warm", "cold", "warm", "cold"}};
}

// Whose territory a hex is: cut from corner to corner for two, in three rhombi for three, along the middle line for teams.
int owner_at(Hex h, int players) {
  if (players == 2) return 2 * h.r + h.q >= 2 ? 0 : 2 * h.r + h.q <= -2 ? 1 : -1;
  if (players == 3) {
    const int q = h.q, r = h.r, s = -q - r;
    if (r > 0 && s < 0) return 0;
    if (q < 0 && s > 0) return 1;
    if (q > 0 && r < 0) return 2;
    return -1;
  }
  if (h.r == 0) return -1;
  const bool left = 2 * h.q + h.r < 0 || (2 * h.q + h.r == 0 && h.r < 0);
  return h.r > 0 ? (left ? 0 : 2) : (left ? 3 : 1);
}

// How far a hex lies behind the front; the purchase fields are the furthest.
int depth_at(Hex h, int players, int owner) {
  if (players == 2) return owner == 0 ? 2 * h.r + h.q : -(2 * h.r + h.q);
  if (players == 3) return owner == 0 ? 2 * h.r + h.q : owner == 1 ? -(2 * h.q + h.r) : h.q - h.r;
  return 3 * std::abs(h.r) - std::abs(2 * h.q + h.r) / 2;
}

// From the centre to the edge of the largest hexagon that is not larger.
int edge_within(int size) {
  int edge = 0;
  while (3 * (edge + 1) * (edge + 2) + 1 <= size) ++edge;
  return edge;
}

}  // namespace

int fields_within(int size) {
  const int edge = edge_within(size);
  return 3 * edge * (edge + 1) + 1;
}

Expected<std::string> make_board(int size, int players, std::uint64_t seed) {
  if (players < 2 || players > 4) return problem("players", "boards are made for 2, 3 or 4 players.");
  const int least = players == 3 ? 61 : 37;
  if (size < least || size > max_fields)
    return problem("size", "a board for " + std::to_string(players) + " players has from " + std::to_string(least) + " to " +
                               std::to_string(max_fields) + " fields.");
  const int edge = edge_within(size);
  const Plan plan = plan_for(players);

  Board blank;
  blank.orientation = plan.orientation;
  std::vector<Hex> hexes;
  for (int r = -edge; r <= edge; ++r) {
    for (int q = -edge; q <= edge; ++q) {
      if (std::abs(q + r) <= edge) hexes.push_back({q, r});
    }
  }
  std::sort(hexes.begin(), hexes.end(), [&](Hex a, Hex b) {
    const bool flat = plan.orientation == Orientation::flat;
    return flat ? std::pair(2 * a.r + a.q, a.q) < std::pair(2 * b.r + b.q, b.q) : std::pair(a.r, a.q) < std::pair(b.r, b.q);
  });
  for (const Hex h : hexes) {
    blank.hex[at(blank.fields)] = h;
    blank.owner[at(blank.fields)] = static_cast<std::int8_t>(owner_at(h, players));
    ++blank.fields;
  }
  // Purchase fields: the three deepest of each side.
  const int sides = players == 3 ? 3 : 2;
  for (int side = 0; side < sides; ++side) {
    std::vector<std::pair<int, int>> deep;
    for (int f = 0; f < blank.fields; ++f) {
      const int owner = blank.owner[at(f)];
      if (owner >= 0 && owner % sides == side)
        deep.emplace_back(-depth_at(blank.hex[at(f)], players, owner), side == 0 ? f : blank.fields - f);
    }
    std::sort(deep.begin(), deep.end());
    for (std::size_t i = 0; i < least_purchase_fields; ++i)
      blank.purchase.insert(side == 0 ? deep[i].second : blank.fields - deep[i].second);
  }
  // The other sides' purchase fields are images of the first's.
  for (const int f : blank.purchase) {
    if (blank.owner[at(f)] % sides != 0) blank.purchase.erase(f);
  }
  const FieldSet first = blank.purchase;
  for (const int f : first) {
    for (Hex h = rotated(blank.hex[at(f)], plan.sixths); h != blank.hex[at(f)]; h = rotated(h, plan.sixths))
      blank.purchase.insert(blank.find(h));
  }
  derive(blank);

  int income = std::max(1, (blank.fields + 22) / 45);
  if (blank.fields > most_fields_for_a_coin * income) ++income;

  FastChance chance(seed, 0x626f617264u);
  for (int tries = 0; tries < 2000; ++tries) {
    Board board = blank;
    FieldSet urban, forest;
    const auto orbit = [&](int f) {
      FieldSet all = FieldSet::of(f);
      for (Hex h = rotated(board.hex[at(f)], plan.sixths); h != board.hex[at(f)]; h = rotated(h, plan.sixths)) all.insert(board.find(h));
      return all;
    };
    FieldSet free = board.all - board.purchase;
    const int wanted_urban = (board.fields * 15 + 50) / 100, wanted_forest = board.fields * 28 / 100;
    while (urban.size() < wanted_urban && !free.empty()) {
      const FieldSet all = orbit(pick_member(free, chance));
      FieldSet near = all;
      for (const int f : all) near |= board.around[at(f)];
      FieldSet touching;
      for (const int f : all) touching |= board.around[at(f)];
      free -= near;
      if (!touching.meets(all)) urban |= all;
    }
    free = board.all - board.purchase - urban;
    while (forest.size() < wanted_forest && !free.empty()) {
      const FieldSet all = orbit(pick_member(free, chance));
      free -= all;
      forest |= all;
    }
    for (const int f : urban) board.terrain[at(f)] = Terrain::urban;
    for (const int f : forest) board.terrain[at(f)] = Terrain::forest;
    derive(board);

    std::string text = "# A board made for " + std::to_string(players) + " players from the number " + std::to_string(seed) +
                       ".\nformat = \"company-leader/1\"\n\n[board]\norientation = \"" +
                       (plan.orientation == Orientation::flat ? "flat" : "pointy") + "\"\ndrawing = '''\n" + board.drawing + "'''\n";
    for (std::size_t seat = 0; seat < plan.seats.size(); ++seat) {
      int fields = 0;
      for (int f = 0; f < board.fields; ++f) fields += board.owner[at(f)] == static_cast<int>(seat);
      // One troop for three dummies, of all kinds in turn.
      static constexpr std::array<int, 9> mix = {1, 5, 4, 2, 3, 6, 1, 4, 3};
      Army army{};
      for (int n = 0; n < std::max(2, fields / 4); ++n) ++army[at(mix[at(n % 9)])];
      text += "\n[[seat]]\nid = \"" + plan.seats[seat] + "\"\n";
      if (plan.teams[seat] != plan.seats[seat]) text += "team = \"" + plan.teams[seat] + "\"\n";
      std::string troops;
      for (int k = first_troop; k < kind_count; ++k) {
        if (army[at(k)] > 0) troops += (troops.empty() ? "" : ", ") + std::string(piece_words[at(k)]) + " = " + std::to_string(army[at(k)]);
      }
      text += "army = { " + troops + " }\nincome = " + std::to_string(income) + "\n";
    }
    const auto made = load({"board.toml", text}, {});
    if (made && check_board(*made).empty()) return text;
  }
  return problem("", "no board that meets all guidelines was found; try another size or seed.");
}

}  // namespace baton::company_leader
