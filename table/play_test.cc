// Whole games and single moves over the line, against a real server.
#include <gmock/gmock.h>

#include <set>
#include <thread>

#include "match/registry.h"
#include "table/test_postgres.h"
#include "table/test_server.h"
#include "table/thinkers.h"

namespace baton::table {
namespace {

Json solo_table(const std::string& level = "greedy") {
  return {{"game", "company-commander"},
          {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "bot"}, {"level", level}}}}};
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
      const Json answer =
          client->ask({{"type", "act"}, {"id", "a" + std::to_string(acts++)}, {"table", table}, {"seat", "us"}, {"action", action}});
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
  EXPECT_EQ(
      std::count_if(steps.begin(), steps.end(), [&](std::size_t line) { return std::get<StepLine>(read->lines[line]).words == words; }), 1)
      << words;
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

TEST(Play, AStopOfTheServerStoresTheTimeUsed) {
  TestServer server;
  const auto client = server.guest();
  const std::string table = make_table(*client, {{"game", "company-commander"},
                                                 {"pace", {{"kind", "turn"}, {"seconds", 60}}},
                                                 {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "device"}}}}});
  constexpr auto thought = std::chrono::milliseconds(1500);
  std::this_thread::sleep_for(thought);
  server.restart();
  client->hang_up();
  TestClient again(server.port());
  again.set_cookie(client->cookie());
  ASSERT_EQ(again.connect(), 101);
  ASSERT_EQ(again.ask({{"type", "watch"}, {"table", table}})["ok"], true);
  const Json snapshot = again.next("snapshot");
  int running = 0;
  for (const Json& clock : snapshot["clocks"]) {
    if (clock["running"] == false) continue;
    ++running;
    EXPECT_LE(clock["left_ms"], 60'000 - thought.count());
  }
  EXPECT_EQ(running, 1);
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
  ASSERT_FALSE(hint["hint"]["considered"].empty());
  for (const Json& one : hint["hint"]["considered"]) {
    const double chance = one["chance"].get<double>();
    EXPECT_TRUE(chance > 0.02 && chance < 0.98) << "nothing is decided when squads are deployed: " << one;
    EXPECT_LE(one["line"].size(), 4u);
    EXPECT_LE(one["certain"].get<std::size_t>(), one["line"].size());
  }
  EXPECT_TRUE(hint["hint"]["considered"][0]["line"][0].contains("do")) << "what is expected to follow";
  const Json odds = client->ask({{"type", "odds"}, {"table", table}, {"seat", "us"}, {"action", eyes.actions()[0]}});
  EXPECT_EQ(odds["ok"], true) << odds;
  EXPECT_TRUE(odds.contains("odds"));
}

// Joined and watched by both; who chooses first is left to the dice.
struct TwoPeople {
  TestServer server;
  std::unique_ptr<TestClient> us = server.guest("Ada"), german = server.guest("Berta");
  std::string table;
  Eyes us_eyes, german_eyes;

  explicit TwoPeople(Json wanted = {{"game", "company-commander"}}) {
    wanted["seats"] = {{{"seat", "us"}, {"kind", "me"}}};
    table = make_table(*us, wanted);
    EXPECT_EQ(german->post("/api/tables/" + table + "/join", Json::object()).status, 200);
    EXPECT_EQ(us->ask({{"type", "watch"}, {"table", table}})["ok"], true);
    EXPECT_EQ(german->ask({{"type", "watch"}, {"table", table}})["ok"], true);
    us_eyes.take(us->next("snapshot"));
    german_eyes.take(german->next("snapshot"));
  }

  void play_to_the_end() {
    std::uint64_t chosen = 5;
    while (!us_eyes.over() || !german_eyes.over()) {
      for (auto [client, eyes, seat] : {std::tuple{us.get(), &us_eyes, "us"}, std::tuple{german.get(), &german_eyes, "german"}}) {
        while (auto message = client->receive_if_any(std::chrono::milliseconds(1))) eyes->take(*message);
        if (eyes->over() || eyes->actions().size() < 2) continue;
        chosen = chosen * 6364136223846793005u + 1442695040888963407u;
        client->ask({{"type", "act"},
                     {"id", seat + std::to_string(chosen)},
                     {"table", table},
                     {"seat", seat},
                     {"action", eyes->actions()[(chosen >> 33) % eyes->actions().size()]}});
      }
    }
  }
};

TEST(Play, TwoTabsShowTheSameAndAStaleOneIsTold) {
  TestServer server;
  const auto first = server.guest();
  const std::string table = make_table(
      *first, {{"game", "company-commander"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "device"}}}}});
  TestClient second(server.port());
  second.set_cookie(first->cookie());
  ASSERT_EQ(second.connect(), 101);
  Eyes here, there;
  ASSERT_EQ(first->ask({{"type", "watch"}, {"table", table}, {"viewer", "us"}})["ok"], true);
  here.take(first->next("snapshot"));
  const std::string seat = here.snapshot["view"]["choosing"][0];
  here.await_choice(*first, table, seat, "deploy");
  there.await_choice(second, table, seat, "deploy");
  const Json act = {{"type", "act"}, {"id", "tab"}, {"table", table}, {"seat", seat}, {"action", here.actions()[0]}};
  const Json stale = {{"type", "act"}, {"id", "other"}, {"table", table}, {"seat", seat}, {"action", here.actions()[0]}};
  ASSERT_EQ(first->ask(act)["ok"], true);
  here.take(first->next("update"));
  EXPECT_EQ(second.ask(act)["ok"], true) << "the same request from the other tab is the same request";
  EXPECT_EQ(second.ask(stale)["error"]["code"], "illegal") << "the unit stands on the front already";
  there.take(second.next("update"));
  EXPECT_EQ(there.snapshot["view"], here.snapshot["view"]);
  EXPECT_EQ(there.snapshot["log"], here.snapshot["log"]);
  // The tab that was closed comes back and has everything.
  second.hang_up();
  ASSERT_EQ(first->ask({{"type", "undo"}, {"id", "back"}, {"table", table}, {"seat", seat}})["ok"], true);
  here.take(first->next("update"));
  ASSERT_EQ(first->ask({{"type", "undo"}, {"id", "back"}, {"table", table}, {"seat", seat}})["ok"], true)
      << "once more, and only once done";
  ASSERT_EQ(second.connect(), 101);
  ASSERT_EQ(second.ask({{"type", "watch"}, {"table", table}, {"viewer", seat}})["ok"], true);
  there.take(second.next("snapshot"));
  EXPECT_EQ(there.snapshot["view"], here.snapshot["view"]);
}

TEST(Play, ARunningGameGoesToTheProgramAndBack) {
  TestServer server;
  const auto client = server.guest();
  const std::string table = make_table(*client, solo_table());
  Eyes eyes;
  eyes.await_choice(*client, table, "us", "deploy");
  ASSERT_EQ(client->ask({{"type", "act"}, {"table", table}, {"seat", "us"}, {"action", eyes.actions()[0]}})["ok"], true);
  eyes.take(client->next("update"));
  const auto downloaded = client->get("/api/tables/" + table + "/record");
  ASSERT_EQ(downloaded.status, 200);
  EXPECT_THAT(downloaded.headers.at("Content-Disposition"), testing::HasSubstr("attachment"));
  // The program goes on with it …
  const auto record = read_record("downloaded", downloaded.body);
  ASSERT_TRUE(record) << record.error().text();
  auto match = load_match(*record, Seeded{7});
  ASSERT_TRUE(match) << match.error().text();
  ASSERT_EQ((*match)->view(Seat{0}), eyes.snapshot["view"]);
  ASSERT_TRUE((*match)->act(Seat{0}, (*match)->actions(Seat{0}).front()));
  // … and a table with what the program saved.
  const auto opened = client->post(
      "/api/tables/open",
      {{"record", text_of((*match)->record())}, {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "device"}}}}});
  ASSERT_EQ(opened.status, 200) << opened.body;
  EXPECT_EQ(opened.json["status"], "running");
  Eyes again;
  ASSERT_EQ(client->ask({{"type", "watch"}, {"table", opened.json["id"]}, {"viewer", "us"}})["ok"], true);
  again.take(client->next("snapshot"));
  EXPECT_EQ(again.snapshot["view"]["state"], (*match)->view(Seat{0})["state"]);
  EXPECT_EQ(again.snapshot["log"], (*match)->events(Seat{0}));
  // Whoever plays against other people gets only what the seat saw.
  TwoPeople two;
  const auto seen = two.us->get("/api/tables/" + two.table + "/record");
  ASSERT_EQ(seen.status, 200);
  EXPECT_THAT(seen.body, testing::StartsWith("{\"format\":\"baton-seat-record\""));
  EXPECT_EQ(two.us->get("/api/tables/" + two.table + "/verify").json["error"]["code"], "not-over");
}

TEST(Play, AfterTheEndARematchWithSidesSwapped) {
  TwoPeople two({{"game", "company-commander"}, {"visibility", "public"}, {"options", {{"max_rounds", 1}}}});
  EXPECT_EQ(two.us->post("/api/tables/" + two.table + "/rematch", Json::object()).json["error"]["code"], "not-over");
  EXPECT_EQ(two.server.guest("Cleo")->get("/api/lobby").json["tables"][0]["id"], two.table);
  const auto mine = two.us->get("/api/my-tables").json["tables"][0];
  EXPECT_EQ(mine["your_turn"], two.us_eyes.snapshot["view"]["choosing"][0] == "us");
  two.play_to_the_end();
  const auto next = two.us->post("/api/tables/" + two.table + "/rematch", Json::object());
  ASSERT_EQ(next.status, 200) << next.body;
  EXPECT_EQ(two.us->post("/api/tables/" + two.table + "/rematch", Json::object()).json["id"], next.json["id"]) << "asked again: the same";
  EXPECT_EQ(two.german->post("/api/tables/" + two.table + "/rematch", Json::object()).json["id"], next.json["id"]);
  Json notice;
  do notice = two.german->next("notice");
  while (notice["notice"] != "rematch");
  EXPECT_EQ(notice["table"], next.json["id"]);
  const std::string table = next.json["id"];
  ASSERT_EQ(two.german->post("/api/tables/" + table + "/join", Json::object()).status, 200);
  const auto summary = two.us->get("/api/tables/" + table).json;
  EXPECT_EQ(summary["status"], "running");
  EXPECT_EQ(summary["seats"][0]["name"], "Berta");
  EXPECT_EQ(summary["seats"][1]["name"], "Ada");
  // The finished one can be watched through anybody's eyes, and its dice be checked.
  EXPECT_EQ(two.us->get("/api/tables/" + two.table + "/replay?viewer=german").status, 200);
  EXPECT_EQ(two.us->get("/api/tables/" + two.table + "/verify").json["right"], true);
}

// Company Leader can be given up as soon as everybody has placed, so that a game is over at once.
std::string make_finished_table(TestClient& red, TestClient* blue) {
  Json seats = {{{"seat", "red"}, {"kind", "me"}}};
  if (blue == nullptr) seats.push_back({{"seat", "blue"}, {"kind", "bot"}, {"level", "greedy"}});
  const std::string table = make_table(red, {{"game", "company-leader"}, {"seats", seats}});
  if (blue != nullptr) {
    EXPECT_EQ(blue->post("/api/tables/" + table + "/join", Json::object()).status, 200);
  }
  const auto choose = [&](TestClient& client, const std::string& seat, const std::string& what) {
    return client.ask({{"type", "act"}, {"id", seat + "-" + what}, {"table", table}, {"seat", seat}, {"action", {{"do", what}}}})["ok"] ==
           true;
  };
  for (const char* what : {"place-for-me", "ready"}) {
    EXPECT_TRUE(choose(red, "red", what));
    EXPECT_TRUE(blue == nullptr || choose(*blue, "blue", what));
  }
  // Whoever's turn it is.
  const auto gives_up = [&] { return choose(red, "red", "surrender") || (blue != nullptr && choose(*blue, "blue", "surrender")); };
  for (int i = 0; i < 200 && !gives_up(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(red.get("/api/tables/" + table).json["status"], "over");
  return table;
}

TEST(Play, ARematchAskedForByAllAtOnceIsOne) {
  TestServer server;
  const auto red = server.guest("Ada"), blue = server.guest("Berta");
  const std::string table = make_finished_table(*red, blue.get());
  std::vector<std::string> ids(8);
  std::vector<std::thread> asking;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    asking.emplace_back([&, i] {
      TestClient client(server.port());
      client.set_cookie((i % 2 == 0 ? red : blue)->cookie());
      ids[i] = client.post("/api/tables/" + table + "/rematch", Json::object()).json.value("id", "");
    });
  }
  for (std::thread& one : asking) one.join();
  EXPECT_FALSE(ids[0].empty());
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 1u) << testing::PrintToString(ids);
  // The other's seat is kept, found without a link, and taken without a key.
  TestClient& host = red->get("/api/tables/" + ids[0]).json["you_host"] == true ? *red : *blue;
  TestClient& other = &host == red.get() ? *blue : *red;
  const auto mine = other.get("/api/my-tables").json["tables"];
  const auto listed = std::find_if(mine.begin(), mine.end(), [&](const Json& one) { return one["id"] == ids[0]; });
  ASSERT_NE(listed, mine.end());
  std::string kept;
  for (const Json& seat : (*listed)["seats"]) {
    if (seat.value("kept_for_me", false)) kept = seat["seat"];
  }
  const auto joined = other.post("/api/tables/" + ids[0] + "/join", {{"seat", kept}});
  EXPECT_EQ(joined.status, 200) << joined.body;
  EXPECT_EQ(joined.json["status"], "running");
}

TEST(Play, ARematchThatWasClosedCanBeAskedForAgain) {
  TestServer server;
  const auto red = server.guest("Ada"), blue = server.guest("Berta");
  const std::string table = make_finished_table(*red, blue.get());
  const std::string first = red->post("/api/tables/" + table + "/rematch", Json::object()).json["id"];
  ASSERT_EQ(red->post("/api/tables/" + first + "/close", Json::object()).status, 200);
  const auto second = blue->post("/api/tables/" + table + "/rematch", Json::object());
  ASSERT_EQ(second.status, 200) << second.body;
  EXPECT_NE(second.json["id"], first);
  EXPECT_EQ(red->post("/api/tables/" + table + "/rematch", Json::object()).json["id"], second.json["id"]);
}

TEST(Play, ARematchCountsAsATable) {
  Settings settings = TestServer::quick_settings();
  settings.limit_rates = true;
  TestServer server(settings);
  const auto red = server.guest("Ada");
  const std::string table = make_finished_table(*red, nullptr);
  constexpr int most_of_a_guest = 20;
  for (int i = 0; i < most_of_a_guest; ++i) make_table(*red, {{"game", "company-leader"}});
  const auto refused = red->post("/api/tables/" + table + "/rematch", Json::object());
  EXPECT_EQ(refused.status, 429) << refused.body;
  EXPECT_EQ(refused.json["error"]["code"], "too-many");
}

TEST(Play, BranchingARunningGameIsToldToWhoeverComesLater) {
  TestServer server;
  const auto us = server.guest("Ada"), later = server.guest("Berta");
  const std::string table = make_table(*us, solo_table());
  EXPECT_FALSE(us->get("/api/tables/" + table).json.contains("truth_known"));
  const auto branch = us->post("/api/tables/" + table + "/branch", {{"step", 0}});
  ASSERT_EQ(branch.status, 200) << branch.body;
  EXPECT_EQ(branch.json["truth_known"], true);
  EXPECT_EQ(later->get("/api/tables/" + table).json["truth_known"], true);
}

TEST(Play, APersonMayLendTheSeatToAStewardAndTakeItBack) {
  TwoPeople two;
  const std::string path = "/api/tables/" + two.table + "/steward";
  EXPECT_EQ(two.us->post(path, {{"seat", "german"}, {"level", "greedy"}}).json["error"]["code"], "not-allowed");
  EXPECT_EQ(two.us->post(path, {{"seat", "german"}}).json["error"]["code"], "not-allowed") << "she is here";
  ASSERT_EQ(two.german->post(path, {{"seat", "german"}}).status, 200);
  EXPECT_EQ(two.us->get("/api/tables/" + two.table).json["seats"][1]["steward"], standard_level());
  ASSERT_EQ(two.german->post(path, {{"seat", "german"}, {"level", "greedy"}}).status, 200);
  EXPECT_EQ(two.us->get("/api/tables/" + two.table).json["seats"][1]["steward"], "greedy");
  ASSERT_EQ(two.german->post(path, {{"seat", "german"}, {"level", nullptr}}).status, 200);
  EXPECT_FALSE(two.us->get("/api/tables/" + two.table).json["seats"][1].contains("steward"));
  ASSERT_EQ(two.german->post("/api/tables/" + two.table + "/leave", Json::object()).status, 200);
  EXPECT_EQ(two.us->get("/api/tables/" + two.table).json["seats"][1]["kind"], "open");
  ASSERT_EQ(two.german->post("/api/tables/" + two.table + "/join", Json::object()).status, 200) << "and sits down again";
  EXPECT_EQ(two.us->get("/api/tables/" + two.table).json["seats"][1]["name"], "Berta");
}

}  // namespace
}  // namespace baton::table
