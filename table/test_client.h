// A client of a real server, for tests: HTTP and one WebSocket, each call waits for its answer.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/game.h"

namespace baton::table {

class TestClient {
 public:
  using Headers = std::map<std::string, std::string>;
  struct Answer {
    int status = 0;
    Json json;
    std::string body;
    Headers headers;
  };

  explicit TestClient(unsigned short port);
  ~TestClient();

  Answer get(const std::string& target, const Headers& headers = {}) { return request("GET", target, "", headers); }
  Answer post(const std::string& target, const Json& body, const Headers& headers = {}) {
    return request("POST", target, body.dump(), headers);
  }
  Answer request(const std::string& method, const std::string& target, const std::string& body, const Headers& headers = {});

  const std::string& cookie() const { return cookie_; }
  void set_cookie(const std::string& cookie) { cookie_ = cookie; }

  // The WebSocket. The status is 101 when it stands.
  int connect(const Headers& headers = {});
  void hang_up();
  void send(const Json& json) { send_text(json.dump()); }
  void send_text(const std::string& text);

  // The next message; throws when none comes in time, or the line is broken.
  Json receive(std::chrono::milliseconds time = std::chrono::seconds(20));
  std::optional<Json> receive_if_any(std::chrono::milliseconds time);
  // The next message of this sort.
  Json next(const std::string& type, std::chrono::milliseconds time = std::chrono::seconds(20));

  // Sends a request and waits for its answer; what comes before it stays for receive().
  Json ask(Json request);

  const std::string& everything_received() const { return received_; }

 private:
  std::optional<Json> read(std::chrono::milliseconds time);

  struct Line;
  unsigned short port_;
  std::unique_ptr<Line> line_;
  std::string cookie_;
  std::deque<Json> inbox_;
  std::string received_;
  int last_id_ = 0;
};

}  // namespace baton::table
