#include "table/table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "match/json_reader.h"
#include "match/registry.h"
#include "table/secrets.h"

namespace baton::table {
namespace {

std::size_t hash_text(std::string_view text) { return std::hash<std::string_view>{}(text); }
std::size_t hash_request(const std::string& person, const std::string& request) { return hash_text(person + "\n" + request); }

OptionValues options_from(const Json& json) {
  OptionValues options;
  for (const auto& [name, value] : json.items()) options.emplace(name, value.get<std::string>());
  return options;
}

// A record is kept for good, and a name only as long as its account.
RecordHeader without_names(RecordHeader header) {
  for (auto& [seat, player] : header.players) player = "human";
  return header;
}

}  // namespace

Table::Table(const Surroundings& around, TableState state, ProofSecret secret, ScenarioFile scenario, std::unique_ptr<Match> match)
    : around_(around),
      state_(std::move(state)),
      secret_(std::move(secret)),
      scenario_(std::move(scenario)),
      match_(std::move(match)),
      plans_(state_.places.size()),
      minds_(state_.places.size()),
      thinking_times_(state_.places.size()),
      runs_(state_.places.size()),
      events_seen_(state_.places.size()),
      dice_for_waits_(fresh_seed().seed) {}

Expected<std::shared_ptr<Table>> Table::load(const Surroundings& around, const TableRow& row, const std::vector<LineRow>& lines,
                                             std::vector<ChatRow> chat, const Names& names) {
  const auto json = read_json(row.state, "table " + row.id);
  if (!json) return tl::make_unexpected(json.error());
  auto state = read_table_state(*json);
  if (!state) return tl::make_unexpected(state.error());
  name_everybody(*state, names);
  for (ChatRow& line : chat) {
    if (line.name.empty()) line.name = nobodys_name;
  }
  auto secret = ProofSecret::from_hex(row.secret);
  if (!secret) return tl::make_unexpected(secret.error());
  ScenarioFile scenario{state->scenario + ".toml", row.scenario_text};
  std::unique_ptr<Match> match;
  if (!lines.empty()) {
    std::string text;
    for (const LineRow& line : lines) text += line.text;
    const auto record = baton::read_record("table " + row.id, text);
    if (!record) return tl::make_unexpected(record.error());
    std::string salt;
    for (const RecordLine& line : record->lines) {
      if (const auto* opened = std::get_if<ChanceLine>(&line)) {
        if (const auto* proof = std::get_if<ProofOpening>(&opened->opening)) salt = proof->salt;
      }
    }
    auto loaded = load_match(*record, Proven{*secret, salt});
    if (!loaded) return tl::make_unexpected(loaded.error());
    match = std::move(*loaded);
  }
  auto table = std::make_shared<Table>(around, std::move(*state), *secret, std::move(scenario), std::move(match));
  table->chat_ = std::move(chat);
  table->stored_lines_ = lines.size();
  table->stored_persons_ = true;
  for (const LineRow& line : lines) {
    if (!line.request.empty()) table->requests_.insert(hash_request(line.person, line.request));
  }
  if (table->match_) {
    for (std::size_t i = 0; i < table->state_.places.size(); ++i)
      table->events_seen_[i] = table->match_->count_events(Seat(static_cast<int>(i)));
  }
  return table;
}

// --- From opening to closing ----------------------------------------------------------------------------------------------------------

Json Table::sheet() const {
  if (match_) return match_->sheet();
  const auto tried = create_match(state_.game, {scenario_, options_from(state_.options), {}, Seeded{1}, std::nullopt});
  return tried ? (*tried)->sheet() : Json(nullptr);
}

bool Table::is_idle() const {
  const bool waits = std::any_of(plans_.begin(), plans_.end(), [](const Plan& p) { return p.kind != Plan::Kind::nothing; });
  return watches_.empty() && uncommitted_ == 0 && !waits && clock_timer_ == Loop::Timer::none;
}

Players Table::players() const {
  Players all;
  for (const Place& p : state_.places) all.emplace_back(p.seat, p.is_held() ? p.name : p.machine().empty() ? "human" : p.machine());
  return all;
}

Record Table::shown_record() const {
  Record record = match_->record();
  record.header.players = players();
  return record;
}

void Table::open(const Reader& host, Reply reply) {
  if (auto begun = start_when_complete(); !begun) return reply(tl::make_unexpected(begun.error()));
  ++around_.figures.tables_made;
  changed([self = shared_from_this(), reply = std::move(reply), account = host.account] { reply(self->summary(account)); });
}

// A person pays for the time in which a server ran; the time between is nobody's.
void Table::resume(const std::vector<RunRow>& runs) {
  if (gone_) return;
  for (Place& p : state_.places) {
    if (!p.clock.running()) continue;
    std::int64_t used = 0;
    for (const RunRow& run : runs) used += std::max<std::int64_t>(0, run.alive_at - std::max(run.started_at, p.clock.since));
    charge_clock(p.clock, used);
    p.clock.since = around_.loop.now();
  }
  settle();
}

bool Table::has_running_clock() const {
  return std::any_of(state_.places.begin(), state_.places.end(), [](const Place& p) { return p.clock.running(); });
}

Outcome<void> Table::start_when_complete() {
  if (state_.status != Status::gathering || state_.has_open_places()) return {};
  if (!match_) {
    std::string salt;
    for (const std::string& words : state_.salts) salt += (salt.empty() ? "" : " ") + words;
    MatchSetup setup{scenario_, options_from(state_.options), players(), Proven{secret_, salt}, std::nullopt};
    auto made = create_match(state_.game, setup);
    if (!made) return fault("bad-scenario", made.error());
    match_ = std::move(*made);
  }
  state_.status = Status::running;
  for (Place& p : state_.places) {
    p.clock = fresh_clock(state_.pace);
    if (p.is_held()) tell(p.person, "started", p.seat);
  }
  return {};
}

void Table::set_rematch(const std::string& id, std::function<void()> then) {
  state_.rematch = id;
  changed(std::move(then));
}

void Table::close(const std::string& reason, std::function<void()> then) {
  gone_ = true;
  for (std::size_t i = 0; i < plans_.size(); ++i) drop_plan(i);
  around_.loop.cancel(clock_timer_);
  clock_timer_ = Loop::Timer::none;
  around_.loop.cancel(absence_timer_);
  absence_timer_ = Loop::Timer::none;
  const auto text = std::make_shared<const std::string>(one_line({{"type", "gone"}, {"table", state_.id}, {"reason", reason}}));
  around_.writer.submit([id = state_.id](Database& database) { database.remove_table(id); },
                        [self = shared_from_this(), text, then = std::move(then)] {
                          for (auto& [connection, watch] : self->watches_) watch.wire->send(text);
                          self->watches_.clear();
                          if (then) then();
                        });
}

// --- Storing and telling -------------------------------------------------------------------------------------------------------------

TableRow Table::row() const {
  TableRow row;
  row.id = state_.id;
  row.status = word_of(state_.status);
  row.visibility = word_of(state_.visibility);
  row.state = one_line(json_of(state_));
  row.secret = secret_.hex();
  row.scenario_text = match_ ? std::string{} : scenario_.text;
  row.changed_at = state_.changed_at;
  row.host = state_.host;
  const bool goes_on = std::any_of(state_.places.begin(), state_.places.end(), [&](const Place& p) {
    return p.clock.running() ||
           (!p.machine().empty() && std::find(state_.choosing.begin(), state_.choosing.end(), p.seat) != state_.choosing.end());
  });
  row.attention = state_.status == Status::running && people_play() && goes_on;
  return row;
}

void Table::changed(std::function<void()> then, const std::string& person, const std::string& request, const std::string& undone_by) {
  if (gone_) return;
  settle();
  std::vector<LineRow> lines;
  if (match_) {
    const Record& record = match_->record();
    if (stored_lines_ == 0) lines.push_back({0, text_of(without_names(record.header)), {}, {}});
    for (std::size_t i = std::max<std::size_t>(stored_lines_, 1); i <= record.lines.size(); ++i)
      lines.push_back({static_cast<std::int64_t>(i), text_of(record.lines[i - 1]), {}, {}});
    stored_lines_ = record.lines.size() + 1;
    if (!request.empty() && !lines.empty()) {
      lines.front().person = person;
      lines.front().request = request;
    }
  }
  // Most actions change the match alone, and then only the record grows. (New dice show as a new commitment in the state.)
  std::optional<TableRow> fresh;
  if (!stored_ || *stored_ != state_) {
    fresh = row();
    stored_ = state_;
    ++news_;
  }
  std::optional<std::vector<std::string>> persons;
  if (!stored_persons_) persons = state_.welcome();
  stored_persons_ = true;
  ++uncommitted_;
  around_.writer.submit(
      [id = state_.id, row = std::move(fresh), lines = std::move(lines), persons = std::move(persons)](Database& database) {
        if (row) database.put_table(*row);
        if (persons) database.put_chairs(id, *persons);
        for (const LineRow& line : lines) database.append_line(id, line);
      },
      [self = shared_from_this(), out = letters(undone_by), then = std::move(then)] {
        --self->uncommitted_;
        if (then) then();
        post(out, self->around_.figures);
        self->tell_turns();
      });
}

void Table::in_order(std::function<void()> work) {
  if (uncommitted_ == 0) return work();
  ++uncommitted_;
  around_.writer.submit([](Database&) {},
                        [self = shared_from_this(), work = std::move(work)] {
                          --self->uncommitted_;
                          work();
                        });
}

void Table::tell(const std::string& account, std::string_view notice, const std::string& seat, const std::string& from) {
  Json json = {{"type", "notice"}, {"notice", notice}, {"table", state_.id}, {"title", state_.title}, {"game", state_.game}};
  if (!seat.empty()) json["seat"] = seat;
  if (!from.empty()) json["from_name"] = from;
  around_.notify(account, json);
}

// Tells people that it is their turn, once for each time they are asked something real.
void Table::tell_turns() {
  std::vector<std::string> asked;
  if (state_.status == Status::running && match_) {
    for (const Seat seat : match_->choosing()) {
      const auto i = static_cast<std::size_t>(index(seat));
      if (state_.places[i].is_held() && state_.places[i].machine().empty() && plans_[i].kind == Plan::Kind::nothing)
        asked.push_back(state_.places[i].seat);
    }
  }
  for (const std::string& seat : asked) {
    if (std::find(told_turn_.begin(), told_turn_.end(), seat) == told_turn_.end()) tell(state_.place(seat)->person, "your-turn", seat);
  }
  told_turn_ = std::move(asked);
}

bool Table::may_read_record(const std::string& account) const {
  if (!match_) return false;
  if (state_.status == Status::over) return true;
  return state_.status == Status::running && (state_.host == account || state_.seats_person(account)) && nobody_else_plays(account);
}

void Table::tell_truth(std::function<void()> then) {
  if (state_.status == Status::over) return in_order(std::move(then));
  state_.truth_known = true;
  changed(std::move(then));
}

void Table::read_record(std::function<void(std::string)> reply) {
  const bool reopens = state_.status != Status::over && match_->open_secret();
  if (reopens) match_->close_dice();
  std::string text = text_of(shown_record());
  if (reopens) {
    secret_ = ProofSecret::fresh();
    match_->open_dice(Proven{secret_, ""});
  }
  tell_truth([reply = std::move(reply), text = std::move(text)] { reply(text); });
}

}  // namespace baton::table
