#include "table/api.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "match/json_reader.h"
#include "match/registry.h"
#include "table/json_fields.h"

namespace baton::table {
namespace {

constexpr std::size_t longest_name = 40, shortest_password = 8, longest_password = 200;
constexpr int most_listed = 100, most_own_listed = 200, most_tables = 50, most_tables_of_guest = 20;

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // the "/"
    const auto end = path.find('/');
    parts.emplace_back(path.substr(0, end));
    path.remove_prefix(end == std::string_view::npos ? path.size() : end);
  }
  return parts;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

// A name that people see: no blanks around it, one line.
std::optional<std::string> read_name(Fields& fields) {
  const auto given = fields.text_if_any("name", longest_name);
  if (!given) return std::nullopt;
  const std::string name = trimmed(*given);
  if (name.empty() || name.find_first_of("\n\t") != std::string::npos) fields.wrong("name", "needs 1 to 40 characters on one line.");
  return name;
}

std::string read_locale(Fields& fields) { return fields.word_of("locale", {"en", "de", "ja"}, ""); }

std::string read_email(Fields& fields) {
  const std::string email = trimmed(fields.text("email", 254));
  if (!is_email(email)) fields.wrong("email", "is not an address that mail can be sent to.");
  return email;
}

std::string read_password(Fields& fields, const char* key = "password") {
  const std::string password = fields.text(key, longest_password);
  if (characters_of(password).value_or(0) < shortest_password) fields.wrong(key, "needs 8 to 200 characters.");
  return password;
}

template <Game G>
Json game_json() {
  Json json = {{"id", G::id}, {"standard_scenario", standard_scenario(G::id)}};
  json["scenarios"] = Json::array();
  for (const std::string& id : scenario_ids(G::id)) {
    const auto file = shipped_scenario(G::id, id);
    const auto scenario = file ? G::load(*file, {}) : tl::make_unexpected(file.error());
    if (scenario) json["scenarios"].push_back({{"id", id}, {"seats", G::sheet(*scenario)["seats"]}});
  }
  json["options"] = Json::array();
  for (const Option& option : G::options()) {
    const bool choice = option.type == Option::Type::choice, number = option.type == Option::Type::number;
    Json one = {{"name", option.name}, {"type", choice ? "choice" : number ? "number" : "flag"}, {"default", option.standard}};
    if (choice) one["values"] = option.values;
    if (number) one["least"] = option.least, one["most"] = option.most;
    json["options"].push_back(std::move(one));
  }
  return json;
}

Json games_json() {
  Json json = {{"games", Json::array()}, {"levels", levels()}, {"standard_level", standard_level()}};
  for (const std::string& id : game_ids()) {
    with_game(id, [&]<class Tag>(Tag) { json["games"].push_back(game_json<typename Tag::Type>()); });
  }
  return json;
}

HttpAnswer record_answer(const std::string& name, std::string text) {
  HttpAnswer answer;
  answer.type = "application/jsonl; charset=utf-8";
  answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + ".jsonl\"");
  answer.body = std::make_shared<const std::string>(std::move(text));
  return answer;
}

Json verification_json(const Record& record) {
  const auto right = verify(record);
  Json json = {{"right", right.has_value()}, {"segments", 0}, {"unrevealed", 0}, {"draws", 0}};
  if (right) {
    json["segments"] = right->segments;
    json["unrevealed"] = right->unrevealed;
    json["draws"] = right->draws;
  } else {
    json["problem"] = right.error().text();
  }
  return json;
}

Json texts_json(const Catalogue& texts) {
  Json json = Json::object();
  auto& entries = json.get_ref<Json::object_t&>();
  for (const std::string& key : texts.keys()) entries.emplace_back(key, texts.pattern(key));
  return json;
}

}  // namespace

Api::Api(Hall& hall) : hall_(hall), files_(hall.settings().web) {
  if (!hall.settings().web.empty()) spdlog::info("pages: {} files", files_.count());
}

std::size_t Api::largest_body(std::string_view path) {
  constexpr std::size_t kibibyte = 1024;
  return path == "/api/tables/open" || path == "/api/tables" ? 2048 * kibibyte : 64 * kibibyte;
}

bool Api::is_own_origin(const HttpRequest& request) const {
  if (request.origin.empty()) return true;
  const auto scheme = request.origin.find("://");
  if (scheme != std::string::npos && !request.host.empty() && request.origin.substr(scheme + 3) == request.host) return true;
  const auto& others = hall_.settings().origins;
  return std::find(others.begin(), others.end(), request.origin) != others.end();
}

void Api::fail(const CallPointer& call, const Fault& fault) { call->respond(fault_answer(fault)); }

bool Api::check(const CallPointer& call, Fields& fields) {
  if (auto wrong = fields.fault()) {
    fail(call, *wrong);
    return false;
  }
  return true;
}

Table::Reply Api::reply_to(const CallPointer& call) {
  return [call](const Outcome<Json>& outcome) {
    if (outcome) {
      call->respond(json_answer(*outcome));
    } else {
      fail(call, outcome.error());
    }
  };
}

Reader Api::reader_of(const CallPointer& call) { return call->account ? Reader{call->account->id, call->account->name} : Reader{}; }

void Api::enter(const CallPointer& call, const Outcome<Accounts::Signed>& entered) const {
  if (!entered) return fail(call, entered.error());
  HttpAnswer answer = json_answer({{"account", json_of(entered->account)}});
  if (!entered->token.empty()) {
    const bool secure = !hall_.settings().tls_certificate.empty() || hall_.settings().public_url.starts_with("https:");
    answer.headers.emplace_back("Set-Cookie", session_cookie(entered->token, entered->stays, secure));
  }
  call->respond(std::move(answer));
}

void Api::serve(HttpRequest request, Respond respond) {
  Figures& figures = hall_.figures();
  ++figures.http_requests;
  const auto call = std::make_shared<Call>();
  call->respond = [&figures, respond = std::move(respond)](HttpAnswer answer) {
    if (answer.status >= 400) ++figures.http_refused;
    respond(std::move(answer));
  };
  call->request = std::move(request);
  const HttpRequest& r = call->request;
  const Time now = hall_.loop().now();
  if (hall_.settings().limit_rates) {
    if (const double wait = address_rate_.take(r.address, now); wait > 0) {
      ++figures.rate_limited;
      return fail(call, {"too-many", "too many requests from your address; wait a moment.", {}, wait});
    }
  }
  const bool posts = r.method == "POST";
  if (r.method != "GET" && r.method != "HEAD" && !posts) return fail(call, {"wrong-method", "only GET, HEAD and POST are served."});
  if (r.path == "/healthz") {
    return hall_.writer().submit([](Database&) {}, [call] {
      HttpAnswer answer;
      answer.type = "text/plain; charset=utf-8";
      answer.body = std::make_shared<const std::string>("ok\n");
      call->respond(std::move(answer));
    });
  }
  if (r.path == "/metrics") {
    if (!hall_.settings().public_metrics && r.address != "127.0.0.1" && r.address != "::1")
      return fail(call, {"not-allowed", "metrics are for the loopback address unless the server is started with --metrics public."});
    HttpAnswer answer;
    answer.type = "text/plain; version=0.0.4";
    answer.body = std::make_shared<const std::string>(hall_.metrics());
    return call->respond(std::move(answer));
  }
  call->path = parts_of(r.path);
  if (call->path.empty() || call->path.front() != "api") {
    if (posts) return fail(call, {"wrong-method", "pages are fetched with GET."});
    return call->respond(files_.find(r));
  }
  call->path.erase(call->path.begin());
  if (call->path.empty()) return fail(call, {"not-found", "there is no such address."});
  if (posts) {
    if (!is_own_origin(r)) return fail(call, {"wrong-origin", "this page does not belong to the server."});
    if (!r.content_type.starts_with("application/json")) return fail(call, {"wrong-type", "a POST needs Content-Type: application/json."});
    auto json = read_json(r.body, "the body");
    if (!json) return fail(call, {"bad-request", json.error().text()});
    if (!json->is_object()) return fail(call, {"bad-request", "the body must be a JSON object."});
    call->json = std::move(*json);
  }
  hall_.accounts().identify(r.session, [this, call](std::optional<AccountRow> account) {
    call->account = std::move(account);
    identified(call);
  });
}

void Api::identified(const CallPointer& call) {
  if (serve_accounts(call) || serve_words(call) || serve_tables(call)) return;
  fail(call, {"not-found", "there is no such address, or not with this method; docs/protocol.md lists them."});
}

// --- Accounts ------------------------------------------------------------------------------------------------------------------------

bool Api::serve_accounts(const CallPointer& call) {
  const bool posts = call->request.method == "POST";
  const std::string& what = call->path[0];
  const std::string second = call->path.size() > 1 ? call->path[1] : "";
  if (call->path.size() > 2) return false;
  Accounts& accounts = hall_.accounts();
  if (!posts) {
    if (what != "me" || !second.empty()) return false;
    call->respond(json_answer({{"account", call->account ? json_of(*call->account) : Json(nullptr)}}));
    return true;
  }
  Fields fields(call->json);
  const auto enters = [this, call](const Outcome<Accounts::Signed>& entered) { enter(call, entered); };
  const auto limited = [&](const std::string& email) {
    if (!hall_.settings().limit_rates) return false;
    const Time now = hall_.loop().now();
    double wait = entrance_rate_.take(call->request.address, now);
    if (wait == 0 && !email.empty()) wait = email_rate_.take(plain_email(email), now);
    if (wait == 0) return false;
    ++hall_.figures().rate_limited;
    fail(call, {"too-many", "too many attempts; wait a moment.", {}, wait});
    return true;
  };
  if (what == "guest" && second.empty()) {
    const auto name = read_name(fields);
    const std::string locale = read_locale(fields);
    if (!check(call, fields)) return true;
    if (call->account) {
      enter(call, Accounts::Signed{*call->account, {}, false});
    } else {
      accounts.guest(name.value_or(""), locale, enters);
    }
    return true;
  }
  if (what == "register" && second.empty()) {
    const std::string email = read_email(fields), password = read_password(fields);
    const auto name = read_name(fields);
    const std::string locale = read_locale(fields);
    const bool stays = fields.flag("stay", false);
    if (!check(call, fields) || limited(email)) return true;
    if (call->account && !call->account->is_guest()) {
      fail(call, {"registered-already", "you are signed in to an account; sign out first."});
    } else {
      accounts.enrol(call->account, email, password, name.value_or(""), locale, stays, enters);
    }
    return true;
  }
  if (what == "sign-in" && second.empty()) {
    const std::string email = fields.text("email", 254), password = fields.text("password", longest_password);
    const bool stays = fields.flag("stay", false);
    if (check(call, fields) && !limited(email)) accounts.sign_in(trimmed(email), password, stays, enters);
    return true;
  }
  if (what == "confirm" && second.empty()) {
    const std::string token = fields.text("token", 100);
    if (check(call, fields) && !limited("")) accounts.confirm(token, enters);
    return true;
  }
  if (what == "forgot" && second.empty()) {
    const std::string email = read_email(fields);
    if (check(call, fields) && !limited(email)) accounts.forgot(email, [call] { call->respond(json_answer(Json::object())); });
    return true;
  }
  if (what == "reset" && second.empty()) {
    const std::string token = fields.text("token", 100), password = read_password(fields);
    if (check(call, fields) && !limited("")) {
      accounts.reset(token, password, [this, enters](const Outcome<Accounts::Signed>& entered) {
        if (entered) hall_.signed_out(entered->account.id, "");
        enters(entered);
      });
    }
    return true;
  }
  const bool known = ((what == "sign-out" || what == "sign-out-everywhere") && second.empty()) || (what == "confirm" && second == "again") ||
                     (what == "account" && (second.empty() || second == "delete"));
  if (!known) return false;
  if (!call->account) {
    fail(call, {"sign-in-first", "there is no session; sign in or come as a guest."});
    return true;
  }
  const AccountRow account = *call->account;
  const auto ends = [this, call, account](const std::string& session) {
    hall_.signed_out(account.id, session);
    HttpAnswer answer = json_answer(Json::object());
    answer.headers.emplace_back("Set-Cookie", session_cookie("", false, false));
    call->respond(std::move(answer));
  };
  if (what == "sign-out") {
    if (check(call, fields)) accounts.sign_out(call->request.session, [ends, session = call->request.session] { ends(session); });
  } else if (what == "sign-out-everywhere") {
    if (check(call, fields)) accounts.sign_out_everywhere(account.id, [ends] { ends(""); });
  } else if (what == "confirm") {
    if (!check(call, fields) || limited(account.email)) return true;
    if (!account.is_guest() && !account.email_confirmed) accounts.mail_confirmation(account);
    call->respond(json_answer(Json::object()));
  } else if (second == "delete") {
    const std::string password = fields.text_if_any("password", longest_password).value_or("");
    if (!check(call, fields) || limited(account.email)) return true;
    accounts.check_password(account, password, [this, call, account, ends](bool right) {
      if (!right) return fail(call, {"wrong-password", "the password is wrong."});
      hall_.left_for_good(account.id, [this, account, ends] { hall_.accounts().remove(account.id, [ends] { ends(""); }); });
    });
  } else {
    change_account(call);
  }
  return true;
}

void Api::change_account(const CallPointer& call) {
  Fields fields(call->json);
  AccountRow account = *call->account;
  const auto name = read_name(fields);
  const std::string locale = read_locale(fields);
  account.mail_notices = fields.flag("mail_notices", account.mail_notices);
  if (fields.has("webhook")) {
    account.webhook = fields.text_if_any("webhook", 500).value_or("");
    if (!account.webhook.empty() && !is_webhook(account.webhook, hall_.settings().local_webhooks)) fields.wrong("webhook", "must be an https address on the net.");
  }
  const bool new_password = fields.has("password");
  const std::string password = new_password ? read_password(fields) : "";
  const std::string old_password = fields.text_if_any("old_password", longest_password).value_or("");
  if (!check(call, fields)) return;
  if (name) account.name = *name;
  if (!locale.empty()) account.locale = locale;
  const auto done = [this, call, renamed = name.has_value()](const AccountRow& changed) {
    if (renamed) hall_.renamed(changed.id, changed.name);
    call->respond(json_answer({{"account", json_of(changed)}}));
  };
  if (!new_password) return hall_.accounts().change(account, [account, done] { done(account); });
  if (account.is_guest()) return fail(call, {"not-allowed", "a guest has no password; register first."});
  hall_.accounts().change_password(account, old_password, password, [call, done](const Outcome<AccountRow>& changed) {
    if (!changed) return fail(call, changed.error());
    done(*changed);
  });
}

// --- Games and words -----------------------------------------------------------------------------------------------------------------

bool Api::serve_words(const CallPointer& call) {
  if (call->request.method == "POST") return false;
  const auto& path = call->path;
  const auto kept = [&](const auto& make) {
    auto& body = kept_[call->request.path];
    if (!body) body = std::make_shared<const std::string>(one_line(make()));
    HttpAnswer answer;
    answer.body = body;
    answer.headers.emplace_back("Cache-Control", "no-cache");
    call->respond(std::move(answer));
  };
  if (path[0] == "games" && path.size() == 1) {
    kept(games_json);
    return true;
  }
  const auto games = game_ids();
  const bool is_game = path.size() > 1 && std::find(games.begin(), games.end(), path[1]) != games.end();
  const bool speaks = path.size() > 2 && (path[2] == "en" || path[2] == "de" || path[2] == "ja");
  const auto of_shipped = [&](const std::string& name, const auto& make) {
    const auto scenario = shipped_scenario(path[1], name);
    const auto match = scenario ? create_match(path[1], {*scenario, {}, {}, Seeded{1}, std::nullopt}) : tl::make_unexpected(scenario.error());
    if (!match) return fail(call, {"not-found", match.error().text()});
    kept([&] { return make(**match); });
  };
  if (path[0] == "text" && path.size() == 3) {
    const bool house = path[1] == "house";
    if (!(house || is_game) || !speaks) return false;
    const auto table = call->request.query.find("table");
    if (table == call->request.query.end()) {
      kept([&] { return texts_json(house_catalogue(house ? "" : path[1], path[2])); });
      return true;
    }
    hall_.with_table(table->second, [call](const Outcome<Hall::TablePointer>& found) {
      if (!found) return fail(call, found.error());
      if (!(*found)->match() || !(*found)->may_watch(reader_of(call).account, ""))
        return call->respond(json_answer(texts_json(house_catalogue(call->path[1], call->path[2]))));
      call->respond(json_answer(texts_json((*found)->match()->catalogue(embedded_files(), call->path[2]))));
    });
    return true;
  }
  if (path[0] == "text" && path.size() == 4 && is_game && speaks) {
    of_shipped(path[3], [&](const Match& match) { return texts_json(match.catalogue(embedded_files(), path[2])); });
    return true;
  }
  if (path[0] == "sheet" && path.size() == 3 && is_game) {
    of_shipped(path[2], [](const Match& match) { return match.sheet(); });
    return true;
  }
  return false;
}

// --- Tables --------------------------------------------------------------------------------------------------------------------------

void Api::list_tables(const CallPointer& call, bool mine) {
  const std::string reader = reader_of(call).account;
  hall_.writer().ask<std::vector<TableRow>>(
      [mine, reader](Database& d) { return mine ? d.tables_of(reader, most_own_listed) : d.public_tables(most_listed); },
      [this, call, mine, reader](const std::vector<TableRow>& rows) {
        Json yours = Json::array(), others = Json::array();
        for (const TableRow& row : rows) {
          const auto json = read_json(row.state, "table");
          const auto state = json ? read_table_state(*json) : tl::make_unexpected(json.error());
          if (!state) continue;
          Json summary = summary_of(*state, reader, {}, 0);
          (mine && summary["your_turn"] == true ? yours : others).push_back(std::move(summary));
        }
        for (Json& one : others) yours.push_back(std::move(one));
        Json answer = {{"tables", std::move(yours)}};
        if (!mine) answer["people"] = hall_.people();
        call->respond(json_answer(answer));
      });
}

void Api::count_tables(const CallPointer& call, std::function<void(std::optional<Fault>)> then) {
  const int most = !hall_.settings().limit_rates ? std::numeric_limits<int>::max() : call->account->is_guest() ? most_tables_of_guest : most_tables;
  hall_.writer().ask<int>([host = call->account->id](Database& d) { return d.unfinished_tables_made_by(host); },
                          [most, then = std::move(then)](int made) {
                            if (made < most) return then(std::nullopt);
                            then(Fault{"too-many", "you have " + std::to_string(most) + " tables that are not over; finish or close one.", {}});
                          });
}

void Api::make_table(const CallPointer& call, Outcome<TablePlan> plan) {
  if (!plan) return fail(call, plan.error());
  count_tables(call, [this, call, kept = std::make_shared<TablePlan>(std::move(*plan))](const std::optional<Fault>& too_many) {
    if (too_many) return fail(call, *too_many);
    hall_.open_table(std::move(*kept), reader_of(call), reply_to(call));
  });
}

// One rematch for a table, whoever asks and however many at once: those who ask while it is made wait for it.
void Api::rematch(const CallPointer& call, const Hall::TablePointer& table) {
  const TableState& state = table->state();
  if (!state.seats_person(reader_of(call).account)) return fail(call, {"not-yours", "only those who played may ask for a rematch."});
  if (state.status != Status::over) return fail(call, {"not-over", "the game is not over yet."});
  const auto [waiting, first] = rematches_.try_emplace(state.id);
  if (!first) return waiting->second.push_back(call);
  if (state.rematch.empty()) return make_rematch(call, table);
  hall_.with_table(state.rematch, [this, call, table](const Outcome<Hall::TablePointer>& next) {
    if (next) return answer_rematch(call, table, (*next)->summary(reader_of(call).account));
    // It was closed, or the server stopped between naming and making it.
    if (next.error().code == "no-such-table") return make_rematch(call, table);
    answer_rematch(call, table, tl::make_unexpected(next.error()));
  });
}

void Api::make_rematch(const CallPointer& call, const Hall::TablePointer& table) {
  count_tables(call, [this, call, table](std::optional<Fault> too_many) {
    if (too_many) return answer_rematch(call, table, tl::make_unexpected(std::move(*too_many)));
    const Reader who = reader_of(call);
    auto plan = rematch_of(*table, who, hall_.loop().now());
    if (!plan) return answer_rematch(call, table, tl::make_unexpected(plan.error()));
    const std::string id = plan->state.id;
    // Named before it is made, so that a crash between leaves no second table.
    table->set_rematch(id, [this, call, table, who, kept = std::make_shared<TablePlan>(std::move(*plan))] {
      hall_.open_table(std::move(*kept), who, [this, call, table](const Outcome<Json>& made) {
        if (made) {
          const TableState& state = table->state();
          const Json notice = {{"type", "notice"}, {"notice", "rematch"}, {"table", state.rematch}, {"title", state.title}, {"game", state.game}, {"from_name", call->account->name}};
          for (const std::string& person : state.persons()) {
            if (person != call->account->id) hall_.notify(person, notice);
          }
        }
        answer_rematch(call, table, made);
      });
    });
  });
}

void Api::answer_rematch(const CallPointer& call, const Hall::TablePointer& table, const Outcome<Json>& outcome) {
  reply_to(call)(outcome);
  const auto waiting = std::move(rematches_[table->state().id]);
  rematches_.erase(table->state().id);
  for (const CallPointer& other : waiting) rematch(other, table);
}

bool Api::serve_tables(const CallPointer& call) {
  const bool posts = call->request.method == "POST";
  const auto& path = call->path;
  if (!posts && path.size() == 1 && (path[0] == "lobby" || path[0] == "my-tables")) {
    if (path[0] == "my-tables" && !call->account) {
      call->respond(json_answer({{"tables", Json::array()}}));
    } else {
      list_tables(call, path[0] == "my-tables");
    }
    return true;
  }
  if (path[0] != "tables" || path.size() > 3) return false;
  if (posts && !call->account) {
    fail(call, {"sign-in-first", "there is no session; sign in or come as a guest."});
    return true;
  }
  const Time now = hall_.loop().now();
  if (posts && path.size() == 1) {
    make_table(call, read_new_table(call->json, reader_of(call), hall_.settings(), now));
    return true;
  }
  if (posts && path.size() == 2 && path[1] == "open") {
    make_table(call, read_open_record(call->json, reader_of(call), hall_.settings(), now));
    return true;
  }
  if (path.size() < 2 || (posts && path.size() != 3)) return false;
  hall_.with_table(path[1], [this, call, posts](const Outcome<Hall::TablePointer>& table) {
    if (!table) return fail(call, table.error());
    const std::string what = call->path.size() == 3 ? call->path[2] : "";
    const auto key = call->request.query.find("key");
    const bool may_watch = (*table)->may_watch(reader_of(call).account, key == call->request.query.end() ? "" : key->second);
    if (!may_watch && what != "join") return fail(call, {"not-allowed", "this table is private."});
    if (posts) return serve_table(call, *table, what);
    (*table)->in_order([this, call, table = *table, what] { get_table_part(call, table, what); });
  });
  return true;
}

void Api::serve_table(const CallPointer& call, const Hall::TablePointer& table, const std::string& what) {
  Fields fields(call->json);
  const Reader who = reader_of(call);
  const Time now = hall_.loop().now();
  if (what == "join") {
    const auto seat = fields.text_if_any("seat", 40);
    const std::string key = fields.text_if_any("key", 64).value_or(""), salt = fields.text_if_any("salt", 100).value_or("");
    if (check(call, fields)) table->join(who, seat, key, salt, reply_to(call));
  } else if (what == "leave") {
    const auto seat = fields.text_if_any("seat", 40);
    if (check(call, fields)) table->leave(who, seat, reply_to(call));
  } else if (what == "seat") {
    const std::string seat = fields.text("seat", 40), kind = fields.word_of("kind", {"me", "open", "invited", "device", "bot"}, "");
    const std::string level = fields.text_if_any("level", 40).value_or("");
    if (kind.empty()) fields.wrong("kind", "is needed.");
    if (check(call, fields)) table->give_seat(who, seat, kind, level, reply_to(call));
  } else if (what == "steward") {
    const std::string seat = fields.text("seat", 40);
    const bool chooses = fields.has("level");
    const auto level = fields.text_if_any("level", 40);
    if (!check(call, fields)) return;
    if (chooses) {
      table->set_steward(who, seat, level, reply_to(call));
    } else {
      table->ask_steward(who, seat, reply_to(call));
    }
  } else if (what == "rematch") {
    if (check(call, fields)) rematch(call, table);
  } else if (what == "branch") {
    const auto step = fields.number("step", 0, 1'000'000);
    const Json* seats = fields.list_if_any("seats", max_seats);
    if (!check(call, fields)) return;
    if (!table->may_read_record(who.account)) return fail(call, {"not-over", "a branch is made after the end, or where nobody else plays."});
    auto plan = branch_of(*table, static_cast<std::size_t>(step), seats, who, now);
    if (!plan) return fail(call, plan.error());
    table->tell_truth([this, call, kept = std::make_shared<TablePlan>(std::move(*plan))] { make_table(call, std::move(*kept)); });
  } else if (what == "close") {
    if (!check(call, fields)) return;
    if (table->state().host != who.account) return fail(call, {"not-host", "only the host closes a table."});
    const auto persons = table->state().persons();
    const bool others = std::any_of(persons.begin(), persons.end(), [&](const std::string& person) { return person != who.account; });
    if (others && table->state().status != Status::gathering) return fail(call, {"not-allowed", "others play at this table; you can leave it."});
    hall_.forget_table(table->state().id);
    table->close("closed", [call] { call->respond(json_answer(Json::object())); });
  } else {
    fail(call, {"not-found", "there is no such address; docs/protocol.md lists them."});
  }
}

void Api::get_table_part(const CallPointer& call, const Hall::TablePointer& table, const std::string& what) {
  const std::string reader = reader_of(call).account;
  const auto given = call->request.query.find("viewer");
  const std::optional<std::string> viewer = given == call->request.query.end() ? std::nullopt : std::optional(given->second);
  if (what.empty()) return call->respond(json_answer(table->summary(reader)));
  if (what == "sheet") return call->respond(json_answer(table->sheet()));
  if (!table->match()) return fail(call, {"not-started", "the game has not begun."});
  const bool over = table->state().status == Status::over;
  if (what == "verify") {
    if (!over) return fail(call, {"not-over", "dice can be checked when the game is over."});
    return answer_from_copy(call, table, [](const Match& match) { return json_answer(verification_json(match.record())); });
  }
  // Whose eyes: anybody's after the end, else those of a seat that the reader holds, or a spectator's.
  std::vector<std::string> viewers = {"spectator"};
  std::string own = "spectator";
  for (const Place& p : table->state().places) {
    const bool mine = p.is_held() && !reader.empty() && p.person == reader;
    if (mine && own == "spectator") own = p.seat;
    if (mine || over) viewers.push_back(p.seat);
  }
  if (viewer && std::find(viewers.begin(), viewers.end(), *viewer) == viewers.end())
    return fail(call, {"not-yours", "you can look through the eyes of your own seats only."});
  const Seat eyes = *table->match()->seat_named(viewer.value_or(own));
  if (what == "replay") {
    return answer_from_copy(call, table, [eyes, over, viewers](const Match& match) {
      return json_answer({{"game", match.header().game}, {"viewer", match.name_of(eyes)}, {"viewers", viewers}, {"frames", match.frames(eyes, over)}});
    });
  }
  if (what == "record") {
    const std::string name = table->state().game + "-" + table->state().id;
    if (!viewer && table->may_read_record(reader)) {
      return table->read_record([call, name](std::string text) { call->respond(record_answer(name, std::move(text))); });
    }
    return answer_from_copy(call, table, [eyes, name](const Match& match) { return record_answer(name, match.seat_record(eyes)); });
  }
  fail(call, {"not-found", "there is no such address; docs/protocol.md lists them."});
}

// Going through a whole match takes its time, so it is done with a copy, away from the tables.
void Api::answer_from_copy(const CallPointer& call, const Hall::TablePointer& table, std::function<HttpAnswer(const Match&)> make) {
  auto answer = std::make_shared<HttpAnswer>();
  hall_.clerk().work(
      [answer, record = table->match()->record(), make = std::move(make)] {
        const auto copy = load_match(record);
        *answer = copy ? make(**copy) : fault_answer({"unavailable", copy.error().text()});
      },
      [call, answer] { call->respond(std::move(*answer)); });
}

}  // namespace baton::table
