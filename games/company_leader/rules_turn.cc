// The course of a turn and of a round.
#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

void Rules::begin_turn() {
  tell(Told::turn_begins, s.active, s.round);
  s.repair_coins = s.coins[at(side())];  // R36
  if (sc.options.urban_lead > 0) {       // R54
    const bool alone = sc.options.urban_lead_alone;
    const int held = alone ? (s.pieces[s.active] & urban_fields(sc)).size() : urban_held(sc, s, side()).size();
    const int start = alone ? sc.urban_of_seat[s.active] : sc.urban_at_start[at(side())];
    if (held >= start + sc.options.urban_lead) {
      // "an individual winner in a team game": his team-mates neither win nor lose.
      for (int seat = 0; seat < sc.seat_count(); ++seat) {
        const bool with_him = !sc.hostile(seat, s.active);
        s.score[at(seat)] = static_cast<std::int8_t>(!with_him ? -1 : alone && seat != s.active ? 0 : 1);
      }
      announce(Reason::urban_lead);
      return;
    }
  }
  ask(Step::actions, s.active);
}

// R47: income and purchases still follow. Whether anything can be bought must not depend on what is hidden.
void Rules::finish_actions() {
  collect_income();
  const FieldSet all = sc.sides[at(side())].purchase;
  const FieldSet blocked = hostile_pieces(sc, s, s.active) | s.revealed;
  if (s.coins[at(side())] >= sc.cheapest && !(all - blocked).empty()) {
    s.purchase = {};
    ask(Step::purchase, s.active);
  } else {
    end_turn();
  }
}

// A purchase in view may have entered on an objective.
void Rules::end_turn() {
  if (settled()) next_seat();
}

// A round is over when every seat had its turn.
void Rules::next_seat() {
  s.swapped = s.used = s.displaced = s.attacked = s.hid = s.to_face = {};
  s.acting = {};
  s.purchase = {};
  s.scout = no_field;
  s.repair_coins = 0;
  for (int side = 0; side < sc.side_count(); ++side) {
    const FieldSet now = urban_held(sc, s, side);
    if (now == s.held[at(side)]) continue;
    s.held[at(side)] = now;
    s.stirred = true;
  }
  do {
    if (++s.turn >= sc.seat_count()) {
      s.turn = 0;
      s.quiet = static_cast<std::uint16_t>(s.stirred ? 0 : s.quiet + 1);
      s.stirred = false;
      const Options& o = sc.options;
      if (o.turn_limit > 0 && s.round >= o.turn_limit) {  // R53
        if (sc.victory.time_side >= 0) {
          finish(seat_bit(sc.victory.time_side), 0, Reason::time);
        } else {
          decide_by_count(Reason::turn_limit, true);
        }
        return;
      }
      if (o.stalemate_guard > 0 && s.quiet >= o.stalemate_guard) {  // R60
        decide_by_count(Reason::stalemate, true);
        return;
      }
      if (s.round >= last_round) {
        decide_by_count(Reason::last_round, true);
        return;
      }
      ++s.round;
    }
    s.active = static_cast<std::uint8_t>((s.first + s.turn) % sc.seat_count());
  } while (has_seat(s.out, s.active));
  begin_turn();
}

}  // namespace baton::company_leader
