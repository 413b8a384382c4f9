// Company Leader: hexes, dummies and concealed troops, 2–4 players, alone or in teams.
//
// A scenario is everything that does not change during a match: the board, the seats with their territories and armies,
// the figures of the troops, the faces of the dice, the ways to win and the chosen options. It is read from a TOML file
// with a drawing of the hexes (scenarios/standard.toml is the rulebook's game for two) and checked. The tables below the
// lists are derived, so that the rules work on whole sets of fields at once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/field_set.h"
#include "core/game.h"
#include "core/hex.h"
#include "games/company_leader/judgement_weights.h"

namespace baton::company_leader {

inline constexpr int most_seats = 4;
inline constexpr int most_purchase_fields = 8;  // of one side
inline constexpr int most_objectives = 2;
inline constexpr int most_strength = 6;  // of a troop: there are six dice of each colour
inline constexpr int most_hits = 2 * most_strength;
inline constexpr int most_letters = 26;  // columns (flat) or rows (pointy) of a board

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

enum class Terrain : std::uint8_t { open, forest, urban };
inline constexpr int terrain_count = 3;

// What a playing piece is. Dummies and the six troops of the rulebook.
enum class Piece : std::uint8_t { dummy, infantry, infantry_scout, artillery, tank_light, tank_heavy, tank_scout };
inline constexpr int kind_count = 7;
inline constexpr int first_troop = 1;
inline constexpr int unknown_kind = 7;  // what a viewer writes for a piece that he cannot name

using Army = std::array<std::uint8_t, kind_count>;  // troops by kind; [0] is not used

// Troops, "range of fire, view distance, speed, strength/cost"
struct TroopFigures {
  bool infantry = false;  // else vehicle (R59)
  bool high_arc = false;  // artillery: never blocked, no return fire
  int range = 1, view = 1, speed = 1, strength = 1, cost = 1;
};

// One side of a die against each type of target, in half hits; whether the half is a ½ sign matters for rounding.
enum class Face : std::uint8_t { blank, infantry, infantry_two, infantry_half, vehicle, vehicle_two, vehicle_half };

// The chance of exactly so many hits.
using HitChances = std::array<double, most_hits + 1>;

inline constexpr std::uint8_t no_way = 100;  // steps between fields that none join, or more than anybody asks for

enum class Orientation : std::uint8_t { flat, pointy };

struct Board {
  Orientation orientation = Orientation::flat;
  int fields = 0;
  std::array<Hex, max_fields> hex{};
  std::array<Terrain, max_fields> terrain{};
  std::array<std::int8_t, max_fields> owner{};  // seat whose territory it is, or -1: neutral
  FieldSet all, purchase, exits;
  std::array<FieldSet, terrain_count> of_terrain{};

  // Derived.
  std::array<std::array<std::int16_t, facing_count>, max_fields> next{};  // neighbour, or -1
  std::array<FieldSet, max_fields> around{};                              // its neighbours
  std::array<FieldSet, max_fields> after{};                               // its neighbours with a higher number
  std::array<FieldBytes, max_fields> steps{};                             // from field to field, or no_way
  std::array<std::string, max_fields> name;                               // "f9"
  std::string drawing;

  int find(Hex hex_wanted) const {
    for (int f = 0; f < fields; ++f) {
      if (hex[at(f)] == hex_wanted) return f;
    }
    return -1;
  }
};

struct SeatPlan {
  std::string id;                            // "red"
  std::string team;                          // the same for team-mates; the seat's own id when it plays alone
  std::map<std::string, std::string> names;  // by locale; only for seats that the catalogue does not know
  Army army{};
  int budget = 0;  // free armies (R55)

  // Derived.
  int side = 0;
  FieldSet territory;
  int troops = 0;
};

// Seats that win and lose together; a seat that plays alone is a side of its own.
struct Side {
  int income = 0, reference = 0, coins = 0;

  // Derived.
  std::vector<int> seats;    // in the order of their turns
  std::uint8_t members = 0;  // bits of seats
  FieldSet purchase;         // of its territory
  int urban = 0;             // urban fields of its territory
};

// "an important document or person": lies on a field until a revealed troop that may carry it enters.
struct Objective {
  std::string id;
  std::map<std::string, std::string> names;
  int start = 0;
  std::uint8_t carriers = 0;  // bits of seats
  bool to_exits = false;      // brought to the fields marked "!", else to the carrier's own purchase fields
  int captured_by = -1;       // the side that wins at once when it gets hold of it
};

struct Victory {
  bool all_urban = true;  // a side wins with all urban fields and loses without any (R48)
  bool troops = true;     // a side without troops loses
  int time_side = -1;     // the side that wins when the turns are over, -1: the tie-breaks decide (R53)
};

struct Options {
  int turn_limit = 0;             // rounds, 0: none (R53); the scenario's own where nothing is chosen
  int urban_lead = 0;             // fields above the start, 0: off (R54)
  bool urban_lead_alone = false;  // an individual winner in a team game
  int stalemate_guard = 0;        // rounds, 0: off (R60)
  bool free_armies = false;       // R55
  bool neutral_zone = true;
};

struct Scenario {
  std::string id;
  Board board;
  std::vector<SeatPlan> seats;
  std::vector<Side> sides;
  std::vector<Objective> objectives;
  Victory victory;
  Options options;
  OptionValues option_values;  // all of them
  std::array<TroopFigures, kind_count> troops{};
  std::array<std::array<Face, 6>, terrain_count> dice{};

  // Derived: what is seen and hit from a field, by view distance or range, field and facing (rulings, section 3).
  std::array<std::array<std::array<FieldSet, facing_count>, max_fields>, 2> view{};
  std::array<std::array<std::array<FieldSet, facing_count>, max_fields>, 3> fire{};  // range 1, range 2, artillery's high arc
  std::array<std::array<FieldSet, max_fields>, 2> view_around{};                     // with any facing
  std::array<std::array<FieldSet, max_fields>, 3> fire_around{};                     // likewise
  std::array<FieldSet, max_fields> fire_at{};  // the way back: fields from which some troop can hit it
  std::array<std::uint8_t, most_seats> side_of{};
  std::array<std::uint8_t, most_seats> urban_at_start{};  // by side; for the urban lead
  std::array<std::uint8_t, most_seats> urban_of_seat{};
  int cheapest = 0;
  std::array<bool, 512> sum_of_costs{};  // whether some troops cost exactly that much
  // How many sets of troops of this kind and those behind it cost exactly that much.
  static constexpr int most_counted_coins = 127;
  std::array<std::array<std::uint32_t, most_counted_coins + 1>, kind_count + 1> sets_of_cost{};
  std::array<std::array<std::array<HitChances, most_strength + 1>, 2>, terrain_count> hit_chances{};  // by terrain, infantry, dice
  std::array<std::array<std::array<float, most_strength + 1>, 2>, terrain_count> expected_hits{};     // likewise
  std::string board_shown;                                                                            // as all views have it, in JSON

  // Of the judgement of positions; no rule asks for them.
  Weights weights;

  int seat_count() const { return static_cast<int>(seats.size()); }
  int side_count() const { return static_cast<int>(sides.size()); }
  const TroopFigures& figures(int kind) const { return troops[at(kind)]; }
  // From some sum on they repeat with the cheapest troop; no cost is above 20, so that is below 400.
  bool payable(int coins) const {
    constexpr int most = 512;
    if (coins < 0) return false;
    return sum_of_costs[at(coins < most ? coins : most - cheapest + (coins - most) % cheapest)];
  }
  bool hostile(int seat, int other) const { return side_of[at(seat)] != side_of[at(other)]; }
  const FieldSet& seen_from(int kind, int field, int facing) const { return view[at(troops[at(kind)].view - 1)][at(field)][at(facing)]; }
  const FieldSet& seen_around(int kind, int field) const { return view_around[at(troops[at(kind)].view - 1)][at(field)]; }
  std::size_t reach(int kind) const { return troops[at(kind)].high_arc ? 2 : at(troops[at(kind)].range - 1); }  // index into `fire`
  const FieldSet& hit_from(int kind, int field, int facing) const { return fire[reach(kind)][at(field)][at(facing)]; }
};

std::string_view word_of(Face face);  // as a scenario file has it

const std::vector<Option>& options();
Expected<Scenario> load(const ScenarioFile& file, const OptionValues& chosen);

// The drawing of a board, and back. A token is terrain (. f U), territory (- or the seat's number) and marks (* purchase field, ! exit).
Expected<Board> read_drawing(const std::string& where, const std::string& drawing, Orientation orientation, int seat_count);
std::string drawing_of(const Board& board);

// Neighbours, names and sets of a board whose hexes, terrain and owners are given.
void derive(Board& board);

// From every field to the nearest of these.
FieldBytes steps_to(const Board& board, FieldSet goals);

// Field of view and field of fire, as the rulebook's last figures and rulings 25–29 have them.
FieldSet view_from(const Board& board, int field, int facing, int distance);
FieldSet fire_from(const Board& board, int field, int facing, int range, bool high_arc);

// The turns by 60° that map a board onto itself, terrain and territories (with the sides exchanged) alike; 0 when there are none but the
// full turn.
struct Symmetry {
  int sixths = 0;                         // 3: point symmetric, 2: three-fold
  std::array<int, most_seats> becomes{};  // which side's territory a side's becomes
  std::vector<int> image;                 // by field
};
std::optional<Symmetry> symmetry_of(const Board& board, const std::vector<int>& side_of_seat, int sixths, std::string* why_not = nullptr);

}  // namespace baton::company_leader
