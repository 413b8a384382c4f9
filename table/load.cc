#include "table/load.h"

#include <fmt/format.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "match/json_reader.h"
#include "table/figures.h"
#include "table/server.h"

namespace baton::table {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point then) { return std::chrono::duration<double, std::milli>(Clock::now() - then).count(); }

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

// One POST, with the cookie it gives.
struct Posted {
  Json json;
  std::string cookie;
};

class Poster {
 public:
  explicit Poster(unsigned short port) : port_(port), stream_(context_) { stream_.connect({asio::ip::make_address("127.0.0.1"), port}); }

  Posted post(const std::string& target, const Json& body, const std::string& cookie) {
    http::request<http::string_body> ask{http::verb::post, target, 11};
    ask.set(http::field::host, "127.0.0.1:" + std::to_string(port_));
    ask.set(http::field::content_type, "application/json");
    if (!cookie.empty()) ask.set(http::field::cookie, cookie);
    ask.body() = body.dump();
    ask.prepare_payload();
    http::write(stream_, ask);
    http::response<http::string_body> answer;
    http::read(stream_, buffer_, answer);
    if (answer.result_int() != 200) throw std::runtime_error(target + ": " + answer.body());
    const std::string given(answer[http::field::set_cookie]);
    return {Json::parse(answer.body()), given.substr(0, given.find(';'))};
  }

  std::string get(const std::string& target) {
    http::request<http::empty_body> ask{http::verb::get, target, 11};
    ask.set(http::field::host, "127.0.0.1:" + std::to_string(port_));
    http::write(stream_, ask);
    http::response<http::string_body> answer;
    http::read(stream_, buffer_, answer);
    if (answer.result_int() != 200) throw std::runtime_error(target + ": " + answer.body());
    return answer.body();
  }

 private:
  unsigned short port_;
  asio::io_context context_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
};

// The text of the list under a key of a view, without reading the rest: a client that costs as much as the server would measure itself.
std::string list_under(std::string_view text, std::string_view key) {
  const auto found = text.find(key);
  if (found == std::string_view::npos) return "[]";
  const auto begin = found + key.size();
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return std::string(text.substr(begin, i + 1 - begin));
    }
  }
  return "[]";
}

struct Crowd;
struct Pair;

// A person at one seat of one table.
struct Visitor {
  Visitor(asio::io_context& context, Crowd& in, Pair& at) : socket(context), crowd(in), pair(at) {}

  websocket::stream<beast::tcp_stream> socket;
  Crowd& crowd;
  Pair& pair;
  std::string seat, cookie;
  beast::flat_buffer buffer;
  std::deque<std::string> queue;
  std::string actions = "[]";
  bool has_choice = false;

  void read();
  void take(std::string_view text);
  void write(std::string text);
  void write_next();
};

// One table, and the one action that is under way there.
struct Pair {
  std::string table;
  std::vector<std::unique_ptr<Visitor>> people;  // the second plays against the first; with one, a computer does
  bool over = false, queued = false;
  int count = 0;

  struct Pending {
    Clock::time_point due;
    Visitor* actor;
    Visitor* seer;  // whose view is waited for
    bool answered = false, seen = false, asked_for_end = false;
  };
  std::optional<Pending> pending;

  bool against_bot() const { return people.size() == 1; }
};

struct Crowd {
  explicit Crowd(const LoadPlan& of) : plan(of) {}

  const LoadPlan& plan;
  asio::io_context context;
  std::vector<std::unique_ptr<Pair>> pairs;
  LoadReport report;
  std::mt19937 random{1};
  int ready_watches = 0, watches = 0;
  std::string failure;

  Clock::time_point from = Clock::time_point::max(), until = Clock::time_point::max();  // what is due between them counts
  std::deque<Clock::time_point> due;
  std::deque<Pair*> ready;  // in turn

  bool counts(Clock::time_point at) const { return at >= from && at < until; }
  LoadTimes& times_of(const Pair& pair) { return pair.against_bot() ? report.against_bots : report.people; }

  void offer(Pair& pair) {
    if (pair.queued || pair.pending || pair.over) return;
    if (std::none_of(pair.people.begin(), pair.people.end(), [](const auto& v) { return v->has_choice; })) return;
    pair.queued = true;
    ready.push_back(&pair);
  }

  void serve_due() {
    while (!due.empty() && !ready.empty()) {
      Pair& pair = *ready.front();
      ready.pop_front();
      pair.queued = false;
      const auto actor = std::find_if(pair.people.begin(), pair.people.end(), [](const auto& v) { return v->has_choice; });
      if (pair.pending || pair.over || actor == pair.people.end()) continue;
      act(pair, **actor, due.front());
      due.pop_front();
    }
  }

  void act(Pair& pair, Visitor& actor, Clock::time_point at) {
    const Json actions = Json::parse(actor.actions);
    Visitor* seer = &actor;
    for (const auto& visitor : pair.people) {
      if (visitor.get() != &actor) seer = visitor.get();
    }
    pair.pending = Pair::Pending{at, &actor, seer};
    actor.has_choice = false;
    actor.write(Json{{"type", "act"},
                     {"id", actor.seat + std::to_string(pair.count++)},
                     {"table", pair.table},
                     {"seat", actor.seat},
                     {"action", actions[random() % actions.size()]}}
                    .dump());
  }

  void answered(Pair& pair, bool ok) {
    if (!pair.pending || pair.pending->answered) return;
    Pair::Pending& p = *pair.pending;
    p.answered = true;
    if (!ok) {  // the table moved on by itself between the view and the action
      if (counts(p.due)) ++report.refused;
      pair.pending.reset();
      return offer(pair);
    }
    if (counts(p.due)) {
      ++report.actions;
      times_of(pair).answer.push_back(milliseconds_since(p.due));
    }
    if (p.seen) return finish(pair);
    // Not every action shows to the opponent. What the server sends on one line keeps its order, so an answer to a later question on the
    // seer's line proves that no view is to come; it is asked only when the view is not there after a while.
    auto timer = std::make_shared<asio::steady_timer>(context, std::chrono::milliseconds(50));
    timer->async_wait([this, timer, &pair, due_at = p.due](error_code) {
      if (!pair.pending || pair.pending->due != due_at || pair.pending->seen) return;
      pair.pending->asked_for_end = true;
      pair.pending->seer->write(R"({"type":"ping","id":"end"})");
    });
  }

  void seen(Pair& pair, const Visitor& by) {
    if (!pair.pending || pair.pending->seer != &by || pair.pending->seen) return;
    Pair::Pending& p = *pair.pending;
    p.seen = true;
    if (counts(p.due)) times_of(pair).view.push_back(milliseconds_since(p.due));
    if (p.answered) finish(pair);
  }

  void nothing_to_see(Pair& pair) {
    if (!pair.pending || !pair.pending->asked_for_end) return;
    if (counts(pair.pending->due)) ++times_of(pair).unseen;
    finish(pair);
  }

  void finish(Pair& pair) {
    pair.pending.reset();
    offer(pair);
    serve_due();
  }
};

void Visitor::read() {
  socket.async_read(buffer, [this](error_code error, std::size_t size) {
    if (error) {
      if (crowd.failure.empty()) crowd.failure = "a line broke: " + error.message();
      return;
    }
    if (Clock::now() >= crowd.from) crowd.report.bytes += static_cast<long>(size);
    const auto bytes = buffer.cdata();
    take({static_cast<const char*>(bytes.data()), bytes.size()});
    buffer.consume(buffer.size());
    read();
  });
}

void Visitor::take(std::string_view text) {
  if (text.starts_with(R"({"type":"answer")")) {
    const auto json = read_json(text, "message");
    if (!json) return;
    const bool ok = (*json)["ok"] == true;
    if ((*json)["id"] == "watch") {
      if (!ok && crowd.failure.empty()) crowd.failure = std::string(text);
      ++crowd.ready_watches;
    } else if ((*json)["id"] == "end") {
      crowd.nothing_to_see(pair);
    } else {
      crowd.answered(pair, ok);
    }
    return;
  }
  const auto view = text.find(R"("view":{)");
  if (view == std::string_view::npos) return;
  const std::string_view rest = text.substr(view);
  actions = list_under(rest, R"("actions":)");
  // A single choice is taken by the server itself.
  has_choice = actions.find("},{") != std::string::npos;
  if (!pair.over && rest.find(R"("result":{)") != std::string_view::npos) {
    pair.over = true;
    ++crowd.report.games_ended;
  }
  crowd.seen(pair, *this);
  crowd.offer(pair);
  crowd.serve_due();
}

void Visitor::write(std::string text) {
  queue.push_back(std::move(text));
  if (queue.size() == 1) write_next();
}

void Visitor::write_next() {
  socket.async_write(asio::buffer(queue.front()), [this](error_code error, std::size_t) {
    if (error) return;
    queue.pop_front();
    if (!queue.empty()) write_next();
  });
}

// The two seats of the game's standard scenario.
std::vector<std::string> seats_of(Poster& poster, const std::string& game) {
  const Json games = Json::parse(poster.get("/api/games"));
  for (const Json& one : games["games"]) {
    if (one["id"] != game) continue;
    for (const Json& scenario : one["scenarios"]) {
      if (scenario["id"] != one["standard_scenario"]) continue;
      std::vector<std::string> seats;
      for (const Json& seat : scenario["seats"]) seats.push_back(seat["id"]);
      if (seats.size() == 2) return seats;
    }
  }
  throw std::runtime_error("the standard scenario of " + game + " is not for two.");
}

void seat_everyone(Crowd& crowd, unsigned short port) {
  const LoadPlan& plan = crowd.plan;
  const auto seats = [&] {
    Poster poster(port);
    return seats_of(poster, plan.game);
  }();
  for (int i = 0; i < plan.tables; ++i) crowd.pairs.push_back(std::make_unique<Pair>());
  // Several at once, so that they share the syncs of the disk.
  constexpr int ushers = 16;
  std::vector<std::future<void>> all;
  for (int usher = 0; usher < ushers; ++usher) {
    all.push_back(std::async(std::launch::async, [&, usher] {
      Poster poster(port);
      for (int i = usher; i < plan.tables; i += ushers) {
        Pair& pair = *crowd.pairs[static_cast<std::size_t>(i)];
        // Tables of both kinds take turns.
        const bool against_bot =
            static_cast<std::int64_t>(i + 1) * plan.with_bots / plan.tables > static_cast<std::int64_t>(i) * plan.with_bots / plan.tables;
        Json places = {{{"seat", seats[0]}, {"kind", "me"}}};
        if (against_bot) places.push_back({{"seat", seats[1]}, {"kind", "bot"}, {"level", plan.level}});
        for (std::size_t p = 0; p < (against_bot ? 1 : 2); ++p) {
          auto visitor = std::make_unique<Visitor>(crowd.context, crowd, pair);
          visitor->seat = seats[p];
          visitor->cookie = poster.post("/api/guest", Json::object(), "").cookie;
          pair.people.push_back(std::move(visitor));
        }
        pair.table = poster.post("/api/tables", {{"game", plan.game}, {"seats", places}}, pair.people[0]->cookie).json["id"];
        if (!against_bot) poster.post("/api/tables/" + pair.table + "/join", Json::object(), pair.people[1]->cookie);
      }
    }));
  }
  for (auto& one : all) one.get();
  for (const auto& pair : crowd.pairs) {
    for (const auto& visitor : pair->people) {
      beast::get_lowest_layer(visitor->socket).connect({asio::ip::make_address("127.0.0.1"), port});
      beast::get_lowest_layer(visitor->socket).socket().set_option(tcp::no_delay(true));
      visitor->socket.set_option(
          websocket::stream_base::decorator([&](websocket::request_type& ask) { ask.set(http::field::cookie, visitor->cookie); }));
      visitor->socket.read_message_max(std::size_t{16} << 20);
      visitor->socket.handshake("127.0.0.1:" + std::to_string(port), "/api/socket");
      visitor->read();
      visitor->write(Json{{"type", "watch"}, {"id", "watch"}, {"table", pair->table}, {"viewer", visitor->seat}}.dump());
      ++crowd.watches;
      crowd.context.poll();  // the server pings, and computer players do not wait for the others to arrive
    }
  }
  while (crowd.ready_watches < crowd.watches && crowd.failure.empty()) crowd.context.run_one();
}

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
