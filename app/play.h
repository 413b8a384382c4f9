// Playing in the terminal: what the command line and the menu both start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/arguments.h"
#include "app/terminal.h"

namespace baton::app {

struct PlayRequest {
  GameChoice choice;
  std::vector<std::string> seats;     // "1=human"
  std::optional<std::uint64_t> seed;  // none: dice with a proof
  std::string locale;                 // empty: the environment's
  std::string resume, position;       // files
  bool plain = false;
};

int play(const PlayRequest& request, Terminal& terminal);

// The languages of the catalogues, English first.
std::vector<std::string> known_locales();
// "de_AT.UTF-8" is "de"; English for what nobody has translated.
std::string locale_of(std::string_view language);

}  // namespace baton::app
