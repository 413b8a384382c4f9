// The course of a match at its table: actions, undo, what computer players and the server itself do, clocks and standing orders.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "match/json_reader.h"
#include "table/table.h"

namespace baton::table {
namespace {

std::size_t hash_request(const std::string& person, const std::string& request) {
  return std::hash<std::string>{}(person + "\n" + request);
}
Seat seat_at(std::size_t i) { return Seat(static_cast<int>(i)); }

}  // namespace

// --- Settling: what follows from a change --------------------------------------------------------------------------------------------

void Table::settle() {
  settle_public();
  settle_holders();
  settle_absence();
  settle_orders();
  plan_all();
  settle_clocks();
}

void Table::settle_public() {
  const auto before = std::tuple(state_.status, state_.choosing, state_.result, state_.commitment);
  state_.choosing.clear();
  if (!match_) {
    state_.commitment = secret_.commitment();
  } else {
    if (const auto opening = match_->dice_opening()) {
      const auto* proof = std::get_if<ProofOpening>(&*opening);
      state_.commitment = proof != nullptr ? proof->commitment : "";
    }
    for (const Seat seat : match_->choosing()) state_.choosing.push_back(match_->name_of(seat));
    if (state_.choosing.empty() && state_.status != Status::over) {
      state_.status = Status::over;
      state_.undo_asked.clear();
      stored_persons_ = false;
      Json scores = Json::object();
      const Result result = match_->result();
      for (std::size_t i = 0; i < state_.places.size(); ++i) scores[state_.places[i].seat] = result.score[i];
      state_.result = {{"reason", match_->reason()}, {"scores", std::move(scores)}};
      ++around_.figures.games_finished;
      for (const std::string& person : state_.persons()) tell(person, "over");
    }
  }
  if (state_.changed_at == 0 || before != std::tuple(state_.status, state_.choosing, state_.result, state_.commitment))
    state_.changed_at = around_.loop.now();
}

void Table::settle_clocks() {
  const Time now = around_.loop.now();
  std::optional<Time> next;
  for (std::size_t i = 0; i < state_.places.size(); ++i) {
    Place& p = state_.places[i];
    const bool chooses = state_.status == Status::running && match_ && match_->choosing().has(seat_at(i));
    // It runs for a forced choice too: clocks are public, and one that stands would tell that there is nothing to choose.
    const bool asked = chooses && p.is_held() && p.machine().empty();
    if (asked) {
      start_clock(p.clock, state_.pace, now);
    } else if (chooses) {
      pause_clock(p.clock, now);
    } else {
      stop_clock(p.clock, state_.pace, now);
    }
    if (const auto out = runs_out_at(p.clock, state_.pace)) next = next ? std::min(*next, *out) : *out;
  }
  around_.loop.cancel(clock_timer_);
  clock_timer_ = Loop::Timer::none;
  if (!next) return;
  clock_timer_ = around_.loop.after(Milliseconds{std::max<Time>(0, *next - now)}, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->time_is_out();
  });
}

void Table::time_is_out() {
  clock_timer_ = Loop::Timer::none;
  if (gone_) return;
  const Time now = around_.loop.now();
  bool any = false;
  for (Place& p : state_.places) {
    const auto out = runs_out_at(p.clock, state_.pace);
    if (!out || *out > now) continue;
    pause_clock(p.clock, now);
    p.steward = standard_level();
    p.steward_for_turn = state_.pace.kind == Pace::Kind::turn;
    ++around_.figures.stewards;
    any = true;
  }
  if (any) {
    changed({});
  } else {
    settle_clocks();
  }
}

// Orders end when something named in them happened.
void Table::settle_orders() {
  if (!match_) return;
  for (std::size_t i = 0; i < state_.places.size(); ++i) {
    Place& p = state_.places[i];
    const bool chooses = state_.status == Status::running && match_->choosing().has(seat_at(i));
    if (p.steward_for_turn && !chooses) {
      p.steward.clear();
      p.steward_for_turn = false;
    }
    if (p.orders.empty()) continue;
    const Json news = match_->events(seat_at(i), events_seen_[i]);
    events_seen_[i] += news.size();
    int round = 0;
    if (std::any_of(p.orders.begin(), p.orders.end(), [](const StandingOrder& o) { return o.until_round > 0; })) {
      const Json view = match_->view(seat_at(i));
      round = view["state"].value("round", 0);
    }
    const auto legal = chooses ? match_->actions(seat_at(i)) : std::vector<Action>{};
    const bool free = chooses && !match_->forced(seat_at(i));
    std::erase_if(p.orders, [&](const StandingOrder& order) {
      const bool other_choice =
          free && std::none_of(legal.begin(), legal.end(), [&](Action a) { return match_->words(a) == order.action; });
      return (order.until_turn && other_choice) || ends(order, news, round);
    });
  }
}

std::optional<Action> Table::ordered(std::size_t seat, const std::vector<Action>& legal) const {
  const Place& p = state_.places[seat];
  if (p.orders.empty()) return std::nullopt;
  const Json view = match_->view(seat_at(seat));
  const std::string step = view["state"].value("step", "");
  for (const StandingOrder& order : p.orders) {
    if (!order.at.empty() && std::find(order.at.begin(), order.at.end(), step) == order.at.end()) continue;
    const auto found = std::find_if(legal.begin(), legal.end(), [&](Action a) { return match_->words(a) == order.action; });
    if (found != legal.end()) return *found;
  }
  return std::nullopt;
}

// --- What happens by itself ----------------------------------------------------------------------------------------------------------

Milliseconds Table::random_wait(const Wait& wait) {
  return Milliseconds{
      std::uniform_int_distribution<std::int64_t>(wait.least.count(), std::max(wait.least, wait.most).count())(dice_for_waits_)};
}

void Table::drop_plan(std::size_t seat) {
  around_.loop.cancel(plans_[seat].timer);
  plans_[seat] = Plan{};
}

void Table::plan_all() {
  const bool goes_on = !gone_ && match_ && state_.status == Status::running && (people_play() || !watches_.empty());
  const Seats choosing = goes_on ? match_->choosing() : Seats::none();
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (choosing.has(seat_at(i))) {
      plan(i, match_->actions(seat_at(i)));
    } else {
      drop_plan(i);
    }
  }
}

void Table::plan(std::size_t seat, const std::vector<Action>& legal) {
  const Place& p = state_.places[seat];
  Plan& plan = plans_[seat];
  if (!p.machine().empty()) {
    if (plan.kind == Plan::Kind::thinking) return;
    drop_plan(seat);
    think(seat, legal);
    return;
  }
  // Where one person plays against computers there is nobody to read the wait.
  const auto held = std::count_if(state_.places.begin(), state_.places.end(), [](const Place& place) { return place.is_held(); });
  const bool alone = held == 1 && nobody_else_plays(p.person);
  auto only = match_->forced(seat_at(seat));
  if (only && !alone && match_->may_be_forced_in_secret(*only)) only.reset();
  const auto action = !p.is_held() ? std::nullopt : only ? only : ordered(seat, legal);
  if (!action) return drop_plan(seat);
  if (plan.kind == Plan::Kind::forced && plan.action == *action) return;
  drop_plan(seat);
  const Milliseconds wait = alone ? Milliseconds{0} : random_wait(around_.settings.forced_wait);
  plan.kind = Plan::Kind::forced;
  plan.action = *action;
  plan.at = around_.loop.now() + wait.count();
  plan.timer = around_.loop.after(wait, [weak = weak_from_this(), seat, chosen = *action] {
    if (const auto self = weak.lock()) self->take_planned(seat, chosen, false);
  });
}

// A computer player takes as long for a choice that is none, or that the rules make for an absent person, as for others: the wait is drawn
// from the times it needed for real ones. How many choices it made unseen, until one that the others see, must not be read from the time
// either: those follow each other at once, and the one that is seen waits for what was drawn for all of them.
void Table::think(std::size_t seat, const std::vector<Action>& legal) {
  Plan& plan = plans_[seat];
  plan.kind = Plan::Kind::thinking;
  plan.number = ++plan_number_;
  Run& run = runs_[seat];
  if (!run.began) {
    run.began = around_.loop.now();
    run.due = *run.began + random_wait(around_.settings.bot_wait).count();
    run.unseen = 0;
  }
  const auto take = [weak = weak_from_this(), seat, number = plan.number](Table& self, Milliseconds more, Action action) {
    const Time now = self.around_.loop.now();
    Run& made = self.runs_[seat];
    Time due = now;
    if (!self.match_->why_not(seat_at(seat), action).empty() || self.match_->would_be_seen(seat_at(seat), action)) {
      if (made.unseen > 0) made.longest = std::max(made.longest, Milliseconds{now - *made.began});
      due = std::max({now, made.due, *made.began + std::max(more, made.unseen > 0 ? made.longest : Milliseconds{0}).count()});
      made.began.reset();
    } else {
      ++made.unseen;
    }
    self.plans_[seat].timer = self.around_.loop.after(Milliseconds{due - now}, [weak, seat, number, action] {
      const auto later = weak.lock();
      if (later && later->plans_[seat].number == number) later->take_planned(seat, action, true);
    });
  };
  auto& times = thinking_times_[seat];
  auto settled = match_->forced(seat_at(seat));
  if (!settled && !state_.places[seat].steward.empty()) settled = match_->when_time_is_out(seat_at(seat));
  if (settled) {
    const auto any =
        times.empty() ? Milliseconds{0} : times[std::uniform_int_distribution<std::size_t>(0, times.size() - 1)(dice_for_waits_)];
    return take(*this, any, *settled);
  }
  auto& mind = minds_[seat];
  const std::string& level = state_.places[seat].machine();
  if (!mind || around_.thinkers.level_of(*mind) != level) mind = around_.thinkers.mind(state_.game, level);
  around_.thinkers.think(state_.host, mind, match_->imagined(seat_at(seat), dice_for_waits_()), seat_at(seat),
                         [weak = weak_from_this(), seat, number = plan.number, take, fallback = legal.front()](Thinkers::Thought thought) {
                           const auto self = weak.lock();
                           if (!self || self->plans_[seat].number != number) return;
                           constexpr std::size_t remembered = 32;
                           auto& known = self->thinking_times_[seat];
                           known.push_back(thought.took);
                           if (known.size() > remembered) known.pop_front();
                           take(*self, Milliseconds{0}, thought.action.value_or(fallback));
                         });
}

void Table::take_planned(std::size_t seat, Action action, bool by_machine) {
  plans_[seat] = Plan{};
  if (gone_ || !match_ || state_.status != Status::running) return;
  if (!match_->act(seat_at(seat), action)) return plan_all();  // the position has changed under it
  ++around_.figures.actions;
  state_.undo_asked.clear();
  if (!by_machine) return changed({});
  ++around_.figures.bot_actions;
  changed([self = shared_from_this(), began = around_.loop.now()] {
    self->around_.figures.bot_action_times.add(static_cast<double>(self->around_.loop.now() - began));
  });
}

// --- What people do ------------------------------------------------------------------------------------------------------------------

Outcome<std::size_t> Table::seat_of(const Reader& who, const std::string& seat) const {
  if (gone_) return fault("no-such-table", "this table is closed.");
  const Place* p = state_.place(seat);
  if (p == nullptr) return fault("bad-seat", "this table has no seat \"" + seat.substr(0, 40) + "\".");
  if (!p->is_held() || p->person != who.account) return fault("not-yours", "you do not sit at \"" + seat + "\".");
  if (!match_ || state_.status == Status::gathering) return fault("not-started", "the game has not begun; somebody is still missing.");
  return static_cast<std::size_t>(p - state_.places.data());
}

Outcome<Action> Table::read_action(std::size_t, const Json& action) const {
  auto read = match_->from_json(action);
  if (!read) return fault("bad-request", "action: " + read.error().what);
  return *read;
}

bool Table::was_done(const Reader& who, const std::string& request) const { return requests_.contains(hash_request(who.account, request)); }

void Table::act(const Reader& who, const std::string& seat, const std::string& request, const Json& action, Reply reply) {
  if (was_done(who, request)) {
    ++around_.figures.repeated_requests;
    return in_order([reply = std::move(reply)] { reply(Json::object()); });
  }
  const auto at = seat_of(who, seat);
  if (!at) return reply(tl::make_unexpected(at.error()));
  if (!(match_->choosing() | match_->reconsidering()).has(seat_at(*at))) {
    ++around_.figures.refused_actions;
    return reply(fault("not-your-turn", match_->choosing().empty() ? "the game is over." : "it is not for " + seat + " to choose now."));
  }
  const auto read = read_action(*at, action);
  if (!read) {
    ++around_.figures.refused_actions;
    return reply(tl::make_unexpected(read.error()));
  }
  if (!match_->why_not(seat_at(*at), *read).empty()) {
    ++around_.figures.refused_actions;
    // The reason is looked for in a position of the seat's own imagination, so that it cannot tell more than the seat knows.
    const std::string why = match_->imagined(seat_at(*at), 0)->why_not(seat_at(*at), *read);
    Fault refused{"illegal", "refused: " + why + ".", why};
    return reply(tl::make_unexpected(std::move(refused)));
  }
  Place& p = state_.places[*at];
  if (!p.steward.empty()) {
    p.steward.clear();
    p.steward_for_turn = false;
    refill_clock(p.clock, state_.pace);
  }
  drop_plan(*at);
  if (const auto done = match_->act(seat_at(*at), *read); !done) return reply(fault("illegal", done.error()));
  ++around_.figures.actions;
  if (const auto away = last_here_.find(who.account); away != last_here_.end()) away->second = around_.loop.now();
  requests_.insert(hash_request(who.account, request));
  state_.undo_asked.clear();
  changed([reply = std::move(reply)] { reply(Json::object()); }, who.account, request);
}

void Table::undo(const Reader& who, const std::string& seat, const std::string& request, Reply reply) {
  if (was_done(who, request)) {
    ++around_.figures.repeated_requests;
    return in_order([reply = std::move(reply)] { reply(Json::object()); });
  }
  const auto at = seat_of(who, seat);
  if (!at) return reply(tl::make_unexpected(at.error()));
  if (state_.places[*at].undo_request == request) {
    ++around_.figures.repeated_requests;
    return in_order([reply = std::move(reply)] { reply(Json{{"asked", true}}); });
  }
  if (state_.undo == UndoPolicy::never) return reply(fault("not-allowed", "at this table nothing is taken back."));
  if (!match_->can_undo(seat_at(*at)))
    return reply(fault("nothing-to-undo", "there is nothing to take back: dice fell, a secret was learned, or another seat chose."));
  if (state_.undo == UndoPolicy::free || state_.persons().size() == 1)
    return do_undo(
        seat, [reply = std::move(reply)] { reply(Json::object()); }, who.account, request);
  state_.undo_asked = seat;
  state_.undo_agreed.clear();
  state_.places[*at].undo_request = request;
  for (const std::string& person : state_.persons()) {
    if (person != who.account) tell(person, "undo-asked", seat, who.name);
  }
  changed([reply = std::move(reply)] { reply(Json{{"asked", true}}); });
}

void Table::do_undo(const std::string& seat, std::function<void()> then, const std::string& person, const std::string& request) {
  const Place* p = state_.place(seat);
  state_.undo_asked.clear();
  state_.undo_agreed.clear();
  if (!match_->undo(seat_at(static_cast<std::size_t>(p - state_.places.data())))) return changed(std::move(then));
  ++around_.figures.undone;
  if (!request.empty()) requests_.insert(hash_request(person, request));
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    drop_plan(i);
    events_seen_[i] = std::min(events_seen_[i], match_->count_events(seat_at(i)));
  }
  changed(std::move(then), person, request, seat);
}

void Table::answer_undo(const Reader& who, const std::string& seat, bool agree, Reply reply) {
  const auto at = seat_of(who, seat);
  if (!at) return reply(tl::make_unexpected(at.error()));
  const Place* asking = state_.undo_asked.empty() ? nullptr : state_.place(state_.undo_asked);
  if (asking == nullptr || asking->person == who.account) return reply(fault("nothing-to-undo", "nobody asks you to take something back."));
  if (!agree) {
    state_.undo_asked.clear();
    return changed([reply = std::move(reply)] { reply(Json::object()); });
  }
  state_.undo_agreed.push_back(who.account);
  const auto persons = state_.persons();
  const bool all = std::all_of(persons.begin(), persons.end(), [&](const std::string& person) {
    return person == asking->person || std::find(state_.undo_agreed.begin(), state_.undo_agreed.end(), person) != state_.undo_agreed.end();
  });
  auto then = [reply = std::move(reply)] { reply(Json::object()); };
  if (all) {
    do_undo(asking->seat, std::move(then), asking->person, asking->undo_request);
  } else {
    changed(std::move(then));
  }
}

void Table::why_not(const Reader& who, const std::string& seat, const Json& action, Reply reply) {
  const auto at = seat_of(who, seat);
  if (!at) return reply(tl::make_unexpected(at.error()));
  const auto read = read_action(*at, action);
  if (!read) return reply(tl::make_unexpected(read.error()));
  const std::string why = match_->imagined(seat_at(*at), 0)->why_not(seat_at(*at), *read);
  reply(Json{{"why", why.empty() ? Json(nullptr) : Json(why)}});
}

void Table::odds(const Reader& who, const std::string& seat, const Json& action, Reply reply) {
  const auto at = seat_of(who, seat);
  if (!at) return reply(tl::make_unexpected(at.error()));
  const auto read = read_action(*at, action);
  if (!read) return reply(tl::make_unexpected(read.error()));
  auto imagined = std::make_shared<std::unique_ptr<Match>>(match_->imagined(seat_at(*at), 0));
  auto found = std::make_shared<Json>();
  around_.clerk.work(
      who.account, [imagined, found, at = *at, read = *read] { *found = (*imagined)->odds(seat_at(at), read); },
      [found, reply = std::move(reply)] {
        reply(Json{{"odds", std::move(*found)}});
      });
}

void Table::hint(const Reader& who, const std::string& seat, const std::string& level, Reply reply) {
  const auto at = seat_of(who, seat);
  if (!at) return reply(tl::make_unexpected(at.error()));
  if (!state_.hints) return reply(fault("not-allowed", "at this table no hints are given."));
  if (!match_->choosing().has(seat_at(*at))) return reply(fault("not-your-turn", "there is nothing to choose for " + seat + "."));
  const std::string chosen = level.empty() ? "captain" : level;
  if (!is_level(chosen)) return reply(fault("bad-level", "there is no level \"" + level.substr(0, 40) + "\"."));
  around_.advisers.think(
      who.account, around_.advisers.mind(state_.game, chosen, true), match_->imagined(seat_at(*at), dice_for_waits_()), seat_at(*at),
      [self = shared_from_this(), reply = std::move(reply)](Thinkers::Thought thought) {
        if (!thought.action) return reply(fault("unavailable", "no hint could be found."));
        reply(Json{{"hint", {{"action", self->match_->json(*thought.action)}, {"considered", std::move(thought.considered)}}}});
      });
}

void Table::set_orders(const Reader& who, const std::string& seat, const Json& orders, Reply reply) {
  const auto at = seat_of(who, seat);
  if (!at) return reply(tl::make_unexpected(at.error()));
  auto read = read_orders(orders);
  if (!read) return reply(tl::make_unexpected(read.error()));
  for (const StandingOrder& order : *read) {
    const auto action = match_->from_words(order.action);
    if (!action || order.action.find(' ') != std::string::npos)
      return reply(fault("bad-request", "orders: \"" + order.action + "\" is not an action without fields, such as \"pass\"."));
  }
  state_.places[*at].orders = std::move(*read);
  events_seen_[*at] = match_->count_events(seat_at(*at));
  changed([reply = std::move(reply)] { reply(Json::object()); });
}

}  // namespace baton::table
