#include "app/choices.h"

#include <fmt/format.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "match/registry.h"

namespace baton::app {
namespace {

struct Parts {
  std::string row;       // the same for actions that differ only in their last field
  std::string last;      // that field, as it is said
  bool closing = false;  // an action without fields: pass, done
};

Parts parts_of(const Match& match, Action action, const Catalogue& texts) {
  Parts parts;
  with_game(match.header().game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    const auto* typed = dynamic_cast<const TypedMatch<G>*>(&match);
    const Phrase& phrase = G::verbs()[action.verb];
    const auto numbers = numbers_of(action);
    const auto count = static_cast<std::size_t>(phrase.size());
    parts.row = std::to_string(action.verb);
    for (std::size_t i = 0; i + 1 < count; ++i) parts.row += " " + std::to_string(numbers[i]);
    parts.closing = count == 0;
    if (typed != nullptr && count > 0)
      parts.last = say_value<G>(texts, typed->scenario(), phrase.fields[count - 1].kind, numbers[count - 1]);
  });
  return parts;
}

// "pass" and "done" mean something else at every step; a game may say it so.
std::string said_here(const Match& match, Action action, const std::string& step, const Catalogue& texts) {
  const std::string key = "action-" + match.words(action) + "." + step;
  return texts.has(key) ? texts.say(key) : match.say(action, texts);
}

std::string step_of(const Match& match, Seat seat) {
  const Json view = match.view(seat);
  const auto step = view["state"].find("step");
  return step != view["state"].end() && step->is_string() ? step->get<std::string>() : std::string{};
}

}  // namespace

Choices::Choices(const Match& match, Seat seat, const Catalogue& texts) {
  const std::string step = step_of(match, seat);
  std::map<std::string, std::size_t> rows;
  std::vector<Choice> closing, giving_up;
  for (const Action action : match.actions(seat)) {
    Parts parts = parts_of(match, action, texts);
    const std::size_t row = rows.emplace(parts.row, rows.size()).first->second;
    Choice choice{action, match.words(action), said_here(match, action, step, texts), std::move(parts.last), row};
    (match.gives_up(action) ? giving_up : parts.closing ? closing : all_).push_back(std::move(choice));
  }
  std::stable_sort(all_.begin(), all_.end(), [](const Choice& a, const Choice& b) { return a.row < b.row; });
  // Nobody gives up by a number typed out of habit.
  all_.insert(all_.end(), closing.begin(), closing.end());
  ends_by_giving_up_ = !giving_up.empty();
  all_.insert(all_.end(), giving_up.begin(), giving_up.end());
}

std::optional<std::size_t> Choices::find(Action action) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Choice& choice) { return choice.action == action; });
  if (found == all_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all_.begin());
}

std::optional<std::size_t> Choices::find(std::string_view typed) const {
  const std::string wanted = folded(typed);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (wanted == all_[i].words || wanted == folded(all_[i].said)) return i;
  }
  return std::nullopt;
}

Choices::Rows Choices::rows(int columns, bool plain, const Paint& paint) const {
  Rows rows;
  const auto end_line = [&](std::string&& line, std::size_t told) {
    rows.lines.push_back(std::move(line));
    rows.told.push_back(told);
  };
  const int indent = 6;
  for (std::size_t i = 0; i < all_.size();) {
    std::string line;
    int used = 0;
    const std::size_t begin = i;
    for (; i < all_.size() && all_[i].row == all_[begin].row; ++i) {
      const std::string number = std::to_string(i + 1);
      const std::string& text = i == begin ? all_[i].said : all_[i].last;
      if (plain) {
        line += (line.empty() ? "" : " ") + number + ": " + text + ".";
        continue;
      }
      const std::string shown_number = i == begin ? repeated(" ", 3 - display_width(number)) + number : number;
      const int width = display_width(shown_number) + 1 + display_width(text);
      if (used > 0 && used + 3 + width > columns) {
        end_line(std::move(line), i);
        line = repeated(" ", indent);
        used = indent;
      } else if (used > 0) {
        line += "   ";
        used += 3;
      }
      line += paint.bold(shown_number) + " " + text;
      used += width;
    }
    end_line(std::move(line), i);
  }
  return rows;
}

Lines Choices::every() const {
  Lines lines;
  for (std::size_t i = 0; i < all_.size(); ++i) lines.push_back(fmt::format("{:>3}  {}  ({})", i + 1, all_[i].said, all_[i].words));
  return lines;
}

std::string question(const Match& match, Seat seat, const Catalogue& texts) {
  const std::string key = "prompt." + step_of(match, seat);
  const std::string name = texts.say("seat." + match.name_of(seat));
  return texts.has(key) ? name + ": " + texts.say(key) : texts.say("play.your-turn", {{"seat", name}});
}

}  // namespace baton::app
