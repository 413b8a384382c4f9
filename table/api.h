// The HTTP half of docs/protocol.md: api.cc who asks, and for games and words; api_accounts.cc; api_tables.cc.
#pragma once

#include "table/hall.h"
#include "table/static_files.h"

namespace baton::table {

class Api {
 public:
  explicit Api(Hall& hall);

  void serve(HttpRequest request, Respond respond);

  // Whether a page of this origin may post or open a socket.
  bool is_own_origin(const HttpRequest& request) const;

  static std::size_t largest_body(std::string_view path);

 private:
  struct Call {
    HttpRequest request;
    Respond respond;
    Json json;                          // of a POST
    std::optional<AccountRow> account;  // whose session it is
    std::vector<std::string> path;      // after /api
  };
  using CallPointer = std::shared_ptr<Call>;

  void identified(const CallPointer& call);
  bool serve_accounts(const CallPointer& call);
  bool serve_words(const CallPointer& call);
  bool serve_tables(const CallPointer& call);
  void serve_table(const CallPointer& call, const Hall::TablePointer& table, const std::string& what);
  void get_table_part(const CallPointer& call, const Hall::TablePointer& table, const std::string& what);
  void answer_from_copy(const CallPointer& call, const Hall::TablePointer& table, std::function<HttpAnswer(const Match&)> make);
  // Goes through a record on another thread, or answers that the caller has enough of that under way.
  void with_archivist(const CallPointer& call, std::function<void()> work, std::function<void()> done);
  void change_account(const CallPointer& call);
  bool limited(const CallPointer& call, const std::string& email);  // true: that it is too often was answered
  void list_tables(const CallPointer& call, bool mine);
  // Whether the caller may have another table; if not, why.
  void count_tables(const CallPointer& call, std::function<void(std::optional<Fault>)> then);
  void make_table(const CallPointer& call, Outcome<TablePlan> plan);
  void rematch(const CallPointer& call, const Hall::TablePointer& table);
  void make_rematch(const CallPointer& call, const Hall::TablePointer& table);
  void answer_rematch(const CallPointer& call, const Hall::TablePointer& table, const Outcome<Json>& outcome);

  static void fail(const CallPointer& call, const Fault& fault);
  static bool check(const CallPointer& call, class Fields& fields);  // false: the fault was answered
  void enter(const CallPointer& call, const Outcome<Accounts::Signed>& entered) const;
  static Table::Reply reply_to(const CallPointer& call);
  static Reader reader_of(const CallPointer& call);

  Hall& hall_;
  StaticFiles files_;
  Rates address_rate_{40, 200}, entrance_rate_{10.0 / 60, 10}, email_rate_{10.0 / 600, 10};
  std::map<std::string, std::vector<CallPointer>> rematches_;       // being made, by the table before; who else has asked meanwhile
  std::map<std::string, std::shared_ptr<const std::string>> kept_;  // answers that never change
};

}  // namespace baton::table
