// baton check: plays random games and checks every promise of the contract.
#include <atomic>
#include <mutex>
#include <thread>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/progress.h"
#include "match/conformance.h"

namespace baton::app {
namespace {

struct Checking {
  std::uint64_t games = 0, first_seed = 1;
  unsigned threads = 1;
};

// Games are checked one by one so that threads can share them; the failure with the smallest seed is the one that is told.
template <Game G>
Conformance check(const ScenarioFile& file, const OptionValues& options, const Checking& checking, Progress& progress) {
  std::atomic<std::uint64_t> next{0};
  std::mutex lock;
  Conformance all;
  std::uint64_t failed = checking.games;
  const auto work = [&] {
    for (std::uint64_t game = next++; game < checking.games; game = next++) {
      ConformanceSettings settings;
      settings.first_seed = checking.first_seed + game;
      settings.games = 1;
      settings.seat_records_every = game % 5 == 0 ? 1 : 2;
      const Conformance one = conformance<G>(file, options, settings);
      const std::lock_guard guard(lock);
      all.games += one.games;
      all.decisions += one.decisions;
      if (one.failure && game < failed) {
        failed = game;
        all.failure = one.failure;
        next = checking.games;
      }
      progress.show(static_cast<std::uint64_t>(all.games));
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < checking.threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return all;
}

}  // namespace

int run_check(const Words& words, Terminal& terminal) {
  CLI::App command("Plays random games and checks at every step what every game promises: legality, secrets, records, undo.",
                   "baton check");
  GameChoice choice;
  std::string games_text, seed_text = "1", threads_text;
  add_game_choice(command, choice);
  command.add_option("--games", games_text, "how many games, for each scenario")->required();
  command.add_option("--seed", seed_text, "the seed of the first game; the others follow; 1 unless given");
  command.add_option("--threads", threads_text, "how many games at a time; one a processor core unless given");
  if (const auto code = parse(command, words, terminal)) return *code;

  if (const auto known = options_of(choice.game); !known) return refuse(terminal, known.error());
  const auto games = whole_number("--games", games_text, 1, 100'000'000);
  if (!games) return refuse(terminal, games.error());
  const auto seed = whole_number("--seed", seed_text, 0, UINT64_MAX);
  if (!seed) return refuse(terminal, seed.error());
  const auto threads = whole_number("--threads", threads_text.empty() ? std::to_string(standard_threads()) : threads_text, 1, 256);
  if (!threads) return refuse(terminal, threads.error());

  std::vector<std::string> scenarios = {choice.scenario};
  if (choice.scenario.empty()) scenarios = scenario_ids(choice.game);
  for (const std::string& scenario : scenarios) {
    choice.scenario = scenario;
    const auto chosen = chosen_game(choice);
    if (!chosen) return refuse(terminal, chosen.error());
    tell_warnings(*chosen, terminal);
    Progress progress(terminal, scenario_id(chosen->scenario.name), *games);
    Conformance done;
    with_game(chosen->game, [&]<class Tag>(Tag) {
      done = check<typename Tag::Type>(chosen->scenario, chosen->options, {*games, *seed, static_cast<unsigned>(*threads)}, progress);
    });
    progress.clear();
    const std::string name = chosen->game + " · " + scenario_id(chosen->scenario.name);
    if (done.failure) {
      terminal.print("{}: broken at {}\n", name, *done.failure);
      return exit_no;
    }
    terminal.print("{}: {} games and {} decisions keep every promise.\n", name, done.games, done.decisions);
  }
  return exit_done;
}

}  // namespace baton::app
