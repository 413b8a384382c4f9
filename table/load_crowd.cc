#include "table/load_crowd.h"

#include <future>

#include "match/json_reader.h"

namespace baton::table {
namespace {

// The text of the list under a key of a view, without reading the rest: a client that costs as much as the server would measure itself.
std::string list_under(std::string_view text, std::string_view key) {
  const auto found = text.find(key);
  if (found == std::string_view::npos) return "[]";
  const auto begin = found + key.size();
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return std::string(text.substr(begin, i + 1 - begin));
    }
  }
  return "[]";
}

}  // namespace

void Visitor::read() {
  socket.async_read(buffer, [this](error_code error, std::size_t size) {
    if (error) {
      if (crowd.failure.empty()) crowd.failure = "a line broke: " + error.message();
      return;
    }
    if (Clock::now() >= crowd.from) crowd.report.bytes += static_cast<long>(size);
    const auto bytes = buffer.cdata();
    take({static_cast<const char*>(bytes.data()), bytes.size()});
    buffer.consume(buffer.size());
    read();
  });
}

void Visitor::take(std::string_view text) {
  if (text.starts_with(R"({"type":"answer")")) {
    const auto json = read_json(text, "message");
    if (!json) return;
    const bool ok = (*json)["ok"] == true;
    if ((*json)["id"] == "watch") {
      if (!ok && crowd.failure.empty()) crowd.failure = std::string(text);
      ++crowd.ready_watches;
    } else if ((*json)["id"] == "end") {
      crowd.nothing_to_see(pair);
    } else {
      crowd.answered(pair, ok);
    }
    return;
  }
  const auto view = text.find(R"("view":{)");
  if (view == std::string_view::npos) return;
  const std::string_view rest = text.substr(view);
  actions = list_under(rest, R"("actions":)");
  has_choice = is_a_choice(actions);
  if (!pair.over && rest.find(R"("result":{)") != std::string_view::npos) {
    pair.over = true;
    ++crowd.report.games_ended;
  }
  crowd.seen(pair, *this);
  crowd.offer(pair);
  crowd.serve_due();
}

void Visitor::write(std::string text) {
  queue.push_back(std::move(text));
  if (queue.size() == 1) write_next();
}

void Visitor::write_next() {
  socket.async_write(asio::buffer(queue.front()), [this](error_code error, std::size_t) {
    if (error) return;
    queue.pop_front();
    if (!queue.empty()) write_next();
  });
}

namespace {

// The two seats of the game's standard scenario.
std::vector<std::string> seats_of(Poster& poster, const std::string& game) {
  const Json games = Json::parse(poster.get("/api/games"));
  for (const Json& one : games["games"]) {
    if (one["id"] != game) continue;
    for (const Json& scenario : one["scenarios"]) {
      if (scenario["id"] != one["standard_scenario"]) continue;
      std::vector<std::string> seats;
      for (const Json& seat : scenario["seats"]) seats.push_back(seat["id"]);
      if (seats.size() == 2) return seats;
    }
  }
  throw std::runtime_error("the standard scenario of " + game + " is not for two.");
}

}  // namespace

void seat_everyone(Crowd& crowd, unsigned short port) {
  const LoadPlan& plan = crowd.plan;
  const auto seats = [&] {
    Poster poster(port);
    return seats_of(poster, plan.game);
  }();
  for (int i = 0; i < plan.tables; ++i) crowd.pairs.push_back(std::make_unique<Pair>());
  // Several at once, so that they share the syncs of the disk.
  constexpr int ushers = 16;
  std::vector<std::future<void>> all;
  for (int usher = 0; usher < ushers; ++usher) {
    all.push_back(std::async(std::launch::async, [&, usher] {
      Poster poster(port);
      for (int i = usher; i < plan.tables; i += ushers) {
        Pair& pair = *crowd.pairs[static_cast<std::size_t>(i)];
        // Tables of both kinds take turns.
        const bool against_bot =
            static_cast<std::int64_t>(i + 1) * plan.with_bots / plan.tables > static_cast<std::int64_t>(i) * plan.with_bots / plan.tables;
        Json places = {{{"seat", seats[0]}, {"kind", "me"}}};
        if (against_bot) places.push_back({{"seat", seats[1]}, {"kind", "bot"}, {"level", plan.level}});
        for (std::size_t p = 0; p < (against_bot ? 1 : 2); ++p) {
          auto visitor = std::make_unique<Visitor>(crowd.context, crowd, pair);
          visitor->seat = seats[p];
          visitor->cookie = poster.post("/api/guest", Json::object(), "").cookie;
          pair.people.push_back(std::move(visitor));
        }
        pair.table = poster.post("/api/tables", {{"game", plan.game}, {"seats", places}}, pair.people[0]->cookie).json["id"];
        if (!against_bot) poster.post("/api/tables/" + pair.table + "/join", Json::object(), pair.people[1]->cookie);
      }
    }));
  }
  for (auto& one : all) one.get();
  for (const auto& pair : crowd.pairs) {
    for (const auto& visitor : pair->people) {
      beast::get_lowest_layer(visitor->socket).connect({asio::ip::make_address("127.0.0.1"), port});
      beast::get_lowest_layer(visitor->socket).socket().set_option(tcp::no_delay(true));
      visitor->socket.set_option(
          websocket::stream_base::decorator([&](websocket::request_type& ask) { ask.set(http::field::cookie, visitor->cookie); }));
      visitor->socket.read_message_max(std::size_t{16} << 20);
      visitor->socket.handshake("127.0.0.1:" + std::to_string(port), "/api/socket");
      visitor->read();
      visitor->write(Json{{"type", "watch"}, {"id", "watch"}, {"table", pair->table}, {"viewer", visitor->seat}}.dump());
      ++crowd.watches;
      crowd.context.poll();  // the server pings, and computer players do not wait for the others to arrive
    }
  }
  while (crowd.ready_watches < crowd.watches && crowd.failure.empty()) crowd.context.run_one();
}

std::vector<std::string> scripted_choices(const std::string& actions) {
  std::vector<std::string> choices;
  for (const Json& action : Json::parse(actions)) {
    const std::string verb = action.value("do", "");
    // Placing piece by piece takes some dozens of actions, and at random never ends: it can be taken back as often.
    if (verb == "place-for-me" || verb == "ready") return {action.dump()};
    if (verb != "surrender") choices.push_back(action.dump());
  }
  return choices;
}

bool is_a_choice(std::string_view actions) {
  constexpr std::string_view begin = R"({"do":")";
  int count = 0;
  for (auto at = actions.find(begin); at != std::string_view::npos; at = actions.find(begin, at + 1)) {
    if (!actions.substr(at + begin.size()).starts_with("surrender\"")) ++count;
  }
  return count > 1;
}

}  // namespace baton::table
