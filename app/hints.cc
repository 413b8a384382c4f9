#include "app/hints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>

#include "app/display.h"
#include "app/stop_signals.h"
#include "bots/player.h"

namespace baton::app {
namespace {

// While it lives, Ctrl-C makes the player choose at once, from what it has found so far. Whoever presses it twice means it once.
class Interruption {
 public:
  explicit Interruption(Player& player)
      : watch_([&player](const std::stop_token& over) {
          while (!over.stop_requested()) {
            // The player heeds this also before its search has begun.
            if (StopSignals::came()) return player.cancel();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
          }
        }) {}
  ~Interruption() {
    if (StopSignals::came()) std::this_thread::sleep_for(std::chrono::milliseconds(700));
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  StopSignals signals_{{SIGINT}, StopSignals::Again::does_nothing};
  std::jthread watch_;  // ends before the signals are let go
};

class Advice {
 public:
  Advice(const Match& match, const Choices& choices, const Catalogue& texts, const Thoughts& thoughts, std::size_t most)
      : match_(match), choices_(choices), texts_(texts) {
    for (const Considered& one : thoughts.actions) tried_ += one.visits;
    for (const Considered& one : thoughts.actions) {
      if (told_.size() < most && one.visits > 0) told_.push_back(&one);
    }
  }

  Lines sentences() const {
    Lines lines;
    for (const Considered* one : told_) {
      std::string line =
          texts_.say("play.hint-action",
                     {{"action", numbered(one->action)}, {"chance", chance(*one)}, {"share", share(*one)}, {"visits", one->visits}});
      for (const std::string& more : what_follows(*one)) line = texts_.say("play.sentences", {{"first", line}, {"second", more}});
      lines.push_back(std::move(line));
    }
    return lines;
  }

  // The choices on the left, three columns of numbers on the right, what follows a choice indented below it.
  Lines table(int columns) const {
    using Numbers = std::array<std::string, 3>;
    const Numbers titles = {texts_.say("play.analysis-chance"), texts_.say("play.analysis-tried"), texts_.say("play.analysis-share")};
    std::vector<Numbers> rows;
    for (const Considered* one : told_) {
      rows.push_back({texts_.say("play.percent", {{"percent", chance(*one)}}), texts_.say("play.number", {{"number", one->visits}}),
                      texts_.say("play.percent", {{"percent", share(*one)}})});
    }
    std::array<int, 3> widths{};
    int left = columns;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = display_width(titles[i]);
      for (const Numbers& row : rows) widths[i] = std::max(widths[i], display_width(row[i]));
      left -= 2 + widths[i];
    }
    std::size_t shown = widths.size();
    while (shown > 1 && left < 24) left += 2 + widths[--shown];  // a narrow screen has room for the chances only
    const auto with_numbers = [&](const std::string& text, const Numbers& numbers) {
      std::string line = fitted(text, left);
      for (std::size_t i = 0; i < shown; ++i) line += repeated(" ", 2 + widths[i] - display_width(numbers[i])) + numbers[i];
      return line;
    };
    constexpr int indent = 4;
    Lines lines = {with_numbers(repeated(" ", indent) + texts_.say("play.analysis-choice"), titles)};
    for (std::size_t i = 0; i < told_.size(); ++i) {
      const std::string name = numbered(told_[i]->action);
      const Lines parts = wrapped(repeated(" ", 3 - static_cast<int>(std::min<std::size_t>(3, name.find(' ')))) + name, left, indent);
      lines.push_back(with_numbers(parts.front(), rows[i]));
      lines.insert(lines.end(), parts.begin() + 1, parts.end());
      for (const std::string& more : what_follows(*told_[i])) {
        for (const std::string& part : wrapped(repeated(" ", indent + 2) + more, columns, indent + 4)) lines.push_back(part);
      }
    }
    return lines;
  }

 private:
  std::string numbered(Action action) const {
    const auto found = choices_.find(action);
    return found ? std::to_string(*found + 1) + " " + choices_[*found].said : match_.say(action, texts_);
  }
  // Nothing is quite certain before the end.
  std::int64_t chance(const Considered& one) const { return std::clamp<std::int64_t>(std::llround(100 * one.win_chance), 1, 99); }
  std::int64_t share(const Considered& one) const {
    return std::llround(100 * static_cast<double>(one.visits) / static_cast<double>(tried_));
  }

  // What comes for sure, and what may come when the dice and the others have had their say.
  Lines what_follows(const Considered& one) const {
    constexpr std::size_t most = 4;
    const std::size_t end = std::min(one.line.size(), most), certain = std::min(one.certain, end);
    Lines lines;
    const auto add = [&](std::string_view key, std::size_t from, std::size_t to) {
      std::string line, last;
      for (std::size_t i = from; i < to; ++i) {
        const std::string said = match_.say(one.line[i], texts_);
        if (said != std::exchange(last, said)) line += (line.empty() ? "" : " → ") + said;
      }
      if (!line.empty()) lines.push_back(texts_.say(key, {{"line", line}}));
    };
    add("play.hint-line", 0, certain);
    add("play.hint-later", certain, end);
    return lines;
  }

  const Match& match_;
  const Choices& choices_;
  const Catalogue& texts_;
  std::vector<const Considered*> told_;
  std::int64_t tried_ = 0;
};

}  // namespace

Lines hints(const Match& match, Seat seat, const Choices& choices, const Catalogue& texts, const HintRequest& request) {
  PlayerKind kind = *read_player_kind("captain");
  kind.by_time.time = request.time;
  kind.by_time.iterations = 0;  // all the time that was given
  kind.by_time.threads = request.threads;
  kind.by_time.all_at_once = true;
  const auto adviser = make_player(match.header().game, kind, Counting::time, request.seed);
  if (!adviser) return {};
  {
    std::optional<Interruption> interruption;
    if (request.may_be_stopped) interruption.emplace(*adviser);
    if (!adviser->choose({match, seat})) return {};
  }
  return hints_from(adviser->thoughts(), match, choices, texts, request);
}

Lines hints_from(const Thoughts& thoughts, const Match& match, const Choices& choices, const Catalogue& texts, const HintRequest& request) {
  if (thoughts.actions.empty()) return {texts.say("play.hint-only-choice", {{"action", "1 " + choices[0].said}})};
  const Advice advice(match, choices, texts, thoughts, request.actions);
  Lines lines = request.columns > 0 ? advice.table(request.columns) : advice.sentences();
  lines.push_back(texts.say("play.hint-effort", {{"iterations", thoughts.iterations}, {"seconds", thoughts.seconds}}));
  return lines;
}

}  // namespace baton::app
