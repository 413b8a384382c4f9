// How Company Commander reads and writes: actions, events, saved positions, views.
#pragma once

#include "games/company_commander/knowledge.h"
#include "games/company_commander/rules.h"

namespace baton::company_commander {

// What the small numbers of actions and events stand for. A unit's number is seat × 32 + its number in the company.
namespace kind {
inline constexpr Kind unit = 1, front = 2, card = 3, seat = 4, deck = 5, phase = 6, reason = 7;
}

inline constexpr int unit_number(int seat, int unit) { return seat * max_units + unit; }

inline constexpr std::array<std::string_view, front_count> front_words = {"left", "center", "right"};

std::span<const Phrase> verbs();
std::span<const Phrase> events();
std::span<const std::string_view> refusals();
std::span<const std::string_view> reasons();
std::string spell(const Scenario& sc, Kind kind, int value);
std::optional<int> read(const Scenario& sc, Kind kind, std::string_view word);
Label label(const Scenario& sc, Kind kind, int value);
std::map<std::string, std::string> own_texts(const Scenario& sc, std::string_view locale);

Json save(const Scenario& sc, const State& s);
Expected<State> restore(const Scenario& sc, const Json& json);
void view(const Scenario& sc, const Knowledge& k, JsonText& out);
Json sheet(const Scenario& sc);

}  // namespace baton::company_commander
