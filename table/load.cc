#include "table/load.h"

#include <signal.h>
#include <spdlog/spdlog.h>
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
#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "match/json_reader.h"
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

 private:
  unsigned short port_;
  asio::io_context context_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
};

struct Crowd;

// A person at one seat of one table.
struct Visitor {
  Visitor(asio::io_context& context, Crowd& in) : socket(context), crowd(in) {}

  websocket::stream<beast::tcp_stream> socket;
  Crowd& crowd;
  Visitor* opponent = nullptr;
  std::string seat, table, cookie;
  beast::flat_buffer buffer;
  std::deque<std::string> queue;
  Json actions = Json::array();
  bool over = false;
  std::optional<Clock::time_point> asked;         // own action, not answered yet
  std::optional<Clock::time_point> awaits_view;   // the opponent's action, not seen yet
  int count = 0;

  void read();
  void take(const Json& message);
  void write(std::string text);
  void write_next();
};

struct Crowd {
  asio::io_context context;
  std::vector<std::unique_ptr<Visitor>> visitors;
  LoadReport report;
  std::mt19937 random{1};
  int ready = 0;
  bool measuring = false;
  std::string failure;

  // Somebody who has something to choose, each table in turn.
  std::size_t next_table = 0;
  bool act() {
    const std::size_t tables = visitors.size() / 2;
    for (std::size_t i = 0; i < tables; ++i) {
      const std::size_t t = (next_table + i) % tables;
      for (std::size_t side = 0; side < 2; ++side) {
        Visitor& v = *visitors[2 * t + side];
        if (v.asked || v.actions.empty()) continue;
        const Json action = v.actions[random() % v.actions.size()];
        v.asked = v.opponent->awaits_view = Clock::now();
        v.actions = Json::array();
        v.write(Json{{"type", "act"}, {"id", v.seat + std::to_string(v.count++)}, {"table", v.table}, {"seat", v.seat}, {"action", action}}.dump());
        next_table = t + 1;
        return true;
      }
    }
    return false;
  }
};

void Visitor::read() {
  socket.async_read(buffer, [this](error_code error, std::size_t size) {
    if (error) {
      if (crowd.failure.empty()) crowd.failure = error.message();
      return;
    }
    crowd.report.bytes += static_cast<long>(size);
    const auto bytes = buffer.cdata();
    const auto json = read_json({static_cast<const char*>(bytes.data()), bytes.size()}, "message");
    buffer.consume(buffer.size());
    if (json) take(*json);
    read();
  });
}

void Visitor::take(const Json& message) {
  const std::string type = message.value("type", "");
  if (type == "answer") {
    if (message["id"] == "watch") {
      ++crowd.ready;
    } else if (asked) {
      if (message["ok"] == true) {
        if (crowd.measuring) crowd.report.answer_ms.push_back(milliseconds_since(*asked));
        ++crowd.report.actions;
      } else {
        ++crowd.report.refused;
        opponent->awaits_view.reset();
      }
      asked.reset();
    }
    return;
  }
  if (!message.contains("view") || message["view"].is_null()) return;
  if (awaits_view) {
    if (crowd.measuring) crowd.report.view_ms.push_back(milliseconds_since(*awaits_view));
    awaits_view.reset();
  }
  actions = message["view"]["actions"];
  if (actions.size() == 1) actions = Json::array();  // the server takes it
  if (!over && !message["view"]["result"].is_null()) {
    over = true;
    if (seat == "us") ++crowd.report.games;
  }
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

void seat_everyone(Crowd& crowd, unsigned short port, int tables) {
  Poster poster(port);
  for (int t = 0; t < tables; ++t) {
    const Posted host = poster.post("/api/guest", Json::object(), ""), guest = poster.post("/api/guest", Json::object(), "");
    const Posted table = poster.post("/api/tables", {{"game", "company-commander"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}}}}, host.cookie);
    poster.post("/api/tables/" + table.json["id"].get<std::string>() + "/join", Json::object(), guest.cookie);
    for (const Posted* person : {&host, &guest}) {
      auto visitor = std::make_unique<Visitor>(crowd.context, crowd);
      visitor->seat = person == &host ? "us" : "german";
      visitor->table = table.json["id"];
      visitor->cookie = person->cookie;
      crowd.visitors.push_back(std::move(visitor));
    }
    crowd.visitors[crowd.visitors.size() - 2]->opponent = crowd.visitors.back().get();
    crowd.visitors.back()->opponent = crowd.visitors[crowd.visitors.size() - 2].get();
  }
  for (const auto& visitor : crowd.visitors) {
    beast::get_lowest_layer(visitor->socket).connect({asio::ip::make_address("127.0.0.1"), port});
    beast::get_lowest_layer(visitor->socket).socket().set_option(tcp::no_delay(true));
    visitor->socket.set_option(websocket::stream_base::decorator([&](websocket::request_type& ask) { ask.set(http::field::cookie, visitor->cookie); }));
    visitor->socket.read_message_max(std::size_t{16} << 20);
    visitor->socket.handshake("127.0.0.1:" + std::to_string(port), "/api/socket");
    visitor->read();
    visitor->write(Json{{"type", "watch"}, {"id", "watch"}, {"table", visitor->table}, {"viewer", visitor->seat}}.dump());
  }
}

void play(Crowd& crowd, const LoadPlan& plan) {
  const auto began = Clock::now();
  const auto pause = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / plan.actions_per_second));
  asio::steady_timer timer(crowd.context);
  auto next = began;
  std::function<void(error_code)> tick = [&](error_code) {
    const auto now = Clock::now();
    if (now - began >= std::chrono::seconds(plan.seconds)) return crowd.context.stop();
    // Actions that are late are not made up for in one burst.
    if (now - next > std::chrono::milliseconds(50)) next = now - std::chrono::milliseconds(50);
    while (next <= now) {
      crowd.act();
      next += pause;
    }
    timer.expires_at(next);
    timer.async_wait(tick);
  };
  crowd.measuring = true;
  tick({});
  crowd.context.restart();
  crowd.context.run();
  crowd.report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
}

}  // namespace

double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

Expected<LoadReport> run_load(const LoadPlan& plan) {
  const bool own_folder = plan.folder.empty();
  const auto folder = own_folder ? std::filesystem::temp_directory_path() / ("baton-load-" + std::to_string(getpid())) : std::filesystem::path(plan.folder);
  ServerChild server;
  if (auto started = server.start(plan, folder.string()); !started) return tl::make_unexpected(started.error());
  Crowd crowd;
  try {
    crowd.report.server_kib_before = server.resident_kib();
    seat_everyone(crowd, server.port(), plan.tables);
    while (crowd.ready < static_cast<int>(crowd.visitors.size()) && crowd.failure.empty()) crowd.context.run_one();
    crowd.report.server_kib_with_tables = server.resident_kib();
    const double cpu = server.cpu_seconds();
    if (crowd.failure.empty()) play(crowd, plan);
    crowd.report.server_cpu_seconds = server.cpu_seconds() - cpu;
    crowd.report.server_kib_after = server.resident_kib();
  } catch (const std::exception& error) {
    crowd.failure = error.what();
  }
  if (own_folder) std::filesystem::remove_all(folder);
  if (!crowd.failure.empty()) return problem("the load", crowd.failure);
  crowd.report.tables = plan.tables;
  std::sort(crowd.report.answer_ms.begin(), crowd.report.answer_ms.end());
  std::sort(crowd.report.view_ms.begin(), crowd.report.view_ms.end());
  return std::move(crowd.report);
}

}  // namespace baton::table
