#include "table/log.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace baton::table {

std::string log_value(std::string_view value) {
  const bool plain = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '"' && c != '=' && c != '\\' && c != 0x7F;
  });
  if (plain) return std::string(value);
  std::string text = "\"";
  for (const char c : value) {
    // A value that could begin a line of its own could forge one.
    if (c == '\n') {
      text += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text + '"';
}

void log_line(spdlog::level::level_enum level, std::string_view event, std::initializer_list<LogField> fields) {
  std::string text = fmt::format("event={}", event);
  for (const auto& [key, value] : fields) text += fmt::format(" {}={}", key, log_value(value));
  spdlog::log(level, "{}", text);
}

void use_log_form() { spdlog::set_pattern("time=%Y-%m-%dT%H:%M:%S.%eZ level=%l %v", spdlog::pattern_time_type::utc); }

}  // namespace baton::table
