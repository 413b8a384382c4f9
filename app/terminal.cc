#include "app/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "app/second_ctrl_c.h"

namespace baton::app {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

Size window_size() {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) return {};
  return {window.ws_col, window.ws_row};
}

}  // namespace

std::optional<std::string> Terminal::ask(const std::string& prompt) {
  out << prompt << std::flush;
  std::string typed;
  if (!std::getline(in, typed)) return std::nullopt;
  SecondCtrlC::think_again();
  if (!typed.empty() && typed.back() == '\r') typed.pop_back();
  return typed;
}

void Terminal::clear() {
  if (cursor) {
    out << "\033[2J\033[3J\033[H" << std::flush;
  } else {
    out << std::string(static_cast<std::size_t>(size().rows), '\n');
  }
}

Terminal real_terminal() {
  Terminal terminal{std::cin, std::cout, std::cerr};
  terminal.in_is_screen = isatty(STDIN_FILENO) != 0;
  terminal.out_is_screen = isatty(STDOUT_FILENO) != 0;
  terminal.err_is_screen = isatty(STDERR_FILENO) != 0;
  const auto kind = variable("TERM");
  terminal.cursor = terminal.out_is_screen && !kind.empty() && kind != "dumb";
  terminal.colour = terminal.cursor && variable("NO_COLOR").empty();
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    if (terminal.language.empty()) terminal.language = variable(name);
  }
  terminal.size = window_size;
  return terminal;
}

}  // namespace baton::app
