// What each client gets over the line, held against what its seat may know.
#include <gmock/gmock.h>

#include <array>
#include <set>

#include "match/registry.h"
#include "table/test_server.h"

namespace baton::table {
namespace {

const std::set<std::string> update_keys = {"type",   "table", "viewer",   "version",    "summary", "view", "log_from",     "log",
                                           "clocks", "chat",  "may_undo", "undo_asked", "orders",  "dice", "forced_in_ms", "cause"};

struct Player {
  std::unique_ptr<TestClient> client;
  std::string seat;
  Json view;
  std::vector<Json> messages;

  void take(const Json& message) {
    if (message["type"] != "snapshot" && message["type"] != "update") return;
    messages.push_back(message);
    if (message.contains("view")) view = message["view"];
  }
  void take_waiting() {
    while (auto message = client->receive_if_any(std::chrono::milliseconds(0))) take(*message);
  }
};

struct Case {
  std::string game, option;
  std::array<std::string, 2> seats;
  std::string secret_event;  // told to one seat at most, never to those who watch
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.game; }

class FogOf : public testing::TestWithParam<Case> {};

// Two people and a spectator play a game with the server's own dice, so it may be a short one; then the record tells what the truth was.
TEST_P(FogOf, EveryByteComesFromTheViewersOwnKnowledge) {
  const Case& played = GetParam();
  TestServer server;
  Player first{server.guest("Ada"), played.seats[0], {}, {}}, second{server.guest("Berta"), played.seats[1], {}, {}},
      watching{server.guest("Cleo"), "spectator", {}, {}};
  const auto made = first.client->post(
      "/api/tables", {{"game", played.game}, {"options", {{played.option, 4}}}, {"seats", {{{"seat", first.seat}, {"kind", "me"}}}}});
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string table = made.json["id"];
  ASSERT_EQ(second.client->post("/api/tables/" + table + "/join", {{"seat", second.seat}}).status, 200);
  for (Player* player : {&first, &second, &watching}) {
    ASSERT_EQ(player->client->ask({{"type", "watch"}, {"table", table}, {"viewer", player->seat}})["ok"], true);
    player->take(player->client->next("snapshot"));
  }
  std::uint64_t chosen = 7;
  bool over = false;
  for (int i = 0; i < 20'000 && !over; ++i) {
    bool anybody = false;
    for (Player* player : {&first, &second}) {
      player->take_waiting();
      over = over || !player->view["result"].is_null();
      Json actions = Json::array();
      for (const Json& action : player->view["actions"]) {
        if (action["do"] != "surrender") actions.push_back(action);
      }
      if (player->view["actions"].size() < 2) continue;
      anybody = true;
      chosen = chosen * 6364136223846793005u + 1442695040888963407u;
      player->client->ask({{"type", "act"},
                           {"id", "f" + std::to_string(i)},
                           {"table", table},
                           {"seat", player->seat},
                           {"action", actions[(chosen >> 33) % actions.size()]}});
    }
    if (!anybody && !over) {
      if (auto message = first.client->receive_if_any(std::chrono::milliseconds(20))) first.take(*message);
    }
  }
  ASSERT_TRUE(over);
  for (Player* player : {&first, &second, &watching}) {
    while (auto message = player->client->receive_if_any(std::chrono::milliseconds(200))) player->take(*message);
  }

  const auto record = read_record("record", first.client->get("/api/tables/" + table + "/record").body);
  ASSERT_TRUE(record) << record.error().text();
  const auto match = load_match(*record);
  ASSERT_TRUE(match) << match.error().text();
  ASSERT_GT((*match)->steps(), 20u);
  for (const Player* player : {&first, &second, &watching}) {
    const Seat viewer = *(*match)->seat_named(player->seat);
    Json log = Json::array();
    std::size_t step = 0;
    int shown = 0;
    for (const Json& message : player->messages) {
      const bool update = message["type"] == "update";
      for (const auto& [key, value] : message.items()) EXPECT_TRUE(update_keys.contains(key)) << key;
      if (message.contains("view")) {
        // Some step, later than the last, looked exactly like this to the viewer.
        while (step <= (*match)->steps() && (*match)->view_at(viewer, step) != message["view"]) ++step;
        ASSERT_LE(step, (*match)->steps()) << "a view that " << player->seat << " should never have seen: " << message["view"].dump();
        shown += update ? 1 : 0;
      }
      if (message.contains("log")) {
        EXPECT_EQ(update ? message["log_from"].get<std::size_t>() : 0, log.size());
        for (const Json& event : message["log"]) log.push_back(event);
      }
      // Nothing else carries anything of the game.
      for (const char* part : {"summary", "clocks", "chat", "orders", "dice"}) {
        if (!message.contains(part)) continue;
        const std::string text = message[part].dump();
        for (const char* word : {"hand", "card", "deck", "unit", "step", "draw"})
          EXPECT_EQ(text.find(word), std::string::npos) << part << ": " << text;
      }
    }
    EXPECT_EQ(log, (*match)->events(viewer));
    // One update for every change that the viewer could see, none for others: the number of messages tells nothing.
    EXPECT_LE(shown, static_cast<int>((*match)->frames(viewer, false).size()));
    EXPECT_GT(shown, 10);
  }
  if (played.secret_event.empty()) return;
  EXPECT_NE(first.client->everything_received().find(played.secret_event), std::string::npos);
  EXPECT_EQ(watching.client->everything_received().find(played.secret_event), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Games, FogOf,
                         testing::Values(Case{"company-commander", "max_rounds", {"us", "german"}, "card-drawn"},
                                         Case{"company-leader", "turn_limit", {"red", "blue"}, ""}),
                         [](const auto& one) { return one.param.game == "company-leader" ? "CompanyLeader" : "CompanyCommander"; });

TEST(Fog, OthersCannotBorrowASeat) {
  TestServer server;
  const auto host = server.guest("Ada"), other = server.guest("Berta");
  const auto made = host->post("/api/tables",
                               {{"game", "company-commander"},
                                {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "bot"}, {"level", "greedy"}}}}});
  const std::string table = made.json["id"];
  EXPECT_EQ(other->ask({{"type", "watch"}, {"table", table}, {"viewer", "us"}})["error"]["code"], "not-yours");
  EXPECT_EQ(other->get("/api/tables/" + table + "/replay?viewer=us").status, 403);
  EXPECT_EQ(other->get("/api/tables/" + table + "/record?viewer=us").status, 403);
  const auto seen = other->get("/api/tables/" + table + "/record");
  ASSERT_EQ(seen.status, 200);
  EXPECT_NE(seen.body.find("baton-seat-record"), std::string::npos);
  EXPECT_NE(seen.body.find("\"seat\":\"spectator\""), std::string::npos);
  EXPECT_EQ(other->ask({{"type", "watch"}, {"table", table}})["ok"], true);
  EXPECT_EQ(other->next("snapshot")["viewer"], "spectator");
  for (const char* type : {"act", "odds", "why-not"}) {
    EXPECT_EQ(other->ask({{"type", type}, {"table", table}, {"seat", "us"}, {"action", {{"do", "done"}}}})["error"]["code"], "not-yours");
  }
  EXPECT_EQ(other->ask({{"type", "hint"}, {"table", table}, {"seat", "us"}})["error"]["code"], "not-yours");
}

// Whoever gives a seat up may go on watching, but no longer through it.
TEST(Fog, WhoGivesASeatUpSeesNothingMoreThroughIt) {
  TestServer server;
  const auto host = server.guest("Ada"), next = server.guest("Berta");
  TestClient through_it(server.port());
  through_it.set_cookie(host->cookie());
  ASSERT_EQ(through_it.connect(), 101);
  const auto made = host->post("/api/tables", {{"game", "company-commander"},
                                               {"visibility", "public"},
                                               {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "device"}}}}});
  const std::string table = made.json["id"];
  ASSERT_EQ(host->ask({{"type", "watch"}, {"table", table}, {"viewer", "us"}})["ok"], true);
  ASSERT_EQ(through_it.ask({{"type", "watch"}, {"table", table}, {"viewer", "german"}})["ok"], true);
  EXPECT_EQ(through_it.next("snapshot")["viewer"], "german");
  ASSERT_EQ(host->post("/api/tables/" + table + "/seat", {{"seat", "german"}, {"kind", "open"}}).status, 200);
  const Json outside = through_it.next("snapshot");
  EXPECT_EQ(outside["viewer"], "spectator");
  EXPECT_EQ(outside["view"]["seat"], "spectator");
  EXPECT_TRUE(outside["view"]["actions"].empty());
  const auto joined = next->post("/api/tables/" + table + "/join", {{"seat", "german"}});
  ASSERT_EQ(joined.status, 200) << joined.body;
  EXPECT_EQ(joined.json["truth_known"], true);
  Player us{nullptr, "us", {}, {}}, german{nullptr, "german", {}, {}};
  for (auto [client, player] : {std::pair{host.get(), &us}, std::pair{next.get(), &german}}) {
    ASSERT_EQ(client->ask({{"type", "watch"}, {"table", table}, {"viewer", player->seat}})["ok"], true);
  }
  const std::size_t before = through_it.everything_received().size();
  int acted = 0;  // three or more in a turn, so that nobody can have won yet, whatever the server's own dice show
  for (int i = 0; i < 2000 && acted < 6; ++i) {
    for (auto [client, player] : {std::pair{host.get(), &us}, std::pair{next.get(), &german}}) {
      while (auto message = client->receive_if_any(std::chrono::milliseconds(1))) player->take(*message);
      if (player->view.is_null() || player->view["actions"].size() < 2) continue;
      const bool done = client->ask({{"type", "act"},
                                     {"id", "g" + std::to_string(i) + player->seat},
                                     {"table", table},
                                     {"seat", player->seat},
                                     {"action", player->view["actions"][0]}})["ok"] == true;
      acted += done && player == &german;
    }
  }
  ASSERT_GE(acted, 6);
  int updates = 0;
  while (auto message = through_it.receive_if_any(std::chrono::milliseconds(200))) {
    if ((*message)["type"] != "update") continue;
    ++updates;
    EXPECT_EQ((*message)["viewer"], "spectator");
    if (message->contains("view")) {
      EXPECT_EQ((*message)["view"]["seat"], "spectator");
    }
  }
  EXPECT_GT(updates, 0);
  const std::string after = through_it.everything_received().substr(before);
  EXPECT_EQ(after.find("\"seat\":\"german\",\"choosing\""), std::string::npos);
  EXPECT_EQ(through_it.ask({{"type", "watch"}, {"table", table}, {"viewer", "german"}})["error"]["code"], "not-yours");
  EXPECT_EQ(host->get("/api/tables/" + table + "/replay?viewer=german").status, 403);
  // The same for whoever gets up.
  ASSERT_EQ(next->post("/api/tables/" + table + "/leave", Json::object()).status, 200);
  Json last;
  do last = next->next("snapshot");
  while (last["viewer"] != "spectator");
  EXPECT_TRUE(last["view"]["actions"].empty());
  // And the truth is not read in their absence.
  EXPECT_THAT(host->get("/api/tables/" + table + "/record").body, testing::StartsWith("{\"format\":\"baton-seat-record\""));
}

TEST(Fog, TeamChatReachesTheTeamAlone) {
  TestServer server;
  const auto red = server.guest("Ada"), blue = server.guest("Berta"), orange = server.guest("Cleo"), cyan = server.guest("Dora"),
             outside = server.guest("Elsa");
  const auto made =
      red->post("/api/tables", {{"game", "company-leader"}, {"scenario", "teams"}, {"seats", {{{"seat", "red"}, {"kind", "me"}}}}});
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string table = made.json["id"];
  for (auto [client, seat] : {std::pair{blue.get(), "blue"}, std::pair{orange.get(), "orange"}, std::pair{cyan.get(), "cyan"}}) {
    ASSERT_EQ(client->post("/api/tables/" + table + "/join", {{"seat", seat}}).status, 200);
  }
  for (TestClient* client : {red.get(), blue.get(), orange.get(), cyan.get(), outside.get()}) {
    ASSERT_EQ(client->ask({{"type", "watch"}, {"table", table}})["ok"], true);
  }
  for (const auto& [text, to] :
       {std::pair{"all-1", "table"}, std::pair{"warm-1", "team"}, std::pair{"warm-2", "team"}, std::pair{"all-2", "table"}}) {
    ASSERT_EQ(red->ask({{"type", "chat"}, {"table", table}, {"text", text}, {"to", to}})["ok"], true);
  }
  const auto heard = [&](TestClient& client) {
    Json lines = Json::array();
    while (auto message = client.receive_if_any(std::chrono::milliseconds(200))) {
      if (!message->contains("chat")) continue;
      for (const Json& line : (*message)["chat"]) lines.push_back({line["number"], line["text"]});
    }
    return lines;
  };
  const Json whole = {{1, "all-1"}, {2, "warm-1"}, {3, "warm-2"}, {4, "all-2"}}, open = {{1, "all-1"}, {2, "all-2"}};
  EXPECT_EQ(heard(*red), whole);
  EXPECT_EQ(heard(*orange), whole);
  for (TestClient* client : {blue.get(), cyan.get(), outside.get()}) {
    // Not even that something was said.
    EXPECT_EQ(heard(*client), open);
    EXPECT_EQ(client->everything_received().find("warm-"), std::string::npos);
    ASSERT_EQ(client->ask({{"type", "watch"}, {"table", table}})["ok"], true);
    EXPECT_EQ(heard(*client), open);
  }
  // Whoever gets up hears it no more, whoever takes a seat of the team does; nobody of the others may.
  ASSERT_EQ(orange->post("/api/tables/" + table + "/leave", Json::object()).status, 200);
  EXPECT_EQ(heard(*orange), open);
  EXPECT_EQ(blue->post("/api/tables/" + table + "/join", {{"seat", "orange"}}).json["error"]["code"], "other-side");
  ASSERT_EQ(outside->post("/api/tables/" + table + "/join", {{"seat", "orange"}}).status, 200);
  ASSERT_EQ(outside->ask({{"type", "watch"}, {"table", table}, {"viewer", "orange"}})["ok"], true);
  EXPECT_EQ(heard(*outside), whole);
}

}  // namespace
}  // namespace baton::table
