// The server is killed at random moments under load. Whatever it had answered is still there when it comes back.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <random>

#include "match/registry.h"
#include "table/test_postgres.h"
#include "table/test_server.h"

namespace baton::table {
namespace {

// A server in a process of its own.
class KillableServer {
 public:
  explicit KillableServer(std::string folder, std::string database = {}) : folder_(std::move(folder)), database_(std::move(database)) {}
  ~KillableServer() {
    if (child_ > 0) kill();
  }

  void start() {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      close(ends[0]);
      Settings settings = TestServer::quick_settings();
      settings.folder = folder_;
      settings.database = database_;
      spdlog::set_level(spdlog::level::err);
      auto server = Server::open(settings);
      if (!server) _exit(3);
      const unsigned short port = (*server)->port();
      if (write(ends[1], &port, sizeof port) != sizeof port) _exit(4);
      _exit((*server)->run() ? 0 : 5);
    }
    close(ends[1]);
    ASSERT_EQ(read(ends[0], &port_, sizeof port_), static_cast<ssize_t>(sizeof port_));
    close(ends[0]);
  }
  void kill() {
    ::kill(child_, SIGKILL);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
  }
  unsigned short port() const { return port_; }

 private:
  std::string folder_, database_;
  pid_t child_ = -1;
  unsigned short port_ = 0;
};

struct Visitor {
  std::string cookie, table;
  std::vector<Json> answered;    // requests that the server said yes to
  std::optional<Json> doubtful;  // sent, but the line broke before the answer
  std::uint64_t chosen = 1;
  int count = 0;
  int games = 0;

  void open_table(TestClient& client) {
    const auto made = client.post(
        "/api/tables", {{"game", "company-commander"},
                        {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "bot"}, {"level", "greedy"}}}}});
    if (made.status != 200) throw std::runtime_error(made.body);
    table = made.json["id"];
    answered.clear();
    ++games;
  }

  // Plays until the line breaks, and counts what it sends.
  void play(unsigned short port, std::atomic<int>& sent) {
    try {
      TestClient client(port);
      client.set_cookie(cookie);
      if (cookie.empty()) {
        client.post("/api/guest", Json::object());
        cookie = client.cookie();
      }
      if (table.empty()) open_table(client);
      client.connect();
      client.ask({{"type", "watch"}, {"table", table}, {"viewer", "us"}});
      Json view = client.next("snapshot")["view"];
      for (;;) {
        if (!view["result"].is_null()) {
          open_table(client);
          client.ask({{"type", "watch"}, {"table", table}, {"viewer", "us"}});
          view = client.next("snapshot")["view"];
          continue;
        }
        if (view["actions"].size() > 1) {
          chosen = chosen * 6364136223846793005u + 1442695040888963407u;
          doubtful = Json{{"type", "act"},
                          {"id", table + "-" + std::to_string(count++)},
                          {"table", table},
                          {"seat", "us"},
                          {"action", view["actions"][(chosen >> 33) % view["actions"].size()]}};
          ++sent;
          const Json answer = client.ask(*doubtful);
          if (answer["ok"] == true) answered.push_back(*doubtful);
          doubtful.reset();
        }
        for (bool fresh = false; !fresh;) {
          const Json message = client.receive();
          fresh = message.contains("view");
          if (fresh) view = message["view"];
        }
      }
    } catch (const std::exception&) {
    }
  }

  // After the restart: nothing that was answered is done a second time, so all of it is there.
  void check(unsigned short port) {
    if (table.empty()) return;
    TestClient client(port);
    client.set_cookie(cookie);
    ASSERT_EQ(client.connect(), 101) << "the session is gone";
    // The server counts requests that it knows as done. Nobody plays meanwhile, so the difference is ours alone.
    const auto known_requests = [&] {
      const std::string figures = client.get("/metrics").body, name = "\nbaton_requests_repeated_total ";
      return std::atol(figures.c_str() + figures.find(name) + name.size());
    };
    const long before = known_requests();
    for (const Json& request : answered) {
      const Json answer = client.ask(request);
      ASSERT_EQ(answer["ok"], true) << answer << " lost: " << request;
    }
    ASSERT_EQ(known_requests() - before, static_cast<long>(answered.size())) << "something that was answered was done a second time";
    int own_steps = 0;
    const auto replay = client.get("/api/tables/" + table + "/replay?viewer=us");
    for (const Json& frame : replay.json["frames"]) own_steps += frame.contains("do") ? 1 : 0;
    ASSERT_GE(own_steps, static_cast<int>(answered.size()));
    if (doubtful) {
      client.ask(*doubtful);  // sent once more after the broken line: done now, or done already
      const Json again = client.ask(*doubtful);
      if (again["ok"] == true) answered.push_back(*doubtful);
      doubtful.reset();
    }
  }
};

void kill_and_come_back(const std::string& database, int kills) {
  const auto folder = std::filesystem::temp_directory_path() / ("baton-kill-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  KillableServer server(folder.string(), database);
  std::vector<Visitor> visitors(3);
  for (std::size_t i = 0; i < visitors.size(); ++i) visitors[i].chosen = 11 * i + 1;
  std::mt19937 random(4711);
  int answered = 0;
  for (int round = 0; round < kills && !testing::Test::HasFatalFailure(); ++round) {
    server.start();
    if (round > 0) {
      for (Visitor& visitor : visitors) visitor.check(server.port());
      if (testing::Test::HasFatalFailure()) break;
    }
    std::vector<std::thread> threads;
    std::atomic<int> sent = 0;
    for (Visitor& visitor : visitors) threads.emplace_back([&visitor, &sent, port = server.port()] { visitor.play(port, sent); });
    // Some actions later, and a moment more: at any point of storing and answering, however fast the machine is.
    const int enough = std::uniform_int_distribution<int>(1, 40)(random);
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (sent < enough && std::chrono::steady_clock::now() < patience) std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(0, 5000)(random)));
    server.kill();
    for (std::thread& thread : threads) thread.join();
  }
  for (const Visitor& visitor : visitors) answered += visitor.count;
  EXPECT_GT(answered, kills);
  testing::Test::RecordProperty("kills", kills);
  testing::Test::RecordProperty("actions", answered);
  std::printf("%d kills, %d actions\n", kills, answered);
  std::filesystem::remove_all(folder);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr int enough_kills = 25;  // a loaded machine took 3 s for each
#else
constexpr int enough_kills = 100;
#endif

TEST(Durability, NothingAnsweredIsLostWhenTheServerIsKilled) {
  const char* wanted = std::getenv("BATON_KILLS");  // ./test --long asks for more
  kill_and_come_back({}, wanted != nullptr ? std::atoi(wanted) : enough_kills);
}

TEST(Durability, TheSameOnPostgreSql) { kill_and_come_back(TestPostgres::shared().url("durability"), 15); }

}  // namespace
}  // namespace baton::table
