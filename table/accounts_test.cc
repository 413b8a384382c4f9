// Accounts over the line, with a small mail server of the test's own.
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sodium.h>
#include <spdlog/sinks/ostream_sink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <mutex>
#include <sstream>

#include "table/mail.h"
#include "table/test_listener.h"
#include "table/test_loop.h"
#include "table/test_postgres.h"
#include "table/test_server.h"

namespace baton::table {
namespace {

// Speaks as much SMTP as it takes to be given a mail.
class MailServer {
 public:
  MailServer() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listener_, 8), 0);
    EXPECT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~MailServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }

  std::string url() const { return "smtp://127.0.0.1:" + std::to_string(port_); }

  // The next mail: who it is for, and its text, decoded.
  std::pair<std::string, std::string> next() {
    for (int i = 0; i < 500; ++i) {
      {
        const std::lock_guard guard(lock_);
        if (!mails_.empty()) {
          auto first = mails_.front();
          mails_.pop_front();
          return first;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return {"nobody", "no mail came"};
  }
  bool has_mail() {
    const std::lock_guard guard(lock_);
    return !mails_.empty();
  }

 private:
  static std::string decoded(const std::string& message) {
    const auto body = message.find("\r\n\r\n");
    std::string base64;
    for (const char c : message.substr(body + 4)) {
      if (c != '\r' && c != '\n') base64 += c;
    }
    std::string text(base64.size(), '\0');
    std::size_t size = 0;
    EXPECT_EQ(sodium_base642bin(reinterpret_cast<unsigned char*>(text.data()), text.size(), base64.data(), base64.size(), nullptr, &size, nullptr,
                                sodium_base64_VARIANT_ORIGINAL),
              0);
    text.resize(size);
    return message.substr(0, body) + "\n\n" + text;
  }

  void run() {
    for (int line = 0; (line = accept(listener_, nullptr, nullptr)) >= 0; close(line)) converse(line);
  }

  void converse(int line) {
    const auto say = [&](const std::string& text) { return write(line, (text + "\r\n").c_str(), text.size() + 2) > 0; };
    say("220 loopback");
    std::string waiting, to;
    bool in_text = false;
    std::array<char, 4096> bytes{};
    for (;;) {
      const std::string end = in_text ? "\r\n.\r\n" : "\r\n";
      const auto found = waiting.find(end);
      if (found == std::string::npos) {
        const ssize_t size = read(line, bytes.data(), bytes.size());
        if (size <= 0) return;
        waiting.append(bytes.data(), static_cast<std::size_t>(size));
        continue;
      }
      const std::string said = waiting.substr(0, found);
      waiting.erase(0, found + end.size());
      if (in_text) {
        const std::lock_guard guard(lock_);
        mails_.emplace_back(to, decoded(said));
        in_text = false;
        say("250 taken");
      } else if (said.starts_with("DATA")) {
        in_text = true;
        say("354 go on");
      } else if (said.starts_with("RCPT")) {
        to = said.substr(said.find('<') + 1, said.find('>') - said.find('<') - 1);
        say("250 ok");
      } else if (said.starts_with("QUIT")) {
        say("221 bye");
        return;
      } else {
        say("250 ok");
      }
    }
  }

  int listener_;
  unsigned short port_ = 0;
  std::mutex lock_;
  std::deque<std::pair<std::string, std::string>> mails_;
  std::thread thread_;
};

std::string token_in(const std::string& mail, const std::string& page) {
  const auto begin = mail.find("/#/" + page + "/");
  if (begin == std::string::npos) return "no link in " + mail;
  const auto from = begin + 4 + page.size();
  return mail.substr(from, mail.find_first_of("\r\n ", from) - from);
}

Settings with_mail(const MailServer& mail) {
  Settings settings = TestServer::quick_settings();
  settings.mail.url = mail.url();
  settings.mail.from = "tables@example.org";
  return settings;
}

TEST(Accounts, AGuestRegistersConfirmsAndComesBack) {
  MailServer mail;
  TestServer server(with_mail(mail));
  TestClient client(server.port());
  EXPECT_TRUE(client.get("/api/me").json["account"].is_null());
  const auto guest = client.post("/api/guest", {{"name", "Ada"}, {"locale", "de"}});
  ASSERT_EQ(guest.status, 200);
  EXPECT_THAT(guest.headers.at("Set-Cookie"), testing::AllOf(testing::HasSubstr("HttpOnly"), testing::HasSubstr("SameSite=Lax"), testing::HasSubstr("Max-Age")));
  const auto made = client.post("/api/tables", {{"game", "company-commander"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}}}});
  ASSERT_EQ(made.status, 200) << made.body;

  const auto entered = client.post("/api/register", {{"email", "Ada@Example.org"}, {"password", "correct horse"}, {"stay", true}});
  ASSERT_EQ(entered.status, 200) << entered.body;
  EXPECT_EQ(entered.json["account"]["id"], guest.json["account"]["id"]) << "a guest keeps what she has";
  EXPECT_EQ(entered.json["account"]["kind"], "registered");
  EXPECT_EQ(entered.json["account"]["email_confirmed"], false);
  const auto [to, text] = mail.next();
  EXPECT_EQ(to, "ada@example.org");
  EXPECT_NE(text.find("Hallo Ada"), std::string::npos) << text;
  const std::string token = token_in(text, "confirm");
  EXPECT_EQ(client.post("/api/confirm", {{"token", "wrong" + token}}).json["error"]["code"], "bad-link");
  const auto confirmed = client.post("/api/confirm", {{"token", token}});
  ASSERT_EQ(confirmed.status, 200) << confirmed.body;
  EXPECT_EQ(confirmed.json["account"]["email_confirmed"], true);
  EXPECT_EQ(client.post("/api/confirm", {{"token", token}}).json["error"]["code"], "bad-link") << "a link works once";

  TestClient elsewhere(server.port());
  EXPECT_EQ(elsewhere.post("/api/sign-in", {{"email", "ada@example.org"}, {"password", "wrong horse"}}).status, 401);
  EXPECT_EQ(elsewhere.post("/api/sign-in", {{"email", "nobody@example.org"}, {"password", "wrong horse"}}).json["error"]["code"], "wrong-password");
  const auto back = elsewhere.post("/api/sign-in", {{"email", "ADA@example.org"}, {"password", "correct horse"}});
  ASSERT_EQ(back.status, 200) << back.body;
  EXPECT_EQ(back.headers.at("Set-Cookie").find("Max-Age"), std::string::npos) << "not asked to stay";
  EXPECT_EQ(elsewhere.get("/api/my-tables").json["tables"][0]["id"], made.json["id"]);
  EXPECT_EQ(elsewhere.post("/api/register", {{"email", "x@example.org"}, {"password", "correct horse"}}).json["error"]["code"], "registered-already");
  TestClient third(server.port());
  EXPECT_EQ(third.post("/api/register", {{"email", "ada@example.org"}, {"password", "correct horse"}}).json["error"]["code"], "email-taken");

  // Sessions outlive the server, and end everywhere at once.
  server.restart();
  TestClient later(server.port());
  later.set_cookie(client.cookie());
  EXPECT_EQ(later.get("/api/me").json["account"]["name"], "Ada");
  TestClient other(server.port());
  other.set_cookie(elsewhere.cookie());
  ASSERT_EQ(other.connect(), 101);
  EXPECT_EQ(later.post("/api/sign-out-everywhere", Json::object()).status, 200);
  EXPECT_EQ(other.next("notice")["notice"], "signed-out");
  EXPECT_TRUE(other.get("/api/me").json["account"].is_null());
}

TEST(Accounts, AForgottenPasswordIsReplacedByMail) {
  MailServer mail;
  TestServer server(with_mail(mail));
  TestClient client(server.port());
  ASSERT_EQ(client.post("/api/register", {{"email", "b@example.org"}, {"password", "first password"}, {"name", "Berta"}, {"locale", "ja"}}).status, 200);
  EXPECT_NE(mail.next().second.find("Berta さん"), std::string::npos);
  TestClient forgetful(server.port());
  EXPECT_EQ(forgetful.post("/api/forgot", {{"email", "unknown@example.org"}}).status, 200) << "it does not tell who is known";
  EXPECT_EQ(forgetful.post("/api/forgot", {{"email", "b@example.org"}}).status, 200);
  const auto [to, text] = mail.next();
  EXPECT_EQ(to, "b@example.org");
  const std::string token = token_in(text, "reset");
  EXPECT_EQ(forgetful.post("/api/reset", {{"token", token}, {"password", "short"}}).status, 400);
  const auto reset = forgetful.post("/api/reset", {{"token", token}, {"password", "second password"}});
  ASSERT_EQ(reset.status, 200) << reset.body;
  EXPECT_EQ(reset.json["account"]["email_confirmed"], true);
  EXPECT_TRUE(client.get("/api/me").json["account"].is_null()) << "other sessions end";
  EXPECT_EQ(client.post("/api/sign-in", {{"email", "b@example.org"}, {"password", "first password"}}).status, 401);
  EXPECT_EQ(client.post("/api/sign-in", {{"email", "b@example.org"}, {"password", "second password"}}).status, 200);
}

TEST(Accounts, NamesChangeAtTheTableAndAccountsCanGo) {
  TestServer server;
  const auto host = server.guest("Ada"), other = server.guest("Berta");
  const auto made = host->post("/api/tables", {{"game", "company-commander"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}}}});
  const std::string table = made.json["id"];
  ASSERT_EQ(other->post("/api/tables/" + table + "/join", Json::object()).status, 200);
  EXPECT_EQ(other->post("/api/account", {{"name", "  Berta B.  "}}).json["account"]["name"], "Berta B.");
  EXPECT_EQ(host->get("/api/tables/" + table).json["seats"][1]["name"], "Berta B.");
  EXPECT_EQ(other->post("/api/account", {{"name", " "}}).status, 400);
  EXPECT_EQ(other->post("/api/account", {{"webhook", "http://127.0.0.1/x"}}).status, 400);
  EXPECT_EQ(other->post("/api/account/delete", Json::object()).status, 200);
  EXPECT_TRUE(other->get("/api/me").json["account"].is_null());
  const auto after = host->get("/api/tables/" + table).json["seats"][1];
  EXPECT_EQ(after["kind"], "open");
  EXPECT_TRUE(after.contains("steward")) << "the game goes on";
}

// The names that anybody is shown of a table: seats, host, talk, and the file of the match.
std::string everything_shown(TestClient& reader, const std::string& table) {
  std::string text = reader.get("/api/tables/" + table).body + reader.get("/api/lobby").body + reader.get("/api/my-tables").body;
  EXPECT_EQ(reader.ask({{"type", "watch"}, {"table", table}})["ok"], true);
  Json snapshot;
  while (const auto message = reader.receive_if_any(std::chrono::milliseconds(0))) {
    if ((*message)["type"] == "snapshot") snapshot = *message;
  }
  text += snapshot.dump();
  for (const char* part : {"/record", "/record?viewer=german", "/replay"}) text += reader.get("/api/tables/" + table + part).body;
  return text;
}

class NamesTest : public testing::TestWithParam<std::string> {
 protected:
  static Settings settings() {
    Settings settings = TestServer::quick_settings();
    static int count = 0;
    if (GetParam() == "postgresql") settings.database = TestPostgres::shared().url("names" + std::to_string(count++));
    return settings;
  }
  std::unique_ptr<TestClient> back(const TestClient& client) {
    auto again = std::make_unique<TestClient>(server_.port());
    again->set_cookie(client.cookie());
    EXPECT_EQ(again->connect(), 101);
    return again;
  }
  TestServer server_{settings()};
};

TEST_P(NamesTest, ANameIsTheAccountsOwnWhereverItIsShown) {
  auto gus = server_.guest("Gustav-the-First"), ada = server_.guest("Ada");
  const std::string table =
      gus->post("/api/tables", {{"game", "company-commander"}, {"visibility", "public"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}}}}).json["id"];
  ASSERT_EQ(ada->post("/api/tables/" + table + "/join", Json::object()).status, 200);
  ASSERT_EQ(gus->ask({{"type", "chat"}, {"table", table}, {"text", "hello"}})["ok"], true);
  // A table that he made and where he talks, but does not sit.
  const std::string hosted = gus->post("/api/tables", {{"game", "company-commander"}, {"visibility", "public"}}).json["id"];
  ASSERT_EQ(ada->post("/api/tables/" + hosted + "/join", {{"seat", "german"}}).status, 200);
  ASSERT_EQ(gus->ask({{"type", "chat"}, {"table", hosted}, {"text", "welcome"}})["ok"], true);
  EXPECT_THAT(everything_shown(*ada, table), testing::HasSubstr("Gustav-the-First"));
  EXPECT_THAT(ada->get("/api/tables/" + table + "/record?viewer=german").body, testing::HasSubstr("Gustav-the-First")) << "files name who plays";

  // Renamed while the tables rest in the database.
  server_.restart();
  gus = back(*gus);
  ada = back(*ada);
  ASSERT_EQ(gus->post("/api/account", {{"name", "Gustav-the-Second"}}).status, 200);
  for (const std::string& id : {table, hosted}) {
    EXPECT_THAT(everything_shown(*ada, id), testing::AllOf(testing::HasSubstr("Gustav-the-Second"), testing::Not(testing::HasSubstr("Gustav-the-First"))));
  }
  // Renamed before their eyes: a snapshot tells what was said by whom.
  ASSERT_EQ(ada->ask({{"type", "watch"}, {"table", table}})["ok"], true);
  ada->next("snapshot");
  ASSERT_EQ(gus->post("/api/account", {{"name", "Gustav-the-Third"}}).status, 200);
  EXPECT_EQ(ada->next("snapshot")["chat"][0]["name"], "Gustav-the-Third");

  // Gone, and so is every trace of the name, at once and after a restart.
  ASSERT_EQ(gus->post("/api/account/delete", Json::object()).status, 200);
  for (int time = 0; time < 2; ++time) {
    for (const std::string& id : {table, hosted}) {
      const std::string shown = everything_shown(*ada, id);
      EXPECT_THAT(shown, testing::AllOf(testing::HasSubstr("\"name\":\"someone\""), testing::Not(testing::HasSubstr("Gustav"))));
    }
    EXPECT_EQ(ada->get("/api/tables/" + hosted).json["host_name"], "someone");
    server_.restart();
    ada = back(*ada);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, NamesTest, testing::Values("sqlite", "postgresql"), [](const auto& one) { return one.param; });

TEST(Accounts, WhatTheGuestsSessionOpenedIsClosedByRegistering) {
  TestServer server;
  const auto guest = server.guest("Ada"), elsewhere = std::make_unique<TestClient>(server.port());
  const std::string old = guest->cookie();
  const auto entered = guest->post("/api/register", {{"email", "h@example.org"}, {"password", "some password"}});
  ASSERT_EQ(entered.status, 200) << entered.body;
  EXPECT_NE(guest->cookie(), old);
  EXPECT_EQ(guest->get("/api/me").json["account"]["kind"], "registered");
  EXPECT_THROW(
      {
        for (;;) EXPECT_NE(guest->receive(std::chrono::seconds(5)).value("notice", ""), "signed-out") << "she is not";
      },
      std::exception)
      << "the old socket ends";
  elsewhere->set_cookie(old);
  EXPECT_TRUE(elsewhere->get("/api/me").json["account"].is_null()) << "whoever planted or saw the guest's cookie is out";
  EXPECT_EQ(elsewhere->connect(), 401);
  server.restart();
  TestClient later(server.port());
  later.set_cookie(old);
  EXPECT_TRUE(later.get("/api/me").json["account"].is_null());
  later.set_cookie(guest->cookie());
  EXPECT_EQ(later.get("/api/me").json["account"]["kind"], "registered");
}

TEST(Accounts, ANewPasswordEndsAllOtherSessions) {
  TestServer server;
  TestClient here(server.port()), there(server.port());
  ASSERT_EQ(here.post("/api/register", {{"email", "i@example.org"}, {"password", "first password"}}).status, 200);
  ASSERT_EQ(there.post("/api/sign-in", {{"email", "i@example.org"}, {"password", "first password"}}).status, 200);
  ASSERT_EQ(here.connect(), 101);
  ASSERT_EQ(there.connect(), 101);
  ASSERT_EQ(here.post("/api/account", {{"password", "second password"}, {"old_password", "first password"}}).status, 200);
  EXPECT_EQ(there.next("notice")["notice"], "signed-out");
  EXPECT_TRUE(there.get("/api/me").json["account"].is_null());
  EXPECT_EQ(here.ask({{"type", "ping"}})["ok"], true) << "whoever changed it stays";
  server.restart();
  for (TestClient* client : {&here, &there}) {
    TestClient again(server.port());
    again.set_cookie(client->cookie());
    EXPECT_EQ(again.get("/api/me").json["account"].is_null(), client == &there);
  }
}

TEST(Accounts, APasswordCannotBeFoundByChangingIt) {
  Settings settings = TestServer::quick_settings();
  settings.limit_rates = true;
  TestServer server(settings);
  TestClient client(server.port());
  ASSERT_EQ(client.post("/api/register", {{"email", "j@example.org"}, {"password", "some password"}}).status, 200);
  int refused = 0;
  for (int i = 0; i < 30; ++i) refused += client.post("/api/account", {{"password", "other password"}, {"old_password", "guess " + std::to_string(i)}}).status == 429 ? 1 : 0;
  EXPECT_GE(refused, 19);
  EXPECT_EQ(client.post("/api/account", {{"name", "Jo"}}).status, 200) << "a name is no password";
}

TEST(Accounts, PagesOfThePublicAddressAreOurOwnWhateverHostTheProxyGives) {
  Settings settings = TestServer::quick_settings();
  settings.public_url = "https://Tables.example.org:443/";
  settings.behind_proxy = true;
  TestServer server(settings);
  TestClient client(server.port());
  EXPECT_EQ(client.post("/api/guest", Json::object(), {{"Origin", "https://tables.example.org"}}).status, 200);
  EXPECT_EQ(client.connect({{"Origin", "https://tables.example.org"}}), 101);
  for (const char* other : {"https://elsewhere.example", "http://tables.example.org", "https://tables.example.org:8443", "https://tables.example.org.elsewhere.example", "null"}) {
    EXPECT_EQ(client.post("/api/guest", Json::object(), {{"Origin", other}}).json["error"]["code"], "wrong-origin") << other;
  }
  const std::string policy = client.get("/").headers.at("Content-Security-Policy");
  EXPECT_THAT(policy, testing::AllOf(testing::HasSubstr("script-src 'self';"), testing::Not(testing::HasSubstr("unsafe"))));
}

TEST(Accounts, StrangersPagesAndFloodsAreRefused) {
  Settings settings = TestServer::quick_settings();
  settings.limit_rates = true;
  TestServer server(settings);
  TestClient client(server.port());
  EXPECT_EQ(client.post("/api/guest", Json::object(), {{"Origin", "https://elsewhere.example"}}).json["error"]["code"], "wrong-origin");
  EXPECT_EQ(client.connect({{"Origin", "https://elsewhere.example"}}), 403);
  EXPECT_EQ(client.post("/api/guest", Json::object(), {{"Origin", "http://127.0.0.1:" + std::to_string(server.port())}}).status, 200);
  int refused = 0;
  for (int i = 0; i < 30; ++i) {
    const auto answer = client.post("/api/sign-in", {{"email", "a@example.org"}, {"password", "wrong horse"}});
    if (answer.status == 429) {
      ++refused;
      EXPECT_TRUE(answer.headers.contains("Retry-After"));
    }
  }
  EXPECT_GE(refused, 19);
}

TEST(Accounts, LinksGrowOld) {
  MailServer mail;
  const auto folder = std::filesystem::temp_directory_path() / ("baton-links-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  {
    TestLoop loop;
    auto database = Database::open("sqlite://" + (folder / "test.sqlite").string());
    ASSERT_TRUE(database);
    Hall hall(loop, with_mail(mail), std::move(*database), [](const std::string& why) { ADD_FAILURE() << why; });
    loop.busy = [&] { return hall.is_busy(); };
    constexpr Milliseconds hour{3600 * 1000};
    const auto outcome_of = [&](const std::function<void(Accounts::SignedReply)>& ask) {
      std::string code;
      ask([&](const Outcome<Accounts::Signed>& entered) { code = entered ? "ok" : entered.error().code; });
      loop.settle();
      return code;
    };
    Accounts& accounts = hall.accounts();
    std::optional<AccountRow> account;
    accounts.enrol(std::nullopt, "c@example.org", "first password", "Cleo", "en", false, [&](const Outcome<Accounts::Signed>& entered) { account = entered->account; });
    loop.settle();
    const std::string late = token_in(mail.next().second, "confirm");
    loop.leap(31 * 24 * hour);
    EXPECT_EQ(outcome_of([&](auto reply) { accounts.confirm(late, reply); }), "bad-link") << "30 days";
    accounts.mail_confirmation(*account);
    loop.settle();
    const std::string early = token_in(mail.next().second, "confirm");
    loop.leap(29 * 24 * hour);
    EXPECT_EQ(outcome_of([&](auto reply) { accounts.confirm(early, reply); }), "ok");
    accounts.forgot("c@example.org", [](const Outcome<void>&) {});
    loop.settle();
    const std::string forgotten = token_in(mail.next().second, "reset");
    loop.leap(3 * hour);
    EXPECT_EQ(outcome_of([&](auto reply) { accounts.reset(forgotten, "second password", reply); }), "bad-link") << "two hours";
    EXPECT_EQ(outcome_of([&](auto reply) { accounts.sign_in("c@example.org", "first password", true, reply); }), "ok");
    loop.settle();
    loop.busy = [] { return false; };
  }
  std::filesystem::remove_all(folder);
}

// What is done about one account at the same time. Hashing takes long, so that much can happen meanwhile.
class TogetherTest : public testing::Test {
 protected:
  TogetherTest() : folder_(std::filesystem::temp_directory_path() / ("baton-together-test-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    auto database = Database::open("sqlite://" + (folder_ / "test.sqlite").string());
    if (!database) throw std::runtime_error(database.error().text());
    hall_ = std::make_unique<Hall>(loop_, with_mail(mail_), std::move(*database), [](const std::string& why) { ADD_FAILURE() << why; });
    loop_.busy = [this] { return hall_->is_busy(); };
    accounts().enrol(std::nullopt, "k@example.org", "first password", "Kai", "en", false, [this](const Outcome<Accounts::Signed>& entered) { entered_ = *entered; });
    loop_.settle();
    mail_.next();
  }
  ~TogetherTest() override {
    loop_.settle();
    loop_.busy = [] { return false; };
    hall_.reset();
    std::filesystem::remove_all(folder_);
  }
  Accounts& accounts() { return hall_->accounts(); }
  std::string reset_token() {
    accounts().forgot("k@example.org", [](const Outcome<void>&) {});
    loop_.settle();
    return token_in(mail_.next().second, "reset");
  }
  std::string signs_in(const std::string& password) {
    std::string code;
    accounts().sign_in("k@example.org", password, false, [&](const Outcome<Accounts::Signed>& entered) { code = entered ? "ok" : entered.error().code; });
    loop_.settle();
    return code;
  }
  AccountRow now() {
    AccountRow row;
    accounts().identify(entered_.token, [&](const Outcome<std::optional<AccountRow>>& found) { row = found->value_or(AccountRow{}); });
    loop_.settle();
    return row;
  }
  static std::optional<Fault> nothing_else(AccountRow&) { return std::nullopt; }

  std::filesystem::path folder_;
  MailServer mail_;
  TestLoop loop_;
  std::unique_ptr<Hall> hall_;
  Accounts::Signed entered_;
};

TEST_F(TogetherTest, APasswordChangeUnderWayDoesNotUndoAReset) {
  const std::string token = reset_token();
  std::string reset, changed;
  accounts().reset(token, "owners password", [&](const Outcome<Accounts::Signed>& entered) { reset = entered ? "ok" : entered.error().code; });
  accounts().change_password(entered_.account, "first password", "anothers password", entered_.token, nothing_else,
                             [&](const Outcome<AccountRow>& row) { changed = row ? "ok" : row.error().code; });
  loop_.settle();
  EXPECT_EQ(reset, "ok");
  EXPECT_EQ(changed, "wrong-password");
  EXPECT_EQ(signs_in("owners password"), "ok");
  EXPECT_EQ(signs_in("anothers password"), "wrong-password");
  EXPECT_EQ(now().id, "") << "the old session is over";
}

TEST_F(TogetherTest, SigningInUnderWayDoesNotOutliveAReset) {
  const std::string token = reset_token();
  std::string entered;
  accounts().reset(token, "owners password", [](const Outcome<Accounts::Signed>&) {});
  accounts().sign_in("k@example.org", "first password", false, [&](const Outcome<Accounts::Signed>& outcome) { entered = outcome ? "ok" : outcome.error().code; });
  loop_.settle();
  EXPECT_EQ(entered, "wrong-password");
}

TEST_F(TogetherTest, EachChangeKeepsWhatTheOthersMadeOfTheAccount) {
  std::string changed;
  accounts().change_password(entered_.account, "first password", "second password", entered_.token, nothing_else,
                             [&](const Outcome<AccountRow>& row) { changed = row ? "ok" : row.error().code; });
  accounts().change(entered_.account.id, [](AccountRow& row) { row.name = "Kai the Great"; return std::optional<Fault>(); }, [](const Outcome<AccountRow>&) {});
  accounts().change(entered_.account.id, [](AccountRow& row) { row.mail_notices = true; return std::optional<Fault>(); }, [](const Outcome<AccountRow>&) {});
  loop_.settle();
  EXPECT_EQ(changed, "ok");
  EXPECT_EQ(now().name, "Kai the Great");
  EXPECT_TRUE(now().mail_notices);
  EXPECT_EQ(signs_in("second password"), "ok");
}

TEST_F(TogetherTest, AGuestRegistersOnceAndKeepsTheNameItWasGivenMeanwhile) {
  std::optional<AccountRow> guest;
  accounts().guest("Lea", "en", [&](const Outcome<Accounts::Signed>& entered) { guest = entered->account; });
  loop_.settle();
  std::vector<std::string> outcomes;
  Accounts::Signed registered;
  const auto enrol = [&](const std::string& email) {
    accounts().enrol(guest, email, "some password", "", "", false, [&](const Outcome<Accounts::Signed>& entered) {
      outcomes.push_back(entered ? "ok" : entered.error().code);
      if (entered) registered = *entered;
    });
  };
  enrol("lea@example.org");
  enrol("lea2@example.org");
  accounts().change(guest->id, [](AccountRow& row) { row.name = "Lea the Great"; return std::optional<Fault>(); }, [](const Outcome<AccountRow>&) {});
  loop_.settle();
  EXPECT_THAT(outcomes, testing::ElementsAre("ok", "registered-already"));
  EXPECT_EQ(registered.account.name, "Lea the Great");
  EXPECT_EQ(registered.account.email, "lea@example.org");
}

TEST(Accounts, SigningOutEndsOneSessionAndAPasswordGuardsTheEnd) {
  MailServer mail;
  TestServer server(with_mail(mail));
  TestClient here(server.port()), there(server.port());
  ASSERT_EQ(here.post("/api/register", {{"email", "d@example.org"}, {"password", "some password"}, {"name", "Dora"}}).status, 200);
  mail.next();
  EXPECT_EQ(here.post("/api/confirm/again", Json::object()).status, 200);
  EXPECT_EQ(there.post("/api/confirm", {{"token", token_in(mail.next().second, "confirm")}}).status, 200);
  EXPECT_TRUE(there.get("/api/me").json["account"].is_null()) << "to confirm is not to sign in";
  ASSERT_EQ(there.post("/api/sign-in", {{"email", "d@example.org"}, {"password", "some password"}}).status, 200);
  EXPECT_EQ(there.post("/api/sign-out", Json::object()).status, 200);
  EXPECT_TRUE(there.get("/api/me").json["account"].is_null());
  EXPECT_EQ(here.get("/api/me").json["account"]["email_confirmed"], true);
  EXPECT_EQ(here.post("/api/account", {{"password", "other password"}, {"old_password", "wrong"}}).json["error"]["code"], "wrong-password");
  EXPECT_EQ(here.post("/api/account", {{"password", "other password"}, {"old_password", "some password"}}).status, 200);
  // Whoever gets a new password by mail throws everybody else out, from their sockets too.
  ASSERT_EQ(here.connect(), 101);
  there.post("/api/forgot", {{"email", "d@example.org"}});
  ASSERT_EQ(there.post("/api/reset", {{"token", token_in(mail.next().second, "reset")}, {"password", "third password"}}).status, 200);
  EXPECT_EQ(here.next("notice")["notice"], "signed-out");
  EXPECT_EQ(there.post("/api/account/delete", {{"password", "some password"}}).json["error"]["code"], "wrong-password");
  EXPECT_EQ(there.post("/api/account/delete", {{"password", "third password"}}).status, 200);
  EXPECT_EQ(there.post("/api/sign-in", {{"email", "d@example.org"}, {"password", "third password"}}).status, 401);
  EXPECT_EQ(there.post("/api/register", {{"email", "d@example.org"}, {"password", "some password"}}).status, 200) << "the address is free again";
}

// What a webhook is sent: one request, answered with nothing.
class Hook {
 public:
  std::string url() const { return "http://127.0.0.1:" + std::to_string(listener_.port()) + "/turn"; }
  std::string next() {
    const int line = listener_.next();
    if (line < 0) return "nobody called";
    std::string text;
    std::array<char, 4096> bytes{};
    while (text.find("}") == std::string::npos) {
      const ssize_t size = read(line, bytes.data(), bytes.size());
      if (size <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(size));
    }
    const std::string answer = "HTTP/1.1 204 No Content\r\n\r\n";
    EXPECT_GT(write(line, answer.data(), answer.size()), 0);
    close(line);
    return text;
  }

 private:
  TestListener listener_;
};

TEST(Accounts, WhoIsAwayIsToldOfTheTurnByMailAndWebhook) {
  MailServer mail;
  Hook hook;
  Settings settings = with_mail(mail);
  settings.local_webhooks = true;
  settings.public_url = "https://tables.example.org";
  TestServer server(settings);
  TestClient away(server.port());
  ASSERT_EQ(away.post("/api/register", {{"email", "e@example.org"}, {"password", "some password"}, {"name", "Elsa"}}).status, 200);
  away.post("/api/confirm", {{"token", token_in(mail.next().second, "confirm")}});
  ASSERT_EQ(away.post("/api/account", {{"mail_notices", true}, {"webhook", hook.url()}}).status, 200);
  const auto host = server.guest("Ada");
  const std::string table = host->post("/api/tables", {{"game", "company-commander"}, {"title", "By mail"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}}}}).json["id"];
  ASSERT_EQ(away.post("/api/tables/" + table + "/join", Json::object()).status, 200);
  // The host passes on until the other is asked.
  host->ask({{"type", "watch"}, {"table", table}});
  Eyes eyes;
  eyes.take(host->next("snapshot"));
  while (eyes.snapshot["view"]["choosing"] != Json::array({"german"})) {
    if (eyes.actions().size() > 1) {
      const Json actions = eyes.actions();
      ASSERT_EQ(host->ask({{"type", "act"}, {"table", table}, {"seat", "us"}, {"action", actions[actions.size() - 1]}})["ok"], true);
    }
    eyes.take(host->next("update"));
  }
  const auto [to, text] = mail.next();
  EXPECT_EQ(to, "e@example.org");
  EXPECT_THAT(text, testing::AllOf(testing::HasSubstr("By mail"), testing::HasSubstr("https://tables.example.org/#/table/" + table)));
  EXPECT_THAT(hook.next(), testing::AllOf(testing::StartsWith("POST /turn"), testing::HasSubstr("\"notice\":\"your-turn\""), testing::HasSubstr(table)));
}

TEST(Accounts, TablesOfOnePersonAreCountedWhereverTheyRest) {
  Settings settings = TestServer::quick_settings();
  settings.limit_rates = true;
  TestServer server(settings);
  const auto client = server.guest();
  const Json open = {{"game", "company-commander"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}}}};
  std::string last;
  for (int i = 0; i < 20; ++i) {
    const auto made = client->post("/api/tables", open);
    ASSERT_EQ(made.status, 200) << i << made.body;
    last = made.json["id"];
  }
  EXPECT_EQ(client->post("/api/tables", open).status, 429);
  server.restart();  // now they are in the database only
  TestClient again(server.port());
  again.set_cookie(client->cookie());
  EXPECT_EQ(again.post("/api/tables", open).json["error"]["code"], "too-many");
  ASSERT_EQ(again.post("/api/tables/" + last + "/close", Json::object()).status, 200);
  EXPECT_EQ(again.post("/api/tables", open).status, 200);
}

// Everything that is logged while it lives, down to the finest level.
class LogReader {
 public:
  LogReader() : before_(spdlog::default_logger()), logger_(std::make_shared<spdlog::logger>("reader", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_, true))) {
    spdlog::set_default_logger(logger_);
  }
  ~LogReader() { spdlog::set_default_logger(before_); }
  void listen() { logger_->set_level(spdlog::level::trace); }  // a test server that starts sets its own level
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_, logger_;
};

TEST(Accounts, TheLogHoldsNoSecrets) {
  std::vector<std::string> secrets = {"first password", "wrong password", "second password", "third password", "f@example.org", "g@example.org", "hook-secret", "words for the dice",
                                      "between the two"};
  LogReader log;
  {
    MailServer mail;
    Settings settings = with_mail(mail);
    settings.local_webhooks = true;
    TestServer server(settings);
    log.listen();
    TestClient client(server.port());
    const auto remember = [&](const TestClient& of) { secrets.push_back(of.cookie().substr(of.cookie().find('=') + 1)); };
    const auto token = [&](const std::string& page) {
      secrets.push_back(token_in(mail.next().second, page));
      EXPECT_GT(secrets.back().size(), 15u);
      return secrets.back();
    };
    ASSERT_EQ(client.post("/api/guest", {{"name", "Frieda"}}).status, 200);
    remember(client);
    ASSERT_EQ(client.post("/api/register", {{"email", "f@example.org"}, {"password", "first password"}}).status, 200);
    remember(client);
    const std::string confirm = token("confirm");
    EXPECT_EQ(client.post("/api/confirm", {{"token", confirm}}).status, 200);
    EXPECT_EQ(client.post("/api/confirm", {{"token", confirm}}).status, 401) << "used";
    EXPECT_EQ(client.post("/api/sign-in", {{"email", "f@example.org"}, {"password", "wrong password"}}).status, 401);
    ASSERT_EQ(client.post("/api/sign-in", {{"email", "f@example.org"}, {"password", "first password"}, {"stay", true}}).status, 200);
    remember(client);
    EXPECT_EQ(client.post("/api/forgot", {{"email", "f@example.org"}}).status, 200);
    EXPECT_EQ(client.post("/api/reset", {{"token", token("reset")}, {"password", "second password"}}).status, 200);
    remember(client);
    EXPECT_EQ(client.post("/api/account", {{"password", "third password"}, {"old_password", "second password"}, {"mail_notices", true}, {"webhook", "http://127.0.0.1:1/hook-secret"}}).status, 200);
    // Bodies and addresses that are wrong are not repeated either.
    EXPECT_EQ(client.request("POST", "/api/sign-in", R"({"email":"f@example.org","password":"first password",)").status, 400);
    EXPECT_EQ(client.get("/api/confirm/" + confirm).status, 404);
    const auto made = client.post("/api/tables", {{"game", "company-commander"}, {"visibility", "private"}, {"salt", "words for the dice"}, {"seats", {{{"seat", "us"}, {"kind", "invited"}}, {{"seat", "german"}, {"kind", "me"}}}}});
    ASSERT_EQ(made.status, 200) << made.body;
    const std::string table = made.json["id"], key = made.json["seats"][0]["invite_key"];
    secrets.push_back(key);
    const auto guest = server.guest("Gast");
    remember(*guest);
    EXPECT_EQ(guest->post("/api/tables/" + table + "/join", {{"key", "not the key"}}).status, 403);
    ASSERT_EQ(guest->post("/api/tables/" + table + "/join", {{"key", key}}).status, 200);
    EXPECT_EQ(guest->ask({{"type", "watch"}, {"table", table}, {"key", key}})["ok"], true);
    Eyes eyes;
    eyes.take(guest->next("snapshot"));
    while (eyes.snapshot["view"]["choosing"] != Json::array({"german"})) {
      if (eyes.actions().size() > 1) {
        ASSERT_EQ(guest->ask({{"type", "act"}, {"table", table}, {"seat", "us"}, {"action", eyes.actions()[eyes.actions().size() - 1]}})["ok"], true);
      }
      eyes.take(guest->next("update"));
    }
    EXPECT_EQ(guest->ask({{"type", "chat"}, {"table", table}, {"text", "between the two"}})["ok"], true);
    EXPECT_EQ(mail.next().first, "f@example.org") << "she is told by mail, and by a webhook that nobody answers";
    for (int i = 0; i < 500 && log.text().find("event=webhook-not-taken") == std::string::npos; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(client.post("/api/sign-out-everywhere", Json::object()).status, 200);
  }
  {
    Settings settings = TestServer::quick_settings();
    settings.mail.url = "smtp://127.0.0.1:1";  // nobody is there
    TestServer server(settings);
    log.listen();
    TestClient client(server.port());
    ASSERT_EQ(client.post("/api/register", {{"email", "g@example.org"}, {"password", "first password"}}).status, 200);
    secrets.push_back(client.cookie().substr(client.cookie().find('=') + 1));
    for (int i = 0; i < 500 && log.text().find("event=mail-not-taken") == std::string::npos; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string text = log.text();
  EXPECT_THAT(text, testing::AllOf(testing::HasSubstr("event=webhook-not-taken reason="), testing::HasSubstr("event=mail-not-taken reason="), testing::HasSubstr("event=server-stops reason="))) << "something is logged at all";
  for (const std::string& secret : secrets) {
    ASSERT_GE(secret.size(), 8u) << secret;
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(secret)));
  }
}

TEST(Mail, AMessageIsWellFormed) {
  const std::string text = message_text({"a@example.org", "Spieltisch: Du bist am Zug – jetzt", "Grüße"}, "b@example.org", "Mon, 02 Jan 2006 15:04:05 +0000", "id");
  EXPECT_NE(text.find("Subject: =?UTF-8?B?"), std::string::npos);
  EXPECT_NE(text.find("\r\n\r\nR3LDvMOfZQ==\r\n"), std::string::npos) << text;
  for (const char c : text) EXPECT_GE(c, 0);
}

TEST(Mail, AddressesThatCouldBreakOutAreNone) {
  EXPECT_TRUE(is_email("a.b+c@example.org"));
  for (const char* wrong : {"", "a", "@example.org", "a@", "a@b@c", "a b@c.d", "a@b.c\r\nBcc: d@e.f", "<a@b.c>", "a@.b", "a@b..c"}) EXPECT_FALSE(is_email(wrong)) << wrong;
  EXPECT_TRUE(is_webhook("https://hooks.example.org/x?y=z"));
  EXPECT_TRUE(is_webhook("http://hooks:8123/x", true)) << "where the operator trusts everybody";
  EXPECT_FALSE(is_webhook("ftp://hooks/x", true));
  for (const char* wrong : {"http://example.org", "https://localhost/", "https://a@b.c/", "file:///etc/passwd", "https://exa mple.org"}) EXPECT_FALSE(is_webhook(wrong)) << wrong;
}

}  // namespace
}  // namespace baton::table
