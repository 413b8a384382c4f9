// baton tune: betters the weights of a game's judgement by letting them play against themselves.
//
// Each trial changes some weights a little at random and plays the changed search against the best so far, the same seeds with the seats
// swapped, until a sequential test is sure. What wins becomes the best. Meant to run for a night; it can be stopped at any time.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/playout.h"
#include "app/resolved_player.h"
#include "app/run_file.h"
#include "app/strength.h"
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
  std::uint64_t trials = 0, seed = 1, most_games = 0;
  unsigned threads = 1;
  PlayerKind kind;
  double elo0 = 0, elo1 = 0, fair_share = 0.5;
  std::vector<std::size_t> side_of_seat;
  Json setting;  // game, scenario, options, and how they are played
  Json player;   // the kind and what it comes to in this game
  std::string file, out;
};

using WeightValues = std::vector<float>;

struct Trial {
  std::uint64_t number = 0;
  WeightValues weights;  // tried
  std::string verdict;   // accepted, rejected, open
  std::int64_t games = 0;
  double score = 0;
};

Json json_of(const Trial& trial) {
  return {{"trial", trial.number}, {"verdict", trial.verdict}, {"games", trial.games}, {"score", trial.score}, {"weights", trial.weights}};
}

// The lines "name = number" with new numbers; everything else, and how the lines are laid out, stays. A weight without a line is a problem.
Expected<std::string> with_weights(const std::string& path, const std::string& text, std::span<const std::string_view> names, const WeightValues& weights) {
  std::istringstream lines(text);
  std::string all, line;
  std::set<std::string> written;
  while (std::getline(lines, line)) {
    const auto equals = line.find('=');
    const std::string name = line.substr(0, line.find_first_of(" \t="));
    const auto found = std::find(names.begin(), names.end(), name);
    if (equals != std::string::npos && found != names.end()) {
      const auto comment = line.find('#');
      line = line.substr(0, equals + 1) + fmt::format(" {:>7.4f}", weights[static_cast<std::size_t>(found - names.begin())]) +
             (comment == std::string::npos ? "" : "  " + line.substr(comment));
      written.insert(name);
    }
    all += line + "\n";
  }
  for (const std::string_view name : names) {
    if (!written.contains(std::string(name))) return problem(path, "the weight \"" + std::string(name) + "\" has no line \"" + std::string(name) + " = …\"; add it, or name a new file.");
  }
  return all;
}

std::string plain_weights(std::span<const std::string_view> names, const WeightValues& weights) {
  std::string text = "# The weights of the judgement, as \"baton tune\" found them.\n\n";
  for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format("{} = {:.4f}\n", names[i], weights[i]);
  return text;
}

template <Tunable G>
class Tuner {
 public:
  Tuner(const typename G::Scenario& scenario, const TuneRequest& request, Terminal& terminal) : scenario_(scenario), request_(request), terminal_(terminal) {
    auto copy = scenario;
    const auto values = G::weights(copy);
    best_.assign(values.begin(), values.end());
    start_ = best_;
  }

  Expected<void> run() {
    // A file that cannot get the weights is refused before anything is made or played.
    if (!request_.out.empty()) {
      if (const auto text = text_with_weights(); !text) return tl::make_unexpected(text.error());
    }
    if (auto read = read_file(); !read) return read;
    // At once, so that it does not turn out in the morning that nothing can be written there.
    if (!request_.out.empty()) {
      if (auto written = write_weights(); !written) return written;
    }
    for (; next_ < request_.trials; ++next_) {
      Trial trial = tried(next_);
      play(trial);
      if (trial.verdict == "accepted") best_ = trial.weights;
      terminal_.print("trial {}: {} after {} games, score {:.1f} %\n", trial.number + 1, trial.verdict, trial.games, 100 * trial.score);
      terminal_.out << std::flush;
      if (auto kept = file_.add(json_of(trial)); !kept) return kept;
      if (trial.verdict != "accepted" || request_.out.empty()) continue;
      if (auto written = write_weights(); !written) return written;
    }
    terminal_.line("The best weights:");
    for (std::size_t i = 0; i < best_.size(); ++i) terminal_.print("  {:<16} {:>8.4f}\n", G::weight_names()[i], best_[i]);
    return {};
  }

 private:
  // About a third of the weights, each by up to a fifth of itself or a little.
  Trial tried(std::uint64_t number) const {
    FastChance chance(seed_of_game(request_.seed, number), 7);
    Trial trial;
    trial.number = number;
    trial.weights = best_;
    for (float& weight : trial.weights) {
      if (chance.pick(3) != 0) continue;
      const float step = 0.2f * std::abs(weight) + 0.02f;
      weight += step * (static_cast<float>(chance.pick(2001)) / 1000 - 1);
    }
    return trial;
  }

  // Points of the challenger in `seat`.
  double play_one(const typename G::Scenario& challenger, const typename G::Scenario& champion, std::uint64_t seed, int seat) const {
    FastChance dice(seed), choices(seed, choice_stream);
    Events unheard = Events::unheard();
    std::vector<std::unique_ptr<Mind<G>>> minds;
    for (std::size_t i = 0; i < G::seats(scenario_).size(); ++i) minds.push_back(make_mind<G>(request_.kind, request_.kind.by_iterations));
    auto s = G::start(scenario_, dice, unheard);
    play_out<G>(
        scenario_, s, dice,
        [&](Seat chooser, const ActionList& legal) {
          const auto& own = index(chooser) == seat ? challenger : champion;
          return minds[static_cast<std::size_t>(index(chooser))]->choose(own, G::observe(scenario_, s, chooser), chooser, legal, choices);
        },
        [](Seat, const ActionList&, Action) {});
    return points_of(G::result(scenario_, s), request_.side_of_seat, static_cast<std::size_t>(seat));
  }

  // Groups are played some at a time and counted in their order, so that the number of threads does not matter.
  void play(Trial& trial) const {
    auto challenger = scenario_, champion = scenario_;
    std::copy(trial.weights.begin(), trial.weights.end(), G::weights(challenger).begin());
    std::copy(best_.begin(), best_.end(), G::weights(champion).begin());
    const auto seats = static_cast<int>(G::seats(scenario_).size());
    constexpr std::uint64_t at_once = 16;
    const auto groups = (request_.most_games + static_cast<std::uint64_t>(seats) - 1) / static_cast<std::uint64_t>(seats);
    Score score;
    trial.verdict = "open";
    for (std::uint64_t from = 0; trial.verdict == "open" && from < groups; from += at_once) {
      std::vector<GroupScore> means(std::min(at_once, groups - from));
      std::atomic<std::uint64_t> next = 0;
      in_parallel(request_.threads, [&](std::size_t) {
        for (std::uint64_t i = next++; i < means.size(); i = next++) {
          const std::uint64_t seed = seed_of_game(seed_of_game(request_.seed, trial.number), from + i);
          std::vector<double> points;
          for (int seat = 0; seat < seats; ++seat) points.push_back(play_one(challenger, champion, seed, seat));
          means[i] = mean_over_sides(points, request_.side_of_seat);
        }
      });
      for (const GroupScore& mean : means) {
        score.add(mean, seats);
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
    return {{"format", "baton-tuning"}, {"version", 5}, {"program", BATON_VERSION}, {"setting", request_.setting}, {"player", request_.player}, {"seed", request_.seed}, {"games", request_.most_games},
            {"sprt", {request_.elo0, request_.elo1}}, {"names", G::weight_names()}, {"start", start_}};
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

  // What the file is to hold. It may be new or empty.
  Expected<std::string> text_with_weights() const {
    std::error_code unknown;
    const bool there = std::filesystem::exists(request_.out, unknown);
    if (there && !std::filesystem::is_regular_file(request_.out, unknown)) return problem(request_.out, "this is not a file that can be written; name another one.");
    const auto old = there ? read_text_file(request_.out, std::size_t{1} << 20) : Expected<std::string>{};
    if (!old) return old;
    if (old->empty()) return plain_weights(G::weight_names(), best_);
    return with_weights(request_.out, *old, G::weight_names(), best_);
  }

  // Beside it first, so that there is always a whole one; under a name that nobody has, so that no other file is lost.
  Expected<void> write_weights() const {
    const auto text = text_with_weights();
    if (!text) return tl::make_unexpected(text.error());
    const auto wrong = problem(request_.out, "this file cannot be written.");
    std::string beside;
    int file = -1;
    for (int number = 1; file < 0; ++number) {
      beside = request_.out + ".new-" + std::to_string(number);
      file = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file < 0 && errno != EEXIST) return wrong;
    }
    const bool whole = ::write(file, text->data(), text->size()) == static_cast<ssize_t>(text->size());
    const bool kept = close(file) == 0 && whole && std::rename(beside.c_str(), request_.out.c_str()) == 0;
    if (kept) return {};
    unlink(beside.c_str());
    return wrong;
  }

  const typename G::Scenario& scenario_;
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
  std::string trials = "100", games = "4000", player = "sergeant", seed = "1", threads;
  add_game_choice(command, choice);
  command.add_option("--trials", trials, "how many changes are tried; 100 unless given");
  command.add_option("--games", games, "of a trial at most, when the sequential test is not sure before; 4000 unless given");
  command.add_option("--player", player, "who plays with the weights; sergeant unless given. It counts iterations, so that the seed alone decides");
  command.add_option("--threads", threads, "one a processor core unless given");
  command.add_option("--seed", seed, "of the changes and the dice; 1 unless given");
  command.add_option("--file", request.file, "keeps every trial; the same command again goes on where it stopped");
  command.add_option("--out", request.out, "a judgement.toml that gets the best weights whenever better ones are found");
  if (const auto code = parse(command, words, terminal)) return *code;
  const auto chosen = chosen_game(choice);
  if (!chosen) return refuse(terminal, chosen.error());
  if (const auto allowed = allowed_kind(player, Sitters::minds); !allowed) return refuse(terminal, allowed.error());
  request.kind = *read_player_kind(player);
  if (request.kind.type != PlayerKind::Type::search) return refuse(terminal, "--player must be a level: " + presentable(player, 60) + " does not look at what a position is worth");
  if (request.kind.by_iterations.time.count() > 0) return refuse(terminal, "--player counts iterations, so that the seed alone decides; leave out time=");
  for (const auto& [name, text, into] : {std::tuple("--trials", trials, &request.trials), {"--games", games, &request.most_games}, {"--seed", seed, &request.seed}}) {
    const auto number = whole_number(name, text, std::string_view(name) == "--seed" ? 0 : 1, 1'000'000'000);
    if (!number) return refuse(terminal, number.error());
    *into = *number;
  }
  const auto thread_count = whole_number("--threads", threads.empty() ? std::to_string(standard_threads()) : threads, 1, 256);
  if (!thread_count) return refuse(terminal, thread_count.error());
  request.threads = static_cast<unsigned>(*thread_count);
  if (const auto few = few_enough_threads(*thread_count, std::span(&request.kind, 1)); !few) return refuse(terminal, few.error());
  if (same_file(request.file, request.out)) return refuse(terminal, "--file and --out name the same file, and the weights would take the place of the trials; name two");
  // Small steps are worth little; a change that is no worse than nothing is not kept.
  request.elo0 = 0;
  request.elo1 = 15;
  request.fair_share = 1 / static_cast<double>(chosen->sides);
  request.side_of_seat = chosen->side_of_seat;
  request.player = resolved_player(chosen->game, request.kind, Counting::iterations);
  request.setting = {{"game", chosen->game}, {"scenario", hash_of(chosen->scenario.text)}, {"options", chosen->options}, {"play", play_fingerprint(*chosen)}};

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
