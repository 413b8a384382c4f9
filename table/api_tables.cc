// Requests about tables: the lobby, new ones, rematches, and what can be had of one.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "match/json_reader.h"
#include "match/registry.h"
#include "table/api.h"
#include "table/json_fields.h"

namespace baton::table {
namespace {

constexpr int most_listed = 100, most_own_listed = 200, most_tables = 50, most_tables_of_guest = 20;

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

}  // namespace

void Api::list_tables(const CallPointer& call, bool mine) {
  const std::string reader = reader_of(call).account;
  using Listed = std::pair<std::vector<TableRow>, Names>;
  hall_.writer().read<Listed>(
      [mine, reader](Database& d) -> Listed {
        if (mine) return {d.tables_of(reader, most_own_listed), d.names_at_tables_of(reader, most_own_listed)};
        return {d.public_tables(most_listed), d.names_at_public_tables(most_listed)};
      },
      [this, call, mine, reader](const Outcome<Listed>& listed) {
        if (!listed) return fail(call, listed.error());
        Json yours = Json::array(), others = Json::array();
        for (const TableRow& row : listed->first) {
          const auto json = read_json(row.state, "table");
          auto state = json ? read_table_state(*json) : tl::make_unexpected(json.error());
          if (!state) continue;
          name_everybody(*state, listed->second);
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
  const int most = !hall_.settings().limit_rates ? std::numeric_limits<int>::max()
                   : call->account->is_guest()   ? most_tables_of_guest
                                                 : most_tables;
  hall_.writer().read<int>(
      [host = call->account->id](Database& d) { return d.unfinished_tables_made_by(host); },
      [most, then = std::move(then)](const Outcome<int>& made) {
        if (!made) return then(made.error());
        if (*made < most) return then(std::nullopt);
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
          const Json notice = {{"type", "notice"},     {"notice", "rematch"}, {"table", state.rematch},
                               {"title", state.title}, {"game", state.game},  {"from_name", call->account->name}};
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
    const auto plan = std::make_shared<Outcome<TablePlan>>(fault("bad-record", ""));
    with_archivist(
        call,
        [plan, call, who = reader_of(call), settings = hall_.settings(), now] { *plan = read_open_record(call->json, who, settings, now); },
        [this, call, plan] { make_table(call, std::move(*plan)); });
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
    if (!table->may_read_record(who.account))
      return fail(call, {"not-over", "a branch is made after the end, or where nobody else plays."});
    auto plan = branch_of(*table, static_cast<std::size_t>(step), seats, who, now);
    if (!plan) return fail(call, plan.error());
    table->tell_truth([this, call, kept = std::make_shared<TablePlan>(std::move(*plan))] { make_table(call, std::move(*kept)); });
  } else if (what == "close") {
    if (!check(call, fields)) return;
    if (table->state().host != who.account) return fail(call, {"not-host", "only the host closes a table."});
    const auto persons = table->state().persons();
    const bool others = std::any_of(persons.begin(), persons.end(), [&](const std::string& person) { return person != who.account; });
    if (others && table->state().status != Status::gathering)
      return fail(call, {"not-allowed", "others play at this table; you can leave it."});
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
      return json_answer(
          {{"game", match.header().game}, {"viewer", match.name_of(eyes)}, {"viewers", viewers}, {"frames", match.frames(eyes, over)}});
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
  with_archivist(
      call,
      [answer, record = table->shown_record(), make = std::move(make)] {
        const auto copy = load_match(record);
        *answer = copy ? make(**copy) : fault_answer({"unavailable", copy.error().text()});
      },
      [call, answer] { call->respond(std::move(*answer)); });
}

void Api::with_archivist(const CallPointer& call, std::function<void()> work, std::function<void()> done) {
  constexpr int most_waiting = 4;
  const std::string owner = call->account ? call->account->id : "address " + call->request.address;
  if (hall_.settings().limit_rates && hall_.archivist().unfinished_of(owner) >= most_waiting) {
    ++hall_.figures().rate_limited;
    return fail(call, {"too-many", "several records are being gone through for you; wait for them.", {}, 2});
  }
  hall_.archivist().work(owner, std::move(work), std::move(done));
}

}  // namespace baton::table
