// The people of a load: two, or one and a computer player, at every table, and the actions that are under way.
#pragma once

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "core/json_text.h"
#include "table/load.h"

namespace baton::table {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

inline double milliseconds_since(Clock::time_point then) { return std::chrono::duration<double, std::milli>(Clock::now() - then).count(); }

// One POST, with the cookie it gives.
struct Posted {
  Json json;
  std::string cookie;
};

class Poster {
 public:
  explicit Poster(unsigned short port) : port_(port), stream_(context_) { stream_.connect({asio::ip::make_address("127.0.0.1"), port}); }

  Posted post(const std::string& target, const Json& body, const std::string& cookie) {
    http::request<http::string_body> ask{http::verb::post, target, 11};
    ask.set(http::field::host, "127.0.0.1:" + std::to_string(port_));
    ask.set(http::field::content_type, "application/json");
    if (!cookie.empty()) ask.set(http::field::cookie, cookie);
    ask.body() = body.dump();
    ask.prepare_payload();
    http::write(stream_, ask);
    http::response<http::string_body> answer;
    http::read(stream_, buffer_, answer);
    if (answer.result_int() != 200) throw std::runtime_error(target + ": " + answer.body());
    const std::string given(answer[http::field::set_cookie]);
    return {Json::parse(answer.body()), given.substr(0, given.find(';'))};
  }

  std::string get(const std::string& target) {
    http::request<http::empty_body> ask{http::verb::get, target, 11};
    ask.set(http::field::host, "127.0.0.1:" + std::to_string(port_));
    http::write(stream_, ask);
    http::response<http::string_body> answer;
    http::read(stream_, buffer_, answer);
    if (answer.result_int() != 200) throw std::runtime_error(target + ": " + answer.body());
    return answer.body();
  }

 private:
  unsigned short port_;
  asio::io_context context_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
};

struct Crowd;
struct Pair;

// A person at one seat of one table.
struct Visitor {
  Visitor(asio::io_context& context, Crowd& in, Pair& at) : socket(context), crowd(in), pair(at) {}

  websocket::stream<beast::tcp_stream> socket;
  Crowd& crowd;
  Pair& pair;
  std::string seat, cookie;
  beast::flat_buffer buffer;
  std::deque<std::string> queue;
  std::string actions = "[]";
  bool has_choice = false;

  void read();
  void take(std::string_view text);
  void write(std::string text);
  void write_next();
};

// One table, and the one action that is under way there.
struct Pair {
  std::string table;
  std::vector<std::unique_ptr<Visitor>> people;  // the second plays against the first; with one, a computer does
  bool over = false, queued = false;
  int count = 0;

  struct Pending {
    Clock::time_point due;
    Visitor* actor;
    Visitor* seer;  // whose view is waited for
    bool answered = false, seen = false, asked_for_end = false;
  };
  std::optional<Pending> pending;

  bool against_bot() const { return people.size() == 1; }
};

struct Crowd {
  explicit Crowd(const LoadPlan& of) : plan(of) {}

  const LoadPlan& plan;
  asio::io_context context;
  std::vector<std::unique_ptr<Pair>> pairs;
  LoadReport report;
  std::mt19937 random{1};
  int ready_watches = 0, watches = 0;
  std::string failure;

  Clock::time_point from = Clock::time_point::max(), until = Clock::time_point::max();  // what is due between them counts
  std::deque<Clock::time_point> due;
  std::deque<Pair*> ready;  // in turn

  bool counts(Clock::time_point at) const { return at >= from && at < until; }
  LoadTimes& times_of(const Pair& pair) { return pair.against_bot() ? report.against_bots : report.people; }

  void offer(Pair& pair) {
    if (pair.queued || pair.pending || pair.over) return;
    if (std::none_of(pair.people.begin(), pair.people.end(), [](const auto& v) { return v->has_choice; })) return;
    pair.queued = true;
    ready.push_back(&pair);
  }

  void serve_due() {
    while (!due.empty() && !ready.empty()) {
      Pair& pair = *ready.front();
      ready.pop_front();
      pair.queued = false;
      const auto actor = std::find_if(pair.people.begin(), pair.people.end(), [](const auto& v) { return v->has_choice; });
      if (pair.pending || pair.over || actor == pair.people.end()) continue;
      act(pair, **actor, due.front());
      due.pop_front();
    }
  }

  void act(Pair& pair, Visitor& actor, Clock::time_point at) {
    const std::vector<std::string> choices = scripted_choices(actor.actions);
    Visitor* seer = &actor;
    for (const auto& visitor : pair.people) {
      if (visitor.get() != &actor) seer = visitor.get();
    }
    pair.pending = Pair::Pending{at, &actor, seer};
    actor.has_choice = false;
    actor.write(Json{{"type", "act"},
                     {"id", actor.seat + std::to_string(pair.count++)},
                     {"table", pair.table},
                     {"seat", actor.seat},
                     {"action", Json::parse(choices[random() % choices.size()])}}
                    .dump());
  }

  void answered(Pair& pair, bool ok) {
    if (!pair.pending || pair.pending->answered) return;
    Pair::Pending& p = *pair.pending;
    p.answered = true;
    if (!ok) {  // the table moved on by itself between the view and the action
      if (counts(p.due)) ++report.refused;
      pair.pending.reset();
      return offer(pair);
    }
    if (counts(p.due)) {
      ++report.actions;
      times_of(pair).answer.push_back(milliseconds_since(p.due));
    }
    if (p.seen) return finish(pair);
    // Not every action shows to the opponent. What the server sends on one line keeps its order, so an answer to a later question on the
    // seer's line proves that no view is to come; it is asked only when the view is not there after a while.
    auto timer = std::make_shared<asio::steady_timer>(context, std::chrono::milliseconds(50));
    timer->async_wait([this, timer, &pair, due_at = p.due](error_code) {
      if (!pair.pending || pair.pending->due != due_at || pair.pending->seen) return;
      pair.pending->asked_for_end = true;
      pair.pending->seer->write(R"({"type":"ping","id":"end"})");
    });
  }

  void seen(Pair& pair, const Visitor& by) {
    if (!pair.pending || pair.pending->seer != &by || pair.pending->seen) return;
    Pair::Pending& p = *pair.pending;
    p.seen = true;
    if (counts(p.due)) times_of(pair).view.push_back(milliseconds_since(p.due));
    if (p.answered) finish(pair);
  }

  void nothing_to_see(Pair& pair) {
    if (!pair.pending || !pair.pending->asked_for_end) return;
    if (counts(pair.pending->due)) ++times_of(pair).unseen;
    finish(pair);
  }

  void finish(Pair& pair) {
    pair.pending.reset();
    offer(pair);
    serve_due();
  }
};

void seat_everyone(Crowd& crowd, unsigned short port);

}  // namespace baton::table
