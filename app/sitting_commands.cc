// What a person types at the table.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/arguments.h"
#include "app/display.h"
#include "app/hints.h"
#include "app/odds_text.h"
#include "app/sitting.h"
#include "app/stop_signals.h"
#include "app/whole_file.h"
#include "core/utf8.h"
#include "match/record.h"

namespace baton::app {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// 1…count as an index.
std::optional<std::size_t> numbered(std::string_view text, std::size_t count) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1 || number > count) return std::nullopt;
  return number - 1;
}

}  // namespace

Sitting::Command Sitting::command_of(const std::string& typed) {
  const auto blank = typed.find(' ');
  return {folded(typed.substr(0, blank)), blank == std::string::npos ? std::string{} : plain_input(typed.substr(blank))};
}

Sitting::After Sitting::obey(Seat seat, const Choices& choices, const std::string& typed) {
  const auto [command, rest] = command_of(typed);
  if (typed.empty()) {
    show_wrapped(say("play.choose-number", {{"count", static_cast<std::int64_t>(choices.size())}}) + " (help)");
  } else if (is_digit(typed.front())) {
    return choose_number(seat, choices, typed);
  } else if (command == "quit") {
    return leave();
  } else if (command == "help") {
    show_commands();
  } else if (command == "all") {
    show_lines(choices.every());
  } else if (command == "table") {
    told_chapter_.clear();
    show_scene(seat, false);
  } else if (command == "log") {
    const Lines log = match_->log(seat, texts_);
    if (log.empty()) show_wrapped(say("play.log-empty"));
    if (!log.empty()) page(say("play.log-title"), log);
  } else if (command == "cards") {
    const Lines held = picture_->holdings(match_->view(seat)["state"], texts_);
    if (held.empty()) show_wrapped(say("play.nothing-held"));
    for (const std::string& line : held) show_wrapped(line, 2);
  } else if (command == "odds") {
    show_odds(seat, choices, rest);
  } else if (command == "look") {
    look(seat, rest);
  } else if (command == "hint" || command == "analyse") {
    advise(seat, choices, command == "analyse", rest);
  } else if (command == "why") {
    explain(seat, choices, rest);
  } else if (command == "undo") {
    undo(seat);
  } else if (command == "save" || command == "save-position") {
    save(rest, command);
  } else {
    return choose_words(seat, choices, typed);
  }
  return After::stay;
}

Sitting::After Sitting::choose(Seat seat, Action action) {
  if (match_->gives_up(action) && match_->why_not(seat, action).empty() &&
      !confirmed(say("play.really-give-up", {{"yes", say("play.yes")}, {"no", say("play.no")}}))) {
    return After::stay;
  }
  if (auto done = match_->act(seat, action); !done) {
    terminal_.line(done.error().text());
    return After::stay;
  }
  ++choices_made_[static_cast<std::size_t>(index(seat))];
  return After::go_on;
}

Sitting::After Sitting::choose_number(Seat seat, const Choices& choices, const std::string& typed) {
  if (const auto i = numbered(typed, choices.size())) return choose(seat, choices[*i].action);
  if (std::all_of(typed.begin(), typed.end(), is_digit)) {
    show_wrapped(say("play.out-of-range", {{"count", static_cast<std::int64_t>(choices.size())}}));
  } else {
    show_wrapped(say("play.not-a-number", {{"text", presentable(typed, 60)}}));
  }
  return After::stay;
}

Sitting::After Sitting::choose_words(Seat seat, const Choices& choices, const std::string& typed) {
  if (const auto i = choices.find(typed)) return choose(seat, choices[*i].action);
  if (const auto action = match_->from_words(folded(typed))) {
    const std::string why = match_->say_why_not(seat, *action, texts_);
    if (why.empty()) return choose(seat, *action);
    show_wrapped(say("play.illegal-because", {{"reason", why}}));
  } else {
    show_wrapped(say("play.unknown-command", {{"command", presentable(typed, 60)}}));
  }
  return After::stay;
}

Sitting::After Sitting::leave() {
  if (match_->record().lines.size() != saved_at_ && match_->steps() > 0 &&
      !confirmed(say("play.really-quit", {{"yes", say("play.yes")}, {"no", say("play.no")}}))) {
    return After::stay;
  }
  tell_why_programs_broke_down();
  terminal_.line(say("play.farewell"));
  return After::leave;
}

void Sitting::look(Seat seat, const std::string& what) {
  if (what.empty()) return show_wrapped(say("play.look-at-what"));
  const Lines lines = picture_->look(match_->view(seat)["state"], texts_, what, columns(), paint_, plain_);
  if (lines.empty()) return show_wrapped(say("play.nothing-there", {{"what", presentable(what, 60)}}));
  show_lines(lines);
}

void Sitting::explain(Seat seat, const Choices& choices, const std::string& words) {
  if (words.empty()) return show_wrapped(say("play.why-needs-action"));
  if (numbered(words, choices.size()) || choices.find(words)) return show_wrapped(say("play.legal"));
  const auto action = match_->from_words(words);
  const std::string why = action ? match_->say_why_not(seat, *action, texts_) : say("play.no-such-action");
  show_wrapped(why.empty() ? say("play.legal") : say("play.illegal-because", {{"reason", why}}));
}

void Sitting::show_odds(Seat seat, const Choices& choices, const std::string& which) {
  Lines lines;
  if (which.empty()) {
    lines = odds_in_brief(*match_, seat, choices, texts_);
  } else {
    auto chosen = numbered(which, choices.size());
    if (!chosen) chosen = choices.find(which);
    if (!chosen) return show_wrapped(say("play.not-a-number", {{"text", presentable(which, 60)}}));
    lines = odds_in_full(odds_of(*match_, seat, choices[*chosen].action), texts_, plain_);
    if (!lines.empty()) lines.insert(lines.begin(), choices[*chosen].said);
  }
  if (lines.empty()) return show_wrapped(say("play.no-odds"));
  page(say("play.odds-title"), lines);
}

void Sitting::advise(Seat seat, const Choices& choices, bool at_length, const std::string& seconds) {
  constexpr std::size_t longest = 600;
  HintRequest request;
  request.seed = match_->steps();
  if (at_length) {
    request.actions = 6;
    request.columns = plain_ ? 0 : columns();
    request.threads = static_cast<int>(standard_threads());
    request.time = std::chrono::seconds(5);
  }
  if (!seconds.empty()) {
    const auto given = numbered(seconds, longest);
    if (!given)
      return show_wrapped(
          say("play.advise-seconds", {{"command", at_length ? "analyse" : "hint"}, {"count", static_cast<std::int64_t>(longest)}}));
    request.time = std::chrono::seconds(*given + 1);
  }
  request.may_be_stopped = terminal_.in_is_screen;
  show_wrapped(say(request.may_be_stopped ? "play.advising-until-stopped" : "play.advising"));
  terminal_.out << std::flush;
  const Lines advice = hints(*match_, seat, choices, texts_, request);
  if (request.may_be_stopped && StopSignals::came()) terminal_.line();  // the screen shows ^C
  page(say(at_length ? "play.analysis-title" : "play.hint-title"), advice);
}

void Sitting::undo(Seat seat) {
  std::size_t& made = choices_made_[static_cast<std::size_t>(index(seat))];
  if (!match_->can_undo(seat)) return show_wrapped(say(made == 0 ? "play.nothing-to-undo" : "play.undo-barred"));
  if (auto done = match_->undo(seat); !done) return show_wrapped(say("play.undo-barred"));
  if (made > 0) --made;
  std::size_t& told = told_[static_cast<std::size_t>(index(seat))];
  told = std::min(told, match_->log(seat, texts_).size());
  told_chapter_.clear();
  show_scene(seat, true);
  show_wrapped(say("play.undone"));
}

// A record shows the secret of the dice so far; the dice to come get a new one.
void Sitting::save(const std::string& file, const std::string& command) {
  const bool position = command == "save-position";
  if (file.empty()) return show_wrapped(say("play.save-needs-file", {{"command", command}}));
  std::error_code unknown;
  const bool folder = std::filesystem::is_directory(file, unknown);
  if (!folder && std::filesystem::exists(file, unknown) &&
      !confirmed(say("play.overwrite", {{"file", file}, {"yes", say("play.yes")}, {"no", say("play.no")}})))
    return;
  Record record = match_->record();
  const auto secret = match_->open_secret();
  if (secret) record.lines.push_back(RevealLine{secret->hex()});
  if (const auto error = write_whole_file(file, position ? match_->save_position().dump(1) + "\n" : text_of(record)))
    return show_wrapped(say("play.save-failed", {{"file", file}, {"reason", error.message()}}));
  show_wrapped(say(match_->choosing().empty() ? "play.saved" : "play.saved-midway", {{"file", file}}));
  if (position) return;
  if (secret) {
    match_->open_dice(Proven{ProofSecret::fresh(), ""});
    announce_dice("play.dice-commitment-anew");
  }
  saved_at_ = match_->record().lines.size();
}

void Sitting::show_commands() {
  terminal_.line(paint_.bold(say("play.commands-title")));
  std::istringstream commands(say("play.commands"));
  int indent = 0;  // where the first line, and every other that is not too long for it, begins to explain
  for (std::string line; std::getline(commands, line);) {
    if (indent == 0) indent = display_width(line.substr(0, line.find_first_not_of(' ', line.find("  "))));
    show_wrapped(line, indent);
  }
}

bool Sitting::confirmed(const std::string& question) {
  const auto typed = terminal_.ask(question + " ");
  if (!typed) return false;
  const std::string answer = plain_input(*typed);
  return !answer.empty() && (answer == say("play.yes") || answer == "y" || answer == "yes");
}

}  // namespace baton::app
