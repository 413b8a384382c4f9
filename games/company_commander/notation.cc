#include "games/company_commander/notation.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/words.h"

namespace baton::company_commander {
namespace {

constexpr std::array<std::string_view, 2> deck_words = {"squad", "tactics"};
constexpr std::array<std::string_view, 6> phase_words = {"deployment", "tactics", "recon", "suppression", "assault", "rally"};
constexpr std::array<std::string_view, 4> reason_words = {"none", "kills", "fronts", "round-limit"};

constexpr Field unit{"unit", kind::unit}, by{"by", kind::unit}, front{"front", kind::front}, card{"card", kind::card},
    seat{"seat", kind::seat}, deck{"deck", kind::deck}, reason{"reason", kind::reason}, die{"die"}, modifier{"modifier"};

constexpr std::array<Phrase, verb_count> verb_phrases = {{
    {"pass", {}},         {"done", {}},     {"deploy", {unit, front}}, {"move", {unit, front}},     {"headquarters", {deck}},
    {"recon", {unit}},    {"look", {}},     {"direct-fire", {}},       {"suppress", {unit, front}}, {"assault", {unit, front}},
    {"resolve", {front}}, {"fire", {}},     {"fire", {unit}},          {"rally", {unit}},           {"rally", {unit, by}},
    {"discard", {card}},  {"play", {card}}, {"play", {card, front}},   {"play", {card, unit}},      {"play", {card, unit, front}},
}};

constexpr bool reveals = true;

constexpr std::array<Phrase, told_count> told_phrases = {{
    {"turn-begins", {seat, Field{"round"}}},
    {"phase-begins", {Field{"phase", kind::phase}}},
    {"squad-drawn", {unit}},
    {"deployed", {unit, front}},
    {"move-announced", {unit, front}},
    {"moved", {unit, front}},
    {"move-cancelled", {unit}},
    {"headquarters-draws", {seat, deck}},
    {"tactics-drawn", {seat, Field{"count"}}},
    {"card-drawn", {card}},
    {"deck-reshuffled", {}},
    {"card-played", {seat, card}, reveals},
    {"card-played-front", {seat, card, front}, reveals},
    {"card-played-unit", {seat, card, unit}, reveals},
    {"card-discarded", {seat, card}, reveals},
    {"recon-roll", {unit, front, die, modifier}},
    {"recon-nothing", {unit}},
    {"recon-spotted", {unit}},
    {"recon-success", {unit}},
    {"hand-looked-at", {seat}},
    {"card-seen", {card}},
    {"fire-directed", {seat, front}},
    {"suppression-named", {unit, front}},
    {"suppression-roll", {front, Field{"first"}, Field{"second"}, modifier}},
    {"barrage-roll", {front, Field{"dice"}, Field{"total"}, modifier}},
    {"spotted-roll", {unit, Field{"first"}, Field{"second"}}},
    {"roll-cancelled", {seat}},
    {"attack-fogged", {front}},
    {"assault-declared", {unit, front}},
    {"assault-blocked", {unit}},
    {"combat-begins", {front}},
    {"mine-roll", {die}},
    {"fire-roll", {unit, die, modifier}},
    {"pinned", {unit}},
    {"casualty", {unit}},
    {"armour-roll", {unit, die, modifier}},
    {"armour-holds", {unit}},
    {"sniper-in-vain", {unit}},
    {"commander-roll", {unit, die}},
    {"destroyed", {unit}},
    {"routed", {unit}},
    {"rally-roll", {unit, die, modifier}},
    {"rallied", {unit}},
    {"rally-failed", {unit}},
    {"rally-cancelled", {unit}},
    {"won", {seat, reason}},
    {"drawn", {reason}},
}};

constexpr std::array<std::string_view, static_cast<std::size_t>(Refusal::card_wrong_target) + 1> refusal_words = {
    "none",
    "game-over",
    "not-your-choice",
    "no-such-action",
    "no-such-thing",
    "not-now",
    "squads-waiting",
    "unit-not-yours",
    "unit-not-waiting",
    "unit-not-on-table",
    "unit-pinned",
    "unit-moved",
    "unit-fresh",
    "unit-halted",
    "unit-green",
    "unit-broken-down",
    "unit-on-mission",
    "unit-fired",
    "unit-out-of-ammo",
    "unit-cannot-recon",
    "unit-cannot-suppress",
    "unit-cannot-assault",
    "unit-barred",
    "unit-assaulting",
    "unit-not-stopped",
    "unit-not-firing",
    "unit-not-pinned",
    "unit-rolled",
    "no-command",
    "front-not-adjacent",
    "front-empty",
    "front-not-opposite",
    "front-fogged",
    "front-not-contested",
    "no-headquarters",
    "headquarters-used",
    "deck-empty",
    "hand-empty",
    "helper-not-hq",
    "helper-self",
    "helper-elsewhere",
    "helper-busy",
    "card-not-held",
    "card-other-nation",
    "card-other-time",
    "card-needs-target",
    "card-wrong-target",
};

bool is_unit(const Scenario& sc, int number) {
  return number >= 0 && number < seat_count * max_units &&
         has(sc.companies[static_cast<std::size_t>(number / max_units)].all, number % max_units);
}

const UnitKind& kind_of(const Scenario& sc, int number) {
  const Company& company = sc.companies[static_cast<std::size_t>(number / max_units)];
  return company.kinds[company.kind[static_cast<std::size_t>(number % max_units)]];
}

int ordinal_of(const Scenario& sc, int number) {
  return sc.companies[static_cast<std::size_t>(number / max_units)].ordinal[static_cast<std::size_t>(number % max_units)];
}

std::optional<int> read_unit(const Scenario& sc, std::string_view word) {
  const auto dash = word.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view id = word.substr(0, dash), digits = word.substr(dash + 1);
  for (int number = 0; number < seat_count * max_units; ++number) {
    if (is_unit(sc, number) && kind_of(sc, number).id == id && std::to_string(ordinal_of(sc, number)) == digits) return number;
  }
  return std::nullopt;
}

}  // namespace

std::span<const Phrase> verbs() { return verb_phrases; }
std::span<const Phrase> events() { return told_phrases; }
std::span<const std::string_view> refusals() { return refusal_words; }
std::span<const std::string_view> reasons() { return reason_words; }

std::string spell(const Scenario& sc, Kind kind, int value) {
  switch (kind) {
    case kind::unit: return is_unit(sc, value) ? kind_of(sc, value).id + "-" + std::to_string(ordinal_of(sc, value)) : "?";
    case kind::front: return word_at(front_words, value);
    case kind::card: return value >= 0 && value < static_cast<int>(sc.cards.size()) ? sc.cards[static_cast<std::size_t>(value)].id : "?";
    case kind::seat: return value >= 0 && value < seat_count ? sc.companies[static_cast<std::size_t>(value)].id : "?";
    case kind::deck: return word_at(deck_words, value);
    case kind::phase: return word_at(phase_words, value);
    case kind::reason: return word_at(reason_words, value);
    default: return std::to_string(value);
  }
}

std::optional<int> read(const Scenario& sc, Kind kind, std::string_view word) {
  switch (kind) {
    case kind::unit: return read_unit(sc, word);
    case kind::front: return position_in(front_words, word);
    case kind::card: {
      const auto found = std::find_if(sc.cards.begin(), sc.cards.end(), [&](const CardKind& c) { return c.id == word; });
      return found == sc.cards.end() ? std::nullopt : std::optional(static_cast<int>(found - sc.cards.begin()));
    }
    case kind::seat: return word == sc.companies[0].id ? std::optional(0) : word == sc.companies[1].id ? std::optional(1) : std::nullopt;
    case kind::deck: return position_in(deck_words, word);
    case kind::phase: return position_in(phase_words, word);
    case kind::reason: return position_in(reason_words, word);
    default: {
      int value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      return error == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
    }
  }
}

Label label(const Scenario& sc, Kind kind, int value) {
  switch (kind) {
    case kind::unit:
      if (!is_unit(sc, value)) return {"unit.?", 0};
      return {"unit." + kind_of(sc, value).id, kind_of(sc, value).copies > 1 ? ordinal_of(sc, value) : 0};
    case kind::front: return {"front." + spell(sc, kind, value), 0};
    case kind::card: return {"card." + spell(sc, kind, value), 0};
    case kind::seat: return {"seat." + spell(sc, kind, value), 0};
    case kind::deck: return {"deck." + spell(sc, kind, value), 0};
    case kind::phase: return {"phase." + spell(sc, kind, value), 0};
    case kind::reason: return {"reason." + spell(sc, kind, value), 0};
    default: return {};
  }
}

std::map<std::string, std::string> own_texts(const Scenario& sc, std::string_view locale) {
  std::map<std::string, std::string> texts;
  const auto take = [&](const std::string& key, const std::map<std::string, std::string>& names) {
    auto found = names.find(std::string(locale));
    if (found == names.end()) found = names.find("en");
    if (found != names.end()) texts[key] = found->second;
  };
  for (const Company& company : sc.companies) {
    take("seat." + company.id, company.names);
    for (const UnitKind& kind : company.kinds) take("unit." + kind.id, kind.names);
  }
  for (const CardKind& kind : sc.cards) {
    take("card." + kind.id, kind.names);
    take("card-text." + kind.id, kind.texts);
  }
  return texts;
}

}  // namespace baton::company_commander
