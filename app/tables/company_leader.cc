#include "app/tables/company_leader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/tables/hex_drawing.h"
#include "games/company_leader/notation.h"

namespace baton::app {
namespace {

namespace cl = company_leader;
using cl::at;

// Signs of the drawing.
constexpr std::array<std::string_view, cl::kind_count> troop_letters = {"-", "I", "S", "A", "L", "H", "T"};
constexpr std::array<std::string_view, cl::kind_count> hidden_letters = {"-", "i", "s", "a", "l", "h", "t"};
constexpr std::array<std::string_view, facing_count> flat_arrows = {"↑", "↗", "↘", "↓", "↙", "↖"};
constexpr std::array<std::string_view, facing_count> pointy_arrows = {"↖", "↗", "→", "↘", "↙", "←"};

std::string text_or(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::string joined_with(const Lines& parts, const std::string& between) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : between) + part;
  return all;
}

std::string percent(double chance) { return std::to_string(std::lround(100 * chance)) + " %"; }

std::string capital(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace

CompanyLeaderTable::CompanyLeaderTable(const cl::Scenario& scenario) : scenario_(scenario), letters_(seat_letters(scenario)) {}

CompanyLeaderTable::Scene CompanyLeaderTable::scene(const Json& state) const {
  Scene scene;
  const auto field_of = [&](const std::string& name) { return cl::read(scenario_, cl::kind::field, name); };
  scene.viewer = cl::read(scenario_, cl::kind::seat, text_or(state, "viewer")).value_or(-1);
  const Json& remembered = state.at("remembered");
  for (const auto& [name, entry] : state.at("fields").items()) {
    const auto field = field_of(name);
    if (!field) continue;
    Piece& piece = scene.pieces[at(*field)];
    const std::string owner = entry.at("owner").get<std::string>();
    piece.owner = cl::read(scenario_, cl::kind::seat, owner).value_or(-1);
    piece.kind = cl::read(scenario_, cl::kind::piece, entry.at("piece").get<std::string>()).value_or(cl::unknown_kind);
    piece.revealed = entry.value("revealed", false);
    piece.known = entry.value("known", false);
    piece.facing = cl::read(scenario_, cl::kind::facing, text_or(entry, "facing")).value_or(0);
    piece.strength = entry.value("strength", 0);
    piece.marks = entry.value("marks", std::vector<std::string>{});
    if (piece.kind == cl::unknown_kind) {
      const Json origin = remembered.value(owner, Json::object()).value(std::to_string(entry.value("origin", 0)), Json::object());
      piece.troop_chance = origin.value("troop_chance", 0.0);
      piece.exact = origin.value("exact", false);
    }
  }
  for (const Json& name : state.value("in_enemy_view", Json::array())) {
    if (const auto field = field_of(name.get<std::string>())) scene.watched.insert(*field);
  }
  for (const cl::Objective& objective : scenario_.objectives) {
    scene.objective_at.push_back(field_of(text_or(state.at("objectives").at(objective.id), "at")).value_or(-1));
  }
  scene.acting = field_of(text_or(state.at("acting"), "field"));
  return scene;
}

bool CompanyLeaderTable::is_own(const Scene& scene, int seat) const {
  return scene.viewer >= 0 && seat >= 0 && !scenario_.hostile(scene.viewer, seat);
}

// A concealed troop may take any facing when it is revealed; a revealed one looks where it looks but may turn to shoot.
CompanyLeaderTable::Reach CompanyLeaderTable::reach_of(const Scene& scene, int field) const {
  const Piece& piece = scene.pieces[at(field)];
  Reach reach;
  if (piece.owner < 0 || piece.kind < cl::first_troop || piece.kind >= cl::kind_count) return reach;
  for (int d = 0; d < facing_count; ++d) {
    if (!piece.revealed || piece.facing == d) reach.seen |= scenario_.seen_from(piece.kind, field, d);
  }
  reach.hit = scenario_.fire_around[scenario_.reach(piece.kind)][at(field)];
  return reach;
}

CompanyLeaderTable::Reach CompanyLeaderTable::reach(const Scene& scene, std::optional<int> focus) const {
  if (!focus) focus = scene.acting;
  if (focus) return reach_of(scene, *focus);
  Reach all;
  for (int f = 0; f < scenario_.board.fields; ++f) {
    if (!scene.pieces[at(f)].revealed || !is_own(scene, scene.pieces[at(f)].owner)) continue;
    const Reach one = reach_of(scene, f);
    all.seen |= one.seen;
    all.hit |= one.hit;
  }
  return all;
}

// The field's title, and whether it is seen or can be hit.
std::string CompanyLeaderTable::head(const Reach& reach, int field, Legend& used) const {
  const cl::Board& board = scenario_.board;
  used.insert(std::string(terrain_signs[static_cast<std::size_t>(board.terrain[at(field)])]));
  if (board.exits.has(field)) used.insert(std::string(exit_sign));
  if (board.purchase.has(field)) used.insert(std::string(purchase_sign));
  const bool seen = reach.seen.has(field), hit = reach.hit.has(field);
  const std::string sight = seen && hit ? "#" : seen ? "+" : hit ? "x" : " ";
  used.insert(sight);
  return field_title(board, field) + sight;
}

// Owner, kind, strength and facing: "RI6↑"; then one sign for a piece that has acted, for a field in view of the enemy, or for both.
std::string CompanyLeaderTable::body(const Scene& scene, int field, Legend& used) const {
  const Piece& piece = scene.pieces[at(field)];
  std::string text;
  if (piece.owner >= 0) {
    text = letters_[at(piece.owner)];
    if (piece.kind == cl::unknown_kind) {
      text += "?";
      used.insert("?");
    } else if (piece.revealed) {
      const auto& arrows = scenario_.board.orientation == cl::Orientation::flat ? flat_arrows : pointy_arrows;
      const bool turning = std::find(piece.marks.begin(), piece.marks.end(), "to-face") != piece.marks.end();
      text += std::string(troop_letters[at(piece.kind)]) + std::to_string(piece.strength) +
              (turning ? "?" : std::string(arrows[at(piece.facing)]));
      used.insert(std::string(troop_letters[at(piece.kind)]));
    } else {
      text += hidden_letters[at(piece.kind)];
      used.insert(std::string(piece.kind == 0 ? hidden_letters[0] : troop_letters[at(piece.kind)]));
      if (piece.known && is_own(scene, piece.owner)) {
        text += "!";
        used.insert("known");
      }
    }
  }
  if (std::find(scene.objective_at.begin(), scene.objective_at.end(), field) != scene.objective_at.end()) {
    text = fitted(text, std::min(3, display_width(text))) + "$";
    used.insert("$");
  }
  text += repeated(" ", 4 - display_width(text));
  const bool acted =
      std::any_of(piece.marks.begin(), piece.marks.end(), [](const std::string& mark) { return mark == "used" || mark == "swapped"; });
  const bool watched = scene.watched.has(field);
  if (acted) used.insert(",");
  if (watched) used.insert("'");
  return text + (acted && watched ? ";" : acted ? "," : watched ? "'" : " ");
}

Lines CompanyLeaderTable::board_lines(const Scene& scene, const Reach& reach, const Paint& paint, Legend& used) const {
  const int inside = columns_inside(scenario_.board);
  return draw_hexes(
      scenario_.board,
      [&](int f) {
        const std::string text = head(reach, f, used);
        return reach.seen.has(f) || reach.hit.has(f) ? paint.bold(text) : text;
      },
      [&](int f) {
        const std::string text = repeated(" ", inside - 5) + body(scene, f, used);
        const int owner = scene.pieces[at(f)].owner;
        return owner < 0 ? text : is_own(scene, owner) ? paint.own(text) : paint.enemy(text);
      });
}

// "R Red (on turn): Urban fields 6 · Coins 3 · Income 2"
Lines CompanyLeaderTable::side_lines(const Json& state, const Catalogue& texts) const {
  Lines lines;
  for (const auto& [team, side] : state.at("sides").items()) {
    std::string names;
    for (const Json& seat : side.at("seats")) {
      const std::string id = seat.get<std::string>();
      const auto number = cl::read(scenario_, cl::kind::seat, id);
      names += (names.empty() ? "" : ", ") + (number ? letters_[at(*number)] + " " : "") + texts.say("seat." + id);
      const Json& out = state.at("out");
      if (std::find(out.begin(), out.end(), seat) != out.end()) {
        names += " (" + texts.say("view.out") + ")";
      } else if (state.at("step") == "set-up") {
        const Json& ready = state.at("ready");
        if (std::find(ready.begin(), ready.end(), seat) != ready.end()) names += " (" + texts.say("view.ready") + ")";
      } else if (state.at("active") == seat && state.at("step") != "over") {
        names += " (" + texts.say("view.active") + ")";
      }
    }
    std::string facts = names + ": " + texts.say("view.urban") + " " + side.at("urban").dump();
    if (state.at("step") != "set-up") {
      facts += " · " + texts.say("view.coins") + " " + state.at("coins").at(team).dump() + " · " + texts.say("view.income") + " " +
               side.at("income").dump();
    }
    lines.push_back(std::move(facts));
  }
  return lines;
}

// What is still to be placed: at the set-up, or bought and lifted.
std::string CompanyLeaderTable::in_hand(const Json& state, const Catalogue& texts) const {
  std::array<int, cl::kind_count> count{};
  const auto add = [&](const Json& army) {
    for (const auto& [piece, number] : army.items()) {
      if (const auto kind = cl::read(scenario_, cl::kind::piece, piece)) count[at(*kind)] += number.get<int>();
    }
  };
  add(state.value("hand", Json::object()));
  if (const auto purchase = state.find("purchase"); purchase != state.end()) {
    add(purchase->at("bought"));
    add(purchase->at("lifted"));
  }
  Lines parts;
  for (int k = cl::first_troop; k < cl::kind_count; ++k) {
    if (count[at(k)] > 0) parts.push_back(std::to_string(count[at(k)]) + " × " + texts.say("piece." + std::string(cl::piece_words[at(k)])));
  }
  if (const int purse = state.value("purse", 0); purse > 0) parts.push_back(texts.say("view.coins") + " " + std::to_string(purse));
  return parts.empty() ? std::string{} : texts.say("view.hand") + ": " + joined_with(parts, ", ");
}

std::string CompanyLeaderTable::legend(const Scene& scene, const Legend& used, const Catalogue& texts) const {
  Lines parts;
  const auto sign = [&](const std::string& in_use, const std::string& shown, const std::string& said) {
    if (used.contains(in_use)) parts.push_back(shown + " " + said);
  };
  sign("♣", "♣", texts.say("terrain.forest"));
  sign("⌂", "⌂", texts.say("terrain.urban"));
  sign("*", "*", texts.say("view.purchase-field"));
  sign("!", "!", texts.say("view.exit"));
  for (std::size_t i = 0; i < scenario_.objectives.size(); ++i) sign("$", "$", texts.say("objective." + scenario_.objectives[i].id));
  sign("?", "?", texts.say("view.hidden"));
  sign("-", "-", texts.say("piece.dummy"));
  for (int k = cl::first_troop; k < cl::kind_count; ++k) {
    sign(std::string(troop_letters[at(k)]), std::string(troop_letters[at(k)]), texts.say("piece." + std::string(cl::piece_words[at(k)])));
  }
  sign("known", "!", texts.say("view.known"));
  sign("+", "+", texts.say("view.in-view"));
  sign("x", "x", texts.say("view.in-fire"));
  sign("#", "#", texts.say("view.in-both"));
  if (scene.viewer >= 0) sign("'", "'", texts.say("view.in-enemy-view"));
  sign(",", ",", texts.say("view.used"));
  if (used.contains(",") && used.contains("'")) parts.push_back("; " + texts.say("view.both-marks"));
  std::string all = joined_with(parts, " · ");
  if (used.contains("I") || used.contains("S") || used.contains("A") || used.contains("L") || used.contains("H") || used.contains("T")) {
    all += ". " + texts.say("view.capitals");
  }
  return all;
}

// The round and the step of the turn; while pieces are placed, who will have the first one.
std::string CompanyLeaderTable::moment(const Json& state, const Catalogue& texts, const std::string& between) const {
  const std::string step = texts.say("step." + state.at("step").get<std::string>());
  if (state.at("step") == "set-up")
    return step + between + texts.say("view.begins", {{"seat", texts.say("seat." + state.at("active").get<std::string>())}});
  return texts.say("view.round", {{"round", state.at("round").get<std::int64_t>()}}) + between + step;
}

Lines CompanyLeaderTable::drawn(const Json& state, const Catalogue& texts, int columns, const Paint& paint,
                                std::optional<int> focus) const {
  const int width = std::clamp(columns, 60, 120);
  const Scene now = scene(state);
  Legend used;
  Lines lines;
  lines.push_back(paint.bold(moment(state, texts, " · ")));
  for (const std::string& side : side_lines(state, texts)) {
    for (std::string& line : wrapped(side, width, 2)) lines.push_back(std::move(line));
  }
  for (std::string& line : board_lines(now, reach(now, focus), paint, used)) lines.push_back(std::move(line));
  if (const std::string hand = in_hand(state, texts); !hand.empty()) {
    for (std::string& line : wrapped(hand, width, 2)) lines.push_back(std::move(line));
  }
  for (const std::string& line : wrapped(legend(now, used, texts), width, 2)) lines.push_back(paint.dim(line));
  return lines;
}

Lines CompanyLeaderTable::draw(const Json& state, const Catalogue& texts, int columns, const Paint& paint) const {
  return drawn(state, texts, columns, paint, std::nullopt);
}

// --- In sentences -------------------------------------------------------------------------------------------------------

std::string CompanyLeaderTable::facing_name(const Catalogue& texts, int facing) const {
  return texts.say("facing." + cl::spell(scenario_, cl::kind::facing, facing));
}

std::string CompanyLeaderTable::field_names(FieldSet fields) const {
  Lines names;
  for (const int f : fields) names.push_back(scenario_.board.name[at(f)]);
  return joined_with(names, ", ");
}

// "infantry, strength 4 of 6, facing north, has acted"
std::string CompanyLeaderTable::said_piece(const Scene& scene, const Catalogue& texts, int field) const {
  const Piece& piece = scene.pieces[at(field)];
  if (piece.kind == cl::unknown_kind) {
    const std::string key = piece.exact ? "view.chance-exact" : "view.chance-about";
    return texts.say("piece.unknown") + ", " + texts.say(key, {{"chance", percent(piece.troop_chance)}});
  }
  Lines parts = {texts.say("piece." + std::string(cl::piece_words[at(piece.kind)]))};
  if (piece.revealed) {
    parts.push_back(texts.say(
        "view.strength-of", {{"strength", std::int64_t{piece.strength}}, {"full", std::int64_t{scenario_.figures(piece.kind).strength}}}));
    parts.push_back(texts.say("view.facing", {{"facing", facing_name(texts, piece.facing)}}));
  } else if (piece.known) {
    parts.push_back(texts.say("view.known"));
  }
  for (const std::string& mark : piece.marks) {
    if (texts.has("view." + mark)) parts.push_back(texts.say("view." + mark));
  }
  for (std::size_t i = 0; i < scene.objective_at.size(); ++i) {
    if (scene.objective_at[i] == field) parts.push_back(texts.say("objective." + scenario_.objectives[i].id));
  }
  return joined_with(parts, ", ");
}

Lines CompanyLeaderTable::tell(const Json& state, const Catalogue& texts) const {
  const Scene now = scene(state);
  const cl::Board& board = scenario_.board;
  Lines lines;
  const bool set_up = state.at("step") == "set-up";
  lines.push_back(moment(state, texts, ". ") + ".");
  for (std::string& side : side_lines(state, texts)) {
    for (auto dot = side.find(" · "); dot != std::string::npos; dot = side.find(" · ")) side.replace(dot, 4, ", ");
    lines.push_back(side + ".");
  }
  if (const std::string hand = in_hand(state, texts); !hand.empty()) lines.push_back(hand + ".");
  for (int seat = 0; seat < scenario_.seat_count(); ++seat) {
    const std::string name = texts.say("seat." + scenario_.seats[at(seat)].id);
    FieldSet dummies, hidden;
    Lines troops, suspects;
    for (int f = 0; f < board.fields; ++f) {
      const Piece& piece = now.pieces[at(f)];
      if (piece.owner != seat) continue;
      const std::string where = board.name[at(f)] + ", " +
                                texts.say("terrain." + cl::spell(scenario_, cl::kind::terrain, static_cast<int>(board.terrain[at(f)])));
      if (piece.kind == cl::unknown_kind) {
        hidden.insert(f);
      } else if (piece.kind == 0) {
        dummies.insert(f);
      } else {
        troops.push_back(where + ": " + said_piece(now, texts, f) + (piece.revealed ? "" : ", " + texts.say("view.concealed")));
      }
    }
    for (const std::string& troop : troops) lines.push_back(name + ", " + troop + ".");
    if (!dummies.empty()) lines.push_back(name + ", " + texts.say("view.dummies") + ": " + field_names(dummies) + ".");
    if (!hidden.empty()) lines.push_back(name + ", " + texts.say("view.hidden") + ": " + field_names(hidden) + ".");
  }
  const FieldSet urban = board.of_terrain[static_cast<std::size_t>(cl::Terrain::urban)];
  Lines held;
  for (const int f : urban) {
    const int owner = now.pieces[at(f)].owner;
    held.push_back(board.name[at(f)] + " " + (owner < 0 ? texts.say("view.nobody") : texts.say("seat." + scenario_.seats[at(owner)].id)));
  }
  lines.push_back(texts.say("view.urban") + ": " + joined_with(held, ", ") + ".");
  if (set_up)
    lines.push_back(capital(texts.say("terrain.forest")) + ": " +
                    field_names(board.of_terrain[static_cast<std::size_t>(cl::Terrain::forest)]) + ".");
  for (std::size_t i = 0; i < now.objective_at.size(); ++i) {
    if (now.objective_at[i] >= 0)
      lines.push_back(capital(texts.say("objective." + scenario_.objectives[i].id)) + ": " + board.name[at(now.objective_at[i])] + ".");
  }
  const Reach own = reach(now, std::nullopt);
  if (!own.seen.empty()) lines.push_back(capital(texts.say("view.in-view")) + ": " + field_names(own.seen) + ".");
  if (!own.hit.empty()) lines.push_back(capital(texts.say("view.in-fire")) + ": " + field_names(own.hit) + ".");
  if (!now.watched.empty()) lines.push_back(capital(texts.say("view.in-enemy-view")) + ": " + field_names(now.watched) + ".");
  return lines;
}

// Every kind of troop with its figures; the letter is its sign on the drawn board.
Lines CompanyLeaderTable::holdings(const Json&, const Catalogue& texts) const {
  Lines lines;
  for (int k = 0; k < cl::kind_count; ++k) {
    const std::string word(cl::piece_words[at(k)]);
    lines.push_back(std::string(troop_letters[at(k)]) + "  " + texts.say("piece." + word) + " (" + word +
                    "): " + texts.say("piece-note." + word));
  }
  return lines;
}

std::string CompanyLeaderTable::chapter(const Json& state) const {
  return state.at("round").dump() + state.at("active").dump() + (state.at("step") == "set-up" ? "s" : "");
}

// --- One field ----------------------------------------------------------------------------------------------------------

Lines CompanyLeaderTable::told_field(const Scene& scene, const Catalogue& texts, int field) const {
  const cl::Board& board = scenario_.board;
  Lines place = {board.name[at(field)] + " (" + std::to_string(board.hex[at(field)].q) + "," + std::to_string(board.hex[at(field)].r) + ")",
                 texts.say("terrain." + cl::spell(scenario_, cl::kind::terrain, static_cast<int>(board.terrain[at(field)])))};
  const int territory = board.owner[at(field)];
  place.push_back(territory < 0 ? texts.say("view.neutral")
                                : texts.say("view.territory", {{"seat", texts.say("seat." + scenario_.seats[at(territory)].id)}}));
  if (board.purchase.has(field)) place.push_back(texts.say("view.purchase-field"));
  if (board.exits.has(field)) place.push_back(texts.say("view.exit"));
  if (scene.watched.has(field)) place.push_back(texts.say("view.in-enemy-view"));
  Lines lines = {joined_with(place, ", ") + "."};
  const Piece& piece = scene.pieces[at(field)];
  if (piece.owner < 0) return lines;
  lines.push_back(texts.say("seat." + scenario_.seats[at(piece.owner)].id) + ": " + said_piece(scene, texts, field) + ".");
  const Reach reach = reach_of(scene, field);
  if (!reach.seen.empty()) lines.push_back(capital(texts.say("view.in-view")) + ": " + field_names(reach.seen) + ".");
  if (!reach.hit.empty()) lines.push_back(capital(texts.say("view.in-fire")) + ": " + field_names(reach.hit) + ".");
  return lines;
}

Lines CompanyLeaderTable::look(const Json& state, const Catalogue& texts, const std::string& what, int columns, const Paint& paint,
                               bool plain) const {
  const std::string wanted = folded(what);
  const auto shown = [&](const std::string& told) { return plain ? Lines{told} : wrapped(told, std::clamp(columns, 60, 120), 2); };
  for (const std::string_view kind : cl::piece_words) {
    const std::string name = texts.say("piece." + std::string(kind));
    if (wanted == kind || wanted == folded(name)) return shown(capital(name) + ": " + texts.say("piece-note." + std::string(kind)));
  }
  const auto field = cl::read(scenario_, cl::kind::field, wanted);
  if (!field) return {};
  Lines lines;
  if (!plain) lines = drawn(state, texts, columns, paint, *field);
  for (const std::string& told : told_field(scene(state), texts, *field)) {
    for (std::string& line : shown(told)) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace baton::app
