// Everything that must outlive the server, as rows. SQLite or PostgreSQL, through the same statements.
//
// A Database belongs to one thread (table/writer.h). Methods throw std::runtime_error when the database fails; what people did wrong never
// gets this far.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/problem.h"
#include "table/loop.h"

namespace baton::table {

struct AccountRow {
  std::string id, name, locale = "en";
  std::string email, password_hash;  // empty for guests
  bool email_confirmed = false, mail_notices = false;
  std::string webhook;
  Time created_at = 0;

  bool is_guest() const { return email.empty(); }
  bool operator==(const AccountRow&) const = default;
};

struct SessionRow {
  std::string token_hash, account;
  bool stays = false;  // its cookie outlives the browser
  Time expires_at = 0;
  bool operator==(const SessionRow&) const = default;
};

// A link that was mailed. Only the hash of its token is kept.
struct LinkRow {
  std::string token_hash, account, purpose, email;
  Time expires_at = 0;
  bool operator==(const LinkRow&) const = default;
};

struct TableRow {
  std::string id, status, visibility;
  std::string state;          // JSON of table/table_state.h
  std::string secret;         // of the dice in use, hexadecimal
  std::string scenario_text;  // until the record's first line holds it
  bool attention = false;     // a computer player or a clock goes on without anybody asking
  Time changed_at = 0;
  std::string host{};  // the account that made it
  bool operator==(const TableRow&) const = default;
};

// A line of a table's record; 0 is its header.
struct LineRow {
  std::int64_t number = 0;
  std::string text;
  std::string person, request;  // who asked for it under which id; empty when nobody did
  bool operator==(const LineRow&) const = default;
};

struct ChatRow {
  std::int64_t number = 0;
  std::string person, name, seat, team, text;  // name: as the account is called now, empty when it is gone; team: only for this team
  Time at = 0;
  bool operator==(const ChatRow&) const = default;
};

// How accounts are called, by id. Only the account itself keeps a name: so it is the same everywhere, and gone with it.
using Names = std::unordered_map<std::string, std::string>;

// A server that worked with this database, from its start to the last moment it is known to have lived.
struct RunRow {
  Time started_at = 0, alive_at = 0;
  bool operator==(const RunRow&) const = default;
};

class Database {
 public:
  // "sqlite://PATH" or "postgresql://…". Makes or upgrades the tables.
  static Expected<std::unique_ptr<Database>> open(const std::string& url);
  ~Database();

  // What went wrong, without the values of the statement: they may be anybody's secrets.
  static std::string reason_of(const std::exception& error);

  // Transactions.
  void begin();
  void commit();
  void rollback() noexcept;

  // Accounts.
  void put_account(const AccountRow& account);
  std::optional<AccountRow> account(const std::string& id);
  std::optional<AccountRow> account_of_email(const std::string& email);
  void remove_account(const std::string& id);  // with its sessions, links and seats

  void put_session(const SessionRow& session);
  std::optional<SessionRow> session(const std::string& token_hash);
  void remove_session(const std::string& token_hash);
  void remove_sessions_of(const std::string& account, const std::string& but_token_hash = {});
  void extend_session(const std::string& token_hash, Time expires_at);  // nothing when it has ended

  void put_link(const LinkRow& link);
  std::optional<LinkRow> take_link(const std::string& token_hash);  // it is gone then
  void remove_links_of(const std::string& account, const std::string& purpose);

  // Guests who never sat down, sessions and links that are too old.
  void forget_what_expired(Time now);

  // When servers ran. What is too old for any clock is forgotten.
  void put_run(const RunRow& run);
  std::vector<RunRow> runs_before(Time started_at);

  // Tables.
  void put_table(const TableRow& table);
  void put_chairs(const std::string& table, const std::vector<std::string>& persons);  // the accounts that sit there
  void remove_table(const std::string& id);
  std::optional<TableRow> table(const std::string& id);
  std::vector<std::string> chairs_of(const std::string& person);  // the tables where it sits
  std::vector<TableRow> tables_of(const std::string& person, int most);
  std::vector<TableRow> public_tables(int most);  // that are not over, newest first
  // Of those who sit at these tables or made them.
  Names names_at(const std::string& table);
  Names names_at_tables_of(const std::string& person, int most);
  Names names_at_public_tables(int most);
  std::vector<TableRow> tables_that_go_on();
  int unfinished_tables_made_by(const std::string& host);

  void append_line(const std::string& table, const LineRow& line);
  std::vector<LineRow> lines_of(const std::string& table);
  void add_chat(const std::string& table, const ChatRow& line);
  std::vector<ChatRow> chat_of(const std::string& table);

 private:
  struct Parts;
  explicit Database(std::unique_ptr<Parts> parts);
  void make_tables();

  std::unique_ptr<Parts> parts_;
};

}  // namespace baton::table
