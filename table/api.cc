#include "table/api.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "match/json_reader.h"
#include "match/registry.h"
#include "table/json_fields.h"
#include "table/log.h"

namespace baton::table {
namespace {

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

Json texts_json(const Catalogue& texts) {
  Json json = Json::object();
  auto& entries = json.get_ref<Json::object_t&>();
  for (const std::string& key : texts.keys()) entries.emplace_back(key, texts.pattern(key));
  return json;
}

}  // namespace

Api::Api(Hall& hall) : hall_(hall), files_(hall.settings().web) {
  if (!hall.settings().web.empty()) log_line(spdlog::level::info, "pages-read", {{"count", std::to_string(files_.count())}});
}

std::size_t Api::largest_body(std::string_view path) {
  constexpr std::size_t kibibyte = 1024;
  return path == "/api/tables/open" || path == "/api/tables" ? 2048 * kibibyte : 64 * kibibyte;
}

bool Api::is_own_origin(const HttpRequest& request) const {
  if (request.origin.empty()) return true;
  const auto scheme = request.origin.find("://");
  if (scheme != std::string::npos && !request.host.empty() && request.origin.substr(scheme + 3) == request.host) return true;
  // A proxy may give the server another Host than people see.
  if (!hall_.settings().public_url.empty() && request.origin == origin_of(hall_.settings().public_url)) return true;
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
    return hall_.writer().submit([](Database&) {},
                                 [call] {
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
  hall_.accounts().identify(r.session, [this, call](Outcome<std::optional<AccountRow>> account) {
    if (!account) return fail(call, account.error());
    call->account = std::move(*account);
    identified(call);
  });
}

void Api::identified(const CallPointer& call) {
  if (serve_accounts(call) || serve_words(call) || serve_tables(call)) return;
  fail(call, {"not-found", "there is no such address, or not with this method; docs/protocol.md lists them."});
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
    const auto match =
        scenario ? create_match(path[1], {*scenario, {}, {}, Seeded{1}, std::nullopt}) : tl::make_unexpected(scenario.error());
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

}  // namespace baton::table
