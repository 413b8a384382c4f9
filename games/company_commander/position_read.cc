// Reads saved positions. A position is checked as a whole before the rules see it.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/position_reader.h"
#include "games/company_commander/notation.h"
#include "games/company_commander/position_parts.h"

namespace baton::company_commander {
namespace {

class Reader : public PositionReader {
 public:
  explicit Reader(const Scenario& sc) : PositionReader([&sc](Kind kind, std::string_view word) { return read(sc, kind, word); }), sc_(sc) {}

  template <class Small>
  void front(const Json& json, const std::string& key, Small& into) {
    thing(json, key, kind::front, "a front", into);
  }
  FrontSet fronts(const Json& json, const std::string& key) {
    FrontSet set = 0;
    list(json, key, [&](const Json& item) {
      if (auto front = as_thing(item, key, kind::front, "a front")) set |= front_bit(*front);
    });
    return set;
  }
  UnitSet units(const Json& json, const std::string& key, int seat) {
    UnitSet set = 0;
    list(json, key, [&](const Json& item) {
      if (auto unit = as_own_unit(item, key, seat)) set |= bit(*unit);
    });
    return set;
  }
  template <class Small>
  void own_unit(const Json& json, const std::string& key, int seat, Small& into) {
    const Json* found = value(json, key);
    if (found == nullptr) return;
    if (const auto unit = as_own_unit(*found, key, seat)) into = static_cast<Small>(*unit);
  }
  std::optional<int> as_own_unit(const Json& json, const std::string& where, int seat) {
    const auto unit = as_thing(json, where, kind::unit, "a unit");
    if (!unit) return std::nullopt;
    if (*unit / max_units != seat) {
      wrong(where, "must be a unit of " + sc_.companies[at(seat)].id + ".");
      return std::nullopt;
    }
    return *unit % max_units;
  }

 private:
  const Scenario& sc_;
};

void read_units(const Scenario& sc, const Json& json, State& s, Reader& reader) {
  for (const auto& [word, entry] : json.items()) {
    const auto number = read(sc, kind::unit, word);
    if (!number || !reader.is_object(entry, "units." + word)) {
      reader.wrong("units." + word, "there is no such unit in this scenario.");
      return;
    }
    reader.only(entry, "units." + word, {"at", "pins", "casualties", "dice", "marks"});
    const int seat = *number / max_units, unit = *number % max_units;
    Force& f = s.force[at(seat)];
    for (UnitSet* place : {&f.deck, &f.drawn, &f.at[0], &f.at[1], &f.at[2]}) *place &= ~bit(unit);
    const std::string where = entry.contains("at") && entry["at"].is_string() ? entry["at"].get<std::string>() : "";
    if (where == "deck") {
      f.deck |= bit(unit);
    } else if (where == "drawn") {
      f.drawn |= bit(unit);
    } else if (const auto front = read(sc, kind::front, where)) {
      f.at[at(*front)] |= bit(unit);
    } else if (where != "removed") {
      reader.wrong("units." + word + ".at", "must be deck, drawn, left, center, right or removed.");
    }
    reader.number(entry, "pins", f.pins[at(unit)], 0, 255);
    reader.number(entry, "casualties", f.casualties[at(unit)], 0, sc.companies[at(seat)].strength[at(unit)] - 1);
    reader.number(entry, "dice", f.turn_dice[at(unit)], -100, 100);
    if (f.pins[at(unit)] > 0) f.pinned |= bit(unit);
    reader.list(entry, "marks", [&, &name = word](const Json& item) {
      const auto mark = std::find_if(marks.begin(), marks.end(), [&](const Mark& m) { return item == m.word; });
      if (mark == marks.end()) {
        reader.wrong("units." + name + ".marks", "has a mark that is not known.");
      } else {
        f.*mark->set |= bit(unit);
      }
    });
    const bool marked =
        std::any_of(marks.begin(), marks.end(), [&](const Mark& m) { return m.set != &Force::anti_tank && has(f.*m.set, unit); });
    if (!has(f.on_table(), unit) && (marked || f.pins[at(unit)] != 0 || f.casualties[at(unit)] != 0 || f.turn_dice[at(unit)] != 0)) {
      reader.wrong("units." + word, "only a unit on the table has pins, casualties, dice or marks.");
    }
  }
}

void read_combat(const Scenario& sc, const Json& json, State& s, Reader& reader) {
  Combat& c = s.combat;
  reader.only(json, "combat",
              {"front", "against", "stopped_by_fog", "to_resolve", "attacker_dice", "defender_dice", "unit_dice", "volley", "silenced",
               "mines", "simultaneous", "firing"});
  reader.front(json, "front", c.front);
  if (const Json* against = reader.object(json, "against", "combat")) {
    for (const auto& [word, target] : against->items()) {
      const auto unit = reader.as_own_unit(Json(word), "combat.against", s.active);
      const auto front = reader.as_thing(target, "combat.against." + word, kind::front, "a front");
      if (unit && front) c.against[at(*front)] |= bit(*unit);
    }
  }
  c.stopped_by_fog = reader.units(json, "stopped_by_fog", s.active);
  c.to_resolve = reader.fronts(json, "to_resolve");
  reader.number(json, "attacker_dice", c.side_dice[0], -100, 100);
  reader.number(json, "defender_dice", c.side_dice[1], -100, 100);
  const auto by_unit = [&](const std::string& key, const auto& take) {
    const Json* table = reader.object(json, key, "combat");
    if (table == nullptr) return;
    for (const auto& [word, value] : table->items()) {
      const auto number = read(sc, kind::unit, word);
      if (!number) {
        reader.wrong("combat." + key + "." + word, "there is no such unit in this scenario.");
        continue;
      }
      take(*number / max_units == s.active ? std::size_t{0} : std::size_t{1}, at(*number % max_units), value);
    }
  };
  by_unit("unit_dice", [&](std::size_t side, std::size_t unit, const Json& value) {
    c.unit_dice[side][unit] = static_cast<std::int8_t>(reader.as_number(value, "combat.unit_dice", -100, 100).value_or(0));
  });
  by_unit("volley", [&](std::size_t side, std::size_t unit, const Json& value) {
    if (!reader.is_object(value, "combat.volley")) return;
    c.to_fire[side] |= bit(static_cast<int>(unit));
    c.dice[side][unit] = 1;
    reader.number(value, "dice", c.dice[side][unit], 1, 255);
    reader.number(value, "modifier", c.modifier[side][unit], -100, 100);
  });
  c.silenced = reader.units(json, "silenced", s.active);
  reader.number(json, "mines", c.mines, 0, 200);
  reader.flag(json, "simultaneous", c.simultaneous);
  reader.flag(json, "firing", c.firing);
}

void read_cards(const Scenario& sc, const Json& json, State& s, Reader& reader) {
  std::map<std::string, int> by_word;
  for (const int card : each(sc.all_cards)) by_word[card_word(sc, card)] = card;
  s.deck = sc.all_cards;
  if (const Json* cards = reader.object(json, "cards")) {
    for (const auto& [word, place] : cards->items()) {
      const auto card = by_word.find(word);
      if (card == by_word.end()) {
        reader.wrong("cards." + word, "there is no such card in this scenario.");
        continue;
      }
      s.deck &= ~bit<CardSet>(card->second);
      const std::string where = place.is_string() ? place.get<std::string>() : "";
      CardSet* into = where == "deck"               ? &s.deck
                      : where == "discard"          ? &s.discard
                      : where == sc.companies[0].id ? &s.hand[0]
                      : where == sc.companies[1].id ? &s.hand[1]
                                                    : nullptr;
      if (into == nullptr) {
        reader.wrong("cards." + word, "must be deck, discard, " + sc.companies[0].id + " or " + sc.companies[1].id + ".");
      } else {
        *into |= bit<CardSet>(card->second);
      }
    }
  }
  reader.list(json, "seen", [&](const Json& item) {
    const auto card = item.is_string() ? by_word.find(item.get<std::string>()) : by_word.end();
    if (card == by_word.end() || ((s.hand[0] | s.hand[1]) & bit<CardSet>(card->second)) == 0) {
      reader.wrong("seen", "must list cards that are in a hand.");
      return;
    }
    s.seen[has(s.hand[0], card->second) ? 0 : 1] |= bit<CardSet>(card->second);
  });
}

// Whether the rules can go on from here: what each step relies on.
std::optional<std::string> impossible(const Scenario& sc, const State& s) {
  const Force& own = mine(s);
  const Force& enemy = theirs(s);
  const Combat& c = s.combat;
  const Barrage& b = s.barrage;
  const bool others_choice = s.step == Step::move_reaction || s.step == Step::fog_reaction || s.step == Step::roll_reaction ||
                             s.step == Step::defenders_fire || s.step == Step::shaken_reaction;
  const bool window = s.step == Step::deploy_window || s.step == Step::tactics_window || s.step == Step::suppression_window ||
                      s.step == Step::block || s.step == Step::combat_cards;
  const auto on_table = [](const Force& f, std::uint8_t unit) { return unit < max_units && has(f.on_table(), unit); };

  if (s.step == Step::over) return s.reason == Reason::none ? std::optional("a game that is over needs a reason.") : std::nullopt;
  if (s.reason != Reason::none || s.winner >= 0) return "a game with a winner or reason must be at the step \"over\".";
  const bool counted_later = c.simultaneous && c.firing;  // R5, R45
  if (!counted_later && std::max(s.force[0].kills, s.force[1].kills) >= sc.figures.kills_to_win)
    return "with so many kills the game is over.";
  if (!window && s.chooser != (others_choice ? other(s.active) : s.active)) return "the other seat must choose at this step.";
  if (window && s.passes > 1) return "a window with two passes is closed.";
  if (!window && s.passes != 0) return "passes are counted only in a window.";
  if (own.drawn != 0 && s.step != Step::deploy && s.step != Step::move_reaction) return "drawn squads are placed in the deploy step.";
  if (enemy.drawn != 0) return "only the active seat has drawn squads.";
  if (s.fogged != 0 && (s.fogged & ~0b111) != 0) return "there are three fronts.";
  for (const Force& f : s.force) {  // R45: in simultaneous fire a removed unit keeps the mark until it has fired
    if ((f.anti_tank & ~f.on_table()) != 0 && !(c.simultaneous && c.firing)) return "only a unit on the table has marks.";
  }

  UnitSet seen = 0;
  for (int f = 0; f < front_count; ++f) {
    if ((seen & c.against[at(f)]) != 0 || (c.against[at(f)] & ~own.on_table()) != 0)
      return "an assaulting unit stands on the table and attacks one front.";
    if (c.against[at(f)] != 0 && enemy.at[at(f)] == 0) return "a front without units is not assaulted.";
    seen |= c.against[at(f)];
  }
  if ((c.stopped_by_fog & ~own.on_table()) != 0 || (c.silenced & ~own.on_table()) != 0) return "a unit of the combat is not on the table.";

  switch (s.step) {
    case Step::move_reaction:
      if (!on_table(own, s.unit) || s.front >= front_count || !adjacent(front_of(own, s.unit), s.front))
        return "the moving unit and its adjacent front are needed.";
      break;
    case Step::discard:
    case Step::end_discard:
      if (std::popcount(s.hand[s.active]) <= sc.figures.hand_limit) return "a discard needs more cards than the hand limit.";
      break;
    case Step::spotted_reaction:
      if (!on_table(own, s.unit) || b.result == 0) return "the spotted unit and the result of the roll are needed.";
      break;
    case Step::recon_reward:
      if (s.front >= front_count) return "the scouted front is needed.";
      break;
    case Step::fog_reaction:
    case Step::roll_reaction:
      if (b.front >= front_count || enemy.at[b.front] == 0) return "the suppression needs a target front with units.";
      if (b.shooter != no_unit && !on_table(own, b.shooter)) return "the suppressing unit is not on the table.";
      if (s.step == Step::roll_reaction && b.result == 0) return "the result of the roll is needed.";
      break;
    case Step::combat_order:
      if (std::popcount(c.to_resolve) < 2) return "the order of combats needs at least two of them.";
      break;
    case Step::combat_cards:
    case Step::defenders_fire:
    case Step::attackers_fire:
      if (c.front >= front_count) return "the front of the combat is needed.";
      if (s.step == Step::combat_cards && c.against[c.front] == 0) return "the combat needs attackers.";
      if (s.step == Step::combat_cards) break;
      if (!c.firing || c.to_fire[at(firing_side(s))] == 0) return "the firing units are needed.";
      break;
    case Step::rally:
      if ((own.pinned & own.on_table() & ~own.rolled_rally & ~own.green) == 0) return "there is no unit to rally.";
      break;
    case Step::shaken_reaction:
    case Step::extra_rally:
      if (!on_table(own, s.unit)) return "the rallying unit is needed.";
      break;
    default: break;
  }
  for (int f = 0; f < front_count; ++f) {
    if (has(c.to_resolve, f) && c.against[at(f)] == 0) return "a combat to come needs attackers.";
  }
  if (s.step != Step::combat_cards && s.step != Step::defenders_fire && s.step != Step::attackers_fire &&
      (c.firing || c.front < front_count)) {
    return "a combat is fought only at its own steps.";
  }
  return std::nullopt;
}

}  // namespace

Expected<State> restore(const Scenario& sc, const Json& json) {
  Reader reader(sc);
  State s;
  if (!reader.is_object(json, "the whole")) return tl::make_unexpected(*reader.problem());
  reader.only(json, "",
              {"round",
               "step",
               "active",
               "chooser",
               "starter",
               "passes",
               "kills",
               "units",
               "headquarters_used",
               "suppression_begun",
               "stand_in_front",
               "fire_direction",
               "fogged",
               "unit",
               "front",
               "modifier",
               "barrage",
               "combat",
               "winner",
               "reason",
               "cards",
               "seen"});
  reader.number(json, "round", s.round, 1, 1000);
  reader.number(json, "passes", s.passes, 0, 1);
  reader.word(json, "step", step_words, s.step);
  for (const auto& [key, into] : {std::pair{"active", &s.active}, std::pair{"chooser", &s.chooser}, std::pair{"starter", &s.starter}}) {
    reader.thing(json, key, kind::seat, "a seat", *into);
  }
  for (int seat = 0; seat < seat_count; ++seat) s.force[at(seat)].deck = sc.companies[at(seat)].all;
  if (const Json* kills = reader.object(json, "kills")) {
    for (int seat = 0; seat < seat_count; ++seat) reader.number(*kills, sc.companies[at(seat)].id, s.force[at(seat)].kills, 0, 255);
    reader.only(*kills, "kills", {sc.companies[0].id, sc.companies[1].id});
  }
  if (const Json* units = reader.object(json, "units")) read_units(sc, *units, s, reader);
  reader.flag(json, "headquarters_used", s.headquarters_used);
  reader.flag(json, "suppression_begun", s.suppression_begun);
  reader.front(json, "stand_in_front", s.stand_in_front);
  if (const Json* direction = reader.object(json, "fire_direction")) {
    for (int front = 0; front < front_count; ++front)
      reader.number(*direction, spell(sc, kind::front, front), s.fire_direction[at(front)], -100, 100);
    reader.only(*direction, "fire_direction", {"left", "center", "right"});
  }
  s.fogged = reader.fronts(json, "fogged");
  reader.own_unit(json, "unit", s.active, s.unit);
  reader.front(json, "front", s.front);
  reader.number(json, "modifier", s.modifier, -100, 100);
  if (const Json* barrage = reader.object(json, "barrage")) {
    Barrage& b = s.barrage;
    reader.only(*barrage, "barrage", {"shooter", "card", "front", "rolls_left", "dice", "modifier", "result"});
    reader.own_unit(*barrage, "shooter", s.active, b.shooter);
    reader.thing(*barrage, "card", kind::card, "a card", b.card);
    reader.front(*barrage, "front", b.front);
    reader.number(*barrage, "rolls_left", b.rolls_left, 0, 20);
    reader.number(*barrage, "dice", b.dice, 1, 20);
    reader.number(*barrage, "modifier", b.modifier, -100, 100);
    reader.word(*barrage, "result", result_words, b.result);
  }
  if (const Json* combat = reader.object(json, "combat")) read_combat(sc, *combat, s, reader);
  reader.thing(json, "winner", kind::seat, "a seat", s.winner);
  reader.thing(json, "reason", kind::reason, "a reason", s.reason);
  read_cards(sc, json, s, reader);
  if (reader.problem()) return tl::make_unexpected(*reader.problem());
  if (auto why = impossible(sc, s)) return problem("position", *why);
  return s;
}

}  // namespace baton::company_commander
