// Rows go in and come out the same, on SQLite and on PostgreSQL.
#include "table/database.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "table/test_postgres.h"

namespace baton::table {
namespace {

class DatabaseTest : public testing::TestWithParam<std::string> {
 protected:
  DatabaseTest() {
    if (GetParam() == "sqlite") {
      file_ = std::filesystem::temp_directory_path() / ("baton-database-test-" + std::to_string(getpid()) + ".sqlite");
      remove_file();
      url_ = "sqlite://" + file_.string();
    } else {
      static int count = 0;
      url_ = TestPostgres::shared().url("rows" + std::to_string(count++));
    }
    open();
  }
  ~DatabaseTest() override {
    database_.reset();
    remove_file();
  }
  void open() {
    database_.reset();
    auto opened = Database::open(url_);
    if (!opened) throw std::runtime_error(opened.error().text());
    database_ = std::move(*opened);
  }
  void remove_file() {
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(file_.string() + ending);
  }

  std::filesystem::path file_;
  std::string url_;
  std::unique_ptr<Database> database_;
};

AccountRow account(const std::string& id, const std::string& email = "") {
  AccountRow row;
  row.id = id;
  row.name = "Ännchen 'O\" \\ 将軍; drop table account; --";
  row.locale = "de";
  row.email = email;
  row.password_hash = email.empty() ? "" : "$argon2id$…";
  row.created_at = 1'700'000'000'123;
  return row;
}

TEST_P(DatabaseTest, Accounts) {
  database_->put_account(account("a"));
  database_->put_account(account("b", "b@example.org"));
  EXPECT_EQ(database_->account("a"), account("a"));
  EXPECT_EQ(database_->account("nobody"), std::nullopt);
  EXPECT_EQ(database_->account_of_email("b@example.org"), account("b", "b@example.org"));
  EXPECT_EQ(database_->account_of_email(""), std::nullopt) << "guests have no address";
  AccountRow changed = account("a", "a@example.org");
  changed.email_confirmed = changed.mail_notices = true;
  changed.webhook = "https://example.org/x";
  database_->put_account(changed);
  open();
  EXPECT_EQ(database_->account("a"), changed);
  EXPECT_THROW(database_->put_account(account("c", "a@example.org")), std::exception) << "an address belongs to one account";
  open();
  database_->put_session({"hash", "a", true, 99});
  EXPECT_EQ(database_->session("hash"), (SessionRow{"hash", "a", true, 99}));
  database_->put_session({"hash", "a", true, 200});
  database_->put_session({"old", "a", false, 50});
  database_->put_link({"link", "a", "confirm", "a@example.org", 300});
  database_->forget_what_expired(100);
  EXPECT_EQ(database_->session("old"), std::nullopt);
  EXPECT_EQ(database_->session("hash")->expires_at, 200);
  EXPECT_EQ(database_->take_link("link"), (LinkRow{"link", "a", "confirm", "a@example.org", 300}));
  EXPECT_EQ(database_->take_link("link"), std::nullopt);
  database_->remove_account("a");
  EXPECT_EQ(database_->account("a"), std::nullopt);
  EXPECT_EQ(database_->session("hash"), std::nullopt);
}

TEST_P(DatabaseTest, GuestsWhoCannotComeBackAreForgotten) {
  database_->put_account(account("gone"));
  database_->put_account(account("sits"));
  database_->put_account(account("returns"));
  database_->put_session({"hash", "returns", true, 1000});
  database_->put_chairs("t", {"sits"});
  database_->forget_what_expired(10);
  EXPECT_FALSE(database_->account("gone"));
  EXPECT_TRUE(database_->account("sits"));
  EXPECT_TRUE(database_->account("returns"));
}

TEST_P(DatabaseTest, TablesAndLines) {
  TableRow row{"t1", "gathering", "public", "{\"x\":\"ü\"}", "00ff", "players = 2\n", false, 5};
  database_->put_table(row);
  database_->put_chairs("t1", {"a", "b"});
  EXPECT_EQ(database_->table("t1"), row);
  row.status = "running";
  row.attention = true;
  row.changed_at = 1'700'000'000'456;
  database_->put_table(row);
  database_->put_table({"t2", "gathering", "public", "{}", "", "", false, 9});
  database_->put_table({"t3", "running", "private", "{}", "", "", false, 10});
  database_->put_table({"t4", "over", "public", "{}", "", "", false, 11});
  database_->put_chairs("t4", {"a"});
  EXPECT_EQ(database_->table("t1"), row);
  const auto ids = [](const std::vector<TableRow>& rows) {
    std::vector<std::string> all;
    for (const TableRow& one : rows) all.push_back(one.id);
    return all;
  };
  EXPECT_THAT(ids(database_->public_tables(10)), testing::ElementsAre("t2", "t1"));
  EXPECT_THAT(ids(database_->tables_of("a", 10)), testing::ElementsAre("t1", "t4"));
  EXPECT_THAT(ids(database_->tables_of("a", 1)), testing::ElementsAre("t1"));
  EXPECT_THAT(ids(database_->tables_that_go_on()), testing::ElementsAre("t1"));
  EXPECT_EQ(database_->unfinished_tables_made_by("a"), 0);
  for (TableRow made : {TableRow{"t5", "running", "private", "{}", "", "", false, 1, "a"}, TableRow{"t6", "over", "private", "{}", "", "", false, 1, "a"}}) database_->put_table(made);
  EXPECT_EQ(database_->unfinished_tables_made_by("a"), 1);
  database_->append_line("t1", {0, "{\"format\":1}\n", "", ""});
  database_->append_line("t1", {1, "{\"do\":\"pass\"}\n", "a", "id-1"});
  const ChatRow said{1, "a", "Ada", "us", "", "hello\n'world'", 77};
  database_->add_chat("t1", said);
  open();
  EXPECT_THAT(database_->lines_of("t1"), testing::ElementsAre(LineRow{0, "{\"format\":1}\n", "", ""}, LineRow{1, "{\"do\":\"pass\"}\n", "a", "id-1"}));
  EXPECT_THAT(database_->chat_of("t1"), testing::ElementsAre(said));
  EXPECT_THROW(database_->append_line("t1", {1, "another", "", ""}), std::exception) << "a line is written once";
  open();
  database_->remove_table("t1");
  EXPECT_EQ(database_->table("t1"), std::nullopt);
  EXPECT_TRUE(database_->lines_of("t1").empty());
}

TEST_P(DatabaseTest, WhatIsNotCommittedIsNotThere) {
  database_->begin();
  database_->put_account(account("a"));
  database_->rollback();
  EXPECT_EQ(database_->account("a"), std::nullopt);
  database_->begin();
  database_->put_account(account("a"));
  database_->commit();
  open();
  EXPECT_TRUE(database_->account("a"));
}

INSTANTIATE_TEST_SUITE_P(Both, DatabaseTest, testing::Values("sqlite", "postgresql"), [](const auto& one) { return one.param; });

TEST(Database, ANonsenseAddressIsRefusedWithTheRemedy) {
  const auto opened = Database::open("mysql://x");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text(), testing::HasSubstr("postgresql://"));
  EXPECT_FALSE(Database::open("sqlite:///nonexistent-folder/x.sqlite"));
}

}  // namespace
}  // namespace baton::table
