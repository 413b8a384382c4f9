// Fixed lists of words: what stands for the number of each, and back.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace baton {

inline std::optional<int> position_in(std::span<const std::string_view> words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<int>(found - words.begin());
}

inline std::string word_at(std::span<const std::string_view> words, int value) {
  return value >= 0 && value < static_cast<int>(words.size()) ? std::string(words[static_cast<std::size_t>(value)]) : "?";
}

}  // namespace baton
