// baton load: how many tables and actions this machine carries.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "core/utf8.h"
#include "match/registry.h"
#include "table/load.h"
#include "table/thinkers.h"

namespace baton::app {
namespace {

Json json_of(const std::vector<double>& times) {
  const auto at = [&](double share) { return table::percentile(times, share); };
  return {{"count", times.size()}, {"p50", at(0.5)}, {"p90", at(0.9)}, {"p99", at(0.99)}, {"max", times.empty() ? 0 : times.back()}};
}

void print_times(Terminal& terminal, std::string_view what, const std::vector<double>& times) {
  if (times.empty()) return;
  const auto at = [&](double share) { return table::percentile(times, share); };
  terminal.print("  {:<28}p50 {:8.2f} ms   p90 {:8.2f} ms   p99 {:8.2f} ms   most {:8.2f} ms\n", what, at(0.5), at(0.9), at(0.99),
                 times.back());
}

// The end of the bucket below which `share` of the counted times lie.
double bucket_at(const std::vector<table::LoadBucket>& buckets, double share) {
  long all = 0, sum = 0;
  for (const auto& bucket : buckets) all += bucket.count;
  for (const auto& bucket : buckets) {
    sum += bucket.count;
    if (static_cast<double>(sum) >= share * static_cast<double>(all)) return bucket.most_ms;
  }
  return 0;
}

std::string within(double milliseconds) { return std::isinf(milliseconds) ? "more than 2000 ms" : fmt::format("{:.0f} ms", milliseconds); }

}  // namespace

int run_load(const Words& words, Terminal& terminal) {
  CLI::App command(
      "Starts a server on the loopback address, lets scripted people play there against each other and against computer players, and "
      "reports what it took. "
      "Actions are due at a steady pace; all times count from when an action was due. The clients share the machine with the server.",
      "baton load");
  std::string tables = "100", bots, rate = "100", seconds = "20", warm_up = "5";
  table::LoadPlan plan;
  bool as_json = false;
  command.add_option("--game", plan.game, "as \"baton list\" names it; company-commander unless given");
  command.add_option("--tables", tables, "1 to 4000; 100 unless given");
  command.add_option("--bots", bots, "at how many of them a computer player sits at the other seat; half of them unless given");
  command.add_option("--level", plan.level, "of the computer players; greedy unless given");
  command.add_option("--rate", rate, "actions of people a second, in all; 1 to 20000, 100 unless given");
  command.add_option("--seconds", seconds, "how long it is measured; 1 to 600, 20 unless given");
  command.add_option("--warm-up", warm_up, "the seconds of play before that; 0 to 600, 5 unless given");
  command.add_option("--database", plan.database, "postgresql://… instead of a fresh SQLite file");
  command.add_option("--data", plan.folder, "the folder of the SQLite file; a temporary one unless given");
  command.add_flag("--json", as_json, "print one JSON object");
  if (const auto code = parse(command, words, terminal)) return *code;
  if (const auto games = game_ids(); std::find(games.begin(), games.end(), plan.game) == games.end())
    return refuse(terminal, "--game: there is no game " + in_quotes(plan.game, 40) + "; \"baton list\" shows them");
  if (!table::is_level(plan.level))
    return refuse(terminal, "--level: there is no level " + in_quotes(plan.level, 40) + "; greedy, recruit and sergeant are some");
  const auto table_count = whole_number("--tables", tables, 1, 4000);
  if (!table_count) return refuse(terminal, table_count.error());
  const auto bot_count = bots.empty() ? Expected<std::uint64_t>(*table_count / 2) : whole_number("--bots", bots, 0, *table_count);
  if (!bot_count) return refuse(terminal, bot_count.error());
  const auto per_second = whole_number("--rate", rate, 1, 20000);
  if (!per_second) return refuse(terminal, per_second.error());
  const auto time = whole_number("--seconds", seconds, 1, 600);
  if (!time) return refuse(terminal, time.error());
  const auto before = whole_number("--warm-up", warm_up, 0, 600);
  if (!before) return refuse(terminal, before.error());
  plan.tables = static_cast<int>(*table_count);
  plan.with_bots = static_cast<int>(*bot_count);
  plan.actions_per_second = static_cast<int>(*per_second);
  plan.seconds = static_cast<int>(*time);
  plan.warm_up_seconds = static_cast<int>(*before);

  const auto report = table::run_load(plan);
  if (!report) return refuse(terminal, report.error());
  const auto kib_per_table = [&](long with) { return static_cast<double>(with - report->server_kib_before) / report->tables; };
  const double achieved = static_cast<double>(report->actions) / report->seconds;
  const double machine = report->seconds * report->cores;
  const double commit_ms = 1000 * report->commit_seconds / static_cast<double>(std::max(1L, report->commits));
  if (as_json) {
    Json buckets = Json::array();
    for (const auto& bucket : report->bot_buckets) {
      buckets.push_back({{"most_ms", std::isinf(bucket.most_ms) ? Json(nullptr) : Json(bucket.most_ms)}, {"count", bucket.count}});
    }
    terminal.line(Json{
        {"game", plan.game},
        {"tables", report->tables},
        {"tables_with_bots", report->with_bots},
        {"asked_rate", plan.actions_per_second},
        {"actions", report->actions},
        {"actions_per_second", achieved},
        {"refused", report->refused},
        {"late", report->late},
        {"unanswered", report->unanswered},
        {"games_ended", report->games_ended},
        {"people",
         {{"answer_ms", json_of(report->people.answer)}, {"view_ms", json_of(report->people.view)}, {"unseen", report->people.unseen}}},
        {"against_bots", {{"answer_ms", json_of(report->against_bots.answer)}, {"view_ms", json_of(report->against_bots.view)}}},
        {"server_actions", report->server_actions},
        {"bot_actions", report->bot_actions},
        {"bot_action_to_views", std::move(buckets)},
        {"commits", report->commits},
        {"commit_ms", commit_ms},
        {"kib_per_table_at_start", kib_per_table(report->server_kib_with_tables)},
        {"kib_per_table", kib_per_table(report->server_kib_after)},
        {"server_cpu_seconds", report->server_cpu_seconds},
        {"client_cpu_seconds", report->client_cpu_seconds},
        {"other_cpu_seconds", report->other_cpu_seconds},
        {"cores", report->cores},
        {"seconds", report->seconds},
        {"bytes", report->bytes}}
                      .dump());
    return exit_done;
  }
  terminal.print("{} tables of {}, {} of them with a computer player ({}); {} actions of people in {:.0f} s: {:.0f} a second of {} asked\n",
                 report->tables, plan.game, report->with_bots, plan.level, report->actions, report->seconds, achieved,
                 plan.actions_per_second);
  terminal.print("{} refused, {} were due when nobody had a choice, {} not answered, {} games ended\n", report->refused, report->late,
                 report->unanswered, report->games_ended);
  if (report->with_bots < report->tables) {
    terminal.print("people against each other, since an action was due ({} showed the opponent nothing)\n", report->people.unseen);
    print_times(terminal, "until the answer", report->people.answer);
    print_times(terminal, "until the opponent's view", report->people.view);
  }
  if (report->with_bots > 0) {
    terminal.print("people against computer players, since an action was due\n");
    print_times(terminal, "until the answer", report->against_bots.answer);
    print_times(terminal, "until the own view", report->against_bots.view);
    terminal.print("{} choices of computer players, until the server hands out the views: half within {}, 99 % within {}\n",
                   report->bot_actions, within(bucket_at(report->bot_buckets, 0.5)), within(bucket_at(report->bot_buckets, 0.99)));
  }
  terminal.print(
      "server: {} actions of all kinds in {} commits of {:.1f} ms; {:.0f} KiB a table when seated, {:.0f} KiB after play, {:.0f} MiB in "
      "all; {:.1f} KiB sent for an action\n",
      report->server_actions, report->commits, commit_ms, kib_per_table(report->server_kib_with_tables),
      kib_per_table(report->server_kib_after), static_cast<double>(report->server_kib_after) / 1024,
      static_cast<double>(report->bytes) / 1024 / static_cast<double>(std::max(1L, report->server_actions)));
  terminal.print("{} cores: {:.0f} % server, {:.0f} % these clients, {:.0f} % other programs\n", report->cores,
                 100 * report->server_cpu_seconds / machine, 100 * report->client_cpu_seconds / machine,
                 100 * report->other_cpu_seconds / machine);
  return exit_done;
}

}  // namespace baton::app
