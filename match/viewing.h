// What leaves the rules for one viewer. The state's content goes through observe and view and nothing else; who is asked, the viewer's
// own legal actions and the result are the same for every state the viewer cannot tell apart (conformance checks that).
#pragma once

#include "match/spelling.h"

namespace baton {

template <Game G>
std::vector<std::string> choosing_names(const typename G::Scenario& sc, const typename G::State& s) {
  const auto names = G::seats(sc);
  std::vector<std::string> all;
  for (const Seat seat : G::choosing(sc, s)) all.push_back(names[static_cast<std::size_t>(index(seat))]);
  return all;
}

template <Game G>
void write_choosing(const typename G::Scenario& sc, const typename G::State& s, JsonText& out) {
  out.list("choosing", [&] {
    for (const std::string& name : choosing_names<G>(sc, s)) out.add(name);
  });
}

template <Game G>
void write_result(const typename G::Scenario& sc, const typename G::State& s, JsonText& out) {
  const Result result = G::result(sc, s);
  if (!result.over) return out.add("result", nullptr);
  const auto names = G::seats(sc);
  out.object("result", [&] {
    out.add("reason", reason_of<G>(result));
    out.object("scores", [&] {
      for (std::size_t i = 0; i < names.size(); ++i) out.add(names[i], result.score[i]);
    });
  });
}

template <Game G>
void write_state(const typename G::Scenario& sc, const typename G::State& s, Seat viewer, ReckonedOf<G>& reckoned, JsonText& out) {
  out.key("state");
  write_knowledge<G>(sc, G::observe(sc, s, viewer), reckoned, out);
}

// The part of a view that a seat's record keeps.
template <Game G>
void write_scene(const typename G::Scenario& sc, const typename G::State& s, Seat viewer, ReckonedOf<G>& reckoned, JsonText& out) {
  out.object([&] {
    write_choosing<G>(sc, s, out);
    write_state<G>(sc, s, viewer, reckoned, out);
    write_result<G>(sc, s, out);
  });
}

template <Game G>
void write_view(const typename G::Scenario& sc, const typename G::State& s, Seat viewer, ReckonedOf<G>& reckoned, JsonText& out) {
  const auto names = G::seats(sc);
  const auto seat = static_cast<std::size_t>(index(viewer));
  out.object([&] {
    out.add("game", G::id);
    out.add("seat", seat < names.size() ? std::string_view(names[seat]) : "spectator");
    write_choosing<G>(sc, s, out);
    out.list("actions", [&] {
      if (!(G::choosing(sc, s) | reconsidering<G>(sc, s)).has(viewer)) return;
      ActionList list;
      G::actions(sc, s, viewer, list);
      for (const Action action : list) write_action<G>(sc, action, out);
    });
    write_state<G>(sc, s, viewer, reckoned, out);
    write_result<G>(sc, s, out);
  });
}

// The events that the viewer may know, as a list.
template <Game G>
std::string visible_text(const typename G::Scenario& sc, const std::vector<Event>& events, Seat viewer) {
  JsonText out;
  out.list([&] {
    for (const Event& event : events) {
      if (event.audience.has(viewer)) write_event<G>(sc, event, out);
    }
  });
  return out.take();
}

}  // namespace baton
