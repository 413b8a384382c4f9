// How Company Leader reads and writes: actions, events, saved positions, views.
#pragma once

#include "games/company_leader/knowledge.h"
#include "games/company_leader/odds.h"
#include "games/company_leader/rules.h"

namespace baton::company_leader {

// What the small numbers of actions and events stand for.
namespace kind {
inline constexpr baton::Kind field = 1, piece = 2, seat = 3, facing = 4, terrain = 5, reason = 6, objective = 7;
}

inline constexpr std::array<std::string_view, kind_count> piece_words = {"dummy",      "infantry",   "infantry-scout", "artillery",
                                                                         "tank-light", "tank-heavy", "tank-scout"};

std::span<const Phrase> verbs();
std::span<const Phrase> events();
std::span<const std::string_view> refusals();
std::span<const std::string_view> reasons();
std::string spell(const Scenario& sc, baton::Kind kind, int value);
std::optional<int> read(const Scenario& sc, baton::Kind kind, std::string_view word);
Label label(const Scenario& sc, baton::Kind kind, int value);
std::map<std::string, std::string> own_texts(const Scenario& sc, std::string_view locale);

Json save(const Scenario& sc, const State& s);
Expected<State> restore(const Scenario& sc, const Json& json);
void view(const Scenario& sc, const Knowledge& k, TroopChances& chances, JsonText& out);
void view(const Scenario& sc, const Knowledge& k, JsonText& out);
Json sheet(const Scenario& sc);

}  // namespace baton::company_leader
