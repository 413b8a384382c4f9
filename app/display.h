// Text on a screen of fixed columns: wide characters, wrapping, colour.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace baton::app {

// Columns that a terminal gives the text: two for wide characters, none for combining ones. No escape sequences inside.
int display_width(std::string_view text);

// Exactly `width` columns: filled with blanks, or cut short so that a closing number stays ("Replacement S… 2").
std::string fitted(std::string_view text, int width);

// Lines of at most `width` columns, broken where the language allows it; those after the first begin with `indent` blanks.
std::vector<std::string> wrapped(std::string_view text, int width, int indent = 0);

std::string repeated(std::string_view piece, int times);

// For comparing what people type with names: capitals do not count.
std::string folded(std::string_view text);

// Full-width digits and letters as typed with a Japanese keyboard become plain ones; blanks at both ends go.
std::string plain_input(std::string_view typed);

// Colours, or none.
class Paint {
 public:
  explicit Paint(bool colour) : colour_(colour) {}
  std::string bold(const std::string& text) const { return with("1", text); }
  std::string dim(const std::string& text) const { return with("2", text); }
  std::string own(const std::string& text) const { return with("36", text); }
  std::string enemy(const std::string& text) const { return with("31", text); }
  std::string warning(const std::string& text) const { return with("33", text); }

 private:
  std::string with(const char* code, const std::string& text) const {
    return colour_ ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }
  bool colour_;
};

}  // namespace baton::app
