#include "match/registry.h"

#include <algorithm>
#include <fstream>

#include "core/utf8.h"

namespace baton {
namespace {

template <class... Gs>
std::vector<std::string> ids_of(TypeList<Gs...>) {
  return {std::string(Gs::id)...};
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string scenario_folder(std::string_view game) { return "games/" + folder_of(game) + "/scenarios/"; }

}  // namespace

std::vector<std::string> game_ids() { return ids_of(Games{}); }

Problem unknown_game(std::string_view id) { return {"", "there is no game " + in_quotes(id) + "; known are " + listed(game_ids()) + "."}; }

std::vector<std::string> scenario_ids(std::string_view game) {
  const std::string folder = scenario_folder(game);
  std::vector<std::string> all;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with(folder)) all.push_back(scenario_id(file.path));
  }
  return all;
}

std::string standard_scenario(std::string_view game) {
  const auto all = scenario_ids(game);
  if (all.empty() || std::find(all.begin(), all.end(), "standard") != all.end()) return "standard";
  return all.front();
}

Expected<ScenarioFile> shipped_scenario(std::string_view game, std::string_view id) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == scenario_folder(game) + std::string(id) + ".toml")
      return ScenarioFile{std::string(id) + ".toml", std::string(file.text)};
  }
  return problem("", "there is no scenario " + in_quotes(id) + "; known are " + listed(scenario_ids(game)) + ".");
}

Expected<ScenarioFile> find_scenario(std::string_view game, const std::string& id_or_path) {
  const bool path = id_or_path.find('/') != std::string::npos || id_or_path.ends_with(".toml");
  if (!path) return shipped_scenario(game, id_or_path.empty() ? standard_scenario(game) : id_or_path);
  auto text = read_text_file(id_or_path, largest_scenario);
  if (!text) return tl::make_unexpected(text.error());
  return ScenarioFile{id_or_path, std::move(*text)};
}

Expected<std::unique_ptr<Match>> create_match(std::string_view game, const MatchSetup& setup) {
  Expected<std::unique_ptr<Match>> made = tl::make_unexpected(unknown_game(game));
  with_game(game, [&]<class Tag>(Tag) { made = TypedMatch<typename Tag::Type>::create(setup); });
  return made;
}

Expected<std::unique_ptr<Match>> load_match(const Record& record, const std::optional<ChanceStart>& chance) {
  const RecordHeader& header = record.header;
  Expected<std::unique_ptr<Match>> made = tl::make_unexpected(unknown_game(header.game));
  with_game(header.game, [&]<class Tag>(Tag) { made = TypedMatch<typename Tag::Type>::load(record, chance); });
  return made;
}

Expected<std::vector<Option>> options_of(std::string_view game) {
  Expected<std::vector<Option>> found = tl::make_unexpected(unknown_game(game));
  with_game(game, [&]<class Tag>(Tag) { found = Tag::Type::options(); });
  return found;
}

Catalogue house_catalogue(std::string_view game, std::string_view locale) { return Catalogue(embedded_files(), game, locale); }

Expected<CaseReport> run_case(const std::string& name, std::string_view text) {
  const auto read = read_case(name, text);
  if (!read) return tl::make_unexpected(read.error());
  Expected<CaseReport> report = problem(name, unknown_game(read->game).what);
  with_game(read->game, [&]<class Tag>(Tag) {
    const auto scenario = shipped_scenario(read->game, read->scenario.empty() ? standard_scenario(read->game) : read->scenario);
    if (!scenario) {
      report = problem(name, scenario.error().what);
    } else {
      report = run_case_of<typename Tag::Type>(*read, *scenario);
    }
  });
  return report;
}

Expected<std::string> read_text_file(const std::string& path, std::size_t limit) {
  std::ifstream file(path, std::ios::binary);
  std::string text(limit + 1, '\0');
  if (!file.is_open() || !file.read(text.data(), static_cast<std::streamsize>(text.size())).eof()) {
    if (file.is_open() && static_cast<std::size_t>(file.gcount()) > limit)
      return problem(path, "the file is larger than " + std::to_string(limit) + " bytes.");
    return problem(path, "the file cannot be read.");
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace baton
