// Where the program talks and listens. Tests hand in strings, main() the real thing.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <istream>
#include <optional>
#include <ostream>
#include <string>

namespace baton::app {

struct Size {
  int columns = 80, rows = 24;
};

struct Terminal {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;

  // Which of them are a person's screen and keyboard.
  bool in_is_screen = false, out_is_screen = false, err_is_screen = false;
  bool colour = false;        // the screen has it and the person wants it
  bool cursor = false;        // the screen can be cleared
  std::string language = {};  // as the environment names it: "de_DE.UTF-8"
  std::function<Size()> size = [] { return Size{}; };

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    out << fmt::format(format, std::forward<Args>(args)...);
  }
  void line(const std::string& text = {}) { out << text << '\n'; }

  // Shows `prompt` and reads a line; nothing at the end of the input.
  std::optional<std::string> ask(const std::string& prompt);

  // Empties the screen and what can be scrolled back to. Where that is not possible, pushes everything out of sight.
  void clear();
};

// The real one, with what the environment says about colour and language.
Terminal real_terminal();

}  // namespace baton::app
