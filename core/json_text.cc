#include "core/json_text.h"

#include <array>
#include <nlohmann/json.hpp>

namespace baton {

Json JsonText::read() const { return Json::parse(text_); }

// Almost all texts are plain, short words, looked at and copied in one go; the others are left to whoever knows all of JSON.
void JsonText::put_text(std::string_view text) {
  std::array<char, 64> quoted;
  const bool is_short = text.size() + 2 <= quoted.size();
  bool is_plain = true;
  char* end = quoted.data();
  *end++ = '"';
  for (std::size_t i = 0; is_short && i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    is_plain &= c >= ' ' && c < 0x7f && c != '"' && c != '\\';
    *end++ = text[i];
  }
  if (!is_short || !is_plain) return put_tree(text);
  *end++ = '"';
  text_.append(quoted.data(), end);
}

void JsonText::put_fraction(double value) { put_tree(value); }

void JsonText::put_tree(const Json& value) { text_ += value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace baton
