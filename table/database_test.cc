// Rows go in and come out the same, on SQLite and on PostgreSQL.
#include "table/database.h"

#include <gmock/gmock.h>
#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>
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

TEST_P(DatabaseTest, RunsOfServers) {
  database_->put_run({100, 100});
  database_->put_run({100, 250});
  database_->put_run({300, 300});
  open();
  EXPECT_EQ(database_->runs_before(300), (std::vector<RunRow>{{100, 250}}));
  EXPECT_EQ(database_->runs_before(301), (std::vector<RunRow>{{100, 250}, {300, 300}}));
  constexpr Time much_later = 500LL * 24 * 3600 * 1000;
  database_->put_run({much_later, much_later});
  EXPECT_TRUE(database_->runs_before(much_later).empty()) << "too old for any clock";
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
  database_->extend_session("hash", 400);
  EXPECT_EQ(database_->session("hash")->expires_at, 400);
  database_->extend_session("old", 400);
  EXPECT_EQ(database_->session("old"), std::nullopt) << "what has ended does not begin again";
  database_->put_session({"other", "a", false, 500});
  database_->remove_sessions_of("a", "hash");
  EXPECT_EQ(database_->session("other"), std::nullopt);
  EXPECT_TRUE(database_->session("hash"));
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
  for (TableRow made :
       {TableRow{"t5", "running", "private", "{}", "", "", false, 1, "a"}, TableRow{"t6", "over", "private", "{}", "", "", false, 1, "a"}})
    database_->put_table(made);
  EXPECT_EQ(database_->unfinished_tables_made_by("a"), 1);
  database_->append_line("t1", {0, "{\"format\":1}\n", "", ""});
  database_->append_line("t1", {1, "{\"do\":\"pass\"}\n", "a", "id-1"});
  const ChatRow said{1, "a", account("a").name, "us", "", "hello\n'world'", 77}, unknown{2, "gone", "", "", "", "bye", 78};
  database_->add_chat("t1", said);
  database_->add_chat("t1", unknown);
  database_->put_account(account("a"));
  open();
  const Names ada = {{"a", account("a").name}};
  EXPECT_EQ(database_->names_at("t1"), ada);
  EXPECT_EQ(database_->names_at("t5"), ada) << "who made it";
  EXPECT_EQ(database_->names_at("t2"), Names{});
  EXPECT_EQ(database_->names_at_tables_of("a", 10), ada);
  EXPECT_EQ(database_->names_at_public_tables(10), ada);
  EXPECT_EQ(database_->names_at_public_tables(1), Names{}) << "only of those that are listed";
  EXPECT_THAT(database_->chairs_of("a"), testing::UnorderedElementsAre("t1", "t4"));
  EXPECT_THAT(database_->lines_of("t1"),
              testing::ElementsAre(LineRow{0, "{\"format\":1}\n", "", ""}, LineRow{1, "{\"do\":\"pass\"}\n", "a", "id-1"}));
  EXPECT_THAT(database_->chat_of("t1"), testing::ElementsAre(said, unknown)) << "names are the accounts' own";
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

// What the first Baton with a server wrote, in its own words: they must not follow the newest form.
constexpr const char* written_in_form_1[] = {
    "create table form (version integer not null)",
    "create table account (id text primary key, name text not null, locale text not null, email text not null, password_hash text not null,"
    " email_confirmed integer not null, mail_notices integer not null, webhook text not null, created_at bigint not null)",
    "create unique index account_email on account (email) where email <> ''",
    "create table login (token_hash text primary key, account text not null, stays integer not null, expires_at bigint not null)",
    "create index login_account on login (account)",
    "create table link (token_hash text primary key, account text not null, purpose text not null, email text not null, expires_at bigint "
    "not null)",
    "create index link_account on link (account)",
    "create table game_table (id text primary key, status text not null, visibility text not null, state text not null, secret text not "
    "null,"
    " scenario_text text not null, attention integer not null, changed_at bigint not null)",
    "create index game_table_public on game_table (visibility, status, changed_at)",
    "create index game_table_attention on game_table (attention)",
    "create table chair (person text not null, game_table text not null, primary key (person, game_table))",
    "create index chair_table on chair (game_table)",
    "create table record_line (game_table text not null, line_number bigint not null, line text not null, person text not null, request "
    "text not null,"
    " primary key (game_table, line_number))",
    "create table chat_line (game_table text not null, line_number bigint not null, person text not null, name text not null, seat text "
    "not null,"
    " team text not null, line text not null, said_at bigint not null, primary key (game_table, line_number))",
    "insert into form (version) values (1)",
    "insert into account values ('a', 'Ada', 'de', 'a@example.org', 'hash', 1, 0, '', 1700000000123)",
    "insert into login values ('login-hash', 'a', 1, 1800000000000)",
    "insert into link values ('link-hash', 'a', 'reset', 'a@example.org', 1800000000000)",
    "insert into game_table values ('t1', 'running', 'public', "
    "'{\"host\":\"a\",\"host_name\":\"Ada\",\"places\":[{\"person\":\"a\",\"name\":\"Ada\"}]}', '00ff', '', 1, 5)",
    "insert into game_table values ('t2', 'over', 'private', '{\"host\":\"a\"}', '', '', 0, 6)",
    "insert into chair values ('a', 't1')",
    "insert into record_line values ('t1', 0, '{\"format\":\"baton-record\",\"players\":{\"us\":\"Ada\"}}', '', '')",
    "insert into record_line values ('t1', 1, 'second', 'a', 'request-1')",
    "insert into chat_line values ('t1', 1, 'a', 'Ada', 'us', '', 'hello', 77)",
};

class UpgradeTest : public testing::TestWithParam<std::string> {
 protected:
  UpgradeTest() : file_(std::filesystem::temp_directory_path() / ("baton-upgrade-test-" + std::to_string(getpid()) + ".sqlite")) {
    remove_file();
    static int count = 0;
    url_ = GetParam() == "sqlite" ? "sqlite://" + file_.string() : TestPostgres::shared().url("upgrade" + std::to_string(count++));
  }
  ~UpgradeTest() override { remove_file(); }
  void say(const std::string& statement) {
    soci::session sql;
    if (GetParam() == "sqlite") {
      sql.open(soci::sqlite3, "dbname=\"" + file_.string() + "\"");
    } else {
      sql.open(soci::postgresql, url_);
    }
    sql << statement;
  }
  void remove_file() {
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(file_.string() + ending);
  }

  std::filesystem::path file_;
  std::string url_;
};

TEST_P(UpgradeTest, AnOlderFormKeepsEverythingAndGainsWhatIsNew) {
  for (const char* statement : written_in_form_1) say(statement);
  for (int time = 0; time < 2; ++time) {  // the second finds the newest form
    auto opened = Database::open(url_);
    ASSERT_TRUE(opened) << opened.error().text();
    Database& database = **opened;
    const AccountRow ada = database.account_of_email("a@example.org").value_or(AccountRow{});
    EXPECT_EQ(ada.id, "a");
    EXPECT_EQ(ada.password_hash, "hash");
    EXPECT_TRUE(ada.email_confirmed);
    EXPECT_EQ(ada.created_at, 1'700'000'000'123);
    EXPECT_EQ(database.session("login-hash"), (SessionRow{"login-hash", "a", true, 1'800'000'000'000}));
    EXPECT_EQ(database.table("t1"),
              (TableRow{"t1", "running", "public", "{\"host\":\"a\",\"places\":[{\"person\":\"a\"}]}", "00ff", "", true, 5, "a"}))
        << "names are the accounts' own";
    EXPECT_EQ(database.names_at("t1"), (Names{{"a", "Ada"}}));
    EXPECT_EQ(database.unfinished_tables_made_by("a"), 1) << "tables made before are counted too";
    EXPECT_EQ(database.tables_of("a", 10).size(), 1u);
    EXPECT_THAT(database.lines_of("t1"),
                testing::ElementsAre(LineRow{0, "{\"format\":\"baton-record\",\"players\":{\"us\":\"human\"}}\n", "", ""},
                                     LineRow{1, "second", "a", "request-1"}));
    EXPECT_THAT(database.chat_of("t1"), testing::ElementsAre(ChatRow{1, "a", "Ada", "us", "", "hello", 77}));
  }
  auto opened = Database::open(url_);
  ASSERT_TRUE(opened);
  EXPECT_EQ((*opened)->take_link("link-hash"), (LinkRow{"link-hash", "a", "reset", "a@example.org", 1'800'000'000'000}));
  (*opened)->append_line("t1", {2, "third", "a", "request-2"});
  EXPECT_EQ((*opened)->lines_of("t1").size(), 3u);
}

TEST_P(UpgradeTest, ANewerFormIsRefusedAndLeftAsItIs) {
  ASSERT_TRUE(Database::open(url_));
  say("insert into form (version) values (1000)");
  const auto opened = Database::open(url_);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text(), testing::HasSubstr("newer Baton (form 1000)"));
}

INSTANTIATE_TEST_SUITE_P(Both, UpgradeTest, testing::Values("sqlite", "postgresql"), [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(Both, DatabaseTest, testing::Values("sqlite", "postgresql"), [](const auto& one) { return one.param; });

TEST(Database, ANonsenseAddressIsRefusedWithTheRemedy) {
  const auto opened = Database::open("mysql://x");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text(), testing::HasSubstr("postgresql://"));
  EXPECT_FALSE(Database::open("sqlite:///nonexistent-folder/x.sqlite"));
}

}  // namespace
}  // namespace baton::table
