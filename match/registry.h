// The games of the house, and where their scenarios and texts are found.
//
// Apart from match.h so that everything else here is built and tested without any game.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/company_commander/game.h"
#include "games/company_leader/game.h"
#include "match/case.h"
#include "match/match.h"
#include "match/typed_match.h"

namespace baton {

template <class... Gs>
struct TypeList {};

template <class G>
struct GameTag {
  using Type = G;
};

using Games = TypeList<company_commander::Game, company_leader::Game>;

// Calls f(GameTag<G>{}) for the game with this id. False when there is none.
template <class F, class... Gs>
bool with_game_of(TypeList<Gs...>, std::string_view id, F&& f) {
  return ((Gs::id == id ? (f(GameTag<Gs>{}), true) : false) || ...);
}
template <class F>
bool with_game(std::string_view id, F&& f) {
  return with_game_of(Games{}, id, std::forward<F>(f));
}

std::vector<std::string> game_ids();
Problem unknown_game(std::string_view id);

// The scenarios that come with a game, by id, in the order of their files; the first is the standard one unless one is called "standard".
std::vector<std::string> scenario_ids(std::string_view game);
std::string standard_scenario(std::string_view game);

// An id of a shipped scenario, or a path to a file of at most 1 MiB (anything with a "/" or ending in .toml). Empty: the standard one.
Expected<ScenarioFile> find_scenario(std::string_view game, const std::string& id_or_path);
Expected<ScenarioFile> shipped_scenario(std::string_view game, std::string_view id);

// Matches of any game. `setup.scenario` must be filled in already.
Expected<std::unique_ptr<Match>> create_match(std::string_view game, const MatchSetup& setup);
Expected<std::unique_ptr<Match>> load_match(const Record& record, const std::optional<ChanceStart>& chance = std::nullopt);
Expected<std::vector<Option>> options_of(std::string_view game);

Catalogue house_catalogue(std::string_view game, std::string_view locale);

// Runs one case file of any game.
Expected<CaseReport> run_case(const std::string& name, std::string_view text);

// A whole text file, refused above `limit` bytes.
Expected<std::string> read_text_file(const std::string& path, std::size_t limit);

inline constexpr std::size_t largest_scenario = std::size_t{1} << 20;

}  // namespace baton
