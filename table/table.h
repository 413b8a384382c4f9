// One table: a match, the people and computer players around it, and everyone who watches.
//
// Lives on the loop's thread. Whatever changes is given to the writer first and told to people when it is committed; what they are told was
// made at the moment of the change, so nobody sees a later change that is not committed yet. What a watcher gets comes from the match's
// view and events of that viewer, and from the table's state, which holds nothing secret of the game.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "match/match.h"
#include "table/figures.h"
#include "table/settings.h"
#include "table/table_state.h"
#include "table/thinkers.h"
#include "table/writer.h"

namespace baton::table {

// A line to a client. Sending to one that is gone does nothing.
class Wire {
 public:
  virtual ~Wire() = default;
  virtual void send(std::shared_ptr<const std::string> text) = 0;
  virtual void close() = 0;
};
using WirePointer = std::shared_ptr<Wire>;

// Who asks. Empty account: nobody in particular.
struct Reader {
  std::string account, name;
};

struct Surroundings {
  Loop& loop;
  Writer& writer;
  Thinkers& thinkers;  // of computer players
  Thinkers& advisers;  // of hints: those who play do not wait for those who ask
  Thinkers& clerk;     // for what takes long but not that long: odds, passwords
  const Settings& settings;
  Figures& figures;
  // A notice for an account, wherever it is connected.
  std::function<void(const std::string& account, const Json& notice)> notify;
};

class Table : public std::enable_shared_from_this<Table> {
 public:
  using Reply = std::function<void(Outcome<Json>)>;

  // A new one. `match`: goes on with it; none: it starts when all seats are taken.
  Table(const Surroundings& around, TableState state, ProofSecret secret, ScenarioFile scenario, std::unique_ptr<Match> match);
  static Expected<std::shared_ptr<Table>> load(const Surroundings& around, const TableRow& row, const std::vector<LineRow>& lines,
                                               std::vector<ChatRow> chat, const Names& names);

  const TableState& state() const { return state_; }
  const Match* match() const { return match_.get(); }
  Json summary(const std::string& reader) const;
  Json sheet() const;
  bool may_watch(const std::string& account, const std::string& key) const;
  bool nobody_else_plays(const std::string& account) const;
  bool is_idle() const;  // nothing would be lost if it were forgotten until somebody asks

  // Stores a new table, starts it when nobody is missing, and answers its summary.
  void open(const Reader& host, Reply reply);
  // After load: goes on where it was. `runs`: of the servers before this one.
  void resume(const std::vector<RunRow>& runs);
  bool has_running_clock() const;

  // Seats.
  void join(const Reader& who, const std::optional<std::string>& seat, const std::string& key, const std::string& salt, Reply reply);
  // The seat is kept; whoever does not sit there gives up what is kept. For good: both.
  void leave(const Reader& who, const std::optional<std::string>& seat, Reply reply, bool for_good = false);
  void give_seat(const Reader& who, const std::string& seat, const std::string& kind, const std::string& level, Reply reply);
  // For one's own seat; no level: takes it back.
  void set_steward(const Reader& who, const std::string& seat, const std::optional<std::string>& level, Reply reply);
  // For somebody who is away: a steward comes when everybody else who plays and is here has asked.
  void ask_steward(const Reader& who, const std::string& seat, Reply reply);
  void rename(const std::string& account, const std::string& name);
  void set_rematch(const std::string& id, std::function<void()> then);
  void close(const std::string& reason, std::function<void()> then);  // and it is gone

  // Watching. One pair of eyes for each connection.
  void watch(std::uint64_t connection, WirePointer wire, const Reader& who, const std::optional<std::string>& viewer,
             const std::string& key, Reply reply);
  void unwatch(std::uint64_t connection);

  // Playing.
  void act(const Reader& who, const std::string& seat, const std::string& request, const Json& action, Reply reply);
  void undo(const Reader& who, const std::string& seat, const std::string& request, Reply reply);
  void answer_undo(const Reader& who, const std::string& seat, bool agree, Reply reply);
  void why_not(const Reader& who, const std::string& seat, const Json& action, Reply reply);
  void odds(const Reader& who, const std::string& seat, const Json& action, Reply reply);
  void hint(const Reader& who, const std::string& seat, const std::string& level, Reply reply);
  void chat(const Reader& who, const std::string& text, bool to_team, const std::optional<std::string>& seat, Reply reply);
  void set_orders(const Reader& who, const std::string& seat, const Json& orders, Reply reply);

  // Does the work when everything that has happened so far is stored.
  void in_order(std::function<void()> work);

  // The whole record. Dice in use are closed and opened anew, so that the file gives nothing away. Only for whom may_read_record says.
  // While the game runs, everybody is told for good that the truth was read.
  bool may_read_record(const std::string& account) const;
  void tell_truth(std::function<void()> then);
  void read_record(std::function<void(std::string)> reply);
  // The record with the names of those who sit there now: what is kept has none.
  Record shown_record() const;

 private:
  struct Watch {
    WirePointer wire;
    Reader reader;
    std::string key;  // of the invitation with which it came
    Seat viewer = spectator;
    std::int64_t version = 0;
    // What was sent last, as hashes.
    std::size_t view = 0, summary = 0, clocks = 0, orders = 0, dice = 0, undo_asked = 0;
    std::uint64_t news = 0;  // the table's count when all but the match was last looked at
    bool may_undo = false;
    Time forced_at = 0;
    std::size_t log_size = 0, chat_size = 0;
    std::int64_t chat_number = 0;  // counts only what this watcher was told: the others' number is their secret
  };
  struct Letter {
    WirePointer wire;
    std::shared_ptr<const std::string> text;
  };
  // What will happen at a seat by itself.
  struct Plan {
    enum class Kind { nothing, forced, thinking } kind = Kind::nothing;
    Loop::Timer timer = Loop::Timer::none;
    Action action;
    Time at = 0;
    std::uint64_t number = 0;  // so that a thought that comes too late is known as such
  };

  // Choices of a computer player that the others do not see, up to the first that they do.
  struct Run {
    std::optional<Time> began;
    Time due = 0;  // not before this is the one taken that is seen
    int unseen = 0;
    Milliseconds longest{0};  // that such a run has taken so far
  };

  // Storing and telling.
  TableRow row() const;
  void changed(std::function<void()> then, const std::string& person = {}, const std::string& request = {},
               const std::string& undone_by = {});
  bool may_look_through(const std::string& account, Seat viewer) const;
  std::vector<Letter> letters(const std::string& undone_by);
  std::shared_ptr<const std::string> snapshot(Watch& watch);
  std::string update_text(Watch& watch, std::map<int, std::string>& views, const std::string& undone_by);
  Json clocks_json() const;
  Json dice_json() const;
  Json orders_json(Seat viewer) const;
  Json chat_json(Watch& watch, std::size_t from) const;
  bool sees_chat(const Watch& watch, const ChatRow& line) const;
  static void post(const std::vector<Letter>& letters, Figures& figures);

  // Seats.
  Outcome<void> start_when_complete();
  bool is_here(const std::string& account) const;
  bool is_away(const std::string& account) const;  // for so long that others may call a steward
  bool may_ask_steward(const Place& place, const std::string& account) const;
  bool call_agreed_stewards();  // whether one came
  void settle_holders();
  void settle_absence();

  // The course of the match.
  void settle();
  void settle_public();
  void settle_clocks();
  void settle_orders();
  void plan_all();
  void plan(std::size_t seat, const std::vector<Action>& legal);
  void drop_plan(std::size_t seat);
  void think(std::size_t seat, const std::vector<Action>& legal);
  void take_planned(std::size_t seat, Action action, bool by_machine);
  std::optional<Action> ordered(std::size_t seat, const std::vector<Action>& legal) const;
  void time_is_out();
  Milliseconds random_wait(const Wait& wait);
  bool people_play() const;
  void tell_turns();
  void tell(const std::string& account, std::string_view notice, const std::string& seat = {}, const std::string& from = {});

  // Checks.
  Outcome<std::size_t> seat_of(const Reader& who, const std::string& seat) const;  // that the reader holds, in a running match
  Outcome<Action> read_action(std::size_t seat, const Json& action) const;
  bool was_done(const Reader& who, const std::string& request) const;
  void do_undo(const std::string& seat, std::function<void()> then, const std::string& person, const std::string& request);
  Players players() const;
  std::vector<std::string> here() const;
  int spectators() const;

  Surroundings around_;
  TableState state_;
  ProofSecret secret_;
  ScenarioFile scenario_;
  std::unique_ptr<Match> match_;
  std::vector<ChatRow> chat_;
  std::size_t stored_lines_ = 0;  // of the record, the header counted
  bool stored_persons_ = false;
  std::optional<TableState> stored_;          // as it was last given to the writer
  std::uint64_t news_ = 1;                    // counts changes of the table itself and of who is there; most actions change the match alone
  std::unordered_set<std::size_t> requests_;  // hashes of all that were done
  std::map<std::uint64_t, Watch> watches_;
  std::vector<Plan> plans_;
  std::vector<std::shared_ptr<Mind>> minds_;
  std::vector<std::deque<Milliseconds>> thinking_times_;  // of real choices, to make forced ones look alike
  std::vector<Run> runs_;
  std::vector<std::size_t> events_seen_;   // by standing orders
  std::vector<std::string> told_turn_;     // seats whose person knows that it is their turn
  std::map<std::string, Time> last_here_;  // accounts that sit and are not here; since when this server knows
  Loop::Timer absence_timer_ = Loop::Timer::none;
  Time absence_due_ = 0;  // when the timer rings
  Loop::Timer clock_timer_ = Loop::Timer::none;
  std::uint64_t plan_number_ = 0;
  int uncommitted_ = 0;
  bool gone_ = false;
  std::mt19937_64 dice_for_waits_;
};

}  // namespace baton::table
