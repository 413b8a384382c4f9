// Words in the reader's language: messages by key, from the text files of the house and of the game, in ICU MessageFormat.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/game.h"
#include "match/embedded.h"

namespace baton {

// What a message's {names} stand for.
using Argument = std::variant<std::string, std::int64_t, double>;
using Arguments = std::vector<std::pair<std::string, Argument>>;

class Catalogue {
 public:
  // Reads match/text, app/text, table/text and the game's own text from `files`. What a language lacks is said in English.
  // `game` may be empty for the house's own words.
  Catalogue(std::span<const EmbeddedFile> files, std::string_view game, std::string_view locale);
  ~Catalogue();
  Catalogue(Catalogue&&) noexcept;
  Catalogue& operator=(Catalogue&&) noexcept;

  const std::string& locale() const { return locale_; }

  // Texts that stand above those of the files, such as a scenario's own.
  void add(const std::map<std::string, std::string>& texts);

  bool has(std::string_view key) const;
  const std::string& pattern(std::string_view key) const;  // the message as it stands in the file; empty when there is none

  // A missing key or a broken message comes out as the key in brackets.
  std::string say(std::string_view key, const Arguments& arguments = {}) const;

  // What is wrong with the text files: TOML or messages that do not parse. For tests and `baton check`.
  std::vector<Problem> problems() const;
  std::vector<std::string> keys() const;

 private:
  void read(const EmbeddedFile& file);

  struct Cache;
  std::string locale_;
  std::map<std::string, std::string, std::less<>> texts_;
  std::vector<Problem> problems_;
  std::unique_ptr<Cache> cache_;
};

// The thing of a field: {"rifle", 2} is said as "Rifle Squad 2".
std::string say(const Catalogue& catalogue, const Label& label);

// "company-commander" has its files in games/company_commander.
std::string folder_of(std::string_view game);

template <Game G>
std::string say_value(const Catalogue& catalogue, const typename G::Scenario& sc, Kind kind, int value) {
  return kind == plain_number ? std::to_string(value) : say(catalogue, G::label(sc, kind, value));
}

// Each field under its name as it is said, and under NAME_id as it is spelled, for a message that must choose by it.
template <Game G, class Number>
Arguments arguments_of(const Catalogue& catalogue, const typename G::Scenario& sc, const Phrase& phrase, std::span<const Number> numbers) {
  Arguments all;
  for (std::size_t i = 0; i < static_cast<std::size_t>(phrase.size()) && i < numbers.size(); ++i) {
    const Field& field = phrase.fields[i];
    if (field.kind == plain_number) {
      all.emplace_back(field.name, std::int64_t{numbers[i]});
    } else {
      all.emplace_back(field.name, say_value<G>(catalogue, sc, field.kind, numbers[i]));
      all.emplace_back(std::string(field.name) + "_id", G::spell(sc, field.kind, numbers[i]));
    }
  }
  return all;
}

template <Game G>
std::string say_event(const Catalogue& catalogue, const typename G::Scenario& sc, const Event& event) {
  const Phrase& phrase = G::events()[event.kind];
  return catalogue.say("event." + std::string(phrase.name), arguments_of<G, std::int16_t>(catalogue, sc, phrase, event.with));
}

// action.<name>-<fields joined by -> when there is one, else action.<name>.
std::string action_key(const Catalogue& catalogue, const Phrase& phrase);

template <Game G>
std::string say_action(const Catalogue& catalogue, const typename G::Scenario& sc, Action action) {
  const Phrase& phrase = G::verbs()[action.verb];
  const std::array<std::uint16_t, 3> numbers = {action.a, action.b, action.c};
  return catalogue.say(action_key(catalogue, phrase), arguments_of<G, std::uint16_t>(catalogue, sc, phrase, numbers));
}

template <Game G>
std::string say_refusal(const Catalogue& catalogue, typename G::Refusal refusal) {
  const auto index = static_cast<std::size_t>(refusal);
  return catalogue.say("refusal." + std::string(index < G::refusals().size() ? G::refusals()[index] : "unknown"));
}

}  // namespace baton
