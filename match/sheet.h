// What never changes during a match, for a client that draws it: the game's own sheet, and how its words are built.
#pragma once

#include <map>
#include <nlohmann/json.hpp>

#include "match/spelling.h"

namespace baton {

// The kinds of things of a game have numbers only; the first field that holds one lends it its name.
template <Game G>
std::map<Kind, std::string_view> kind_names() {
  std::map<Kind, std::string_view> names = {{plain_number, "number"}};
  for (const auto& phrases : {G::verbs(), G::events()}) {
    for (const Phrase& phrase : phrases) {
      for (int i = 0; i < phrase.size(); ++i) {
        const Field& field = phrase.fields[static_cast<std::size_t>(i)];
        names.emplace(field.kind, field.name);
      }
    }
  }
  return names;
}

inline Json phrases_json(std::span<const Phrase> phrases, const std::map<Kind, std::string_view>& kinds) {
  Json json = Json::object();
  for (const Phrase& phrase : phrases) {
    Json fields = Json::array();
    for (int i = 0; i < phrase.size(); ++i) {
      const Field& field = phrase.fields[static_cast<std::size_t>(i)];
      fields.push_back({{"name", field.name}, {"kind", kinds.at(field.kind)}});
    }
    json[std::string(phrase.name)].push_back(std::move(fields));
  }
  return json;
}

// Every value that a game can spell and read back is a thing.
template <Game G>
Json things_json(const typename G::Scenario& sc, Kind kind) {
  constexpr int most_values = 1024;
  Json things = Json::object();
  for (int value = 0; value < most_values; ++value) {
    const std::string word = G::spell(sc, kind, value);
    if (G::read(sc, kind, word) != value) continue;
    const Label label = G::label(sc, kind, value);
    things[word] = {{"text", label.key}, {"copy", label.ordinal}};
  }
  return things;
}

template <Game G>
Json sheet_json(const typename G::Scenario& sc, std::string_view scenario) {
  const auto kinds = kind_names<G>();
  Json json = {{"game", G::id}, {"scenario", scenario}, {"options", Json::object()}};
  for (const auto& [name, value] : G::option_values(sc)) json["options"][name] = value;
  json.update(G::sheet(sc));
  json["verbs"] = phrases_json(G::verbs(), kinds);
  json["events"] = phrases_json(G::events(), kinds);
  json["things"] = Json::object();
  for (const auto& [kind, name] : kinds) {
    if (kind != plain_number) json["things"][std::string(name)] = things_json<G>(sc, kind);
  }
  return json;
}

}  // namespace baton
