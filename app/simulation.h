// Many games between minds, counted. Sums only, so that threads may share the work in any order.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/playout.h"
#include "bots/in_parallel.h"
#include "bots/minds.h"
#include "match/match.h"
#include "match/typed_match.h"

namespace baton::app {

struct Tally {
  std::int64_t games = 0, finished = 0, decisions = 0, draws = 0, first_wins = 0;
  std::array<std::int64_t, max_seats> wins{};
  std::map<std::string, std::int64_t> reasons;
  std::map<std::int64_t, std::int64_t> lengths;  // how many games took so many decisions
  std::map<std::int64_t, std::int64_t> rounds;   // empty when the game counts none
  std::array<ThinkingTime, max_seats> thinking{};

  void add(const Tally& other);
};

struct Simulation {
  std::uint64_t games = 0, seed = 0;
  unsigned threads = 1;
  MatchSetup setup;               // scenario and options
  std::vector<PlayerKind> minds;  // one a seat; searches count iterations, so that only the seed decides
  // Told after every few games, by one thread at a time.
  std::function<void(std::uint64_t done)> progress = [](std::uint64_t) {};
  // Where given, every game becomes a match and its record goes here. What is wrong ends the run.
  std::function<Expected<void>(std::uint64_t game, const Record& record)> keep;
};

template <Game G>
class Simulator {
 public:
  using Scenario = typename G::Scenario;
  using State = typename G::State;

  Simulator(const Simulation& simulation, const Scenario& scenario) : simulation_(simulation), scenario_(scenario) {}

  Expected<Tally> run() {
    in_parallel(simulation_.threads, [this](std::size_t) { work(); });
    if (wrong_) return tl::make_unexpected(*wrong_);
    return tally_;
  }

 private:
  static constexpr std::uint64_t games_at_once = 32;

  // Null where the seat plays at random: such a seat needs no knowledge.
  using Minds = std::vector<std::unique_ptr<Mind<G>>>;

  // New ones for every game: what a mind remembers of one game must not reach the next, which another thread may play.
  Minds new_minds() const {
    Minds minds;
    for (const PlayerKind& kind : simulation_.minds) {
      minds.push_back(kind.type == PlayerKind::Type::random ? nullptr : make_mind<G>(kind, kind.by_iterations));
    }
    return minds;
  }

  void work() {
    Tally mine;
    for (;;) {
      const std::uint64_t from = next_.fetch_add(games_at_once), to = std::min(from + games_at_once, simulation_.games);
      if (from >= simulation_.games) break;
      for (std::uint64_t game = from; game < to; ++game) {
        if (auto wrong = simulation_.keep ? play_recorded(game, mine) : play(game, mine); !wrong) {
          const std::lock_guard guard(lock_);
          wrong_ = wrong.error();
          next_ = simulation_.games;
          return;
        }
      }
      const std::lock_guard guard(lock_);
      done_ += to - from;
      simulation_.progress(done_);
    }
    const std::lock_guard guard(lock_);
    tally_.add(mine);
  }

  Expected<void> play(std::uint64_t game, Tally& tally) const {
    const Minds minds = new_minds();
    const std::uint64_t seed = seed_of_game(simulation_.seed, game);
    FastChance dice(seed), choices(seed, choice_stream);
    Events unheard = Events::unheard();
    State s = G::start(scenario_, dice, unheard);
    std::optional<Seat> first;
    const auto choose = [&](Seat seat, const ActionList& legal) {
      if (!first && (G::choosing(scenario_, s) | reconsidering<G>(scenario_, s)) == Seats(seat)) first = seat;
      const auto& mind = minds[static_cast<std::size_t>(index(seat))];
      return mind ? chosen_by(*mind, G::observe(scenario_, s, seat), seat, legal, choices, tally) : any_action<G>(legal, choices);
    };
    const std::int64_t decisions = play_out<G>(scenario_, s, dice, choose, [](Seat, const ActionList&, Action) {});
    count(tally, first, decisions, G::result(scenario_, s));
    if constexpr (requires { s.round; }) {
      if (G::result(scenario_, s).over) ++tally.rounds[s.round];
    }
    return {};
  }

  // The same game, as a match.
  Expected<void> play_recorded(std::uint64_t game, Tally& tally) const {
    const Minds minds = new_minds();
    const std::uint64_t seed = seed_of_game(simulation_.seed, game);
    MatchSetup setup = simulation_.setup;
    setup.chance = Seeded{seed};
    auto match = TypedMatch<G>::create(setup);
    if (!match) return tl::make_unexpected(match.error());
    FastChance choices(seed, choice_stream);
    std::optional<Seat> first;
    std::int64_t decisions = 0;
    ActionList legal;
    while (!(*match)->choosing().empty() && decisions < most_decisions) {
      const Seat seat = (*match)->choosing().front();
      if (!first && ((*match)->choosing() | (*match)->reconsidering()) == Seats(seat)) first = seat;
      legal.clear();
      for (const Action action : (*match)->actions(seat)) legal.push(action);
      const auto& mind = minds[static_cast<std::size_t>(index(seat))];
      const Action action = mind ? chosen_by(*mind, (*match)->knowledge(seat), seat, legal, choices, tally) : any_action<G>(legal, choices);
      if (auto done = (*match)->act(seat, action); !done) return done;
      ++decisions;
    }
    count(tally, first, decisions, (*match)->result());
    if constexpr (requires(State s) { s.round; }) {
      if ((*match)->result().over) ++tally.rounds[(*match)->knowledge(spectator).round];
    }
    return simulation_.keep(game, (*match)->record());
  }

  Action chosen_by(Mind<G>& mind, const typename G::Knowledge& known, Seat seat, const ActionList& legal, Chance& choices,
                   Tally& tally) const {
    const Action action = mind.choose(scenario_, known, seat, legal, choices);
    tally.thinking[static_cast<std::size_t>(index(seat))].add(mind.thoughts());
    return action;
  }

  static void count(Tally& tally, std::optional<Seat> first, std::int64_t decisions, const Result& result) {
    ++tally.games;
    tally.decisions += decisions;
    if (!result.over) return;
    ++tally.finished;
    ++tally.lengths[decisions];
    ++tally.reasons[reason_of<G>(result)];
    bool won = false;
    for (int seat = 0; seat < max_seats; ++seat) {
      if (!result.won(Seat(seat))) continue;
      ++tally.wins[static_cast<std::size_t>(seat)];
      won = true;
    }
    if (!won) ++tally.draws;
    if (first && result.won(*first)) ++tally.first_wins;
  }

  const Simulation& simulation_;
  const Scenario& scenario_;
  std::atomic<std::uint64_t> next_{0};
  std::mutex lock_;  // guards what follows
  std::uint64_t done_ = 0;
  Tally tally_;
  std::optional<Problem> wrong_;
};

}  // namespace baton::app
