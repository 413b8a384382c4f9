// People and computer players sitting at one match, at one keyboard.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "app/choices.h"
#include "app/table_picture.h"
#include "app/terminal.h"
#include "app/thinking.h"
#include "bots/player.h"
#include "match/match.h"

namespace baton::app {

struct SittingSetup {
  std::unique_ptr<Match> match;
  std::vector<std::string> players;  // one a seat: "human", or as read_player_kind knows them
  std::string locale = "en";
  bool plain = false;             // sentences only, no drawing
  std::uint64_t player_seed = 0;  // of what computer players choose by chance
};

class Sitting {
 public:
  Sitting(SittingSetup setup, Terminal& terminal);

  // Until the game is over or a person leaves.
  void run();

 private:
  enum class After { stay, go_on, leave };  // what a command leads to

  // The flow of the game.
  enum class HandOver { seated, passed, nobody };  // who answered

  std::optional<Action> choice_without_asking(Seat seat);
  // False: the sitting is over.
  bool ask(Seat seat);
  bool let_choose(Seat seat, std::optional<Action> only);
  bool act(Seat seat, Action action);
  Action thought_over(Seat seat);
  HandOver hand_over(Seat seat);
  std::optional<Action> pass_of(Seat seat) const;
  void input_ended();
  void tell_news_to_spectator();
  void tell_thinking_time(Lines& news);
  void tell_why_programs_broke_down();
  void show_thinking(Seat seat, bool begins);
  void finish();

  // What is shown.
  void show_scene(Seat seat, bool with_news);
  void show_screen(Seat seat, const Choices& choices, Lines news);
  void show_table(Seat viewer);
  bool page(const std::string& title, const Lines& lines);
  bool paused();
  void show_lines(const Lines& lines);
  void show_wrapped(const std::string& text, int indent = 0);
  Lines table_lines(Seat viewer) const;
  Lines news_for(Seat viewer);  // what happened since they were last told
  void wipe();
  int columns() const;

  // What is typed.
  struct Command {
    std::string name, rest;
  };
  static Command command_of(const std::string& typed);
  std::optional<std::string> next_line(const std::string& prompt);
  After obey(Seat seat, const Choices& choices, const std::string& typed);
  After choose(Seat seat, Action action);
  After choose_number(Seat seat, const Choices& choices, const std::string& typed);
  After choose_words(Seat seat, const Choices& choices, const std::string& typed);
  After leave();
  void look(Seat seat, const std::string& what);
  void explain(Seat seat, const Choices& choices, const std::string& words);
  void show_odds(Seat seat, const Choices& choices, const std::string& which);
  void advise(Seat seat, const Choices& choices, bool at_length, const std::string& seconds);
  void undo(Seat seat);
  void save(const std::string& file, const std::string& command);
  void show_commands();
  bool confirmed(const std::string& question);

  // Dice that are fixed beforehand.
  void announce_dice(const std::string& words);
  void reveal_dice();

  std::string say(std::string_view key, const Arguments& arguments = {}) const { return texts_.say(key, arguments); }
  std::string seat_name(Seat seat) const { return say("seat." + match_->name_of(seat)); }
  bool is_human(Seat seat) const { return !minds_[static_cast<std::size_t>(index(seat))]; }

  Terminal& terminal_;
  std::unique_ptr<Match> match_;
  Catalogue texts_;
  std::unique_ptr<TablePicture> picture_;
  std::vector<std::unique_ptr<Player>> minds_;  // null for people
  bool plain_;
  Paint paint_;
  int humans_ = 0;
  std::optional<Seat> at_keyboard_;
  Seats passing_;                               // people who let every reaction go by until they have something else to choose
  std::vector<std::size_t> told_;               // events each seat has been told, the spectator last
  std::vector<Lines> notices_;                  // what else each has to be told, in the same order
  std::string told_chapter_;                    // of the table, in plain sentences
  std::size_t saved_at_ = 0;                    // lines of the record that are in a file
  std::size_t begun_at_ = 0;                    // lines of the record when people sat down
  std::vector<TellableTime> thinking_;          // of each seat
  FastChance seeming_{std::random_device{}()};  // how long reactions take that are let go by
  Seats dropped_out_;                           // whose program did, and the others have not been told yet
  Lines broke_down_;                            // why programs did, for the end
  std::vector<std::size_t> choices_made_;       // by each seat, without those taken back
  std::string typed_ahead_;                     // where only Enter was awaited
};

}  // namespace baton::app
