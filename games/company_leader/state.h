// The truth of a match of Company Leader.
//
// A field holds at most one piece, so pieces are kept by field. What everybody sees is the Table: whose piece stands
// where, revealed troops, marks, coins. Besides, the Table keeps what an attentive opponent remembers: the kind of an unrevealed
// piece that was seen before, and for all others their origin, together with what is known to have gone into it and
// come out of it. Swaps are public, so this knowledge travels with the piece (R57); it is lost only when purchase
// fields are refreshed (R44), where the pieces get a new common origin. Secret are the kinds of the pieces, purchases
// until they are placed, and the set-up.
#pragma once

#include <array>
#include <cstdint>

#include "games/company_leader/scenario.h"

namespace baton::company_leader {

inline constexpr std::uint8_t no_field = 255;

// The moments at which somebody chooses.
enum class Step : std::uint8_t {
  set_up,       // all seats that are not ready, in secret
  actions,      // the active seat: swap, reveal, conceal, give a troop its action
  facing,       // the owner of a troop just revealed
  advance,      // the moving troop has turned and scouted: step or stay
  arrival,      // it has stepped and turns again
  dummies,      // behind a troop that has stepped
  second,       // a fast troop has a second go
  return_fire,  // the owner of the target
  blitz,        // the target is destroyed: follow up?
  purchase,     // buy and place
  over,
};
inline constexpr int step_count = static_cast<int>(Step::over) + 1;

enum class Reason : std::uint8_t { none, troops, urban, urban_lead, turn_limit, stalemate, objective, surrender, time, last_round };
inline constexpr int reason_count = static_cast<int>(Reason::last_round) + 1;

// Where unrevealed pieces of a seat come from, as its opponents know it. Origin 0 is the set-up; each refresh of purchase fields makes
// another, numbered by age. The troops that were ever among the pieces of an origin are: `certain` ones, what the coins bought, and at most
// one for each piece lifted from an earlier origin. They have been `shown` since, were lifted into a later origin, or are still among the
// pieces that bear its number. What can have happened in one way only is not kept (rules_purchase.cc, `settle`). The set-up of a free army
// has the coins that the whole side spent (R42), and keeps all that was shown of it.
inline constexpr int origin_count = 8;
struct Origin {
  Army certain{}, shown{};
  std::uint16_t coins = 0;
  std::array<std::uint8_t, origin_count> lifted{};  // by the number of the earlier origin
  bool in_use = false;

  int lifted_in_all() const {
    int sum = 0;
    for (const int pieces : lifted) sum += pieces;
    return sum;
  }
  bool operator==(const Origin&) const = default;
};
using Origins = std::array<Origin, origin_count>;

// What is being settled between two choices.
struct Activation {
  std::uint8_t field = no_field;   // of the troop that acts
  std::uint8_t slots = 0;          // left
  std::uint8_t from = no_field;    // the field it left in this move
  std::uint8_t direction = 0;      // of its step
  std::uint8_t target = no_field;  // of its shot
  bool shot = false;               // it has made its one shot
  bool operator==(const Activation&) const = default;
};

// Everything that all players and spectators see or can remember.
struct Table {
  Step step = Step::set_up;
  Step after_facing = Step::actions;  // where to go on when the last facing is chosen
  std::uint8_t active = 0, chooser = 0;
  std::uint8_t first = 0;  // the seat that began
  std::uint8_t turn = 0;   // how many seats have had their turn in this round
  std::uint16_t round = 1;
  std::uint8_t ready = 0;   // set-up: bits of seats
  std::uint8_t out = 0;     // bits of eliminated seats
  std::uint16_t quiet = 0;  // full rounds without reveal, shot or change of urban possession (R60)
  bool stirred = false;     // one of these happened in this round

  // Pieces. An empty field has shown 0 and stand 0.
  std::array<FieldSet, most_seats> pieces{};
  FieldSet revealed;
  FieldBytes shown{};  // kind, or unknown_kind
  FieldBytes stand{};  // revealed: facing + 8 × strength; unknown: its origin

  // Marks of the active seat's pieces, until the end of its turn.
  FieldSet swapped, used, displaced, attacked, hid;

  FieldSet to_face;  // troops just revealed whose facing is not chosen yet
  Activation acting;
  std::uint8_t scout = no_field;  // the field from which they were seen

  std::array<std::uint16_t, most_seats> coins{};  // by side
  std::uint16_t repair_coins = 0;                 // what may still be spent on repair in this turn (R36)

  std::array<Origins, most_seats> origins{};
  std::array<FieldSet, most_seats> held{};  // urban fields by side at the end of the last turn

  std::array<std::uint8_t, most_objectives> objective_at{};  // no_field: not in this scenario
  std::uint8_t carried = 0;                                  // bits of objectives

  Reason reason = Reason::none;
  std::array<std::int8_t, most_seats> score{};

  bool operator==(const Table&) const = default;
};

inline constexpr std::uint8_t left_empty = 255;

// The active seat's purchases before they are placed for good.
struct Purchase {
  Army bought{};  // paid but not placed
  Army lifted{};  // taken from the purchase fields, to be put back
  std::uint16_t spent = 0;
  bool placing = false;
  std::array<std::uint8_t, most_purchase_fields> put{};  // by rank among the side's purchase fields: kind + 1, left_empty, 0: nothing yet
  std::array<std::uint8_t, most_purchase_fields> facing{};  // of those that enter revealed
  bool operator==(const Purchase&) const = default;
};

struct State : Table {
  FieldBytes kind{};  // of the piece on a field; 0 also where there is none
  FieldSet troops;    // derived: fields with a troop
  Purchase purchase;
  std::array<Army, most_seats> hand{};              // set-up: not placed yet
  std::array<std::uint16_t, most_seats> purse{};    // set-up with free armies: coins left
  std::array<std::uint64_t, most_seats> shuffle{};  // set-up: where "place for me" takes its luck from
  bool operator==(const State&) const = default;
};
static_assert(sizeof(State) < 2048);

}  // namespace baton::company_leader
