// The whole program: finds the subcommand.
#include <algorithm>
#include <array>
#include <string_view>

#include "app/arguments.h"
#include "app/commands.h"
#include "core/utf8.h"

namespace baton::app {
namespace {

struct Command {
  std::string_view name, does;
  int (*run)(const Words&, Terminal&);
};

constexpr auto commands = std::to_array<Command>({
    {"play", "play in the terminal, against the computer or at one keyboard", run_play},
    {"serve", "open the tables on the net, for browsers", run_serve},
    {"list", "games, scenarios, seats and options", run_list},
    {"simulate", "many games between computer players, and what came of them", run_simulate},
    {"arena", "how strong computer players are against each other", run_arena},
    {"tune", "better the judgement of computer players by self-play", run_tune},
    {"replay", "show a recorded match at any point, through anyone's eyes", run_replay},
    {"verify", "recompute every die of a record and check every action", run_verify},
    {"case", "run rulebook cases", run_case},
    {"check", "play random games and check every promise of the rules", run_check},
    {"board", "check, make and draw boards of Company Leader", run_board},
    {"load", "how many tables and actions a second the server carries here", run_load},
    {"bench", "how fast the rules are, or a fingerprint of what they do", run_bench},
});

void help(Terminal& terminal) {
  terminal.line("Baton: play, host and study command wargames.\n");
  terminal.line("  baton            the menu, in a terminal");
  for (const Command& command : commands) terminal.print("  baton {:<10} {}\n", command.name, command.does);
  terminal.line("\n\"baton COMMAND --help\" tells more about each.");
}

}  // namespace

int run_program(const Words& words, Terminal& terminal) {
  if (words.empty()) {
    if (terminal.in_is_screen && terminal.out_is_screen) return run_menu(terminal);
    help(terminal);
    return exit_done;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    help(terminal);
    return exit_done;
  }
  if (words[0] == "--version") {
    terminal.line("baton " BATON_VERSION);
    return exit_done;
  }
  const auto* found = std::find_if(commands.begin(), commands.end(), [&](const Command& command) { return command.name == words[0]; });
  if (found == commands.end()) {
    std::vector<std::string> names;
    for (const Command& command : commands) names.emplace_back(command.name);
    return refuse(terminal, "there is no command " + in_quotes(words[0]) + "; known are " + joined(names));
  }
  return found->run({words.begin() + 1, words.end()}, terminal);
}

}  // namespace baton::app
