// Reads the objects that clients send: every key checked, the first thing that is wrong kept as a fault that names it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "table/fault.h"

namespace baton::table {

class Fields {
 public:
  explicit Fields(const Json& json);

  // Texts are UTF-8 without control characters, `most` counts characters. A key that is missing and was needed is a fault.
  std::string text(std::string_view key, std::size_t most);
  std::optional<std::string> text_if_any(std::string_view key, std::size_t most);  // null counts as missing
  std::string word_of(std::string_view key, const std::vector<std::string_view>& words, std::string_view standard);
  bool flag(std::string_view key, bool standard);
  std::int64_t number(std::string_view key, std::int64_t least, std::int64_t most);
  std::int64_t number(std::string_view key, std::int64_t least, std::int64_t most, std::int64_t standard);
  const Json& object(std::string_view key);
  const Json* object_if_any(std::string_view key);
  const Json* list_if_any(std::string_view key, std::size_t most);
  std::vector<std::string> texts(std::string_view key, std::size_t most_items, std::size_t most_characters);
  bool has(std::string_view key) const;
  bool is_null(std::string_view key) const;

  void wrong(std::string_view key, std::string_view what);

  // What is wrong, unknown keys included: ask when all known ones were read.
  std::optional<Fault> fault();

 private:
  const Json* find(std::string_view key);

  const Json& json_;
  std::set<std::string, std::less<>> read_;
  std::optional<Fault> fault_;
};

// Characters of UTF-8, or nothing when it is none or holds control characters.
std::optional<std::size_t> characters_of(std::string_view text);

}  // namespace baton::table
