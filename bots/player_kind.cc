#include "bots/player_kind.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/utf8.h"

namespace baton {
namespace {

struct Level {
  std::string_view name;
  int milliseconds;         // per own turn at most, where the clock counts
  std::int64_t iterations;  // per own turn at most, where the game says nothing else; what was measured in the arena is what people meet
  int turns_ahead;
  float overlooks;
  bool prudence;
};

constexpr std::array<Level, count_levels> levels = {{
    {"recruit", 50, 40, 1, 0.2f, false},
    {"sergeant", 100, 300, 4, 0, false},
    {"captain", 1'000, 4'000, 8, 0, false},
    {"general", 5'000, 40'000, 8, 0, true},
}};

std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

template <class Number>
Expected<Number> number(std::string_view name, std::string_view text, Number least, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= least && value <= most) return value;
  const auto shown = [](Number n) {
    std::string words = std::to_string(n);
    if (words.find('.') != std::string::npos) words.resize(words.find('.') + 2);
    return words;
  };
  return problem("", "the setting " + std::string(name) + " needs a number from " + shown(least) + " to " + shown(most) + ", not " +
                         in_quotes(text) + ".");
}

template <class Number>
Expected<void> set(Number& into, std::string_view name, std::string_view text, Number least, Number most) {
  const auto read = number<Number>(name, text, least, most);
  if (!read) return tl::make_unexpected(read.error());
  into = *read;
  return {};
}

// A budget that is typed holds however the rest counts; of two, whichever ends first.
struct TypedBudget {
  std::int64_t iterations = 0;
  int milliseconds = 0;
};

Expected<void> change(PlayerKind& kind, TypedBudget& typed, std::string_view name, std::string_view value) {
  SearchSettings& s = kind.settings;
  if (name == "iterations") return set<std::int64_t>(typed.iterations, name, value, 1, 1'000'000'000);
  if (name == "time") return set(typed.milliseconds, name, value, 1, 3'600'000);
  if (name == "threads") {
    const auto done = set(kind.by_time.threads, name, value, 1, 64);
    kind.by_iterations.threads = kind.by_time.threads;
    return done;
  }
  if (name == "turns") {
    s.while_it_pays = false;
    return set(s.turns_ahead, name, value, 1, 1000);
  }
  if (name == "breadth") return set(s.breadth, name, value, 1, 1024);
  if (name == "exploration") return set(s.exploration, name, value, 0.f, 100.f);
  if (name == "sharpness") return set(s.sharpness.emplace(), name, value, 0.f, 100.f);
  if (name == "kinship") return set(s.kinship, name, value, 0.f, 1'000'000.f);
  if (name == "impatience") return set(s.impatience.emplace(), name, value, 0.f, 1.f);
  if (name == "overlooks") return set(s.overlooks, name, value, 0.f, 1.f);
  if (name == "prudence") {
    int prudence = 0;
    const auto done = set(prudence, name, value, 0, 1);
    if (done) s.prudence = prudence == 1;
    return done;
  }
  if (name == "carelessness") return set(s.carelessness, name, value, 0.f, 1.f);
  return problem("", "a level has no setting " + in_quotes(name) +
                         "; known are iterations, time, threads, turns, breadth, exploration, sharpness, kinship, impatience, "
                         "carelessness, prudence and overlooks.");
}

}  // namespace

const std::vector<std::string_view>& level_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const Level& level : levels) all.push_back(level.name);
    return all;
  }();
  return names;
}

const std::vector<std::string_view>& player_kinds() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all = {"random", "greedy"};
    all.insert(all.end(), level_names().begin(), level_names().end());
    return all;
  }();
  return names;
}

Expected<PlayerKind> read_player_kind(std::string_view text) {
  PlayerKind kind;
  kind.text = text;
  if (text == "random") return kind;
  if (text == "greedy") {
    kind.type = PlayerKind::Type::greedy;
    return kind;
  }
  const auto colon = text.find(':');
  if (text.starts_with("random:") || text.starts_with("greedy:"))
    return problem("", std::string(text.substr(0, colon)) + " takes no settings; leave out " + in_quotes(text.substr(colon)) + ".");
  const std::string_view name = text.substr(0, colon);
  if (name == "exec" && colon != std::string_view::npos) {
    kind.type = PlayerKind::Type::program;
    kind.command = text.substr(colon + 1);
    if (!is_utf8(kind.command)) return problem("", "the command behind exec: is not in UTF-8; write it so, or put it into a script.");
    if (kind.command.find_first_not_of(' ') == std::string::npos)
      return problem("", "exec: needs a command behind it, such as exec:./my-bot.");
    return kind;
  }
  const auto* level = std::find_if(levels.begin(), levels.end(), [&](const Level& l) { return l.name == name; });
  if (level == levels.end()) {
    return problem("", "a computer player can be " + listed(player_kinds()) + " or exec:COMMAND, not " + in_quotes(text) + ".");
  }
  kind.type = PlayerKind::Type::search;
  kind.level = static_cast<std::size_t>(level - levels.begin());
  kind.settings.while_it_pays = true;
  kind.settings.turns_ahead = level->turns_ahead;
  kind.settings.overlooks = level->overlooks;
  kind.settings.prudence = level->prudence;
  kind.by_time.time = std::chrono::milliseconds(level->milliseconds);
  kind.by_time.iterations = kind.by_iterations.iterations = level->iterations;
  std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  if (colon != std::string_view::npos && rest.empty())
    return problem("", in_quotes(text) + " ends where a setting should stand, such as iterations=500.");
  TypedBudget typed;
  std::vector<std::string_view> named;
  for (bool more = colon != std::string_view::npos; more;) {
    const std::string_view one = rest.substr(0, rest.find(','));
    more = one.size() < rest.size();
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const auto equals = one.find('=');
    if (equals == std::string_view::npos)
      return problem("", "a setting is NAME=VALUE, such as iterations=500, not " + in_quotes(one) + ".");
    if (std::find(named.begin(), named.end(), one.substr(0, equals)) != named.end())
      return problem("", "the setting " + in_quotes(one.substr(0, equals)) + " is given twice; leave one out.");
    named.push_back(one.substr(0, equals));
    if (auto changed = change(kind, typed, one.substr(0, equals), one.substr(equals + 1)); !changed)
      return tl::make_unexpected(changed.error());
  }
  if (typed.iterations > 0 || typed.milliseconds > 0) {
    kind.level.reset();
    for (Budget* budget : {&kind.by_time, &kind.by_iterations}) {
      budget->iterations = typed.iterations;
      budget->time = std::chrono::milliseconds(typed.milliseconds);
    }
  }
  return kind;
}

}  // namespace baton
