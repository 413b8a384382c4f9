// What the subcommands share in reading their arguments: one clear sentence for everything that is wrong.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/terminal.h"
#include "bots/player_kind.h"
#include "core/option.h"
#include "core/problem.h"
#include "match/registry.h"

namespace baton::app {

inline constexpr int exit_done = 0;
inline constexpr int exit_no = 1;     // the answer is no
inline constexpr int exit_wrong = 2;  // wrong usage or input

// Says the sentence and gives exit_wrong.
int refuse(Terminal& terminal, const Problem& problem);
int refuse(Terminal& terminal, const std::string& sentence);

// Nothing: go on. Else the exit code: help was asked for, or the usage is wrong.
std::optional<int> parse(CLI::App& command, const std::vector<std::string>& words, Terminal& terminal);

// `name` is the argument it was given for: "--games".
Expected<std::uint64_t> whole_number(std::string_view name, const std::string& text, std::uint64_t least, std::uint64_t most);

// The part of a command line that says which game, in which form.
struct GameChoice {
  std::string game, scenario;
  std::vector<std::string> options;
};
void add_game_choice(CLI::App& command, GameChoice& choice);
void add_repeatable(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& help);

struct ChosenGame {
  std::string game;
  ScenarioFile scenario;
  OptionValues options;
  std::vector<std::string> seats;
  std::size_t sides = 2;  // teams, or seats that play for themselves
  std::vector<std::size_t> side_of_seat;
  bool has_even_sides() const;        // as many seats in each
  std::vector<std::string> warnings;  // about a scenario of one's own that can be played but breaks the game's guidelines
};
// Reads the scenario with the options once, so that whatever is wrong is said before anything starts.
Expected<ChosenGame> chosen_game(const GameChoice& choice);
void tell_warnings(const ChosenGame& chosen, Terminal& terminal);

// Who may sit at a seat: minds of the house only, programs as well, or people too.
enum class Sitters { minds, minds_and_programs, everyone };

// "1=random", "german=greedy" onto a list of kinds, one a seat; each is "human" or fits read_player_kind.
Expected<void> assign_seats(const std::vector<std::string>& assigned, const std::vector<std::string>& seats, Sitters sitters,
                            std::vector<std::string>& players);
// The kind as it was typed, when such a player may sit here.
Expected<std::string> allowed_kind(const std::string& kind, Sitters sitters);

// A record from its file, read but not yet replayed.
Expected<Record> record_from(const std::string& path);

std::string joined(const std::vector<std::string>& words, std::string_view between = ", ");
unsigned standard_threads();
// A search may have threads of its own: all together must be few enough for a machine to start them.
Expected<void> few_enough_threads(std::uint64_t games_at_once, std::span<const PlayerKind> kinds);

// Whether both paths lead to one file, which need not be there yet.
bool same_file(const std::string& one, const std::string& other);

}  // namespace baton::app
