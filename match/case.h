// The rulebook as a test: a position, the dice to come, actions, and what must be true after.
//
//   title, rules, game, scenario, [options]   what is tested, with which setup; the scenario's standard when left out
//   seed                                      the dice of the start, 1 when left out
//   [position]                                merged (RFC 7396) onto the saved start
//   [[step]]
//     do      "us: assault rifle-1 left", or a list of such
//     dice    faces from 1; picks from 0; all must be used
//     events  names that must happen in this order, others may stand between
//     expect  { "units.rifle-1.pins" = 1 }: paths into the saved position, and choosing, result.reason, result.<seat>;
//             the value "absent" says that there is nothing there
//     legal, illegal   lists of actions
//     refuse, why      an action that must be refused, and the reason's id
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game.h"
#include "match/chances.h"
#include "match/spelling.h"
#include "match/viewing.h"

namespace baton {

struct CaseStep {
  std::string where;  // "assault.toml:12:1 step 3"
  std::vector<std::string> actions;
  std::vector<int> dice, picks;
  std::vector<std::string> events;
  Json expect;
  std::vector<std::string> legal, illegal;
  std::string refuse, why;
};

struct Case {
  std::string name;
  std::string title;
  std::vector<std::string> rules;
  std::string game, scenario;  // the scenario may be empty
  OptionValues options;
  std::uint64_t seed = 1;
  Json position;  // null when there is none
  std::vector<CaseStep> steps;
};

struct CaseReport {
  std::string title;
  std::size_t steps = 0;
};

Expected<Case> read_case(const std::string& name, std::string_view text);

// What in `actual` is not as `expect` says, in one sentence.
std::optional<std::string> unmet(const Json& expect, const Json& actual);

// The first of `wanted` that does not occur in `happened` after those before it.
std::optional<std::string> missing_in_order(const std::vector<std::string>& wanted, const std::vector<std::string>& happened);

// Where a case begins: the start with its seed, changed as [position] says.
template <Game G>
Expected<typename G::State> case_position(const Case& read, const typename G::Scenario& scenario) {
  FastChance chance(read.seed);
  Events log = Events::unheard();
  const auto start = G::start(scenario, chance, log);
  if (read.position.is_null()) return start;
  Json position = G::save(scenario, start);
  position.merge_patch(read.position);
  auto restored = G::restore(scenario, position);
  if (!restored) return problem(read.name + " position", restored.error().text());
  return *restored;
}

template <Game G>
class CaseRun {
 public:
  CaseRun(const Case& read, const typename G::Scenario& scenario) : case_(read), scenario_(scenario) {}

  Expected<CaseReport> run() {
    const auto first = case_position<G>(case_, scenario_);
    if (!first) return tl::make_unexpected(first.error());
    state_ = *first;
    for (const CaseStep& step : case_.steps) {
      if (auto wrong = run(step)) return problem(step.where, *wrong);
    }
    return CaseReport{case_.title, case_.steps.size()};
  }

 private:
  struct Choice {
    Seat seat;
    Action action;
  };

  // "us: assault rifle-1 left"
  Expected<Choice> read(const std::string& text) const {
    const std::size_t colon = text.find(':');
    const auto seats = G::seats(scenario_);
    const auto seat = colon == std::string::npos ? seats.end() : std::find(seats.begin(), seats.end(), text.substr(0, colon));
    if (seat == seats.end()) return problem("", "\"" + text + "\" must begin with a seat and a colon, like \"" + seats.front() + ": …\".");
    const auto action = read_words<G>(scenario_, std::string_view(text).substr(colon + 1));
    if (!action) return problem("", "\"" + text + "\": " + action.error().what);
    return Choice{Seat(seat - seats.begin()), *action};
  }

  // The refusal of an action, empty when it is legal.
  std::string refusal(const Choice& choice) const {
    const auto why = G::why_not(scenario_, state_, choice.seat, choice.action);
    return why == typename G::Refusal{} ? std::string{} : id_of<G>(why);
  }

  std::optional<std::string> run(const CaseStep& step) {
    ScriptedChance chance(step.dice, step.picks);
    std::vector<Event> told;
    Events log(&told);
    for (const std::string& text : step.actions) {
      const auto choice = read(text);
      if (!choice) return choice.error().what;
      if (const auto why = refusal(*choice); !why.empty())
        return "\"" + text + "\" is refused: " + why + "; choosing: " + Json(choosing_names<G>(scenario_, state_)).dump() + ".";
      G::apply(scenario_, state_, choice->seat, choice->action, chance, log);
      if (const auto wrong = chance.problem_so_far()) return "\"" + text + "\": " + wrong->what;
    }
    if (const auto wrong = chance.problem_at_end()) return wrong->what;
    std::vector<std::string> names;
    for (const Event& event : told) names.emplace_back(G::events()[event.kind].name);
    if (auto wrong = missing_in_order(step.events, names)) return wrong;
    if (auto wrong = unmet(step.expect, facts())) return wrong;
    return wrong_legality(step);
  }

  std::optional<std::string> wrong_legality(const CaseStep& step) const {
    for (const std::string& text : step.legal) {
      const auto choice = read(text);
      if (!choice) return choice.error().what;
      if (const auto why = refusal(*choice); !why.empty()) return "\"" + text + "\" must be legal but is refused: " + why + ".";
    }
    for (const std::string& text : step.illegal) {
      const auto choice = read(text);
      if (!choice) return choice.error().what;
      if (refusal(*choice).empty()) return "\"" + text + "\" must be refused but is legal.";
    }
    if (step.refuse.empty()) return std::nullopt;
    const auto choice = read(step.refuse);
    if (!choice) return choice.error().what;
    const auto why = refusal(*choice);
    if (why.empty()) return "\"" + step.refuse + "\" must be refused but is legal.";
    if (!step.why.empty() && why != step.why)
      return "\"" + step.refuse + "\" must be refused for \"" + step.why + "\" but is for \"" + why + "\".";
    return std::nullopt;
  }

  Json facts() const {
    Json all = G::save(scenario_, state_);
    all["choosing"] = choosing_names<G>(scenario_, state_);
    const Result result = G::result(scenario_, state_);
    if (!result.over) {
      all["result"] = nullptr;
      return all;
    }
    all["result"] = {{"reason", reason_of<G>(result)}};
    const auto seats = G::seats(scenario_);
    for (std::size_t i = 0; i < seats.size(); ++i) all["result"][seats[i]] = result.score[i];
    return all;
  }

  const Case& case_;
  const typename G::Scenario& scenario_;
  typename G::State state_{};
};

template <Game G>
Expected<CaseReport> run_case_of(const Case& read, const ScenarioFile& file) {
  const auto scenario = G::load(file, read.options);
  if (!scenario) return problem(read.name, scenario.error().text());
  return CaseRun<G>(read, *scenario).run();
}

}  // namespace baton
