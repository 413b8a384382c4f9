// A hall with its database, whose clock the test moves, and people who talk to it.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "table/test_loop.h"

namespace baton::table {

inline constexpr Milliseconds second{1000}, minute{60'000}, day{24 * 3600 * 1000};

class HallTest : public testing::Test {
 protected:
  struct Person {
    Reader who;
    std::shared_ptr<TestWire> wire;
    std::uint64_t connection = 0;
  };

  HallTest() : folder_(std::filesystem::temp_directory_path() / ("baton-hall-test-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    settings_.limit_rates = false;
    open_hall();
  }
  ~HallTest() override {
    close_hall();
    std::filesystem::remove_all(folder_);
  }

  void close_hall() {
    if (hall_) loop_.settle();
    loop_.busy = [] { return false; };
    hall_.reset();
  }

  void open_hall() {
    close_hall();
    auto database = Database::open("sqlite://" + (folder_ / "test.sqlite").string());
    if (!database) throw std::runtime_error(database.error().text());
    hall_ = std::make_unique<Hall>(loop_, settings_, std::move(*database), [](const std::string& why) { ADD_FAILURE() << why; });
    loop_.busy = [this] { return hall_->is_busy(); };
  }

  Person person(const std::string& name) {
    Person made{{"account-" + name, name}, std::make_shared<TestWire>(loop_)};
    made.connection = hall_->connect(made.wire, made.who, "session-" + name);
    return made;
  }

  std::string make(const Person& host, Json table) {
    if (!table.contains("game")) table["game"] = "company-commander";
    auto plan = read_new_table(table, host.who, settings_, loop_.now());
    EXPECT_TRUE(plan) << plan.error().message;
    const std::string id = plan->state.id;
    hall_->open_table(std::move(*plan), host.who, [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
    loop_.settle();
    return id;
  }

  Hall::TablePointer table(const std::string& id) {
    Hall::TablePointer found;
    hall_->with_table(id, [&](const Outcome<Hall::TablePointer>& outcome) {
      if (outcome) found = *outcome;
    });
    loop_.settle();
    return found;
  }

  Json ask(const Person& who, Json request) {
    if (!request.contains("id")) request["id"] = "r" + std::to_string(++requests_);
    hall_->receive(who.connection, request.dump());
    loop_.settle();
    return who.wire->answers[request["id"].get<std::string>()];
  }

  void watch(const Person& who, const std::string& id, const std::string& viewer) {
    EXPECT_EQ(ask(who, {{"type", "watch"}, {"table", id}, {"viewer", viewer}})["ok"], true);
  }

  Json act(const Person& who, const std::string& id, const std::string& seat, std::size_t which = 0) {
    return ask(who, {{"type", "act"}, {"table", id}, {"seat", seat}, {"action", who.wire->latest["view"]["actions"][which]}});
  }

  // A table whose other seat the guest takes.
  std::string joined(const Person& host, const Person& guest, const std::string& seat, Json table) {
    table["seats"] = {{{"seat", seat}, {"kind", "me"}}};
    const std::string id = make(host, table);
    this->table(id)->join(guest.who, std::nullopt, "", "", [](const Outcome<Json>& outcome) { EXPECT_TRUE(outcome); });
    loop_.settle();
    return id;
  }

  std::string two_people(const Person& us, const Person& german, Json table) {
    const std::string id = joined(us, german, "us", std::move(table));
    watch(us, id, "us");
    watch(german, id, "german");
    return id;
  }

  TestLoop loop_;
  Settings settings_;
  std::filesystem::path folder_;
  std::unique_ptr<Hall> hall_;
  int requests_ = 0;
};

}  // namespace baton::table
