// Games of a level against itself, judged by given weights: who meets whom, and what a game teaches.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/lessons.h"
#include "app/playout.h"
#include "app/stop_signals.h"
#include "app/strength.h"
#include "bots/minds.h"

namespace baton::app {

template <class G>
concept Tunable = Searchable<G> && requires(typename G::Scenario& sc) {
  { G::weight_names() } -> std::same_as<std::span<const std::string_view>>;
  { G::weights(sc) } -> std::same_as<std::span<float>>;
};

template <Tunable G>
class SelfPlay {
 public:
  using Scenario = typename G::Scenario;
  using State = typename G::State;

  SelfPlay(const Scenario& scenario, const PlayerKind& kind, std::vector<std::size_t> side_of_seat)
      : scenario_(scenario), kind_(kind), side_of_seat_(std::move(side_of_seat)) {}

  int seats() const { return seats_; }

  Scenario with(const WeightValues& weights) const {
    Scenario judged = scenario_;
    std::copy(weights.begin(), weights.end(), G::weights(judged).begin());
    return judged;
  }

  // Points of whoever judges by `own` against others who judge by `theirs`: the same seed in every seat, and the mean of them.
  double meet(const Scenario& own, const Scenario& theirs, std::uint64_t seed) const {
    std::vector<double> points;
    for (int seat = 0; seat < seats_; ++seat) {
      const auto judged_by = [&](Seat chooser) -> const Scenario& { return index(chooser) == seat ? own : theirs; };
      const State end = played(judged_by, seed, 0, [](const State&) {});
      points.push_back(points_of(G::result(scenario_, end), side_of_seat_, static_cast<std::size_t>(seat)));
    }
    return mean_over_sides(points, side_of_seat_).mean;
  }

  // What a game teaches whose seats all judge by `weights`: at the start of its turns. Now and then something is done by chance, so that
  // positions come up which whoever judges so avoids.
  std::vector<Lesson> lessons(const WeightValues& weights, std::uint64_t seed) const {
    Scenario judged = with(weights);
    std::vector<State> turns;
    std::optional<int> turn;
    const State end = played([&](Seat) -> const Scenario& { return judged; }, seed, choices_to_a_stray,
                             [&](const State& s) {
                               const int now = G::turns(scenario_, s);
                               if (turn && now != *turn) turns.push_back(s);
                               turn = now;
                             });
    std::vector<Lesson> all;
    for (const std::size_t seat : first_seats()) {
      const double result = points_of(G::result(scenario_, end), side_of_seat_, seat);
      for (const State& s : turns) {
        if (auto lesson = lesson_of(judged, s, Seat(seat), result)) all.push_back(std::move(*lesson));
      }
    }
    return all;
  }

 private:
  static constexpr std::uint32_t choices_to_a_stray = 40;

  // `seen(state)` before every choice. 0 strays: none.
  template <class JudgedBy, class Seen>
  State played(const JudgedBy& judged_by, std::uint64_t seed, std::uint32_t choices_to_stray, const Seen& seen) const {
    FastChance dice(seed), choices(seed, choice_stream);
    Events unheard = Events::unheard();
    std::vector<std::unique_ptr<Mind<G>>> minds;
    for (int i = 0; i < seats_; ++i) minds.push_back(make_mind<G>(kind_, kind_.by_iterations));
    State s = G::start(scenario_, dice, unheard);
    play_out<G>(
        scenario_, s, dice,
        [&](Seat chooser, const ActionList& legal) {
          // A game that is broken off does not count and only has to end.
          if (StopSignals::came() || (choices_to_stray > 0 && choices.pick(choices_to_stray) == 0)) return any_action<G>(legal, choices);
          Mind<G>& mind = *minds[static_cast<std::size_t>(index(chooser))];
          return mind.choose(judged_by(chooser), G::observe(scenario_, s, chooser), chooser, legal, choices);
        },
        [&](Seat, const ActionList&, Action) { seen(s); });
    return s;
  }

  // One seat of each side. Of two sides one: what the other sees is the same turned round.
  std::vector<std::size_t> first_seats() const {
    const std::size_t sides = *std::max_element(side_of_seat_.begin(), side_of_seat_.end()) + 1;
    std::vector<std::size_t> seats;
    for (std::size_t side = 0; side < (sides == 2 ? 1 : sides); ++side)
      seats.push_back(static_cast<std::size_t>(std::find(side_of_seat_.begin(), side_of_seat_.end(), side) - side_of_seat_.begin()));
    return seats;
  }

  // Nothing of a position that is as good as decided: no weight changes it. The weights of `judged` are as they were in the end.
  static std::optional<Lesson> lesson_of(Scenario& judged, const State& s, Seat seat, double result) {
    const auto log_odds = [&] {
      const double worth = std::clamp<double>(G::worth(judged, s, seat), -0.9999, 0.9999);
      return std::log((1 + worth) / (1 - worth));
    };
    if (std::abs(G::worth(judged, s, seat)) > 0.999f) return std::nullopt;
    Lesson lesson{.log_odds = log_odds(), .slopes = {}, .result = result};
    for (float& weight : G::weights(judged)) {
      const float middle = weight, shift = step_of(weight) / 2;
      weight = middle + shift;
      const double above = log_odds();
      weight = middle - shift;
      const double below = log_odds();
      weight = middle;
      lesson.slopes.push_back((above - below) / (2 * static_cast<double>(shift)));
    }
    return lesson;
  }

  const Scenario& scenario_;
  const PlayerKind kind_;
  const std::vector<std::size_t> side_of_seat_;
  const int seats_ = static_cast<int>(G::seats(scenario_).size());
};

}  // namespace baton::app
