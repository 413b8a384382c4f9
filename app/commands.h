// The program's subcommands. Each takes the words after its own and gives the exit code.
#pragma once

#include <string>
#include <vector>

#include "app/terminal.h"

namespace baton::app {

using Words = std::vector<std::string>;

int run_list(const Words& words, Terminal& terminal);
int run_play(const Words& words, Terminal& terminal);
int run_simulate(const Words& words, Terminal& terminal);
int run_arena(const Words& words, Terminal& terminal);
int run_tune(const Words& words, Terminal& terminal);
int run_replay(const Words& words, Terminal& terminal);
int run_verify(const Words& words, Terminal& terminal);
int run_case(const Words& words, Terminal& terminal);
int run_check(const Words& words, Terminal& terminal);
int run_board(const Words& words, Terminal& terminal);
int run_bench(const Words& words, Terminal& terminal);
int run_load(const Words& words, Terminal& terminal);
int run_serve(const Words& words, Terminal& terminal);
int run_menu(Terminal& terminal);

// The whole program: finds the subcommand. Without words: the menu for a person, a short help for a pipe.
int run_program(const Words& words, Terminal& terminal);

}  // namespace baton::app
