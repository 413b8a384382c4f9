// The contract between a game and the house. A game is a value and a few pure functions.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/action.h"
#include "core/chance.h"
#include "core/events.h"
#include "core/json_text.h"
#include "core/notation.h"
#include "core/option.h"
#include "core/problem.h"
#include "core/result.h"
#include "core/seat.h"

namespace baton {

// A scenario as it stands in its file; `name` is the file's name, for messages.
struct ScenarioFile {
  std::string name;
  std::string text;
};

// clang-format off
template <class G>
concept Game =
    // The truth and the viewer's share of it are regular values without pointers, and never the same type.
    std::is_trivially_copyable_v<typename G::State> && std::equality_comparable<typename G::State> &&
    std::is_trivially_copyable_v<typename G::Knowledge> && std::equality_comparable<typename G::Knowledge> &&
    !std::same_as<typename G::State, typename G::Knowledge> && std::is_enum_v<typename G::Refusal> &&
    requires(const typename G::Scenario& sc, const typename G::State& s, typename G::State& m, const typename G::Knowledge& k,
             Seat seat, Action a, Chance& chance, ActionList& list, Events& log, const ScenarioFile& file,
             const OptionValues& options, Kind kind, int value, std::string_view word, const Json& json, JsonText& out) {
      // Who it is.
      { G::id } -> std::convertible_to<std::string_view>;  // "company-commander", also its folder with "_"
      { G::options() } -> std::same_as<const std::vector<Option>&>;
      { G::load(file, options) } -> std::same_as<Expected<typename G::Scenario>>;
      { G::option_values(sc) } -> std::same_as<const OptionValues&>;  // all of them, as the scenario was loaded with
      { G::seats(sc) } -> std::same_as<std::vector<std::string>>;  // their ids, in order: "us", "german"

      // The rules.
      { G::start(sc, chance, log) } -> std::same_as<typename G::State>;
      { G::choosing(sc, s) } -> std::same_as<Seats>;  // nobody: the game is over
      { G::actions(sc, s, seat, list) };              // appends every legal action, no others, no duplicates
      { G::why_not(sc, s, seat, a) } -> std::same_as<typename G::Refusal>;  // any 64 bits may come; `none` = legal
      { G::apply(sc, m, seat, a, chance, log) };      // only ever called with a legal action
      { G::result(sc, s) } -> std::same_as<Result>;

      // The one door for secrets. `seat` may be `spectator`.
      { G::observe(sc, s, seat) } -> std::same_as<typename G::Knowledge>;
      { G::imagine(sc, k, chance) } -> std::same_as<typename G::State>;

      // Notation. Indices are verbs, event kinds, refusals and reasons.
      { G::verbs() } -> std::same_as<std::span<const Phrase>>;
      { G::events() } -> std::same_as<std::span<const Phrase>>;
      { G::refusals() } -> std::same_as<std::span<const std::string_view>>;
      { G::reasons() } -> std::same_as<std::span<const std::string_view>>;
      { G::spell(sc, kind, value) } -> std::same_as<std::string>;                 // "rifle-1"; one word
      { G::read(sc, kind, word) } -> std::same_as<std::optional<int>>;            // the way back
      { G::label(sc, kind, value) } -> std::same_as<Label>;                       // for the texts
      { G::own_texts(sc, word) } -> std::same_as<std::map<std::string, std::string>>;  // texts a scenario brings for locale `word`

      // JSON of the truth (saves, cases) and of what a viewer knows. A view is written as text: a server makes one for every watcher of
      // every action.
      { G::save(sc, s) } -> std::same_as<Json>;
      { G::restore(sc, json) } -> std::same_as<Expected<typename G::State>>;
      { G::view(sc, k, out) };  // an object
      { G::sheet(sc) } -> std::same_as<Json>;  // what never changes and a client needs to draw; "seats" with their teams first
    };
// clang-format on

// What a game may say besides.

// `static bool gives_up(Action)`: the action throws the game away, as a surrender does. It is legal like any other, but nobody takes it by
// chance or by force. Whoever has such an action has another one too; there is one at most, and `actions` lists it last.
template <class G>
constexpr bool gives_up(Action action) {
  if constexpr (requires { G::gives_up(action); }) {
    return G::gives_up(action);
  } else {
    return false;
  }
}

// `static Seats reconsidering(sc, s)`: seats that are not asked but may still change their mind while others choose.
template <class G>
Seats reconsidering(const typename G::Scenario& sc, const typename G::State& s) {
  if constexpr (requires { G::reconsidering(sc, s); }) {
    return G::reconsidering(sc, s);
  } else {
    return Seats::none();
  }
}

// `static std::optional<Action> when_time_is_out(sc, s, seat)`: what the rules choose for a seat whose time is out. Where they say nothing,
// whoever sits in for it chooses.
template <class G>
std::optional<Action> when_time_is_out(const typename G::Scenario& sc, const typename G::State& s, Seat seat) {
  if constexpr (requires { G::when_time_is_out(sc, s, seat); }) {
    return G::when_time_is_out(sc, s, seat);
  } else {
    return std::nullopt;
  }
}

// `static bool may_be_forced_in_secret(sc, s, Action)`: others must not learn whether there was another choice than this one. Undo goes
// past it in either case, and at a table a person takes it herself.
template <class G>
bool may_be_forced_in_secret(const typename G::Scenario& sc, const typename G::State& s, Action action) {
  if constexpr (requires { G::may_be_forced_in_secret(sc, s, action); }) {
    return G::may_be_forced_in_secret(sc, s, action);
  } else {
    return false;
  }
}

// `static Action as_listed(Action)`: where an action can be named in several ways, the one that `actions` lists. For what people type.
template <class G>
constexpr Action as_listed(Action action) {
  if constexpr (requires { G::as_listed(action); }) {
    return G::as_listed(action);
  } else {
    return action;
  }
}

// `struct Reckoned` and `static void view(sc, k, Reckoned&, out)`: figures of a view that are dear to reckon. The views of a match are
// given the same `Reckoned`, whoever looks: it may remember what follows from the knowledge that it was last shown, and what a view says
// must never depend on what came before.
struct NothingReckoned {};
template <class G>
struct ReckonedType {
  using Type = NothingReckoned;
};
template <class G>
requires requires { typename G::Reckoned; }
struct ReckonedType<G> {
  using Type = typename G::Reckoned;
};
template <class G>
using ReckonedOf = typename ReckonedType<G>::Type;

template <class G>
void write_knowledge(const typename G::Scenario& sc, const typename G::Knowledge& k, ReckonedOf<G>& reckoned, JsonText& out) {
  if constexpr (requires { typename G::Reckoned; }) {
    G::view(sc, k, reckoned, out);
  } else {
    G::view(sc, k, out);
  }
}

// Any legal action that does not give up, each as likely.
template <class G>
Action any_action(const ActionList& legal, Chance& chance) {
  for (;;) {
    const Action action = legal[chance.pick(static_cast<std::uint32_t>(legal.size()))];
    if (!gives_up<G>(action)) return action;
  }
}

}  // namespace baton
