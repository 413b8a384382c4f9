#include "table/load.h"

#include <fmt/format.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <thread>

#include "table/figures.h"
#include "table/load_crowd.h"
#include "table/server.h"

namespace baton::table {
namespace {

class ServerChild {
 public:
  Expected<void> start(const LoadPlan& plan, const std::string& folder) {
    int ends[2];
    if (pipe(ends) != 0) return problem("", "no pipe can be made.");
    child_ = fork();
    if (child_ < 0) return problem("", "no process can be started.");
    if (child_ == 0) {
      close(ends[0]);
      Settings settings;
      settings.port = 0;
      settings.folder = folder;
      settings.database = plan.database;
      settings.limit_rates = false;
      // The waits are for people's eyes. Shorter ones leave enough tables with a choice to make whenever an action is due.
      settings.forced_wait = settings.bot_wait = {Milliseconds{100}, Milliseconds{300}};
      spdlog::set_level(spdlog::level::err);
      auto server = Server::open(settings);
      const unsigned short port = server ? (*server)->port() : 0;
      if (write(ends[1], &port, sizeof port) != static_cast<ssize_t>(sizeof port) || !server) _exit(1);
      _exit((*server)->run() ? 0 : 1);
    }
    close(ends[1]);
    const bool told = read(ends[0], &port_, sizeof port_) == static_cast<ssize_t>(sizeof port_) && port_ != 0;
    close(ends[0]);
    if (!told) return problem("", "the server did not start.");
    return {};
  }
  ~ServerChild() {
    if (child_ <= 0) return;
    kill(child_, SIGTERM);
    int status = 0;
    waitpid(child_, &status, 0);
  }

  unsigned short port() const { return port_; }

  long resident_kib() const {
    std::ifstream status("/proc/" + std::to_string(child_) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmRSS:")) return std::atol(line.c_str() + 6);
    }
    return 0;
  }
  double cpu_seconds() const {
    std::ifstream stat("/proc/" + std::to_string(child_) + "/stat");
    std::string line;
    std::getline(stat, line);
    std::istringstream rest(line.substr(line.rfind(')') + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i) rest >> skipped;
    double user = 0, system = 0;
    rest >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

 private:
  pid_t child_ = -1;
  unsigned short port_ = 0;
};

// What the whole machine has worked, in seconds of one core.
double machine_cpu_seconds() {
  std::ifstream stat("/proc/stat");
  std::string word;
  stat >> word;
  double busy = 0, value = 0;
  for (int i = 0; i < 8 && stat >> value; ++i) {
    if (i != 3 && i != 4) busy += value;  // all but idle and waiting for the disk
  }
  return busy / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// What is read at both ends of the measured time.
struct Reading {
  double server = 0, client = 0, machine = 0;
  std::map<std::string, double> figures;

  static Reading now(const ServerChild& server, Poster& poster) {
    Reading reading{server.cpu_seconds(), own_cpu_seconds(), machine_cpu_seconds(), {}};
    std::istringstream lines(poster.get("/metrics"));
    for (std::string line; std::getline(lines, line);) {
      const auto space = line.rfind(' ');
      if (!line.starts_with('#') && space != std::string::npos) reading.figures[line.substr(0, space)] = std::stod(line.substr(space + 1));
    }
    return reading;
  }
};

void fill_in(LoadReport& report, const Reading& before, const Reading& after) {
  report.server_cpu_seconds = after.server - before.server;
  report.client_cpu_seconds = after.client - before.client;
  report.other_cpu_seconds = std::max(0.0, after.machine - before.machine - report.server_cpu_seconds - report.client_cpu_seconds);
  const auto grown = [&](const std::string& name) { return after.figures.at(name) - before.figures.at(name); };
  report.server_actions = std::lround(grown("baton_actions_total"));
  report.bot_actions = std::lround(grown("baton_bot_actions_total"));
  report.commits = std::lround(grown("baton_database_commits_total"));
  report.commit_seconds = grown("baton_database_commit_seconds_total");
  long below = 0;
  const auto add = [&](const std::string& end, double most_ms) {
    const long sum = std::lround(grown("baton_bot_action_seconds_bucket{le=\"" + end + "\"}"));
    report.bot_buckets.push_back({most_ms, sum - below});
    below = sum;
  };
  for (const int end : Histogram::bucket_ends) add(fmt::format("{}", end / 1000.0), end);
  add("+Inf", std::numeric_limits<double>::infinity());
}

void play(Crowd& crowd, const ServerChild& server, unsigned short port) {
  const LoadPlan& plan = crowd.plan;
  Poster poster(port);
  const auto began = Clock::now();
  crowd.from = began + std::chrono::seconds(plan.warm_up_seconds);
  crowd.until = crowd.from + std::chrono::seconds(plan.seconds);
  const auto give_up = crowd.until + std::chrono::seconds(10);
  const auto due_at = [&](std::int64_t n) {
    return began +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(static_cast<double>(n) / plan.actions_per_second));
  };
  std::optional<Reading> before, after;
  asio::steady_timer timer(crowd.context);
  std::int64_t next = 0;
  const auto is_settled = [&] {
    return crowd.due.empty() &&
           std::none_of(crowd.pairs.begin(), crowd.pairs.end(), [](const auto& pair) { return pair->pending.has_value(); });
  };
  std::function<void(error_code)> tick = [&](error_code) {
    const auto now = Clock::now();
    if (!crowd.failure.empty()) return crowd.context.stop();
    if (!before && now >= crowd.from) before = Reading::now(server, poster);
    for (; due_at(next) <= now && due_at(next) < crowd.until; ++next) {
      crowd.due.push_back(due_at(next));
      crowd.serve_due();
      if (!crowd.due.empty() && crowd.counts(crowd.due.back())) ++crowd.report.late;
    }
    if (now >= crowd.until) {
      if (!after) after = Reading::now(server, poster);
      if (is_settled() || now >= give_up) return crowd.context.stop();
      timer.expires_after(std::chrono::milliseconds(20));
    } else {
      timer.expires_at(due_at(next));
    }
    timer.async_wait(tick);
  };
  for (const auto& pair : crowd.pairs) crowd.offer(*pair);
  crowd.context.restart();
  tick({});
  crowd.context.run();
  crowd.report.seconds = plan.seconds;
  if (before && after) fill_in(crowd.report, *before, *after);
  // Whoever still waits has waited at least so long.
  const auto leave_behind = [&](LoadTimes& times, Clock::time_point at, bool answered) {
    if (!crowd.counts(at)) return;
    if (!answered) {
      ++crowd.report.unanswered;
      times.answer.push_back(milliseconds_since(at));
    }
    times.view.push_back(milliseconds_since(at));
  };
  for (const auto& pair : crowd.pairs) {
    if (pair->pending && !pair->pending->seen) leave_behind(crowd.times_of(*pair), pair->pending->due, pair->pending->answered);
  }
  for (const auto at : crowd.due) leave_behind(plan.with_bots < plan.tables ? crowd.report.people : crowd.report.against_bots, at, false);
}

}  // namespace

double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

Expected<LoadReport> run_load(const LoadPlan& plan) {
  const long files = 2L * plan.tables + 200;
  if (const long allowed = allow_open_files(files); allowed < files)
    return problem(
        "--tables",
        fmt::format("{} tables need {} open files, and only {} are allowed; raise the limit with \"ulimit -n {}\" or take fewer tables.",
                    plan.tables, files, allowed, files));
  const bool own_folder = plan.folder.empty();
  const auto folder =
      own_folder ? std::filesystem::temp_directory_path() / ("baton-load-" + std::to_string(getpid())) : std::filesystem::path(plan.folder);
  Crowd crowd(plan);
  {
    ServerChild server;
    if (auto started = server.start(plan, folder.string()); !started) return tl::make_unexpected(started.error());
    try {
      crowd.report.server_kib_before = server.resident_kib();
      seat_everyone(crowd, server.port());
      crowd.report.server_kib_with_tables = server.resident_kib();
      if (crowd.failure.empty()) play(crowd, server, server.port());
      crowd.report.server_kib_after = server.resident_kib();
    } catch (const std::exception& error) {
      crowd.failure = error.what();
    }
  }
  if (own_folder) std::filesystem::remove_all(folder);
  if (!crowd.failure.empty()) return problem("the load", crowd.failure);
  LoadReport& report = crowd.report;
  report.tables = plan.tables;
  report.with_bots = plan.with_bots;
  report.cores = static_cast<int>(std::thread::hardware_concurrency());
  for (LoadTimes* times : {&report.people, &report.against_bots}) {
    std::sort(times->answer.begin(), times->answer.end());
    std::sort(times->view.begin(), times->view.end());
  }
  return std::move(report);
}

}  // namespace baton::table
