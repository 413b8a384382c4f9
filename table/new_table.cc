#include "table/new_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "match/registry.h"
#include "table/json_fields.h"
#include "table/secrets.h"

namespace baton::table {
namespace {

constexpr std::size_t longest_title = 80, longest_salt_words = 100;
constexpr std::ptrdiff_t most_lines_to_open = 20'000;

// Places for the seats of a match, in their order.
std::vector<Place> places_of(const Match& match) {
  std::vector<Place> places;
  const Json sheet = match.sheet();
  for (const Json& seat : sheet["seats"]) places.push_back({seat["id"].get<std::string>(), seat["team"].get<std::string>()});
  return places;
}

Outcome<void> fill_place(Place& place, const std::string& kind, const std::string& level, const Reader& host) {
  place.kind = kind == "open"      ? SeatKind::open
               : kind == "invited" ? SeatKind::invited
               : kind == "device"  ? SeatKind::device
               : kind == "bot"     ? SeatKind::bot
                                   : SeatKind::person;
  if (place.is_held()) {
    place.person = host.account;
    place.name = host.name;
  }
  if (place.kind == SeatKind::invited) place.invite_key = fresh_token(12);
  if (place.kind == SeatKind::bot) {
    place.level = level.empty() ? standard_level() : level;
    if (!is_level(place.level)) {
      std::string known;
      for (const std::string& one : levels()) known += (known.empty() ? "" : ", ") + one;
      return fault("bad-level", "there is no level \"" + level.substr(0, 40) + "\"; known are " + known + ".");
    }
  }
  return {};
}

Outcome<void> read_places(const Json* list, std::vector<Place>& places, const Reader& host) {
  if (list == nullptr) return {};
  std::vector<std::string> given;
  for (const Json& item : *list) {
    Fields fields(item);
    const std::string seat = fields.text("seat", 40);
    const std::string kind = fields.word_of("kind", {"me", "open", "invited", "device", "bot"}, "");
    const std::string level = fields.text_if_any("level", 40).value_or("");
    if (kind.empty()) fields.wrong("kind", "is needed.");
    if (auto wrong = fields.fault()) return tl::make_unexpected(*wrong);
    const auto place = std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.seat == seat; });
    if (place == places.end()) {
      std::string known;
      for (const Place& p : places) known += (known.empty() ? "" : ", ") + p.seat;
      return fault("bad-seat", "there is no seat \"" + seat + "\"; seats are " + known + ".");
    }
    if (std::find(given.begin(), given.end(), seat) != given.end()) return fault("bad-seat", "the seat \"" + seat + "\" is given twice.");
    given.push_back(seat);
    if (auto filled = fill_place(*place, kind, level, host); !filled) return filled;
  }
  return {};
}

// What NewTable and OpenRecord have in common.
Outcome<void> read_manner(Fields& fields, TableState& state, const Reader& host, const Settings& settings, Time now) {
  state.id = fresh_token(9);
  state.title = fields.text_if_any("title", longest_title).value_or("");
  const std::string visibility = fields.word_of("visibility", {"public", "unlisted", "private"}, "unlisted");
  state.visibility = visibility == "public"    ? Visibility::everyone
                     : visibility == "private" ? Visibility::who_sits
                                               : Visibility::whoever_has_the_link;
  const std::string undo = fields.word_of("undo", {"free", "ask", "never"}, "free");
  state.undo = undo == "ask" ? UndoPolicy::ask : undo == "never" ? UndoPolicy::never : UndoPolicy::free;
  if (const Json* pace = fields.object_if_any("pace")) {
    auto read = read_pace(*pace, settings.least_turn_seconds);
    if (!read) return tl::make_unexpected(read.error());
    state.pace = *read;
  }
  if (const auto salt = fields.text_if_any("salt", longest_salt_words); salt && !salt->empty()) state.salts.push_back(*salt);
  state.host = host.account;
  state.host_name = host.name;
  state.created_at = now;
  return {};
}

void settle_hints(Fields& fields, TableState& state) {
  const bool alone = std::all_of(state.places.begin(), state.places.end(),
                                 [&](const Place& p) { return p.kind == SeatKind::bot || (p.is_held() && p.person == state.host); });
  state.hints_while_alone = !fields.has("hints");
  state.hints = fields.flag("hints", alone);
}

Outcome<OptionValues> read_options(const Json* json) {
  OptionValues options;
  if (json == nullptr) return options;
  for (const auto& [name, value] : json->items()) {
    if (value.is_string()) {
      options[name] = value.get<std::string>();
    } else if (value.is_boolean() || value.is_number_integer()) {
      options[name] = value.dump();
    } else {
      return fault("bad-option", "option \"" + name.substr(0, 40) + "\" must be a text, a whole number, or true or false.");
    }
  }
  return options;
}

void take_header(const Match& match, TableState& state) {
  state.game = match.header().game;
  state.scenario = match.header().scenario.id;
  for (const auto& [name, value] : match.header().options) state.options[name] = value;
}

}  // namespace

Outcome<TablePlan> read_new_table(const Json& json, const Reader& host, const Settings& settings, Time now) {
  Fields fields(json);
  TablePlan plan{{}, ProofSecret::fresh(), {}, nullptr};
  const std::string game = fields.text("game", 60);
  const auto scenario = fields.text_if_any("scenario", 60);
  const auto own = fields.text_if_any("scenario_text", largest_scenario);
  const auto options = read_options(fields.object_if_any("options"));
  const Json* seats = fields.list_if_any("seats", max_seats);
  if (auto manner = read_manner(fields, plan.state, host, settings, now); !manner) return tl::make_unexpected(manner.error());
  fields.flag("hints", false);
  if (auto wrong = fields.fault()) return tl::make_unexpected(*wrong);
  if (!options) return tl::make_unexpected(options.error());
  const auto known = game_ids();
  if (std::find(known.begin(), known.end(), game) == known.end()) return fault("bad-game", unknown_game(game));
  if (own) {
    plan.scenario = {"own.toml", *own};
  } else {
    auto shipped = shipped_scenario(game, scenario.value_or(standard_scenario(game)));
    if (!shipped) return fault("bad-scenario", shipped.error());
    plan.scenario = std::move(*shipped);
  }
  // Tried with throw-away dice, so that everything that is wrong is said now and not when the last player joins.
  const auto tried = create_match(game, {plan.scenario, *options, {}, Seeded{1}, std::nullopt});
  if (!tried) return fault(tried.error().where.starts_with("option") ? "bad-option" : "bad-scenario", tried.error());
  take_header(**tried, plan.state);
  plan.state.places = places_of(**tried);
  if (auto placed = read_places(seats, plan.state.places, host); !placed) return tl::make_unexpected(placed.error());
  settle_hints(fields, plan.state);
  return plan;
}

Outcome<TablePlan> read_open_record(const Json& json, const Reader& host, const Settings& settings, Time now) {
  Fields fields(json);
  TablePlan plan{{}, ProofSecret::fresh(), {}, nullptr};
  const std::string text = fields.text("record", largest_record);
  const Json* seats = fields.list_if_any("seats", max_seats);
  if (auto manner = read_manner(fields, plan.state, host, settings, now); !manner) return tl::make_unexpected(manner.error());
  fields.flag("hints", false);
  if (auto wrong = fields.fault()) return tl::make_unexpected(*wrong);
  // Each line costs about the same to play, so the number of lines bounds the time. Steps that were taken back count: they are played, too.
  if (const auto lines = std::count(text.begin(), text.end(), '\n'); lines > most_lines_to_open)
    return fault("bad-record", "record: it has " + std::to_string(lines) + " lines, and a table goes on with a record of at most " +
                                   std::to_string(most_lines_to_open) + ".");
  const auto record = read_record("record", text);
  if (!record) return fault("bad-record", record.error());
  auto match = load_match(*record, Proven{plan.secret, plan.state.salts.empty() ? "" : plan.state.salts.front()});
  if (!match) return fault("bad-record", match.error());
  plan.match = std::move(*match);
  plan.state.truth_known = true;
  take_header(*plan.match, plan.state);
  plan.state.places = places_of(*plan.match);
  for (Place& place : plan.state.places) {
    if (auto filled = fill_place(place, "me", "", host); !filled) return tl::make_unexpected(filled.error());
  }
  if (auto placed = read_places(seats, plan.state.places, host); !placed) return tl::make_unexpected(placed.error());
  settle_hints(fields, plan.state);
  return plan;
}

Outcome<TablePlan> rematch_of(const Table& table, const Reader& host, Time now) {
  const TableState& before = table.state();
  TablePlan plan{{}, ProofSecret::fresh(), {before.scenario + ".toml", table.match()->header().scenario.text}, nullptr};
  TableState& state = plan.state;
  state.id = fresh_token(9);
  state.title = before.title;
  state.game = before.game;
  state.scenario = before.scenario;
  state.options = before.options;
  state.visibility = before.visibility;
  state.undo = before.undo;
  state.pace = before.pace;
  state.hints = before.hints;
  state.hints_while_alone = before.hints_while_alone;
  state.host = host.account;
  state.host_name = host.name;
  state.created_at = now;
  const std::size_t count = before.places.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Place& from = before.places[(i + 1) % count];
    Place place{before.places[i].seat, before.places[i].team};
    place.kind = from.kind;
    place.level = from.level;
    if (from.is_held() && from.person == host.account) {
      place.person = from.person;
      place.name = from.name;
    } else if (from.is_held()) {  // they are asked, not dragged
      place.kind = SeatKind::invited;
      place.invite_key = fresh_token(12);
      place.reserved_for = from.person;
    } else if (from.kind == SeatKind::invited) {
      place.invite_key = fresh_token(12);
    }
    state.places.push_back(std::move(place));
  }
  return plan;
}

Outcome<TablePlan> branch_of(const Table& table, std::size_t step, const Json* seats, const Reader& host, Time now) {
  TablePlan plan{{}, ProofSecret::fresh(), {}, nullptr};
  auto branched = table.match()->branch(step, Proven{plan.secret, ""});
  if (!branched) return fault("bad-request", "step: " + branched.error().what);
  plan.match = std::move(*branched);
  TableState& state = plan.state;
  state.id = fresh_token(9);
  state.title = table.state().title;
  state.branch_of = table.state().id;
  state.host = host.account;
  state.host_name = host.name;
  state.created_at = now;
  state.hints = true;
  state.hints_while_alone = true;
  state.truth_known = true;
  take_header(*plan.match, state);
  state.places = places_of(*plan.match);
  for (Place& place : state.places) {
    const Place* before = table.state().place(place.seat);
    const bool mine = before != nullptr && before->is_held() && before->person == host.account;
    if (auto filled = fill_place(place, mine ? "me" : "bot", "", host); !filled) return tl::make_unexpected(filled.error());
  }
  if (auto placed = read_places(seats, state.places, host); !placed) return tl::make_unexpected(placed.error());
  return plan;
}

}  // namespace baton::table
