// The flow of a match at one keyboard, and what is shown. What is typed is in sitting_commands.cc.
#include "app/sitting.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "app/playout.h"
#include "app/second_ctrl_c.h"
#include "core/utf8.h"
#include "match/registry.h"

namespace baton::app {
namespace {

std::size_t count_steps(const Record& record, const std::string& seat) {
  const auto standing = standing_steps(record);
  return static_cast<std::size_t>(std::count_if(standing.begin(), standing.end(),
                                                [&](std::size_t line) { return std::get<StepLine>(record.lines[line]).seat == seat; }));
}

// How long a player of this kind may well think about a reaction. One that looks at a glance does not.
double reaction_time(const PlayerKind& kind) {
  if (kind.type == PlayerKind::Type::program) return 0.1;  // until it has answered once
  return kind.type == PlayerKind::Type::search ? 0.1 * std::chrono::duration<double>(kind.by_time.time).count() : 0;
}

// Of a match that goes on, so much is told again.
constexpr std::size_t last_lines = 6;

}  // namespace

Sitting::Sitting(SittingSetup setup, Terminal& terminal)
    : terminal_(terminal),
      match_(std::move(setup.match)),
      texts_(match_->catalogue(embedded_files(), setup.locale)),
      picture_(picture_of(*match_)),
      plain_(setup.plain),
      paint_(terminal.colour && !setup.plain) {
  for (std::size_t i = 0; i < match_->seats().size(); ++i) {
    const bool person = setup.players[i] == "human";
    minds_.push_back(person ? nullptr
                            : make_player(match_->header().game, *read_player_kind(setup.players[i]), Counting::time,
                                          seed_of_game(setup.player_seed, i)));
    humans_ += !minds_.back();
    thinking_.emplace_back(person ? 0 : reaction_time(*read_player_kind(setup.players[i])));
  }
  for (std::size_t i = 0; i <= match_->seats().size(); ++i) {
    const std::size_t all = match_->steps() == 0 ? 0 : match_->log(i < match_->seats().size() ? Seat(i) : spectator, texts_).size();
    told_.push_back(all - std::min(all, last_lines));
  }
  notices_.resize(told_.size());
  for (const std::string& seat : match_->seats()) choices_made_.push_back(count_steps(match_->record(), seat));
  begun_at_ = saved_at_ = match_->record().lines.size();
}

void Sitting::run() {
  const SecondCtrlC leaving(terminal_.in_is_screen && humans_ > 0, say("play.ctrl-c"));
  for (;;) {
    const Seats asked = match_->choosing();
    if (asked.empty()) return finish();
    const Seat seat = asked.front();
    const auto only = choice_without_asking(seat);
    if (!is_human(seat) ? !let_choose(seat, only) : !(only ? act(seat, *only) : ask(seat))) return;
    if (humans_ == 0) tell_news_to_spectator();
  }
}

// What nobody need be asked. A person who sits elsewhere is asked even where one action is legal:
// what follows without a question would tell the one at the keyboard that the other has nothing to answer with.
std::optional<Action> Sitting::choice_without_asking(Seat seat) {
  const bool alone = humans_ == 1 || at_keyboard_ == seat || !is_human(seat);
  if (const auto only = match_->forced(seat); only && alone) return only;
  if (!is_human(seat)) return std::nullopt;
  const auto pass = pass_of(seat);
  if (!pass) passing_ = passing_ & Seats::everyone_but(seat);
  return passing_.has(seat) ? pass : std::nullopt;
}

// Leaving a reaction to which there may be no answer, by the word that all games use for it. Whether it may be left is never a secret.
std::optional<Action> Sitting::pass_of(Seat seat) const {
  const auto pass = match_->from_words("pass");
  if (!pass || !match_->why_not(seat, *pass).empty()) return std::nullopt;
  return *pass;
}

bool Sitting::act(Seat seat, Action action) {
  const auto done = match_->act(seat, action);
  if (!done) terminal_.line(done.error().text());
  return done.has_value();
}

// A computer that lets a reaction go by is seen thinking, once and as long, whether it thought about it or had nothing to answer with.
bool Sitting::let_choose(Seat seat, std::optional<Action> only) {
  const auto i = static_cast<std::size_t>(index(seat));
  const auto pass = pass_of(seat);
  if (only && only != pass) return act(seat, *only);
  show_thinking(seat, true);
  const auto begun = std::chrono::steady_clock::now();
  const double long_enough = thinking_[i].before_passing(seeming_);
  const Action chosen = only ? *only : thought_over(seat);
  const bool shows = chosen != pass;
  if (!only) thinking_[i].add(minds_[i]->thoughts().seconds, shows, pass.has_value());
  if (!shows && terminal_.in_is_screen && humans_ > 0) std::this_thread::sleep_until(begun + std::chrono::duration<double>(long_enough));
  show_thinking(seat, false);
  // Among the news, which no cleared screen takes away; but not as long as nobody else can tell that it was asked something.
  if (shows && dropped_out_.has(seat)) {
    for (Lines& notices : notices_) notices.push_back(say("play.gave-up", {{"seat", seat_name(seat)}}));
    dropped_out_ = dropped_out_ & Seats::everyone_but(seat);
  }
  return act(seat, chosen);
}

// The people at the table lose nothing by a program that broke down: a captain goes on for it. Why it did they read when they leave: that
// may name what the program held and could have done.
Action Sitting::thought_over(Seat seat) {
  std::unique_ptr<Player>& mind = minds_[static_cast<std::size_t>(index(seat))];
  const auto chosen = mind->choose({*match_, seat});
  if (chosen) return *chosen;
  broke_down_.push_back(say("play.gave-up-why", {{"seat", seat_name(seat)}, {"reason", chosen.error().text()}}));
  dropped_out_ = dropped_out_ | seat;
  mind = make_player(match_->header().game, *read_player_kind("captain"), Counting::time, match_->steps());
  return mind->choose({*match_, seat}).value();
}

bool Sitting::ask(Seat seat) {
  if (humans_ > 1 && at_keyboard_ != seat) {
    switch (hand_over(seat)) {
      case HandOver::seated: break;
      case HandOver::passed:
        ++choices_made_[static_cast<std::size_t>(index(seat))];
        return static_cast<bool>(match_->act(seat, *pass_of(seat)));
      case HandOver::nobody: input_ended(); return false;
    }
  }
  at_keyboard_ = seat;
  show_scene(seat, true);
  for (;;) {
    const Choices choices(*match_, seat, texts_);
    const auto typed = next_line(plain_ ? say("play.choose-number", {{"count", static_cast<std::int64_t>(choices.size())}}) + ":\n" : "> ");
    if (!typed) {
      input_ended();
      return false;
    }
    const After after = obey(seat, choices, plain_input(*typed));
    if (after == After::go_on) return true;
    if (after == After::leave) return false;
  }
}

void Sitting::tell_why_programs_broke_down() {
  for (const std::string& why : std::exchange(broke_down_, {})) show_wrapped(why, 2);
}

void Sitting::input_ended() {
  tell_why_programs_broke_down();
  terminal_.line();
  terminal_.line(say(saved_at_ == match_->record().lines.size() ? "play.farewell" : "play.input-ended"));
}

// Nothing of the last player's secrets may stay on the screen, nothing of the next one's may be there before they sit down.
// When nobody answers, the next player's secrets are not shown. A reaction can be let go by without moving from the chair.
Sitting::HandOver Sitting::hand_over(Seat seat) {
  const bool reaction = pass_of(seat).has_value();
  typed_ahead_.clear();  // it was somebody else's
  wipe();
  show_wrapped(paint_.bold(say(reaction ? "play.hand-over-reaction" : "play.hand-over", {{"seat", seat_name(seat)}})));
  show_wrapped(say(reaction ? "play.hand-over-or-pass" : "play.hand-over-hidden"));
  std::string answer;
  do {
    if (!answer.empty()) show_wrapped(say("play.hand-over-or-pass"));
    const auto typed = terminal_.ask("");
    if (!typed) return HandOver::nobody;
    answer = folded(plain_input(*typed));
  } while (reaction && !answer.empty() && answer != "p" && answer != "pp" && answer != "pass");
  wipe();
  told_chapter_.clear();
  if (!reaction || answer.empty()) return HandOver::seated;
  if (answer == "pp") passing_ = passing_ | seat;
  return HandOver::passed;
}

void Sitting::tell_news_to_spectator() {
  Lines news = news_for(spectator);
  tell_thinking_time(news);
  for (const std::string& line : news) show_wrapped(line, 2);
}

// Of everyone who thought, in one line.
void Sitting::tell_thinking_time(Lines& news) {
  std::string times;
  for (std::size_t i = 0; i < thinking_.size(); ++i) {
    const auto seconds = thinking_[i].tell();
    if (!seconds) continue;
    times += (times.empty() ? "" : " · ") +
             say(*seconds < 0.01 ? "play.thought-hardly" : "play.thought-seconds", {{"seat", seat_name(Seat(i))}, {"seconds", *seconds}});
  }
  if (!times.empty()) news.push_back(say("play.thought", {{"times", times}}));
}

void Sitting::show_thinking(Seat seat, bool begins) {
  if (!terminal_.cursor || plain_) return;
  terminal_.out << (begins ? paint_.dim(say("play.thinking", {{"seat", seat_name(seat)}})) : "\r\033[K") << std::flush;
}

void Sitting::finish() {
  const bool one_person = humans_ == 1;
  Seat viewer = spectator;
  for (std::size_t i = 0; i < minds_.size(); ++i) {
    if (one_person && !minds_[i]) viewer = Seat(i);
  }
  if (humans_ > 1) wipe();
  const Lines news = news_for(viewer);
  if (humans_ > 0 && !news.empty()) page(say("play.since-your-last-choice"), news);
  show_table(viewer);
  terminal_.line();
  terminal_.line(paint_.bold(say("play.game-over")));
  const Result result = match_->result();
  const std::string reason = say("reason." + match_->reason());
  bool won = false;
  for (std::size_t i = 0; i < match_->seats().size(); ++i) {
    if (!result.won(Seat(i))) continue;
    terminal_.line(paint_.bold(say("play.winner", {{"seat", seat_name(Seat(i))}, {"reason", reason}})));
    won = true;
  }
  if (!won) terminal_.line(paint_.bold(say("play.draw", {{"reason", reason}})));
  tell_why_programs_broke_down();
  reveal_dice();
  while (humans_ > 0) {
    show_wrapped(say("play.after-game"));
    const auto typed = next_line("> ");
    const auto [command, rest] = command_of(plain_input(typed.value_or("")));
    if (command.empty() || command == "quit") break;
    if (command == "log") {
      page(say("play.log-title"), match_->log(viewer, texts_));
    } else if (command == "table") {
      show_table(viewer);
    } else if (command == "save") {
      save(rest, command);
    } else if (command != "help") {
      show_wrapped(say("play.no-more-commands", {{"command", presentable(command, 60)}}));
    }
  }
  terminal_.line(say("play.farewell"));
}

Lines Sitting::news_for(Seat viewer) {
  const std::size_t who = viewer == spectator ? match_->seats().size() : static_cast<std::size_t>(index(viewer));
  Lines news = std::exchange(notices_[who], {});
  const Lines happened = match_->log(viewer, texts_, told_[who]);
  told_[who] += happened.size();
  news.insert(news.end(), happened.begin(), happened.end());
  return news;
}

void Sitting::show_scene(Seat seat, bool with_news) {
  const Choices choices(*match_, seat, texts_);
  Lines news = with_news ? news_for(seat) : Lines{};
  if (with_news) tell_thinking_time(news);
  if (terminal_.cursor && !plain_) return show_screen(seat, choices, std::move(news));
  terminal_.line();
  if (!news.empty()) {
    if (humans_ > 1) terminal_.line(say("play.since-your-last-choice") + ":");
    for (const std::string& line : news) show_wrapped(line, 2);
    terminal_.line();
  }
  const std::string chapter = picture_->chapter(match_->view(seat)["state"]);
  if (!plain_ || chapter != told_chapter_) {
    show_table(seat);
    terminal_.line();
  }
  told_chapter_ = chapter;
  show_wrapped(question(*match_, seat, texts_));
  show_lines(choices.rows(columns(), plain_, paint_).lines);
}

// One screen: the table, what happened, what can be done. What does not fit is shown before, page by page, or on demand.
void Sitting::show_screen(Seat seat, const Choices& choices, Lines news) {
  const int rows = terminal_.size().rows;
  const Lines table = table_lines(seat);
  const Lines asked = wrapped(question(*match_, seat, texts_), columns());
  const Choices::Rows all = choices.rows(columns(), false, paint_);
  Lines options = all.lines;
  Lines told;
  for (const std::string& line : news) {
    for (std::string& part : wrapped(line, columns(), 2)) told.push_back(std::move(part));
  }
  // A little news has its place even where choices are many, if a few of them stay in sight; more of it comes on a screen of its own,
  // unless it fits beside all of them.
  constexpr std::size_t little = 4, few_options = 4;
  const int room = rows - static_cast<int>(table.size() + asked.size()) - 2;
  const std::size_t beside = told.size() > little ? options.size() : std::min(options.size(), few_options);
  if (!told.empty() && static_cast<int>(told.size() + beside) > room) {
    wipe();
    if (page(say("play.since-your-last-choice"), news)) paused();
    told.clear();
  }
  const auto most_options = static_cast<std::size_t>(std::max(static_cast<int>(few_options), room - static_cast<int>(told.size())));
  if (options.size() > most_options) {
    // The last row ends this part of the turn and is always in sight, giving up behind it.
    const std::size_t last = choices.ends_by_giving_up() ? 2 : 1;
    const std::size_t kept = most_options - 1 - last;
    const auto hidden = static_cast<std::int64_t>(all.told[options.size() - 1 - last] - all.told[kept - 1]);
    options.resize(kept);
    options.push_back(paint_.dim("      " + say("play.more-choices", {{"count", hidden}})));
    options.insert(options.end(), all.lines.end() - static_cast<std::ptrdiff_t>(last), all.lines.end());
  }
  wipe();
  show_lines(table);
  for (const std::string& line : told) terminal_.line(paint_.dim(line));
  for (const std::string& line : asked) terminal_.line(paint_.bold(line));
  show_lines(options);
}

Lines Sitting::table_lines(Seat viewer) const {
  const Json state = match_->view(viewer)["state"];
  return plain_ ? picture_->tell(state, texts_) : picture_->draw(state, texts_, columns(), paint_);
}

void Sitting::show_table(Seat viewer) { show_lines(table_lines(viewer)); }

// On a screen, stops whenever it is full. False when the rest was not wanted.
bool Sitting::page(const std::string& title, const Lines& lines) {
  terminal_.line(paint_.bold(title));
  const int rows = terminal_.size().rows - 3;
  int used = 1;
  for (const std::string& line : lines) {
    const Lines parts = plain_ ? Lines{line} : wrapped(line, columns(), 2);
    if (terminal_.cursor && !plain_ && used + static_cast<int>(parts.size()) > rows) {
      if (!paused()) return false;
      used = 0;
    }
    show_lines(parts);
    used += static_cast<int>(parts.size());
  }
  return true;
}

// Waits for Enter. False when something else was typed: "q" ends the reading, and what is meant for later is not lost.
bool Sitting::paused() {
  const auto typed = terminal_.ask(paint_.dim(say("play.press-enter")) + " ");
  const std::string text = plain_input(typed.value_or(""));
  if (folded(text) != "q") typed_ahead_ = text;
  return text.empty();
}

// What was typed ahead counts as if it were typed now, except for numbers: most were typed where nobody saw yet what they stand for.
std::optional<std::string> Sitting::next_line(const std::string& prompt) {
  const std::string ahead = std::exchange(typed_ahead_, {});
  if (ahead.empty()) return terminal_.ask(prompt);
  terminal_.line(prompt + presentable(ahead, 60));
  if (ahead.front() < '0' || ahead.front() > '9') return ahead;
  show_wrapped(say("play.typed-too-early"));
  return terminal_.ask(prompt);
}

void Sitting::show_lines(const Lines& lines) {
  for (const std::string& line : lines) terminal_.line(line);
}

void Sitting::show_wrapped(const std::string& text, int indent) { show_lines(plain_ ? Lines{text} : wrapped(text, columns(), indent)); }

void Sitting::wipe() { terminal_.clear(); }

int Sitting::columns() const { return std::clamp(terminal_.size().columns, 40, 120); }

void Sitting::announce_dice(const std::string& words) {
  const auto opening = match_->dice_opening();
  if (!opening) return;
  if (const auto* proof = std::get_if<ProofOpening>(&*opening)) show_wrapped(say(words, {{"commitment", proof->commitment}}));
}

void Sitting::reveal_dice() {
  for (auto line = match_->record().lines.rbegin(); line != match_->record().lines.rend(); ++line) {
    if (const auto* revealed = std::get_if<RevealLine>(&*line)) {
      show_wrapped(say("play.dice-secret", {{"secret", revealed->secret}}));
      if (humans_ > 0) show_wrapped(say("play.dice-verify"));
      return;
    }
    if (std::holds_alternative<ChanceLine>(*line)) return;
  }
}

}  // namespace baton::app
