// Company Commander as the house sees it.
#pragma once

#include <nlohmann/json.hpp>

#include "core/game.h"
#include "games/company_commander/judgement.h"
#include "games/company_commander/knowledge.h"
#include "games/company_commander/notation.h"
#include "games/company_commander/odds.h"
#include "games/company_commander/rules.h"
#include "games/company_commander/scenario.h"
#include "games/company_commander/state.h"

namespace baton::company_commander {

struct Game {
  static constexpr std::string_view id = "company-commander";

  using Scenario = company_commander::Scenario;
  using State = company_commander::State;
  using Knowledge = company_commander::Knowledge;
  using Refusal = company_commander::Refusal;

  static const std::vector<Option>& options() { return company_commander::options(); }
  static Expected<Scenario> load(const ScenarioFile& file, const OptionValues& chosen) { return company_commander::load(file, chosen); }
  static const OptionValues& option_values(const Scenario& sc) { return sc.option_values; }
  static std::vector<std::string> seats(const Scenario& sc) { return {sc.companies[0].id, sc.companies[1].id}; }

  static State start(const Scenario& sc, Chance& chance, Events& log) { return company_commander::start(sc, chance, log); }
  static Seats choosing(const Scenario& sc, const State& s) { return company_commander::choosing(sc, s); }
  static void actions(const Scenario& sc, const State& s, Seat seat, ActionList& list) { company_commander::actions(sc, s, seat, list); }
  static Refusal why_not(const Scenario& sc, const State& s, Seat seat, Action a) { return company_commander::why_not(sc, s, seat, a); }
  static void apply(const Scenario& sc, State& s, Seat seat, Action a, Chance& chance, Events& log) {
    company_commander::apply(sc, s, seat, a, chance, log);
  }
  static Result result(const Scenario& sc, const State& s) { return company_commander::result(sc, s); }

  static std::uint64_t conserved(const Scenario& sc, const State& s) { return company_commander::conserved(sc, s); }

  static Knowledge observe(const Scenario& sc, const State& s, Seat viewer) { return company_commander::observe(sc, s, viewer); }
  static State imagine(const Scenario& sc, const Knowledge& k, Chance& chance) { return company_commander::imagine(sc, k, chance); }

  static void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises) {
    company_commander::promise(sc, k, legal, promises);
  }
  static void prudence(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises) {
    company_commander::prudence(sc, k, legal, promises);
  }

  static constexpr float impatience = 0.5f;
  static constexpr float sharpness = 6;
  static float worth(const Scenario& sc, const State& s, Seat seat) { return company_commander::worth(sc, s, seat); }
  // The weights of worth, by name, for whoever tunes them.
  static std::span<const std::string_view> weight_names() { return company_commander::weight_names; }
  static std::span<float> weights(Scenario& sc) { return sc.weights.values; }
  static int turns(const Scenario&, const State& s) { return 2 * s.round + (s.active != s.starter ? 1 : 0); }

  static std::span<const Phrase> verbs() { return company_commander::verbs(); }
  static std::span<const Phrase> events() { return company_commander::events(); }
  static std::span<const std::string_view> refusals() { return company_commander::refusals(); }
  static std::span<const std::string_view> reasons() { return company_commander::reasons(); }
  static std::string spell(const Scenario& sc, Kind kind, int value) { return company_commander::spell(sc, kind, value); }
  static std::optional<int> read(const Scenario& sc, Kind kind, std::string_view word) { return company_commander::read(sc, kind, word); }
  static Label label(const Scenario& sc, Kind kind, int value) { return company_commander::label(sc, kind, value); }
  static std::map<std::string, std::string> own_texts(const Scenario& sc, std::string_view locale) {
    return company_commander::own_texts(sc, locale);
  }

  static Json save(const Scenario& sc, const State& s) { return company_commander::save(sc, s); }
  static Expected<State> restore(const Scenario& sc, const Json& json) { return company_commander::restore(sc, json); }
  static Json sheet(const Scenario& sc) { return company_commander::sheet(sc); }
  static void view(const Scenario& sc, const Knowledge& k, JsonText& out) { company_commander::view(sc, k, out); }

  static Json odds(const Scenario& sc, const Knowledge& k, Action a) { return company_commander::odds(sc, k, a); }
};

}  // namespace baton::company_commander
