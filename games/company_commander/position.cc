// Saved positions and views as JSON; position_read.cc reads them back.
#include "games/company_commander/position_parts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "games/company_commander/notation.h"

namespace baton::company_commander {

std::string card_word(const Scenario& sc, int card) {
  const int number = sc.card_kind[at(card)];
  const int copy = card - std::countr_zero(sc.copies[at(number)]) + 1;
  return sc.cards[at(number)].id + "-" + std::to_string(copy);
}

namespace {

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
  out.add("result", result_words[b.result]);
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

void add_cards(const Scenario& sc, std::string_view key, CardSet cards, JsonText& out) {
  out.list(key, [&] {
    for (const int card : each(cards)) out.add(sc.cards[sc.card_kind[at(card)]].id);
  });
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
