// The hall: all tables, everyone who is connected, and what they ask for on their sockets.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "table/accounts.h"
#include "table/http.h"
#include "table/new_table.h"
#include "table/rates.h"
#include "table/table.h"

namespace baton::table {

class Hall {
 public:
  using TablePointer = std::shared_ptr<Table>;
  using WithTable = std::function<void(Outcome<TablePointer>)>;

  Hall(Loop& loop, const Settings& settings, std::unique_ptr<Database> database, std::function<void(const std::string&)> failed);
  ~Hall();

  // Tables where a computer player or a clock goes on.
  void resume_tables();
  // Stores that the server runs, so that clocks are charged for it after a restart.
  void note_alive(std::function<void()> then = {});

  // Tables by id, from memory or from the database.
  void with_table(const std::string& id, WithTable then);
  void open_table(TablePlan plan, const Reader& host, Table::Reply reply);
  void forget_table(const std::string& id) { tables_.erase(id); }
  std::size_t tables_in_memory() const { return tables_.size(); }

  // Sockets.
  std::uint64_t connect(WirePointer wire, const Reader& who, const std::string& session);
  void receive(std::uint64_t connection, std::string_view text);
  void disconnect(std::uint64_t connection);
  std::size_t connections() const { return connections_.size(); }
  std::size_t sockets_of(const std::string& account) const;
  std::size_t people() const;
  void signed_out(const std::string& account, const std::string& session);  // empty session: all of them
  void renamed(const std::string& account, const std::string& name);
  void left_for_good(const std::string& account, std::function<void()> then);

  // Wherever the account is connected; it is told of its turn by mail or webhook when it is nowhere.
  void notify(const std::string& account, const Json& notice);

  Accounts& accounts() { return accounts_; }
  Thinkers& clerk() { return clerk_; }
  Writer& writer() { return writer_; }
  Loop& loop() { return loop_; }
  const Settings& settings() const { return settings_; }
  Figures& figures() { return figures_; }
  std::string metrics() const;
  bool is_busy() const { return writer_.unfinished() + thinkers_.unfinished() + clerk_.unfinished() > 0; }

 private:
  struct Connection {
    WirePointer wire;
    Reader who;
    std::string session;
    std::vector<std::string> watching;
    Bucket messages;
    int malformed = 0;
  };
  struct Request {
    std::uint64_t connection;
    std::string type, id, table;
    Json json;
  };
  void obey(Request request);
  void play(const TablePointer& table, const Request& request, const Reader& who, Table::Reply reply);
  void answer(std::uint64_t connection, const std::string& id, const Outcome<Json>& outcome);
  void tidy();
  void beat();

  Loop& loop_;
  const Settings settings_;
  Figures figures_;
  Writer writer_;
  Thinkers thinkers_, clerk_;
  Postman postman_;
  Accounts accounts_;
  Surroundings around_;
  std::unordered_map<std::string, TablePointer> tables_;
  std::unordered_map<std::string, std::vector<WithTable>> loading_;
  std::map<std::uint64_t, Connection> connections_;
  std::unordered_map<std::string, std::set<std::uint64_t>> connections_of_;  // by account
  std::uint64_t next_connection_ = 1;
  Rates action_rate_{20, 60}, chat_rate_{1, 10}, hint_rate_{2, 10}, odds_rate_{20, 60};
  std::map<std::string, Time> last_mailed_;
  const Time started_at_;
  Loop::Timer tidy_timer_ = Loop::Timer::none, beat_timer_ = Loop::Timer::none;
};

}  // namespace baton::table
