// baton load: how many tables and actions this machine carries.
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "table/load.h"

namespace baton::app {

int run_load(const Words& words, Terminal& terminal) {
  CLI::App command("Starts a server on the loopback address, lets scripted people play there, and reports what it took.", "baton load");
  std::string tables = "100", rate = "100", seconds = "20";
  table::LoadPlan plan;
  bool as_json = false;
  command.add_option("--tables", tables, "1 to 4000; 100 unless given");
  command.add_option("--rate", rate, "actions a second, in all; 1 to 20000, 100 unless given");
  command.add_option("--seconds", seconds, "1 to 600; 20 unless given");
  command.add_option("--database", plan.database, "postgresql://… instead of a fresh SQLite file");
  command.add_option("--data", plan.folder, "the folder of the SQLite file; a temporary one unless given");
  command.add_flag("--json", as_json, "print one JSON object");
  if (const auto code = parse(command, words, terminal)) return *code;
  const auto table_count = whole_number("--tables", tables, 1, 4000);
  if (!table_count) return refuse(terminal, table_count.error());
  const auto per_second = whole_number("--rate", rate, 1, 20000);
  if (!per_second) return refuse(terminal, per_second.error());
  const auto time = whole_number("--seconds", seconds, 1, 600);
  if (!time) return refuse(terminal, time.error());
  plan.tables = static_cast<int>(*table_count);
  plan.actions_per_second = static_cast<int>(*per_second);
  plan.seconds = static_cast<int>(*time);

  const auto report = table::run_load(plan);
  if (!report) return refuse(terminal, report.error());
  const auto per_table = static_cast<double>(report->server_kib_after - report->server_kib_before) / report->tables;
  const double achieved = static_cast<double>(report->actions) / report->seconds;
  const auto at = [](const std::vector<double>& times, double share) { return table::percentile(times, share); };
  if (as_json) {
    terminal.line(Json{{"tables", report->tables},
                       {"actions", report->actions},
                       {"actions_per_second", achieved},
                       {"answer_ms", {{"p50", at(report->answer_ms, 0.5)}, {"p99", at(report->answer_ms, 0.99)}}},
                       {"view_ms", {{"p50", at(report->view_ms, 0.5)}, {"p99", at(report->view_ms, 0.99)}}},
                       {"kib_per_table", per_table},
                       {"server_cpu_seconds", report->server_cpu_seconds},
                       {"seconds", report->seconds},
                       {"bytes", report->bytes}}
                      .dump());
    return exit_done;
  }
  terminal.print("{} tables, {} actions in {:.1f} s: {:.0f} a second ({} refused, {} games ended)\n", report->tables, report->actions, report->seconds,
                 achieved, report->refused, report->games);
  terminal.print("until the answer           p50 {:.2f} ms  p99 {:.2f} ms\n", at(report->answer_ms, 0.5), at(report->answer_ms, 0.99));
  terminal.print("until the opponent's view  p50 {:.2f} ms  p99 {:.2f} ms\n", at(report->view_ms, 0.5), at(report->view_ms, 0.99));
  terminal.print("server: {:.0f} KiB a table, {:.0f} MiB in all, {:.0f} % of one core, {:.1f} KiB sent for an action\n", per_table,
                 static_cast<double>(report->server_kib_after) / 1024, 100 * report->server_cpu_seconds / report->seconds,
                 static_cast<double>(report->bytes) / 1024 / static_cast<double>(std::max(1L, report->actions)));
  return exit_done;
}

}  // namespace baton::app
