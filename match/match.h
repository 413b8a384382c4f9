// One game being played, whatever the game: what the program, the server and the bots talk to.
//
// The truth stays inside. What leaves is made for one viewer, from that viewer's knowledge; the exceptions say so in their names
// and comments: record(), save_position() and branch() are for whoever hosts the match.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game.h"
#include "match/dice_stream.h"
#include "match/record.h"
#include "match/text.h"

namespace baton {

// Everything that is chosen before a match.
struct MatchSetup {
  ScenarioFile scenario;
  OptionValues options;
  Players players;
  ChanceStart chance = Seeded{};
  std::optional<Json> position;
};

class Match {
 public:
  virtual ~Match() = default;
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;

  // Who and what.
  const RecordHeader& header() const { return record_.header; }
  const std::vector<std::string>& seats() const { return seats_; }
  std::optional<Seat> seat_named(std::string_view id) const;  // also "spectator"
  std::string name_of(Seat seat) const;                       // its id

  // Choosing. `seat` may be anything; a seat that is neither asked nor may change its mind has no actions.
  virtual Seats choosing() const = 0;       // nobody: the game is over
  virtual Seats reconsidering() const = 0;  // not asked, but may still change their mind while others choose
  virtual bool gives_up(Action action) const = 0;
  virtual std::vector<Action> actions(Seat seat) const = 0;
  virtual std::string why_not(Seat seat, Action action) const = 0;  // the refusal's id; empty when the action is legal
  Expected<void> act(Seat seat, Action action);
  Expected<void> act_words(Seat seat, std::string_view words);
  Expected<void> act_json(Seat seat, const Json& json);

  // What the rules choose for a seat whose time is out, where they say so.
  virtual std::optional<Action> when_time_is_out(Seat seat) const = 0;
  // Whether others must not learn if the seat had another choice than this legal one.
  virtual bool may_be_forced_in_secret(Action action) const = 0;
  // Whether those who watch see that this legal action was taken.
  virtual bool would_be_seen(Seat seat, Action action) const = 0;
  // What the seat must do, because it is to choose and nothing else is legal but to give up.
  std::optional<Action> forced(Seat seat) const;
  // Plays such choices until someone has a real one. Returns how many.
  int take_forced();

  // A count that rises by one with each turn of a seat, also of one that is out of the game; in a game that counts no turns, with each
  // step.
  virtual int turns() const = 0;

  virtual Result result() const = 0;
  virtual std::string reason() const = 0;  // the id of how the game ended; empty while it goes on

  // Spelling.
  virtual std::string words(Action action) const = 0;
  virtual Json json(Action action) const = 0;
  virtual Expected<Action> from_words(std::string_view words) const = 0;
  virtual Expected<Action> from_json(const Json& json) const = 0;

  // What one viewer may see. A viewer is a seat or `spectator`.
  virtual std::string view_text(Seat viewer) const = 0;  // JSON in one line, as a server sends it
  Json view(Seat viewer) const;
  // Visible events; `from` counts the viewer's own.
  struct EventsText {
    std::string text;  // a list, JSON in one line
    std::size_t count = 0;
  };
  virtual EventsText events_text(Seat viewer, std::size_t from = 0) const = 0;
  Json events(Seat viewer, std::size_t from = 0) const;
  virtual std::size_t count_events(Seat viewer) const = 0;
  virtual std::string seat_record(Seat viewer) const = 0;  // the file a player may keep, JSON Lines
  // What the seat record holds, frame by frame. With `steps`, each says after how many steps it stands: for a game that is over.
  virtual Json frames(Seat viewer, bool steps) const = 0;

  // What never changes, the same for everyone: pieces, board, words.
  virtual Json sheet() const = 0;

  // The same in words.
  virtual Catalogue catalogue(std::span<const EmbeddedFile> files, std::string_view locale) const = 0;
  virtual std::vector<std::string> log(Seat viewer, const Catalogue& words, std::size_t from = 0) const = 0;
  virtual std::string say(Action action, const Catalogue& words) const = 0;
  virtual std::string say_why_not(Seat seat, Action action, const Catalogue& words) const = 0;  // empty when legal

  // A match that stands at a position `viewer` cannot tell from this one, made from that viewer's knowledge alone. To think with on another
  // thread, while this one goes on. Its record is empty.
  virtual std::unique_ptr<Match> imagined(Seat viewer, std::uint64_t seed) const = 0;

  // Null when the game has none for this action. What the seat knows decides.
  virtual Json odds(Seat seat, Action action) const = 0;

  // Takes back the seat's last real choice and what followed from it by force. Never beyond a moment when dice fell, a secret was
  // learned or another seat chose.
  bool can_undo(Seat seat) const { return undoable(seat) > 0; }
  Expected<void> undo(Seat seat);

  // For the host: the whole truth.
  const Record& record() const { return record_; }
  virtual std::size_t steps() const = 0;                          // that stand
  virtual Json save_position() const = 0;                         // fits MatchSetup::position
  virtual Json view_at(Seat viewer, std::size_t step) const = 0;  // as after `step` steps
  // A new match, cut after `step` steps, going on with fresh dice.
  virtual Expected<std::unique_ptr<Match>> branch(std::size_t step, const ChanceStart& chance) const = 0;

  // Dice. A proof segment is closed by showing its secret, before a save or at the end of the game; the next action needs a new
  // one. When nobody opened it, act() does so by itself: a fresh seed or a fresh secret with an empty salt, as before.
  bool dice_are_open() const { return dice_.has_value(); }
  std::optional<ChanceOpening> dice_opening() const;  // of the open segment: what players may know
  std::optional<ProofSecret> open_secret() const;     // only for a server's own safe store, to go on after a crash
  void close_dice();
  void open_dice(const ChanceStart& chance);

 protected:
  Match() = default;

  virtual void apply(Seat seat, Action action, Chance& chance) = 0;  // legal; the line is already in record_
  virtual std::size_t undoable(Seat seat) const = 0;                 // how many steps undo(seat) takes back
  virtual void take_back(std::size_t count) = 0;

  void need_dice();
  void finish_when_over();
  ResultLine result_line() const;

  Record record_;
  std::vector<std::string> seats_;
  std::optional<DiceStream> dice_;
};

// The id of a scenario file: its name without folders and ending.
std::string scenario_id(std::string_view file_name);

}  // namespace baton
