// What the server logs.
#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>

#include "table/test_mail_server.h"

namespace baton::table {
namespace {

// Everything that is logged while it lives, down to the finest level.
class LogReader {
 public:
  LogReader()
      : before_(spdlog::default_logger()),
        logger_(std::make_shared<spdlog::logger>("reader", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_, true))) {
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
  std::vector<std::string> secrets = {"first password", "wrong password", "second password",    "third password", "f@example.org",
                                      "g@example.org",  "hook-secret",    "words for the dice", "between the two"};
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
    EXPECT_EQ(client
                  .post("/api/account", {{"password", "third password"},
                                         {"old_password", "second password"},
                                         {"mail_notices", true},
                                         {"webhook", "http://127.0.0.1:1/hook-secret"}})
                  .status,
              200);
    // Bodies and addresses that are wrong are not repeated either.
    EXPECT_EQ(client.request("POST", "/api/sign-in", R"({"email":"f@example.org","password":"first password",)").status, 400);
    EXPECT_EQ(client.get("/api/confirm/" + confirm).status, 404);
    const auto made =
        client.post("/api/tables", {{"game", "company-commander"},
                                    {"visibility", "private"},
                                    {"salt", "words for the dice"},
                                    {"seats", {{{"seat", "us"}, {"kind", "invited"}}, {{"seat", "german"}, {"kind", "me"}}}}});
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
        ASSERT_EQ(
            guest->ask({{"type", "act"}, {"table", table}, {"seat", "us"}, {"action", eyes.actions()[eyes.actions().size() - 1]}})["ok"],
            true);
      }
      eyes.take(guest->next("update"));
    }
    EXPECT_EQ(guest->ask({{"type", "chat"}, {"table", table}, {"text", "between the two"}})["ok"], true);
    EXPECT_EQ(mail.next().first, "f@example.org") << "she is told by mail, and by a webhook that nobody answers";
    for (int i = 0; i < 500 && log.text().find("event=webhook-not-taken") == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
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
    for (int i = 0; i < 500 && log.text().find("event=mail-not-taken") == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string text = log.text();
  EXPECT_THAT(text, testing::AllOf(testing::HasSubstr("event=webhook-not-taken reason="),
                                   testing::HasSubstr("event=mail-not-taken reason="), testing::HasSubstr("event=server-stops reason=")))
      << "something is logged at all";
  for (const std::string& secret : secrets) {
    ASSERT_GE(secret.size(), 8u) << secret;
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(secret)));
  }
}

}  // namespace
}  // namespace baton::table
