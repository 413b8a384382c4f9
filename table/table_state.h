// What is kept of a table besides the record of its match: who sits where, how it is played, clocks and standing orders.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "table/database.h"
#include "table/fault.h"
#include "table/loop.h"

namespace baton::table {

// How much time people have.
struct Pace {
  enum class Kind { none, live, days, turn };
  Kind kind = Kind::none;
  std::int64_t base_ms = 0;       // live: for the whole game; days, turn: each time the seat is asked
  std::int64_t increment_ms = 0;  // live: for each time it has chosen
  std::int64_t bank_ms = 0;       // days: used when the time of a move is out
  bool operator==(const Pace&) const = default;
};

Json json_of(const Pace& pace);
Outcome<Pace> read_pace(const Json& json, std::int64_t least_turn_seconds = 5);

// A seat's time. `left_ms` and `bank_ms` are as of `since` while it runs.
struct Clock {
  std::int64_t left_ms = 0, bank_ms = 0;
  Time since = 0;       // 0: it stands
  bool paused = false;  // a computer player sits in while the seat is asked; what is left is kept for its person

  bool running() const { return since != 0; }
  bool operator==(const Clock&) const = default;
};

Clock fresh_clock(const Pace& pace);
void start_clock(Clock& clock, const Pace& pace, Time now);
void stop_clock(Clock& clock, const Pace& pace, Time now);  // the seat is not asked any more
void pause_clock(Clock& clock, Time now);                   // it is asked, but not its person
void charge_clock(Clock& clock, std::int64_t used_ms);
std::optional<Time> runs_out_at(const Clock& clock, const Pace& pace);  // nothing when it stands or there is no limit
// Its person comes back after the time was out.
void refill_clock(Clock& clock, const Pace& pace);

// "Pass until …": see docs/protocol.md.
struct StandingOrder {
  std::string action;           // in words, without fields
  std::vector<std::string> at;  // steps; none: wherever the action is legal
  bool until_turn = false;
  std::vector<std::string> until_events, until_things;
  int until_round = 0;  // 0: does not end it
  bool operator==(const StandingOrder&) const = default;
};

Json json_of(const StandingOrder& order);
Outcome<std::vector<StandingOrder>> read_orders(const Json& list);
// Whether one of these events, as the seat sees them, or the round ends the order.
bool ends(const StandingOrder& order, const Json& events, int round);

enum class SeatKind { open, invited, person, device, bot };

struct Place {
  std::string seat, team;
  SeatKind kind = SeatKind::open;
  std::string person{}, name{};              // the account and its name; of a device seat the one whose device it is
  std::string level{};                       // of a computer player
  std::string steward{};                     // the level of the one that plays for the person at present
  bool steward_for_turn = false;             // only until the seat is no longer asked
  std::string invite_key{};                  // of an invited seat
  std::string reserved_for{};                // an account that may join without the key: it is asked for a rematch, or it left the seat
  std::vector<std::string> held_by{};        // accounts that have sat here while the game ran
  std::vector<std::string> steward_asked{};  // accounts that want a computer player here while its person is away
  std::string undo_request{};                // the id under which this seat last asked the others to take something back
  Clock clock{};
  std::vector<StandingOrder> orders{};

  bool is_held() const { return kind == SeatKind::person || kind == SeatKind::device; }
  bool is_held_by(std::string_view account) const { return is_held() && !account.empty() && person == account; }
  bool is_kept_for(std::string_view account) const {
    return (kind == SeatKind::open || kind == SeatKind::invited) && !account.empty() && reserved_for == account;
  }
  // The computer player that chooses here, if one does.
  const std::string& machine() const { return kind == SeatKind::bot ? level : steward; }
  bool operator==(const Place&) const = default;
};

enum class Status { gathering, running, over };
enum class Visibility { everyone, whoever_has_the_link, who_sits };
enum class UndoPolicy { free, ask, never };

struct TableState {
  std::string id, title, game, scenario;
  Json options = Json::object();
  Status status = Status::gathering;
  Visibility visibility = Visibility::whoever_has_the_link;
  UndoPolicy undo = UndoPolicy::free;
  Pace pace;
  bool hints = false;
  bool hints_while_alone = false;  // nobody asked for them; they end when a second person sits down
  bool truth_known = false;        // somebody may have seen what no seat knows
  std::string host, host_name;
  std::vector<Place> places;  // in the order of the seats
  Time created_at = 0;
  Time changed_at = 0;             // something that everyone may see changed
  std::vector<std::string> salts;  // words for the dice
  std::string commitment;
  std::vector<std::string> choosing;
  Json result = nullptr;
  std::string rematch, branch_of;
  std::string undo_asked;                // the seat that asks
  std::vector<std::string> undo_agreed;  // accounts

  Place* place(std::string_view seat);
  const Place* place(std::string_view seat) const;
  bool seats_person(std::string_view person) const;
  std::vector<std::string> persons() const;  // accounts that sit, each once
  std::vector<std::string> welcome() const;  // those, and accounts for which a seat is kept
  // Whether the account sits, or has sat while the game ran, at a seat that does not play together with this one.
  bool knows_another_side(std::string_view account, const Place& place) const;
  bool has_open_places() const;
  bool operator==(const TableState&) const = default;
};

// What everybody is called whose account is gone.
inline const std::string nobodys_name = "someone";
// As the accounts are called now.
void name_everybody(TableState& state, const Names& names);

// As it is stored: without names, which are the accounts' own.
Json json_of(const TableState& state);
Expected<TableState> read_table_state(const Json& json);

// As a reader sees it (TableSummary). `here` are the accounts that watch now; -1 spectators: not known.
Json summary_of(const TableState& state, std::string_view reader, const std::vector<std::string>& here, int spectators);

std::string_view word_of(Visibility visibility);
std::string_view word_of(Status status);

}  // namespace baton::table
