// Object of the game: elimination, tie-breaks, all ways to win.
#include <algorithm>

#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {
namespace {

bool is_out(const Scenario& sc, const Table& t, int side) { return (sc.sides[at(side)].members & ~t.out) == 0; }

}  // namespace

// "destroyed all the opponent's troops OR has captured all urban areas" · R48–R51
void Rules::test_victory() {
  const FieldSet urban = urban_fields(sc);
  std::uint8_t standing = 0, beaten = 0;
  bool without_troops = false;
  for (int side = 0; side < sc.side_count(); ++side) {
    if (is_out(sc, s, side)) continue;
    const FieldSet pieces = pieces_of_side(sc, s, side);
    if (sc.victory.all_urban && (urban - pieces).empty()) {
      finish(seat_bit(side), 0, Reason::urban);
      return;
    }
    const bool no_troops = sc.victory.troops && !pieces.meets(s.troops);
    const bool no_urban = sc.victory.all_urban && !pieces.meets(urban);
    without_troops = without_troops || no_troops;
    (no_troops || no_urban ? beaten : standing) |= seat_bit(side);
  }
  if (beaten == 0) return;
  const Reason reason = without_troops ? Reason::troops : Reason::urban;
  if (standing == 0) {
    decide_by_count(reason, false);  // R49
    return;
  }
  if (std::popcount(standing) == 1) {
    finish(standing, 0, reason);
    return;
  }
  for (int side = 0; side < sc.side_count(); ++side) {
    if (has_seat(beaten, side)) eliminate(side);
  }
  if (has_seat(s.out, s.active)) next_seat();
}

// R50: pieces leave the board, coins vanish.
void Rules::eliminate(int side) {
  for (const int seat : sc.sides[at(side)].seats) {
    tell(Told::eliminated, seat);
    s.out |= seat_bit(seat);
    s.origins[at(seat)] = {};
    for (const int f : s.pieces[at(seat)]) remove_piece(f);
  }
  s.coins[at(side)] = 0;
  s.stirred = true;
}

// R52: with more than two sides it equals elimination, and the others play on.
void Rules::surrender(int seat) {
  tell(Told::surrendered, seat);
  const int own = sc.side_of[at(seat)];
  std::uint8_t standing = 0;
  for (int side = 0; side < sc.side_count(); ++side) {
    if (side != own && !is_out(sc, s, side)) standing |= seat_bit(side);
  }
  if (std::popcount(standing) == 1) {
    finish(standing, 0, Reason::surrender);
    return;
  }
  const Step step = s.step;
  const bool own_turn = side() == own;
  eliminate(own);
  if (own_turn) {
    // Nobody waits for the facings of others any more: they take the one of a clock that ran out (R21).
    for (const int f : s.to_face) s.stand[at(f)] = static_cast<std::uint8_t>((s.stand[at(f)] & ~7) | facing_towards(sc, f, s.scout));
    next_seat();
  } else if (step == Step::facing) {
    ask_facings(s.after_facing);
  } else {
    end_slot();  // asked for return fire: the target is gone, the shot is spent
  }
}

// R49, R53, R60: urban fields, then the strength of all troops where there are any, then dummies. Still tied is a shared win, after mutual
// destruction a draw.
void Rules::decide_by_count(Reason reason, bool with_strength) {
  const auto count = [&](int side) {
    const FieldSet pieces = pieces_of_side(sc, s, side);
    int strength = 0;
    for (const int f : pieces& s.troops) strength += s.revealed.has(f) ? strength_of(s, f) : sc.figures(s.kind[at(f)]).strength;
    return std::array{urban_held(sc, s, side).size(), with_strength ? strength : 0, (pieces - s.troops).size()};
  };
  std::array<int, 3> best{-1, -1, -1};
  for (int side = 0; side < sc.side_count(); ++side) {
    if (!is_out(sc, s, side)) best = std::max(best, count(side));
  }
  std::uint8_t leading = 0;
  for (int side = 0; side < sc.side_count(); ++side) {
    if (!is_out(sc, s, side) && count(side) == best) leading |= seat_bit(side);
  }
  const bool drawn = !with_strength && std::popcount(leading) > 1;
  finish(drawn ? std::uint8_t{0} : leading, drawn ? leading : std::uint8_t{0}, reason);
}

void Rules::finish(std::uint8_t winning_sides, std::uint8_t drawn_sides, Reason reason) {
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    const int side = sc.side_of[at(seat)];
    s.score[at(seat)] = static_cast<std::int8_t>(has_seat(winning_sides, side) ? 1 : has_seat(drawn_sides, side) ? 0 : -1);
  }
  announce(reason);
}

// The score says who has won.
void Rules::announce(Reason reason) {
  s.step = Step::over;
  s.reason = reason;
  s.acting = {};
  s.to_face = {};
  s.scout = no_field;
  s.after_facing = Step::actions;
  s.purchase = {};
  bool won = false;
  for (int seat = 0; seat < sc.seat_count(); ++seat) {
    if (s.score[at(seat)] <= 0) continue;
    won = true;
    tell(Told::won, seat, static_cast<int>(reason));
  }
  if (!won) tell(Told::drawn, static_cast<int>(reason));
}

}  // namespace baton::company_leader
