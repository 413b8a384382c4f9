#include "table/table_state.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "table/json_fields.h"

namespace baton::table {
namespace {

constexpr std::array<std::string_view, 4> pace_words = {"none", "live", "days", "turn"};
constexpr std::array<std::string_view, 5> kind_words = {"open", "invited", "person", "device", "bot"};
constexpr std::array<std::string_view, 3> status_words = {"gathering", "running", "over"};
constexpr std::array<std::string_view, 3> visibility_words = {"public", "unlisted", "private"};
constexpr std::array<std::string_view, 3> undo_words = {"free", "ask", "never"};

constexpr std::int64_t second = 1000, minute = 60 * second, day = 24 * 60 * minute;

template <class Enum, std::size_t N>
std::string_view word_in(const std::array<std::string_view, N>& words, Enum value) {
  return words[static_cast<std::size_t>(value)];
}

template <class Enum, std::size_t N>
Enum read_in(const std::array<std::string_view, N>& words, const std::string& word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return static_cast<Enum>(found == words.end() ? 0 : found - words.begin());
}

}  // namespace

std::string_view word_of(Visibility visibility) { return word_in(visibility_words, visibility); }
std::string_view word_of(Status status) { return word_in(status_words, status); }

// --- Time ----------------------------------------------------------------------------------------------------------------------------

Json json_of(const Pace& pace) {
  Json json = {{"kind", word_in(pace_words, pace.kind)}};
  switch (pace.kind) {
    case Pace::Kind::none: break;
    case Pace::Kind::live:
      json["minutes"] = pace.base_ms / minute;
      json["increment_seconds"] = pace.increment_ms / second;
      break;
    case Pace::Kind::days:
      json["days_per_move"] = pace.base_ms / day;
      json["bank_days"] = pace.bank_ms / day;
      break;
    case Pace::Kind::turn: json["seconds"] = pace.base_ms / second; break;
  }
  return json;
}

Outcome<Pace> read_pace(const Json& json, std::int64_t least_turn_seconds) {
  Fields fields(json);
  Pace pace;
  pace.kind = read_in<Pace::Kind>(pace_words, fields.word_of("kind", {pace_words.begin(), pace_words.end()}, "none"));
  switch (pace.kind) {
    case Pace::Kind::none: break;
    case Pace::Kind::live:
      pace.base_ms = fields.number("minutes", 1, 600) * minute;
      pace.increment_ms = fields.number("increment_seconds", 0, 600, 0) * second;
      break;
    case Pace::Kind::days:
      pace.base_ms = fields.number("days_per_move", 1, 30) * day;
      pace.bank_ms = fields.number("bank_days", 0, 60, 0) * day;
      break;
    case Pace::Kind::turn: pace.base_ms = fields.number("seconds", least_turn_seconds, 3600) * second; break;
  }
  if (auto wrong = fields.fault()) return fault("bad-pace", "pace: " + wrong->message);
  return pace;
}

Clock fresh_clock(const Pace& pace) { return {pace.base_ms, pace.bank_ms}; }

void start_clock(Clock& clock, const Pace& pace, Time now) {
  if (clock.running() || pace.kind == Pace::Kind::none) return;
  if (!clock.paused && (pace.kind == Pace::Kind::days || pace.kind == Pace::Kind::turn)) clock.left_ms = pace.base_ms;
  clock.paused = false;
  clock.since = now;
}

void charge_clock(Clock& clock, std::int64_t used_ms) {
  const std::int64_t over = std::max<std::int64_t>(0, used_ms - clock.left_ms);
  clock.left_ms = std::max<std::int64_t>(0, clock.left_ms - used_ms);
  clock.bank_ms = std::max<std::int64_t>(0, clock.bank_ms - over);
}

// Whoever lends a seat and takes it back gains nothing by it.
void pause_clock(Clock& clock, Time now) {
  if (!clock.running()) return;
  charge_clock(clock, std::max<std::int64_t>(0, now - clock.since));
  clock.since = 0;
  clock.paused = true;
}

void stop_clock(Clock& clock, const Pace& pace, Time now) {
  clock.paused = false;
  if (!clock.running()) return;
  charge_clock(clock, std::max<std::int64_t>(0, now - clock.since));
  clock.since = 0;
  // Who ran out of time gains none.
  if (pace.kind == Pace::Kind::live && clock.left_ms > 0) clock.left_ms += pace.increment_ms;
}

std::optional<Time> runs_out_at(const Clock& clock, const Pace& pace) {
  if (!clock.running() || pace.kind == Pace::Kind::none) return std::nullopt;
  return clock.since + clock.left_ms + clock.bank_ms;
}

void refill_clock(Clock& clock, const Pace& pace) {
  constexpr std::int64_t grace = 30 * second;
  if (clock.left_ms + clock.bank_ms == 0) clock.left_ms = pace.kind == Pace::Kind::live ? pace.increment_ms + grace : pace.base_ms;
}

// --- Standing orders -----------------------------------------------------------------------------------------------------------------

Json json_of(const StandingOrder& order) {
  Json until = Json::object();
  if (order.until_turn) until["turn"] = true;
  if (!order.until_events.empty()) until["events"] = order.until_events;
  if (!order.until_things.empty()) until["things"] = order.until_things;
  if (order.until_round > 0) until["round"] = order.until_round;
  return {{"action", order.action}, {"at", order.at}, {"until", std::move(until)}};
}

Outcome<std::vector<StandingOrder>> read_orders(const Json& list) {
  constexpr std::size_t most_orders = 8, most_items = 32, longest = 60;
  if (!list.is_array() || list.size() > most_orders) return fault("bad-request", "\"orders\" must be a list of at most 8 orders.");
  std::vector<StandingOrder> orders;
  for (const Json& item : list) {
    Fields fields(item);
    StandingOrder order;
    order.action = fields.text("action", longest);
    order.at = fields.texts("at", most_items, longest);
    if (const Json* until = fields.object_if_any("until")) {
      Fields inner(*until);
      order.until_turn = inner.flag("turn", false);
      order.until_events = inner.texts("events", most_items, longest);
      order.until_things = inner.texts("things", most_items, longest);
      order.until_round = static_cast<int>(inner.number("round", 1, 100'000, 0));
      if (auto wrong = inner.fault()) return tl::make_unexpected(*wrong);
    }
    if (auto wrong = fields.fault()) return tl::make_unexpected(*wrong);
    if (order.until_events.empty() && order.until_things.empty() && order.until_round == 0) order.until_turn = true;
    orders.push_back(std::move(order));
  }
  return orders;
}

bool ends(const StandingOrder& order, const Json& events, int round) {
  if (order.until_round > 0 && round >= order.until_round) return true;
  const auto named = [](const std::vector<std::string>& words, const Json& value) {
    return value.is_string() && std::find(words.begin(), words.end(), value.get_ref<const std::string&>()) != words.end();
  };
  return std::any_of(events.begin(), events.end(), [&](const Json& event) {
    for (const auto& [key, value] : event.items()) {
      if (named(key == "event" ? order.until_events : order.until_things, value)) return true;
    }
    return false;
  });
}

// --- The table -----------------------------------------------------------------------------------------------------------------------

Place* TableState::place(std::string_view seat) {
  const auto found = std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.seat == seat; });
  return found == places.end() ? nullptr : &*found;
}
const Place* TableState::place(std::string_view seat) const { return const_cast<TableState*>(this)->place(seat); }

bool TableState::seats_person(std::string_view person) const {
  return std::any_of(places.begin(), places.end(), [&](const Place& p) { return p.is_held_by(person); });
}

bool TableState::knows_another_side(std::string_view account, const Place& place) const {
  return std::any_of(places.begin(), places.end(), [&](const Place& p) {
    return p.team != place.team && (p.is_held_by(account) || std::find(p.held_by.begin(), p.held_by.end(), account) != p.held_by.end());
  });
}

std::vector<std::string> TableState::persons() const {
  std::vector<std::string> all;
  for (const Place& p : places) {
    if (p.is_held() && std::find(all.begin(), all.end(), p.person) == all.end()) all.push_back(p.person);
  }
  return all;
}

std::vector<std::string> TableState::welcome() const {
  std::vector<std::string> all = persons();
  for (const Place& p : places) {
    if (status != Status::over && p.is_kept_for(p.reserved_for) && std::find(all.begin(), all.end(), p.reserved_for) == all.end())
      all.push_back(p.reserved_for);
  }
  return all;
}

bool TableState::has_open_places() const {
  return std::any_of(places.begin(), places.end(), [](const Place& p) { return p.kind == SeatKind::open || p.kind == SeatKind::invited; });
}

void name_everybody(TableState& state, const Names& names) {
  const auto name_of = [&](const std::string& account) {
    const auto found = names.find(account);
    return found == names.end() ? nobodys_name : found->second;
  };
  state.host_name = name_of(state.host);
  for (Place& p : state.places) p.name = p.person.empty() ? "" : name_of(p.person);
}

Json json_of(const TableState& s) {
  Json json = {{"id", s.id}, {"title", s.title}, {"game", s.game}, {"scenario", s.scenario}, {"options", s.options}};
  json["status"] = word_of(s.status);
  json["visibility"] = word_of(s.visibility);
  json["undo"] = word_in(undo_words, s.undo);
  json["pace"] = {
      {"kind", word_in(pace_words, s.pace.kind)}, {"base", s.pace.base_ms}, {"increment", s.pace.increment_ms}, {"bank", s.pace.bank_ms}};
  json["hints"] = s.hints;
  json["hints_while_alone"] = s.hints_while_alone;
  json["truth_known"] = s.truth_known;
  json["host"] = s.host;
  json["places"] = Json::array();
  for (const Place& p : s.places) {
    Json orders = Json::array();
    for (const StandingOrder& order : p.orders) orders.push_back(json_of(order));
    json["places"].push_back({{"seat", p.seat},
                              {"team", p.team},
                              {"kind", word_in(kind_words, p.kind)},
                              {"person", p.person},
                              {"level", p.level},
                              {"steward", p.steward},
                              {"steward_for_turn", p.steward_for_turn},
                              {"invite_key", p.invite_key},
                              {"reserved_for", p.reserved_for},
                              {"held_by", p.held_by},
                              {"steward_asked", p.steward_asked},
                              {"undo_request", p.undo_request},
                              {"clock", {p.clock.left_ms, p.clock.bank_ms, p.clock.since, p.clock.paused}},
                              {"orders", std::move(orders)}});
  }
  json["created_at"] = s.created_at;
  json["changed_at"] = s.changed_at;
  json["salts"] = s.salts;
  json["commitment"] = s.commitment;
  json["choosing"] = s.choosing;
  json["result"] = s.result;
  json["rematch"] = s.rematch;
  json["branch_of"] = s.branch_of;
  json["undo_asked"] = s.undo_asked;
  json["undo_agreed"] = s.undo_agreed;
  return json;
}

Expected<TableState> read_table_state(const Json& json) {
  try {
    TableState s;
    const auto text = [](const Json& object, const char* key) { return object.at(key).get<std::string>(); };
    s.id = text(json, "id");
    s.title = text(json, "title");
    s.game = text(json, "game");
    s.scenario = text(json, "scenario");
    s.options = json.at("options");
    s.status = read_in<Status>(status_words, text(json, "status"));
    s.visibility = read_in<Visibility>(visibility_words, text(json, "visibility"));
    s.undo = read_in<UndoPolicy>(undo_words, text(json, "undo"));
    const Json& pace = json.at("pace");
    s.pace = {read_in<Pace::Kind>(pace_words, text(pace, "kind")), pace.at("base").get<std::int64_t>(),
              pace.at("increment").get<std::int64_t>(), pace.at("bank").get<std::int64_t>()};
    s.hints = json.at("hints").get<bool>();
    // Older tables do not say.
    s.hints_while_alone = json.value("hints_while_alone", false);
    s.truth_known = json.value("truth_known", !text(json, "branch_of").empty());
    s.host = text(json, "host");
    for (const Json& item : json.at("places")) {
      Place p;
      p.seat = text(item, "seat");
      p.team = text(item, "team");
      p.kind = read_in<SeatKind>(kind_words, text(item, "kind"));
      p.person = text(item, "person");
      p.level = text(item, "level");
      p.steward = text(item, "steward");
      p.steward_for_turn = item.at("steward_for_turn").get<bool>();
      p.invite_key = text(item, "invite_key");
      p.reserved_for = text(item, "reserved_for");
      p.held_by = item.value("held_by", std::vector<std::string>{});
      p.steward_asked = item.value("steward_asked", std::vector<std::string>{});
      p.undo_request = item.value("undo_request", "");
      const Json& clock = item.at("clock");
      p.clock = {clock.at(0).get<std::int64_t>(), clock.at(1).get<std::int64_t>(), clock.at(2).get<Time>(),
                 clock.size() > 3 && clock.at(3).get<bool>()};
      auto orders = read_orders(item.at("orders"));
      if (!orders) return problem("a stored table", orders.error().message);
      p.orders = std::move(*orders);
      s.places.push_back(std::move(p));
    }
    s.created_at = json.at("created_at").get<Time>();
    s.changed_at = json.at("changed_at").get<Time>();
    s.salts = json.at("salts").get<std::vector<std::string>>();
    s.commitment = text(json, "commitment");
    s.choosing = json.at("choosing").get<std::vector<std::string>>();
    s.result = json.at("result");
    s.rematch = text(json, "rematch");
    s.branch_of = text(json, "branch_of");
    s.undo_asked = text(json, "undo_asked");
    s.undo_agreed = json.at("undo_agreed").get<std::vector<std::string>>();
    return s;
  } catch (const Json::exception& error) {
    return problem("a stored table", error.what());
  }
}

Json summary_of(const TableState& s, std::string_view reader, const std::vector<std::string>& here, int spectators) {
  const bool hosts = !reader.empty() && s.host == reader;
  Json json = {{"id", s.id}, {"title", s.title}, {"game", s.game}, {"scenario", s.scenario}, {"options", s.options}};
  json["status"] = word_of(s.status);
  json["seats"] = Json::array();
  bool your_turn = false;
  for (const Place& p : s.places) {
    Json place = {{"seat", p.seat}, {"team", p.team}, {"kind", word_in(kind_words, p.kind)}};
    const bool mine = p.is_held_by(reader);
    if (p.is_held()) {
      place["person"] = p.person;
      place["name"] = p.name;
    }
    if (p.kind == SeatKind::bot) place["level"] = p.level;
    if (!p.steward.empty()) place["steward"] = p.steward;
    place["mine"] = mine;
    place["here"] = p.is_held() && std::find(here.begin(), here.end(), p.person) != here.end();
    if (hosts && p.kind == SeatKind::invited) place["invite_key"] = p.invite_key;
    if (s.status != Status::over && p.is_kept_for(reader)) place["kept_for_me"] = true;
    Json asked = Json::array();
    for (const std::string& account : p.steward_asked) {
      const auto asking = std::find_if(s.places.begin(), s.places.end(), [&](const Place& other) { return other.is_held_by(account); });
      if (asking != s.places.end()) asked.push_back(asking->name);
    }
    if (!asked.empty()) place["steward_asked_by"] = std::move(asked);
    your_turn = your_turn || (mine && std::find(s.choosing.begin(), s.choosing.end(), p.seat) != s.choosing.end());
    json["seats"].push_back(std::move(place));
  }
  json["host"] = s.host;
  json["host_name"] = s.host_name;
  json["you_host"] = hosts;
  json["visibility"] = word_of(s.visibility);
  json["undo"] = word_in(undo_words, s.undo);
  json["pace"] = json_of(s.pace);
  json["hints"] = s.hints;
  json["created_at"] = s.created_at;
  json["changed_at"] = s.changed_at;
  json["choosing"] = s.choosing;
  json["your_turn"] = your_turn;
  json["result"] = s.result;
  json["commitment"] = s.commitment.empty() ? Json(nullptr) : Json(s.commitment);
  if (!s.rematch.empty()) json["rematch"] = s.rematch;
  if (!s.branch_of.empty()) json["branch_of"] = s.branch_of;
  json["spectators"] = spectators;
  if (s.truth_known) json["truth_known"] = true;
  return json;
}

}  // namespace baton::table
