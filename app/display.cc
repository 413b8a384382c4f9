#include "app/display.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace baton::app {
namespace {

int width_of(UChar32 c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return 0;
  const auto type = u_charType(c);
  if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR) return 0;
  const auto east_asian = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return east_asian == U_EA_WIDE || east_asian == U_EA_FULLWIDTH ? 2 : 1;
}

// Calls f(first byte, end byte, width) for each character.
template <class F>
void each_character(std::string_view text, F&& f) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto length = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < length;) {
    const std::int32_t begin = at;
    UChar32 c = 0;
    U8_NEXT(bytes, at, length, c);
    f(static_cast<std::size_t>(begin), static_cast<std::size_t>(at), c < 0 ? 1 : width_of(c));
  }
}

// The longest beginning or ending of at most `width` columns.
std::string_view head(std::string_view text, int width) {
  std::size_t end = 0;
  int used = 0;
  bool full = false;
  each_character(text, [&](std::size_t, std::size_t to, int w) {
    full = full || used + w > width;
    if (full) return;
    used += w;
    end = to;
  });
  return text.substr(0, end);
}

std::string_view tail(std::string_view text, int width) {
  int skip = display_width(text) - width;
  std::size_t begin = text.size();
  each_character(text, [&](std::size_t from, std::size_t, int w) {
    if (skip <= 0) begin = std::min(begin, from);
    skip -= w;
  });
  return text.substr(begin);
}

// The pieces between places where a line may be broken.
std::vector<std::string> pieces(std::string_view text) {
  const auto unicode = icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> breaks(icu::BreakIterator::createLineInstance(icu::Locale::getRoot(), status));
  if (U_FAILURE(status)) return {std::string(text)};
  breaks->setText(unicode);
  std::vector<std::string> all;
  for (std::int32_t from = breaks->first(), to = breaks->next(); to != icu::BreakIterator::DONE; from = to, to = breaks->next()) {
    std::string piece;
    unicode.tempSubStringBetween(from, to).toUTF8String(piece);
    all.push_back(std::move(piece));
  }
  return all;
}

std::string without_blanks_at_end(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.pop_back();
  return text;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  each_character(text, [&](std::size_t, std::size_t, int w) { width += w; });
  return width;
}

std::string fitted(std::string_view text, int width) {
  const int has = display_width(text);
  if (width <= 0) return {};
  if (has <= width) return std::string(text) + std::string(static_cast<std::size_t>(width - has), ' ');
  const bool numbered = text.back() >= '0' && text.back() <= '9' && width > 4;
  const std::string_view end = numbered ? tail(text, 2) : std::string_view{};
  const std::string_view begin = head(text, width - 1 - display_width(end));
  const std::string cut = std::string(begin) + "…" + std::string(end);
  return cut + std::string(static_cast<std::size_t>(std::max(0, width - display_width(cut))), ' ');
}

std::vector<std::string> wrapped(std::string_view text, int width, int indent) {
  std::vector<std::string> lines;
  std::string line;
  const std::string blanks(static_cast<std::size_t>(indent), ' ');
  for (const std::string& piece : pieces(text)) {
    const bool forced = !line.empty() && line.back() == '\n';
    if (forced || (!line.empty() && display_width(line) + display_width(without_blanks_at_end(piece)) > width)) {
      lines.push_back(without_blanks_at_end(line));
      line = blanks;
    }
    line += piece;
  }
  lines.push_back(without_blanks_at_end(line));
  return lines;
}

std::string repeated(std::string_view piece, int times) {
  std::string all;
  for (; times > 0; --times) all += piece;
  return all;
}

std::string folded(std::string_view text) {
  std::string out;
  icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size()))).foldCase().toUTF8String(out);
  return out;
}

std::string plain_input(std::string_view typed) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFKCInstance(status);
  if (U_FAILURE(status)) return std::string(typed);
  const auto unicode =
      form->normalize(icu::UnicodeString::fromUTF8(icu::StringPiece(typed.data(), static_cast<std::int32_t>(typed.size()))), status);
  std::string text;
  unicode.toUTF8String(text);
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string{} : text.substr(first, last - first + 1);
}

}  // namespace baton::app
