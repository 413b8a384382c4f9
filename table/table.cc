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

// Puts a key before a text that is JSON already.
void add_part(std::string& text, std::string_view key, std::string_view json) {
  text += ",\"";
  text += key;
  text += "\":";
  text += json;
}

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
      table->events_seen_[i] = table->match_->events(Seat(static_cast<int>(i))).size();
  }
  return table;
}

// --- Who sits where ------------------------------------------------------------------------------------------------------------------

Json Table::summary(const std::string& reader) const { return summary_of(state_, reader, here(), spectators()); }

Json Table::sheet() const {
  if (match_) return match_->sheet();
  const auto tried = create_match(state_.game, {scenario_, options_from(state_.options), {}, Seeded{1}, std::nullopt});
  return tried ? (*tried)->sheet() : Json(nullptr);
}

std::vector<std::string> Table::here() const {
  std::vector<std::string> all;
  for (const auto& [connection, watch] : watches_) all.push_back(watch.reader.account);
  return all;
}

int Table::spectators() const {
  std::vector<std::string> all;
  for (const auto& [connection, watch] : watches_) {
    if (!state_.seats_person(watch.reader.account) && std::find(all.begin(), all.end(), watch.reader.account) == all.end())
      all.push_back(watch.reader.account);
  }
  return static_cast<int>(all.size());
}

bool Table::may_watch(const std::string& account, const std::string& key) const {
  if (state_.visibility != Visibility::who_sits || state_.host == account || state_.seats_person(account)) return true;
  return std::any_of(state_.places.begin(), state_.places.end(), [&](const Place& p) {
    return (p.kind == SeatKind::invited && !key.empty() && p.invite_key == key) || (!p.reserved_for.empty() && p.reserved_for == account);
  });
}

bool Table::nobody_else_plays(const std::string& account) const {
  return std::all_of(state_.places.begin(), state_.places.end(), [&](const Place& p) {
    return p.kind == SeatKind::bot || (p.is_held() && p.person == account) || (p.kind == SeatKind::open && !p.steward.empty());
  });
}

bool Table::people_play() const {
  return std::any_of(state_.places.begin(), state_.places.end(), [](const Place& p) { return p.is_held(); });
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

bool Table::everybody_sits() const { return !state_.has_open_places(); }

void Table::open(const Reader& host, Reply reply) {
  if (everybody_sits()) {
    if (match_) {
      state_.status = Status::running;
      for (Place& p : state_.places) p.clock = fresh_clock(state_.pace);
    } else if (auto begun = start(); !begun) {
      reply(tl::make_unexpected(begun.error()));
      return;
    }
  }
  ++around_.figures.tables_made;
  changed([self = shared_from_this(), reply = std::move(reply), account = host.account] { reply(self->summary(account)); });
}

void Table::resume() {
  if (gone_) return;
  for (Place& p : state_.places) {
    // The time in which the server was away is nobody's.
    if (p.clock.running()) p.clock.since = around_.loop.now();
  }
  settle();
}

Outcome<void> Table::start() {
  std::string salt;
  for (const std::string& words : state_.salts) salt += (salt.empty() ? "" : " ") + words;
  MatchSetup setup{scenario_, options_from(state_.options), players(), Proven{secret_, salt}, std::nullopt};
  auto made = create_match(state_.game, setup);
  if (!made) return fault("bad-scenario", made.error());
  match_ = std::move(*made);
  state_.status = Status::running;
  for (Place& p : state_.places) {
    p.clock = fresh_clock(state_.pace);
    if (p.is_held()) tell(p.person, "started", p.seat);
  }
  return {};
}

void Table::join(const Reader& who, const std::optional<std::string>& seat, const std::string& key, const std::string& salt, Reply reply) {
  if (state_.status == Status::over) return reply(fault("already-started", "the game at this table is over."));
  Place* found = nullptr;
  for (Place& p : state_.places) {
    if (seat && p.seat != *seat) continue;
    const bool invited = p.kind == SeatKind::invited && ((!key.empty() && p.invite_key == key) || (!p.reserved_for.empty() && p.reserved_for == who.account));
    const bool open = p.kind == SeatKind::open && (state_.visibility != Visibility::who_sits || may_watch(who.account, key));
    if (invited || open) {
      found = &p;
      if (invited) break;
    }
  }
  if (found == nullptr) {
    if (seat && state_.place(*seat) == nullptr) return reply(fault("bad-seat", "this table has no seat \"" + seat->substr(0, 40) + "\"."));
    const bool waits = std::any_of(state_.places.begin(), state_.places.end(), [](const Place& p) { return p.kind == SeatKind::invited; });
    if (waits && !seat) return reply(fault("not-invited", "the seats that are left need an invitation; ask the host for its link."));
    return reply(fault(seat && state_.place(*seat)->kind == SeatKind::invited ? "not-invited" : "seat-taken", "this seat is not open."));
  }
  found->kind = SeatKind::person;
  found->person = who.account;
  found->name = who.name;
  found->steward.clear();
  found->steward_for_turn = false;
  found->invite_key.clear();
  found->reserved_for.clear();
  if (!salt.empty() && !match_) state_.salts.push_back(salt);
  stored_persons_ = false;
  if (state_.host != who.account) tell(state_.host, "joined", found->seat, who.name);
  if (state_.status == Status::gathering && everybody_sits()) {
    if (match_) {
      state_.status = Status::running;
      for (Place& p : state_.places) {
        p.clock = fresh_clock(state_.pace);
        if (p.is_held()) tell(p.person, "started", p.seat);
      }
    } else if (auto begun = start(); !begun) {
      return reply(tl::make_unexpected(begun.error()));
    }
  }
  changed([self = shared_from_this(), reply = std::move(reply), who] { reply(self->summary(who.account)); });
}

void Table::leave(const Reader& who, const std::optional<std::string>& seat, Reply reply) {
  bool left = false;
  for (Place& p : state_.places) {
    if (!p.is_held() || p.person != who.account || (seat && p.seat != *seat)) continue;
    left = true;
    if (state_.status == Status::over) continue;
    p.kind = SeatKind::open;
    p.person.clear();
    p.name.clear();
    p.orders.clear();
    if (state_.status == Status::running) p.steward = standard_level();
  }
  if (!left) return reply(fault("not-yours", "you do not sit there."));
  stored_persons_ = false;
  changed([self = shared_from_this(), reply = std::move(reply), who] { reply(self->summary(who.account)); });
}

void Table::give_seat(const Reader& who, const std::string& seat, const std::string& kind, const std::string& level, Reply reply) {
  if (state_.host != who.account) return reply(fault("not-host", "only the host gives seats."));
  if (state_.status == Status::over) return reply(fault("already-started", "the game at this table is over."));
  Place* p = state_.place(seat);
  if (p == nullptr) return reply(fault("bad-seat", "this table has no seat \"" + seat.substr(0, 40) + "\"."));
  if (p->is_held() && p->person != who.account) return reply(fault("seat-taken", "somebody sits there."));
  const bool running = state_.status == Status::running;
  const Clock clock = p->clock;
  Place fresh{p->seat, p->team};
  fresh.clock = clock;
  if (kind == "me" || kind == "device") {
    fresh.kind = kind == "me" ? SeatKind::person : SeatKind::device;
    fresh.person = who.account;
    fresh.name = who.name;
  } else if (kind == "bot") {
    fresh.kind = SeatKind::bot;
    fresh.level = level.empty() ? standard_level() : level;
    if (!is_level(fresh.level)) return reply(fault("bad-level", "there is no level \"" + level.substr(0, 40) + "\"."));
  } else {
    fresh.kind = kind == "invited" ? SeatKind::invited : SeatKind::open;
    if (fresh.kind == SeatKind::invited) fresh.invite_key = fresh_token(12);
    if (running) fresh.steward = standard_level();
  }
  *p = fresh;
  stored_persons_ = false;
  if (state_.status == Status::gathering && everybody_sits()) {
    if (match_) {
      state_.status = Status::running;
    } else if (auto begun = start(); !begun) {
      return reply(tl::make_unexpected(begun.error()));
    }
  }
  changed([self = shared_from_this(), reply = std::move(reply), who] { reply(self->summary(who.account)); });
}

void Table::set_steward(const Reader& who, const std::string& seat, const std::optional<std::string>& level, Reply reply) {
  Place* p = state_.place(seat);
  if (p == nullptr || !p->is_held()) return reply(fault("bad-seat", "no person sits at \"" + seat.substr(0, 40) + "\"."));
  if (state_.status != Status::running) return reply(fault("not-started", "a steward plays only while the game runs."));
  if (level && !is_level(*level)) return reply(fault("bad-level", "there is no level \"" + level->substr(0, 40) + "\"."));
  if (p->person != who.account) {
    if (!level) return reply(fault("not-yours", "only the person who sits there takes the seat back."));
    if (!state_.seats_person(who.account)) return reply(fault("not-allowed", "only those who play may call a steward."));
    const auto present = here();
    const auto left = last_here_.find(p->person);
    const bool away = std::find(present.begin(), present.end(), p->person) == present.end() && left != last_here_.end() &&
                      around_.loop.now() - left->second >= around_.settings.away_time.count();
    if (!away || state_.pace.kind != Pace::Kind::none)
      return reply(fault("not-allowed", "a steward may be called for somebody who has been away for a while; where there is a clock it calls one by itself."));
  }
  if (level) {
    p->steward = *level;
    ++around_.figures.stewards;
  } else {
    p->steward.clear();
    refill_clock(p->clock, state_.pace);
  }
  p->steward_for_turn = false;
  changed([self = shared_from_this(), reply = std::move(reply), who] { reply(self->summary(who.account)); });
}

void Table::rename(const std::string& account, const std::string& name) {
  bool sits = state_.host == account;
  if (sits) state_.host_name = name;
  for (Place& p : state_.places) {
    if (p.person != account) continue;
    p.name = name;
    sits = true;
  }
  bool spoke = false;
  for (ChatRow& line : chat_) {
    if (line.person != account) continue;
    line.name = name;
    spoke = true;
  }
  if (sits) changed({});
  if (!spoke) return;
  // What was said has been told with the old name, and an update only adds to it.
  for (auto& [connection, watch] : watches_) {
    in_order([self = shared_from_this(), to = watch.wire, text = snapshot(watch)] { post({{to, text}}, self->around_.figures); });
  }
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
  if (!stored_persons_) persons = state_.persons();
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
  around_.writer.submit([](Database&) {}, [self = shared_from_this(), work = std::move(work)] {
    --self->uncommitted_;
    work();
  });
}

void Table::post(const std::vector<Letter>& letters, Figures& figures) {
  for (const Letter& letter : letters) {
    ++figures.socket_messages_out;
    figures.socket_bytes_out += letter.text->size();
    letter.wire->send(letter.text);
  }
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

Json Table::clocks_json() const {
  Json all = Json::array();
  if (state_.pace.kind == Pace::Kind::none) return all;
  for (const Place& p : state_.places) {
    all.push_back({{"seat", p.seat}, {"left_ms", p.clock.left_ms}, {"bank_ms", p.clock.bank_ms}, {"running", p.clock.running()}, {"as_of", p.clock.since}});
  }
  return all;
}

Json Table::dice_json() const {
  const auto opening = match_ ? match_->dice_opening() : std::nullopt;
  if (!opening) return nullptr;
  if (const auto* proof = std::get_if<ProofOpening>(&*opening)) return {{"commitment", proof->commitment}, {"salt", proof->salt}};
  return {{"commitment", nullptr}, {"salt", ""}};
}

Json Table::orders_json(Seat viewer) const {
  Json all = Json::array();
  const auto i = static_cast<std::size_t>(index(viewer));
  if (i >= state_.places.size()) return all;
  for (const StandingOrder& order : state_.places[i].orders) all.push_back(json_of(order));
  return all;
}

bool Table::sees_chat(const Watch& watch, const ChatRow& line) const {
  if (line.team.empty()) return true;
  return std::any_of(state_.places.begin(), state_.places.end(),
                     [&](const Place& p) { return p.is_held() && p.person == watch.reader.account && p.team == line.team; });
}

Json Table::chat_json(const Watch& watch, std::size_t from) const {
  Json all = Json::array();
  for (std::size_t i = from; i < chat_.size(); ++i) {
    const ChatRow& line = chat_[i];
    if (!sees_chat(watch, line)) continue;
    Json json = {{"number", line.number}, {"name", line.name}};
    if (!line.seat.empty()) json["seat"] = line.seat;
    json["to"] = line.team.empty() ? "table" : "team";
    json["text"] = line.text;
    json["at"] = line.at;
    all.push_back(std::move(json));
  }
  return all;
}

std::vector<Table::Letter> Table::letters(const std::string& undone_by) {
  std::vector<Letter> all;
  std::map<int, std::string> views;
  for (auto& [connection, watch] : watches_) {
    std::string text = update_text(watch, views, undone_by);
    if (!text.empty()) all.push_back({watch.wire, std::make_shared<const std::string>(std::move(text))});
  }
  return all;
}

// Empty when nothing changed for this watcher.
std::string Table::update_text(Watch& watch, std::map<int, std::string>& views, const std::string& undone_by) {
  std::string parts;
  const auto add_changed = [&](std::string_view key, const std::string& json, std::size_t& last) {
    const std::size_t now = hash_text(json);
    if (now == last) return false;
    last = now;
    add_part(parts, key, json);
    return true;
  };
  bool view_changed = false;
  const bool has_news = watch.news != news_;
  watch.news = news_;
  if (has_news) add_changed("summary", one_line(summary(watch.reader.account)), watch.summary);
  if (match_) {
    std::string& view = views[index(watch.viewer)];
    if (view.empty()) view = one_line(match_->view(watch.viewer));
    view_changed = add_changed("view", view, watch.view);
    const std::size_t known = undone_by.empty() ? watch.log_size : std::min(watch.log_size, match_->events(watch.viewer).size());
    const Json fresh = match_->events(watch.viewer, known);
    if (known != watch.log_size || !fresh.empty()) {
      add_part(parts, "log_from", std::to_string(known));
      add_part(parts, "log", one_line(fresh));
      watch.log_size = known + fresh.size();
    }
    const bool may_undo = state_.undo != UndoPolicy::never && match_->can_undo(watch.viewer);
    if (may_undo != watch.may_undo) add_part(parts, "may_undo", may_undo ? "true" : "false");
    watch.may_undo = may_undo;
    if (has_news) add_changed("dice", one_line(dice_json()), watch.dice);
    const auto i = static_cast<std::size_t>(index(watch.viewer));
    const Time forced_at = i < plans_.size() && plans_[i].kind == Plan::Kind::forced ? plans_[i].at : 0;
    if (forced_at != watch.forced_at && forced_at != 0)
      add_part(parts, "forced_in_ms", std::to_string(std::max<Time>(0, forced_at - around_.loop.now())));
    watch.forced_at = forced_at;
  }
  if (has_news) {
    add_changed("clocks", one_line(clocks_json()), watch.clocks);
    add_changed("orders", one_line(orders_json(watch.viewer)), watch.orders);
    add_changed("undo_asked", state_.undo_asked.empty() ? "null" : one_line(Json(state_.undo_asked)), watch.undo_asked);
  }
  if (watch.chat_size < chat_.size()) {
    const Json lines = chat_json(watch, watch.chat_size);
    if (!lines.empty()) add_part(parts, "chat", one_line(lines));
    watch.chat_size = chat_.size();
  }
  if (parts.empty()) return {};
  // Whoever sees no difference in the game is not told that something was taken back either.
  if (!undone_by.empty() && view_changed) add_part(parts, "cause", one_line({{"seat", undone_by}, {"undone", true}}));
  return "{\"type\":\"update\",\"table\":" + one_line(Json(state_.id)) + ",\"viewer\":\"" + (match_ ? match_->name_of(watch.viewer) : "spectator") +
         "\",\"version\":" + std::to_string(++watch.version) + parts + "}";
}

std::shared_ptr<const std::string> Table::snapshot(Watch& watch) {
  const auto remember = [](const std::string& json, std::size_t& last) -> const std::string& {
    last = hash_text(json);
    return json;
  };
  watch.news = news_;
  std::string text = "{\"type\":\"snapshot\",\"table\":" + one_line(Json(state_.id)) + ",\"viewer\":\"" +
                     (match_ ? match_->name_of(watch.viewer) : "spectator") + "\",\"version\":" + std::to_string(++watch.version);
  add_part(text, "summary", remember(one_line(summary(watch.reader.account)), watch.summary));
  const Json log = match_ ? match_->events(watch.viewer) : Json::array();
  watch.log_size = log.size();
  add_part(text, "view", remember(match_ ? one_line(match_->view(watch.viewer)) : "null", watch.view));
  add_part(text, "log", one_line(log));
  add_part(text, "clocks", remember(one_line(clocks_json()), watch.clocks));
  add_part(text, "chat", one_line(chat_json(watch, 0)));
  watch.chat_size = chat_.size();
  watch.may_undo = match_ && state_.undo != UndoPolicy::never && match_->can_undo(watch.viewer);
  add_part(text, "may_undo", watch.may_undo ? "true" : "false");
  add_part(text, "undo_asked", remember(state_.undo_asked.empty() ? "null" : one_line(Json(state_.undo_asked)), watch.undo_asked));
  add_part(text, "orders", remember(one_line(orders_json(watch.viewer)), watch.orders));
  add_part(text, "dice", remember(one_line(dice_json()), watch.dice));
  const auto i = static_cast<std::size_t>(index(watch.viewer));
  if (i < plans_.size() && plans_[i].kind == Plan::Kind::forced) {
    watch.forced_at = plans_[i].at;
    add_part(text, "forced_in_ms", std::to_string(std::max<Time>(0, plans_[i].at - around_.loop.now())));
  }
  return std::make_shared<const std::string>(text + "}");
}

void Table::watch(std::uint64_t connection, WirePointer wire, const Reader& who, const std::optional<std::string>& viewer, const std::string& key,
                  Reply reply) {
  if (gone_) return reply(fault("no-such-table", "this table is closed."));
  if (!may_watch(who.account, key)) return reply(fault("not-allowed", "this table is private."));
  Watch watch;
  watch.wire = std::move(wire);
  watch.reader = who;
  if (!viewer) {
    for (std::size_t i = 0; i < state_.places.size() && watch.viewer == spectator; ++i) {
      if (state_.places[i].is_held() && state_.places[i].person == who.account) watch.viewer = Seat(static_cast<int>(i));
    }
  } else if (*viewer != "spectator") {
    const Place* p = state_.place(*viewer);
    if (p == nullptr) return reply(fault("bad-seat", "this table has no seat \"" + viewer->substr(0, 40) + "\"."));
    const bool holds = p->is_held() && p->person == who.account;
    if (!holds && state_.status != Status::over) return reply(fault("not-yours", "you can look through the eyes of your own seats only."));
    watch.viewer = Seat(static_cast<int>(p - state_.places.data()));
  }
  if (const auto before = watches_.find(connection); before != watches_.end()) watch.version = before->second.version;
  const bool is_new = watches_.erase(connection) == 0;
  Watch& kept = watches_.emplace(connection, std::move(watch)).first->second;
  last_here_.erase(who.account);
  ++news_;
  plan_all();  // a table where only computers play goes on while somebody watches
  const auto text = snapshot(kept);
  in_order([self = shared_from_this(), to = kept.wire, text, reply = std::move(reply)] {
    post({{to, text}}, self->around_.figures);
    reply(Json::object());
  });
  if (is_new) {
    in_order([self = shared_from_this(), out = letters({})] { post(out, self->around_.figures); });
  }
}

void Table::unwatch(std::uint64_t connection) {
  const auto found = watches_.find(connection);
  if (found == watches_.end()) return;
  const std::string account = found->second.reader.account;
  watches_.erase(found);
  ++news_;
  const auto present = here();
  if (std::find(present.begin(), present.end(), account) == present.end()) last_here_[account] = around_.loop.now();
  if (!watches_.empty()) {
    in_order([self = shared_from_this(), out = letters({})] { post(out, self->around_.figures); });
  } else if (!gone_) {
    plan_all();
  }
}

void Table::chat(const Reader& who, const std::string& text, bool to_team, const std::optional<std::string>& seat, Reply reply) {
  const Place* place = nullptr;
  for (const Place& p : state_.places) {
    if (p.is_held() && p.person == who.account && (!seat || p.seat == *seat)) {
      place = &p;
      break;
    }
  }
  if (place == nullptr && state_.host != who.account) return reply(fault("not-allowed", "only those who sit at the table talk there."));
  if (to_team && place == nullptr) return reply(fault("bad-seat", "only a seat has a team."));
  ChatRow line{static_cast<std::int64_t>(chat_.size()) + 1, who.account, who.name, place != nullptr ? place->seat : "", to_team ? place->team : "", text,
               around_.loop.now()};
  chat_.push_back(line);
  ++uncommitted_;
  around_.writer.submit([id = state_.id, line](Database& database) { database.add_chat(id, line); },
                        [self = shared_from_this(), out = letters({}), reply = std::move(reply)] {
                          --self->uncommitted_;
                          reply(Json::object());
                          post(out, self->around_.figures);
                        });
}

bool Table::may_read_record(const std::string& account) const {
  if (!match_) return false;
  if (state_.status == Status::over) return true;
  return state_.status == Status::running && (state_.host == account || state_.seats_person(account)) && nobody_else_plays(account);
}

void Table::read_record(std::function<void(std::string)> reply) {
  if (state_.status == Status::over || !match_->open_secret()) {
    in_order([reply = std::move(reply), text = text_of(shown_record())] { reply(text); });
    return;
  }
  match_->close_dice();
  const std::string text = text_of(shown_record());
  secret_ = ProofSecret::fresh();
  match_->open_dice(Proven{secret_, ""});
  changed([reply = std::move(reply), text] { reply(text); });
}

}  // namespace baton::table
