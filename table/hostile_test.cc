// Clients that mean no good, or are broken: nothing falls over, and nobody else notices.
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

#include "table/json_fields.h"
#include "table/test_postgres.h"
#include "table/test_server.h"

namespace baton::table {
namespace {

int line_to(unsigned short port) {
  const int line = socket(AF_INET, SOCK_STREAM, 0);
  timeval patience{5, 0};
  setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (connect(line, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) throw std::runtime_error("cannot connect");
  return line;
}

// Bytes on the line, and what comes back until it is closed.
std::string raw(unsigned short port, const std::string& bytes, bool finish = true) {
  const int line = line_to(port);
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t size = send(line, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (size <= 0) break;
    sent += static_cast<std::size_t>(size);
  }
  if (finish) shutdown(line, SHUT_WR);
  std::string answer;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 0; (size = recv(line, buffer.data(), buffer.size(), 0)) > 0;)
    answer.append(buffer.data(), static_cast<std::size_t>(size));
  close(line);
  return answer;
}

Json solo() {
  return {{"game", "company-commander"},
          {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "bot"}, {"level", "greedy"}}}}};
}

// On both databases: what one of them lets pass may end the other.
Settings settings_on(const std::string& database) {
  Settings settings = TestServer::quick_settings();
  static int count = 0;
  if (database == "postgresql") settings.database = TestPostgres::shared().url("hostile" + std::to_string(count++));
  return settings;
}

class HostileTest : public testing::TestWithParam<std::string> {
 protected:
  HostileTest() : server_(settings_on(GetParam())), innocent_(server_.guest("Ada")) {
    table_ = innocent_->post("/api/tables", solo()).json["id"];
    innocent_->ask({{"type", "watch"}, {"table", table_}});
    innocent_->next("snapshot");
  }
  // Somebody else's game goes on as if nothing had happened.
  ~HostileTest() override {
    Eyes eyes;
    eyes.await_choice(*innocent_, table_, "us");
    EXPECT_EQ(innocent_->ask({{"type", "act"}, {"table", table_}, {"seat", "us"}, {"action", eyes.actions()[0]}})["ok"], true);
    EXPECT_EQ(innocent_->get("/healthz").body, "ok\n");
  }
  TestServer server_;
  std::unique_ptr<TestClient> innocent_;
  std::string table_;
};

TEST_P(HostileTest, MalformedHttp) {
  const unsigned short port = server_.port();
  for (const std::string& bytes :
       {std::string("\0\0\0\0", 4), std::string("GET"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("POST /api/guest HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), std::string("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n"), std::string("GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("POST /api/guest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"), std::string(200'000, 'A')}) {
    const std::string answer = raw(port, bytes);
    EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 4")) << answer.substr(0, 100);
  }
  EXPECT_THAT(raw(port, "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'a') + "\r\n\r\n"), testing::HasSubstr("431"));
  EXPECT_THAT(raw(port, "POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n"), testing::HasSubstr("413"));
}

TEST_P(HostileTest, BodiesThatAreNotWhatIsExpected) {
  TestClient client(server_.port());
  const TestClient::Headers json = {{"Content-Type", "application/json"}};
  for (const char* body : {"", "{", "[]", "null", "1e999", "\"x\"", "{\"name\":5}", "{\"name\":\"\\u0000\"}", "{\"unknown\":1}",
                           "{\"name\":\"\xff\xfe\"}", "{\"name\":\"\\ud800\"}"}) {
    const auto answer = client.request("POST", "/api/guest", body, json);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_TRUE(answer.json["error"].contains("message")) << answer.body;
  }
  EXPECT_EQ(client.request("POST", "/api/guest", std::string(5000, '['), json).status, 400);
  EXPECT_EQ(client.request("POST", "/api/guest", "{}", {{"Content-Type", "text/plain"}}).status, 415);
  EXPECT_EQ(client.request("PUT", "/api/guest", "{}", json).status, 405);
  EXPECT_EQ(client.request("POST", "/api/guest", "{\"name\":\"" + std::string(70'000, 'x') + "\"}", json).status, 413);
  client.post("/api/guest", Json::object());
  for (const Json& table : {Json{{"game", "chess"}}, Json{{"game", "company-commander"}, {"scenario", "../../../etc/passwd"}},
                            Json{{"game", "company-commander"}, {"scenario_text", "a = ["}},
                            Json{{"game", "company-commander"}, {"options", {{"max_rounds", "many"}}}},
                            Json{{"game", "company-commander"}, {"options", {{"nonsense", 1}}}},
                            Json{{"game", "company-commander"}, {"seats", {{{"seat", "french"}, {"kind", "me"}}}}},
                            Json{{"game", "company-commander"}, {"seats", {{{"seat", "us"}, {"kind", "king"}}}}},
                            Json{{"game", "company-commander"}, {"seats", {{{"seat", "us"}, {"kind", "bot"}, {"level", "exec:rm"}}}}},
                            Json{{"game", "company-commander"}, {"pace", {{"kind", "live"}, {"minutes", -1}}}},
                            Json{{"game", "company-commander"}, {"title", std::string(81, 't')}}}) {
    const auto answer = client.post("/api/tables", table);
    EXPECT_EQ(answer.status, 400) << table << answer.body;
  }
  for (const char* record : {"", "x", "{}\n", "{\"format\":\"baton-record\",\"version\":1}\n"}) {
    EXPECT_EQ(client.post("/api/tables/open", {{"record", record}}).json["error"]["code"], "bad-record") << record;
  }
  for (const char* path : {"/api", "/api/", "/api/tables/x", "/api/tables//record", "/api/text/chess/en", "/api/text/house/xx",
                           "/api/sheet/company-commander/..", "/api/tables/x/y/z"}) {
    EXPECT_EQ(client.get(path).status, 404) << path;
  }
}

TEST_P(HostileTest, FramesThatAreNotWhatIsExpected) {
  const auto client = server_.guest("Mallory");
  for (const char* text : {"", "{", "[]", "5", "{\"type\":\"act\"}", "{\"type\":\"nonsense\",\"id\":\"1\"}",
                           "{\"type\":\"act\",\"id\":\"<script>\"}", "{\"type\":[],\"id\":{}}"}) {
    client->send_text(text);
    EXPECT_EQ(client->next("answer")["ok"], false) << text;
  }
  const Json good = {{"do", "done"}};
  for (const Json& request :
       {Json{{"type", "watch"}, {"table", "nowhere"}}, Json{{"type", "watch"}, {"table", table_}, {"viewer", 5}},
        Json{{"type", "act"}, {"table", table_}, {"seat", "us"}, {"action", good}},
        Json{{"type", "act"}, {"table", table_}, {"seat", "us"}},
        Json{{"type", "act"}, {"table", table_}, {"seat", "us"}, {"action", {{"do", {1, 2}}}}},
        Json{{"type", "undo"}, {"table", table_}, {"seat", "spectator"}}, Json{{"type", "chat"}, {"table", table_}, {"text", ""}},
        Json{{"type", "orders"}, {"table", table_}, {"seat", "us"}, {"orders", 1}},
        Json{{"type", "hint"}, {"table", table_}, {"seat", "us"}, {"level", "general"}},
        Json{{"type", "undo-answer"}, {"table", table_}, {"seat", "us"}, {"agree", "yes"}}}) {
    EXPECT_EQ(client->ask(request)["ok"], false) << request;
  }
}

TEST_P(HostileTest, TooManyMalformedFramesEndTheLine) {
  const auto client = server_.guest("Mallory");
  EXPECT_THROW(
      {
        for (int i = 0; i < 200; ++i) {
          client->send_text("{");
          client->receive();
        }
      },
      std::exception);
}

TEST_P(HostileTest, AHugeFrameEndsTheLine) {
  const auto client = server_.guest("Mallory");
  // The server may hang up while the frame is still being written, or once it is there.
  EXPECT_THROW(
      {
        client->send_text(std::string(100'000, 'x'));
        client->receive();
      },
      std::exception);
}

TEST_P(HostileTest, ForgedAndForeignCookies) {
  TestClient client(server_.port());
  for (const std::string& cookie : {std::string("baton_session=forged"), std::string("baton_session="),
                                    "baton_session=" + std::string(5000, 'x'), std::string("; ; =;baton_session")}) {
    client.set_cookie(cookie);
    EXPECT_TRUE(client.get("/api/me").json["account"].is_null());
    EXPECT_EQ(client.connect(), 401);
    EXPECT_EQ(client.request("POST", "/api/tables", solo().dump()).status, 401);
  }
}

TEST_P(HostileTest, AClientThatNeverReadsIsLetGo) {
  const auto deaf = server_.guest("Mallory");
  deaf->ask({{"type", "watch"}, {"table", table_}});
  // Each snapshot is some ten thousand bytes; nobody takes them from the line.
  try {
    for (int i = 0; i < 4000; ++i) deaf->send({{"type", "watch"}, {"id", "w" + std::to_string(i)}, {"table", table_}});
  } catch (const std::exception&) {
  }
  const auto figures = innocent_->get("/metrics").body;
  EXPECT_THAT(figures, testing::HasSubstr("baton_sockets"));
}

// Ids that no table can have, and that a database may not even be asked for.
TEST_P(HostileTest, IdsThatAreNone) {
  const auto client = server_.guest("Mallory");
  for (const char* id : {"%ED%A0%80",
                         "%ED%BF%BF",
                         "%C0%80",
                         "%C1%BF",
                         "%E0%80%80",
                         "%E0%9F%BF",
                         "%F0%80%80%80",
                         "%F0%8F%BF%BF",
                         "%F4%90%80%80",
                         "%F5%80%80%80",
                         "%FF",
                         "%80",
                         "%E2%82",
                         "%00",
                         "a%00",
                         "%F4%8F%BF%BF",
                         "%27%3B%20drop%20table%20account",
                         "%EF%BF%BE",
                         "x.y",
                         "a%20b"}) {
    for (const std::string& path : {std::string("/api/tables/") + id, std::string("/api/tables/") + id + "/record",
                                    std::string("/api/text/house/en?table=") + id, std::string("/api/tables/") + table_ + "?key=" + id,
                                    std::string("/api/tables/") + table_ + "/replay?viewer=" + id, std::string("/") + id}) {
      TestClient plain(server_.port());  // a malformed address ends the line
      const auto answer = plain.get(path);
      EXPECT_TRUE(answer.status == 400 || answer.status == 403 || answer.status == 404 ||
                  (answer.status == 200 && path.find("?key=") != std::string::npos))
          << path << answer.status << answer.body;
    }
  }
  for (const Json& id : {Json("\x00"), Json("a\x00b"), Json(table_ + std::string("\0x", 2)), Json("\xed\x9f\xbf"), Json("\xf4\x8f\xbf\xbf"),
                         Json("'; drop table account"), Json(std::string(60, 'x')), Json("")}) {
    for (const char* type : {"watch", "unwatch", "act", "chat"}) {
      const Json answer = client->ask({{"type", type}, {"table", id}, {"seat", "us"}, {"action", {{"do", "done"}}}, {"text", "x"}});
      EXPECT_TRUE(answer["ok"] == false || std::string(type) == "unwatch") << answer;
    }
  }
  client->send_text(R"({"type":"watch","id":"1","table":"\ud800"})");
  EXPECT_EQ(client->next("answer")["ok"], false);
  for (const std::string& token :
       {std::string("\xed\xa0\x80"), std::string("a\xc0\x80"), std::string("'; drop table login"), std::string("%00")}) {
    TestClient forger(server_.port());
    forger.set_cookie("baton_session=" + token);
    EXPECT_TRUE(forger.get("/api/me").json["account"].is_null());
  }
  TestClient visitor(server_.port());
  for (const char* token : {"", "x y", "'; drop table link", "\xc3\xa4"}) {
    EXPECT_EQ(visitor.post("/api/confirm", {{"token", token}}).json["error"]["code"], "bad-link") << token;
    EXPECT_EQ(visitor.post("/api/reset", {{"token", token}, {"password", "some password"}}).json["error"]["code"], "bad-link") << token;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, HostileTest, testing::Values("sqlite", "postgresql"), [](const auto& one) { return one.param; });

TEST(Hostile, OnlyCharactersAreText) {
  for (const char* text :
       {"\xed\xa0\x80", "\xed\xbf\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\x80", "\xe2\x82", "a\xe2", "\xe2(\xa1", "\x01", "\x7f"}) {
    EXPECT_EQ(characters_of(text), std::nullopt) << text;
  }
  EXPECT_EQ(characters_of("a\n\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"), 10u)
      << "the first and the last of each length";
}

// The innocent's time for one request, in milliseconds.
double time_of_a_request(TestClient& client) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(client.get("/healthz").body, "ok\n");
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

// Slow clients send a byte now and then, or nothing any more, and keep their line for as long as they are let.
TEST(Hostile, SlowClientsAreCutOffAndNobodyElseWaits) {
  Settings settings = TestServer::quick_settings();
  settings.request_time = Milliseconds{1500};
  settings.socket_idle_time = Milliseconds{1000};
  TestServer server(settings);
  TestClient innocent(server.port());
  const auto mallory = server.guest("Mallory");
  const std::string socket_request =
      "GET /api/socket HTTP/1.1\r\nHost: x\r\nCookie: " + mallory->cookie() +
      "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
  struct Slow {
    std::string at_once, drip;
    int line = -1;
  };
  std::vector<Slow> slow = {
      {"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", std::string(10'000, 'a')},  // a header byte by byte
      {"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n",
       "{" + std::string(4000, ' ')},  // a body byte by byte
      {"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n",
       ""},  // a body that never comes
      {"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
       "1\r\n \r\n1\r\n \r\n"},                               // chunks that never end
      {"", ""},                                               // nothing at all
      {socket_request + std::string("\x81\xfe\x10", 3), ""},  // the beginning of a frame
  };
  const auto began = std::chrono::steady_clock::now();
  for (Slow& one : slow) one.line = line_to(server.port());
  for (const Slow& one : slow) {
    ASSERT_EQ(send(one.line, one.at_once.data(), one.at_once.size(), MSG_NOSIGNAL), static_cast<ssize_t>(one.at_once.size()));
  }
  std::size_t open = slow.size(), dripped = 0;
  double seconds = 0;
  std::vector<double> waits;
  while (open > 0 && seconds < 20) {
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    for (Slow& one : slow) {
      if (one.line < 0) continue;
      std::array<char, 4096> bytes{};
      const ssize_t size = recv(one.line, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (size == 0 || (size < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) {
        close(one.line);
        one.line = -1;
        --open;
        EXPECT_GT(seconds, 0.5) << "slow is not malformed: " << one.at_once;
      } else if (dripped < one.drip.size()) {
        send(one.line, &one.drip[dripped], 1, MSG_NOSIGNAL);
      }
    }
    ++dripped;
    waits.push_back(time_of_a_request(innocent));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (const Slow& one : slow) {
    EXPECT_LT(one.line, 0) << "still there: " << one.at_once;
    if (one.line >= 0) close(one.line);
  }
  // One long wait alone may be the machine's own doing.
  std::sort(waits.begin(), waits.end());
  EXPECT_LT(waits[waits.size() * 9 / 10], 500) << "somebody else waited";
}

// The line stays open for what is still on its way, so that the refusal is heard.
TEST(Hostile, WhoSendsTooMuchMaySendItAndIsTold) {
  TestServer server;
  const int line = line_to(server.port());
  const std::string head = "POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n",
                    part(10'000, 'x');
  ASSERT_EQ(send(line, head.data(), head.size(), MSG_NOSIGNAL), static_cast<ssize_t>(head.size()));
  for (int i = 0; i < 9; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(send(line, part.data(), part.size(), MSG_NOSIGNAL), static_cast<ssize_t>(part.size()))
        << "hung up on after " << i << " parts";
  }
  std::array<char, 64> answer{};
  EXPECT_GT(recv(line, answer.data(), answer.size() - 1, 0), 0);
  EXPECT_THAT(answer.data(), testing::HasSubstr("413"));
  close(line);
}

TEST(Hostile, WhoTalksTooMuchIsSlowedDownAlone) {
  Settings settings = TestServer::quick_settings();
  settings.limit_rates = true;
  TestServer server(settings);
  const auto talker = server.guest("Mallory"), other = server.guest("Berta");
  const std::string table =
      talker->post("/api/tables", {{"game", "company-commander"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}}}}).json["id"];
  ASSERT_EQ(other->post("/api/tables/" + table + "/join", Json::object()).status, 200);
  const auto began = std::chrono::steady_clock::now();
  int said = 0;
  Json refusal;
  for (int i = 0; i < 40; ++i)
    talker->send({{"type", "chat"}, {"id", "c" + std::to_string(i)}, {"table", table}, {"text", "line " + std::to_string(i)}});
  for (int i = 0; i < 40; ++i) {
    const Json answer = talker->next("answer");
    if (answer["ok"] == true)
      ++said;
    else
      refusal = answer["error"];
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  EXPECT_GE(said, 10) << "a burst of ten is talk";
  EXPECT_LE(said, 10 + static_cast<int>(seconds) + 1) << "then one a second";
  EXPECT_EQ(refusal["code"], "too-many");
  EXPECT_EQ(other->ask({{"type", "chat"}, {"table", table}, {"text", "my turn"}})["ok"], true) << "others talk on";
  // What was refused is nowhere to be read.
  EXPECT_EQ(other->ask({{"type", "watch"}, {"table", table}})["ok"], true);
  EXPECT_EQ(other->next("snapshot")["chat"].size(), static_cast<std::size_t>(said) + 1);
  // And whoever waits may talk again.
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  EXPECT_EQ(talker->ask({{"type", "chat"}, {"table", table}, {"text", "sorry"}})["ok"], true);
}

TEST(Hostile, AFloodOfActionsIsSlowedDown) {
  Settings settings = TestServer::quick_settings();
  settings.limit_rates = true;
  TestServer server(settings);
  const auto client = server.guest("Mallory");
  const std::string table = client->post("/api/tables", solo()).json["id"];
  constexpr int count = 160;  // fewer than the messages of any kind that a socket may send
  int refused = 0;
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i)
    client->send({{"type", "act"}, {"id", "x" + std::to_string(i)}, {"table", table}, {"seat", "us"}, {"action", {{"do", "fly"}}}});
  for (int i = 0; i < count; ++i) refused += client->next("answer")["error"]["code"] == "too-many" ? 1 : 0;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  EXPECT_GE(count - refused, 60) << "a burst of sixty is play";
  EXPECT_LE(count - refused, 60 + static_cast<int>(20 * seconds) + 1) << "then twenty a second";
  EXPECT_GE(refused, 1);
  // Sockets of one person are counted, too.
  std::vector<std::unique_ptr<TestClient>> more;
  int status = 101;
  for (int i = 0; i < 20 && status == 101; ++i) {
    more.push_back(std::make_unique<TestClient>(server.port()));
    more.back()->set_cookie(client->cookie());
    status = more.back()->connect();
  }
  EXPECT_EQ(status, 429);
}

TEST(Hostile, NobodyHasTwoHintsAtOnceAndComputerPlayersDoNotWaitForThem) {
  TestServer server;
  const auto asker = server.guest("Mallory"), other = server.guest("Berta");
  const std::string table = asker->post("/api/tables", solo()).json["id"], others = other->post("/api/tables", solo()).json["id"];
  Eyes eyes, other_eyes;
  eyes.await_choice(*asker, table, "us");
  other_eyes.await_choice(*other, others, "us");
  for (int i = 0; i < 5; ++i)
    asker->send({{"type", "hint"}, {"id", "h" + std::to_string(i)}, {"table", table}, {"seat", "us"}, {"level", "general"}});
  for (int i = 1; i < 5; ++i) {
    const Json refused = asker->next("answer");
    EXPECT_EQ(refused["id"], "h" + std::to_string(i)) << "the first is still being thought about";
    EXPECT_EQ(refused["error"]["code"], "too-many");
    EXPECT_GT(refused["error"]["retry_after"], 0);
  }
  // The other plays on, and her computer player answers, before the hint is there.
  int played = 0;
  std::optional<Json> hint;
  const auto answered = [&] {
    while (!hint || (*hint)["type"] != "answer") {
      if (!(hint = asker->receive_if_any(std::chrono::milliseconds(0)))) return false;
    }
    return true;
  };
  while (played < 5 && !answered()) {
    ASSERT_EQ(
        other->ask(
            {{"type", "act"}, {"table", others}, {"seat", "us"}, {"action", other_eyes.actions()[other_eyes.actions().size() - 1]}})["ok"],
        true);
    other_eyes.await_choice(*other, others, "us");
    ++played;
  }
  EXPECT_GE(played, 2) << "who waits for the hint has it after one";
  EXPECT_EQ((hint ? *hint : asker->next("answer"))["ok"], true);
  EXPECT_EQ(asker->ask({{"type", "hint"}, {"table", table}, {"seat", "us"}, {"level", "recruit"}})["ok"], true) << "and now another";
}

// A record of so many lines: one step, taken back and done again, over and over.
std::string long_record(TestServer& server, std::size_t lines) {
  const auto maker = server.guest("Ada");
  const std::string table = maker->post("/api/tables", solo()).json["id"];
  // The more steps stand, the more it takes to go back by one. Those of the computer count too: with fifteen of ours alone the game could
  // be over.
  std::string record;
  const auto steps_of = [](const std::string& text) {
    int count = 0;
    for (auto at = text.find("\"do\""); at != std::string::npos; at = text.find("\"do\"", at + 1)) ++count;
    return count;
  };
  for (int i = 0; i < 15 && steps_of(record) < 15; ++i) {
    Eyes eyes;
    eyes.await_choice(*maker, table, "us");
    EXPECT_EQ(maker->ask({{"type", "act"}, {"table", table}, {"seat", "us"}, {"action", eyes.actions()[0]}})["ok"], true);
    record = maker->get("/api/tables/" + table + "/record").body;
  }
  std::string head, last;
  int steps = 0;
  for (std::size_t at = 0; at < record.size() && steps < 15;) {
    const auto end = record.find('\n', at) + 1;
    last = record.substr(at, end - at);
    head += last;
    if (last.find("\"do\"") != std::string::npos) ++steps;
    at = end;
  }
  EXPECT_EQ(steps, 15);
  std::string text = head;
  for (auto count = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\n')); count + 2 <= lines; count += 2)
    text += "{\"undo\":1}\n" + last;
  return text;
}

TEST(Hostile, ALongRecordIsGoneThroughBesideEverybodyElse) {
  Settings settings = TestServer::quick_settings();
  settings.limit_rates = true;
  TestServer server(settings);
  const std::string record = long_record(server, 15'000);
  const auto other = server.guest("Berta"), mallory = server.guest("Mallory");
  std::atomic<int> opened = 0, refused = 0;
  std::vector<std::thread> uploads;
  for (int i = 0; i < 8; ++i) {
    uploads.emplace_back([&] {
      TestClient client(server.port());
      client.set_cookie(mallory->cookie());
      const auto answer = client.post("/api/tables/open", {{"record", record}});
      if (answer.status == 200) ++opened;
      if (answer.status == 429) ++refused;
    });
  }
  const auto began = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  double waited = 0, longest = 0;
  while (opened + refused < 8 && seconds() < 60) {
    const double asked = seconds();
    EXPECT_EQ(other->ask({{"type", "ping"}})["ok"], true);
    waited += seconds() - asked;
    longest = std::max(longest, seconds() - asked);
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  const double all = seconds();
  for (std::thread& one : uploads) one.join();
  // One long wait alone may be the machine's own doing.
  EXPECT_LT(waited, all / 2) << "the server had eyes for nobody else";
  EXPECT_LT(longest, all / 3) << "the server had eyes for nobody else for a while";
  EXPECT_GE(opened, 1);
  EXPECT_GE(refused, 1) << "one person's records have a bound";
  EXPECT_EQ(opened + refused, 8);
}

TEST(Hostile, ARecordOfTooManyLinesIsRefusedWithTheBound) {
  TestServer server;
  const auto client = server.guest("Mallory");
  const auto answer = client->post("/api/tables/open", {{"record", long_record(server, 20'003)}});
  EXPECT_EQ(answer.json["error"]["code"], "bad-record");
  EXPECT_THAT(answer.json["error"]["message"].get<std::string>(), testing::HasSubstr("at most 20000"));
}

}  // namespace
}  // namespace baton::table
