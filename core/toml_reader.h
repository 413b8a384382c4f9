// Reads the TOML files people write (scenarios, cases) and says precisely what is wrong with them.
//
// Getters never fail on the spot: the first problem is kept with its file and line, and the reader goes on with
// harmless values. Ask problem() at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace baton {

class TomlTable;

class TomlFile {
 public:
  // `name` is only for messages.
  TomlFile(std::string name, std::string_view text);
  ~TomlFile();
  TomlFile(const TomlFile&) = delete;
  TomlFile& operator=(const TomlFile&) = delete;

  TomlTable root();
  const std::optional<Problem>& problem() const;

 private:
  friend class TomlTable;
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

class TomlTable {
 public:
  // Required values. A missing or unfit one is a problem at this table's line or the value's own.
  std::string text(std::string_view key);
  int integer(std::string_view key, int least, int most);
  std::string one_of(std::string_view key, const std::vector<std::string_view>& words);
  std::vector<std::string> texts(std::string_view key);
  TomlTable table(std::string_view key);

  // Optional values.
  std::string text_or(std::string_view key, std::string_view otherwise);
  int integer_or(std::string_view key, int least, int most, int otherwise);
  bool flag_or(std::string_view key, bool otherwise);
  std::vector<std::string> texts_or_none(std::string_view key);
  std::vector<int> integers_or_none(std::string_view key, int least, int most);

  bool has(std::string_view key) const;
  std::vector<std::string> keys() const;            // in the order of the file
  std::string value_as_text(std::string_view key);  // a string, number or flag as a person would type it
  std::string as_json(std::string_view key);        // any value, as JSON text

  // Visits each table of an array of tables: for [[unit]] say each("unit", f).
  void each(std::string_view key, const std::function<void(TomlTable)>& visit);

  // Reports keys that were never asked for, naming those that may stand here.
  void no_more_keys();

  // Reports something wrong with the value of `key`, or with the table when `key` is empty.
  void wrong(std::string_view key, std::string what);
  std::string where(std::string_view key = {}) const;

 private:
  friend class TomlFile;
  struct Node;
  explicit TomlTable(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  std::shared_ptr<Node> node_;
};

}  // namespace baton
