// baton tune: betters the weights of a game's judgement by letting them play against themselves.
//
// Each trial climbs and is then examined: the weights where the climb ended play against the best so far, the same seeds with the seats
// swapped, until a sequential test is sure. What passes becomes the best. Meant to run for a night; it can be stopped at any time: the
// results of the games are kept batch by batch, and a climb is gone through again with them, since the seed gives it the same shifts.
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/climb.h"
#include "app/commands.h"
#include "app/figures.h"
#include "app/playout.h"
#include "app/progress.h"
#include "app/resolved_player.h"
#include "app/run_file.h"
#include "app/stop_signals.h"
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
  std::string verdict = "unchanged";  // accepted, rejected, open; unchanged where the climb ended where it began
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

  // False: stopped before the end.
  Expected<bool> run() {
    const WeightsFile out(request_.out, G::weight_names());
    // A file that cannot get the weights is refused before anything is made or played.
    if (!request_.out.empty()) {
      if (const auto text = out.with(best_); !text) return tl::make_unexpected(text.error());
    }
    if (auto read = read_file(); !read) return tl::make_unexpected(read.error());
    // At once, so that it does not turn out in the morning that nothing can be written there.
    if (!request_.out.empty()) {
      if (auto written = out.write(best_); !written) return tl::make_unexpected(written.error());
    }
    if (next_ >= request_.trials) terminal_.print("Nothing is left to do: {} has {} already; a larger number for --trials goes on.\n", request_.file, counted(static_cast<std::int64_t>(next_), "trial"));
    while (next_ < request_.trials) {
      Trial trial;
      trial.number = next_;
      trial.weights = climbed(next_);
      if (trial.weights != best_) examine(trial);
      if (wrong_) return tl::make_unexpected(*wrong_);
      if (broken_off_) break;
      take(trial);
      if (trial.games == 0) {
        terminal_.print("trial {}: the climb led nowhere, no weight was pulled harder than luck pulls\n", trial.number + 1);
      } else {
        terminal_.print("trial {}: {} after {}, score {:.1f} %\n", trial.number + 1, trial.verdict, counted(trial.games, "game"), 100 * trial.score);
      }
      terminal_.out << std::flush;
      if (auto kept = file_.add(json_of(trial)); !kept) return tl::make_unexpected(kept.error());
      if (trial.verdict != "accepted" || request_.out.empty()) continue;
      if (auto written = out.write(best_); !written) return tl::make_unexpected(written.error());
    }
    tell_weights();
    if (broken_off_) tell_what_is_kept();
    return !broken_off_;
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
          // Such a game does not count and only has to end.
          if (StopSignals::came()) return any_action<G>(legal, choices);
          const auto& judged = index(chooser) == seat ? own : theirs;
          return minds[static_cast<std::size_t>(index(chooser))]->choose(judged, G::observe(scenario_, s, chooser), chooser, legal,
                                                                         choices);
        },
        [](Seat, const ActionList&, Action) {});
    return points_of(G::result(scenario_, s), request_.side_of_seat, static_cast<std::size_t>(seat));
  }

  // The same seed in every seat: the mean of the points.
  double meet(const Scenario& own, const Scenario& theirs, std::uint64_t seed) const {
    std::vector<double> points;
    for (int seat = 0; seat < seats_; ++seat) points.push_back(play_one(own, theirs, seed, seat));
    return mean_over_sides(points, request_.side_of_seat).mean;
  }

  // What `group(i)` gives for 0 to count - 1, by as many threads as were asked for.
  std::vector<double> in_turn(std::size_t count, const std::function<double(std::size_t)>& group) const {
    std::vector<double> means(count);
    std::atomic<std::size_t> next = 0;
    in_parallel(request_.threads, [&](std::size_t) {
      for (std::size_t i = next++; i < means.size() && !StopSignals::came(); i = next++) means[i] = group(i);
    });
    return means;
  }

  std::uint64_t groups_of(std::uint64_t games) const {
    return (games + static_cast<std::uint64_t>(seats_) - 1) / static_cast<std::uint64_t>(seats_);
  }

  // Climb and exam have dice of their own.
  enum class Part : std::uint8_t { climb, exam };
  static const char* name_of(Part part) { return part == Part::climb ? "climb" : "exam"; }
  std::uint64_t groups_of(Part part) const { return groups_of(part == Part::climb ? request_.climb_games : request_.most_games); }
  std::uint64_t seed_of(std::uint64_t trial, Part part, std::uint64_t group) const {
    return seed_of_game(seed_of_game(seed_of_game(request_.seed, trial), static_cast<std::uint64_t>(part)), group);
  }

  // A batch of groups from number `from` on, as `group(i)` plays the one that is i further: as it was kept, or played now and kept. Empty when it could not
  // be played to its end or kept; then everything ends.
  std::vector<double> batch(std::uint64_t trial, Part part, std::uint64_t from, const std::function<double(std::size_t)>& group) {
    if (const auto kept = kept_.find({part, from}); kept != kept_.end()) return kept->second;
    auto means = in_turn(std::min(groups_at_once, groups_of(part) - from), group);
    broken_off_ = broken_off_ || StopSignals::came();
    if (broken_off_) return {};
    if (const auto added = file_.add({{"trial", trial}, {"part", name_of(part)}, {"from", from}, {"means", means}}); !added) {
      wrong_ = added.error();
      return {};
    }
    return kept_[{part, from}] = means;
  }

  WeightValues climbed(std::uint64_t number) {
    const std::uint64_t groups = groups_of(Part::climb);
    Progress progress(terminal_, fmt::format("trial {}, climb", number + 1), groups * static_cast<std::uint64_t>(seats_));
    FastChance chance(seed_of_game(request_.seed, number), 7);
    return climb(best_, groups, chance, [&](const std::vector<ShiftedWeights>& all, std::uint64_t from) {
      if (!kept_.contains({Part::climb, from})) progress.show(from * static_cast<std::uint64_t>(seats_));
      auto won = batch(number, Part::climb, from, [&](std::size_t i) { return meet(with(all[i].up), with(all[i].down), seed_of(number, Part::climb, from + i)); });
      for (double& mean : won) mean = (mean - request_.fair_share) / (1 - request_.fair_share);
      return won;
    });
  }

  // Groups are counted in their order, so that the number of threads does not matter.
  void examine(Trial& trial) {
    const Scenario challenger = with(trial.weights), champion = with(best_);
    const std::uint64_t groups = groups_of(Part::exam);
    Score score;
    trial.verdict = "open";
    Progress progress(terminal_, fmt::format("trial {}, exam", trial.number + 1), groups * static_cast<std::uint64_t>(seats_));
    for (std::uint64_t from = 0; trial.verdict == "open" && from < groups && !broken_off_ && !wrong_; from += groups_at_once) {
      if (!kept_.contains({Part::exam, from})) progress.show(static_cast<std::uint64_t>(score.games()));
      for (const double mean : batch(trial.number, Part::exam, from, [&](std::size_t i) { return meet(challenger, champion, seed_of(trial.number, Part::exam, from + i)); })) {
        score.add({mean, static_cast<double>(seats_)}, seats_);
        const double ratio = score.log_likelihood_ratio(request_.elo0, request_.elo1, request_.fair_share);
        if (std::abs(ratio) < sequential_bound) continue;
        trial.verdict = ratio > 0 ? "accepted" : "rejected";
        break;
      }
    }
    trial.games = score.games();
    trial.score = score.share();
  }

  Json header() const {
    return {{"format", "baton-tuning"},
            {"version", 7},
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
      if (take_batch(line.json)) return {};
      const auto trial = trial_from(line.json);
      if (!trial || trial->number != next_) return problem(line.where, "this is not what comes next in this tuning; delete the lines from here on.");
      take(*trial);
      return {};
    });
  }

  void take(const Trial& trial) {
    if (trial.verdict == "accepted") {
      best_ = trial.weights;
      ++passed_;
    }
    kept_.clear();
    ++next_;
  }

  // False when it is not a new batch of the trial that was under way.
  bool take_batch(const Json& json) {
    try {
      const auto& name = json.at("part").get_ref<const std::string&>();
      const Part part = name == name_of(Part::climb) ? Part::climb : Part::exam;
      const auto from = json.at("from").get<std::uint64_t>();
      auto means = json.at("means").get<std::vector<double>>();
      const auto groups = groups_of(part);
      const bool fits = json.at("trial").get<std::uint64_t>() == next_ && name == name_of(part) && from < groups && from % groups_at_once == 0 && means.size() == std::min(groups_at_once, groups - from) &&
                        std::all_of(means.begin(), means.end(), [](double mean) { return mean >= 0 && mean <= 1; });
      return fits && kept_.try_emplace({part, from}, std::move(means)).second;
    } catch (const Json::exception&) {
    }
    return false;
  }

  void tell_weights() {
    if (passed_ > 0) {
      terminal_.print("{} of {} passed. The best weights:\n", passed_, counted(static_cast<std::int64_t>(next_), "trial"));
    } else if (next_ > 0) {
      terminal_.print("No trial of {} passed, and nothing was changed. The weights are still:\n", next_);
    } else {
      return;
    }
    for (std::size_t i = 0; i < best_.size(); ++i) terminal_.print("  {:<16} {:>8.4f}\n", G::weight_names()[i], best_[i]);
  }

  void tell_what_is_kept() {
    terminal_.out << std::flush;
    std::size_t groups = 0;
    for (const auto& [where, means] : kept_) groups += means.size();
    const auto games = static_cast<std::int64_t>(groups) * seats_;
    if (request_.file.empty()) {
      terminal_.err << fmt::format("Stopped in trial {}. Without --file nothing of it is kept: the same command begins anew.\n", next_ + 1);
    } else {
      terminal_.err << fmt::format("Stopped in trial {}; {} keeps {} of it{}. The same command goes on from there.\n", next_ + 1, request_.file, counted(games, "game"),
                                   next_ > 0 ? ", and the trials before it" : "");
    }
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
  std::uint64_t next_ = 0, passed_ = 0;  // trials
  std::map<std::pair<Part, std::uint64_t>, std::vector<double>> kept_;  // batches of the trial at hand, by their first group
  RunFile file_;
  bool broken_off_ = false;
  std::optional<Problem> wrong_;
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
  command.add_option("--file", request.file, "keeps every trial and the games of the one under way; the same command again goes on where it stopped");
  command.add_option("--out", request.out, "a judgement.toml that gets the best weights whenever better ones are found");
  if (const auto code = parse(command, words, terminal)) return *code;
  const auto chosen = chosen_game(choice);
  if (!chosen) return refuse(terminal, chosen.error());
  const std::vector<std::string> levels(level_names().begin(), level_names().end());
  if (std::find(levels.begin(), levels.end(), player.substr(0, player.find(':'))) == levels.end())
    return refuse(terminal, "--player must be a level, who looks at what a position is worth: " + joined(levels) + ", not " + in_quotes(player));
  const auto kind = read_player_kind(player);
  if (!kind) return refuse(terminal, kind.error());
  request.kind = *kind;
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
  if (!request.out.empty()) {
    if (const auto may = may_be_written(request.out); !may) return refuse(terminal, may.error());
  }
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

  const StopSignals signals;
  Expected<bool> done = problem("", "the weights of this game are not in a judgement.toml yet; docs/bots.md says how to put them there.");
  with_game(chosen->game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    if constexpr (Tunable<G>) {
      if (const auto scenario = G::load(chosen->scenario, chosen->options)) done = Tuner<G>(*scenario, request, terminal).run();
    }
  });
  if (!done) return refuse(terminal, done.error());
  return *done ? exit_done : exit_no;
}

}  // namespace baton::app
