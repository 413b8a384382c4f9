#include "table/database.h"

#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

namespace baton::table {
namespace {

// The form of the tables; a database of a later form is refused, one of an earlier form is upgraded in make_tables().
constexpr int newest_form = 3;

constexpr const char* form_1[] = {
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
};

// Who made a table, so that the tables of one person can be counted.
constexpr const char* form_2[] = {
    "alter table game_table add column host text not null default ''",
    "create index game_table_host on game_table (host, status)",
};

// Names are the accounts' own (see also without_names below).
constexpr const char* form_3[] = {
    "alter table chat_line drop column name",
    "create index chat_line_person on chat_line (person)",
};

// Which tables a list holds, and in which order.
constexpr const char* own_order = " order by case status when 'over' then 1 else 0 end, changed_at desc limit :most";
constexpr const char* own_tables = " from game_table where id in (select game_table from chair where person = :person)";
constexpr const char* public_order = " order by case status when 'gathering' then 0 else 1 end, changed_at desc limit :most";
constexpr const char* public_tables_not_over = " from game_table where visibility = 'public' and status in ('gathering', 'running')";

constexpr const char* table_columns = "id, status, visibility, state, secret, scenario_text, attention, changed_at, host";

TableRow table_of(const soci::row& row) {
  TableRow table;
  table.id = row.get<std::string>(0);
  table.status = row.get<std::string>(1);
  table.visibility = row.get<std::string>(2);
  table.state = row.get<std::string>(3);
  table.secret = row.get<std::string>(4);
  table.scenario_text = row.get<std::string>(5);
  table.attention = row.get<int>(6) != 0;
  table.changed_at = row.get<long long>(7);
  table.host = row.get<std::string>(8);
  return table;
}

// The accounts at the tables that the selection gives.
std::string names_at_those(const std::string& selection) {
  return "with listed as (" + selection +
         ") select account.id, account.name from account where account.id in (select person from chair where game_table in (select id from "
         "listed))"
         " or account.id in (select host from game_table where id in (select id from listed))";
}

Names names_of(const soci::rowset<soci::row>& rows) {
  Names names;
  for (const soci::row& row : rows) names.emplace(row.get<std::string>(0), row.get<std::string>(1));
  return names;
}

// What older forms kept of people's names beside their accounts.
std::string without_names(const std::string& text, bool is_record_header) {
  auto json = nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return text;
  if (is_record_header) {
    if (json.contains("players") && json["players"].is_object()) {
      for (auto& player : json["players"]) player = "human";
    }
    return json.dump() + "\n";
  }
  json.erase("host_name");
  if (json.contains("places") && json["places"].is_array()) {
    for (auto& place : json["places"]) {
      if (place.is_object()) place.erase("name");
    }
  }
  return json.dump();
}

// SQLite's log is carried over into the file now and then. That takes many times as long as a commit, so it is done beside the writer, on a
// connection of its own; what is left for the writer is the rest, once the log is really long.
class LogKeeper {
 public:
  explicit LogKeeper(const std::string& connection) : sql_(soci::sqlite3, connection), thread_([this] { run(); }) {}
  ~LogKeeper() {
    {
      const std::lock_guard guard(lock_);
      closing_ = true;
    }
    something_.notify_one();
    thread_.join();
  }

 private:
  void run() {
    std::unique_lock guard(lock_);
    while (!something_.wait_for(guard, std::chrono::seconds(1), [this] { return closing_; })) {
      guard.unlock();
      try {
        sql_ << "pragma wal_checkpoint(passive)";
      } catch (const std::exception&) {
        // Nothing is lost: the log stays as it is, and the writer notices by itself what is wrong with the disk.
      }
      guard.lock();
    }
  }

  soci::session sql_;
  std::mutex lock_;
  std::condition_variable something_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace

struct Database::Parts {
  soci::session sql;
  std::unique_ptr<LogKeeper> keeper;
  bool is_sqlite = false;
  bool open = false;  // a transaction

  // Prepared once, because every action needs them.
  LineRow line;
  std::string line_table;
  std::unique_ptr<soci::statement> append;
  TableRow table;
  int attention = 0;
  long long changed_at = 0;
  std::unique_ptr<soci::statement> update;

  void prepare() {
    append = std::make_unique<soci::statement>((sql.prepare << "insert into record_line (game_table, line_number, line, person, request) "
                                                               "values (:table, :number, :line, :person, :request)",
                                                soci::use(line_table), soci::use(line.number), soci::use(line.text), soci::use(line.person),
                                                soci::use(line.request)));
    update = std::make_unique<soci::statement>(
        (sql.prepare << "update game_table set status = :status, visibility = :visibility, state = :state, secret = :secret,"
                        " scenario_text = :scenario, attention = :attention, changed_at = :changed, host = :host where id = :id",
         soci::use(table.status), soci::use(table.visibility), soci::use(table.state), soci::use(table.secret),
         soci::use(table.scenario_text), soci::use(attention), soci::use(changed_at), soci::use(table.host), soci::use(table.id)));
  }
};

Database::Database(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Database::~Database() = default;

Expected<std::unique_ptr<Database>> Database::open(const std::string& url) {
  auto parts = std::make_unique<Parts>();
  try {
    if (const std::string scheme = "sqlite://"; url.starts_with(scheme)) {
      parts->is_sqlite = true;
      const std::string connection = "dbname=\"" + url.substr(scheme.size()) + "\" timeout=10";
      parts->sql.open(soci::sqlite3, connection);
      // An answer means that the action is on the disk, so the log is synced at every commit.
      parts->sql << "pragma journal_mode = wal";
      parts->sql << "pragma synchronous = full";
      parts->sql << "pragma wal_autocheckpoint = 16000";
      parts->keeper = std::make_unique<LogKeeper>(connection);
    } else if (url.starts_with("postgresql://") || url.starts_with("postgres://")) {
      parts->sql.open(soci::postgresql, url);
      parts->sql << "set client_min_messages = warning";
      parts->sql << "set synchronous_commit = on";
    } else {
      return problem("--database", "a database is given as sqlite://PATH or postgresql://USER:PASSWORD@HOST/NAME.");
    }
    std::unique_ptr<Database> database(new Database(std::move(parts)));
    database->make_tables();
    database->parts_->prepare();
    return database;
  } catch (const std::exception& error) {
    return problem("the database", reason_of(error));
  }
}

void Database::make_tables() {
  soci::session& sql = parts_->sql;
  sql << "create table if not exists form (version integer not null)";
  // Not a part of the form: an older Baton does well without it.
  sql << "create table if not exists server_run (started_at bigint primary key, alive_at bigint not null)";
  int version = 0;
  sql << "select coalesce(max(version), 0) from form", soci::into(version);
  if (version > newest_form) throw std::runtime_error("it was made by a newer Baton (form " + std::to_string(version) + "); use that one.");
  if (version == newest_form) return;
  begin();
  if (version < 1) {
    for (const char* statement : form_1) sql << statement;
  }
  if (version < 2) {
    for (const char* statement : form_2) sql << statement;
    sql << (parts_->is_sqlite ? "update game_table set host = coalesce(json_extract(state, '$.host'), '')"
                              : "update game_table set host = coalesce(cast(state as json) ->> 'host', '')");
  }
  for (const char* statement : form_3) sql << statement;
  const auto rewrite = [&](const std::string& select, const std::string& update, bool is_record_header) {
    std::vector<std::pair<std::string, std::string>> all;
    const soci::rowset<soci::row> rows = (sql.prepare << select);
    for (const soci::row& row : rows) all.emplace_back(row.get<std::string>(0), row.get<std::string>(1));
    for (const auto& [id, text] : all) {
      const std::string fresh = without_names(text, is_record_header);
      sql << update, soci::use(fresh), soci::use(id);
    }
  };
  rewrite("select id, state from game_table", "update game_table set state = :state where id = :id", false);
  rewrite("select game_table, line from record_line where line_number = 0",
          "update record_line set line = :line where game_table = :id and line_number = 0", true);
  sql << "insert into form (version) values (:version)", soci::use(newest_form);
  commit();
}

std::string Database::reason_of(const std::exception& error) {
  const auto* said = dynamic_cast<const soci::soci_error*>(&error);
  if (said == nullptr) return error.what();
  // what() lists the parameters of the statement, and PostgreSQL quotes values where it explains itself on further lines.
  const std::string whole = said->get_error_message();
  const std::string first = whole.substr(0, whole.find('\n'));
  const auto* posted = dynamic_cast<const soci::postgresql_soci_error*>(&error);
  if (posted == nullptr) return first;
  // Of data that do not fit (class 22) and broken constraints (23) it quotes them on the first line, too.
  const std::string state = posted->sqlstate();
  return state.starts_with("22") || state.starts_with("23") ? "SQLSTATE " + state : first + " (SQLSTATE " + state + ")";
}

void Database::begin() {
  parts_->sql.begin();
  parts_->open = true;
}

void Database::commit() {
  parts_->sql.commit();
  parts_->open = false;
}

void Database::rollback() noexcept {
  if (!parts_->open) return;
  parts_->open = false;
  try {
    parts_->sql.rollback();
  } catch (const std::exception&) {
    // The connection itself is gone, and the transaction with it.
  }
}

// --- Accounts ------------------------------------------------------------------------------------------------------------------------

void Database::put_account(const AccountRow& a) {
  const int confirmed = a.email_confirmed ? 1 : 0, notices = a.mail_notices ? 1 : 0;
  const long long created = a.created_at;
  parts_->sql
      << "insert into account (id, name, locale, email, password_hash, email_confirmed, mail_notices, webhook, created_at)"
         " values (:id, :name, :locale, :email, :hash, :confirmed, :notices, :webhook, :created)"
         " on conflict (id) do update set name = excluded.name, locale = excluded.locale, email = excluded.email,"
         " password_hash = excluded.password_hash, email_confirmed = excluded.email_confirmed, mail_notices = excluded.mail_notices,"
         " webhook = excluded.webhook",
      soci::use(a.id), soci::use(a.name), soci::use(a.locale), soci::use(a.email), soci::use(a.password_hash), soci::use(confirmed),
      soci::use(notices), soci::use(a.webhook), soci::use(created);
}

namespace {

std::optional<AccountRow> account_where(soci::session& sql, const std::string& column, const std::string& value) {
  AccountRow a;
  int confirmed = 0, notices = 0;
  long long created = 0;
  sql << "select id, name, locale, email, password_hash, email_confirmed, mail_notices, webhook, created_at from account where " + column +
             " = :value",
      soci::use(value), soci::into(a.id), soci::into(a.name), soci::into(a.locale), soci::into(a.email), soci::into(a.password_hash),
      soci::into(confirmed), soci::into(notices), soci::into(a.webhook), soci::into(created);
  if (!sql.got_data()) return std::nullopt;
  a.email_confirmed = confirmed != 0;
  a.mail_notices = notices != 0;
  a.created_at = created;
  return a;
}

}  // namespace

std::optional<AccountRow> Database::account(const std::string& id) { return account_where(parts_->sql, "id", id); }
std::optional<AccountRow> Database::account_of_email(const std::string& email) {
  return email.empty() ? std::nullopt : account_where(parts_->sql, "email", email);
}

void Database::remove_account(const std::string& id) {
  soci::session& sql = parts_->sql;
  sql << "delete from login where account = :id", soci::use(id);
  sql << "delete from link where account = :id", soci::use(id);
  sql << "delete from chair where person = :id", soci::use(id);
  sql << "delete from account where id = :id", soci::use(id);
}

void Database::put_session(const SessionRow& s) {
  const int stays = s.stays ? 1 : 0;
  const long long expires = s.expires_at;
  parts_->sql << "insert into login (token_hash, account, stays, expires_at) values (:hash, :account, :stays, :expires)"
                 " on conflict (token_hash) do update set stays = excluded.stays, expires_at = excluded.expires_at",
      soci::use(s.token_hash), soci::use(s.account), soci::use(stays), soci::use(expires);
}

std::optional<SessionRow> Database::session(const std::string& token_hash) {
  SessionRow s;
  int stays = 0;
  long long expires = 0;
  parts_->sql << "select token_hash, account, stays, expires_at from login where token_hash = :hash", soci::use(token_hash),
      soci::into(s.token_hash), soci::into(s.account), soci::into(stays), soci::into(expires);
  if (!parts_->sql.got_data()) return std::nullopt;
  s.stays = stays != 0;
  s.expires_at = expires;
  return s;
}

void Database::remove_session(const std::string& token_hash) {
  parts_->sql << "delete from login where token_hash = :hash", soci::use(token_hash);
}
void Database::remove_sessions_of(const std::string& account, const std::string& but_token_hash) {
  parts_->sql << "delete from login where account = :account and token_hash <> :but", soci::use(account), soci::use(but_token_hash);
}
void Database::extend_session(const std::string& token_hash, Time expires_at) {
  const long long expires = expires_at;
  parts_->sql << "update login set expires_at = :expires where token_hash = :hash", soci::use(expires), soci::use(token_hash);
}

void Database::put_link(const LinkRow& l) {
  const long long expires = l.expires_at;
  parts_->sql << "insert into link (token_hash, account, purpose, email, expires_at) values (:hash, :account, :purpose, :email, :expires)",
      soci::use(l.token_hash), soci::use(l.account), soci::use(l.purpose), soci::use(l.email), soci::use(expires);
}

std::optional<LinkRow> Database::take_link(const std::string& token_hash) {
  LinkRow l;
  long long expires = 0;
  parts_->sql << "select token_hash, account, purpose, email, expires_at from link where token_hash = :hash", soci::use(token_hash),
      soci::into(l.token_hash), soci::into(l.account), soci::into(l.purpose), soci::into(l.email), soci::into(expires);
  if (!parts_->sql.got_data()) return std::nullopt;
  l.expires_at = expires;
  parts_->sql << "delete from link where token_hash = :hash", soci::use(token_hash);
  return l;
}

void Database::remove_links_of(const std::string& account, const std::string& purpose) {
  parts_->sql << "delete from link where account = :account and purpose = :purpose", soci::use(account), soci::use(purpose);
}

void Database::forget_what_expired(Time now) {
  const long long at = now;
  soci::session& sql = parts_->sql;
  sql << "delete from login where expires_at < :now", soci::use(at);
  sql << "delete from link where expires_at < :now", soci::use(at);
  // A guest without session and seat can never come back.
  sql << "delete from account where email = '' and not exists (select 1 from login where login.account = account.id)"
         " and not exists (select 1 from chair where chair.person = account.id)";
}

// --- Runs ----------------------------------------------------------------------------------------------------------------------------

void Database::put_run(const RunRow& run) {
  constexpr long long kept = 400LL * 24 * 3600 * 1000;
  const long long started = run.started_at, alive = run.alive_at, oldest = run.alive_at - kept;
  parts_->sql << "insert into server_run (started_at, alive_at) values (:started, :alive) on conflict (started_at) do update set alive_at "
                 "= excluded.alive_at",
      soci::use(started), soci::use(alive);
  parts_->sql << "delete from server_run where alive_at < :oldest", soci::use(oldest);
}

std::vector<RunRow> Database::runs_before(Time started_at) {
  const long long before = started_at;
  std::vector<RunRow> all;
  const soci::rowset<soci::row> rows =
      (parts_->sql.prepare << "select started_at, alive_at from server_run where started_at < :before order by started_at",
       soci::use(before));
  for (const soci::row& row : rows) all.push_back({row.get<long long>(0), row.get<long long>(1)});
  return all;
}

// --- Tables --------------------------------------------------------------------------------------------------------------------------

void Database::put_table(const TableRow& t) {
  Parts& p = *parts_;
  p.table = t;
  p.attention = t.attention ? 1 : 0;
  p.changed_at = t.changed_at;
  p.update->execute(true);
  if (p.update->get_affected_rows() == 0) {
    p.sql << "insert into game_table (id, status, visibility, state, secret, scenario_text, attention, changed_at, host)"
             " values (:id, :status, :visibility, :state, :secret, :scenario, :attention, :changed, :host)",
        soci::use(t.id), soci::use(t.status), soci::use(t.visibility), soci::use(t.state), soci::use(t.secret), soci::use(t.scenario_text),
        soci::use(p.attention), soci::use(p.changed_at), soci::use(t.host);
  }
}

void Database::put_chairs(const std::string& table, const std::vector<std::string>& persons) {
  soci::session& sql = parts_->sql;
  sql << "delete from chair where game_table = :table", soci::use(table);
  for (const std::string& person : persons) {
    sql << "insert into chair (person, game_table) values (:person, :table) on conflict do nothing", soci::use(person), soci::use(table);
  }
}

void Database::remove_table(const std::string& id) {
  soci::session& sql = parts_->sql;
  for (const char* from : {"delete from chair where game_table = :id", "delete from record_line where game_table = :id",
                           "delete from chat_line where game_table = :id", "delete from game_table where id = :id"}) {
    sql << from, soci::use(id);
  }
}

std::optional<TableRow> Database::table(const std::string& id) {
  soci::row row;
  parts_->sql << std::string("select ") + table_columns + " from game_table where id = :id", soci::use(id), soci::into(row);
  if (!parts_->sql.got_data()) return std::nullopt;
  return table_of(row);
}

std::vector<std::string> Database::chairs_of(const std::string& person) {
  std::vector<std::string> all;
  const soci::rowset<std::string> rows = (parts_->sql.prepare << "select game_table from chair where person = :person", soci::use(person));
  for (const std::string& id : rows) all.push_back(id);
  return all;
}

std::vector<TableRow> Database::tables_of(const std::string& person, int most) {
  std::vector<TableRow> all;
  const soci::rowset<soci::row> rows =
      (parts_->sql.prepare << std::string("select ") + table_columns + own_tables + own_order, soci::use(person), soci::use(most));
  for (const soci::row& row : rows) all.push_back(table_of(row));
  return all;
}

std::vector<TableRow> Database::public_tables(int most) {
  std::vector<TableRow> all;
  const soci::rowset<soci::row> rows =
      (parts_->sql.prepare << std::string("select ") + table_columns + public_tables_not_over + public_order, soci::use(most));
  for (const soci::row& row : rows) all.push_back(table_of(row));
  return all;
}

Names Database::names_at(const std::string& table) {
  const soci::rowset<soci::row> rows =
      (parts_->sql.prepare << names_at_those("select id from game_table where id = :id"), soci::use(table));
  return names_of(rows);
}

Names Database::names_at_tables_of(const std::string& person, int most) {
  const soci::rowset<soci::row> rows =
      (parts_->sql.prepare << names_at_those(std::string("select id") + own_tables + own_order), soci::use(person), soci::use(most));
  return names_of(rows);
}

Names Database::names_at_public_tables(int most) {
  const soci::rowset<soci::row> rows =
      (parts_->sql.prepare << names_at_those(std::string("select id") + public_tables_not_over + public_order), soci::use(most));
  return names_of(rows);
}

std::vector<TableRow> Database::tables_that_go_on() {
  std::vector<TableRow> all;
  const soci::rowset<soci::row> rows =
      (parts_->sql.prepare << std::string("select ") + table_columns + " from game_table where attention = 1 order by changed_at");
  for (const soci::row& row : rows) all.push_back(table_of(row));
  return all;
}

int Database::unfinished_tables_made_by(const std::string& host) {
  int count = 0;
  parts_->sql << "select count(*) from game_table where host = :host and status <> 'over'", soci::use(host), soci::into(count);
  return count;
}

void Database::append_line(const std::string& table, const LineRow& line) {
  parts_->line_table = table;
  parts_->line = line;
  parts_->append->execute(true);
}

std::vector<LineRow> Database::lines_of(const std::string& table) {
  std::vector<LineRow> all;
  const soci::rowset<soci::row> rows =
      (parts_->sql.prepare << "select line_number, line, person, request from record_line where game_table = :table order by line_number",
       soci::use(table));
  for (const soci::row& row : rows) {
    all.push_back({row.get<long long>(0), row.get<std::string>(1), row.get<std::string>(2), row.get<std::string>(3)});
  }
  return all;
}

void Database::add_chat(const std::string& table, const ChatRow& c) {
  const long long number = c.number, at = c.at;
  parts_->sql << "insert into chat_line (game_table, line_number, person, seat, team, line, said_at)"
                 " values (:table, :number, :person, :seat, :team, :line, :at)",
      soci::use(table), soci::use(number), soci::use(c.person), soci::use(c.seat), soci::use(c.team), soci::use(c.text), soci::use(at);
}

std::vector<ChatRow> Database::chat_of(const std::string& table) {
  std::vector<ChatRow> all;
  const soci::rowset<soci::row> rows =
      (parts_->sql.prepare << "select line_number, person, coalesce(account.name, ''), seat, team, line, said_at"
                              " from chat_line left join account on account.id = chat_line.person"
                              " where game_table = :table order by line_number",
       soci::use(table));
  for (const soci::row& row : rows) {
    all.push_back({row.get<long long>(0), row.get<std::string>(1), row.get<std::string>(2), row.get<std::string>(3),
                   row.get<std::string>(4), row.get<std::string>(5), row.get<long long>(6)});
  }
  return all;
}

}  // namespace baton::table
