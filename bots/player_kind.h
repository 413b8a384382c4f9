// The kinds of players a seat can be given: what people type after --seat, and what it stands for.
//
//   random, greedy                        quick, without thinking ahead
//   recruit, sergeant, captain, general   the search, with more time and depth from level to level, and prudence last
//   captain:iterations=500,turns=3        a level with some of its settings changed, for experiments
//   exec:COMMAND                          a program of your own that speaks the protocol of docs/bot-protocol.md
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bots/search_settings.h"
#include "core/problem.h"

namespace baton {

// What a search may spend on one own turn, with the reactions in the others' turns until the next. Nothing given: no limit of that sort.
struct Budget {
  std::int64_t iterations = 0;
  std::chrono::milliseconds time{0};
  int threads = 1;
  bool all_at_once = false;  // the first decision may take everything: for whoever asks about one position
};

struct PlayerKind {
  enum class Type { random, greedy, search, program };

  std::string text;  // as typed
  Type type = Type::random;
  SearchSettings settings{};
  Budget by_time{}, by_iterations{};   // by_iterations is reproducible
  std::optional<std::size_t> level{};  // whose iterations count, where none were typed; a game may have its own: see minds.h
  std::string command{};               // of a program
};

// The names that stand for themselves, weakest first.
const std::vector<std::string_view>& player_kinds();
const std::vector<std::string_view>& level_names();
inline constexpr std::size_t count_levels = 4;

Expected<PlayerKind> read_player_kind(std::string_view text);

}  // namespace baton
