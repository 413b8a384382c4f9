#include "games/company_leader/scenario.h"

#include <algorithm>
#include <set>

#include "core/toml_reader.h"
#include "games/company_leader/notation.h"
#include "games/company_leader/odds.h"

namespace baton::company_leader {
namespace {

using Words = std::vector<std::string_view>;

const Words face_words = {"-", "I1", "I2", "IH", "V1", "V2", "VH"};

constexpr std::array<TroopFigures, kind_count> rulebook_troops = {{
    {},
    {.infantry = true, .range = 1, .view = 1, .speed = 1, .strength = 6, .cost = 6},
    {.infantry = true, .range = 1, .view = 2, .speed = 1, .strength = 4, .cost = 4},
    {.high_arc = true, .range = 3, .view = 1, .speed = 1, .strength = 3, .cost = 3},
    {.range = 1, .view = 1, .speed = 2, .strength = 4, .cost = 4},
    {.range = 2, .view = 1, .speed = 1, .strength = 6, .cost = 6},
    {.range = 1, .view = 2, .speed = 2, .strength = 2, .cost = 2},
}};

// The pictures of the dice are lost; these faces are our own (rulings, section 4).
constexpr std::array<std::array<Face, 6>, terrain_count> standard_dice = {{
    {Face::infantry_two, Face::infantry_two, Face::vehicle, Face::vehicle, Face::vehicle, Face::vehicle_half},
    {Face::infantry, Face::infantry, Face::infantry_half, Face::vehicle, Face::vehicle, Face::vehicle},
    {Face::infantry, Face::infantry_half, Face::vehicle, Face::vehicle, Face::blank, Face::blank},
}};
constexpr std::array<std::string_view, terrain_count> die_words = {"yellow", "green", "red"};

// Ids become words of actions and records, so they are plain: "red", "convoy-1".
void check_id(TomlTable& table, std::string_view key, const std::string& id) {
  const bool plain =
      !id.empty() && id.size() <= 40 &&
      std::all_of(id.begin(), id.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }) &&
      id.front() >= 'a' && id.front() <= 'z' && id.back() != '-' && id != "spectator";
  if (!plain) table.wrong(key, "an id is made of small letters, digits and hyphens and starts with a letter; \"" + id + "\" is not.");
}

std::map<std::string, std::string> locale_texts(TomlTable& table, std::string_view key) {
  std::map<std::string, std::string> texts;
  if (!table.has(key)) return texts;
  TomlTable inner = table.table(key);
  for (const std::string& locale : inner.keys()) {
    if (locale != "en" && locale != "de" && locale != "ja") inner.wrong(locale, "expected the languages en, de, ja here.");
    texts[locale] = inner.text(locale);
  }
  return texts;
}

Army read_army(TomlTable& table, std::string_view key) {
  Army army{};
  TomlTable inner = table.table(key);
  for (int k = first_troop; k < kind_count; ++k) army[at(k)] = static_cast<std::uint8_t>(inner.integer_or(piece_words[at(k)], 0, 60, 0));
  inner.no_more_keys();
  return army;
}

void read_troops(TomlTable table, Scenario& sc) {
  for (int k = first_troop; k < kind_count; ++k) {
    if (!table.has(piece_words[at(k)])) continue;
    TomlTable inner = table.table(piece_words[at(k)]);
    TroopFigures& t = sc.troops[at(k)];
    t.range = inner.integer_or("range", 1, 3, t.range);
    t.view = inner.integer_or("view", 1, 2, t.view);
    t.speed = inner.integer_or("speed", 1, 2, t.speed);
    t.strength = inner.integer_or("strength", 1, most_strength, t.strength);
    t.cost = inner.integer_or("cost", 2, 20, t.strength < 2 ? 2 : t.strength);
    if (t.range == 3 && !t.high_arc) inner.wrong("range", "only the high arc of artillery reaches three fields.");
    inner.no_more_keys();
  }
  table.no_more_keys();
}

void read_dice(TomlTable table, Scenario& sc) {
  for (int terrain = 0; terrain < terrain_count; ++terrain) {
    const auto faces = table.texts_or_none(die_words[at(terrain)]);
    if (faces.empty()) continue;
    if (faces.size() != 6) table.wrong(die_words[at(terrain)], "a die has exactly six faces.");
    for (std::size_t i = 0; i < faces.size() && i < 6; ++i) {
      const auto face = std::find(face_words.begin(), face_words.end(), faces[i]);
      if (face == face_words.end()) {
        table.wrong(die_words[at(terrain)], "\"" + faces[i] + "\" is no face; expected I1, I2, IH, V1, V2, VH or -.");
      } else {
        sc.dice[at(terrain)][i] = static_cast<Face>(face - face_words.begin());
      }
    }
  }
  table.no_more_keys();
}

// "it can be left out": neutral fields go to the nearest territory; where several are equally near the board's symmetry shares them out.
void leave_out_neutral_zone(Board& board, const std::vector<int>& side_of_seat, int seat_count) {
  const auto before = board.owner;
  const auto distance_to = [&](int field, int seat) {
    int least = 1 << 20;
    for (int f = 0; f < board.fields; ++f) {
      if (before[at(f)] == seat) least = std::min(least, distance(board.hex[at(field)], board.hex[at(f)]));
    }
    return least;
  };
  const auto nearest = [&](int field, int side) {  // seat of that side, or of any with -1; -2 when two sides are equally near
    int best = -1, least = 1 << 20;
    bool tied = false;
    for (int seat = 0; seat < seat_count; ++seat) {
      if (side >= 0 && side_of_seat[at(seat)] != side) continue;
      const int far = distance_to(field, seat);
      if (far < least) {
        least = far;
        best = seat;
        tied = false;
      } else if (far == least && best >= 0 && side_of_seat[at(seat)] != side_of_seat[at(best)]) {
        tied = true;
      }
    }
    return tied ? -2 : best;
  };
  auto symmetry = symmetry_of(board, side_of_seat, 3);
  if (!symmetry) symmetry = symmetry_of(board, side_of_seat, 2);
  FieldSet shared;
  for (int f = 0; f < board.fields; ++f) {
    if (before[at(f)] >= 0) continue;
    const int seat = nearest(f, -1);
    if (seat >= 0) {
      board.owner[at(f)] = static_cast<std::int8_t>(seat);
    } else {
      shared.insert(f);
    }
  }
  if (!symmetry) return;
  for (const int f : shared) {
    if (board.owner[at(f)] >= 0 || symmetry->image[at(f)] == f) continue;
    int side = 0;
    for (int seat = 1; seat < seat_count; ++seat) {
      if (distance_to(f, nearest(f, side_of_seat[at(seat)])) < distance_to(f, nearest(f, side))) side = side_of_seat[at(seat)];
    }
    for (int image = f; board.owner[at(image)] < 0; image = symmetry->image[at(image)], side = symmetry->becomes[at(side)]) {
      board.owner[at(image)] = static_cast<std::int8_t>(nearest(image, side));
    }
  }
}

std::string shown_board(const Board& board) {
  std::string names;
  for (int f = 0; f < board.fields; ++f) names += (f == 0 ? "" : " ") + board.name[at(f)];
  JsonText out;
  out.object([&] {
    out.add("orientation", board.orientation == Orientation::flat ? "flat" : "pointy");
    out.add("drawing", board.drawing);
    out.add("names", names);
  });
  return out.take();
}

void derive_tables(Scenario& sc) {
  Board& board = sc.board;
  for (int f = 0; f < board.fields; ++f) {
    for (int d = 0; d < facing_count; ++d) {
      for (std::size_t far = 0; far < sc.view.size(); ++far) {
        sc.view[far][at(f)][at(d)] = view_from(board, f, d, static_cast<int>(far) + 1);
        sc.view_around[far][at(f)] |= sc.view[far][at(f)][at(d)];
      }
      const int high = sc.figures(static_cast<int>(Piece::artillery)).range;
      const std::array reached = {fire_from(board, f, d, 1, false), fire_from(board, f, d, 2, false), fire_from(board, f, d, high, true)};
      for (std::size_t reach = 0; reach < reached.size(); ++reach) {
        sc.fire[reach][at(f)][at(d)] = reached[reach];
        sc.fire_around[reach][at(f)] |= reached[reach];
        for (const int target : reached[reach]) sc.fire_at[at(target)].insert(f);
      }
    }
  }
  const FieldSet urban = board.of_terrain[static_cast<std::size_t>(Terrain::urban)];
  for (SeatPlan& seat : sc.seats) seat.territory = {};
  for (Side& side : sc.sides) side.purchase = {};
  for (int f = 0; f < board.fields; ++f) {
    const int seat = board.owner[at(f)];
    if (seat < 0) continue;
    sc.seats[at(seat)].territory.insert(f);
    if (board.purchase.has(f)) sc.sides[at(sc.seats[at(seat)].side)].purchase.insert(f);
  }
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    SeatPlan& plan = sc.seats[at(seat)];
    sc.side_of[at(seat)] = static_cast<std::uint8_t>(plan.side);
    plan.troops = 0;
    for (int k = first_troop; k < kind_count; ++k) plan.troops += plan.army[at(k)];
    sc.urban_of_seat[at(seat)] = static_cast<std::uint8_t>((plan.territory & urban).size());
    Side& side = sc.sides[at(plan.side)];
    side.urban += sc.urban_of_seat[at(seat)];
    sc.urban_at_start[at(plan.side)] = static_cast<std::uint8_t>(side.urban);
  }
  for (int terrain = 0; terrain < terrain_count; ++terrain) {
    for (const bool infantry : {false, true}) {
      for (int dice = 0; dice <= most_strength; ++dice) {
        const HitOdds odds{chances_of_throw(sc, static_cast<Terrain>(terrain), infantry, dice)};
        sc.hit_chances[at(terrain)][infantry ? 1 : 0][at(dice)] = odds.chance;
        sc.expected_hits[at(terrain)][infantry ? 1 : 0][at(dice)] = static_cast<float>(odds.expected());
      }
    }
  }
  sc.cheapest = 1000;
  for (int k = first_troop; k < kind_count; ++k) sc.cheapest = std::min(sc.cheapest, sc.troops[at(k)].cost);
  sc.sum_of_costs = {};
  sc.sum_of_costs[0] = true;
  for (std::size_t sum = 0; sum < sc.sum_of_costs.size(); ++sum) {
    for (int k = first_troop; k < kind_count && !sc.sum_of_costs[sum]; ++k) {
      const auto cost = at(sc.troops[at(k)].cost);
      sc.sum_of_costs[sum] = cost <= sum && sc.sum_of_costs[sum - cost];
    }
  }
  sc.sets_of_cost = {};
  sc.sets_of_cost[kind_count][0] = 1;
  for (int k = kind_count - 1; k >= first_troop; --k) {
    const auto cost = at(sc.troops[at(k)].cost);
    for (std::size_t sum = 0; sum <= at(Scenario::most_counted_coins); ++sum) {
      sc.sets_of_cost[at(k)][sum] = sc.sets_of_cost[at(k + 1)][sum] + (cost <= sum ? sc.sets_of_cost[at(k)][sum - cost] : 0);
    }
  }
}

int number_of(const OptionValues& values, const char* key) { return std::stoi(values.at(key)); }

void read_objectives(TomlTable& root, Scenario& sc, const std::vector<std::string_view>& seat_words,
                     const std::vector<std::string_view>& team_words) {
  root.each("objective", [&](TomlTable table) {
    if (static_cast<int>(sc.objectives.size()) >= most_objectives) {
      table.wrong("", "there are at most " + std::to_string(most_objectives) + " objectives.");
      return;
    }
    Objective o;
    o.id = table.text("id");
    check_id(table, "id", o.id);
    for (const Objective& other : sc.objectives) {
      if (other.id == o.id) table.wrong("id", "another objective is called \"" + o.id + "\".");
    }
    o.names = locale_texts(table, "name");
    const std::string field = table.text("at");
    const auto start = read(sc, kind::field, field);
    if (!start) table.wrong("at", "there is no field \"" + field + "\" on this board.");
    o.start = start.value_or(0);
    for (const std::string& word : table.texts("carriers")) {
      const auto seat = std::find(seat_words.begin(), seat_words.end(), word);
      if (seat == seat_words.end()) {
        table.wrong("carriers", "there is no seat \"" + word + "\".");
      } else {
        o.carriers |= static_cast<std::uint8_t>(1u << (seat - seat_words.begin()));
      }
    }
    if (o.carriers == 0) table.wrong("carriers", "somebody must be able to carry it.");
    o.to_exits = table.one_of("goal", {"home", "exits"}) == "exits";
    if (o.to_exits && sc.board.exits.empty()) table.wrong("goal", "the drawing marks no exit (!).");
    if (table.has("captured_by")) {
      const std::string team = table.one_of("captured_by", team_words);
      o.captured_by = static_cast<int>(std::find(team_words.begin(), team_words.end(), team) - team_words.begin());
    }
    table.no_more_keys();
    sc.objectives.push_back(std::move(o));
  });
}

// What would break the game; the guidelines for good boards are in board_check.h.
void check_playable(const Scenario& sc, TomlTable& root) {
  const FieldSet urban = sc.board.of_terrain[static_cast<std::size_t>(Terrain::urban)];
  for (const SeatPlan& seat : sc.seats) {
    if (seat.territory.empty()) root.wrong("board", "the seat \"" + seat.id + "\" has no territory in the drawing.");
    if (seat.troops > seat.territory.size()) {
      root.wrong("seat", "the seat \"" + seat.id + "\" has " + std::to_string(seat.troops) + " troops but only " +
                             std::to_string(seat.territory.size()) + " fields to place them on.");
    }
  }
  if (sc.side_count() < 2) root.wrong("seat", "there must be at least two sides.");
  for (const Side& side : sc.sides) {
    const std::string& name = sc.seats[at(side.seats.front())].team;
    int troops = 0;
    for (const int seat : side.seats) troops += sc.seats[at(seat)].troops;
    if (troops == 0 && !sc.options.free_armies) root.wrong("seat", "the side \"" + name + "\" has no troops.");
    if (sc.victory.all_urban && side.urban == 0)
      root.wrong("board", "the side \"" + name +
                              "\" has no urban field and would lose at once; set all_urban = false under [victory], or draw one.");
    if (side.purchase.size() > most_purchase_fields)
      root.wrong("board", "the side \"" + name + "\" has more than " + std::to_string(most_purchase_fields) + " purchase fields.");
  }
  if (urban.empty() && sc.victory.all_urban) root.wrong("board", "the board has no urban field.");
  if (!sc.victory.all_urban && !sc.victory.troops && sc.objectives.empty()) root.wrong("victory", "there would be no way to win.");
}

}  // namespace

std::string_view word_of(Face face) { return face_words[static_cast<std::size_t>(face)]; }

const std::vector<Option>& options() {
  static const std::vector<Option> all = {
      {"turn_limit", Option::Type::number, "0", {}, 0, 200},
      {"urban_lead", Option::Type::choice, "scenario", {"scenario", "off", "standard", "1", "2", "3", "4", "5", "6", "8", "10"}},
      {"urban_lead_for", Option::Type::choice, "side", {"side", "seat"}},
      {"stalemate_guard", Option::Type::number, "0", {}, 0, 100},
      {"army", Option::Type::choice, "fixed", {"fixed", "free"}},
      {"income", Option::Type::choice, "scenario", {"scenario", "0", "1", "2", "3", "4", "5", "6"}},
      {"neutral_zone", Option::Type::flag, "true", {}},
  };
  return all;
}

Expected<Scenario> load(const ScenarioFile& file, const OptionValues& chosen) {
  TomlFile toml(file.name, file.text);
  if (toml.problem()) return tl::make_unexpected(*toml.problem());
  TomlTable root = toml.root();
  root.one_of("format", {"company-leader/1"});

  auto complete = complete_options(options(), chosen);
  if (!complete) return tl::make_unexpected(complete.error());

  Scenario sc;
  sc.id = file.name;
  sc.option_values = *complete;
  sc.troops = rulebook_troops;
  sc.dice = standard_dice;
  Options& o = sc.options;
  o.turn_limit = number_of(*complete, "turn_limit");
  o.urban_lead_alone = complete->at("urban_lead_for") == "seat";
  o.stalemate_guard = number_of(*complete, "stalemate_guard");
  o.free_armies = complete->at("army") == "free";
  o.neutral_zone = complete->at("neutral_zone") == "true";
  if (root.has("troops")) read_troops(root.table("troops"), sc);
  if (root.has("dice")) read_dice(root.table("dice"), sc);

  // Seats, in the order of their turns (R3), and the sides they form.
  std::vector<std::string> teams;
  std::vector<std::optional<int>> incomes, references, coins, coins_in_contact;
  root.each("seat", [&](TomlTable table) {
    if (sc.seat_count() >= most_seats) {
      table.wrong("", "there are at most " + std::to_string(most_seats) + " seats.");
      return;
    }
    SeatPlan seat;
    seat.id = table.text("id");
    check_id(table, "id", seat.id);
    for (const SeatPlan& other : sc.seats) {
      if (other.id == seat.id) table.wrong("id", "another seat is called \"" + seat.id + "\".");
    }
    seat.team = table.text_or("team", seat.id);
    check_id(table, "team", seat.team);
    seat.names = locale_texts(table, "name");
    seat.army = read_army(table, "army");
    int value = 0;
    for (int k = first_troop; k < kind_count; ++k) value += seat.army[at(k)] * sc.troops[at(k)].cost;
    seat.budget = table.integer_or("budget", sc.troops[at(first_troop)].cost, 250, std::clamp(value, 2, 250));
    const auto team = std::find(teams.begin(), teams.end(), seat.team);
    seat.side = static_cast<int>(team - teams.begin());
    if (team == teams.end()) {
      teams.push_back(seat.team);
      sc.sides.emplace_back();
      incomes.emplace_back();
      references.emplace_back();
      coins.emplace_back();
      coins_in_contact.emplace_back();
    }
    const auto side = at(seat.side);
    sc.sides[side].seats.push_back(sc.seat_count());
    sc.sides[side].members |= static_cast<std::uint8_t>(1u << sc.seat_count());
    const auto figure = [&](std::string_view key, int most, std::optional<int>& into) {
      if (!table.has(key)) return;
      const int given = table.integer(key, 0, most);
      if (into && *into != given) table.wrong(key, "team-mates share one treasury; the seats before say " + std::to_string(*into) + ".");
      into = given;
    };
    figure("income", 20, incomes[side]);
    figure("reference", max_fields, references[side]);
    figure("coins", 200, coins[side]);
    figure("coins_without_neutral_zone", 200, coins_in_contact[side]);
    table.no_more_keys();
    sc.seats.push_back(std::move(seat));
  });
  if (sc.seat_count() < 2) root.wrong("seat", "there must be two to four [[seat]] tables; found " + std::to_string(sc.seat_count()) + ".");
  if (toml.problem()) return tl::make_unexpected(*toml.problem());

  {
    TomlTable table = root.table("board");
    const auto orientation = table.one_of("orientation", {"flat", "pointy"}) == "flat" ? Orientation::flat : Orientation::pointy;
    const std::string drawing = table.text("drawing");
    table.no_more_keys();
    if (toml.problem()) return tl::make_unexpected(*toml.problem());
    auto board = read_drawing(table.where("drawing"), drawing, orientation, sc.seat_count());
    if (!board) return tl::make_unexpected(board.error());
    sc.board = std::move(*board);
  }
  std::vector<int> side_of_seat;
  for (const SeatPlan& seat : sc.seats) side_of_seat.push_back(seat.side);
  const auto reference_before = [&](int side) {
    int count = 0;
    for (int f = 0; f < sc.board.fields; ++f) {
      const int seat = sc.board.owner[at(f)];
      if (seat >= 0 && side_of_seat[at(seat)] == side && sc.board.terrain[at(f)] == Terrain::urban) ++count;
    }
    return count;
  };
  for (int side = 0; side < sc.side_count(); ++side) {
    // R56: the defaults of a custom board.
    sc.sides[at(side)].income = incomes[at(side)].value_or(std::max(1, (sc.board.fields + 22) / 45));
    sc.sides[at(side)].coins = coins[at(side)].value_or(0);
    if (!o.neutral_zone && coins_in_contact[at(side)]) sc.sides[at(side)].coins = *coins_in_contact[at(side)];
    if (complete->at("income") != "scenario") sc.sides[at(side)].income = number_of(*complete, "income");
  }
  if (!o.neutral_zone) {
    leave_out_neutral_zone(sc.board, side_of_seat, sc.seat_count());
    sc.board.drawing = drawing_of(sc.board);
  }
  for (int side = 0; side < sc.side_count(); ++side)
    sc.sides[at(side)].reference = o.neutral_zone ? references[at(side)].value_or(reference_before(side)) : reference_before(side);

  std::vector<std::string_view> seat_words, team_words(teams.begin(), teams.end());
  for (const SeatPlan& seat : sc.seats) seat_words.push_back(seat.id);
  int scenario_lead = 0;
  if (root.has("victory")) {
    TomlTable table = root.table("victory");
    sc.victory.all_urban = table.flag_or("all_urban", true);
    sc.victory.troops = table.flag_or("troops", true);
    scenario_lead = table.integer_or("urban_lead", 0, max_fields, 0);
    const int turns = table.integer_or("turns", 1, 200, 1);
    if (o.turn_limit == 0 && table.has("turns")) o.turn_limit = turns;
    if (table.has("time")) {
      const std::string team = table.one_of("time", team_words);
      sc.victory.time_side = static_cast<int>(std::find(teams.begin(), teams.end(), team) - teams.begin());
      if (sc.options.turn_limit == 0) table.wrong("time", "needs the number of turns: turns = 12, for example.");
    }
    table.no_more_keys();
  }
  read_objectives(root, sc, seat_words, team_words);
  if (toml.problem()) return tl::make_unexpected(*toml.problem());
  derive_tables(sc);
  sc.board_shown = shown_board(sc.board);
  const std::string& lead = complete->at("urban_lead");
  o.urban_lead = lead == "scenario"   ? scenario_lead
                 : lead == "off"      ? 0
                 : lead == "standard" ? (sc.side_count() >= 3 ? 2 : 3)
                                      : std::stoi(lead);  // R54
  check_playable(sc, root);
  root.no_more_keys();
  if (toml.problem()) return tl::make_unexpected(*toml.problem());
  return sc;
}

}  // namespace baton::company_leader
