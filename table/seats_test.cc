// Seats that change hands: who may sit where, what is kept for whom, what the others are told, and who sits in for the absent.
#include "match/registry.h"
#include "table/test_hall.h"
#include "table/thinkers.h"

namespace baton::table {
namespace {

class SeatsTest : public HallTest {
 protected:
  static std::string code_of(const Outcome<Json>& outcome) { return outcome ? "ok" : outcome.error().code; }

  std::string join(const Person& who, const std::string& id, const std::optional<std::string>& seat = {}, const std::string& key = {}) {
    std::string code;
    table(id)->join(who.who, seat, key, "", [&](const Outcome<Json>& outcome) { code = code_of(outcome); });
    loop_.settle();
    return code;
  }
  std::string leave(const Person& who, const std::string& id) {
    std::string code;
    table(id)->leave(who.who, std::nullopt, [&](const Outcome<Json>& outcome) { code = code_of(outcome); });
    loop_.settle();
    return code;
  }
  std::string give(const Person& who, const std::string& id, const std::string& seat, const std::string& kind) {
    std::string code;
    table(id)->give_seat(who.who, seat, kind, kind == "bot" ? "greedy" : "",
                         [&](const Outcome<Json>& outcome) { code = code_of(outcome); });
    loop_.settle();
    return code;
  }
  std::string ask_steward(const Person& who, const std::string& id, const std::string& seat) {
    std::string code;
    table(id)->ask_steward(who.who, seat, [&](const Outcome<Json>& outcome) { code = code_of(outcome); });
    loop_.settle();
    return code;
  }
  std::string read_record(const std::string& id) {
    std::string text;
    table(id)->read_record([&](std::string read) { text = std::move(read); });
    loop_.settle();
    return text;
  }
  Json seat_seen(const Person& who, const std::string& id, const std::string& seat) {
    const Json summary = table(id)->summary(who.who.account);
    for (const Json& one : summary["seats"]) {
      if (one["seat"] == seat) return one;
    }
    return nullptr;
  }
  bool truth_known(const Person& who, const std::string& id) { return table(id)->summary(who.who.account).value("truth_known", false); }
  std::vector<std::string> tables_listed(const Person& who) {
    std::vector<std::string> ids;
    hall_->writer().ask<std::vector<TableRow>>([&](Database& d) { return d.tables_of(who.who.account, 10); },
                                               [&](const std::vector<TableRow>& rows) {
                                                 for (const TableRow& row : rows) ids.push_back(row.id);
                                               });
    loop_.settle();
    return ids;
  }
  // Alone, with a computer player on the other side.
  std::string solo(const Person& host) {
    return make(host, {{"visibility", "public"},
                       {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "bot"}, {"level", "greedy"}}}}});
  }
  // Two against two: red and orange are warm, blue and cyan are cold.
  std::string teams(const Person& red, const Person& blue, const Person& orange, const Person& cyan) {
    const std::string id = make(red, {{"game", "company-leader"}, {"scenario", "teams"}, {"seats", {{{"seat", "red"}, {"kind", "me"}}}}});
    EXPECT_EQ(join(blue, id, "blue"), "ok");
    EXPECT_EQ(join(orange, id, "orange"), "ok");
    EXPECT_EQ(join(cyan, id, "cyan"), "ok");
    EXPECT_EQ(table(id)->state().status, Status::running);
    return id;
  }
};

TEST_F(SeatsTest, ASeatIsKeptForWhoeverLeftIt) {
  const Person us = person("Ada"), german = person("Berta"), stranger = person("Cleo");
  const std::string id =
      make(us, {{"visibility", "private"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "invited"}}}}});
  const std::string key = table(id)->summary(us.who.account)["seats"][1]["invite_key"];
  ASSERT_EQ(join(german, id, std::nullopt, key), "ok");
  ASSERT_EQ(leave(german, id), "ok");
  EXPECT_EQ(seat_seen(german, id, "german")["kept_for_me"], true);
  EXPECT_FALSE(seat_seen(us, id, "german").contains("kept_for_me"));
  EXPECT_TRUE(table(id)->may_watch(german.who.account, ""));
  EXPECT_FALSE(table(id)->may_watch(stranger.who.account, ""));
  EXPECT_EQ(join(stranger, id, "german"), "seat-taken");
  EXPECT_EQ(tables_listed(german), std::vector{id});
  open_hall();
  EXPECT_EQ(join(german, id, "german"), "ok");
  EXPECT_EQ(table(id)->state().places[1].name, "Berta");
  EXPECT_TRUE(table(id)->state().places[1].steward.empty());
  EXPECT_FALSE(truth_known(us, id));
}

TEST_F(SeatsTest, AKeptSeatMayBeTakenByAnother) {
  const Person us = person("Ada"), german = person("Berta"), stranger = person("Cleo");
  const std::string id = two_people(us, german, Json::object());
  ASSERT_EQ(leave(german, id), "ok");
  ASSERT_EQ(join(stranger, id), "ok");
  EXPECT_FALSE(seat_seen(german, id, "german").contains("kept_for_me"));
  EXPECT_TRUE(tables_listed(german).empty());
  EXPECT_EQ(join(german, id, "german"), "seat-taken");
}

TEST_F(SeatsTest, WhatIsKeptCanBeGivenUp) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, Json::object());
  ASSERT_EQ(leave(german, id), "ok");
  EXPECT_EQ(tables_listed(german), std::vector{id});
  ASSERT_EQ(leave(german, id), "ok");
  EXPECT_TRUE(tables_listed(german).empty());
  EXPECT_FALSE(seat_seen(german, id, "german").contains("kept_for_me"));
  EXPECT_EQ(leave(german, id), "not-yours");
  table(id)->leave(
      us.who, std::nullopt, [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); }, true);
  loop_.settle();
  EXPECT_TRUE(tables_listed(us).empty());
}

TEST_F(SeatsTest, WhoLosesAKeptSeatOfAPrivateTableIsSentAway) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id =
      make(us, {{"visibility", "private"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "invited"}}}}});
  const std::string key = table(id)->summary(us.who.account)["seats"][1]["invite_key"];
  ASSERT_EQ(join(german, id, std::nullopt, key), "ok");
  watch(us, id, "us");
  watch(german, id, "german");
  ASSERT_EQ(leave(german, id), "ok");
  EXPECT_EQ(german.wire->messages.back().json["type"], "snapshot");
  EXPECT_EQ(german.wire->latest["viewer"], "spectator");
  EXPECT_TRUE(german.wire->latest["view"]["actions"].empty());
  ASSERT_EQ(give(us, id, "german", "bot"), "ok");
  EXPECT_EQ(german.wire->messages.back().json, (Json{{"type", "gone"}, {"table", id}, {"reason", "not-allowed"}}));
  EXPECT_EQ(us.wire->latest["summary"]["spectators"], 0);
  const auto told = german.wire->messages.size();
  loop_.advance(minute);
  EXPECT_EQ(german.wire->messages.size(), told);
}

TEST_F(SeatsTest, TheTruthIsNotReadWhileASeatStandsOpen) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, Json::object());
  ASSERT_EQ(leave(german, id), "ok");
  EXPECT_FALSE(table(id)->may_read_record(us.who.account));
  EXPECT_EQ(give(us, id, "german", "me"), "other-side");
  EXPECT_EQ(join(us, id, "german"), "other-side");
  ASSERT_EQ(join(german, id, "german"), "ok");
  EXPECT_FALSE(truth_known(german, id));
}

TEST_F(SeatsTest, WhoSitsDownLaterIsToldThatTheTruthWasRead) {
  const Person us = person("Ada"), stranger = person("Cleo");
  const std::string id = solo(us);
  ASSERT_TRUE(table(id)->may_read_record(us.who.account));
  EXPECT_FALSE(truth_known(us, id));
  EXPECT_NE(read_record(id).find("baton-record"), std::string::npos);
  EXPECT_TRUE(truth_known(us, id));
  ASSERT_EQ(give(us, id, "german", "open"), "ok");
  ASSERT_EQ(join(stranger, id), "ok");
  open_hall();
  EXPECT_TRUE(truth_known(stranger, id));
}

TEST_F(SeatsTest, ABranchOrAnOpenedRecordTellsThatItsTruthIsKnown) {
  const Person us = person("Ada");
  const std::string id = solo(us);
  const auto branch = branch_of(*table(id), 0, nullptr, us.who, loop_.now());
  ASSERT_TRUE(branch);
  EXPECT_TRUE(branch->state.truth_known);
  const auto opened =
      read_open_record({{"record", read_record(id)}, {"visibility", "public"}, {"seats", {{{"seat", "german"}, {"kind", "open"}}}}}, us.who,
                       settings_, loop_.now());
  ASSERT_TRUE(opened);
  EXPECT_TRUE(summary_of(opened->state, "", {}, 0)["truth_known"]);
}

TEST_F(SeatsTest, HintsThatNobodyAskedForEndWithASecondPerson) {
  const Person us = person("Ada"), stranger = person("Cleo");
  const std::string id = solo(us);
  EXPECT_TRUE(table(id)->state().hints);
  ASSERT_EQ(give(us, id, "german", "open"), "ok");
  ASSERT_EQ(join(stranger, id), "ok");
  EXPECT_FALSE(table(id)->state().hints);
}

TEST_F(SeatsTest, WhoHeldBothSidesGivesOneUpOnlyWithAMark) {
  const Person us = person("Ada"), stranger = person("Cleo");
  const std::string id =
      make(us, {{"visibility", "public"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}, {{"seat", "german"}, {"kind", "device"}}}}});
  EXPECT_FALSE(truth_known(us, id));
  ASSERT_EQ(give(us, id, "german", "open"), "ok");
  EXPECT_TRUE(truth_known(stranger, id));
  ASSERT_EQ(join(stranger, id, "german"), "ok");
  EXPECT_TRUE(truth_known(stranger, id));
}

TEST_F(SeatsTest, WhoTookOverTheComputersSideGivesItUpOnlyWithAMark) {
  const Person us = person("Ada"), stranger = person("Cleo");
  const std::string id = solo(us);
  ASSERT_EQ(give(us, id, "german", "me"), "ok") << "alone it harms nobody";
  ASSERT_EQ(give(us, id, "german", "bot"), "ok");
  EXPECT_FALSE(truth_known(us, id));
  ASSERT_EQ(give(us, id, "german", "open"), "ok");
  ASSERT_EQ(join(stranger, id), "ok");
  EXPECT_TRUE(truth_known(stranger, id));
}

TEST_F(SeatsTest, NobodySitsAgainstHimself) {
  const Person red = person("Ada"), blue = person("Berta"), orange = person("Cleo"), cyan = person("Dora"), stranger = person("Elsa");
  const std::string id = teams(red, blue, orange, cyan);
  ASSERT_EQ(leave(orange, id), "ok");
  EXPECT_EQ(join(blue, id, "orange"), "other-side");
  ASSERT_EQ(leave(blue, id), "ok");
  EXPECT_EQ(join(blue, id, "orange"), "other-side") << "having left changes nothing about what one knows";
  EXPECT_EQ(join(orange, id, "blue"), "other-side");
  EXPECT_EQ(join(cyan, id, "blue"), "ok") << "the same side";
  EXPECT_EQ(join(stranger, id), "ok");
  EXPECT_EQ(table(id)->state().place("orange")->name, "Elsa");
  EXPECT_EQ(join(orange, id, "orange"), "seat-taken");
}

// Before the start there is nothing to know.
TEST_F(SeatsTest, SidesMayBeChangedUntilTheGameBegins) {
  const Person red = person("Ada"), other = person("Berta");
  const std::string id = make(red, {{"game", "company-leader"}, {"scenario", "teams"}, {"seats", {{{"seat", "red"}, {"kind", "me"}}}}});
  ASSERT_EQ(join(other, id, "blue"), "ok");
  EXPECT_EQ(join(other, id, "orange"), "other-side");
  ASSERT_EQ(leave(other, id), "ok");
  EXPECT_EQ(join(other, id, "orange"), "ok");
}

TEST_F(SeatsTest, AStewardComesWhenAllWhoAreHereHaveAsked) {
  const Person red = person("Ada"), blue = person("Berta"), orange = person("Cleo"), cyan = person("Dora");
  const std::string id = teams(red, blue, orange, cyan);
  watch(red, id, "red");
  watch(blue, id, "blue");
  watch(orange, id, "orange");
  watch(cyan, id, "cyan");
  EXPECT_EQ(ask_steward(red, id, "cyan"), "not-allowed") << "she is here";
  hall_->disconnect(cyan.connection);
  loop_.advance(5 * minute);
  EXPECT_FALSE(seat_seen(red, id, "cyan").contains("may_ask_steward"));
  loop_.advance(6 * minute);
  // Those who watch were told without anything else having happened.
  EXPECT_EQ(red.wire->latest["summary"]["seats"][3].value("may_ask_steward", false), true);
  EXPECT_FALSE(table(id)->summary("account-Elsa")["seats"][3].contains("may_ask_steward"));
  EXPECT_EQ(ask_steward(red, id, "cyan"), "ok");
  EXPECT_TRUE(table(id)->state().place("cyan")->steward.empty());
  EXPECT_EQ(seat_seen(blue, id, "cyan")["steward_asked_by"], Json::array({"Ada"}));
  EXPECT_FALSE(seat_seen(red, id, "cyan").contains("may_ask_steward"));
  EXPECT_EQ(seat_seen(blue, id, "cyan")["may_ask_steward"], true);
  EXPECT_EQ(ask_steward(red, id, "cyan"), "ok") << "once more is as once";
  // She comes back: what was asked is void.
  const Person again = person("Dora");
  watch(again, id, "cyan");
  EXPECT_FALSE(seat_seen(blue, id, "cyan").contains("steward_asked_by"));
  hall_->disconnect(again.connection);
  loop_.advance(11 * minute);
  EXPECT_EQ(ask_steward(red, id, "cyan"), "ok");
  EXPECT_EQ(ask_steward(blue, id, "cyan"), "ok");
  EXPECT_TRUE(table(id)->state().place("cyan")->steward.empty());
  // The last who has not asked goes away herself.
  hall_->disconnect(orange.connection);
  loop_.settle();
  EXPECT_EQ(table(id)->state().place("cyan")->steward, standard_level());
  EXPECT_FALSE(seat_seen(blue, id, "cyan").contains("steward_asked_by"));
}

TEST_F(SeatsTest, OthersDoNotChooseTheLevelOfASteward) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, Json::object());
  hall_->disconnect(german.connection);
  loop_.advance(11 * minute);
  std::string code;
  table(id)->set_steward(us.who, "german", "recruit", [&](const Outcome<Json>& outcome) { code = code_of(outcome); });
  EXPECT_EQ(code, "not-allowed");
  EXPECT_EQ(ask_steward(us, id, "german"), "ok");
  EXPECT_EQ(table(id)->state().places[1].steward, standard_level());
}

TEST_F(SeatsTest, AbsenceCountsFromARestartOn) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, Json::object());
  hall_->disconnect(german.connection);
  loop_.advance(11 * minute);
  open_hall();
  const Person back = person("Ada");
  watch(back, id, "us");
  EXPECT_EQ(ask_steward(back, id, "german"), "not-allowed");
  loop_.advance(11 * minute);
  EXPECT_EQ(back.wire->latest["summary"]["seats"][1].value("may_ask_steward", false), true);
  EXPECT_EQ(ask_steward(back, id, "german"), "ok");
  EXPECT_EQ(table(id)->state().places[1].steward, standard_level());
}

TEST_F(SeatsTest, AClockCallsStewardsByItself) {
  const Person us = person("Ada"), german = person("Berta");
  const std::string id = two_people(us, german, {{"pace", {{"kind", "live"}, {"minutes", 60}, {"increment_seconds", 0}}}});
  hall_->disconnect(german.connection);
  loop_.advance(11 * minute);
  EXPECT_EQ(ask_steward(us, id, "german"), "not-allowed");
  EXPECT_FALSE(seat_seen(us, id, "german").contains("may_ask_steward"));
}

}  // namespace
}  // namespace baton::table
