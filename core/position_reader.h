// Reads saved positions from JSON: remembers the first problem and goes on with harmless values, so that a game's reader checks once, at
// the end.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/game.h"
#include "core/notation.h"
#include "core/problem.h"

namespace baton {

class PositionReader {
 public:
  // The thing of a kind that a word names, if the game knows it.
  using Find = std::function<std::optional<int>(Kind, std::string_view)>;
  explicit PositionReader(Find find) : find_(std::move(find)) {}

  const std::optional<Problem>& problem() const { return problem_; }
  void wrong(const std::string& where, const std::string& what) {
    if (!problem_) problem_ = Problem{"position, " + where, what};
  }

  // The value of a key that is there and not null.
  const Json* value(const Json& json, const std::string& key) const;
  const Json* object(const Json& json, const std::string& key, const std::string& within = {});
  bool is_object(const Json& json, const std::string& where);
  void only(const Json& json, const std::string& where, std::span<const std::string_view> keys);
  void only(const Json& json, const std::string& where, std::initializer_list<std::string_view> keys) {
    only(json, where, std::span(keys.begin(), keys.size()));
  }

  template <class Number>
  void number(const Json& json, const std::string& key, Number& into, int least, int most) {
    if (const Json* found = value(json, key)) {
      if (const auto read = as_number(*found, key, least, most)) into = static_cast<Number>(*read);
    }
  }
  std::optional<int> as_number(const Json& json, const std::string& where, int least, int most);
  void flag(const Json& json, const std::string& key, bool& into);

  // A thing of the game, or nothing where the key is missing or null.
  std::optional<int> thing(const Json& json, const std::string& key, Kind kind, std::string_view what);
  std::optional<int> as_thing(const Json& json, const std::string& where, Kind kind, std::string_view what);
  template <class Small>
  void thing(const Json& json, const std::string& key, Kind kind, std::string_view what, Small& into) {
    if (const auto found = thing(json, key, kind, what)) into = static_cast<Small>(*found);
  }
  template <class Enum>
  void word(const Json& json, const std::string& key, std::span<const std::string_view> words, Enum& into) {
    if (const auto place = word(json, key, words)) into = static_cast<Enum>(*place);
  }
  std::optional<int> word(const Json& json, const std::string& key, std::span<const std::string_view> words);

  template <class Visit>
  void list(const Json& json, const std::string& key, Visit visit) {
    const Json* found = value(json, key);
    if (found == nullptr) return;
    if (!found->is_array()) return wrong(key, "must be a list.");
    for (const Json& item : *found) visit(item);
  }

 private:
  Find find_;
  std::optional<Problem> problem_;
};

}  // namespace baton
