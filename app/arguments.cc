#include "app/arguments.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <thread>

#include "core/utf8.h"

namespace baton::app {
namespace {

constexpr std::uint64_t most_threads = 1024;

std::string one_sentence(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

}  // namespace

int refuse(Terminal& terminal, const std::string& sentence) {
  terminal.err << "baton: " << one_sentence(sentence) << ".\n";
  return exit_wrong;
}

int refuse(Terminal& terminal, const Problem& problem) { return refuse(terminal, problem.text()); }

std::optional<int> parse(CLI::App& command, const std::vector<std::string>& words, Terminal& terminal) {
  try {
    command.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    terminal.out << command.help();
    return exit_done;
  } catch (const CLI::ParseError& error) {
    return refuse(terminal, one_sentence(error.what()) + "; \"" + command.get_name() + " --help\" shows what fits");
  }
  return std::nullopt;
}

Expected<std::uint64_t> whole_number(std::string_view name, const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    return problem("", fmt::format("{} needs a whole number from {} to {}, not {}.", name, least, most, in_quotes(text)));
  }
  return value;
}

void add_repeatable(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& help) {
  command.add_option(name, values, help)->allow_extra_args(false);
}

void add_game_choice(CLI::App& command, GameChoice& choice) {
  command.add_option("game", choice.game, "the game, as \"baton list\" names it")->required();
  command.add_option("--scenario", choice.scenario, "a scenario of the game, or the path of your own file");
  add_repeatable(command, "--option", choice.options, "NAME=VALUE, as \"baton list\" shows them; may be repeated");
}

Expected<ChosenGame> chosen_game(const GameChoice& choice) {
  ChosenGame chosen;
  chosen.game = choice.game;
  const auto known = options_of(choice.game);
  if (!known) return tl::make_unexpected(known.error());
  for (const std::string& text : choice.options) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return problem("", "--option needs NAME=VALUE, not " + in_quotes(text) + ".");
    if (!chosen.options.emplace(text.substr(0, equals), text.substr(equals + 1)).second) {
      return problem("", "the option " + in_quotes(text.substr(0, equals)) + " is given twice.");
    }
  }
  if (const auto complete = complete_options(*known, chosen.options); !complete) return tl::make_unexpected(complete.error());
  // It goes into records, into files of results and to programs, all of which are JSON.
  if (!is_utf8(choice.scenario))
    return problem("", "the path of the scenario is not in UTF-8: " + in_quotes(choice.scenario) + "; give the file another name.");
  auto scenario = find_scenario(choice.game, choice.scenario);
  if (!scenario) return tl::make_unexpected(scenario.error());
  chosen.scenario = std::move(*scenario);
  std::optional<Problem> wrong;
  with_game(choice.game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    if (const auto loaded = G::load(chosen.scenario, chosen.options)) {
      chosen.seats = G::seats(*loaded);
      std::map<std::string, std::size_t> teams;
      const Json sheet = G::sheet(*loaded);
      for (const Json& seat : sheet["seats"])
        chosen.side_of_seat.push_back(teams.try_emplace(seat["team"].get<std::string>(), teams.size()).first->second);
      chosen.sides = teams.size();
      const auto shipped = scenario_ids(choice.game);
      if constexpr (requires { G::warnings(*loaded); }) {
        const bool own = !choice.scenario.empty() && std::find(shipped.begin(), shipped.end(), choice.scenario) == shipped.end();
        if (own) chosen.warnings = G::warnings(*loaded);
      }
    } else {
      wrong = loaded.error();
    }
  });
  if (wrong) return tl::make_unexpected(*wrong);
  return chosen;
}

bool ChosenGame::has_even_sides() const {
  for (std::size_t side = 0; side < sides; ++side) {
    if (static_cast<std::size_t>(std::count(side_of_seat.begin(), side_of_seat.end(), side)) * sides != seats.size()) return false;
  }
  return true;
}

void tell_warnings(const ChosenGame& chosen, Terminal& terminal) {
  for (const std::string& warning : chosen.warnings) terminal.err << "warning: " << chosen.scenario.name << ": " << warning << '\n';
}

Expected<std::string> allowed_kind(const std::string& kind, Sitters sitters) {
  if (kind == "human" && sitters == Sitters::everyone) return kind;
  const auto read = read_player_kind(kind);
  const bool known = std::find(player_kinds().begin(), player_kinds().end(), kind.substr(0, kind.find(':'))) != player_kinds().end();
  if (!read && (known || kind.starts_with("exec:"))) return tl::make_unexpected(read.error());
  if (read && (read->type != PlayerKind::Type::program || sitters != Sitters::minds)) return kind;
  std::vector<std::string> all(player_kinds().begin(), player_kinds().end());
  if (sitters == Sitters::everyone) all.insert(all.begin(), "human");
  if (sitters != Sitters::minds) all.emplace_back("exec:COMMAND");
  return problem("", "a seat can be " + joined(all) + " here, not " + in_quotes(kind) + ".");
}

Expected<void> assign_seats(const std::vector<std::string>& assigned, const std::vector<std::string>& seats, Sitters sitters,
                            std::vector<std::string>& players) {
  std::vector<std::string> numbered;
  for (std::size_t i = 0; i < seats.size(); ++i) numbered.push_back(fmt::format("{} ({})", i + 1, seats[i]));
  std::vector<bool> taken(seats.size(), false);
  for (const std::string& text : assigned) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) return problem("", "--seat needs SEAT=KIND, such as 1=captain, not " + in_quotes(text) + ".");
    const std::string seat = text.substr(0, equals), kind = text.substr(equals + 1);
    auto found = static_cast<std::size_t>(std::find(seats.begin(), seats.end(), seat) - seats.begin());
    if (found == seats.size()) {
      const auto number = whole_number("--seat", seat, 1, seats.size());
      if (!number) return problem("", "there is no seat " + in_quotes(seat) + "; known are " + joined(numbered) + ".");
      found = *number - 1;
    }
    if (auto allowed = allowed_kind(kind, sitters); !allowed) return tl::make_unexpected(allowed.error());
    if (taken[found]) return problem("", "the seat " + numbered[found] + " is given twice; leave one out.");
    taken[found] = true;
    players[found] = kind;
  }
  return {};
}

Expected<Record> record_from(const std::string& path) {
  const auto text = read_text_file(path, largest_record);
  if (!text) return tl::make_unexpected(text.error());
  return read_record(path, *text);
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

unsigned standard_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

Expected<void> few_enough_threads(std::uint64_t games_at_once, std::span<const PlayerKind> kinds) {
  for (const PlayerKind& kind : kinds) {
    const auto threads = games_at_once * static_cast<std::uint64_t>(kind.by_time.threads);
    if (threads <= most_threads) continue;
    return problem("", fmt::format("--threads {} with {} would be {} threads; {} are the most.", games_at_once, in_quotes(kind.text),
                                   threads, most_threads));
  }
  return {};
}

bool same_file(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  // Two links to one file are the same file too, and only the disk knows that.
  std::error_code unknown;
  if (std::filesystem::equivalent(one, other, unknown)) return true;
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown);
  };
  const auto whole_one = whole(one);
  return !whole_one.empty() && whole_one == whole(other);
}

}  // namespace baton::app
