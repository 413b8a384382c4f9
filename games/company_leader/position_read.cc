// Reads saved positions. A position is checked as a whole before the rules see it.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/position_reader.h"
#include "games/company_leader/notation.h"
#include "games/company_leader/position_parts.h"

namespace baton::company_leader {
namespace {

class Reader : public PositionReader {
 public:
  explicit Reader(const Scenario& sc) : PositionReader([&sc](Kind kind, std::string_view word) { return read(sc, kind, word); }) {}

  template <class Small>
  void field(const Json& json, const std::string& key, Small& into) {
    thing(json, key, kind::field, "a field of this board", into);
  }
  std::uint8_t seats(const Json& json, const std::string& key) {
    std::uint8_t set = 0;
    list(json, key, [&](const Json& item) {
      if (auto seat = as_thing(item, key, kind::seat, "a seat")) set |= seat_bit(*seat);
    });
    return set;
  }
  Army army(const Json& json, const std::string& key) {
    Army read_army{};
    if (const Json* found = object(json, key)) {
      for (int k = first_troop; k < kind_count; ++k) number(*found, std::string(piece_words[at(k)]), read_army[at(k)], 0, 255);
      only(*found, key, std::span(piece_words).subspan(1));
    }
    return read_army;
  }
};

void read_piece(const Scenario& sc, const std::string& name, const Json& json, State& s, Reader& reader) {
  const std::string where = "fields." + name;
  const auto field = read(sc, kind::field, name);
  if (!field) {
    reader.wrong(where, "there is no such field on this board.");
    return;
  }
  if (json == "empty") return;
  if (!json.is_object()) {
    reader.wrong(where, "must be a table, or \"empty\".");
    return;
  }
  reader.only(json, where, {"owner", "piece", "revealed", "facing", "strength", "known", "origin", "marks"});
  const auto owner = reader.thing(json, "owner", kind::seat, "a seat");
  const auto piece = reader.thing(json, "piece", kind::piece, "a playing piece");
  if (!owner || !piece) {
    reader.wrong(where, "needs an owner and a piece.");
    return;
  }
  const int f = *field;
  if (owner_of(s, f) >= 0) {
    reader.wrong(where, "is named twice.");
    return;
  }
  s.pieces[at(*owner)].insert(f);
  s.kind[at(f)] = static_cast<std::uint8_t>(*piece);
  if (*piece != 0) s.troops.insert(f);
  bool revealed = false, known = false;
  reader.flag(json, "revealed", revealed);
  reader.flag(json, "known", known);
  if (revealed) {
    if (*piece == 0) reader.wrong(where, "a dummy cannot be revealed.");
    const int full = sc.figures(*piece).strength;
    int strength = full;
    reader.number(json, "strength", strength, 1, std::max(full, 1));
    const int facing = reader.thing(json, "facing", kind::facing, "a direction on this board").value_or(0);
    s.revealed.insert(f);
    s.shown[at(f)] = static_cast<std::uint8_t>(*piece);
    s.stand[at(f)] = static_cast<std::uint8_t>(facing | strength << 3);
  } else {
    if (json.contains("facing") || json.contains("strength")) reader.wrong(where, "only a revealed troop has a facing and a strength.");
    s.shown[at(f)] = known ? static_cast<std::uint8_t>(*piece) : std::uint8_t{unknown_kind};
    int origin = 0;
    reader.number(json, "origin", origin, 0, origin_count - 1);
    if (known && origin != 0) reader.wrong(where, "a known piece has no origin.");
    s.stand[at(f)] = static_cast<std::uint8_t>(origin);
  }
  reader.list(json, "marks", [&](const Json& item) {
    const auto mark = std::find_if(marks.begin(), marks.end(), [&](const Mark& m) { return item == m.word; });
    if (mark == marks.end()) {
      reader.wrong(where + ".marks", "has a mark that is not known.");
    } else {
      (s.*mark->set).insert(f);
    }
  });
}

void read_origins(const Scenario& sc, const Json& json, State& s, Reader& reader) {
  for (const auto& [word, own] : json.items()) {
    const auto seat = read(sc, kind::seat, word);
    if (!seat || !own.is_object()) {
      reader.wrong("origins." + word, "must be a seat's table.");
      continue;
    }
    for (int o = 0; o < origin_count; ++o) {
      const Json* found = reader.object(own, std::to_string(o));
      if (found == nullptr) continue;
      Origin& origin = s.origins[at(*seat)][at(o)];
      origin.in_use = true;
      origin.certain = reader.army(*found, "certain");
      origin.shown = reader.army(*found, "shown");
      reader.number(*found, "coins", origin.coins, 0, 9999);
      if (const Json* lifted = reader.object(*found, "lifted")) {
        for (int from = 0; from < o; ++from) reader.number(*lifted, std::to_string(from), origin.lifted[at(from)], 0, 255);
      }
    }
  }
}

void read_purchase(const Scenario& sc, const Json& json, State& s, Reader& reader) {
  Purchase& p = s.purchase;
  reader.only(json, "purchase", {"bought", "lifted", "spent", "placing", "put"});
  p.bought = reader.army(json, "bought");
  p.lifted = reader.army(json, "lifted");
  reader.number(json, "spent", p.spent, 0, 9999);
  reader.flag(json, "placing", p.placing);
  const Json* put = reader.object(json, "put");
  if (put == nullptr) return;
  const FieldSet all = sc.sides[sc.side_of[s.active]].purchase;
  for (const auto& [name, item] : put->items()) {
    const auto field = read(sc, kind::field, name);
    if (!field || !all.has(*field)) {
      reader.wrong("purchase.put." + name, "is no purchase field of the active side.");
      continue;
    }
    const auto rank = at(rank_of(all, *field));
    if (item == "empty") {
      p.put[rank] = left_empty;
      continue;
    }
    p.put[rank] = static_cast<std::uint8_t>(reader.thing(item, "piece", kind::piece, "a playing piece").value_or(0) + 1);
    p.facing[rank] = static_cast<std::uint8_t>(reader.thing(item, "facing", kind::facing, "a direction on this board").value_or(0));
  }
}

std::optional<std::string> impossible_set_up(const Scenario& sc, const State& s) {
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    const SeatPlan& plan = sc.seats[at(seat)];
    if (!(s.pieces[at(seat)] == plan.territory)) return "during the set-up every field of a territory holds a piece of its owner.";
    Army placed{};
    for (const int f : plan.territory& s.troops) ++placed[s.kind[at(f)]];
    for (const int f : plan.territory) {
      if (s.shown[at(f)] != unknown_kind || s.stand[at(f)] != 0) return "during the set-up nothing is known or revealed.";
    }
    if (sc.options.free_armies) {
      if (troop_count(s.hand[at(seat)]) != 0 || cost_of(sc, placed) + s.purse[at(seat)] != plan.budget)
        return "placed troops and coins left must make up the budget.";
      if (troop_count(placed) > plan.territory.size() / 2) return "a free army fills at most half of the territory.";
    } else {
      for (int k = first_troop; k < kind_count; ++k) {
        if (placed[at(k)] + s.hand[at(seat)][at(k)] != plan.army[at(k)]) return "troops placed and in hand must make up the army.";
      }
      if (s.purse[at(seat)] != 0) return "only free armies have coins during the set-up.";
    }
    const bool complete = sc.options.free_armies ? troop_count(placed) > 0 : troop_count(s.hand[at(seat)]) == 0;
    if (has_seat(s.ready, seat) && !complete) return "a seat that is not complete cannot be ready.";
  }
  if (choosing(sc, s).empty()) return "when all are ready the set-up is over.";
  return std::nullopt;
}

std::optional<std::string> impossible_purchase(const Scenario& sc, const State& s) {
  const Purchase& p = s.purchase;
  const PurchaseFields fields = purchase_fields(sc, s);
  const FieldSet all = sc.sides[sc.side_of[s.active]].purchase, usable = fields.usable();
  if (p.spent > s.coins[sc.side_of[s.active]]) return "more is spent than there is.";
  int put_cost = 0;
  for (const int f : all) {
    const int put = p.put[at(rank_of(all, f))];
    if (put == 0) continue;
    if (!usable.has(f)) return "something is put on a purchase field that is blocked.";
    if (put == left_empty) {
      if (!(fields.refreshed - occupied(s)).has(f)) return "only an empty purchase field out of view can be left empty.";
      continue;
    }
    if (put == 1 && !(fields.of_mate - fields.observed).has(f)) return "a dummy is put where none may be.";
    if (put > 1) put_cost += sc.figures(put - 1).cost;
  }
  const int bought = troop_count(p.bought), lifted = troop_count(p.lifted);
  int standing = 0;
  for (const int f : fields.refreshed& s.troops) standing += sc.figures(s.kind[at(f)]).cost;
  if (!p.placing) {
    if (lifted != 0 || put_cost != 0 || fields.free != usable) return "nothing is lifted or put before the placing begins.";
    if (cost_of(sc, p.bought) != p.spent) return "what is bought must cost what is spent.";
    if (bought > usable.size() - (fields.refreshed & s.troops).size()) return "more is bought than there is room for.";
    return std::nullopt;
  }
  if (bought + lifted == 0) return "when all is placed the purchase is over.";
  if (lifted > (fields.refreshed & fields.free).size() || bought + lifted > fields.free.size())
    return "there is no room for what is to be placed.";
  if (put_cost + cost_of(sc, p.bought) + cost_of(sc, p.lifted) - standing != p.spent) return "what is bought must cost what is spent.";
  return std::nullopt;
}

// A position that the rules could not have reached and could not go on from.
std::optional<std::string> impossible(const Scenario& sc, const State& s) {
  if (!is_sound(sc, s)) return "pieces, kinds or origins do not fit together.";
  if (s.step != Step::purchase && !(s.purchase == Purchase{})) return "purchases are made only at their own step.";
  if (s.step == Step::set_up) return impossible_set_up(sc, s);
  if (s.step == Step::over) return std::nullopt;
  const FieldSet mine = s.pieces[s.active];
  if (has_seat(s.out, s.active)) return "an eliminated seat has no turn.";
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    if (has_seat(s.out, seat) && !s.pieces[at(seat)].empty()) return "an eliminated seat has no pieces.";
  }
  if (s.active != (s.first + s.turn) % sc.seat_count()) return "whose turn it is does not fit who began.";
  if (!((s.swapped | s.used | s.displaced | s.attacked | s.hid) - mine).empty()) return "only pieces of the active seat are marked.";
  for (const int f : s.hid) {
    if (!s.troops.has(f) || s.shown[at(f)] == unknown_kind)
      return "\"hid\" marks a troop that everybody knows: it was revealed before it was concealed.";
  }
  if (!(s.to_face - s.revealed).empty()) return "only a revealed troop can be waiting for its facing.";
  if (s.to_face.empty() != (s.step != Step::facing)) return "facings are chosen only at their own step.";
  if (s.repair_coins > s.coins[sc.side_of[s.active]]) return "repair coins must be in the treasury.";
  for (std::size_t i = 0; i < sc.objectives.size(); ++i) {
    if (s.objective_at[i] >= sc.board.fields) return "an objective lies nowhere.";
    if (has_seat(s.carried, static_cast<int>(i)) && !s.revealed.has(s.objective_at[i]))
      return "only a revealed troop carries an objective.";
  }
  const Activation& a = s.acting;
  const Step at_step = s.step == Step::facing ? s.after_facing : s.step;
  const bool acting = at_step == Step::advance || at_step == Step::arrival || at_step == Step::dummies || at_step == Step::second ||
                      at_step == Step::return_fire || at_step == Step::blitz;
  if (!acting) {
    if (!(a == Activation{})) return "a troop acts only in its own steps.";
  } else {
    if (a.field >= sc.board.fields || !(mine & s.revealed).has(a.field) || s.used.has(a.field)) return "the acting troop is needed.";
    if (a.slots < 1 || a.slots > sc.figures(s.kind[a.field]).speed) return "the acting troop's actions left do not fit its speed.";
    const bool stepped = at_step == Step::arrival || at_step == Step::dummies;
    if (stepped != (a.from < sc.board.fields)) return "the field it came from is needed after a step, and only then.";
    const bool shooting = at_step == Step::return_fire || at_step == Step::blitz;
    if (shooting != (a.target < sc.board.fields)) return "the target is needed for a shot, and only then.";
  }
  switch (s.step) {
    case Step::facing:
      if (s.after_facing != Step::actions && s.after_facing != Step::purchase && !acting)
        return "after the facing the turn cannot go on there.";
      if (s.after_facing == Step::second || s.after_facing == Step::return_fire || s.after_facing == Step::blitz)
        return "after the facing the turn cannot go on there.";
      if (!s.pieces[s.chooser].meets(s.to_face)) return "the one who chooses has no troop to face.";
      if (!(s.to_face - occupied(s)).empty()) return "a facing is to be chosen where no troop is.";
      return std::nullopt;
    case Step::return_fire:
      if (!(hostile_pieces(sc, s, s.active) & s.revealed).has(a.target) || !s.pieces[s.chooser].has(a.target))
        return "the target's owner chooses whether to fire back.";
      return std::nullopt;
    case Step::blitz:
      if (occupied(s).has(a.target) || !sc.board.around[a.field].has(a.target))
        return "the field to follow up to must be empty and adjacent.";
      break;
    case Step::purchase:
      if (auto why = impossible_purchase(sc, s)) return why;
      break;
    default: break;
  }
  return s.chooser == s.active ? std::nullopt : std::optional<std::string>("the active seat must choose here.");
}

}  // namespace

// "only" stands for "fields" when a case wants a board with nothing but its own pieces.
Expected<State> restore(const Scenario& sc, const Json& json) {
  Reader reader(sc);
  State s;
  if (!reader.is_object(json, "the whole")) return tl::make_unexpected(*reader.problem());
  reader.only(json, "", {"round",  "step",    "after_facing", "active",       "chooser", "first",    "turn",       "ready",  "out",
                         "quiet",  "stirred", "coins",        "repair_coins", "acting",  "scout",    "objectives", "reason", "score",
                         "fields", "only",    "hands",        "purses",       "shuffle", "purchase", "origins",    "held"});
  reader.number(json, "round", s.round, 1, 1000);
  reader.word(json, "step", step_words, s.step);
  reader.word(json, "after_facing", step_words, s.after_facing);
  reader.thing(json, "active", kind::seat, "a seat", s.active);
  s.chooser = s.first = s.active;
  if (s.step == Step::facing || s.step == Step::return_fire || s.step == Step::set_up || s.step == Step::over) {
    reader.thing(json, "chooser", kind::seat, "a seat", s.chooser);
  }
  reader.number(json, "turn", s.turn, 0, sc.seat_count() - 1);
  s.first = static_cast<std::uint8_t>((s.active + sc.seat_count() - s.turn) % sc.seat_count());
  const std::uint8_t everyone = static_cast<std::uint8_t>((1u << sc.seat_count()) - 1);
  s.ready = s.step == Step::set_up ? reader.seats(json, "ready") : everyone;
  s.out = reader.seats(json, "out");
  reader.number(json, "quiet", s.quiet, 0, 1000);
  reader.flag(json, "stirred", s.stirred);
  if (const Json* coins = reader.object(json, "coins")) {
    for (int side = 0; side < sc.side_count(); ++side) reader.number(*coins, team_of(sc, side), s.coins[at(side)], 0, 9999);
  }
  reader.number(json, "repair_coins", s.repair_coins, 0, 9999);
  if (const Json* acting = reader.object(json, "acting")) {
    Activation& a = s.acting;
    reader.only(*acting, "acting", {"field", "slots", "from", "direction", "target", "shot"});
    reader.field(*acting, "field", a.field);
    reader.number(*acting, "slots", a.slots, 0, 2);
    reader.field(*acting, "from", a.from);
    reader.thing(*acting, "direction", kind::facing, "a direction on this board", a.direction);
    reader.field(*acting, "target", a.target);
    reader.flag(*acting, "shot", a.shot);
  }
  reader.field(json, "scout", s.scout);
  s.objective_at.fill(no_field);
  for (std::size_t i = 0; i < sc.objectives.size(); ++i) s.objective_at[i] = static_cast<std::uint8_t>(sc.objectives[i].start);
  if (const Json* objectives = reader.object(json, "objectives")) {
    for (std::size_t i = 0; i < sc.objectives.size(); ++i) {
      const Json* own = reader.object(*objectives, sc.objectives[i].id);
      if (own == nullptr) continue;
      reader.field(*own, "at", s.objective_at[i]);
      bool carried = false;
      reader.flag(*own, "carried", carried);
      if (carried) s.carried |= seat_bit(static_cast<int>(i));
    }
  }
  reader.word(json, "reason", reasons(), s.reason);
  if (const Json* score = reader.object(json, "score")) {
    for (int seat = 0; seat < sc.seat_count(); ++seat) reader.number(*score, sc.seats[at(seat)].id, s.score[at(seat)], -1, 1);
  }
  const bool only = reader.value(json, "only") != nullptr;
  if (const Json* fields = reader.object(json, only ? "only" : "fields")) {
    for (const auto& [name, piece] : fields->items()) read_piece(sc, name, piece, s, reader);
  }
  if (s.step == Step::set_up) {
    const Json* hands = reader.object(json, "hands");
    const Json* purses = reader.object(json, "purses");
    const Json* shuffle = reader.object(json, "shuffle");
    for (int seat = 0; seat < sc.seat_count(); ++seat) {
      const std::string& id = sc.seats[at(seat)].id;
      if (hands != nullptr) s.hand[at(seat)] = reader.army(*hands, id);
      if (purses != nullptr) reader.number(*purses, id, s.purse[at(seat)], 0, 9999);
      if (shuffle == nullptr) continue;
      reader.list(*shuffle, id, [&](const Json& item) {
        s.shuffle[at(seat)] =
            s.shuffle[at(seat)] << 16 | static_cast<std::uint64_t>(reader.as_number(item, "shuffle", 0, 0xffff).value_or(0));
      });
    }
  }
  if (s.step == Step::purchase) {
    if (const Json* purchase = reader.object(json, "purchase")) read_purchase(sc, *purchase, s, reader);
  }
  if (const Json* origins = reader.object(json, "origins")) {
    read_origins(sc, *origins, s, reader);
  } else {
    s.origins = plain_origins(sc, s);
  }
  if (const Json* held = reader.object(json, "held")) {
    for (int side = 0; side < sc.side_count(); ++side) {
      reader.list(*held, team_of(sc, side), [&](const Json& item) {
        if (auto f = reader.as_thing(item, "held", kind::field, "a field of this board")) s.held[at(side)].insert(*f);
      });
    }
  } else if (s.step != Step::set_up) {
    for (int side = 0; side < sc.side_count(); ++side) s.held[at(side)] = urban_held(sc, s, side);
  }
  if (reader.problem()) return tl::make_unexpected(*reader.problem());
  if (auto why = impossible(sc, s)) return problem("position", *why);
  return s;
}

}  // namespace baton::company_leader
