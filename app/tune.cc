// baton tune: betters the weights of a game's judgement by letting them play against themselves.
//
// Each trial proposes weights and examines them: they play against the best so far, the same seeds with the seats swapped, until a
// sequential test is sure. What passes becomes the best. Proposals come from a fit (what the results of games say of the positions in them)
// and from a climb (what wins when it is shifted), in turn. Meant to run for a night; it can be stopped at any time: what games gave is
// kept batch by batch, and a climb is gone through again with it, since the seed gives it the same shifts.
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/climb.h"
#include "app/commands.h"
#include "app/figures.h"
#include "app/progress.h"
#include "app/resolved_player.h"
#include "app/run_file.h"
#include "app/self_play.h"
#include "app/stop_signals.h"
#include "app/strength.h"
#include "app/weights_file.h"
#include "app/whole_file.h"
#include "bots/in_parallel.h"
#include "core/utf8.h"

namespace baton::app {
namespace {

struct TuneRequest {
  std::uint64_t trials = 0, seed = 1, fit_games = 0, climb_games = 0, most_games = 0;
  unsigned threads = 1;
  PlayerKind kind;
  double elo0 = 0, elo1 = 15;  // of the exam: a change that is no worse than nothing is not kept, and small steps are worth little
  double fair_share = 0.5;
  std::vector<std::size_t> side_of_seat;
  Json setting;  // game, scenario, options, and how they are played
  Json player;   // the kind and what it comes to in this game
  std::string file, out;
};

struct Trial {
  std::uint64_t number = 0;
  WeightValues weights;               // that are proposed
  std::string verdict = "unchanged";  // accepted, rejected, open; unchanged where a climb ended where it began
  std::int64_t games = 0;             // of the exam
  double score = 0;
};

Json json_of(const Trial& trial) {
  return {{"trial", trial.number}, {"verdict", trial.verdict}, {"games", trial.games}, {"score", trial.score}, {"weights", trial.weights}};
}

template <Tunable G>
class Tuner {
 public:
  Tuner(const typename G::Scenario& scenario, const TuneRequest& request, Terminal& terminal)
      : play_(scenario, request.kind, request.side_of_seat), request_(request), terminal_(terminal), out_(request.out, G::weight_names()) {
    auto copy = scenario;
    const auto values = G::weights(copy);
    best_.assign(values.begin(), values.end());
    known_.push_back(best_);
  }

  // False: stopped before the end.
  Expected<bool> run() {
    // A file that cannot get the weights is refused before anything is made or played.
    if (!request_.out.empty()) {
      if (const auto text = out_.with(best_); !text) return tl::make_unexpected(text.error());
    }
    if (auto read = read_file(); !read) return tl::make_unexpected(read.error());
    // Perhaps it was stopped before they were written.
    if (auto written = write_best(); !written) return tl::make_unexpected(written.error());
    if (next_ >= request_.trials)
      terminal_.print("Nothing is left to do: {} has {} already; a larger number for --trials goes on.\n", request_.file,
                      counted(static_cast<std::int64_t>(next_), "trial"));
    while (next_ < request_.trials) {
      Trial trial;
      trial.number = next_;
      trial.weights = is_fit(next_) ? fitted(next_) : climbed(next_);
      if (!broken_off_ && !wrong_ && trial.weights != best_) examine(trial);
      if (wrong_) return tl::make_unexpected(*wrong_);
      if (broken_off_) break;
      take(trial);
      if (trial.games == 0) {
        terminal_.print("trial {}: {}\n", trial.number + 1,
                        is_fit(trial.number) ? "the fit found nothing to change"
                                             : "the climb led nowhere, no weight was pulled harder than luck pulls");
      } else {
        terminal_.print("trial {} ({}): {} after {}, score {:.1f} %\n", trial.number + 1, is_fit(trial.number) ? "fit" : "climb",
                        trial.verdict, counted(trial.games, "game"), 100 * trial.score);
      }
      terminal_.out << std::flush;
      if (auto kept = file_.add(json_of(trial)); !kept) return tl::make_unexpected(kept.error());
      if (trial.verdict != "accepted") continue;
      if (auto written = write_best(); !written) return tl::make_unexpected(written.error());
    }
    tell_weights();
    if (broken_off_) tell_what_is_kept();
    return !broken_off_;
  }

 private:
  using Scenario = typename G::Scenario;
  using Numbers = std::vector<double>;

  // What has passed, unless somebody else's weights stand there by now.
  Expected<void> write_best() {
    if (request_.out.empty()) return {};
    if (const auto held = out_.held(); held && !has_known(*held))
      return problem(request_.out,
                     "it holds other weights than this tuning began with or found, and they would be lost; build with them first, or "
                     "name another file.");
    return passed_ > 0 ? out_.write(best_) : Expected<void>{};
  }

  // As exactly as files have them.
  bool has_known(const WeightValues& weights) const {
    const auto alike = [](float a, float b) { return std::abs(a - b) < 1e-4f; };
    return std::any_of(known_.begin(), known_.end(), [&](const WeightValues& known) {
      return std::equal(known.begin(), known.end(), weights.begin(), weights.end(), alike);
    });
  }

  // Where both are wanted, they take turns.
  bool is_fit(std::uint64_t trial) const { return request_.climb_games == 0 || (request_.fit_games > 0 && trial % 2 == 0); }

  // What `group(i)` gives for 0 to count - 1, by as many threads as were asked for.
  template <class Given>
  std::vector<Given> of_each(std::size_t count, const Given& nothing, const std::function<Given(std::size_t)>& group) const {
    std::vector<Given> all(count, nothing);
    std::atomic<std::size_t> next = 0;
    in_parallel(request_.threads, [&](std::size_t) {
      for (std::size_t i = next++; i < all.size() && !StopSignals::came(); i = next++) all[i] = group(i);
    });
    return all;
  }

  // The parts of a trial have dice of their own. A group of games is one seed in every seat; a fit needs it only once.
  enum class Part : std::uint8_t { climb, exam, fit };
  static constexpr std::array<const char*, 3> part_names = {"climb", "exam", "fit"};
  static const char* name_of(Part part) { return part_names[static_cast<std::size_t>(part)]; }
  std::uint64_t games_of_group(Part part) const { return part == Part::fit ? 1 : static_cast<std::uint64_t>(play_.seats()); }
  std::uint64_t groups_of(Part part) const {
    const std::uint64_t games = part == Part::fit ? request_.fit_games : part == Part::climb ? request_.climb_games : request_.most_games;
    return (games + games_of_group(part) - 1) / games_of_group(part);
  }
  std::uint64_t seed_of(std::uint64_t trial, Part part, std::uint64_t group) const {
    return seed_of_game(seed_of_game(seed_of_game(request_.seed, trial), static_cast<std::uint64_t>(part)), group);
  }
  std::uint64_t batch_size(Part part, std::uint64_t from) const { return std::min(groups_at_once, groups_of(part) - from); }

  // What a batch of groups from number `from` on gave, as it was kept, or played now and kept. Empty when it could not be played to its end
  // or kept; then everything ends.
  Numbers batch(std::uint64_t trial, Part part, std::uint64_t from, const std::function<Numbers(std::uint64_t count)>& play) {
    if (const auto kept = kept_.find({part, from}); kept != kept_.end()) return kept->second;
    auto numbers = play(batch_size(part, from));
    broken_off_ = broken_off_ || StopSignals::came();
    if (broken_off_) return {};
    if (const auto added = file_.add({{"trial", trial}, {"part", name_of(part)}, {"from", from}, {"numbers", numbers}}); !added) {
      wrong_ = added.error();
      return {};
    }
    return kept_[{part, from}] = numbers;
  }

  // The points of each group in which `meeting(i)` names who judges how.
  Numbers met(std::uint64_t trial, Part part, std::uint64_t from, const std::function<double(std::uint64_t seed, std::size_t i)>& meeting) {
    return batch(trial, part, from, [&](std::uint64_t count) {
      return of_each<double>(count, 0, [&](std::size_t i) { return meeting(seed_of(trial, part, from + i), i); });
    });
  }

  WeightValues fitted(std::uint64_t number) {
    const std::uint64_t groups = groups_of(Part::fit);
    Progress progress(terminal_, fmt::format("trial {}, fit", number + 1), groups);
    Lessons all(best_.size());
    for (std::uint64_t from = 0; from < groups; from += groups_at_once) {
      if (!kept_.contains({Part::fit, from})) progress.show(from);
      const Numbers numbers = batch(number, Part::fit, from, [&](std::uint64_t count) {
        Lessons sum(best_.size());
        const auto games = of_each<Lessons>(count, sum, [&](std::size_t i) {
          Lessons game(best_.size());
          game.add_game(play_.lessons(best_, seed_of(number, Part::fit, from + i)));
          return game;
        });
        for (const Lessons& game : games) sum.add(game);
        Numbers gathered = sum.gradient;
        gathered.insert(gathered.end(), sum.curvature.begin(), sum.curvature.end());
        return gathered;
      });
      if (numbers.empty()) return best_;
      Lessons gathered(best_.size());
      const auto middle = numbers.begin() + std::ssize(gathered.gradient);
      gathered.gradient.assign(numbers.begin(), middle);
      gathered.curvature.assign(middle, numbers.end());
      all.add(gathered);
    }
    return learned(best_, all);
  }

  WeightValues climbed(std::uint64_t number) {
    const std::uint64_t groups = groups_of(Part::climb);
    Progress progress(terminal_, fmt::format("trial {}, climb", number + 1), groups * games_of_group(Part::climb));
    FastChance chance(seed_of_game(request_.seed, number), 7);
    return climb(best_, groups, chance, [&](const std::vector<ShiftedWeights>& all, std::uint64_t from) {
      if (!kept_.contains({Part::climb, from})) progress.show(from * games_of_group(Part::climb));
      auto won = met(number, Part::climb, from,
                     [&](std::uint64_t seed, std::size_t i) { return play_.meet(play_.with(all[i].up), play_.with(all[i].down), seed); });
      for (double& mean : won) mean = (mean - request_.fair_share) / (1 - request_.fair_share);
      return won;
    });
  }

  // Groups are counted in their order, so that the number of threads does not matter.
  void examine(Trial& trial) {
    const Scenario challenger = play_.with(trial.weights), champion = play_.with(best_);
    const std::uint64_t groups = groups_of(Part::exam);
    Score score;
    trial.verdict = "open";
    Progress progress(terminal_, fmt::format("trial {}, exam", trial.number + 1), groups * games_of_group(Part::exam));
    for (std::uint64_t from = 0; trial.verdict == "open" && from < groups && !broken_off_ && !wrong_; from += groups_at_once) {
      if (!kept_.contains({Part::exam, from})) progress.show(static_cast<std::uint64_t>(score.games()));
      for (const double mean :
           met(trial.number, Part::exam, from, [&](std::uint64_t seed, std::size_t) { return play_.meet(challenger, champion, seed); })) {
        score.add({mean, static_cast<double>(play_.seats())}, play_.seats());
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
    return {{"format", "baton-tuning"},     {"version", 8},
            {"program", BATON_VERSION},     {"setting", request_.setting},
            {"player", request_.player},    {"seed", request_.seed},
            {"fit", request_.fit_games},    {"climb", request_.climb_games},
            {"games", request_.most_games}, {"sprt", {request_.elo0, request_.elo1}},
            {"names", G::weight_names()},   {"start", known_.front()}};
  }

  Expected<void> read_file() {
    return file_.open(request_.file, header(), "a tuning", [&](const RunFile::Line& line) -> Expected<void> {
      if (take_batch(line.json)) return {};
      const auto trial = trial_from(line.json);
      if (!trial || trial->number != next_)
        return problem(line.where, "this is not what comes next in this tuning; delete the lines from here on.");
      take(*trial);
      return {};
    });
  }

  void take(const Trial& trial) {
    if (trial.verdict == "accepted") {
      best_ = trial.weights;
      known_.push_back(best_);
      ++passed_;
    }
    kept_.clear();
    ++next_;
  }

  // False when it is not a new batch of the trial that was under way.
  bool take_batch(const Json& json) {
    try {
      const auto part_name = std::find(part_names.begin(), part_names.end(), json.at("part").get_ref<const std::string&>());
      if (part_name == part_names.end()) return false;
      const auto part = static_cast<Part>(part_name - part_names.begin());
      const auto from = json.at("from").get<std::uint64_t>();
      auto numbers = json.at("numbers").get<Numbers>();
      bool fits = json.at("trial").get<std::uint64_t>() == next_ && from < groups_of(part) && from % groups_at_once == 0;
      if (part == Part::fit) {
        const std::size_t weights = best_.size();
        fits = fits && numbers.size() == weights + weights * (weights + 1) / 2;
      } else {
        fits = fits && numbers.size() == batch_size(part, from) &&
               std::all_of(numbers.begin(), numbers.end(), [](double mean) { return mean >= 0 && mean <= 1; });
      }
      return fits && kept_.try_emplace({part, from}, std::move(numbers)).second;
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
    std::uint64_t games = 0;
    for (const auto& [where, numbers] : kept_) games += batch_size(where.first, where.second) * games_of_group(where.first);
    if (request_.file.empty()) {
      terminal_.err << fmt::format("Stopped in trial {}. Without --file nothing of it is kept: the same command begins anew.\n", next_ + 1);
    } else {
      terminal_.err << fmt::format("Stopped in trial {}; {} keeps {} of it{}. The same command goes on from there.\n", next_ + 1,
                                   request_.file, counted(static_cast<std::int64_t>(games), "game"),
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

  const SelfPlay<G> play_;
  const TuneRequest& request_;
  Terminal& terminal_;
  const WeightsFile out_;
  WeightValues best_;
  std::vector<WeightValues> known_;                         // what it began with, and what has passed
  std::uint64_t next_ = 0, passed_ = 0;                     // trials
  std::map<std::pair<Part, std::uint64_t>, Numbers> kept_;  // batches of the trial at hand, by their first group
  RunFile file_;
  bool broken_off_ = false;
  std::optional<Problem> wrong_;
};

// As they were typed.
struct TuneArguments {
  std::string trials = "100", fit = "4000", climb = "4000", games = "8000", player = "sergeant", seed = "1", threads, file, out;
};

Expected<PlayerKind> tuned_player(const std::string& typed) {
  const std::vector<std::string> levels(level_names().begin(), level_names().end());
  if (std::find(levels.begin(), levels.end(), typed.substr(0, typed.find(':'))) == levels.end())
    return problem(
        "", "--player must be a level, who looks at what a position is worth: " + joined(levels) + ", not " + in_quotes(typed) + ".");
  auto kind = read_player_kind(typed);
  if (kind && kind->by_iterations.time.count() > 0)
    return problem("", "--player counts iterations, so that the seed alone decides; leave out time=.");
  return kind;
}

Expected<TuneRequest> tune_request_from(const TuneArguments& arguments, const ChosenGame& chosen) {
  TuneRequest request;
  const auto kind = tuned_player(arguments.player);
  if (!kind) return tl::make_unexpected(kind.error());
  request.kind = *kind;
  std::uint64_t threads = 0;
  constexpr std::uint64_t many = 1'000'000'000;
  const std::string standard = std::to_string(standard_threads());
  for (const auto& [name, text, into, least, most] :
       {std::tuple("--trials", arguments.trials, &request.trials, 1, many),
        {"--fit", arguments.fit, &request.fit_games, 0, many},
        {"--climb", arguments.climb, &request.climb_games, 0, many},
        {"--games", arguments.games, &request.most_games, 1, many},
        {"--seed", arguments.seed, &request.seed, 0, UINT64_MAX},
        {"--threads", arguments.threads.empty() ? standard : arguments.threads, &threads, 1, std::uint64_t{256}}}) {
    const auto number = whole_number(name, text, static_cast<std::uint64_t>(least), most);
    if (!number) return tl::make_unexpected(number.error());
    *into = *number;
  }
  request.threads = static_cast<unsigned>(threads);
  if (const auto few = few_enough_threads(threads, std::span(&request.kind, 1)); !few) return tl::make_unexpected(few.error());
  if (request.fit_games == 0 && request.climb_games == 0)
    return problem("", "--fit and --climb are both 0, so that nothing would be tried; give one of them games.");
  if (same_file(arguments.file, arguments.out))
    return problem("", "--file and --out name the same file, and the weights would take the place of the trials; name two.");
  if (const auto may = arguments.out.empty() ? Expected<void>{} : may_be_written(arguments.out); !may)
    return tl::make_unexpected(may.error());
  request.file = arguments.file;
  request.out = arguments.out;
  request.fair_share = 1 / static_cast<double>(chosen.sides);
  request.side_of_seat = chosen.side_of_seat;
  request.player = resolved_player(chosen.game, request.kind, Counting::iterations);
  request.setting = {
      {"game", chosen.game}, {"scenario", hash_of(chosen.scenario.text)}, {"options", chosen.options}, {"play", play_fingerprint(chosen)}};
  return request;
}

}  // namespace

int run_tune(const Words& words, Terminal& terminal) {
  CLI::App command("Betters the weights of a game's judgement by letting them play against themselves.", "baton tune");
  GameChoice choice;
  TuneArguments arguments;
  add_game_choice(command, choice);
  command.add_option("--trials", arguments.trials,
                     "how often weights are proposed and examined, by a fit and by a climb in turn; 100 unless given");
  command.add_option("--fit", arguments.fit, "games of each fit, 0 for none; 4000 unless given");
  command.add_option("--climb", arguments.climb, "games of each climb, 0 for none; 4000 unless given");
  command.add_option("--games", arguments.games, "of an exam at most, when the sequential test is not sure before; 8000 unless given");
  command.add_option("--player", arguments.player,
                     "who plays with the weights; sergeant unless given. It counts iterations, so that the seed alone decides");
  command.add_option("--threads", arguments.threads, "one a processor core unless given");
  command.add_option("--seed", arguments.seed, "of the changes and the dice; 1 unless given");
  command.add_option("--file", arguments.file,
                     "keeps every trial and the games of the one under way; the same command again goes on where it stopped");
  command.add_option("--out", arguments.out, "a judgement.toml that gets the best weights whenever better ones are found");
  if (const auto code = parse(command, words, terminal)) return *code;
  const auto chosen = chosen_game(choice);
  if (!chosen) return refuse(terminal, chosen.error());
  const auto request = tune_request_from(arguments, *chosen);
  if (!request) return refuse(terminal, request.error());

  const StopSignals signals;
  Expected<bool> done = problem("", "the weights of this game are not in a judgement.toml yet; docs/bots.md says how to put them there.");
  with_game(chosen->game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    if constexpr (Tunable<G>) {
      if (const auto scenario = G::load(chosen->scenario, chosen->options)) done = Tuner<G>(*scenario, *request, terminal).run();
    }
  });
  if (!done) return refuse(terminal, done.error());
  return *done ? exit_done : exit_no;
}

}  // namespace baton::app
