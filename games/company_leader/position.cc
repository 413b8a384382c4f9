// Saved positions and views as JSON; position_read.cc reads them back.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "games/company_leader/notation.h"
#include "games/company_leader/odds.h"
#include "games/company_leader/position_parts.h"

namespace baton::company_leader {

std::array<Origins, most_seats> plain_origins(const Scenario& sc, const State& s) {
  std::array<Origins, most_seats> origins{};
  for (int seat = 0; seat < sc.seat_count() && s.step != Step::set_up; ++seat) {
    for (const int f : hidden_of(s, seat)) {
      if (s.shown[at(f)] != unknown_kind) continue;
      Origin& set_up = origins[at(seat)][0];
      set_up.in_use = true;
      if (s.kind[at(f)] != 0) ++set_up.certain[s.kind[at(f)]];
    }
  }
  return origins;
}

namespace {

std::optional<std::string_view> field_or_null(const Scenario& sc, std::uint8_t field) {
  return field < sc.board.fields ? std::optional<std::string_view>(sc.board.name[field]) : std::nullopt;
}

void add_fields(const Scenario& sc, std::string_view key, FieldSet fields, JsonText& out) {
  out.list(key, [&] {
    for (const int f : fields) out.add(sc.board.name[at(f)]);
  });
}

void add_seats(const Scenario& sc, std::string_view key, std::uint8_t seats, JsonText& out) {
  out.list(key, [&] {
    for (int seat = 0; seat < sc.seat_count(); ++seat) {
      if (has_seat(seats, seat)) out.add(sc.seats[at(seat)].id);
    }
  });
}

void add_army(std::string_view key, const Army& army, JsonText& out) {
  out.object(key, [&] {
    for (int k = first_troop; k < kind_count; ++k) {
      if (army[at(k)] != 0) out.add(piece_words[at(k)], army[at(k)]);
    }
  });
}

void add_purchase(const Scenario& sc, const Table& t, const Purchase& p, JsonText& out) {
  out.object("purchase", [&] {
    add_army("bought", p.bought, out);
    add_army("lifted", p.lifted, out);
    out.add("spent", p.spent);
    out.add("placing", p.placing);
    out.object("put", [&] {
      const FieldSet all = sc.sides[sc.side_of[t.active]].purchase;
      for (const int f : all) {
        const auto rank = at(rank_of(all, f));
        if (p.put[rank] == 0) continue;
        if (p.put[rank] == left_empty) {
          out.add(sc.board.name[at(f)], "empty");
          continue;
        }
        out.object(sc.board.name[at(f)], [&] {
          out.add("piece", piece_words[at(p.put[rank] - 1)]);
          out.add("facing", spell(sc, kind::facing, p.facing[rank]));
        });
      }
    });
  });
}

// The pieces with the kinds that the reader may know; `more` adds to what is said of a piece.
template <class More>
void add_pieces(const Scenario& sc, const Table& t, const std::array<std::uint8_t, max_fields>& kinds, JsonText& out, const More& more) {
  out.object("fields", [&] {
    for (int f = 0; f < sc.board.fields; ++f) {
      const int owner = owner_of(t, f);
      if (owner < 0) continue;
      out.object(sc.board.name[at(f)], [&] {
        const int kind = kinds[at(f)];
        out.add("owner", sc.seats[at(owner)].id);
        out.add("piece", kind == unknown_kind ? "unknown" : piece_words[at(kind)]);
        if (t.revealed.has(f)) {
          out.add("revealed", true);
          out.add("facing", spell(sc, kind::facing, facing_of(t, f)));
          out.add("strength", strength_of(t, f));
        } else if (t.shown[at(f)] != unknown_kind) {
          out.add("known", true);
        } else if (t.stand[at(f)] != 0) {
          out.add("origin", t.stand[at(f)]);
        }
        const auto bears = [&](const Mark& mark) { return (t.*mark.set).has(f); };
        if (std::any_of(marks.begin(), marks.end(), bears)) {
          out.list("marks", [&] {
            for (const Mark& mark : marks) {
              if (bears(mark)) out.add(mark.word);
            }
          });
        }
        more(f);
      });
    }
  });
}

// The members that saves and views have in common.
void write_table(const Scenario& sc, const Table& t, JsonText& out) {
  out.add("round", t.round);
  out.add("step", step_words[static_cast<std::size_t>(t.step)]);
  out.add("after_facing", step_words[static_cast<std::size_t>(t.after_facing)]);
  out.add("active", sc.seats[t.active].id);
  out.add("chooser", sc.seats[t.chooser].id);
  out.add("first", sc.seats[t.first].id);
  add_seats(sc, "ready", t.ready, out);
  add_seats(sc, "out", t.out, out);
  out.add("quiet", t.quiet);
  out.add("stirred", t.stirred);
  out.object("coins", [&] {
    for (int side = 0; side < sc.side_count(); ++side) out.add(team_of(sc, side), t.coins[at(side)]);
  });
  out.add("repair_coins", t.repair_coins);
  out.object("acting", [&] {
    const Activation& a = t.acting;
    out.add("field", field_or_null(sc, a.field));
    out.add("slots", a.slots);
    out.add("from", field_or_null(sc, a.from));
    out.add("direction", spell(sc, kind::facing, a.direction));
    out.add("target", field_or_null(sc, a.target));
    out.add("shot", a.shot);
  });
  out.add("scout", field_or_null(sc, t.scout));
  out.object("objectives", [&] {
    for (std::size_t i = 0; i < sc.objectives.size(); ++i) {
      out.object(sc.objectives[i].id, [&] {
        out.add("at", field_or_null(sc, t.objective_at[i]));
        out.add("carried", has_seat(t.carried, static_cast<int>(i)));
      });
    }
  });
  out.add("reason", reasons()[static_cast<std::size_t>(t.reason)]);
  out.object("score", [&] {
    for (int seat = 0; seat < sc.seat_count(); ++seat) out.add(sc.seats[at(seat)].id, t.score[at(seat)]);
  });
}

void write_origin(const Origin& o, JsonText& out) {
  add_army("certain", o.certain, out);
  add_army("shown", o.shown, out);
  out.add("coins", o.coins);
  out.object("lifted", [&] {
    for (int from = 0; from < origin_count; ++from) {
      if (o.lifted[at(from)] != 0) out.add(std::to_string(from), o.lifted[at(from)]);
    }
  });
}

// The chance that an unknown piece of this origin is a troop; nothing where the viewer knows better or no piece is left.
std::optional<TroopChance> chance_to_show(const Scenario& sc, const Knowledge& k, TroopChances& chances, int seat, int origin) {
  if (knows_pieces_of(sc, k, k.viewer, seat)) return std::nullopt;
  const bool has_pieces = k.step == Step::set_up ? origin == 0 : k.origins[at(seat)][at(origin)].in_use && chances.pieces(seat, origin) > 0;
  return has_pieces ? std::optional(chances.of(sc, k, seat, origin)) : std::nullopt;
}

}  // namespace

Json save(const Scenario& sc, const State& s) {
  JsonText out;
  const auto by_seat = [&](std::string_view key, const auto& add) {
    out.object(key, [&] {
      for (int seat = 0; seat < sc.seat_count(); ++seat) add(sc.seats[at(seat)].id, seat);
    });
  };
  out.object([&] {
    write_table(sc, s, out);
    out.add("turn", s.turn);
    add_pieces(sc, s, s.kind, out, [](int) {});
    if (s.step == Step::set_up) {
      by_seat("hands", [&](const std::string& id, int seat) { add_army(id, s.hand[at(seat)], out); });
      by_seat("purses", [&](const std::string& id, int seat) { out.add(id, s.purse[at(seat)]); });
      by_seat("shuffle", [&](const std::string& id, int seat) {
        out.list(id, [&] {
          for (int part = 3; part >= 0; --part) out.add(s.shuffle[at(seat)] >> (16 * part) & 0xffff);
        });
      });
    }
    if (s.step == Step::purchase) add_purchase(sc, s, s.purchase, out);
    if (s.origins != plain_origins(sc, s)) {
      by_seat("origins", [&](const std::string& id, int seat) {
        out.object(id, [&] {
          for (int o = 0; o < origin_count; ++o) {
            const Origin& origin = s.origins[at(seat)][at(o)];
            if (origin.in_use) out.object(std::to_string(o), [&] { write_origin(origin, out); });
          }
        });
      });
    }
    bool held_now = true;
    for (int side = 0; side < sc.side_count(); ++side)
      held_now = held_now && s.held[at(side)] == (s.step == Step::set_up ? FieldSet{} : urban_held(sc, s, side));
    if (!held_now) {
      out.object("held", [&] {
        for (int side = 0; side < sc.side_count(); ++side) add_fields(sc, team_of(sc, side), s.held[at(side)], out);
      });
    }
  });
  return out.read();
}

void view(const Scenario& sc, const Knowledge& k, TroopChances& chances, JsonText& out) {
  chances.look_at(sc, k);
  const bool sits = k.viewer < sc.seat_count();
  out.object([&] {
    write_table(sc, k, out);
    out.add("viewer", sits ? std::optional<std::string_view>(sc.seats[k.viewer].id) : std::nullopt);
    add_pieces(sc, k, k.kind, out, [&](int f) {
      if (!k.revealed.has(f)) return;
      // R23, R27: what a revealed troop sees and where it can fire is for all to see.
      add_fields(sc, "sees", sc.seen_from(k.kind[at(f)], f, facing_of(k, f)), out);
      add_fields(sc, "hits", sc.hit_from(k.kind[at(f)], f, facing_of(k, f)), out);
    });
    out.add_written("board", sc.board_shown);
    out.object("sides", [&] {
      for (int side = 0; side < sc.side_count(); ++side) {
        out.object(team_of(sc, side), [&] {
          add_seats(sc, "seats", sc.sides[at(side)].members, out);
          out.add("urban", urban_held(sc, k, side).size());
          out.add("income", income_of(sc, k, side));
        });
      }
    });
    if (sits) add_fields(sc, "in_enemy_view", observed(sc, k, k.viewer), out);
    if (k.step == Step::set_up && sits) {
      add_army("hand", k.hand, out);
      out.add("purse", k.purse);
    }
    if (k.step == Step::purchase && sits && !sc.hostile(k.viewer, k.active)) add_purchase(sc, k, k.purchase, out);
    out.object("remembered", [&] {
      for (int seat = 0; seat < sc.seat_count(); ++seat) {
        out.object(sc.seats[at(seat)].id, [&] {
          for (int o = 0; o < origin_count; ++o) {
            const Origin& origin = k.origins[at(seat)][at(o)];
            const auto chance = chance_to_show(sc, k, chances, seat, o);
            if (!origin.in_use && !chance) continue;
            out.object(std::to_string(o), [&] {
              if (origin.in_use) write_origin(origin, out);
              if (!chance) return;
              out.add("troop_chance", std::round(chance->chance * 10000) / 10000);
              out.add("exact", chance->exact);
            });
          }
        });
      }
    });
  });
}

void view(const Scenario& sc, const Knowledge& k, JsonText& out) {
  TroopChances chances;
  view(sc, k, chances, out);
}

}  // namespace baton::company_leader
