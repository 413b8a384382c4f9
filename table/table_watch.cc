// What those who watch a table are told: snapshots, updates and talk, each made for one viewer.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "match/json_reader.h"
#include "table/table.h"

namespace baton::table {
namespace {

std::size_t hash_text(std::string_view text) { return std::hash<std::string_view>{}(text); }

// Puts a key before a text that is JSON already.
void add_part(std::string& text, std::string_view key, std::string_view json) {
  text += ",\"";
  text += key;
  text += "\":";
  text += json;
}

}  // namespace

void Table::post(const std::vector<Letter>& letters, Figures& figures) {
  for (const Letter& letter : letters) {
    ++figures.socket_messages_out;
    figures.socket_bytes_out += letter.text->size();
    letter.wire->send(letter.text);
  }
}

Json Table::clocks_json() const {
  Json all = Json::array();
  if (state_.pace.kind == Pace::Kind::none) return all;
  for (const Place& p : state_.places) {
    all.push_back({{"seat", p.seat},
                   {"left_ms", p.clock.left_ms},
                   {"bank_ms", p.clock.bank_ms},
                   {"running", p.clock.running()},
                   {"as_of", p.clock.since}});
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
                     [&](const Place& p) { return p.is_held_by(watch.reader.account) && p.team == line.team; });
}

Json Table::chat_json(Watch& watch, std::size_t from) const {
  Json all = Json::array();
  for (std::size_t i = from; i < chat_.size(); ++i) {
    const ChatRow& line = chat_[i];
    if (!sees_chat(watch, line)) continue;
    Json json = {{"number", ++watch.chat_number}, {"name", line.name}};
    if (!line.seat.empty()) json["seat"] = line.seat;
    json["to"] = line.team.empty() ? "table" : "team";
    json["text"] = line.text;
    json["at"] = line.at;
    all.push_back(std::move(json));
  }
  return all;
}

bool Table::may_look_through(const std::string& account, Seat viewer) const {
  const auto i = static_cast<std::size_t>(index(viewer));
  return i >= state_.places.size() || state_.status == Status::over || state_.places[i].is_held_by(account);
}

// Whoever no longer holds the seat looks on as everybody may, from this change on, or not at all.
std::vector<Table::Letter> Table::letters(const std::string& undone_by) {
  std::vector<Letter> all;
  std::erase_if(watches_, [&](const auto& entry) {
    const Watch& watch = entry.second;
    if (may_watch(watch.reader.account, watch.key)) return false;
    all.push_back(
        {watch.wire, std::make_shared<const std::string>(one_line({{"type", "gone"}, {"table", state_.id}, {"reason", "not-allowed"}}))});
    ++news_;
    return true;
  });
  std::map<int, std::string> views;
  for (auto& [connection, watch] : watches_) {
    if (!may_look_through(watch.reader.account, watch.viewer)) {
      watch.viewer = spectator;
      all.push_back({watch.wire, snapshot(watch)});
      continue;
    }
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
    if (view.empty()) view = match_->view_text(watch.viewer);
    view_changed = add_changed("view", view, watch.view);
    const std::size_t known = undone_by.empty() ? watch.log_size : std::min(watch.log_size, match_->count_events(watch.viewer));
    const Match::EventsText fresh = match_->events_text(watch.viewer, known);
    if (known != watch.log_size || fresh.count > 0) {
      add_part(parts, "log_from", std::to_string(known));
      add_part(parts, "log", fresh.text);
      watch.log_size = known + fresh.count;
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
  return "{\"type\":\"update\",\"table\":" + one_line(Json(state_.id)) + ",\"viewer\":\"" +
         (match_ ? match_->name_of(watch.viewer) : "spectator") + "\",\"version\":" + std::to_string(++watch.version) + parts + "}";
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
  const Match::EventsText log = match_ ? match_->events_text(watch.viewer) : Match::EventsText{"[]", 0};
  watch.log_size = log.count;
  add_part(text, "view", remember(match_ ? match_->view_text(watch.viewer) : "null", watch.view));
  add_part(text, "log", log.text);
  add_part(text, "clocks", remember(one_line(clocks_json()), watch.clocks));
  watch.chat_number = 0;
  add_part(text, "chat", one_line(chat_json(watch, 0)));
  watch.chat_size = chat_.size();
  watch.may_undo = match_ && state_.undo != UndoPolicy::never && match_->can_undo(watch.viewer);
  add_part(text, "may_undo", watch.may_undo ? "true" : "false");
  add_part(text, "undo_asked", remember(state_.undo_asked.empty() ? "null" : one_line(Json(state_.undo_asked)), watch.undo_asked));
  add_part(text, "orders", remember(one_line(orders_json(watch.viewer)), watch.orders));
  add_part(text, "dice", remember(one_line(dice_json()), watch.dice));
  const auto i = static_cast<std::size_t>(index(watch.viewer));
  watch.forced_at = 0;
  if (i < plans_.size() && plans_[i].kind == Plan::Kind::forced) {
    watch.forced_at = plans_[i].at;
    add_part(text, "forced_in_ms", std::to_string(std::max<Time>(0, plans_[i].at - around_.loop.now())));
  }
  return std::make_shared<const std::string>(text + "}");
}

void Table::watch(std::uint64_t connection, WirePointer wire, const Reader& who, const std::optional<std::string>& viewer,
                  const std::string& key, Reply reply) {
  if (gone_) return reply(fault("no-such-table", "this table is closed."));
  if (!may_watch(who.account, key)) return reply(fault("not-allowed", "this table is private."));
  Watch watch;
  watch.wire = std::move(wire);
  watch.reader = who;
  watch.key = key;
  if (!viewer) {
    for (std::size_t i = 0; i < state_.places.size() && watch.viewer == spectator; ++i) {
      if (state_.places[i].is_held_by(who.account)) watch.viewer = Seat(static_cast<int>(i));
    }
  } else if (*viewer != "spectator") {
    const Place* p = state_.place(*viewer);
    if (p == nullptr) return reply(fault("bad-seat", "this table has no seat \"" + viewer->substr(0, 40) + "\"."));
    watch.viewer = Seat(static_cast<int>(p - state_.places.data()));
    if (!may_look_through(who.account, watch.viewer))
      return reply(fault("not-yours", "you can look through the eyes of your own seats only."));
  }
  // Whoever comes back needs no steward; what the others asked for meanwhile is void.
  bool asked = false;
  for (Place& p : state_.places) {
    if (!p.is_held_by(who.account) || p.steward_asked.empty()) continue;
    p.steward_asked.clear();
    asked = true;
  }
  if (asked) changed({});
  if (const auto before = watches_.find(connection); before != watches_.end()) watch.version = before->second.version;
  const bool is_new = watches_.erase(connection) == 0;
  Watch& kept = watches_.emplace(connection, std::move(watch)).first->second;
  settle_absence();
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
  watches_.erase(found);
  ++news_;
  if (gone_) return;
  settle_absence();
  if (call_agreed_stewards()) return changed({});
  if (!watches_.empty()) {
    in_order([self = shared_from_this(), out = letters({})] { post(out, self->around_.figures); });
  } else {
    plan_all();
  }
}

void Table::chat(const Reader& who, const std::string& text, bool to_team, const std::optional<std::string>& seat, Reply reply) {
  const Place* place = nullptr;
  for (const Place& p : state_.places) {
    if (p.is_held_by(who.account) && (!seat || p.seat == *seat)) {
      place = &p;
      break;
    }
  }
  if (place == nullptr && state_.host != who.account) return reply(fault("not-allowed", "only those who sit at the table talk there."));
  if (to_team && place == nullptr) return reply(fault("bad-seat", "only a seat has a team."));
  ChatRow line{static_cast<std::int64_t>(chat_.size()) + 1,
               who.account,
               who.name,
               place != nullptr ? place->seat : "",
               to_team ? place->team : "",
               text,
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

}  // namespace baton::table
