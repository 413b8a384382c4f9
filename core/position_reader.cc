#include "core/position_reader.h"

#include <algorithm>

#include "core/words.h"

namespace baton {
namespace {

// "deck, discard or removed"
std::string any_of(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string shown(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

const Json* PositionReader::value(const Json& json, const std::string& key) const {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

const Json* PositionReader::object(const Json& json, const std::string& key, const std::string& within) {
  const Json* found = value(json, key);
  return found != nullptr && is_object(*found, within.empty() ? key : within + "." + key) ? found : nullptr;
}

bool PositionReader::is_object(const Json& json, const std::string& where) {
  if (!json.is_object()) wrong(where, "must be a table.");
  return json.is_object();
}

void PositionReader::only(const Json& json, const std::string& where, std::span<const std::string_view> keys) {
  for (const auto& [key, inner] : json.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) wrong(where.empty() ? key : where + "." + key, "is not known here.");
  }
}

std::optional<int> PositionReader::as_number(const Json& json, const std::string& where, int least, int most) {
  // Unsigned numbers may be too large for any signed one.
  const bool too_large = json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::max(most, 0));
  if (json.is_number_integer() && !too_large && json.get<std::int64_t>() >= least && json.get<std::int64_t>() <= most)
    return json.get<int>();
  wrong(where, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ".");
  return std::nullopt;
}

void PositionReader::flag(const Json& json, const std::string& key, bool& into) {
  const Json* found = value(json, key);
  if (found == nullptr) return;
  if (!found->is_boolean()) return wrong(key, "must be true or false.");
  into = found->get<bool>();
}

std::optional<int> PositionReader::thing(const Json& json, const std::string& key, Kind kind, std::string_view what) {
  const Json* found = value(json, key);
  return found == nullptr ? std::nullopt : as_thing(*found, key, kind, what);
}

std::optional<int> PositionReader::as_thing(const Json& json, const std::string& where, Kind kind, std::string_view what) {
  if (json.is_string()) {
    if (auto found = find_(kind, json.get_ref<const std::string&>())) return found;
  }
  wrong(where, shown(json) + " is not " + std::string(what) + ".");
  return std::nullopt;
}

std::optional<int> PositionReader::word(const Json& json, const std::string& key, std::span<const std::string_view> words) {
  const Json* found = value(json, key);
  if (found == nullptr) return std::nullopt;
  if (found->is_string()) {
    if (const auto place = position_in(words, found->get_ref<const std::string&>())) return place;
  }
  wrong(key, "must be " + any_of(words) + ".");
  return std::nullopt;
}

}  // namespace baton
