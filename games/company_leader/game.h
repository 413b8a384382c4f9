// Company Leader as the house sees it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/game.h"
#include "games/company_leader/board_check.h"
#include "games/company_leader/judgement.h"
#include "games/company_leader/knowledge.h"
#include "games/company_leader/notation.h"
#include "games/company_leader/odds.h"
#include "games/company_leader/rules.h"
#include "games/company_leader/scenario.h"
#include "games/company_leader/state.h"

namespace baton::company_leader {

struct Game {
  static constexpr std::string_view id = "company-leader";

  using Scenario = company_leader::Scenario;
  using State = company_leader::State;
  using Knowledge = company_leader::Knowledge;
  using Refusal = company_leader::Refusal;

  static const std::vector<Option>& options() { return company_leader::options(); }
  static Expected<Scenario> load(const ScenarioFile& file, const OptionValues& chosen) { return company_leader::load(file, chosen); }
  static const OptionValues& option_values(const Scenario& sc) { return sc.option_values; }
  static std::vector<std::string> seats(const Scenario& sc) {
    std::vector<std::string> ids;
    for (const SeatPlan& seat : sc.seats) ids.push_back(seat.id);
    return ids;
  }

  // R56: what a board of one's own does not keep of the guidelines.
  static std::vector<std::string> warnings(const Scenario& sc) {
    std::vector<std::string> all;
    for (const BoardFinding& finding : check_board(sc)) all.push_back(finding.what);
    return all;
  }

  static State start(const Scenario& sc, Chance& chance, Events& log) { return company_leader::start(sc, chance, log); }
  static Seats choosing(const Scenario& sc, const State& s) { return company_leader::choosing(sc, s); }
  static Seats reconsidering(const Scenario& sc, const State& s) { return company_leader::reconsidering(sc, s); }
  static bool gives_up(Action a) { return a.verb == static_cast<std::uint16_t>(Verb::surrender); }
  // R21: of a troop that was scouted the facing listed first is the one towards the scout. Who turns a troop up himself (R12) has no
  // clock's rule.
  static std::optional<Action> when_time_is_out(const Scenario& sc, const State& s, Seat seat) {
    if (s.step != Step::facing || s.scout == no_field || !choosing(sc, s).has(seat)) return std::nullopt;
    ActionList list;
    actions(sc, s, seat, list);
    return list[0];
  }
  // A troop stays because the own piece before it is a dummy in view; nothing is bought because concealed troops take up all the room.
  static bool may_be_forced_in_secret(const Scenario& sc, const State& s, Action a) {
    if (s.step == Step::purchase) {
      return a.verb == static_cast<std::uint16_t>(Verb::done) && s.coins[sc.side_of[s.active]] - s.purchase.spent >= sc.cheapest;
    }
    if (s.step != Step::advance || a.verb != static_cast<std::uint16_t>(Verb::stay)) return false;
    const int ahead = sc.board.next[s.acting.field][static_cast<std::size_t>(facing_of(s, s.acting.field))];
    return ahead >= 0 && (s.pieces[s.active] - s.revealed).has(ahead);
  }
  // A pair of pieces to swap is listed once, whichever of the two is named first.
  static Action as_listed(Action a) {
    if (a.verb == static_cast<std::uint16_t>(Verb::swap) && a.a > a.b) std::swap(a.a, a.b);
    return a;
  }
  static void actions(const Scenario& sc, const State& s, Seat seat, ActionList& list) { company_leader::actions(sc, s, seat, list); }
  static Refusal why_not(const Scenario& sc, const State& s, Seat seat, Action a) { return company_leader::why_not(sc, s, seat, a); }
  static void apply(const Scenario& sc, State& s, Seat seat, Action a, Chance& chance, Events& log) {
    company_leader::apply(sc, s, seat, a, chance, log);
  }
  static Result result(const Scenario& sc, const State& s) { return company_leader::result(sc, s); }

  static Knowledge observe(const Scenario& sc, const State& s, Seat viewer) { return company_leader::observe(sc, s, viewer); }
  static State imagine(const Scenario& sc, const Knowledge& k, Chance& chance) { return company_leader::imagine(sc, k, chance); }

  static std::span<const Phrase> verbs() { return company_leader::verbs(); }
  static std::span<const Phrase> events() { return company_leader::events(); }
  static std::span<const std::string_view> refusals() { return company_leader::refusals(); }
  static std::span<const std::string_view> reasons() { return company_leader::reasons(); }
  static std::string spell(const Scenario& sc, baton::Kind kind, int value) { return company_leader::spell(sc, kind, value); }
  static std::optional<int> read(const Scenario& sc, baton::Kind kind, std::string_view word) {
    return company_leader::read(sc, kind, word);
  }
  static Label label(const Scenario& sc, baton::Kind kind, int value) { return company_leader::label(sc, kind, value); }
  static std::map<std::string, std::string> own_texts(const Scenario& sc, std::string_view locale) {
    return company_leader::own_texts(sc, locale);
  }

  static Json save(const Scenario& sc, const State& s) { return company_leader::save(sc, s); }
  static Expected<State> restore(const Scenario& sc, const Json& json) { return company_leader::restore(sc, json); }
  static Json sheet(const Scenario& sc) { return company_leader::sheet(sc); }
  using Reckoned = TroopChances;
  static void view(const Scenario& sc, const Knowledge& k, Reckoned& chances, JsonText& out) { company_leader::view(sc, k, chances, out); }
  static void view(const Scenario& sc, const Knowledge& k, JsonText& out) { company_leader::view(sc, k, out); }

  static void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises) {
    company_leader::promise(sc, k, legal, promises);
  }
  using Remembered = company_leader::Remembered;
  static void promise(const Scenario& sc, const Knowledge& k, Remembered& remembered, const ActionList& legal, std::span<float> promises) {
    company_leader::promise(sc, k, remembered, legal, promises);
  }

  static void worthwhile(const Scenario& sc, const State& s, Seat seat, ActionList& list) { company_leader::worthwhile(sc, s, seat, list); }

  static Json odds(const Scenario& sc, const Knowledge& k, Action a) { return company_leader::odds(sc, k, a); }

  // As measured (docs/bots.md, "Levels"): an iteration takes twice as long as in Company Commander, and gains more.
  static constexpr std::array<std::int64_t, 4> level_iterations = {5, 37, 750, 6'000};
  static constexpr int foresight = 2;
  static constexpr float impatience = 0.5f;
  static constexpr float sharpness = 2;  // promises are coins
  // With two sides, as measured. A search hopes for too much of the pieces that it has still to place.
  static double sober(const Scenario& sc, const Knowledge& k, double hoped) {
    if (sc.side_count() > 2) return hoped;
    return 1.25 * hoped - 1.3 * company_leader::share_to_place(sc, k);
  }
  static float worth(const Scenario& sc, const State& s, Seat seat) { return company_leader::worth(sc, s, seat); }
  // The weights of worth, by name, for whoever tunes them.
  static std::span<const std::string_view> weight_names() { return company_leader::weight_names; }
  static std::span<float> weights(Scenario& sc) { return sc.weights.values; }
  static int turns(const Scenario& sc, const State& s) { return sc.seat_count() * s.round + s.turn; }

  // Pieces come from and go back to an unlimited supply (R5, R6), so what stays the same is that all sets agree.
  static bool conserved(const Scenario& sc, const State& s) { return is_sound(sc, s); }
};

}  // namespace baton::company_leader
