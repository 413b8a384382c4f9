// baton tune: betters the weights of a game's judgement by letting them play against themselves.
//
// Each trial climbs and is then examined: the weights where the climb ended play against the best so far, the same seeds with the seats
// swapped, until a sequential test is sure. What passes becomes the best. Meant to run for a night; it can be stopped at any time.
#include <atomic>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/climb.h"
#include "app/commands.h"
#include "app/playout.h"
#include "app/progress.h"
#include "app/resolved_player.h"
#include "app/run_file.h"
#include "app/strength.h"
#include "app/weights_file.h"
#include "bots/in_parallel.h"
#include "bots/minds.h"
#include "core/utf8.h"

namespace baton::app {
namespace {

template <class G>
concept Tunable = Searchable<G> && requires(typename G::Scenario& sc) {
  { G::weight_names() } -> std::same_as<std::span<const std::string_view>>;
  { G::weights(sc) } -> std::same_as<std::span<float>>;
};

struct TuneRequest {
  std::uint64_t trials = 0, seed = 1, climb_games = 0, most_games = 0;
  unsigned threads = 1;
  PlayerKind kind;
  double elo0 = 0, elo1 = 0, fair_share = 0.5;
  std::vector<std::size_t> side_of_seat;
  Json setting;  // game, scenario, options, and how they are played
  Json player;   // the kind and what it comes to in this game
  std::string file, out;
};

struct Trial {
  std::uint64_t number = 0;
  WeightValues weights;    // where the climb ended
  std::string verdict;     // accepted, rejected, open
  std::int64_t games = 0;  // of the exam
  double score = 0;
};

Json json_of(const Trial& trial) {
  return {{"trial", trial.number}, {"verdict", trial.verdict}, {"games", trial.games}, {"score", trial.score}, {"weights", trial.weights}};
}

template <Tunable G>
class Tuner {
 public:
  Tuner(const typename G::Scenario& scenario, const TuneRequest& request, Terminal& terminal)
      : scenario_(scenario), request_(request), terminal_(terminal) {
    auto copy = scenario;
    const auto values = G::weights(copy);
    best_.assign(values.begin(), values.end());
    start_ = best_;
  }

  Expected<void> run() {
    const WeightsFile out(request_.out, G::weight_names());
    // A file that cannot get the weights is refused before anything is made or played.
    if (!request_.out.empty()) {
      if (const auto text = out.with(best_); !text) return tl::make_unexpected(text.error());
    }
    if (auto read = read_file(); !read) return read;
    // At once, so that it does not turn out in the morning that nothing can be written there.
    if (!request_.out.empty()) {
      if (auto written = out.write(best_); !written) return written;
    }
    for (; next_ < request_.trials; ++next_) {
      Trial trial;
      trial.number = next_;
      trial.weights = climbed(next_);
      examine(trial);
      if (trial.verdict == "accepted") best_ = trial.weights;
      terminal_.print("trial {}: {} after {} games, score {:.1f} %\n", trial.number + 1, trial.verdict, trial.games, 100 * trial.score);
      terminal_.out << std::flush;
      if (auto kept = file_.add(json_of(trial)); !kept) return kept;
      if (trial.verdict != "accepted" || request_.out.empty()) continue;
      if (auto written = out.write(best_); !written) return written;
    }
    terminal_.line("The best weights:");
    for (std::size_t i = 0; i < best_.size(); ++i) terminal_.print("  {:<16} {:>8.4f}\n", G::weight_names()[i], best_[i]);
    return {};
  }

 private:
  using Scenario = typename G::Scenario;

  Scenario with(const WeightValues& weights) const {
    Scenario judged = scenario_;
    std::copy(weights.begin(), weights.end(), G::weights(judged).begin());
    return judged;
  }

  // Points of whoever judges by `own` in `seat`, all others by `theirs`.
  double play_one(const Scenario& own, const Scenario& theirs, std::uint64_t seed, int seat) const {
    FastChance dice(seed), choices(seed, choice_stream);
    Events unheard = Events::unheard();
    std::vector<std::unique_ptr<Mind<G>>> minds;
    for (std::size_t i = 0; i < G::seats(scenario_).size(); ++i) minds.push_back(make_mind<G>(request_.kind, request_.kind.by_iterations));
    auto s = G::start(scenario_, dice, unheard);
    play_out<G>(
        scenario_, s, dice,
        [&](Seat chooser, const ActionList& legal) {
          const auto& judged = index(chooser) == seat ? own : theirs;
          return minds[static_cast<std::size_t>(index(chooser))]->choose(judged, G::observe(scenario_, s, chooser), chooser, legal,
                                                                         choices);
        },
        [](Seat, const ActionList&, Action) {});
    return points_of(G::result(scenario_, s), request_.side_of_seat, static_cast<std::size_t>(seat));
  }

  // The same seed in every seat.
  GroupScore meet(const Scenario& own, const Scenario& theirs, std::uint64_t seed) const {
    std::vector<double> points;
    for (int seat = 0; seat < seats_; ++seat) points.push_back(play_one(own, theirs, seed, seat));
    return mean_over_sides(points, request_.side_of_seat);
  }

  // What `group(i)` gives for 0 to count - 1, by as many threads as were asked for.
  std::vector<GroupScore> in_turn(std::size_t count, const std::function<GroupScore(std::size_t)>& group) const {
    std::vector<GroupScore> means(count);
    std::atomic<std::size_t> next = 0;
    in_parallel(request_.threads, [&](std::size_t) {
      for (std::size_t i = next++; i < means.size(); i = next++) means[i] = group(i);
    });
    return means;
  }

  std::uint64_t groups_of(std::uint64_t games) const {
    return (games + static_cast<std::uint64_t>(seats_) - 1) / static_cast<std::uint64_t>(seats_);
  }

  // Climb and exam have dice of their own.
  enum class Part : std::uint8_t { climb, exam };
  std::uint64_t seed_of(std::uint64_t trial, Part part, std::uint64_t group) const {
    return seed_of_game(seed_of_game(seed_of_game(request_.seed, trial), static_cast<std::uint64_t>(part)), group);
  }

  WeightValues climbed(std::uint64_t number) const {
    const std::uint64_t groups = groups_of(request_.climb_games);
    Progress progress(terminal_, fmt::format("trial {}, climb", number + 1), groups * static_cast<std::uint64_t>(seats_));
    FastChance chance(seed_of_game(request_.seed, number), 7);
    return climb(best_, groups, chance, [&](const std::vector<ShiftedWeights>& all, std::uint64_t from) {
      progress.show(from * static_cast<std::uint64_t>(seats_));
      std::vector<double> won;
      for (const GroupScore& score : in_turn(all.size(), [&](std::size_t i) {
             return meet(with(all[i].up), with(all[i].down), seed_of(number, Part::climb, from + i));
           })) {
        won.push_back((score.mean - request_.fair_share) / (1 - request_.fair_share));
      }
      return won;
    });
  }

  // Groups are counted in their order, so that the number of threads does not matter.
  void examine(Trial& trial) const {
    const Scenario challenger = with(trial.weights), champion = with(best_);
    const std::uint64_t groups = groups_of(request_.most_games);
    Score score;
    trial.verdict = "open";
    Progress progress(terminal_, fmt::format("trial {}, exam", trial.number + 1), groups * static_cast<std::uint64_t>(seats_));
    for (std::uint64_t from = 0; trial.verdict == "open" && from < groups; from += groups_at_once) {
      const auto means = in_turn(std::min(groups_at_once, groups - from),
                                 [&](std::size_t i) { return meet(challenger, champion, seed_of(trial.number, Part::exam, from + i)); });
      for (const GroupScore& mean : means) {
        score.add(mean, seats_);
        const double ratio = score.log_likelihood_ratio(request_.elo0, request_.elo1, request_.fair_share);
        if (std::abs(ratio) < sequential_bound) continue;
        trial.verdict = ratio > 0 ? "accepted" : "rejected";
        break;
      }
      progress.show(static_cast<std::uint64_t>(score.games()));
    }
    trial.games = score.games();
    trial.score = score.share();
  }

  Json header() const {
    return {{"format", "baton-tuning"},
            {"version", 6},
            {"program", BATON_VERSION},
            {"setting", request_.setting},
            {"player", request_.player},
            {"seed", request_.seed},
            {"climb", request_.climb_games},
            {"games", request_.most_games},
            {"sprt", {request_.elo0, request_.elo1}},
            {"names", G::weight_names()},
            {"start", start_}};
  }

  Expected<void> read_file() {
    return file_.open(request_.file, header(), "a tuning", [&](const RunFile::Line& line) -> Expected<void> {
      const auto trial = trial_from(line.json);
      if (!trial || trial->number != next_) return problem(line.where, "this is not the next trial; delete the lines from here on.");
      if (trial->verdict == "accepted") best_ = trial->weights;
      ++next_;
      return {};
    });
  }

  // Nothing when it is not ours.
  std::optional<Trial> trial_from(const Json& json) const {
    try {
      Trial trial;
      json.at("trial").get_to(trial.number);
      json.at("verdict").get_to(trial.verdict);
      json.at("weights").get_to(trial.weights);
      if (trial.weights.size() == best_.size()) return trial;
    } catch (const Json::exception&) {
    }
    return std::nullopt;
  }

  const typename G::Scenario& scenario_;
  const int seats_ = static_cast<int>(G::seats(scenario_).size());
  const TuneRequest& request_;
  Terminal& terminal_;
  WeightValues best_, start_;
  std::uint64_t next_ = 0;
  RunFile file_;
};

}  // namespace

int run_tune(const Words& words, Terminal& terminal) {
  CLI::App command("Betters the weights of a game's judgement by letting them play against themselves.", "baton tune");
  GameChoice choice;
  TuneRequest request;
  std::string trials = "100", climb = "4000", games = "8000", player = "sergeant", seed = "1", threads;
  add_game_choice(command, choice);
  command.add_option("--trials", trials, "how often it climbs and is examined; 100 unless given");
  command.add_option("--climb", climb, "games of each climb; 4000 unless given");
  command.add_option("--games", games, "of an exam at most, when the sequential test is not sure before; 8000 unless given");
  command.add_option("--player", player,
                     "who plays with the weights; sergeant unless given. It counts iterations, so that the seed alone decides");
  command.add_option("--threads", threads, "one a processor core unless given");
  command.add_option("--seed", seed, "of the changes and the dice; 1 unless given");
  command.add_option("--file", request.file, "keeps every trial; the same command again goes on where it stopped");
  command.add_option("--out", request.out, "a judgement.toml that gets the best weights whenever better ones are found");
  if (const auto code = parse(command, words, terminal)) return *code;
  const auto chosen = chosen_game(choice);
  if (!chosen) return refuse(terminal, chosen.error());
  if (const auto allowed = allowed_kind(player, Sitters::minds); !allowed) return refuse(terminal, allowed.error());
  request.kind = *read_player_kind(player);
  if (request.kind.type != PlayerKind::Type::search)
    return refuse(terminal, "--player must be a level: " + presentable(player, 60) + " does not look at what a position is worth");
  if (request.kind.by_iterations.time.count() > 0)
    return refuse(terminal, "--player counts iterations, so that the seed alone decides; leave out time=");
  for (const auto& [name, text, into] : {std::tuple("--trials", trials, &request.trials),
                                         {"--climb", climb, &request.climb_games},
                                         {"--games", games, &request.most_games},
                                         {"--seed", seed, &request.seed}}) {
    const auto number = whole_number(name, text, std::string_view(name) == "--seed" ? 0 : 1, 1'000'000'000);
    if (!number) return refuse(terminal, number.error());
    *into = *number;
  }
  const auto thread_count = whole_number("--threads", threads.empty() ? std::to_string(standard_threads()) : threads, 1, 256);
  if (!thread_count) return refuse(terminal, thread_count.error());
  request.threads = static_cast<unsigned>(*thread_count);
  if (const auto few = few_enough_threads(*thread_count, std::span(&request.kind, 1)); !few) return refuse(terminal, few.error());
  if (same_file(request.file, request.out))
    return refuse(terminal, "--file and --out name the same file, and the weights would take the place of the trials; name two");
  // Small steps are worth little; a change that is no worse than nothing is not kept.
  request.elo0 = 0;
  request.elo1 = 15;
  request.fair_share = 1 / static_cast<double>(chosen->sides);
  request.side_of_seat = chosen->side_of_seat;
  request.player = resolved_player(chosen->game, request.kind, Counting::iterations);
  request.setting = {{"game", chosen->game},
                     {"scenario", hash_of(chosen->scenario.text)},
                     {"options", chosen->options},
                     {"play", play_fingerprint(*chosen)}};

  Expected<void> done = problem("", "the weights of this game are not in a judgement.toml yet; docs/bots.md says how to put them there.");
  with_game(chosen->game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    if constexpr (Tunable<G>) {
      if (const auto scenario = G::load(chosen->scenario, chosen->options)) done = Tuner<G>(*scenario, request, terminal).run();
    }
  });
  if (!done) return refuse(terminal, done.error());
  return exit_done;
}

}  // namespace baton::app
