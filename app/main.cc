#include <csignal>
#include <exception>
#include <iostream>

#include "app/commands.h"

int main(int count, char** words) {
  std::signal(SIGCHLD, SIG_DFL);  // whoever started us may ignore it, and then nobody hears how a player's program ended
  std::ios::sync_with_stdio(false);
  auto terminal = baton::app::real_terminal();
  try {
    const int code = baton::app::run_program({words + 1, words + count}, terminal);
    terminal.out.flush();
    return code;
  } catch (const std::exception& error) {
    std::cerr << "baton: this is a mistake in the program: " << error.what() << ".\n";
    return 3;
  }
}
