// Tables with a clock that the test moves: time, stewards, standing orders, what waits tell.
#include <gmock/gmock.h>

#include <set>

#include "table/test_hall.h"
#include "table/thinkers.h"

namespace baton::table {
namespace {

using TableTest = HallTest;

TEST(Clocks, LiveTimeRunsDownAndGrowsByTheIncrement) {
  const Pace pace{Pace::Kind::live, 60'000, 5'000, 0};
  Clock clock = fresh_clock(pace);
  start_clock(clock, pace, 1'000);
  EXPECT_EQ(runs_out_at(clock, pace), 61'000);
  start_clock(clock, pace, 9'000);  // it runs already
  stop_clock(clock, pace, 11'000);
  EXPECT_EQ(clock.left_ms, 60'000 - 10'000 + 5'000);
  EXPECT_EQ(runs_out_at(clock, pace), std::nullopt);
  start_clock(clock, pace, 20'000);
  stop_clock(clock, pace, 200'000);
  EXPECT_EQ(clock.left_ms, 0) << "who ran out of time gains none";
}

TEST(Clocks, DaysAreFreshForEachMoveAndTheBankIsNot) {
  const Pace pace{Pace::Kind::days, 2 * day.count(), 0, 3 * day.count()};
  Clock clock = fresh_clock(pace);
  start_clock(clock, pace, 1);
  stop_clock(clock, pace, 1 + 3 * day.count());
  EXPECT_EQ(clock.bank_ms, 2 * day.count());
  start_clock(clock, pace, 1);
  EXPECT_EQ(runs_out_at(clock, pace), 1 + 4 * day.count());
}

TEST(Clocks, APauseIsNeitherAMoveNorANewTurn) {
  const Pace live{Pace::Kind::live, 60'000, 5'000, 0}, turn{Pace::Kind::turn, 30'000, 0, 0};
  for (const Pace& pace : {live, turn}) {
    Clock clock = fresh_clock(pace);
    start_clock(clock, pace, 1'000);
    pause_clock(clock, 11'000);
    start_clock(clock, pace, 50'000);
    EXPECT_EQ(clock.left_ms, pace.base_ms - 10'000);
    EXPECT_EQ(runs_out_at(clock, pace), 50'000 + pace.base_ms - 10'000);
    pause_clock(clock, 51'000);
    stop_clock(clock, pace, 60'000);
    EXPECT_EQ(clock.left_ms, pace.base_ms - 11'000) << "the computer chose, and gains nothing";
  }
}

TEST_F(TableTest, LendingASeatGainsNoTime) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, {{"pace", {{"kind", "turn"}, {"seconds", 60}}}});
  const std::string asked = us.wire->latest["view"]["choosing"][0];
  const Person& chooser = asked == "us" ? us : german;
  loop_.advance(20 * second);
  table(id)->set_steward(chooser.who, asked, standard_level(), [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
  table(id)->set_steward(chooser.who, asked, std::nullopt, [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
  loop_.settle();
  EXPECT_EQ(table(id)->state().place(asked)->clock.left_ms, 40'000);
  table(id)->leave(chooser.who, std::nullopt, [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
  table(id)->join(chooser.who, asked, "", "", [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
  loop_.settle();
  EXPECT_EQ(table(id)->state().place(asked)->clock.left_ms, 40'000);
}

TEST_F(TableTest, WhoseTimeIsOutIsReplacedByASteward) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, {{"pace", {{"kind", "live"}, {"minutes", 1}, {"increment_seconds", 2}}}});
  const std::string asked = us.wire->latest["view"]["choosing"][0];
  const Person& chooser = asked == "us" ? us : german;
  loop_.advance(20 * second);
  EXPECT_EQ(act(chooser, id, asked)["ok"], true);
  const auto clock_of = [&](const std::string& seat) {
    for (const Json& clock : chooser.wire->latest["clocks"]) {
      if (clock["seat"] == seat) return clock;
    }
    return Json();
  };
  // The seat goes on choosing, so the clock has not stopped.
  EXPECT_EQ(clock_of(asked)["running"], true);
  EXPECT_FALSE(table(id)->state().place(asked)->steward.size());
  loop_.advance_until([&] { return !table(id)->state().place(asked)->steward.empty(); }, 2 * minute);
  EXPECT_EQ(table(id)->state().place(asked)->steward, standard_level());
  // The steward plays; the person takes the seat back by asking for it.
  const auto steps = table(id)->match()->steps();
  loop_.advance(5 * second);
  EXPECT_GT(table(id)->match()->steps(), steps);
  table(id)->set_steward(chooser.who, asked, std::nullopt, [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
  loop_.settle();
  EXPECT_TRUE(table(id)->state().place(asked)->steward.empty());
  EXPECT_GE(table(id)->state().place(asked)->clock.left_ms, 30'000);
}

TEST_F(TableTest, ATurnTimerLendsAStewardOnlyForTheTurn) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, {{"pace", {{"kind", "turn"}, {"seconds", 30}}}});
  const std::string asked = us.wire->latest["view"]["choosing"][0];
  loop_.advance_until([&] { return !table(id)->state().place(asked)->steward.empty(); }, minute);
  ASSERT_FALSE(table(id)->state().place(asked)->steward.empty());
  loop_.advance_until([&] { return table(id)->state().choosing != std::vector<std::string>{asked}; }, 5 * minute);
  loop_.settle();
  EXPECT_TRUE(table(id)->state().place(asked)->steward.empty());
}

TEST_F(TableTest, ClocksGoOnAfterTheServerWasAway) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, {{"pace", {{"kind", "days"}, {"days_per_move", 1}, {"bank_days", 1}}}});
  const std::string asked = us.wire->latest["view"]["choosing"][0];
  open_hall();
  hall_->resume_tables();
  loop_.settle();
  EXPECT_EQ(hall_->tables_in_memory(), 1u);
  loop_.advance_until([&] { return !table(id)->state().place(asked)->steward.empty(); }, 3 * day);
  EXPECT_FALSE(table(id)->state().place(asked)->steward.empty());
}

TEST_F(TableTest, ARestartGivesNoTimeBack) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, {{"pace", {{"kind", "turn"}, {"seconds", 60}}}});
  const std::string asked = us.wire->latest["view"]["choosing"][0];
  const auto restart = [&] {
    close_hall();
    loop_.leap(60 * minute);  // nobody's
    open_hall();
    hall_->resume_tables();
    loop_.settle();
    return table(id)->state().place(asked)->clock.left_ms;
  };
  loop_.advance(22 * second);
  hall_->note_alive();  // as the server does when it stops
  EXPECT_EQ(restart(), 38'000);
  // A crash gives back what was used since the last sign of life, 5 seconds at most.
  loop_.advance(13 * second);
  EXPECT_EQ(restart(), 28'000);
  // Nobody was told to store the clock in between, and nothing is charged twice.
  EXPECT_EQ(restart(), 28'000);
  loop_.advance_until([&] { return !table(id)->state().place(asked)->steward.empty(); }, minute);
  EXPECT_FALSE(table(id)->state().place(asked)->steward.empty());
}

TEST_F(TableTest, ByDaysANightlyRestartGivesNoTimeBack) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, {{"pace", {{"kind", "days"}, {"days_per_move", 1}, {"bank_days", 1}}}});
  const std::string asked = us.wire->latest["view"]["choosing"][0];
  for (int night = 0; night < 4; ++night) {
    loop_.advance(8 * 60 * minute);
    hall_->note_alive();
    close_hall();
    loop_.leap(minute);
    open_hall();
    hall_->resume_tables();
    loop_.settle();
  }
  const Clock clock = table(id)->state().place(asked)->clock;
  EXPECT_EQ(clock.left_ms, 0);
  EXPECT_EQ(clock.bank_ms, 16 * 60 * minute.count()) << "eight hours came out of the bank";
}

// The opponent's hand may or may not hold an answer to a move; what the mover sees must be the same, and take as long.
TEST_F(TableTest, AForcedPassTakesAMomentThatTellsNothing) {
  settings_.forced_wait = {Milliseconds{700}, Milliseconds{1900}};
  open_hall();
  const Person us = person("Ada"), german = person("Berta");
  std::string id;
  std::vector<Time> waits;
  std::uint64_t random = 3;
  for (int i = 0; i < 1500 && waits.size() < 12; ++i) {
    if (id.empty() || table(id)->state().status != Status::running)  // the dice may end a game early
      id = two_people(us, german, {{"pace", {{"kind", "live"}, {"minutes", 60}, {"increment_seconds", 0}}}});
    const std::string asked = table(id)->state().choosing.front();
    const Person& chooser = asked == "us" ? us : german;
    const Person& other = asked == "us" ? german : us;
    const Json actions = chooser.wire->latest["view"]["actions"];
    ASSERT_FALSE(actions.empty());
    // Whether it is forced or not, the other sees the same clock running and the same seat choosing.
    bool running = false;
    for (const Json& clock : other.wire->latest["clocks"]) running = running || (clock["seat"] == asked && clock["running"] == true);
    EXPECT_TRUE(running);
    EXPECT_EQ(other.wire->latest["view"]["actions"].size(), 0u);
    if (actions.size() == 1) {
      const auto steps = table(id)->match()->steps();
      waits.push_back(loop_.advance_until([&] { return table(id)->match()->steps() != steps; }, minute).count());
      continue;
    }
    random = random * 6364136223846793005u + 1442695040888963407u;
    ASSERT_EQ(act(chooser, id, asked, (random >> 33) % actions.size())["ok"], true);
  }
  ASSERT_GE(waits.size(), 12u);
  for (const Time wait : waits) EXPECT_THAT(wait, testing::AllOf(testing::Ge(0), testing::Le(1900)));
  EXPECT_GT(std::set<Time>(waits.begin(), waits.end()).size(), waits.size() / 2) << "waits are drawn anew each time";
}

// In Company Leader one may surrender at any choice; a choice of nothing else is none. Where nobody may learn that it is none, its person
// is asked.
TEST_F(TableTest, WhereOnlySurrenderIsLeftBesidesTheTableChooses) {
  settings_.forced_wait = {Milliseconds{700}, Milliseconds{1900}};
  open_hall();
  const Person red = person("Ada"), blue = person("Berta");
  std::string id;
  std::vector<Time> waits;
  int asked = 0;
  std::uint64_t random = 3;
  for (int i = 0; i < 6000 && (waits.size() < 12 || asked < 3); ++i) {
    if (id.empty() || table(id)->state().status != Status::running) id = joined(red, blue, "red", {{"game", "company-leader"}});
    const auto* match = table(id)->match();
    const Seat seat = match->choosing().front();
    auto legal = match->actions(seat);
    std::erase_if(legal, [&](Action action) { return match->gives_up(action); });
    const auto steps = match->steps();
    if (legal.size() == 1 && !match->may_be_forced_in_secret(legal.front())) {
      waits.push_back(loop_.advance_until([&] { return match->steps() != steps; }, minute).count());
      ASSERT_NE(match->steps(), steps);
      continue;
    }
    if (legal.size() == 1) {
      ++asked;
      loop_.advance_until([&] { return match->steps() != steps; }, minute);
      ASSERT_EQ(match->steps(), steps) << "nobody chooses for her";
    }
    const auto by_itself =
        std::find_if(legal.begin(), legal.end(), [&](Action a) { return match->words(a) == "place-for-me" || match->words(a) == "ready"; });
    random = random * 6364136223846793005u + 1442695040888963407u;
    const Action chosen = by_itself != legal.end() ? *by_itself : legal[(random >> 33) % legal.size()];
    ASSERT_EQ(ask(index(seat) == 0 ? red : blue,
                  {{"type", "act"}, {"table", id}, {"seat", match->name_of(seat)}, {"action", match->json(chosen)}})["ok"],
              true);
  }
  ASSERT_GE(waits.size(), 12u);
  EXPECT_GE(asked, 3);
  for (const Time wait : waits) EXPECT_THAT(wait, testing::AllOf(testing::Ge(0), testing::Le(1900)));
  EXPECT_GT(std::set<Time>(waits.begin(), waits.end()).size(), waits.size() / 2);
}

// Each troop that a computer player buys and puts down is a choice that nobody sees; how many there were must not be read from the clock.
TEST_F(TableTest, APurchaseTakesAComputerAsLongHoweverMuchIsBought) {
  settings_.bot_wait = {Milliseconds{300}, Milliseconds{900}};
  open_hall();
  const Person red = person("Ada");
  std::string id;
  int purchases = 0;
  for (int i = 0; i < 12'000 && purchases < 3; ++i) {
    if (id.empty() || table(id)->state().status != Status::running)  // the computer may win before it has bought so often
      id = make(red, {{"game", "company-leader"},
                      {"options", {{"income", "6"}}},
                      {"seats", {{{"seat", "red"}, {"kind", "me"}}, {{"seat", "blue"}, {"kind", "bot"}, {"level", "recruit"}}}}});
    const auto* match = table(id)->match();
    const auto step = [&] { return match->view(spectator)["state"]["step"].get<std::string>(); };
    const Seat seat = match->choosing().front();
    const auto steps = match->steps();
    if (index(seat) == 1 && step() == "purchase") {
      const Milliseconds wait = loop_.advance_until([&] { return step() != "purchase"; }, minute);
      ASSERT_NE(step(), "purchase");
      if (match->steps() - steps >= 4) {
        ++purchases;
        EXPECT_THAT(wait.count(), testing::AllOf(testing::Ge(300), testing::Lt(2 * 900))) << match->steps() - steps << " choices";
      }
      continue;
    }
    if (index(seat) == 1 || match->forced(seat)) {
      loop_.advance_until([&] { return match->steps() != steps; }, minute);
      ASSERT_NE(match->steps(), steps);
      continue;
    }
    const auto legal = match->actions(seat);
    const auto quick = std::find_if(legal.begin(), legal.end(), [&](Action a) {
      const std::string words = match->words(a);
      return words == "place-for-me" || words == "ready" || words == "done" || words == "hold-fire";
    });
    const Action chosen = quick != legal.end() ? *quick : legal.front();
    ASSERT_EQ(ask(red, {{"type", "act"}, {"table", id}, {"seat", "red"}, {"action", match->json(chosen)}})["ok"], true);
  }
  EXPECT_EQ(purchases, 3);
}

// R21 of Company Leader: who sits in for a person turns a troop that was found towards the scout.
TEST_F(TableTest, AStewardChoosesWhatTheRulesSayForTheAbsent) {
  const Person red = person("Ada"), blue = person("Berta");
  std::string id;
  std::uint64_t random = 7;
  int faced = 0;
  for (int i = 0; i < 12'000 && faced < 2; ++i) {
    if (id.empty() || table(id)->state().status != Status::running) id = joined(red, blue, "red", {{"game", "company-leader"}});
    const auto* match = table(id)->match();
    const Seat seat = match->choosing().front();
    const Person& chooser = index(seat) == 0 ? red : blue;
    const auto steps = match->steps();
    if (const auto only = match->forced(seat); only && !match->may_be_forced_in_secret(*only)) {
      loop_.advance_until([&] { return match->steps() != steps; }, minute);
      continue;
    }
    const auto legal = match->actions(seat);
    if (match->when_time_is_out(seat)) {
      const Json asked = match->json(legal.front());
      table(id)->set_steward(chooser.who, match->name_of(seat), "recruit", [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
      loop_.advance_until([&] { return match->steps() != steps; }, minute);
      table(id)->set_steward(chooser.who, match->name_of(seat), std::nullopt, [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
      loop_.settle();
      ASSERT_GT(match->steps(), steps);
      const Json told = match->events(spectator, 0);
      const auto turned = std::find_if(told.rbegin(), told.rend(),
                                       [&](const Json& event) { return event["event"] == "faced" && event["field"] == asked["field"]; });
      ASSERT_NE(turned, told.rend());
      EXPECT_EQ((*turned)["facing"], asked["facing"]);
      ++faced;
      continue;
    }
    const auto by_itself =
        std::find_if(legal.begin(), legal.end(), [&](Action a) { return match->words(a) == "place-for-me" || match->words(a) == "ready"; });
    random = random * 6364136223846793005u + 1442695040888963407u;
    Action chosen = by_itself != legal.end() ? *by_itself : legal[(random >> 33) % legal.size()];
    if (match->gives_up(chosen)) chosen = legal.front();
    ASSERT_EQ(ask(chooser, {{"type", "act"}, {"table", id}, {"seat", match->name_of(seat)}, {"action", match->json(chosen)}})["ok"], true);
  }
  EXPECT_EQ(faced, 2);
}

TEST_F(TableTest, AStandingOrderPassesUntilSomethingNamedHappens) {
  const Person us = person("Ada");
  const std::string id = make(us, {{"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "device"}}}}});
  watch(us, id, "us");
  EXPECT_EQ(ask(us, {{"type", "orders"}, {"table", id}, {"seat", "us"}, {"orders", {{{"action", "fly"}}}}})["error"]["code"],
            "bad-request");
  const Json order = {{"action", "pass"}, {"until", {{"round", 3}}}};
  ASSERT_EQ(ask(us, {{"type", "orders"}, {"table", id}, {"seat", "us"}, {"orders", {order}}})["ok"], true);
  EXPECT_EQ(us.wire->latest["orders"].size(), 1u);
  const auto* match = table(id)->match();
  std::uint64_t random = 5;
  int asked_to_pass = 0;
  for (int i = 0; i < 4000 && table(id)->state().places[0].orders.size() == 1 && table(id)->state().status == Status::running; ++i) {
    loop_.advance(minute);  // one pass may follow another
    const Seats choosing = match->choosing();
    if (choosing.empty()) break;
    const Seat seat = choosing.front();
    const auto legal = match->actions(seat);
    const bool may_pass = std::any_of(legal.begin(), legal.end(), [&](Action a) { return match->words(a) == "pass"; });
    if (index(seat) == 0 && may_pass && table(id)->state().places[0].orders.size() == 1) ++asked_to_pass;
    random = random * 6364136223846793005u + 1442695040888963407u;
    ask(us,
        {{"type", "act"}, {"table", id}, {"seat", match->name_of(seat)}, {"action", match->json(legal[(random >> 33) % legal.size()])}});
  }
  EXPECT_EQ(asked_to_pass, 0) << "the order passed in every window";
  EXPECT_TRUE(table(id)->state().places[0].orders.empty() || table(id)->state().status == Status::over);
  EXPECT_EQ(us.wire->latest["orders"].size(), table(id)->state().places[0].orders.size());
}

TEST(Orders, EndWhenSomethingNamedHappens) {
  const auto orders = read_orders(
      Json::parse(R"([{"action":"pass","until":{"events":["assault-declared"],"things":["left"],"round":6}}, {"action":"pass"}])"));
  ASSERT_TRUE(orders);
  const Json nothing = Json::parse(R"([{"event":"pinned","unit":"rifle-1"}])");
  EXPECT_FALSE(ends((*orders)[0], nothing, 5));
  EXPECT_TRUE(ends((*orders)[0], nothing, 6));
  EXPECT_TRUE(ends((*orders)[0], Json::parse(R"([{"event":"assault-declared","unit":"rifle-1","front":"right"}])"), 1));
  EXPECT_TRUE(ends((*orders)[0], Json::parse(R"([{"event":"moved","unit":"rifle-1","front":"left"}])"), 1));
  EXPECT_TRUE((*orders)[1].until_turn);
  EXPECT_FALSE(read_orders(Json::parse(R"([{"action":"pass","whenever":true}])")));
  EXPECT_FALSE(read_orders(Json::parse(R"({"action":"pass"})")));
}

TEST_F(TableTest, UndoAsksTheOthersWhereTheTableSaysSo) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, {{"undo", "ask"}});
  const std::string asked = us.wire->latest["view"]["choosing"][0];
  const Person& chooser = asked == "us" ? us : german;
  const Person& other = asked == "us" ? german : us;
  const std::string other_seat = asked == "us" ? "german" : "us";
  ASSERT_EQ(act(chooser, id, asked)["ok"], true);
  const auto steps = table(id)->match()->steps();
  EXPECT_EQ(ask(chooser, {{"type", "undo"}, {"table", id}, {"seat", asked}})["asked"], true);
  EXPECT_EQ(table(id)->match()->steps(), steps);
  EXPECT_EQ(other.wire->latest["undo_asked"], asked);
  EXPECT_EQ(ask(chooser, {{"type", "undo-answer"}, {"table", id}, {"seat", asked}, {"agree", true}})["ok"], false);
  EXPECT_EQ(ask(other, {{"type", "undo-answer"}, {"table", id}, {"seat", other_seat}, {"agree", true}})["ok"], true);
  EXPECT_EQ(table(id)->match()->steps(), steps - 1);
  EXPECT_TRUE(other.wire->latest["undo_asked"].is_null());
}

TEST_F(TableTest, AnUndoThatWasAskedForIsAskedOnce) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, {{"undo", "ask"}});
  const std::string asked = us.wire->latest["view"]["choosing"][0];
  const Person& chooser = asked == "us" ? us : german;
  const Person& other = asked == "us" ? german : us;
  const std::string other_seat = asked == "us" ? "german" : "us";
  ASSERT_EQ(act(chooser, id, asked)["ok"], true);
  ASSERT_EQ(act(chooser, id, asked)["ok"], true);
  const auto steps = table(id)->match()->steps();
  const Json undo = {{"type", "undo"}, {"id", "back"}, {"table", id}, {"seat", asked}};
  const auto times_asked = [&] {
    return std::count_if(other.wire->notices.begin(), other.wire->notices.end(),
                         [](const Json& notice) { return notice["notice"] == "undo-asked"; });
  };
  EXPECT_EQ(ask(chooser, undo)["asked"], true);
  EXPECT_EQ(ask(chooser, undo)["asked"], true);
  EXPECT_EQ(times_asked(), 1);
  // Refused, and sent again by a client that never got its answer.
  EXPECT_EQ(ask(other, {{"type", "undo-answer"}, {"table", id}, {"seat", other_seat}, {"agree", false}})["ok"], true);
  EXPECT_EQ(ask(chooser, undo)["ok"], true);
  EXPECT_EQ(times_asked(), 1);
  EXPECT_TRUE(table(id)->state().undo_asked.empty());
  // Agreed to, and sent again, also after the server was away.
  const Json anew = {{"type", "undo"}, {"id", "back-2"}, {"table", id}, {"seat", asked}};
  EXPECT_EQ(ask(chooser, anew)["asked"], true);
  EXPECT_EQ(ask(other, {{"type", "undo-answer"}, {"table", id}, {"seat", other_seat}, {"agree", true}})["ok"], true);
  EXPECT_EQ(table(id)->match()->steps(), steps - 1);
  EXPECT_EQ(ask(chooser, anew)["ok"], true);
  EXPECT_TRUE(table(id)->state().undo_asked.empty());
  open_hall();
  const Person back = person(chooser.who.name);
  EXPECT_EQ(ask(back, anew)["ok"], true);
  EXPECT_TRUE(table(id)->state().undo_asked.empty());
  EXPECT_EQ(table(id)->match()->steps(), steps - 1);
}

// Company Leader, set-up: who is ready before the others may still place again.
TEST_F(TableTest, WhoIsReadyEarlyMayPlaceAgain) {
  const Person red = person("Ada"), blue = person("Berta");
  const std::string id = joined(red, blue, "red", {{"game", "company-leader"}});
  watch(red, id, "red");
  const auto* match = table(id)->match();
  const auto choose = [&](const std::string& words) {
    for (const Json& action : red.wire->latest["view"]["actions"]) {
      if (action["do"] == words) return ask(red, {{"type", "act"}, {"table", id}, {"seat", "red"}, {"action", action}})["ok"] == true;
    }
    return false;
  };
  ASSERT_TRUE(choose("place-for-me"));
  ASSERT_TRUE(choose("ready"));
  ASSERT_FALSE(match->choosing().has(Seat{0}));
  EXPECT_TRUE(choose("place-again")) << red.wire->latest["view"]["actions"];
  EXPECT_TRUE(match->choosing().has(Seat{0}));
}

TEST_F(TableTest, ChatReachesTheTableAndStaysOutOfMarkup) {
  const Person us = person("Ada"), german = person("Berta"), stranger = person("Cleo");
  const std::string id = two_people(us, german, Json::object());
  watch(stranger, id, "spectator");
  EXPECT_EQ(ask(us, {{"type", "chat"}, {"table", id}, {"text", "<b>hello</b>"}})["ok"], true);
  EXPECT_EQ(german.wire->latest["chat"].back()["text"], "<b>hello</b>");
  EXPECT_EQ(stranger.wire->latest["chat"].back()["name"], "Ada");
  EXPECT_EQ(ask(us, {{"type", "chat"}, {"table", id}, {"text", "only us"}, {"to", "team"}})["ok"], true);
  EXPECT_NE(german.wire->latest["chat"].back()["text"], "only us");
  EXPECT_EQ(us.wire->latest["chat"].back()["text"], "only us");
  EXPECT_EQ(ask(stranger, {{"type", "chat"}, {"table", id}, {"text", "hi"}})["error"]["code"], "not-allowed");
  EXPECT_EQ(ask(us, {{"type", "chat"}, {"table", id}, {"text", std::string(501, 'x')}})["error"]["code"], "bad-request");
}

TEST_F(TableTest, SeatsAreTakenByInvitationLeftAndTakenAgain) {
  const Person us = person("Ada"), german = person("Berta"), stranger = person("Cleo");
  const std::string id =
      make(us, {{"visibility", "private"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "invited"}}}}});
  const auto join = [&](const Person& who, const std::string& key) {
    std::string code = "ok";
    table(id)->join(who.who, std::nullopt, key, "", [&](const Outcome<Json>& outcome) { code = outcome ? "ok" : outcome.error().code; });
    loop_.settle();
    return code;
  };
  EXPECT_EQ(ask(stranger, {{"type", "watch"}, {"table", id}})["error"]["code"], "not-allowed");
  EXPECT_EQ(join(stranger, "guessed"), "not-invited");
  const std::string key = table(id)->summary(us.who.account)["seats"][1]["invite_key"];
  EXPECT_FALSE(table(id)->summary(stranger.who.account)["seats"][1].contains("invite_key"));
  EXPECT_EQ(join(german, key), "ok");
  EXPECT_EQ(table(id)->state().status, Status::running);
  EXPECT_EQ(join(stranger, key), "seat-taken");
  table(id)->leave(german.who, std::nullopt, [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
  loop_.settle();
  EXPECT_EQ(table(id)->state().places[1].steward, standard_level());
  EXPECT_EQ(table(id)->state().places[1].kind, SeatKind::open);
  EXPECT_EQ(join(stranger, ""), "seat-taken");
  EXPECT_EQ(join(german, ""), "ok");
  EXPECT_EQ(table(id)->state().places[1].person, german.who.account);
}

TEST_F(TableTest, AStewardMayBeCalledForSomebodyWhoHasBeenAway) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, Json::object());
  const auto call = [&] {
    std::string code = "ok";
    table(id)->ask_steward(us.who, "german", [&](const Outcome<Json>& outcome) { code = outcome ? "ok" : outcome.error().code; });
    loop_.settle();
    return code;
  };
  EXPECT_EQ(call(), "not-allowed");
  hall_->disconnect(german.connection);
  loop_.advance(5 * minute);
  EXPECT_EQ(call(), "not-allowed");
  loop_.advance(6 * minute);
  EXPECT_EQ(call(), "ok");
  EXPECT_EQ(table(id)->state().places[1].steward, standard_level());
}

TEST_F(TableTest, AFinishedTableOffersARematchOneSeatFurther) {
  const Person us = person("Ada");
  const std::string id =
      make(us, {{"options", {{"max_rounds", 1}}},
                {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "bot"}, {"level", levels().front()}}}}});
  watch(us, id, "us");
  for (int i = 0; i < 3000 && table(id)->state().status == Status::running; ++i) {
    if (us.wire->latest["view"]["actions"].size() > 1) act(us, id, "us", us.wire->latest["view"]["actions"].size() - 1);
    loop_.advance(second);
  }
  ASSERT_EQ(table(id)->state().status, Status::over);
  auto plan = rematch_of(*table(id), us.who, loop_.now());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->state.places[0].kind, SeatKind::bot);
  EXPECT_EQ(plan->state.places[1].person, us.who.account);
  // From any point of the finished game another can branch off.
  auto branch = branch_of(*table(id), 5, nullptr, us.who, loop_.now());
  ASSERT_TRUE(branch) << branch.error().message;
  EXPECT_EQ(branch->match->steps(), 5u);
}

}  // namespace
}  // namespace baton::table
