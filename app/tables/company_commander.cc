#include "app/tables/company_commander.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "games/company_commander/notation.h"

namespace baton::app {
namespace {

namespace cc = company_commander;

constexpr std::array<const char*, cc::front_count> fronts = {"left", "center", "right"};

// A mark of the view, its sign on the drawn table, and the text that says it.
struct Sign {
  std::string_view mark, sign, text;
};
constexpr std::array<Sign, 14> signs = {{
    {"fresh", "*", "view.fresh"},
    {"moved", ">", "view.moved"},
    {"halted", "=", "view.halted"},
    {"on-mission", "?", "view.on-mission"},
    {"suppressed", "~", "view.suppressed"},
    {"green", "z", "view.green"},
    {"barred-assault", "x", "view.barred"},
    {"may-assault", "^", "view.may-attack"},
    {"may-suppress", "^", "view.may-attack"},
    {"anti-tank", "t", "keyword.anti_tank"},
    {"rolled-rally", "r", "view.rolled-rally"},
    {"helped-rally", "h", "view.helped-rally"},
    {"out-of-ammo", "o", "view.out-of-ammo"},
    {"broken-down", "#", "view.broken-down"},
}};
constexpr std::string_view assaulting_text = "view.assaulting";

std::size_t front_number(const std::string& front) {
  return static_cast<std::size_t>(std::find(fronts.begin(), fronts.end(), front) - fronts.begin());
}

std::string text_or(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::string front_title(const Catalogue& texts, const std::string& front) { return texts.say("view.front-" + front); }

std::string card_names(const Catalogue& texts, const Json& cards, const std::string& between) {
  std::string all;
  for (const Json& card : cards) all += (all.empty() ? "" : between) + texts.say("card." + card.get<std::string>());
  return all;
}

std::string count_of_cards(const Catalogue& texts, const Json& count) {
  return texts.say("view.cards", {{"count", count.get<std::int64_t>()}});
}

std::string joined_with(const Lines& parts, const std::string& between) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : between) + part;
  return all;
}

}  // namespace

// The viewer sits below; a spectator sees the first seat there.
std::size_t CompanyCommanderTable::bottom_seat(const Json& state) const {
  return text_or(state, "viewer") == scenario_.companies[1].id ? 1 : 0;
}

std::string CompanyCommanderTable::name_of_unit(const Catalogue& texts, const std::string& id) const {
  const auto number = cc::read(scenario_, cc::kind::unit, id);
  return number ? say(texts, cc::label(scenario_, cc::kind::unit, *number)) : id;
}

std::vector<CompanyCommanderTable::Unit> CompanyCommanderTable::units(const Json& state, const Catalogue& texts, std::size_t seat) const {
  std::vector<Unit> all;
  const Json& against = state.at("combat").at("against");
  for (const auto& [id, entry] : state.at("units").items()) {
    const auto number = cc::read(scenario_, cc::kind::unit, id);
    if (!number || static_cast<std::size_t>(*number / cc::max_units) != seat) continue;
    Unit unit;
    unit.name = name_of_unit(texts, id);
    unit.at = entry.at("at").get<std::string>();
    const cc::Company& company = scenario_.companies[seat];
    unit.kind = &company.kinds[company.kind[static_cast<std::size_t>(*number % cc::max_units)]];
    unit.strength = scenario_.companies[seat].strength[static_cast<std::size_t>(*number % cc::max_units)];
    unit.casualties = entry.value("casualties", 0);
    unit.pins = entry.value("pins", 0);
    unit.marks = entry.value("marks", std::vector<std::string>{});
    unit.target = text_or(against, id.c_str());
    all.push_back(std::move(unit));
  }
  return all;
}

// What is being settled: "Suppression roll: Left, Heavy MG 42, pin".
std::string CompanyCommanderTable::situation(const Json& state, const Catalogue& texts) const {
  const std::string step = state.at("step").get<std::string>();
  Lines about;
  const auto unit = [&](const Json& json, const char* key) {
    if (const std::string id = text_or(json, key); !id.empty()) about.push_back(name_of_unit(texts, id));
  };
  const auto front = [&](const Json& json) {
    if (const std::string id = text_or(json, "front"); !id.empty()) about.push_back(front_title(texts, id));
  };
  if (step == "fog-reaction" || step == "roll-reaction") {
    const Json& barrage = state.at("barrage");
    front(barrage);
    unit(barrage, "shooter");
    if (const std::string card = text_or(barrage, "card"); !card.empty()) about.push_back(texts.say("card." + card));
    if (step == "roll-reaction") about.push_back(texts.say("view." + barrage.at("result").get<std::string>()));
  } else if (step == "combat-cards" || step == "defenders-fire" || step == "attackers-fire") {
    front(state.at("combat"));
  } else if (step == "move-reaction" || step == "spotted-reaction" || step == "recon-reward" || step == "shaken-reaction" ||
             step == "extra-rally") {
    unit(state, "unit");
    front(state);
  }
  return texts.say("step." + step) + (about.empty() ? "" : ": " + joined_with(about, ", "));
}

Lines CompanyCommanderTable::side_facts(const Json& state, const Catalogue& texts, std::size_t seat) const {
  const std::string& id = scenario_.companies[seat].id;
  std::int64_t in_deck = 0;
  for (const Unit& unit : units(state, texts, seat)) in_deck += unit.at == "deck";
  Lines facts = {texts.say("seat." + id),
                 texts.say("view.kills-title") + " " +
                     texts.say("view.kills", {{"count", state.at("kills").at(id).get<std::int64_t>()},
                                              {"goal", std::int64_t{scenario_.figures.kills_to_win}}}),
                 texts.say("view.squads-left") + " " + std::to_string(in_deck)};
  // The viewer's own hand is shown in full elsewhere.
  if (text_or(state, "viewer") != id) facts.insert(facts.begin() + 2, texts.say("play.hand") + " " + state.at("hands").at(id).dump());
  return facts;
}

Lines CompanyCommanderTable::hand(const Json& state, const Catalogue& texts) const {
  Lines cards;
  std::vector<std::string> seen = state.at("hand_seen").get<std::vector<std::string>>();
  for (const Json& card : state.at("hand")) {
    std::string name = texts.say("card." + card.get<std::string>());
    if (const auto found = std::find(seen.begin(), seen.end(), card.get<std::string>()); found != seen.end()) {
      name += " (" + texts.say("view.seen-card") + ")";
      seen.erase(found);
    }
    cards.push_back(std::move(name));
  }
  return cards;
}

// Fog lies on the fronts of the side that is attacked, directed fire too.
Lines CompanyCommanderTable::front_notes(const Json& state, const Catalogue& texts, std::size_t seat, const std::string& front) const {
  if (state.at("active") == scenario_.companies[seat].id) return {};
  Lines notes;
  for (const Json& fogged : state.at("fogged")) {
    if (fogged == front) notes.push_back(texts.say("view.fogged"));
  }
  if (const auto bonus = state.at("fire_direction").at(front).get<std::int64_t>(); bonus != 0)
    notes.push_back(texts.say("view.directed", {{"modifier", bonus}}));
  return notes;
}

std::string CompanyCommanderTable::unit_cell(const Unit& unit, bool below, int width, const Paint& paint, Legend& used) const {
  std::string status = unit.pins > 2 ? "!" + std::to_string(unit.pins) : repeated("!", unit.pins);
  if (!unit.target.empty()) {
    const int aside = static_cast<int>(front_number(unit.target)) - static_cast<int>(front_number(unit.at));
    status += below ? (aside < 0 ? "↖" : aside > 0 ? "↗" : "↑") : (aside < 0 ? "↙" : aside > 0 ? "↘" : "↓");
    used.insert(std::string(assaulting_text));
  }
  std::string before;
  for (const Sign& sign : signs) {
    if (sign.sign == before || std::find(unit.marks.begin(), unit.marks.end(), sign.mark) == unit.marks.end()) continue;
    status += before = sign.sign;
    used.insert(std::string(sign.text));
  }
  const int lost = std::min(unit.casualties, unit.strength);
  const std::string blocks = fitted(repeated("■", unit.strength - lost) + repeated("□", lost), 3);
  const int room = width - 5 - (status.empty() ? 0 : display_width(status) + 1);
  const std::string name = fitted(unit.name, std::min(room, display_width(unit.name)));
  const int rest = width - 5 - display_width(name) - (status.empty() ? 0 : display_width(status) + 1);
  const std::string shown = below ? paint.own(blocks) : paint.enemy(blocks);
  return " " + shown + " " + (unit.pins > 0 ? paint.warning(name) : name) + (status.empty() ? "" : " " + paint.warning(status)) +
         repeated(" ", rest);
}

Lines CompanyCommanderTable::cells(const Json& state, const Catalogue& texts, std::size_t seat, const std::string& front, int width,
                                   const Paint& paint, Legend& used) const {
  Lines lines;
  for (const std::string& note : front_notes(state, texts, seat, front)) lines.push_back(paint.warning(fitted(" " + note, width)));
  for (const Unit& unit : units(state, texts, seat)) {
    if (unit.at == front) lines.push_back(unit_cell(unit, seat == bottom_seat(state), width, paint, used));
  }
  return lines;
}

Lines CompanyCommanderTable::draw(const Json& state, const Catalogue& texts, int columns, const Paint& paint) const {
  const int width = std::clamp(columns, 60, 120);
  const std::array<int, 3> cell = {(width - 2) / 3, (width - 2) / 3, width - 2 - 2 * ((width - 2) / 3)};
  const std::size_t below = bottom_seat(state), above = 1 - below;
  Legend used;
  Lines lines;

  const std::string now = texts.say("view.round", {{"round", state.at("round").get<std::int64_t>()}}) + " · " + situation(state, texts);
  const std::string piles = texts.say("view.deck") + " " + state.at("deck").dump() + " · " + texts.say("view.discard-pile") + " " +
                            std::to_string(state.at("discard").size());
  const int gap = width - display_width(now) - display_width(piles);
  lines.push_back(paint.bold(now) + (gap >= 2 ? repeated(" ", gap) + paint.dim(piles) : ""));
  if (gap < 2) lines.push_back(paint.dim(piles));

  const auto heading = [&](std::size_t seat) {
    const bool active = state.at("active") == scenario_.companies[seat].id;
    Lines facts = side_facts(state, texts, seat);
    const std::string brief = (active ? "━▶ " : "━━ ") + joined_with(facts, " ━ ") + " ";
    if (active) facts[0] += " (" + texts.say("view.active") + ")";
    const std::string full = "━━ " + joined_with(facts, " ━ ") + " ";
    const std::string& title = display_width(full) <= width ? full : brief;
    const std::string whole = fitted(title + repeated("━", std::max(0, width - display_width(title))), width);
    return seat == below ? paint.own(whole) : paint.enemy(whole);
  };
  const auto row = [&](const std::array<std::string, 3>& parts) {
    const std::string bar = paint.dim("│");
    return parts[0] + bar + parts[1] + bar + parts[2];
  };
  const auto side = [&](std::size_t seat) {
    std::array<Lines, 3> columns_of;
    std::size_t height = 1;
    for (std::size_t f = 0; f < 3; ++f) {
      columns_of[f] = cells(state, texts, seat, fronts[f], cell[f], paint, used);
      height = std::max(height, columns_of[f].size());
    }
    for (std::size_t i = 0; i < height; ++i) {
      std::array<std::string, 3> parts;
      for (std::size_t f = 0; f < 3; ++f) parts[f] = i < columns_of[f].size() ? columns_of[f][i] : repeated(" ", cell[f]);
      lines.push_back(row(parts));
    }
  };

  lines.push_back(heading(above));
  if (!state.at("enemy_hand_known").empty()) {
    for (std::string& text : wrapped(texts.say("view.enemy-hand") + ", " + texts.say("view.known-card") + ": " +
                                         card_names(texts, state.at("enemy_hand_known"), ", "),
                                     width, 2)) {
      lines.push_back(std::move(text));
    }
  }
  side(above);
  std::string middle;
  for (std::size_t f = 0; f < 3; ++f) {
    const std::string title = "── " + front_title(texts, fronts[f]) + " ";
    middle += title + repeated("─", cell[f] - display_width(title)) + (f < 2 ? "┼" : "");
  }
  lines.push_back(paint.dim(middle));
  side(below);
  lines.push_back(heading(below));

  Lines waiting;
  for (const std::size_t seat : {below, above}) {
    for (const Unit& unit : units(state, texts, seat)) {
      if (unit.at == "drawn") waiting.push_back(unit.name);
    }
  }
  if (!waiting.empty()) {
    for (std::string& text : wrapped(texts.say("view.waiting") + ": " + joined_with(waiting, ", "), width, 2))
      lines.push_back(std::move(text));
  }
  if (!text_or(state, "viewer").empty()) {
    const Lines cards = hand(state, texts);
    for (std::string& text :
         wrapped(texts.say("view.hand") + ": " + (cards.empty() ? texts.say("view.empty-hand") : joined_with(cards, " · ")), width, 2)) {
      lines.push_back(std::move(text));
    }
  }

  std::string legend = "■ " + texts.say("view.strength") + "  □ " + texts.say("view.casualties") + "  ! " + texts.say("view.pins");
  if (used.contains(std::string(assaulting_text))) legend += "  ↑ " + texts.say(assaulting_text);
  std::string_view last;
  for (const Sign& sign : signs) {
    if (sign.sign != last && used.contains(std::string(sign.text))) legend += "  " + std::string(sign.sign) + " " + texts.say(sign.text);
    last = sign.sign;
  }
  for (const std::string& text : wrapped(legend, width)) lines.push_back(paint.dim(text));
  return lines;
}

std::string CompanyCommanderTable::told_unit(const Unit& unit, const Catalogue& texts) const {
  Lines facts = {texts.say("view.strength") + " " + std::to_string(unit.strength)};
  if (unit.casualties > 0) facts.push_back(texts.say("view.casualties") + " " + std::to_string(unit.casualties));
  if (unit.pins > 0) facts.push_back(texts.say("view.pins") + " " + std::to_string(unit.pins));
  if (!unit.target.empty()) facts.push_back(texts.say(assaulting_text) + ": " + front_title(texts, unit.target));
  std::string_view last;
  for (const Sign& sign : signs) {
    if (sign.text == last || std::find(unit.marks.begin(), unit.marks.end(), sign.mark) == unit.marks.end()) continue;
    facts.push_back(texts.say(sign.text));
    last = sign.text;
  }
  return unit.name + " (" + joined_with(facts, ", ") + ")";
}

Lines CompanyCommanderTable::tell(const Json& state, const Catalogue& texts) const {
  const std::size_t below = bottom_seat(state), above = 1 - below;
  Lines lines;
  lines.push_back(texts.say("view.round", {{"round", state.at("round").get<std::int64_t>()}}) + ". " + situation(state, texts) + ". " +
                  texts.say("seat." + state.at("active").get<std::string>()) + " " + texts.say("view.active") + ".");
  lines.push_back(texts.say("view.deck") + ": " + count_of_cards(texts, state.at("deck")) + ". " + texts.say("view.discard-pile") + ": " +
                  count_of_cards(texts, Json(state.at("discard").size())) + ".");
  for (const std::size_t seat : {above, below}) {
    Lines facts = side_facts(state, texts, seat);
    const std::string name = facts.front();
    facts.erase(facts.begin());
    lines.push_back(name + ": " + joined_with(facts, ". ") + ".");
    Lines waiting;
    for (const char* front : fronts) {
      Lines here = front_notes(state, texts, seat, front);
      for (const Unit& unit : units(state, texts, seat)) {
        if (unit.at == front) here.push_back(told_unit(unit, texts));
      }
      lines.push_back(name + ", " + front_title(texts, front) + ": " +
                      (here.empty() ? texts.say("view.empty-front") : joined_with(here, "; ")) + ".");
    }
    for (const Unit& unit : units(state, texts, seat)) {
      if (unit.at == "drawn") waiting.push_back(unit.name);
    }
    if (!waiting.empty()) lines.push_back(texts.say("view.waiting") + ": " + joined_with(waiting, ", ") + ".");
  }
  if (!state.at("enemy_hand_known").empty()) {
    lines.push_back(texts.say("view.enemy-hand") + ", " + texts.say("view.known-card") + ": " +
                    card_names(texts, state.at("enemy_hand_known"), ", ") + ".");
  }
  if (!text_or(state, "viewer").empty()) {
    const Lines cards = hand(state, texts);
    lines.push_back(texts.say("view.hand") + ": " + (cards.empty() ? texts.say("view.empty-hand") : joined_with(cards, ", ")) + ".");
  }
  return lines;
}

Lines CompanyCommanderTable::holdings(const Json& state, const Catalogue& texts) const {
  Lines lines;
  std::string last;
  for (const Json& card : state.at("hand")) {
    const auto id = card.get<std::string>();
    if (id == last) continue;
    lines.push_back(texts.say("card." + id) + " (" + id + "): " + texts.say("card-text." + id));
    last = id;
  }
  return lines;
}

// What a unit can do: the note on it, else its keywords.
std::string CompanyCommanderTable::abilities(const Catalogue& texts, const cc::UnitKind& kind) const {
  if (texts.has("unit-note." + kind.id)) return texts.say("unit-note." + kind.id);
  Lines words;
  for (int k = 0; k < cc::keyword_count; ++k) {
    if (has(kind.keywords, k)) words.push_back(texts.say("keyword." + std::string(cc::word_of(static_cast<cc::Keyword>(k)))));
  }
  return words.empty() ? "" : joined_with(words, ", ") + ".";
}

// A unit of either company, wherever it is, all units of a kind, or a card, by id or name.
Lines CompanyCommanderTable::look(const Json& state, const Catalogue& texts, const std::string& what, int columns, const Paint&,
                                  bool plain) const {
  const auto shown = [&](const std::string& told) { return plain ? Lines{told} : wrapped(told, columns, 2); };
  const std::string wanted = folded(what), name = folded(name_of_unit(texts, wanted));
  Lines lines;
  for (const std::size_t seat : {std::size_t{0}, std::size_t{1}}) {
    const cc::Company& company = scenario_.companies[seat];
    for (const Unit& unit : units(state, texts, seat)) {
      if (folded(unit.name) != name && folded(texts.say("unit." + unit.kind->id)) != wanted) continue;
      const bool on_table = std::find(fronts.begin(), fronts.end(), unit.at) != fronts.end();
      const std::string place = on_table ? ", " + front_title(texts, unit.at) : unit.at == "drawn" ? ", " + texts.say("view.waiting") : "";
      for (std::string& line :
           shown(texts.say("seat." + company.id) + place + ": " + told_unit(unit, texts) + ". " + abilities(texts, *unit.kind)))
        lines.push_back(std::move(line));
    }
  }
  for (const cc::CardKind& card : scenario_.cards) {
    const std::string title = texts.say("card." + card.id);
    if (wanted == card.id || wanted == folded(title)) return shown(title + " (" + card.id + "): " + texts.say("card-text." + card.id));
  }
  return lines;
}

std::string CompanyCommanderTable::chapter(const Json& state) const { return state.at("round").dump() + state.at("active").dump(); }

}  // namespace baton::app
