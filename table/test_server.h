// A whole server in the test's own program, on a port and in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "table/server.h"
#include "table/test_client.h"

namespace baton::table {

class TestServer {
 public:
  // Waits are short, so that whole games pass quickly.
  static Settings quick_settings() {
    Settings settings;
    settings.port = 0;
    settings.forced_wait = {Milliseconds{0}, Milliseconds{3}};
    settings.bot_wait = {Milliseconds{0}, Milliseconds{0}};
    settings.least_turn_seconds = 1;
    settings.limit_rates = false;
    return settings;
  }

  explicit TestServer(Settings settings = quick_settings()) : settings_(std::move(settings)) {
    spdlog::set_level(spdlog::level::warn);
    if (settings_.folder == Settings{}.folder) {
      static int count = 0;
      folder_ = std::filesystem::temp_directory_path() / ("baton-table-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
      settings_.folder = folder_.string();
    }
    start();
  }
  ~TestServer() {
    stop();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  void start() {
    auto server = Server::open(settings_);
    if (!server) throw std::runtime_error(server.error().text());
    server_ = std::move(*server);
    thread_ = std::thread([this] {
      const auto ended = server_->run();
      EXPECT_TRUE(ended) << ended.error().text();
    });
  }
  void stop() {
    if (!server_) return;
    server_->stop();
    thread_.join();
    server_.reset();
  }
  void restart() {
    stop();
    start();
  }

  unsigned short port() const { return server_->port(); }

  // A guest with a socket.
  std::unique_ptr<TestClient> guest(const std::string& name = "Ada") {
    auto client = std::make_unique<TestClient>(port());
    EXPECT_EQ(client->post("/api/guest", {{"name", name}}).status, 200);
    EXPECT_EQ(client->connect(), 101);
    return client;
  }

 private:
  Settings settings_;
  std::filesystem::path folder_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

// What a client keeps of a table: the snapshot with all updates put onto it.
struct Eyes {
  Json snapshot;

  void take(const Json& message) {
    if (message["type"] == "snapshot") {
      snapshot = message;
      return;
    }
    if (message["type"] != "update") return;
    EXPECT_EQ(message["version"].get<int>(), snapshot["version"].get<int>() + 1);
    for (const auto& [key, value] : message.items()) {
      if (key == "log" || key == "log_from") continue;
      if (key == "chat") {
        for (const Json& line : value) snapshot["chat"].push_back(line);
      } else {
        snapshot[key] = value;
      }
    }
    if (message.contains("log")) {
      Json::array_t log = snapshot["log"];
      log.resize(message["log_from"].get<std::size_t>());
      for (const Json& event : message["log"]) log.push_back(event);
      snapshot["log"] = log;
    }
  }
  bool over() const { return snapshot["summary"]["status"] == "over"; }
  const Json& actions() const { return snapshot["view"]["actions"]; }

  // Watches the table until the seat has something to choose, at this step when one is named. Either side may begin; whatever comes before
  // is taken as it is.
  void await_choice(TestClient& client, const std::string& table, const std::string& seat, const std::string& step = {}) {
    ASSERT_EQ(client.ask({{"type", "watch"}, {"table", table}, {"viewer", seat}})["ok"], true);
    take(client.next("snapshot"));
    while (actions().size() < 2 || (!step.empty() && snapshot["view"]["state"]["step"] != step)) {
      if (actions().size() > 1) {
        ASSERT_EQ(client.ask({{"type", "act"}, {"table", table}, {"seat", seat}, {"action", actions()[0]}})["ok"], true);
        take(client.next("update"));
      } else {
        take(client.receive());
      }
    }
  }
};

}  // namespace baton::table
