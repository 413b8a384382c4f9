// How actions and events of any game are written: words for people and records, JSON for programs.
#pragma once

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game.h"
#include "match/json_reader.h"

namespace baton {

// The words between blanks; at most `limit`, so that a flood of text costs nothing.
std::vector<std::string_view> split_words(std::string_view text, std::size_t limit = 16);
std::optional<int> read_number(std::string_view word, int least, int most);

// The word that kept a phrase from fitting: of several phrases, in the one that fitted furthest.
struct Misfit {
  std::string field, word;
  std::size_t place = 0;

  void see(std::size_t at, std::string_view of, std::string_view said) {
    if (field.empty() || at > place) *this = {std::string(of), std::string(said), at};
  }
};

// What to say when nothing fitted.
Problem unknown_phrase(std::span<const Phrase> phrases, std::string_view name);
Problem unfit_phrase(std::span<const Phrase> phrases, std::string_view name, const Misfit& misfit);

template <Game G>
std::string spell_value(const typename G::Scenario& sc, Kind kind, int value) {
  return kind == plain_number ? std::to_string(value) : G::spell(sc, kind, value);
}

template <Game G>
std::optional<int> read_value(const typename G::Scenario& sc, Kind kind, std::string_view word) {
  return kind == plain_number ? read_number(word, 0, std::numeric_limits<std::uint16_t>::max()) : G::read(sc, kind, word);
}

inline std::array<int, 3> numbers_of(Action action) { return {action.a, action.b, action.c}; }

inline std::optional<Action> action_of(std::size_t verb, const std::array<int, 3>& numbers) {
  for (const int number : numbers) {
    if (number < 0 || number > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
  }
  return Action{static_cast<std::uint16_t>(verb), static_cast<std::uint16_t>(numbers[0]), static_cast<std::uint16_t>(numbers[1]),
                static_cast<std::uint16_t>(numbers[2])};
}

// "assault rifle-1 left"
template <Game G>
std::string words_of(const typename G::Scenario& sc, Action action) {
  const Phrase& phrase = G::verbs()[action.verb];
  const auto numbers = numbers_of(action);
  std::string text(phrase.name);
  for (std::size_t i = 0; i < static_cast<std::size_t>(phrase.size()); ++i) {
    text += " " + spell_value<G>(sc, phrase.fields[i].kind, numbers[i]);
  }
  return text;
}

template <Game G>
Expected<Action> read_words(const typename G::Scenario& sc, std::string_view text) {
  const auto verbs = G::verbs();
  const auto words = split_words(text);
  const std::string_view name = words.empty() ? std::string_view{} : words.front();
  bool known = false;
  Misfit misfit;
  for (std::size_t verb = 0; verb < verbs.size(); ++verb) {
    const Phrase& phrase = verbs[verb];
    if (phrase.name != name) continue;
    known = true;
    const auto count = static_cast<std::size_t>(phrase.size());
    if (count != words.size() - 1 || count > 3) continue;
    std::array<int, 3> numbers{};
    bool fits = true;
    for (std::size_t i = 0; i < count && fits; ++i) {
      const auto value = read_value<G>(sc, phrase.fields[i].kind, words[i + 1]);
      fits = value.has_value();
      if (!fits) misfit.see(i, phrase.fields[i].name, words[i + 1]);
      numbers[i] = value.value_or(0);
    }
    if (!fits) continue;
    if (const auto action = action_of(verb, numbers)) return as_listed<G>(*action);
  }
  return tl::make_unexpected(known ? unfit_phrase(verbs, name, misfit) : unknown_phrase(verbs, name));
}

// {"do":"assault","unit":"rifle-1","front":"left"}
template <Game G, class Numbers>
void write_phrase(const typename G::Scenario& sc, std::string_view key, const Phrase& phrase, const Numbers& numbers, JsonText& out) {
  out.object([&] {
    out.add(key, phrase.name);
    for (std::size_t i = 0; i < static_cast<std::size_t>(phrase.size()); ++i) {
      const Field& field = phrase.fields[i];
      if (field.kind == plain_number) {
        out.add(field.name, numbers[i]);
      } else {
        out.add(field.name, G::spell(sc, field.kind, numbers[i]));
      }
    }
  });
}

template <Game G>
void write_action(const typename G::Scenario& sc, Action action, JsonText& out) {
  write_phrase<G>(sc, "do", G::verbs()[action.verb], numbers_of(action), out);
}

template <Game G>
Json json_of(const typename G::Scenario& sc, Action action) {
  JsonText out;
  write_action<G>(sc, action, out);
  return out.read();
}

template <Game G>
Expected<Action> read_action(const typename G::Scenario& sc, const Json& json) {
  const auto verbs = G::verbs();
  const auto verb_name = json.is_object() ? json.find("do") : json.end();
  if (verb_name == json.end() || !verb_name->is_string()) return problem("", "an action is an object with \"do\" and the verb.");
  const auto& name = verb_name->template get_ref<const std::string&>();
  bool known = false;
  Misfit misfit;
  for (std::size_t verb = 0; verb < verbs.size(); ++verb) {
    const Phrase& phrase = verbs[verb];
    if (phrase.name != name) continue;
    known = true;
    const auto count = static_cast<std::size_t>(phrase.size());
    if (count != json.size() - 1 || count > 3) continue;
    std::array<int, 3> numbers{};
    bool fits = true;
    for (std::size_t i = 0; i < count && fits; ++i) {
      const Field& field = phrase.fields[i];
      const auto value = json.find(std::string(field.name));
      std::optional<int> number;
      if (value == json.end()) {
        fits = false;
      } else if (value->is_string()) {
        number = read_value<G>(sc, field.kind, value->template get_ref<const std::string&>());
      } else if (field.kind == plain_number && value->is_number_integer()) {
        number = read_number(value->dump(), 0, std::numeric_limits<std::uint16_t>::max());
      }
      fits = number.has_value();
      if (!fits && value != json.end())
        misfit.see(i, field.name, value->is_string() ? value->template get<std::string>() : one_line(*value));
      numbers[i] = number.value_or(0);
    }
    if (!fits) continue;
    if (const auto action = action_of(verb, numbers)) return as_listed<G>(*action);
  }
  return tl::make_unexpected(known ? unfit_phrase(verbs, name, misfit) : unknown_phrase(verbs, name));
}

// {"event":"pinned","unit":"rifle-1"}
template <Game G>
void write_event(const typename G::Scenario& sc, const Event& event, JsonText& out) {
  write_phrase<G>(sc, "event", G::events()[event.kind], event.with, out);
}

template <Game G>
std::string id_of(typename G::Refusal refusal) {
  const auto index = static_cast<std::size_t>(refusal);
  return index < G::refusals().size() ? std::string(G::refusals()[index]) : "unknown";
}

template <Game G>
std::string reason_of(const Result& result) {
  return result.over && result.reason < G::reasons().size() ? std::string(G::reasons()[result.reason]) : std::string{};
}

}  // namespace baton
