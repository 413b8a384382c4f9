#include "match/spelling.h"

#include <charconv>

#include "core/utf8.h"

namespace baton {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string pattern(const Phrase& phrase) {
  std::string text(phrase.name);
  for (int i = 0; i < phrase.size(); ++i) text += " <" + std::string(phrase.fields[static_cast<std::size_t>(i)].name) + ">";
  return text;
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view text, std::size_t limit) {
  std::vector<std::string_view> words;
  std::size_t at = text.find_first_not_of(blanks);
  while (at != std::string_view::npos && words.size() < limit) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::optional<int> read_number(std::string_view word, int least, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most) return std::nullopt;
  return value;
}

Problem unknown_phrase(std::span<const Phrase> phrases, std::string_view name) {
  std::string known;
  std::string_view last;
  for (const Phrase& phrase : phrases) {
    if (phrase.name != last) known += (known.empty() ? "" : ", ") + std::string(phrase.name);
    last = phrase.name;
  }
  return {"", name.empty() ? "an action is missing; known are " + known + "."
                           : in_quotes(name, 40) + " is not a known action; known are " + known + "."};
}

Problem unfit_phrase(std::span<const Phrase> phrases, std::string_view name, const Misfit& misfit) {
  std::string fitting;
  for (const Phrase& phrase : phrases) {
    if (phrase.name == name) fitting += (fitting.empty() ? "\"" : " or \"") + pattern(phrase) + "\"";
  }
  const std::string wrong = misfit.field.empty() ? in_quotes(name, 40) + " does not go with these words"
                                                 : in_quotes(misfit.word, 40) + " does not fit <" + misfit.field + ">";
  return {"", wrong + "; expected " + fitting + "."};
}

}  // namespace baton
