#include "table/hall.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "match/json_reader.h"
#include "table/json_fields.h"
#include "table/log.h"
#include "table/secrets.h"

namespace baton::table {
namespace {

constexpr std::size_t most_watched = 8;
constexpr int most_malformed = 20;
constexpr int hint_courtesy = 10, record_courtesy = 5;
constexpr std::size_t most_hints_waiting = 20;
constexpr int most_odds_waiting = 60;  // of one person; as many as may be asked at once
constexpr Milliseconds tidy_every{60'000};
constexpr Milliseconds beat_every{5'000};    // what a crash gives back to a live clock at most; a clock of days gets back tidy_every
constexpr Time mail_pause = 10 * 60 * 1000;  // at most one mail for a table in this time

bool is_request_id(std::string_view id) {
  return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

Fault too_many(double seconds) { return {"too-many", "this is asked too often; wait a moment.", {}, seconds}; }

}  // namespace

Hall::Hall(Loop& loop, const Settings& settings, std::unique_ptr<Database> database, std::function<void(const std::string&)> failed)
    : loop_(loop),
      settings_(settings),
      writer_(std::move(database), loop, std::move(failed)),
      thinkers_(loop, std::max(1, settings.thinking_threads)),
      advisers_(loop, 1, hint_courtesy),
      clerk_(loop, 1),
      archivist_(loop, 1, record_courtesy),
      postman_(settings_, loop, [this](bool taken) { ++(taken ? figures_.mails_sent : figures_.mails_failed); }),
      accounts_(loop, writer_, clerk_, postman_, settings_),
      around_{loop,   writer_,   thinkers_, advisers_,
              clerk_, settings_, figures_,  [this](const std::string& account, const Json& notice) { notify(account, notice); }},
      started_at_(loop.now()) {
  tidy_timer_ = loop_.after(tidy_every, [this] { tidy(); });
  beat_timer_ = loop_.after(beat_every, [this] { beat(); });
}

Hall::~Hall() {
  loop_.cancel(tidy_timer_);
  loop_.cancel(beat_timer_);
}

// --- Tables --------------------------------------------------------------------------------------------------------------------------

void Hall::resume_tables() {
  writer_.ask<std::vector<TableRow>>([](Database& d) { return d.tables_that_go_on(); },
                                     [this](std::vector<TableRow> rows) {
                                       for (const TableRow& row : rows) with_table(row.id, [](const Outcome<TablePointer>&) {});
                                       if (!rows.empty())
                                         log_line(spdlog::level::info, "tables-resumed", {{"count", std::to_string(rows.size())}});
                                     });
}

void Hall::with_table(const std::string& id, WithTable then) {
  if (const auto found = tables_.find(id); found != tables_.end()) return then(found->second);
  if (!is_token(id)) return then(fault("no-such-table", "there is no such table."));
  const bool asked_already = loading_.contains(id);
  loading_[id].push_back(std::move(then));
  if (asked_already) return;
  struct Rows {
    std::optional<TableRow> table;
    std::vector<LineRow> lines;
    std::vector<ChatRow> chat;
    std::vector<RunRow> runs;
    Names names;
  };
  writer_.read<Rows>(
      [id, started_at = started_at_](Database& d) {
        Rows rows;
        rows.table = d.table(id);
        if (rows.table) {
          rows.lines = d.lines_of(id);
          rows.chat = d.chat_of(id);
          rows.names = d.names_at(id);
          if (rows.table->attention) rows.runs = d.runs_before(started_at);
        }
        return rows;
      },
      [this, id](Outcome<Rows> rows) {
        if (!rows) return loaded(id, tl::make_unexpected(rows.error()));
        if (!rows->table) return loaded(id, fault("no-such-table", "there is no such table."));
        // A long game takes its time, and everybody else would wait for it.
        const auto kept = std::make_shared<Rows>(std::move(*rows));
        const auto found = std::make_shared<Expected<TablePointer>>(nullptr);
        archivist_.work(
            // With surroundings of its own: the hall's are gone before its threads when it closes.
            "table " + id,
            [around = around_, found, kept] {
              *found = Table::load(around, *kept->table, kept->lines, std::move(kept->chat), kept->names);
            },
            [this, id, found, kept] {
              if (*found) return loaded(id, **found, kept->runs);
              log_line(spdlog::level::err, "table-unreadable", {{"table", id}, {"reason", found->error().text()}});
              loaded(id, fault("unavailable", "this table cannot be read; the operator finds the reason in the log."));
            });
      });
}

void Hall::loaded(const std::string& id, const Outcome<TablePointer>& table, const std::vector<RunRow>& runs) {
  const auto waiting = std::move(loading_[id]);
  loading_.erase(id);
  if (table) {
    ++figures_.tables_loaded;
    tables_[id] = *table;
    (*table)->resume(runs);
  }
  for (const WithTable& each : waiting) each(table);
}

void Hall::open_table(TablePlan plan, const Reader& host, Table::Reply reply) {
  auto table = std::make_shared<Table>(around_, std::move(plan.state), plan.secret, std::move(plan.scenario), std::move(plan.match));
  tables_[table->state().id] = table;
  table->open(host, [this, id = table->state().id, reply = std::move(reply)](Outcome<Json> outcome) {
    if (!outcome) forget_table(id);
    reply(std::move(outcome));
  });
}

void Hall::note_alive(std::function<void()> then) {
  writer_.submit([run = RunRow{started_at_, loop_.now()}](Database& d) { d.put_run(run); }, std::move(then));
}

void Hall::beat() {
  beat_timer_ = loop_.after(beat_every, [this] { beat(); });
  const bool needed = std::any_of(tables_.begin(), tables_.end(), [](const auto& entry) {
    return entry.second->state().pace.kind != Pace::Kind::days && entry.second->has_running_clock();
  });
  if (needed) note_alive();
}

// Tables that nobody looks at rest in the database until somebody asks.
void Hall::tidy() {
  tidy_timer_ = loop_.after(tidy_every, [this] { tidy(); });
  constexpr Time rest_after = 10 * 60 * 1000;
  const Time now = loop_.now();
  std::erase_if(tables_, [&](const auto& entry) {
    return entry.second->is_idle() && entry.second.use_count() == 1 && now - entry.second->state().changed_at > rest_after;
  });
  std::erase_if(last_mailed_, [&](const auto& entry) { return now - entry.second > mail_pause; });
  if (std::any_of(tables_.begin(), tables_.end(), [](const auto& entry) { return entry.second->has_running_clock(); })) note_alive();
  writer_.submit([now](Database& d) { d.forget_what_expired(now); });
}

// --- Sockets -------------------------------------------------------------------------------------------------------------------------

std::uint64_t Hall::connect(WirePointer wire, const Reader& who, const std::string& session) {
  const std::uint64_t number = next_connection_++;
  Connection connection;
  connection.wire = std::move(wire);
  connection.who = who;
  connection.session = session;
  connections_.emplace(number, std::move(connection));
  connections_of_[who.account].insert(number);
  return number;
}

void Hall::disconnect(std::uint64_t number) {
  const auto found = connections_.find(number);
  if (found == connections_.end()) return;
  const auto watching = std::move(found->second.watching);
  const auto others = connections_of_.find(found->second.who.account);
  others->second.erase(number);
  if (others->second.empty()) connections_of_.erase(others);
  connections_.erase(found);
  for (const std::string& id : watching) {
    if (const auto table = tables_.find(id); table != tables_.end()) table->second->unwatch(number);
  }
}

std::size_t Hall::sockets_of(const std::string& account) const {
  const auto found = connections_of_.find(account);
  return found == connections_of_.end() ? 0 : found->second.size();
}

std::size_t Hall::people() const { return connections_of_.size(); }

void Hall::let_go(const std::function<bool(const Connection&)>& whom, bool tell) {
  std::vector<std::uint64_t> gone;
  const auto text = std::make_shared<const std::string>(R"({"type":"notice","notice":"signed-out"})");
  for (auto& [number, connection] : connections_) {
    if (!whom(connection)) continue;
    if (tell) connection.wire->send(text);
    gone.push_back(number);
  }
  for (const std::uint64_t number : gone) {
    const WirePointer wire = connections_.at(number).wire;
    disconnect(number);
    wire->close();
  }
}

void Hall::signed_out(const std::string& account, const std::string& session) {
  let_go([&](const Connection& c) { return c.who.account == account && (session.empty() || c.session == session); }, true);
}

void Hall::signed_out_but(const std::string& account, const std::string& session) {
  let_go([&](const Connection& c) { return c.who.account == account && c.session != session; }, true);
}

void Hall::hang_up(const std::string& account, const std::string& session) {
  let_go([&](const Connection& c) { return c.who.account == account && c.session == session; }, false);
}

void Hall::renamed(const std::string& account, const std::string& name) {
  for (auto& [number, connection] : connections_) {
    if (connection.who.account == account) connection.who.name = name;
  }
  for (const auto& [id, table] : tables_) table->rename(account, name);
  // What rests takes the name from the account when it is read; what was read before the change and is not here yet learns it first of all.
  for (auto& [id, waiting] : loading_) {
    waiting.insert(waiting.begin(), [account, name](const Outcome<TablePointer>& table) {
      if (table) (*table)->rename(account, name);
    });
  }
}

void Hall::left_for_good(const std::string& account, std::function<void(Outcome<void>)> then) {
  writer_.read<std::vector<std::string>>([account](Database& d) { return d.chairs_of(account); },
                                         [this, account, then = std::move(then)](const Outcome<std::vector<std::string>>& ids) {
                                           if (!ids) return then(tl::make_unexpected(ids.error()));
                                           // The account goes when it sits nowhere any more, so that a crash meanwhile leaves no seat
                                           // without a person.
                                           if (ids->empty()) return then({});
                                           const auto left = [then, open = std::make_shared<std::size_t>(ids->size())] {
                                             if (--*open == 0) then({});
                                           };
                                           for (const std::string& id : *ids) {
                                             with_table(id, [account, left](const Outcome<TablePointer>& table) {
                                               if (!table) return left();
                                               (*table)->leave(
                                                   {account, nobodys_name}, std::nullopt, [left](const Outcome<Json>&) { left(); }, true);
                                             });
                                           }
                                         });
}

void Hall::notify(const std::string& account, const Json& notice) {
  const auto text = std::make_shared<const std::string>(one_line(notice));
  const auto connected = connections_of_.find(account);
  if (connected != connections_of_.end()) {
    for (const std::uint64_t number : connected->second) connections_.at(number).wire->send(text);
  }
  if (connected != connections_of_.end() || notice["notice"] != "your-turn") return;
  const std::string key = account + " " + notice.value("table", "");
  const Time now = loop_.now();
  if (const auto last = last_mailed_.find(key); last != last_mailed_.end() && now - last->second < mail_pause) return;
  accounts_.find(account, [this, notice, key, now](const std::optional<AccountRow>& found) {
    if (!found) return;
    if (found->mail_notices && found->email_confirmed) accounts_.mail_turn(*found, notice);
    if (!found->webhook.empty()) postman_.call(found->webhook, one_line(notice));
    if (found->mail_notices || !found->webhook.empty()) last_mailed_[key] = now;
  });
}

void Hall::answer(std::uint64_t number, const std::string& id, const Outcome<Json>& outcome) {
  const auto found = connections_.find(number);
  if (found == connections_.end()) return;
  Json json = {{"type", "answer"}, {"id", id}, {"ok", outcome.has_value()}};
  if (outcome) {
    json.update(*outcome);
  } else {
    json["error"] = json_of(outcome.error());
  }
  ++figures_.socket_messages_out;
  found->second.wire->send(std::make_shared<const std::string>(one_line(json)));
}

void Hall::receive(std::uint64_t number, std::string_view text) {
  const auto found = connections_.find(number);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  ++figures_.socket_messages_in;
  const auto refuse = [&](const std::string& id, const Fault& why) {
    const WirePointer wire = connection.wire;
    const bool enough = ++connection.malformed > most_malformed;
    answer(number, id, tl::make_unexpected(why));
    if (enough) wire->close();
  };
  if (settings_.limit_rates) {
    if (const double wait = connection.messages.take(50, 200, loop_.now()); wait > 0) {
      ++figures_.rate_limited;
      return refuse("", too_many(wait));
    }
  }
  auto json = read_json(text, "the message");
  if (!json) return refuse("", {"bad-request", json.error().text()});
  const auto text_of_key = [&](const char* key) {
    const auto value = json->is_object() ? json->find(key) : json->end();
    return value != json->end() && value->is_string() ? value->get<std::string>() : std::string{};
  };
  Request request{number, text_of_key("type"), text_of_key("id"), text_of_key("table"), std::move(*json)};
  if (!is_request_id(request.id))
    return refuse("", {"bad-request", "a message needs an \"id\" of 1 to 64 letters, digits, '-', '_' or '.'."});
  obey(std::move(request));
}

void Hall::obey(Request request) {
  const Connection& connection = connections_.at(request.connection);
  const Reader who = connection.who;
  const auto reply = [this, number = request.connection, id = request.id](const Outcome<Json>& outcome) { answer(number, id, outcome); };
  if (request.type == "ping") return reply(Json{{"time", loop_.now()}});
  static const std::vector<std::string_view> known = {"watch",   "unwatch", "act",  "undo", "undo-answer",
                                                      "why-not", "odds",    "hint", "chat", "orders"};
  if (std::find(known.begin(), known.end(), request.type) == known.end())
    return reply(fault("bad-request", "there is no message of type \"" + request.type.substr(0, 40) + "\"."));
  if (request.type == "unwatch") {
    auto& watching = connections_.at(request.connection).watching;
    std::erase(watching, request.table);
    if (const auto table = tables_.find(request.table); table != tables_.end()) table->second->unwatch(request.connection);
    return reply(Json::object());
  }
  if (settings_.limit_rates) {
    const Time now = loop_.now();
    double wait = 0;
    if (request.type == "act" || request.type == "undo") wait = action_rate_.take(who.account, now);
    if (request.type == "chat") wait = chat_rate_.take(who.account, now);
    if (request.type == "hint") wait = hint_rate_.take(who.account, now);
    if (request.type == "odds" || request.type == "why-not") wait = odds_rate_.take(who.account, now);
    if (wait > 0) {
      ++figures_.rate_limited;
      return reply(tl::make_unexpected(too_many(wait)));
    }
  }
  const Time began = loop_.now();
  with_table(request.table, [this, request, who, reply, began](const Outcome<TablePointer>& table) {
    if (!table) return reply(tl::make_unexpected(table.error()));
    if (!connections_.contains(request.connection)) return;
    play(*table, request, who, [this, reply, began, timed = request.type == "act"](const Outcome<Json>& outcome) {
      if (timed) figures_.action_times.add(static_cast<double>(loop_.now() - began));
      reply(outcome);
    });
  });
}

void Hall::play(const TablePointer& table, const Request& request, const Reader& who, Table::Reply reply) {
  Fields fields(request.json);
  for (const char* key : {"type", "id", "table"}) fields.text(key, 64);
  const auto wrong = [&]() -> bool {
    if (auto found = fields.fault()) {
      reply(tl::make_unexpected(*found));
      return true;
    }
    return false;
  };
  if (request.type == "watch") {
    const auto viewer = fields.text_if_any("viewer", 40);
    const std::string key = fields.text_if_any("key", 64).value_or("");
    if (wrong()) return;
    auto& watching = connections_.at(request.connection).watching;
    const bool already = std::find(watching.begin(), watching.end(), request.table) != watching.end();
    if (!already && watching.size() >= most_watched) return reply(fault("too-many", "a socket may watch 8 tables."));
    table->watch(request.connection, connections_.at(request.connection).wire, who, viewer, key,
                 [this, number = request.connection, id = request.table, reply = std::move(reply)](const Outcome<Json>& outcome) {
                   const auto connection = connections_.find(number);
                   if (connection == connections_.end()) {  // it closed while the snapshot was on its way
                     if (const auto found = tables_.find(id); found != tables_.end()) found->second->unwatch(number);
                     return;
                   }
                   auto& list = connection->second.watching;
                   if (outcome && std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
                   reply(outcome);
                 });
    return;
  }
  if (request.type == "chat") {
    const std::string text = fields.text("text", 500);
    const std::string to = fields.word_of("to", {"table", "team"}, "table");
    const auto seat = fields.text_if_any("seat", 40);
    if (text.empty()) fields.wrong("text", "is empty.");
    if (wrong()) return;
    return table->chat(who, text, to == "team", seat, std::move(reply));
  }
  const std::string seat = fields.text("seat", 40);
  if (request.type == "act" || request.type == "why-not" || request.type == "odds") {
    const Json& action = fields.object("action");
    if (wrong()) return;
    if (request.type == "act") return table->act(who, seat, request.id, action, std::move(reply));
    if (request.type == "why-not") return table->why_not(who, seat, action, std::move(reply));
    if (clerk_.unfinished_of(who.account) >= most_odds_waiting) return reply(tl::make_unexpected(too_many(1)));
    return table->odds(who, seat, action, std::move(reply));
  }
  if (request.type == "undo") {
    if (wrong()) return;
    return table->undo(who, seat, request.id, std::move(reply));
  }
  if (request.type == "undo-answer") {
    const bool agree = fields.flag("agree", false);
    if (wrong()) return;
    return table->answer_undo(who, seat, agree, std::move(reply));
  }
  if (request.type == "hint") {
    const std::string level = fields.text_if_any("level", 40).value_or("");
    if (wrong()) return;
    // A hint can take seconds of a core, so nobody has two at once.
    if (advisers_.unfinished_of(who.account) > 0)
      return reply(tl::make_unexpected(Fault{"too-many", "a hint is being worked out for you; wait for it.", {}, 5}));
    if (advisers_.waiting() >= most_hints_waiting)
      return reply(tl::make_unexpected(Fault{"too-many", "many people ask for hints at present; try again in a while.", {}, 30}));
    return table->hint(who, seat, level, std::move(reply));
  }
  const Json* orders = fields.list_if_any("orders", 8);
  if (orders == nullptr) fields.wrong("orders", "is needed.");
  if (wrong()) return;
  table->set_orders(who, seat, *orders, std::move(reply));
}

// --- Figures -------------------------------------------------------------------------------------------------------------------------

std::string Hall::metrics() const {
  std::string text;
  const auto put = [&](std::string_view name, std::string_view type, std::string_view help, double value) {
    text += fmt::format("# HELP baton_{0} {2}\n# TYPE baton_{0} {1}\nbaton_{0} {3}\n", name, type, help, value);
  };
  const auto count = [&](std::string_view name, std::string_view help, std::uint64_t value) {
    put(name, "counter", help, static_cast<double>(value));
  };
  const auto gauge = [&](std::string_view name, std::string_view help, std::size_t value) {
    put(name, "gauge", help, static_cast<double>(value));
  };
  const Figures& f = figures_;
  count("actions_total", "Actions taken, by people, computer players and by force.", f.actions);
  count("bot_actions_total", "Actions of computer players.", f.bot_actions);
  count("actions_refused_total", "Actions that the rules or the turn refused.", f.refused_actions);
  count("requests_repeated_total", "Requests whose id was done already.", f.repeated_requests);
  count("undone_total", "Choices taken back.", f.undone);
  count("http_requests_total", "HTTP requests.", f.http_requests);
  count("http_refused_total", "HTTP requests answered with a fault.", f.http_refused);
  count("socket_messages_in_total", "Messages from clients.", f.socket_messages_in);
  count("socket_messages_out_total", "Messages to clients.", f.socket_messages_out);
  count("socket_bytes_out_total", "Bytes of views, logs and snapshots to clients.", f.socket_bytes_out);
  count("rate_limited_total", "Requests refused because they came too fast.", f.rate_limited);
  count("tables_made_total", "Tables made.", f.tables_made);
  count("tables_loaded_total", "Tables read from the database.", f.tables_loaded);
  count("games_finished_total", "Games that ended.", f.games_finished);
  count("stewards_total", "Times a computer player took over for a person.", f.stewards);
  count("mails_sent_total", "Mails that a server took.", f.mails_sent);
  count("mails_failed_total", "Mails that no server took.", f.mails_failed);
  gauge("tables", "Tables in memory.", tables_.size());
  gauge("sockets", "Open sockets.", connections_.size());
  gauge("people", "Accounts that are connected.", people());
  gauge("thinking_waiting", "Choices that wait for a thread.", thinkers_.waiting());
  gauge("hints_waiting", "Hints that wait for a thread.", advisers_.waiting());
  gauge("records_waiting", "Records that wait to be gone through.", archivist_.waiting());
  const Writer::Figures w = writer_.figures();
  count("database_works_total", "Pieces of work for the database.", w.works);
  count("database_commits_total", "Transactions committed.", w.commits);
  count("database_reads_failed_total", "Looks into the database that failed.", w.failed_reads);
  put("database_commit_seconds_total", "counter", "Time spent in transactions.", w.commit_seconds);
  gauge("database_waiting", "Pieces of work that wait.", w.waiting);
  const auto histogram = [&](std::string_view name, std::string_view help, const Histogram& times) {
    text += fmt::format("# HELP baton_{0} {1}\n# TYPE baton_{0} histogram\n", name, help);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < Histogram::bucket_ends.size(); ++i) {
      sum += times.buckets[i];
      text += fmt::format("baton_{}_bucket{{le=\"{}\"}} {}\n", name, Histogram::bucket_ends[i] / 1000.0, sum);
    }
    sum += times.buckets.back();
    text += fmt::format("baton_{0}_bucket{{le=\"+Inf\"}} {1}\nbaton_{0}_sum {2}\nbaton_{0}_count {1}\n", name, sum, times.seconds);
  };
  histogram("action_seconds", "From an action's arrival to its answer.", f.action_times);
  histogram("bot_action_seconds", "From a computer player's choice to its views.", f.bot_action_times);
  return text;
}

}  // namespace baton::table
