// Accounts over the line.
#include <gmock/gmock.h>

#include "table/test_loop.h"
#include "table/test_mail_server.h"
#include "table/test_postgres.h"

namespace baton::table {
namespace {

TEST(Accounts, AGuestRegistersConfirmsAndComesBack) {
  MailServer mail;
  TestServer server(with_mail(mail));
  TestClient client(server.port());
  EXPECT_TRUE(client.get("/api/me").json["account"].is_null());
  const auto guest = client.post("/api/guest", {{"name", "Ada"}, {"locale", "de"}});
  ASSERT_EQ(guest.status, 200);
  EXPECT_THAT(guest.headers.at("Set-Cookie"),
              testing::AllOf(testing::HasSubstr("HttpOnly"), testing::HasSubstr("SameSite=Lax"), testing::HasSubstr("Max-Age")));
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
  EXPECT_EQ(elsewhere.post("/api/sign-in", {{"email", "nobody@example.org"}, {"password", "wrong horse"}}).json["error"]["code"],
            "wrong-password");
  const auto back = elsewhere.post("/api/sign-in", {{"email", "ADA@example.org"}, {"password", "correct horse"}});
  ASSERT_EQ(back.status, 200) << back.body;
  EXPECT_EQ(back.headers.at("Set-Cookie").find("Max-Age"), std::string::npos) << "not asked to stay";
  EXPECT_EQ(elsewhere.get("/api/my-tables").json["tables"][0]["id"], made.json["id"]);
  EXPECT_EQ(elsewhere.post("/api/register", {{"email", "x@example.org"}, {"password", "correct horse"}}).json["error"]["code"],
            "registered-already");
  TestClient third(server.port());
  EXPECT_EQ(third.post("/api/register", {{"email", "ada@example.org"}, {"password", "correct horse"}}).json["error"]["code"],
            "email-taken");

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
  ASSERT_EQ(client.post("/api/register", {{"email", "b@example.org"}, {"password", "first password"}, {"name", "Berta"}, {"locale", "ja"}})
                .status,
            200);
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
      gus->post("/api/tables", {{"game", "company-commander"}, {"visibility", "public"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}}}})
          .json["id"];
  ASSERT_EQ(ada->post("/api/tables/" + table + "/join", Json::object()).status, 200);
  ASSERT_EQ(gus->ask({{"type", "chat"}, {"table", table}, {"text", "hello"}})["ok"], true);
  // A table that he made and where he talks, but does not sit.
  const std::string hosted = gus->post("/api/tables", {{"game", "company-commander"}, {"visibility", "public"}}).json["id"];
  ASSERT_EQ(ada->post("/api/tables/" + hosted + "/join", {{"seat", "german"}}).status, 200);
  ASSERT_EQ(gus->ask({{"type", "chat"}, {"table", hosted}, {"text", "welcome"}})["ok"], true);
  EXPECT_THAT(everything_shown(*ada, table), testing::HasSubstr("Gustav-the-First"));
  EXPECT_THAT(ada->get("/api/tables/" + table + "/record?viewer=german").body, testing::HasSubstr("Gustav-the-First"))
      << "files name who plays";

  // Renamed while the tables rest in the database.
  server_.restart();
  gus = back(*gus);
  ada = back(*ada);
  ASSERT_EQ(gus->post("/api/account", {{"name", "Gustav-the-Second"}}).status, 200);
  for (const std::string& id : {table, hosted}) {
    EXPECT_THAT(everything_shown(*ada, id),
                testing::AllOf(testing::HasSubstr("Gustav-the-Second"), testing::Not(testing::HasSubstr("Gustav-the-First"))));
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
  for (int i = 0; i < 30; ++i)
    refused +=
        client.post("/api/account", {{"password", "other password"}, {"old_password", "guess " + std::to_string(i)}}).status == 429 ? 1 : 0;
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
  for (const char* other : {"https://elsewhere.example", "http://tables.example.org", "https://tables.example.org:8443",
                            "https://tables.example.org.elsewhere.example", "null"}) {
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
    accounts.enrol(std::nullopt, "c@example.org", "first password", "Cleo", "en", false,
                   [&](const Outcome<Accounts::Signed>& entered) { account = entered->account; });
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
  EXPECT_EQ(there.post("/api/register", {{"email", "d@example.org"}, {"password", "some password"}}).status, 200)
      << "the address is free again";
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

}  // namespace
}  // namespace baton::table
