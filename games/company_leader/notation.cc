#include "games/company_leader/notation.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/words.h"

namespace baton::company_leader {
namespace {

using baton::Kind;

constexpr std::array<std::string_view, facing_count> flat_facings = {"n", "ne", "se", "s", "sw", "nw"};
constexpr std::array<std::string_view, facing_count> pointy_facings = {"nw", "ne", "e", "se", "sw", "w"};
constexpr std::array<std::string_view, terrain_count> terrain_words = {"open", "forest", "urban"};
constexpr std::array<std::string_view, reason_count> reason_words = {
    "none", "troops", "urban", "urban-lead", "turn-limit", "stalemate", "objective", "surrender", "time", "last-round",
};

constexpr Field field{"field", kind::field}, with{"with", kind::field}, to{"to", kind::field}, target{"target", kind::field},
    piece{"piece", kind::piece}, seat{"seat", kind::seat}, facing{"facing", kind::facing}, terrain{"terrain", kind::terrain},
    reason{"reason", kind::reason}, objective{"objective", kind::objective}, coins{"coins"}, strength{"strength"};

constexpr std::array<Phrase, verb_count> verb_phrases = {{
    {"place", {piece, field}},
    {"place-for-me", {}},
    {"place-again", {}},
    {"ready", {}},
    {"swap", {field, with}},
    {"reveal", {field}},
    {"conceal", {field}},
    {"face", {field, facing}},
    {"move", {field, facing}},
    {"step", {}},
    {"stay", {}},
    {"turn", {facing}},
    {"dummy", {field}},
    {"shoot", {field, target, facing}},
    {"fire-back", {}},
    {"hold-fire", {}},
    {"follow-up", {}},
    {"repair", {field, Field{"points"}}},
    {"done", {}},
    {"buy", {piece}},
    {"put", {piece, field}},
    {"put", {piece, field, facing}},
    {"leave", {field}},
    {"surrender", {}},
}};

// What others have learned cannot be taken back, and a side that is out does not come back.
constexpr bool reveals = true;

constexpr std::array<Phrase, told_count> told_phrases = {{
    {"set-up-begins", {}},
    {"seat-ready", {seat}},
    {"seat-not-ready", {seat}},
    {"battle-begins", {seat}, reveals},
    {"turn-begins", {seat, Field{"round"}}},
    {"swapped", {seat, field, with}},
    {"revealed", {seat, field, piece}, reveals},
    {"spotted", {seat, field, piece}, reveals},
    {"exposed", {seat, field, piece}, reveals},
    {"dummy-removed", {seat, field}, reveals},
    {"faced", {field, facing}},
    {"concealed", {seat, field, piece}},
    {"turned", {field, facing}},
    {"stepped", {field, to}},
    {"step-swapped", {field, to}},
    {"dummy-placed", {seat, field}},
    {"shot", {field, target, facing}},
    {"fired-back", {field, target}},
    {"fire-held", {seat, field}},
    {"rolled", {field, Field{"dice"}, terrain, Field{"hits"}}},
    {"dice", {Field{"first"}, Field{"second"}, Field{"third"}, Field{"fourth"}, Field{"fifth"}, Field{"sixth"}}},
    {"damaged", {field, piece, strength}},
    {"destroyed", {seat, field, piece}},
    {"followed-up", {field, to}},
    {"repaired", {field, strength, coins}},
    {"income", {seat, coins}},
    {"bought", {seat, coins}, reveals},
    {"refreshed", {seat}, reveals},
    {"entered", {seat, field, piece}, reveals},
    {"objective-taken", {objective, field, seat}},
    {"objective-dropped", {objective, field}},
    {"objective-won", {objective, seat}},
    {"eliminated", {seat}, reveals},
    {"surrendered", {seat}, reveals},
    {"won", {seat, reason}},
    {"drawn", {reason}},
}};

constexpr std::array<std::string_view, refusal_count> refusal_words = {
    "none",
    "game-over",
    "not-your-choice",
    "no-such-action",
    "no-such-field",
    "not-now",
    "not-your-territory",
    "none-left",
    "troop-there",
    "too-many-troops",
    "not-all-placed",
    "nothing-placed",
    "not-your-piece",
    "wrong-order",
    "not-adjacent",
    "piece-swapped",
    "piece-used",
    "piece-displaced",
    "both-revealed",
    "dummy-observed",
    "is-dummy",
    "is-revealed",
    "not-revealed",
    "not-full-strength",
    "has-attacked",
    "has-hidden",
    "is-observed",
    "carries-objective",
    "not-asked",
    "off-board",
    "field-blocked",
    "not-behind",
    "field-occupied",
    "no-target",
    "out-of-fire",
    "shot-already",
    "not-damaged",
    "too-much-repair",
    "no-coins",
    "enemy-near",
    "troop-acted",
    "no-room",
    "not-purchase-field",
    "must-enter-revealed",
    "must-enter-concealed",
};

std::optional<int> read_integer(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

// "f9", or axial coordinates "0,-3".
std::optional<int> read_field(const Board& board, std::string_view word) {
  for (int f = 0; f < board.fields; ++f) {
    if (board.name[at(f)] == word) return f;
  }
  const auto comma = word.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto q = read_integer(word.substr(0, comma)), r = read_integer(word.substr(comma + 1));
  const int f = q && r ? board.find({*q, *r}) : -1;
  return f < 0 ? std::nullopt : std::optional(f);
}

const std::array<std::string_view, facing_count>& facing_words(const Scenario& sc) {
  return sc.board.orientation == Orientation::flat ? flat_facings : pointy_facings;
}

}  // namespace

std::span<const Phrase> verbs() { return verb_phrases; }
std::span<const Phrase> events() { return told_phrases; }
std::span<const std::string_view> refusals() { return refusal_words; }
std::span<const std::string_view> reasons() { return reason_words; }

std::string spell(const Scenario& sc, Kind kind, int value) {
  switch (kind) {
    case kind::field: return value >= 0 && value < sc.board.fields ? sc.board.name[at(value)] : "?";
    case kind::piece: return word_at(piece_words, value);
    case kind::seat: return value >= 0 && value < sc.seat_count() ? sc.seats[at(value)].id : "?";
    case kind::facing: return word_at(facing_words(sc), value);
    case kind::terrain: return word_at(terrain_words, value);
    case kind::reason: return word_at(reason_words, value);
    case kind::objective: return value >= 0 && value < static_cast<int>(sc.objectives.size()) ? sc.objectives[at(value)].id : "?";
    default: return std::to_string(value);
  }
}

std::optional<int> read(const Scenario& sc, Kind kind, std::string_view word) {
  const auto by_id = [&](const auto& things) -> std::optional<int> {
    const auto found = std::find_if(things.begin(), things.end(), [&](const auto& thing) { return thing.id == word; });
    return found == things.end() ? std::nullopt : std::optional(static_cast<int>(found - things.begin()));
  };
  switch (kind) {
    case kind::field: return read_field(sc.board, word);
    case kind::piece: return position_in(piece_words, word);
    case kind::seat: return by_id(sc.seats);
    case kind::facing: return position_in(facing_words(sc), word);
    case kind::terrain: return position_in(terrain_words, word);
    case kind::reason: return position_in(reason_words, word);
    case kind::objective: return by_id(sc.objectives);
    default: return read_integer(word);
  }
}

Label label(const Scenario& sc, Kind kind, int value) {
  switch (kind) {
    case kind::field: return {"field." + spell(sc, kind, value), 0};
    case kind::piece: return {"piece." + spell(sc, kind, value), 0};
    case kind::seat: return {"seat." + spell(sc, kind, value), 0};
    case kind::facing: return {"facing." + spell(sc, kind, value), 0};
    case kind::terrain: return {"terrain." + spell(sc, kind, value), 0};
    case kind::reason: return {"reason." + spell(sc, kind, value), 0};
    case kind::objective: return {"objective." + spell(sc, kind, value), 0};
    default: return {};
  }
}

// Fields bring their own names, the same in every language; so do the seats and objectives of a scenario.
std::map<std::string, std::string> own_texts(const Scenario& sc, std::string_view locale) {
  std::map<std::string, std::string> texts;
  for (int f = 0; f < sc.board.fields; ++f) texts["field." + sc.board.name[at(f)]] = sc.board.name[at(f)];
  const auto take = [&](const std::string& key, const std::map<std::string, std::string>& names) {
    auto found = names.find(std::string(locale));
    if (found == names.end()) found = names.find("en");
    if (found != names.end()) texts[key] = found->second;
  };
  for (const SeatPlan& plan : sc.seats) take("seat." + plan.id, plan.names);
  for (const Objective& thing : sc.objectives) take("objective." + thing.id, thing.names);
  return texts;
}

}  // namespace baton::company_leader
