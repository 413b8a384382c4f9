// Who sits where: joining, leaving, seats that the host gives, and computer players that sit in for the absent.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "table/secrets.h"
#include "table/table.h"

namespace baton::table {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

Fault other_side() {
  return {"other-side", "you sit, or have sat, on another side of this game and know its secrets; watch it, or play on your own side.", {}};
}

}  // namespace

// --- Who is there --------------------------------------------------------------------------------------------------------------------

Json Table::summary(const std::string& reader) const {
  Json json = summary_of(state_, reader, here(), spectators());
  for (std::size_t i = 0; i < state_.places.size(); ++i) {
    if (may_ask_steward(state_.places[i], reader)) json["seats"][i]["may_ask_steward"] = true;
  }
  return json;
}

std::vector<std::string> Table::here() const {
  std::vector<std::string> all;
  for (const auto& [connection, watch] : watches_) all.push_back(watch.reader.account);
  return all;
}

bool Table::is_here(const std::string& account) const {
  return std::any_of(watches_.begin(), watches_.end(), [&](const auto& entry) { return entry.second.reader.account == account; });
}

int Table::spectators() const {
  std::vector<std::string> all;
  for (const auto& [connection, watch] : watches_) {
    if (!state_.seats_person(watch.reader.account) && !contains(all, watch.reader.account)) all.push_back(watch.reader.account);
  }
  return static_cast<int>(all.size());
}

bool Table::may_watch(const std::string& account, const std::string& key) const {
  if (state_.visibility != Visibility::who_sits || state_.host == account || state_.seats_person(account)) return true;
  return std::any_of(state_.places.begin(), state_.places.end(), [&](const Place& p) {
    return p.is_kept_for(account) || (p.kind == SeatKind::invited && !key.empty() && p.invite_key == key);
  });
}

// A seat that stands open counts as somebody else: whoever left it may come back, or another may come, and neither wants to play against
// somebody who has seen the truth meanwhile.
bool Table::nobody_else_plays(const std::string& account) const {
  return std::all_of(state_.places.begin(), state_.places.end(),
                     [&](const Place& p) { return p.kind == SeatKind::bot || p.is_held_by(account); });
}

bool Table::people_play() const {
  return std::any_of(state_.places.begin(), state_.places.end(), [](const Place& p) { return p.is_held(); });
}

// Remembers who has seen through which seat. Whoever has sat on two sides and gives one of them up knows more than any seat may.
void Table::settle_holders() {
  if (state_.status != Status::running) return;
  for (Place& p : state_.places) {
    if (p.is_held() && !contains(p.held_by, p.person)) p.held_by.push_back(p.person);
  }
  const auto was_given_up = [&](const Place& p) {
    return p.kind != SeatKind::bot && std::any_of(p.held_by.begin(), p.held_by.end(), [&](const std::string& account) {
             return !p.is_held_by(account) && state_.knows_another_side(account, p);
           });
  };
  if (std::any_of(state_.places.begin(), state_.places.end(), was_given_up)) state_.truth_known = true;
}

// --- Sitting down and getting up -----------------------------------------------------------------------------------------------------

void Table::join(const Reader& who, const std::optional<std::string>& seat, const std::string& key, const std::string& salt, Reply reply) {
  if (state_.status == Status::over) return reply(fault("already-started", "the game at this table is over."));
  enum class Claim { none, open, invited, kept };
  Place* found = nullptr;
  Claim best = Claim::none;
  bool barred = false;
  for (Place& p : state_.places) {
    if (seat && p.seat != *seat) continue;
    Claim claim = Claim::none;
    if (p.kind == SeatKind::open && may_watch(who.account, key)) claim = Claim::open;
    if (p.kind == SeatKind::invited && !key.empty() && p.invite_key == key) claim = Claim::invited;
    if (p.is_kept_for(who.account)) claim = Claim::kept;
    // Its own seat may be taken again by whoever left it, because there is nothing new to learn there.
    if (claim != Claim::none && claim != Claim::kept && state_.knows_another_side(who.account, p)) {
      barred = true;
      continue;
    }
    if (claim <= best) continue;
    found = &p;
    best = claim;
  }
  if (found == nullptr) {
    if (barred) return reply(tl::make_unexpected(other_side()));
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
  found->steward_asked.clear();
  found->undo_request.clear();
  found->invite_key.clear();
  found->reserved_for.clear();
  if (state_.status == Status::running) refill_clock(found->clock, state_.pace);
  if (state_.hints_while_alone && state_.persons().size() > 1) state_.hints = false;
  if (!salt.empty() && !match_) state_.salts.push_back(salt);
  stored_persons_ = false;
  if (state_.host != who.account) tell(state_.host, "joined", found->seat, who.name);
  if (auto begun = start_when_complete(); !begun) return reply(tl::make_unexpected(begun.error()));
  changed([self = shared_from_this(), reply = std::move(reply), who] { reply(self->summary(who.account)); });
}

void Table::leave(const Reader& who, const std::optional<std::string>& seat, Reply reply, bool for_good) {
  bool left = false;
  for (Place& p : state_.places) {
    if (!p.is_held_by(who.account) || (seat && p.seat != *seat)) continue;
    left = true;
    if (state_.status == Status::over) continue;
    p.kind = SeatKind::open;
    p.reserved_for = p.person;
    p.person.clear();
    p.name.clear();
    p.orders.clear();
    p.steward_asked.clear();
    p.undo_request.clear();
    if (state_.undo_asked == p.seat) state_.undo_asked.clear();
    if (state_.status == Status::running) p.steward = standard_level();
  }
  if (!left || for_good) {
    for (Place& p : state_.places) {
      if (state_.status == Status::over || !p.is_kept_for(who.account) || (seat && p.seat != *seat)) continue;
      p.reserved_for.clear();
      left = true;
    }
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
  const bool mine = p->is_held_by(who.account);
  if (p->is_held() && !mine) return reply(fault("seat-taken", "somebody sits there."));
  const bool running = state_.status == Status::running;
  Place fresh{p->seat, p->team};
  fresh.clock = p->clock;
  fresh.held_by = p->held_by;
  if (kind == "me" || kind == "device") {
    const bool learns = running && !mine && !p->is_kept_for(who.account) && !nobody_else_plays(who.account);
    if (learns && state_.knows_another_side(who.account, *p)) return reply(tl::make_unexpected(other_side()));
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
    fresh.reserved_for = mine ? who.account : p->reserved_for;
    if (running) fresh.steward = standard_level();
  }
  if (state_.undo_asked == p->seat) state_.undo_asked.clear();
  *p = fresh;
  stored_persons_ = false;
  if (auto begun = start_when_complete(); !begun) return reply(tl::make_unexpected(begun.error()));
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

// --- Stewards ------------------------------------------------------------------------------------------------------------------------

void Table::set_steward(const Reader& who, const std::string& seat, const std::optional<std::string>& level, Reply reply) {
  Place* p = state_.place(seat);
  if (p == nullptr || !p->is_held()) return reply(fault("bad-seat", "no person sits at \"" + seat.substr(0, 40) + "\"."));
  if (state_.status != Status::running) return reply(fault("not-started", "a steward plays only while the game runs."));
  if (!p->is_held_by(who.account)) {
    if (!level) return reply(fault("not-yours", "only the person who sits there takes the seat back."));
    return reply(fault("not-allowed", "only for your own seat you choose who sits in; for somebody who is away ask without \"level\"."));
  }
  if (level && !is_level(*level)) return reply(fault("bad-level", "there is no level \"" + level->substr(0, 40) + "\"."));
  if (level) {
    p->steward = *level;
    ++around_.figures.stewards;
  } else {
    p->steward.clear();
    refill_clock(p->clock, state_.pace);
  }
  p->steward_for_turn = false;
  p->steward_asked.clear();
  changed([self = shared_from_this(), reply = std::move(reply), who] { reply(self->summary(who.account)); });
}

void Table::ask_steward(const Reader& who, const std::string& seat, Reply reply) {
  Place* p = state_.place(seat);
  if (p == nullptr || !p->is_held()) return reply(fault("bad-seat", "no person sits at \"" + seat.substr(0, 40) + "\"."));
  if (p->is_held_by(who.account)) return set_steward(who, seat, standard_level(), std::move(reply));
  if (state_.status != Status::running) return reply(fault("not-started", "a steward plays only while the game runs."));
  if (!state_.seats_person(who.account)) return reply(fault("not-allowed", "only those who play may call a steward."));
  if (p->steward.empty() && !contains(p->steward_asked, who.account)) {
    if (!may_ask_steward(*p, who.account))
      return reply(
          fault("not-allowed",
                "a steward may be called for somebody who has been away for a while; where there is a clock it calls one by itself."));
    p->steward_asked.push_back(who.account);
    call_agreed_stewards();
  }
  changed([self = shared_from_this(), reply = std::move(reply), who] { reply(self->summary(who.account)); });
}

bool Table::is_away(const std::string& account) const {
  const auto left = last_here_.find(account);
  return left != last_here_.end() && !is_here(account) && around_.loop.now() - left->second >= around_.settings.away_time.count();
}

// Where there is a clock it calls a steward by itself.
bool Table::may_ask_steward(const Place& p, const std::string& account) const {
  return state_.status == Status::running && state_.pace.kind == Pace::Kind::none && p.is_held() && p.steward.empty() &&
         !p.is_held_by(account) && state_.seats_person(account) && !contains(p.steward_asked, account) && is_away(p.person);
}

bool Table::call_agreed_stewards() {
  const auto persons = state_.persons();
  bool any = false;
  for (Place& p : state_.places) {
    if (p.steward_asked.empty() || !p.steward.empty() || !is_away(p.person)) continue;
    const bool somebody =
        std::any_of(persons.begin(), persons.end(), [&](const std::string& person) { return contains(p.steward_asked, person); });
    const bool everybody = std::all_of(persons.begin(), persons.end(), [&](const std::string& person) {
      return person == p.person || contains(p.steward_asked, person) || !is_here(person);
    });
    if (!somebody || !everybody) continue;
    p.steward = standard_level();
    p.steward_for_turn = false;
    p.steward_asked.clear();
    ++around_.figures.stewards;
    any = true;
  }
  return any;
}

// Notes since when people are away, and tells the others when that has become so long that they may call a steward. What was before this
// server opened the table it does not know, so that counts from there.
void Table::settle_absence() {
  const Time now = around_.loop.now();
  std::optional<Time> next;
  std::erase_if(last_here_, [&](const auto& entry) { return is_here(entry.first) || !state_.seats_person(entry.first); });
  if (!gone_ && state_.status == Status::running && state_.pace.kind == Pace::Kind::none) {
    for (const Place& p : state_.places) {
      if (!p.is_held() || is_here(p.person)) continue;
      const Time due = last_here_.try_emplace(p.person, now).first->second + around_.settings.away_time.count();
      if (due > now) next = next ? std::min(*next, due) : due;
    }
  }
  if (next.value_or(0) == absence_due_) return;
  around_.loop.cancel(absence_timer_);
  absence_timer_ = Loop::Timer::none;
  absence_due_ = next.value_or(0);
  if (!next) return;
  absence_timer_ = around_.loop.after(Milliseconds{*next - now}, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->absence_due_ = 0;
    self->settle_absence();
    ++self->news_;
    self->in_order([self, out = self->letters({})] { post(out, self->around_.figures); });
  });
}

}  // namespace baton::table
