// Whole games and single moves over the line, against a real server.
#include <gmock/gmock.h>

#include "match/registry.h"
#include "table/test_postgres.h"
#include "table/test_server.h"
#include "table/thinkers.h"

namespace baton::table {
namespace {

Json solo_table(const std::string& level = "greedy") {
  return {{"game", "company-commander"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "bot"}, {"level", level}}}}};
}

std::string make_table(TestClient& client, const Json& table) {
  const auto made = client.post("/api/tables", table);
  EXPECT_EQ(made.status, 200) << made.body;
  return made.json.value("id", "");
}

void play_a_whole_game(const std::string& database) {
  Settings settings = TestServer::quick_settings();
  settings.database = database;
  TestServer server(settings);
  const auto client = server.guest();
  const std::string table = make_table(*client, solo_table());
  ASSERT_EQ(client->ask({{"type", "watch"}, {"table", table}, {"viewer", "us"}})["ok"], true);
  Eyes eyes;
  eyes.take(client->next("snapshot"));
  EXPECT_EQ(eyes.snapshot["viewer"], "us");
  std::uint64_t chosen = 1;
  int acts = 0;
  while (!eyes.over()) {
    if (eyes.actions().size() > 1) {
      chosen = chosen * 6364136223846793005u + 1442695040888963407u;
      const Json action = eyes.actions()[(chosen >> 33) % eyes.actions().size()];
      const Json answer = client->ask({{"type", "act"}, {"id", "a" + std::to_string(acts++)}, {"table", table}, {"seat", "us"}, {"action", action}});
      ASSERT_EQ(answer["ok"], true) << answer << action;
      // The update that the action led to comes right behind its answer.
      eyes.take(client->next("update"));
      continue;
    }
    eyes.take(client->receive());
  }
  EXPECT_GE(acts, 3);  // against the computer a random player may lose soon
  EXPECT_FALSE(eyes.snapshot["view"]["result"].is_null());

  // The record of the finished game plays again, dice included, and the log is what the seat saw.
  const auto record = client->get("/api/tables/" + table + "/record");
  ASSERT_EQ(record.status, 200);
  const auto read = read_record("downloaded", record.body);
  ASSERT_TRUE(read) << read.error().text();
  const auto match = load_match(*read);
  ASSERT_TRUE(match) << match.error().text();
  EXPECT_EQ((*match)->events(Seat{0}), eyes.snapshot["log"]);
  EXPECT_EQ((*match)->view(Seat{0}), eyes.snapshot["view"]);
  const auto verified = client->get("/api/tables/" + table + "/verify");
  EXPECT_EQ(verified.json["right"], true) << verified.body;
  EXPECT_EQ(verified.json["unrevealed"], 0);
  const auto replay = client->get("/api/tables/" + table + "/replay?viewer=german");
  ASSERT_EQ(replay.status, 200) << replay.body;
  EXPECT_EQ(replay.json["frames"].back()["step"], (*match)->steps());
}

TEST(Play, AGuestPlaysAWholeGameAgainstTheComputer) { play_a_whole_game(""); }
TEST(Play, TheSameOnPostgreSql) { play_a_whole_game(TestPostgres::shared().url("play")); }

TEST(Play, ARepeatedRequestIsDoneOnceAndAnsweredAlike) {
  TestServer server;
  const auto client = server.guest();
  const std::string table = make_table(*client, solo_table());
  Eyes eyes;
  eyes.await_choice(*client, table, "us", "deploy");
  const Json act = {{"type", "act"}, {"id", "once"}, {"table", table}, {"seat", "us"}, {"action", eyes.actions()[0]}};
  const Json first = client->ask(act);
  ASSERT_EQ(first["ok"], true) << first;
  const Json second = client->ask(act);
  EXPECT_EQ(first, second);
  // The same after the server was away.
  server.restart();
  client->hang_up();
  TestClient again(server.port());
  again.set_cookie(client->cookie());
  ASSERT_EQ(again.connect(), 101);
  EXPECT_EQ(again.ask(act), first);
  const auto record = again.get("/api/tables/" + table + "/record");
  const auto read = read_record("downloaded", record.body);
  ASSERT_TRUE(read);
  const auto match = load_match(*read);
  ASSERT_TRUE(match);
  const std::string words = (*match)->words(*(*match)->from_json(act["action"]));
  const auto steps = standing_steps(*read);
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(), [&](std::size_t line) { return std::get<StepLine>(read->lines[line]).words == words; }), 1) << words;
}

TEST(Play, WhatTheRulesRefuseIsSaidWithItsReason) {
  TestServer server;
  const auto client = server.guest();
  const std::string table = make_table(*client, solo_table());
  Eyes eyes;
  eyes.await_choice(*client, table, "us", "deploy");
  const Json foreign = {{"do", "deploy"}, {"unit", "jaeger-1"}, {"front", "left"}};
  const Json refused = client->ask({{"type", "act"}, {"table", table}, {"seat", "us"}, {"action", foreign}});
  EXPECT_EQ(refused["ok"], false);
  EXPECT_EQ(refused["error"]["code"], "illegal");
  EXPECT_EQ(refused["error"]["why"], "unit-not-yours") << refused;
  const Json why = client->ask({{"type", "why-not"}, {"table", table}, {"seat", "us"}, {"action", foreign}});
  EXPECT_EQ(why["why"], "unit-not-yours");
  const Json other = client->ask({{"type", "act"}, {"table", table}, {"seat", "german"}, {"action", foreign}});
  EXPECT_EQ(other["error"]["code"], "not-yours");
  const Json nonsense = client->ask({{"type", "act"}, {"table", table}, {"seat", "us"}, {"action", {{"do", "fly"}}}});
  EXPECT_EQ(nonsense["error"]["code"], "bad-request");
}

TEST(Play, UndoTakesBackAndTheLogIsCut) {
  TestServer server;
  const auto client = server.guest();
  const std::string table = make_table(*client, solo_table());
  Eyes eyes;
  eyes.await_choice(*client, table, "us", "deploy");
  const Json before = eyes.snapshot;
  ASSERT_EQ(client->ask({{"type", "act"}, {"table", table}, {"seat", "us"}, {"action", eyes.actions()[0]}})["ok"], true);
  eyes.take(client->next("update"));
  ASSERT_EQ(eyes.snapshot["may_undo"], true);
  EXPECT_GT(eyes.snapshot["log"].size(), before["log"].size());
  ASSERT_EQ(client->ask({{"type", "undo"}, {"table", table}, {"seat", "us"}})["ok"], true);
  eyes.take(client->next("update"));
  EXPECT_EQ(eyes.snapshot["log"], before["log"]);
  EXPECT_EQ(eyes.snapshot["view"], before["view"]);
  EXPECT_EQ(eyes.snapshot["may_undo"], false);
}

TEST(Play, HintAndOddsComeFromTheSeatsOwnKnowledge) {
  TestServer server;
  const auto client = server.guest();
  const std::string table = make_table(*client, solo_table());
  Eyes eyes;
  eyes.await_choice(*client, table, "us");
  const Json hint = client->ask({{"type", "hint"}, {"table", table}, {"seat", "us"}});
  ASSERT_EQ(hint["ok"], true) << hint;
  EXPECT_THAT(eyes.actions(), testing::Contains(hint["hint"]["action"]));
  const Json odds = client->ask({{"type", "odds"}, {"table", table}, {"seat", "us"}, {"action", eyes.actions()[0]}});
  EXPECT_EQ(odds["ok"], true) << odds;
  EXPECT_TRUE(odds.contains("odds"));
}

}  // namespace
}  // namespace baton::table
