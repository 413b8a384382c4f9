#include "table/json_fields.h"

#include <nlohmann/json.hpp>

#include "core/utf8.h"

namespace baton::table {
namespace {
const Json nothing = Json::object();
}

// A database that checks its texts refuses what is not UTF-8, so it must not get that far.
std::optional<std::size_t> characters_of(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) {
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = utf8_length(text);
    if (length == 0 || (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) return std::nullopt;
    text.remove_prefix(length);
  }
  return count;
}

Fields::Fields(const Json& json) : json_(json.is_object() ? json : nothing) {
  if (!json.is_object()) fault_ = Fault{"bad-request", "the body must be a JSON object."};
}

const Json* Fields::find(std::string_view key) {
  read_.emplace(key);
  const auto found = json_.find(std::string(key));
  return found == json_.end() ? nullptr : &*found;
}

bool Fields::has(std::string_view key) const { return json_.contains(std::string(key)); }
bool Fields::is_null(std::string_view key) const { return has(key) && json_[std::string(key)].is_null(); }

void Fields::wrong(std::string_view key, std::string_view what) {
  if (!fault_) fault_ = Fault{"bad-request", "\"" + std::string(key) + "\" " + std::string(what)};
}

std::optional<std::string> Fields::text_if_any(std::string_view key, std::size_t most) {
  const Json* value = find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  const auto* text = value->get_ptr<const std::string*>();
  if (text == nullptr) {
    wrong(key, "must be a text.");
    return std::nullopt;
  }
  const auto size = characters_of(*text);
  if (!size || *size > most) {
    wrong(key, size ? "may have " + std::to_string(most) + " characters." : "must be UTF-8 without control characters.");
    return std::nullopt;
  }
  return *text;
}

std::string Fields::text(std::string_view key, std::size_t most) {
  auto found = text_if_any(key, most);
  if (!found) wrong(key, "is needed.");
  return found.value_or("");
}

std::string Fields::word_of(std::string_view key, const std::vector<std::string_view>& words, std::string_view standard) {
  const auto found = text_if_any(key, 40);
  if (!found) return std::string(standard);
  std::string known;
  for (const std::string_view word : words) {
    if (word == *found) return *found;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  wrong(key, "must be one of " + known + ".");
  return std::string(standard);
}

bool Fields::flag(std::string_view key, bool standard) {
  const Json* value = find(key);
  if (value == nullptr) return standard;
  if (!value->is_boolean()) {
    wrong(key, "must be true or false.");
    return standard;
  }
  return value->get<bool>();
}

std::int64_t Fields::number(std::string_view key, std::int64_t least, std::int64_t most) {
  if (!has(key)) wrong(key, "is needed.");
  return number(key, least, most, least);
}

std::int64_t Fields::number(std::string_view key, std::int64_t least, std::int64_t most, std::int64_t standard) {
  const Json* value = find(key);
  if (value == nullptr) return standard;
  if (value->is_number_integer() && !(value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX)) {
    const auto number = value->get<std::int64_t>();
    if (number >= least && number <= most) return number;
  }
  wrong(key, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ".");
  return standard;
}

const Json* Fields::object_if_any(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr || value->is_object()) return value;
  wrong(key, "must be an object.");
  return nullptr;
}

const Json& Fields::object(std::string_view key) {
  const Json* value = object_if_any(key);
  if (value == nullptr) wrong(key, "is needed.");
  return value == nullptr ? nothing : *value;
}

const Json* Fields::list_if_any(std::string_view key, std::size_t most) {
  const Json* value = find(key);
  if (value == nullptr) return nullptr;
  if (value->is_array() && value->size() <= most) return value;
  wrong(key, "must be a list of at most " + std::to_string(most) + ".");
  return nullptr;
}

std::vector<std::string> Fields::texts(std::string_view key, std::size_t most_items, std::size_t most_characters) {
  std::vector<std::string> all;
  const Json* list = list_if_any(key, most_items);
  if (list == nullptr) return all;
  for (const Json& item : *list) {
    const auto* text = item.get_ptr<const std::string*>();
    const auto size = text == nullptr ? std::nullopt : characters_of(*text);
    if (!size || *size > most_characters) {
      wrong(key, "must hold texts of at most " + std::to_string(most_characters) + " characters.");
      return all;
    }
    all.push_back(*text);
  }
  return all;
}

std::optional<Fault> Fields::fault() {
  if (fault_) return fault_;
  for (const auto& [key, value] : json_.items()) {
    if (!read_.contains(key)) return Fault{"bad-request", "\"" + key.substr(0, 60) + "\" is not known here."};
  }
  return std::nullopt;
}

}  // namespace baton::table
