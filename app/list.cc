// baton list: games, scenarios, seats and options with their defaults.
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"

namespace baton::app {
namespace {

std::string type_word(Option::Type type) {
  return type == Option::Type::flag ? "flag" : type == Option::Type::choice ? "choice" : "number";
}

Json default_of(const Option& option) {
  if (option.type == Option::Type::flag) return option.standard == "true";
  if (option.type == Option::Type::number) return std::stoi(std::string(option.standard));
  return option.standard;
}

Json option_json(const Option& option, const Catalogue& texts) {
  Json json = {{"name", option.name}, {"type", type_word(option.type)}, {"default", default_of(option)}};
  if (option.type == Option::Type::choice) json["values"] = option.values;
  if (option.type == Option::Type::number) json["least"] = option.least, json["most"] = option.most;
  const std::string key = "option." + std::string(option.name);
  if (texts.has(key)) json["about"] = texts.say(key);
  return json;
}

template <Game G>
Json game_json(std::string_view locale) {
  const Catalogue texts = house_catalogue(G::id, locale);
  Json json = {{"id", G::id}, {"name", texts.say("game.name")}, {"standard_scenario", standard_scenario(G::id)}};
  json["scenarios"] = scenario_ids(G::id);
  json["seats"] = Json::array();
  if (const auto file = shipped_scenario(G::id, standard_scenario(G::id))) {
    if (const auto scenario = G::load(*file, {})) json["seats"] = G::seats(*scenario);
  }
  json["options"] = Json::array();
  for (const Option& option : G::options()) json["options"].push_back(option_json(option, texts));
  return json;
}

std::string fitting(const Json& option) {
  if (option["type"] == "flag") return "true or false";
  if (option["type"] == "number") return fmt::format("{} to {}", option["least"].get<int>(), option["most"].get<int>());
  return joined(option["values"].get<std::vector<std::string>>(), " or ");
}

void tell(Terminal& terminal, const Json& game) {
  terminal.print("{} ({})\n", game["name"].get<std::string>(), game["id"].get<std::string>());
  terminal.print("  scenarios  {}\n", joined(game["scenarios"].get<std::vector<std::string>>()));
  terminal.print("  seats      {}\n", joined(game["seats"].get<std::vector<std::string>>()));
  terminal.print("  options    {}\n", game["options"].empty() ? "none" : "");
  for (const Json& option : game["options"]) {
    const Json& standard = option["default"];
    const std::string value = standard.is_string() ? standard.get<std::string>() : standard.dump();
    terminal.print("    {} = {}   ({})\n", option["name"].get<std::string>(), value, fitting(option));
    if (option.contains("about")) terminal.print("      {}\n", option["about"].get<std::string>());
  }
}

}  // namespace

int run_list(const Words& words, Terminal& terminal) {
  CLI::App command("Games, scenarios, seats, and options with their defaults.", "baton list");
  bool as_json = false;
  command.add_flag("--json", as_json, "print one JSON object");
  if (const auto code = parse(command, words, terminal)) return *code;

  Json games = Json::array();
  for (const std::string& id : game_ids()) {
    with_game(id, [&]<class Tag>(Tag) { games.push_back(game_json<typename Tag::Type>("en")); });
  }
  if (as_json) {
    terminal.line(Json{{"games", games}}.dump(2));
  } else {
    for (const Json& game : games) tell(terminal, game);
  }
  return exit_done;
}

}  // namespace baton::app
