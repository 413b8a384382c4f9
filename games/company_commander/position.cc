// Saved positions and views as JSON. A position is checked as a whole before the rules see it.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "games/company_commander/notation.h"
#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {
namespace {

constexpr std::array<std::string_view, step_count> step_words = {"deploy",          "move-reaction",
                                                                 "deploy-window",   "tactics",
                                                                 "tactics-window",  "discard",
                                                                 "recon",           "spotted-reaction",
                                                                 "recon-reward",    "suppression-window",
                                                                 "suppression",     "fog-reaction",
                                                                 "roll-reaction",   "declare",
                                                                 "block",           "combat-order",
                                                                 "combat-cards",    "defenders-fire",
                                                                 "attackers-fire",  "rally",
                                                                 "shaken-reaction", "extra-rally",
                                                                 "end-discard",     "over"};

struct Mark {
  std::string_view word;
  UnitSet Force::*set;
};
const std::array<Mark, 15> marks = {{{"fresh", &Force::fresh},
                                     {"moved", &Force::moved},
                                     {"halted", &Force::halted},
                                     {"on-mission", &Force::on_mission},
                                     {"suppressed", &Force::suppressed},
                                     {"assaulted", &Force::assaulted},
                                     {"green", &Force::green},
                                     {"barred-assault", &Force::barred_assault},
                                     {"may-assault", &Force::may_assault},
                                     {"may-suppress", &Force::may_suppress},
                                     {"anti-tank", &Force::anti_tank},
                                     {"rolled-rally", &Force::rolled_rally},
                                     {"helped-rally", &Force::helped_rally},
                                     {"out-of-ammo", &Force::out_of_ammo},
                                     {"broken-down", &Force::broken_down}}};

// --- Writing ---------------------------------------------------------------------------------------------------------

std::string unit_word(const Scenario& sc, int seat, int unit) { return spell(sc, kind::unit, unit_number(seat, unit)); }

std::optional<std::string> unit_or_null(const Scenario& sc, int seat, std::uint8_t unit) {
  return unit < max_units ? std::optional(unit_word(sc, seat, unit)) : std::nullopt;
}

std::optional<std::string_view> front_or_null(std::uint8_t front) {
  return front < front_count ? std::optional(front_words[front]) : std::nullopt;
}

std::optional<std::string_view> company_or_null(const Scenario& sc, int seat) {
  return seat >= 0 && seat < seat_count ? std::optional<std::string_view>(sc.companies[at(seat)].id) : std::nullopt;
}

void add_fronts(std::string_view key, FrontSet fronts, JsonText& out) {
  out.list(key, [&] {
    for (const int front : each(fronts)) out.add(front_words[at(front)]);
  });
}

void add_units(const Scenario& sc, std::string_view key, int seat, UnitSet units, JsonText& out) {
  out.list(key, [&] {
    for (const int unit : each(units)) out.add(unit_word(sc, seat, unit));
  });
}

void write_combat(const Scenario& sc, const Table& t, JsonText& out) {
  const Combat& c = t.combat;
  out.add("front", front_or_null(c.front));
  out.object("against", [&] {
    for (int front = 0; front < front_count; ++front) {
      for (const int unit : each(c.against[at(front)])) out.add(unit_word(sc, t.active, unit), front_words[at(front)]);
    }
  });
  add_units(sc, "stopped_by_fog", t.active, c.stopped_by_fog, out);
  add_fronts("to_resolve", c.to_resolve, out);
  out.add("attacker_dice", c.side_dice[0]);
  out.add("defender_dice", c.side_dice[1]);
  const auto each_unit = [&](const auto& visit) {
    for (int side = 0; side < 2; ++side) {
      const int seat = side == 0 ? t.active : other(t.active);
      for (const int unit : each(sc.companies[at(seat)].all)) visit(side, seat, unit);
    }
  };
  out.object("unit_dice", [&] {
    each_unit([&](int side, int seat, int unit) {
      const int dice = c.unit_dice[at(side)][at(unit)];
      if (dice != 0) out.add(unit_word(sc, seat, unit), dice);
    });
  });
  out.object("volley", [&] {
    each_unit([&](int side, int seat, int unit) {
      if (!has(c.to_fire[at(side)], unit)) return;
      out.object(unit_word(sc, seat, unit), [&] {
        out.add("dice", c.dice[at(side)][at(unit)]);
        out.add("modifier", c.modifier[at(side)][at(unit)]);
      });
    });
  });
  add_units(sc, "silenced", t.active, c.silenced, out);
  out.add("mines", c.mines);
  out.add("simultaneous", c.simultaneous);
  out.add("firing", c.firing);
}

void write_unit(const Force& f, int unit, JsonText& out) {
  const int front = front_of(f, unit);
  out.add("at", has(f.deck, unit) ? "deck" : has(f.drawn, unit) ? "drawn" : front == no_front ? "removed" : front_words[at(front)]);
  if (front != no_front) {
    out.add("pins", f.pins[at(unit)]);
    out.add("casualties", f.casualties[at(unit)]);
    out.add("dice", f.turn_dice[at(unit)]);
  }
  // A unit removed in simultaneous fire keeps its anti-tank until it has fired (R45).
  const auto bears = [&](const Mark& mark) { return has(f.*mark.set, unit); };
  if (front == no_front && std::none_of(marks.begin(), marks.end(), bears)) return;
  out.list("marks", [&] {
    for (const Mark& mark : marks) {
      if (bears(mark)) out.add(mark.word);
    }
  });
}

void write_barrage(const Scenario& sc, const Table& t, JsonText& out) {
  const Barrage& b = t.barrage;
  out.add("shooter", unit_or_null(sc, t.active, b.shooter));
  out.add("card", b.card == no_card ? std::nullopt : std::optional(spell(sc, kind::card, b.card)));
  out.add("front", front_or_null(b.front));
  out.add("rolls_left", b.rolls_left);
  out.add("dice", b.dice);
  out.add("modifier", b.modifier);
  out.add("result", b.result == 0 ? "nothing" : b.result == 1 ? "pin" : "casualty");
}

// The members that saves and views have in common.
void write_table(const Scenario& sc, const Table& t, JsonText& out) {
  out.add("round", t.round);
  out.add("step", step_words[static_cast<std::size_t>(t.step)]);
  out.add("active", sc.companies[t.active].id);
  out.add("chooser", sc.companies[t.chooser].id);
  out.add("starter", sc.companies[t.starter].id);
  out.add("passes", t.passes);
  out.object("kills", [&] {
    for (int seat = 0; seat < seat_count; ++seat) out.add(sc.companies[at(seat)].id, t.force[at(seat)].kills);
  });
  out.object("units", [&] {
    for (int seat = 0; seat < seat_count; ++seat) {
      for (const int unit : each(sc.companies[at(seat)].all)) {
        out.object(unit_word(sc, seat, unit), [&] { write_unit(t.force[at(seat)], unit, out); });
      }
    }
  });
  out.add("headquarters_used", t.headquarters_used);
  out.add("suppression_begun", t.suppression_begun);
  out.add("stand_in_front", front_or_null(t.stand_in_front));
  out.object("fire_direction", [&] {
    for (int front = 0; front < front_count; ++front) out.add(front_words[at(front)], t.fire_direction[at(front)]);
  });
  add_fronts("fogged", t.fogged, out);
  out.add("unit", unit_or_null(sc, t.active, t.unit));
  out.add("front", front_or_null(t.front));
  out.add("modifier", t.modifier);
  out.object("barrage", [&] { write_barrage(sc, t, out); });
  out.object("combat", [&] { write_combat(sc, t, out); });
  out.add("winner", company_or_null(sc, t.winner));
  out.add("reason", reasons()[static_cast<std::size_t>(t.reason)]);
}

// "smoke-2": cards by copy, for saves; views name only the kind.
std::string card_word(const Scenario& sc, int card) {
  const int number = sc.card_kind[at(card)];
  const int copy = card - std::countr_zero(sc.copies[at(number)]) + 1;
  return sc.cards[at(number)].id + "-" + std::to_string(copy);
}

void add_cards(const Scenario& sc, std::string_view key, CardSet cards, JsonText& out) {
  out.list(key, [&] {
    for (const int card : each(cards)) out.add(sc.cards[sc.card_kind[at(card)]].id);
  });
}

// --- Reading ---------------------------------------------------------------------------------------------------------

// Reads one JSON object; remembers the first problem and goes on with harmless values.
class Reader {
 public:
  explicit Reader(const Scenario& sc) : sc_(sc) {}

  const std::optional<Problem>& problem() const { return problem_; }
  void wrong(const std::string& where, const std::string& what) {
    if (!problem_) problem_ = Problem{"position, " + where, what};
  }

  const Json* object(const Json& json, const std::string& where) {
    if (json.is_object()) return &json;
    wrong(where, "must be a table.");
    return nullptr;
  }
  template <class Number>
  void number(const Json& json, const std::string& key, Number& into, int least, int most) {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return;
    if (!found->is_number_integer() || found->get<std::int64_t>() < least || found->get<std::int64_t>() > most ||
        (found->is_number_unsigned() && found->get<std::uint64_t>() > static_cast<std::uint64_t>(most))) {
      wrong(key, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ".");
      return;
    }
    into = static_cast<Number>(found->get<int>());
  }
  void flag(const Json& json, const std::string& key, bool& into) {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return;
    if (!found->is_boolean()) {
      wrong(key, "must be true or false.");
      return;
    }
    into = found->get<bool>();
  }
  // A thing of the game, or nothing where the key is missing or null.
  std::optional<int> thing(const Json& json, const std::string& key, Kind kind, std::string_view what) {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return std::nullopt;
    return as_thing(*found, key, kind, what);
  }
  std::optional<int> as_thing(const Json& json, const std::string& where, Kind kind, std::string_view what) {
    if (json.is_string()) {
      if (auto value = read(sc_, kind, json.get_ref<const std::string&>())) return value;
    }
    wrong(where, json.dump(-1, ' ', false, Json::error_handler_t::replace) + " is not " + std::string(what) + ".");
    return std::nullopt;
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
      if (auto unit = own_unit(item, key, seat)) set |= bit(*unit);
    });
    return set;
  }
  std::optional<int> own_unit(const Json& json, const std::string& where, int seat) {
    const auto unit = as_thing(json, where, kind::unit, "a unit");
    if (!unit) return std::nullopt;
    if (*unit / max_units != seat) {
      wrong(where, "must be a unit of " + sc_.companies[at(seat)].id + ".");
      return std::nullopt;
    }
    return *unit % max_units;
  }
  template <class Visit>
  void list(const Json& json, const std::string& key, Visit visit) {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return;
    if (!found->is_array()) {
      wrong(key, "must be a list.");
      return;
    }
    for (const Json& item : *found) visit(item);
  }
  void only(const Json& json, const std::string& where, const std::vector<std::string_view>& keys) {
    for (const auto& [key, value] : json.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) wrong(where.empty() ? key : where + "." + key, "is not known here.");
    }
  }

 private:
  const Scenario& sc_;
  std::optional<Problem> problem_;
};

void read_units(const Scenario& sc, const Json& json, State& s, Reader& reader) {
  for (const auto& [word, entry] : json.items()) {
    const auto number = read(sc, kind::unit, word);
    if (!number || !reader.object(entry, "units." + word)) {
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
  if (auto front = reader.thing(json, "front", kind::front, "a front")) c.front = static_cast<std::uint8_t>(*front);
  if (json.contains("against") && reader.object(json["against"], "combat.against")) {
    for (const auto& [word, target] : json["against"].items()) {
      const auto unit = reader.own_unit(Json(word), "combat.against", s.active);
      const auto front = reader.as_thing(target, "combat.against." + word, kind::front, "a front");
      if (unit && front) c.against[at(*front)] |= bit(*unit);
    }
  }
  c.stopped_by_fog = reader.units(json, "stopped_by_fog", s.active);
  c.to_resolve = reader.fronts(json, "to_resolve");
  reader.number(json, "attacker_dice", c.side_dice[0], -100, 100);
  reader.number(json, "defender_dice", c.side_dice[1], -100, 100);
  const auto by_unit = [&](const std::string& key, const auto& take) {
    if (!json.contains(key) || !reader.object(json[key], "combat." + key)) return;
    for (const auto& [word, value] : json[key].items()) {
      const auto number = read(sc, kind::unit, word);
      if (!number) {
        reader.wrong("combat." + key + "." + word, "there is no such unit in this scenario.");
        continue;
      }
      take(*number / max_units == s.active ? std::size_t{0} : std::size_t{1}, at(*number % max_units), value);
    }
  };
  by_unit("unit_dice", [&](std::size_t side, std::size_t unit, const Json& value) {
    reader.number(Json{{"dice", value}}, "dice", c.unit_dice[side][unit], -100, 100);
  });
  by_unit("volley", [&](std::size_t side, std::size_t unit, const Json& value) {
    if (!reader.object(value, "combat.volley")) return;
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
  if (json.contains("cards") && reader.object(json["cards"], "cards")) {
    for (const auto& [word, place] : json["cards"].items()) {
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

Json save(const Scenario& sc, const State& s) {
  JsonText out;
  out.object([&] {
    write_table(sc, s, out);
    out.object("cards", [&] {
      for (const int card : each(sc.all_cards)) {
        out.add(card_word(sc, card), has(s.hand[0], card)   ? sc.companies[0].id
                                     : has(s.hand[1], card) ? sc.companies[1].id
                                     : has(s.discard, card) ? "discard"
                                                            : "deck");
      }
    });
    out.list("seen", [&] {
      for (const int card : each(s.seen[0] | s.seen[1])) out.add(card_word(sc, card));
    });
  });
  return out.read();
}

Expected<State> restore(const Scenario& sc, const Json& json) {
  Reader reader(sc);
  State s;
  if (!reader.object(json, "the whole")) return tl::make_unexpected(*reader.problem());
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
  if (json.contains("step")) {
    const auto step = std::find_if(step_words.begin(), step_words.end(), [&](std::string_view word) { return json["step"] == word; });
    if (step == step_words.end()) {
      reader.wrong("step", "is not a step of the turn.");
    } else {
      s.step = static_cast<Step>(step - step_words.begin());
    }
  }
  for (const auto& [key, into] : {std::pair{"active", &s.active}, std::pair{"chooser", &s.chooser}, std::pair{"starter", &s.starter}}) {
    if (auto seat = reader.thing(json, key, kind::seat, "a seat")) *into = static_cast<std::uint8_t>(*seat);
  }
  for (int seat = 0; seat < seat_count; ++seat) s.force[at(seat)].deck = sc.companies[at(seat)].all;
  if (json.contains("kills") && reader.object(json["kills"], "kills")) {
    for (int seat = 0; seat < seat_count; ++seat) reader.number(json["kills"], sc.companies[at(seat)].id, s.force[at(seat)].kills, 0, 255);
    reader.only(json["kills"], "kills", {sc.companies[0].id, sc.companies[1].id});
  }
  if (json.contains("units") && reader.object(json["units"], "units")) read_units(sc, json["units"], s, reader);
  reader.flag(json, "headquarters_used", s.headquarters_used);
  reader.flag(json, "suppression_begun", s.suppression_begun);
  if (auto front = reader.thing(json, "stand_in_front", kind::front, "a front")) s.stand_in_front = static_cast<std::uint8_t>(*front);
  if (json.contains("fire_direction") && reader.object(json["fire_direction"], "fire_direction")) {
    for (int front = 0; front < front_count; ++front)
      reader.number(json["fire_direction"], spell(sc, kind::front, front), s.fire_direction[at(front)], -100, 100);
    reader.only(json["fire_direction"], "fire_direction", {"left", "center", "right"});
  }
  s.fogged = reader.fronts(json, "fogged");
  if (json.contains("unit") && !json["unit"].is_null()) {
    if (auto unit = reader.own_unit(json["unit"], "unit", s.active)) s.unit = static_cast<std::uint8_t>(*unit);
  }
  if (auto front = reader.thing(json, "front", kind::front, "a front")) s.front = static_cast<std::uint8_t>(*front);
  reader.number(json, "modifier", s.modifier, -100, 100);
  if (json.contains("barrage") && reader.object(json["barrage"], "barrage")) {
    const Json& barrage = json["barrage"];
    Barrage& b = s.barrage;
    reader.only(barrage, "barrage", {"shooter", "card", "front", "rolls_left", "dice", "modifier", "result"});
    if (barrage.contains("shooter") && !barrage["shooter"].is_null()) {
      if (auto unit = reader.own_unit(barrage["shooter"], "barrage.shooter", s.active)) b.shooter = static_cast<std::uint8_t>(*unit);
    }
    if (auto number = reader.thing(barrage, "card", kind::card, "a card")) b.card = static_cast<std::uint8_t>(*number);
    if (auto front = reader.thing(barrage, "front", kind::front, "a front")) b.front = static_cast<std::uint8_t>(*front);
    reader.number(barrage, "rolls_left", b.rolls_left, 0, 20);
    reader.number(barrage, "dice", b.dice, 1, 20);
    reader.number(barrage, "modifier", b.modifier, -100, 100);
    if (barrage.contains("result")) {
      b.result = barrage["result"] == "pin" ? 1 : barrage["result"] == "casualty" ? 2 : 0;
      if (b.result == 0 && barrage["result"] != "nothing") reader.wrong("barrage.result", "must be nothing, pin or casualty.");
    }
  }
  if (json.contains("combat") && reader.object(json["combat"], "combat")) read_combat(sc, json["combat"], s, reader);
  if (auto seat = reader.thing(json, "winner", kind::seat, "a seat")) s.winner = static_cast<std::int8_t>(*seat);
  if (auto reason = reader.thing(json, "reason", kind::reason, "a reason")) s.reason = static_cast<Reason>(*reason);
  read_cards(sc, json, s, reader);
  if (reader.problem()) return tl::make_unexpected(*reader.problem());
  if (auto why = impossible(sc, s)) return problem("position", *why);
  return s;
}

void view(const Scenario& sc, const Knowledge& k, JsonText& out) {
  out.object([&] {
    write_table(sc, k, out);
    out.add("viewer", company_or_null(sc, k.viewer));
    out.object("hands", [&] {
      for (int seat = 0; seat < seat_count; ++seat) out.add(sc.companies[at(seat)].id, k.hand_size[at(seat)]);
    });
    add_cards(sc, "hand", k.hand, out);
    add_cards(sc, "hand_seen", k.seen, out);
    add_cards(sc, "enemy_hand_known", k.enemy, out);
    out.add("deck", k.deck_size);
    add_cards(sc, "discard", k.discard, out);
  });
}

}  // namespace baton::company_commander
