// What leaves the rules for one viewer. The state's content goes through observe and view and nothing else; who is asked, the viewer's
// own legal actions and the result are the same for every state the viewer cannot tell apart (conformance checks that).
#pragma once

#include <nlohmann/json.hpp>

#include "match/spelling.h"

namespace baton {

template <Game G>
std::string viewer_name(const typename G::Scenario& sc, Seat viewer) {
  const auto names = G::seats(sc);
  const auto i = static_cast<std::size_t>(index(viewer));
  return i < names.size() ? names[i] : "spectator";
}

template <Game G>
Json choosing_json(const typename G::Scenario& sc, const typename G::State& s) {
  Json all = Json::array();
  for (const Seat seat : G::choosing(sc, s)) all.push_back(viewer_name<G>(sc, seat));
  return all;
}

template <Game G>
Json result_json(const typename G::Scenario& sc, const typename G::State& s) {
  const Result result = G::result(sc, s);
  if (!result.over) return nullptr;
  Json scores = Json::object();
  const auto names = G::seats(sc);
  for (std::size_t i = 0; i < names.size(); ++i) scores[names[i]] = result.score[i];
  return {{"reason", reason_of<G>(result)}, {"scores", scores}};
}

// The part of a view that a seat's record keeps.
template <Game G>
Json scene_json(const typename G::Scenario& sc, const typename G::State& s, Seat viewer) {
  Json json = Json::object();
  json["choosing"] = choosing_json<G>(sc, s);
  json["state"] = G::view(sc, G::observe(sc, s, viewer));
  json["result"] = result_json<G>(sc, s);
  return json;
}

template <Game G>
Json view_json(const typename G::Scenario& sc, const typename G::State& s, Seat viewer) {
  Json json = {{"game", G::id}, {"seat", viewer_name<G>(sc, viewer)}};
  json["choosing"] = choosing_json<G>(sc, s);
  json["actions"] = Json::array();
  if ((G::choosing(sc, s) | reconsidering<G>(sc, s)).has(viewer)) {
    ActionList list;
    G::actions(sc, s, viewer, list);
    for (const Action action : list) json["actions"].push_back(json_of<G>(sc, action));
  }
  json["state"] = G::view(sc, G::observe(sc, s, viewer));
  json["result"] = result_json<G>(sc, s);
  return json;
}

template <Game G>
Json visible_json(const typename G::Scenario& sc, const std::vector<Event>& events, Seat viewer) {
  Json all = Json::array();
  for (const Event& event : events) {
    if (event.audience.has(viewer)) all.push_back(json_of<G>(sc, event));
  }
  return all;
}

}  // namespace baton
