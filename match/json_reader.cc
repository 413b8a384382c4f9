#include "match/json_reader.h"

#include <nlohmann/json.hpp>

namespace baton {
namespace {

int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Expected<Json> read_json(std::string_view text, const std::string& where) {
  if (depth_of(text) > deepest_json) return problem(where, "the JSON is nested deeper than " + std::to_string(deepest_json) + " levels.");
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return problem(where, "this is not valid JSON.");
  return json;
}

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace baton
