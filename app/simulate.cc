// baton simulate: many games between computer players, and what came of them.
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/distribution.h"
#include "app/figures.h"
#include "app/interval.h"
#include "app/progress.h"
#include "app/simulation.h"
#include "app/thinking.h"
#include "app/whole_file.h"

namespace baton::app {

void Tally::add(const Tally& other) {
  games += other.games;
  finished += other.finished;
  decisions += other.decisions;
  draws += other.draws;
  first_wins += other.first_wins;
  for (std::size_t i = 0; i < wins.size(); ++i) wins[i] += other.wins[i];
  for (const auto& [reason, count] : other.reasons) reasons[reason] += count;
  for (const auto& [length, count] : other.lengths) lengths[length] += count;
  for (const auto& [round, count] : other.rounds) rounds[round] += count;
  for (std::size_t i = 0; i < thinking.size(); ++i) thinking[i].add(other.thinking[i]);
}

namespace {

constexpr std::uint64_t most_games = 1'000'000'000;

Expected<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder, error)) return problem(folder, "this folder cannot be made.");
  return {};
}

Expected<void> write_record(const std::string& folder, std::uint64_t game, const Record& record) {
  const auto path = std::filesystem::path(folder) / fmt::format("game-{:06}.jsonl", game + 1);
  if (const auto error = write_whole_file(path.string(), text_of(record)))
    return problem(path.string(), "the record cannot be written: " + error.message() + ".");
  return {};
}

Json interval_json(std::int64_t hits, std::int64_t tries) {
  const Interval interval = wilson_interval(hits, tries);
  return {rounded(interval.low), rounded(interval.high)};
}

Json report_json(const ChosenGame& chosen, const Simulation& simulation, const Tally& tally, double seconds) {
  Json json = {
      {"game", chosen.game}, {"scenario", scenario_id(chosen.scenario.name)}, {"options", chosen.options}, {"seed", simulation.seed}};
  for (std::size_t i = 0; i < chosen.seats.size(); ++i) json["players"][chosen.seats[i]] = simulation.minds[i].text;
  json["games"] = tally.games;
  json["finished"] = tally.finished;
  json["decisions"] = tally.decisions;
  json["seconds"] = seconds;
  json["decisions_per_second"] = static_cast<double>(tally.decisions) / seconds;
  for (std::size_t i = 0; i < chosen.seats.size(); ++i) {
    json["wins"][chosen.seats[i]] = tally.wins[i];
    json["win_intervals"][chosen.seats[i]] = interval_json(tally.wins[i], tally.finished);
  }
  json["draws"] = tally.draws;
  json["first_player_wins"] = tally.first_wins;
  json["first_player_interval"] = interval_json(tally.first_wins, tally.finished);
  json["reasons"] = tally.reasons;
  json["lengths"] = summary_json(tally.lengths);
  for (std::size_t i = 0; i < chosen.seats.size(); ++i) json["thinking"][chosen.seats[i]] = thinking_json(tally.thinking[i]);
  if (!tally.rounds.empty()) json["rounds"] = summary_json(tally.rounds);
  return json;
}

void share_line(Terminal& terminal, const std::string& name, std::int64_t hits, std::int64_t tries) {
  const Interval interval = wilson_interval(hits, tries);
  const double share = tries == 0 ? 0 : 100.0 * static_cast<double>(hits) / static_cast<double>(tries);
  terminal.print("  {:<24} {:>10}  {:6.2f} %  ({:.2f}–{:.2f} %)\n", name, hits, share, 100 * interval.low, 100 * interval.high);
}

void distribution_lines(Terminal& terminal, const std::string& name, const Counts& counts) {
  if (counts.empty()) return;
  terminal.print("\n{}: median {}, mean {:.1f}, 90 % within {}–{}, all within {}–{}\n", name, percentile(counts, 0.5), mean(counts),
                 percentile(counts, 0.05), percentile(counts, 0.95), counts.begin()->first, counts.rbegin()->first);
  for (const std::string& line : histogram(counts, 14, 44)) terminal.line(line);
}

// In the unit in which it is read at a glance.
std::string speed_words(double decisions_per_second) {
  if (decisions_per_second >= 1e6) return fmt::format("{:.2f} million decisions/s", decisions_per_second / 1e6);
  if (decisions_per_second >= 1e4) return fmt::format("{:.0f} thousand decisions/s", decisions_per_second / 1e3);
  return decisions_per_second >= 10 ? fmt::format("{:.0f} decisions/s", decisions_per_second)
                                    : fmt::format("{:.1f} decisions/s", decisions_per_second);
}

void report(Terminal& terminal, const ChosenGame& chosen, const Simulation& simulation, const Tally& tally, double seconds) {
  terminal.print("{} · {} · seed {}\n", chosen.game, scenario_id(chosen.scenario.name), simulation.seed);
  terminal.print("{}, {} finished, {} in {:.2f} s: {}\n\n", counted(tally.games, "game"), tally.finished,
                 counted(tally.decisions, "decision"), seconds, speed_words(static_cast<double>(tally.decisions) / seconds));
  terminal.line("Wins (95 % intervals after Wilson)");
  for (std::size_t i = 0; i < chosen.seats.size(); ++i) {
    share_line(terminal, fmt::format("{} ({})", chosen.seats[i], simulation.minds[i].text), tally.wins[i], tally.finished);
  }
  share_line(terminal, "drawn", tally.draws, tally.finished);
  share_line(terminal, "whoever chose first", tally.first_wins, tally.finished);
  terminal.line("\nReasons");
  for (const auto& [reason, count] : tally.reasons) share_line(terminal, reason, count, tally.finished);
  for (std::size_t i = 0; i < chosen.seats.size(); ++i) {
    if (tally.thinking[i].choices > 0)
      terminal.print("{}{} thought {}\n", i == 0 ? "\n" : "", chosen.seats[i], thinking_words(tally.thinking[i]));
  }
  distribution_lines(terminal, "Length in decisions", tally.lengths);
  distribution_lines(terminal, "Length in rounds", tally.rounds);
}

}  // namespace

int run_simulate(const Words& words, Terminal& terminal) {
  CLI::App command("Many games between computer players, and what came of them.", "baton simulate");
  GameChoice choice;
  std::string games_text, seed_text = "1", threads_text, folder;
  std::vector<std::string> seats;
  bool as_json = false;
  add_game_choice(command, choice);
  command.add_option("--games", games_text, "how many games")->required();
  command.add_option("--seed", seed_text, "the result depends on it and on nothing else; 1 unless given");
  command.add_option("--threads", threads_text, "how many games at a time; one a processor core unless given");
  add_repeatable(command, "--seat", seats,
                 "SEAT=KIND: a seat's number or name, and random, greedy, recruit, sergeant, captain or general; random unless given. "
                 "The last four think for a number of iterations here, not for a time, so that the seed alone decides");
  command.add_flag("--json", as_json, "print one JSON object");
  auto* record = command.add_option("--record", folder, "a folder that gets the record of every game");
  if (const auto code = parse(command, words, terminal)) return *code;

  const auto chosen = chosen_game(choice);
  if (!chosen) return refuse(terminal, chosen.error());
  tell_warnings(*chosen, terminal);
  Simulation simulation;
  const auto games = whole_number("--games", games_text, 1, most_games);
  if (!games) return refuse(terminal, games.error());
  const auto seed = whole_number("--seed", seed_text, 0, UINT64_MAX);
  if (!seed) return refuse(terminal, seed.error());
  const auto threads = whole_number("--threads", threads_text.empty() ? std::to_string(standard_threads()) : threads_text, 1, 256);
  if (!threads) return refuse(terminal, threads.error());
  simulation.games = *games;
  simulation.seed = *seed;
  simulation.threads = static_cast<unsigned>(*threads);
  std::vector<std::string> kinds(chosen->seats.size(), "random");
  if (auto assigned = assign_seats(seats, chosen->seats, Sitters::minds, kinds); !assigned) return refuse(terminal, assigned.error());
  for (const std::string& kind : kinds) simulation.minds.push_back(*read_player_kind(kind));
  for (const PlayerKind& kind : simulation.minds) {
    if (kind.by_iterations.time.count() > 0)
      return refuse(terminal, "a seat counts iterations here, so that the seed alone decides; leave out time= of " + kind.text);
  }
  if (const auto few = few_enough_threads(simulation.threads, simulation.minds); !few) return refuse(terminal, few.error());
  simulation.setup.scenario = chosen->scenario;
  simulation.setup.options = chosen->options;
  for (std::size_t i = 0; i < chosen->seats.size(); ++i) simulation.setup.players.emplace_back(chosen->seats[i], kinds[i]);
  if (record->count() > 0) {
    if (auto made = make_folder(folder); !made) return refuse(terminal, made.error());
    simulation.keep = [&](std::uint64_t game, const Record& kept) { return write_record(folder, game, kept); };
  }

  Progress progress(terminal, "games", simulation.games);
  simulation.progress = [&](std::uint64_t done) { progress.show(done); };
  const auto begun = std::chrono::steady_clock::now();
  Expected<Tally> tally = problem("", "nothing was played.");
  with_game(chosen->game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    if (const auto scenario = G::load(chosen->scenario, chosen->options)) tally = Simulator<G>(simulation, *scenario).run();
  });
  const double seconds = std::max(1e-9, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  progress.clear();
  if (!tally) return refuse(terminal, tally.error());
  if (as_json) {
    terminal.line(report_json(*chosen, simulation, *tally, seconds).dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    report(terminal, *chosen, simulation, *tally, seconds);
  }
  return exit_done;
}

}  // namespace baton::app
