// A match of one particular game: what Match erases.
#pragma once

#include <algorithm>

#include "match/json_reader.h"
#include "match/match.h"
#include "match/seen_match.h"
#include "match/sheet.h"
#include "match/spelling.h"
#include "match/viewing.h"

namespace baton {

template <Game G>
struct TruthForTests;

// A game may give the odds of an action.
template <class G>
concept HasOdds = requires(const typename G::Scenario& sc, const typename G::Knowledge& known, Action action) {
  { G::odds(sc, known, action) } -> std::same_as<Json>;
};

template <Game G>
class TypedMatch final : public Match {
 public:
  using Scenario = typename G::Scenario;
  using State = typename G::State;
  using Own = std::unique_ptr<TypedMatch>;

  static Expected<Own> create(const MatchSetup& setup) {
    auto scenario = G::load(setup.scenario, setup.options);
    if (!scenario) return tl::make_unexpected(scenario.error());
    RecordHeader header;
    header.game = G::id;
    header.scenario = {scenario_id(setup.scenario.name), setup.scenario.text};
    header.options = G::option_values(*scenario);
    header.players = setup.players;
    header.position = setup.position;
    return begin(std::make_shared<const Scenario>(std::move(*scenario)), std::move(header), setup.chance);
  }

  // Plays the record again. Every action must be legal and every draw fit. Seeded dice go on where they were; so does a proof segment that
  // was never revealed when `chance` holds its very secret; otherwise dice are closed, or opened with `chance`.
  static Expected<Own> load(const Record& record, const std::optional<ChanceStart>& chance = std::nullopt) {
    if (record.header.game != G::id) return problem("record line 1", "this is a record of \"" + record.header.game + "\".");
    if (auto right = verify(record); !right) return tl::make_unexpected(right.error());
    auto scenario = G::load({record.header.scenario.id + ".toml", record.header.scenario.text}, record.header.options);
    if (!scenario) return tl::make_unexpected(scenario.error());
    Own match(new TypedMatch(std::make_shared<const Scenario>(std::move(*scenario))));
    match->record_.header = record.header;
    if (auto fits = match->check_players(); !fits) return tl::make_unexpected(fits.error());
    for (std::size_t i = 0; i < record.lines.size(); ++i) {
      if (auto wrong = match->replay_line(record.lines[i])) return problem("record line " + std::to_string(i + 2), *wrong);
      if (match->started_ && !match->record_was_ended() && match->choosing().empty() && i + 1 == record.lines.size())
        match->finish_when_over();
    }
    if (!match->started_) return problem("record", "the match never starts.");
    if (!match->choosing().empty()) match->continue_dice(chance);
    return match;
  }

  // What a bot thinks with.
  typename G::Knowledge knowledge(Seat viewer) const { return G::observe(*scenario_, state_, viewer); }
  const Scenario& scenario() const { return *scenario_; }

  Seats choosing() const override { return G::choosing(*scenario_, state_); }
  Seats reconsidering() const override { return baton::reconsidering<G>(*scenario_, state_); }
  bool gives_up(Action action) const override { return baton::gives_up<G>(action); }
  bool may_be_forced_in_secret(Action action) const override { return baton::may_be_forced_in_secret<G>(*scenario_, state_, action); }
  // Told by what a spectator knows: if nothing changes for him, nothing does for the others.
  bool would_be_seen(Seat seat, Action action) const override {
    State after = state_;
    FastChance any(1);
    std::vector<Event> events;
    Events log(&events);
    G::apply(*scenario_, after, seat, action, any, log);
    return !(G::observe(*scenario_, after, spectator) == G::observe(*scenario_, state_, spectator)) ||
           std::any_of(events.begin(), events.end(), [](const Event& event) { return event.audience == Seats::everyone(); });
  }
  std::optional<Action> when_time_is_out(Seat seat) const override { return baton::when_time_is_out<G>(*scenario_, state_, seat); }

  std::vector<Action> actions(Seat seat) const override {
    if (!(choosing() | reconsidering()).has(seat)) return {};
    ActionList list;
    G::actions(*scenario_, state_, seat, list);
    return {list.begin(), list.end()};
  }

  std::string why_not(Seat seat, Action action) const override {
    const auto refusal = G::why_not(*scenario_, state_, seat, action);
    return refusal == typename G::Refusal{} ? std::string{} : id_of<G>(refusal);
  }

  int turns() const override {
    if constexpr (requires { G::turns(*scenario_, state_); }) return G::turns(*scenario_, state_);
    return static_cast<int>(steps_.size());
  }

  Result result() const override { return G::result(*scenario_, state_); }
  std::string reason() const override { return reason_of<G>(result()); }

  std::string words(Action action) const override { return words_of<G>(*scenario_, action); }
  Json json(Action action) const override { return json_of<G>(*scenario_, action); }
  Expected<Action> from_words(std::string_view text) const override { return read_words<G>(*scenario_, text); }
  Expected<Action> from_json(const Json& text) const override { return read_action<G>(*scenario_, text); }

  std::string view_text(Seat viewer) const override {
    JsonText out;
    write_view<G>(*scenario_, state_, viewer, reckoned_, out);
    return out.take();
  }
  Json view_at(Seat viewer, std::size_t step) const override {
    JsonText out;
    write_view<G>(*scenario_, state_at(std::min(step, steps_.size())), viewer, reckoned_, out);
    return out.read();
  }

  EventsText events_text(Seat viewer, std::size_t from = 0) const override {
    JsonText out;
    std::size_t count = 0;
    out.list([&] {
      each_visible(viewer, from, [&](const Event& event) {
        write_event<G>(*scenario_, event, out);
        ++count;
      });
    });
    return {out.take(), count};
  }
  std::size_t count_events(Seat viewer) const override {
    std::size_t count = 0;
    each_visible(viewer, 0, [&](const Event&) { ++count; });
    return count;
  }

  std::vector<std::string> log(Seat viewer, const Catalogue& catalogue_used, std::size_t from = 0) const override {
    std::vector<std::string> all;
    each_visible(viewer, from, [&](const Event& event) { all.push_back(say_event<G>(catalogue_used, *scenario_, event)); });
    return all;
  }

  Catalogue catalogue(std::span<const EmbeddedFile> files, std::string_view locale) const override {
    Catalogue made(files, G::id, locale);
    made.add(G::own_texts(*scenario_, locale));
    return made;
  }
  std::string say(Action action, const Catalogue& catalogue_used) const override {
    return say_action<G>(catalogue_used, *scenario_, action);
  }
  std::string say_why_not(Seat seat, Action action, const Catalogue& catalogue_used) const override {
    const auto refusal = G::why_not(*scenario_, state_, seat, action);
    return refusal == typename G::Refusal{} ? std::string{} : say_refusal<G>(catalogue_used, refusal);
  }

  Json sheet() const override { return sheet_json<G>(*scenario_, header().scenario.id); }

  std::unique_ptr<Match> imagined(Seat viewer, std::uint64_t seed) const override {
    Own match(new TypedMatch(scenario_));
    match->record_.header.game = G::id;
    FastChance chance(seed);
    match->state_ = match->first_ = G::imagine(*scenario_, knowledge(viewer), chance);
    match->snapshots_.assign(1, match->state_);
    match->started_ = true;
    return match;
  }

  Json odds(Seat seat, Action action) const override {
    if constexpr (HasOdds<G>) return G::odds(*scenario_, knowledge(seat), action);
    return nullptr;
  }

  std::string seat_record(Seat viewer) const override {
    Json head = {{"format", "baton-seat-record"}, {"version", 1}, {"game", G::id}};
    head["scenario"] = {{"id", header().scenario.id}, {"hash", hash_of(header().scenario.text)}};
    head["options"] = header().options;
    head["players"] = Json::object();
    for (const auto& [seat, player] : header().players) head["players"][seat] = player;
    head["seat"] = name_of(viewer);
    std::string text = one_line(head) + "\n";
    each_frame(viewer, [&](std::size_t, const Json& frame) { text += one_line(frame) + "\n"; });
    return text;
  }

  Json frames(Seat viewer, bool with_steps) const override {
    Json all = Json::array();
    each_frame(viewer, [&](std::size_t step, Json frame) {
      if (with_steps) frame["step"] = step;
      all.push_back(std::move(frame));
    });
    return all;
  }

  std::size_t steps() const override { return steps_.size(); }
  Json save_position() const override { return G::save(*scenario_, state_); }

  Expected<std::unique_ptr<Match>> branch(std::size_t step, const ChanceStart& chance) const override {
    if (step > steps_.size()) return problem("", "there are only " + std::to_string(steps_.size()) + " steps.");
    Own match(new TypedMatch(scenario_));
    match->record_.header = record_.header;
    const std::size_t kept = step == 0 ? start_line_ + 1 : steps_[step - 1].line + 1;
    for (std::size_t i = 0; i < kept; ++i) {
      if (auto wrong = match->replay_line(record_.lines[i])) return problem("record line " + std::to_string(i + 2), *wrong);
    }
    // The secret of the segment that was cut, when it is public already.
    for (std::size_t i = kept; i < record_.lines.size() && !std::holds_alternative<ChanceLine>(record_.lines[i]); ++i) {
      if (std::holds_alternative<RevealLine>(record_.lines[i])) match->record_.lines.push_back(record_.lines[i]);
    }
    if (match->choosing().empty()) {
      match->finish_when_over();
    } else {
      match->open_dice(chance);
    }
    return std::unique_ptr<Match>(std::move(match));
  }

 private:
  friend struct TruthForTests<G>;
  static constexpr std::size_t snapshot_every = 16;

  struct Step {
    Seat seat;
    Action action;
    bool free = false;     // there was another legal action, and everybody may know it
    bool alone = true;     // nobody else was to choose
    std::size_t line = 0;  // in the record
    std::vector<Event> events;
  };

  explicit TypedMatch(std::shared_ptr<const Scenario> scenario) : scenario_(std::move(scenario)) { seats_ = G::seats(*scenario_); }

  static Expected<Own> begin(std::shared_ptr<const Scenario> scenario, RecordHeader header, const ChanceStart& chance) {
    Own match(new TypedMatch(std::move(scenario)));
    match->record_.header = std::move(header);
    if (auto fits = match->check_players(); !fits) return tl::make_unexpected(fits.error());
    match->open_dice(chance);
    std::vector<Drawn> draws;
    RecordingChance recording(match->dice_->chance(), draws);
    if (auto wrong = match->start(recording)) return problem("position", *wrong);
    match->record_.lines.push_back(StartLine{std::move(draws)});
    match->start_line_ = match->record_.lines.size() - 1;
    match->finish_when_over();
    return match;
  }

  Expected<void> check_players() const {
    for (const auto& [seat, player] : header().players) {
      if (std::find(seats_.begin(), seats_.end(), seat) == seats_.end()) return problem("players", "there is no seat \"" + seat + "\".");
      if (player.size() > longest_player)
        return problem("players", "the name of a player may be " + std::to_string(longest_player) + " bytes long.");
    }
    return {};
  }

  std::optional<std::string> start(Chance& chance) {
    Events log(&start_events_);
    if (header().position) {
      auto restored = G::restore(*scenario_, *header().position);
      if (!restored) return restored.error().text();
      state_ = *restored;
    } else {
      state_ = G::start(*scenario_, chance, log);
    }
    first_ = state_;
    snapshots_.assign(1, state_);
    started_ = true;
    return std::nullopt;
  }

  // The line is already in record_.
  void apply(Seat seat, Action action, Chance& chance) override {
    const bool free = (!choosing().has(seat) || forced(seat) != action) && !baton::may_be_forced_in_secret<G>(*scenario_, state_, action);
    Step step{seat, action, free, choosing() == Seats(seat), record_.lines.size() - 1, {}};
    Events log(&step.events);
    G::apply(*scenario_, state_, seat, action, chance, log);
    steps_.push_back(std::move(step));
    if (steps_.size() % snapshot_every == 0) snapshots_.push_back(state_);
  }

  // Puts one line of another record behind this one. What is wrong with it, in one sentence.
  std::optional<std::string> replay_line(const RecordLine& line) {
    if (record_was_ended()) return "nothing may follow the result.";
    record_.lines.push_back(line);
    RecordedChance chance(draws_of(record_.lines.back()));
    if (std::holds_alternative<StartLine>(line)) {
      if (started_) return "a match starts only once.";
      start_line_ = record_.lines.size() - 1;
      if (auto wrong = start(chance)) return wrong;
    } else if (const auto* step = std::get_if<StepLine>(&line)) {
      if (auto wrong = replay_action(*step, chance)) return wrong;
    } else if (const auto* undo_line = std::get_if<UndoLine>(&line)) {
      if (undo_line->count > steps_.size()) return "\"undo\" takes back more steps than stand.";
      take_back(undo_line->count);
    } else if (const auto* ended = std::get_if<ResultLine>(&line)) {
      if (!started_ || !choosing().empty()) return "the record ends but the game does not.";
      if (*ended != result_line()) return "the result is not the one the rules give.";
    }
    if (auto wrong = chance.problem_at_end()) return wrong->what;
    return std::nullopt;
  }

  std::optional<std::string> replay_action(const StepLine& step, Chance& chance) {
    if (!started_) return "the match must be started first.";
    const auto seat = seat_named(step.seat);
    if (!seat) return "there is no seat \"" + step.seat + "\".";
    if (!(choosing() | reconsidering()).has(*seat)) return "it is not for " + step.seat + " to choose here.";
    const auto action = from_words(step.words);
    if (!action) return action.error().what;
    if (const std::string refusal = why_not(*seat, *action); !refusal.empty()) return "\"" + step.words + "\" is refused: " + refusal + ".";
    apply(*seat, *action, chance);
    return std::nullopt;
  }

  bool record_was_ended() const { return !record_.lines.empty() && std::holds_alternative<ResultLine>(record_.lines.back()); }

  void continue_dice(const std::optional<ChanceStart>& chance) {
    const auto& lines = record_.lines;
    std::size_t opened = lines.size() - 1;
    while (!std::holds_alternative<ChanceLine>(lines[opened])) --opened;
    const ChanceOpening opening = std::get<ChanceLine>(lines[opened]).opening;
    const bool revealed = std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(opened), lines.end(),
                                      [](const RecordLine& line) { return std::holds_alternative<RevealLine>(line); });
    std::optional<DiceStream> stream;
    if (const auto* seed = std::get_if<SeedOpening>(&opening)) {
      if (!chance) stream.emplace(Seeded{seed->seed});
    } else if (chance && !revealed && DiceStream(*chance).opening() == opening) {
      stream.emplace(*chance);
    }
    if (stream) {
      bool right = true;
      for (std::size_t i = opened; i < lines.size(); ++i) right = right && !stream->gives(draws_of(lines[i]));
      if (right) {
        dice_ = std::move(stream);
        return;
      }
    }
    if (chance) open_dice(*chance);
  }

  void replay_step(State& s, const Step& step) const {
    RecordedChance chance(draws_of(record_.lines[step.line]));
    Events log = Events::unheard();
    G::apply(*scenario_, s, step.seat, step.action, chance, log);
  }

  State state_at(std::size_t count) const {
    const std::size_t nearest = count / snapshot_every;
    State s = snapshots_[nearest];
    for (std::size_t i = nearest * snapshot_every; i < count; ++i) replay_step(s, steps_[i]);
    return s;
  }

  // While several choose in secret nothing is taken back: that it can no longer be would tell that another has chosen.
  bool nothing_was_learned(const Step& step) const {
    return step.alone && draws_of(record_.lines[step.line]).empty() &&
           std::all_of(step.events.begin(), step.events.end(),
                       [](const Event& event) { return event.audience == Seats::everyone() && !G::events()[event.kind].reveals; });
  }

  std::size_t undoable(Seat seat) const override {
    if (choosing().empty()) return 0;
    for (std::size_t count = 1; count <= steps_.size(); ++count) {
      const Step& step = steps_[steps_.size() - count];
      if (step.seat != seat || !nothing_was_learned(step)) return 0;
      if (step.free) return count;
    }
    return 0;
  }

  void take_back(std::size_t count) override {
    const std::size_t left = steps_.size() - count;
    state_ = state_at(left);
    steps_.resize(left);
    snapshots_.resize(left / snapshot_every + 1);
  }

  // A frame stands only where something changed for the viewer; nothing in it counts the steps between.
  template <class Visit>
  void each_frame(Seat viewer, Visit&& visit) const {
    const auto scene_of = [&](const State& s) {
      JsonText out;
      write_scene<G>(*scenario_, s, viewer, reckoned_, out);
      return out.read();
    };
    const auto seen_of = [&](const std::vector<Event>& told) { return Json::parse(visible_text<G>(*scenario_, told, viewer)); };
    State s = first_;
    Json scene = scene_of(s);
    visit(std::size_t{0}, Json{{"events", seen_of(start_events_)}, {"view", scene}});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      replay_step(s, step);
      Json next = scene_of(s);
      Json line = Json::object();
      if (step.seat == viewer) line["do"] = words(step.action);
      if (Json seen = seen_of(step.events); !seen.empty()) line["events"] = std::move(seen);
      if (Json patch = Json::diff(scene, next); !patch.empty()) line["patch"] = std::move(patch);
      if (!line.empty()) visit(i + 1, std::move(line));
      scene = std::move(next);
    }
  }

  template <class Visit>
  void each_visible(Seat viewer, std::size_t from, Visit&& visit) const {
    std::size_t seen = 0;
    const auto pass = [&](const std::vector<Event>& events_told) {
      for (const Event& event : events_told) {
        if (event.audience.has(viewer) && seen++ >= from) visit(event);
      }
    };
    pass(start_events_);
    for (const Step& step : steps_) pass(step.events);
  }

  std::shared_ptr<const Scenario> scenario_;
  State state_{}, first_{};
  std::vector<State> snapshots_;  // the state after every 16 steps
  std::vector<Step> steps_;       // that stand
  std::vector<Event> start_events_;
  std::size_t start_line_ = 0;
  bool started_ = false;
  mutable ReckonedOf<G> reckoned_;
};

// The one way for tests, cases and conformance to look at the truth or to start from it.
template <Game G>
struct TruthForTests {
  static const typename G::State& state(const TypedMatch<G>& match) { return match.state_; }
  static typename G::State state_at(const TypedMatch<G>& match, std::size_t step) { return match.state_at(step); }
  static std::span<const Drawn> last_draws(const TypedMatch<G>& match) { return draws_of(match.record_.lines[match.steps_.back().line]); }
  static const std::vector<Event>& last_events(const TypedMatch<G>& match) { return match.steps_.back().events; }

  // A match that starts from `s`, with the scenario, options and players of `like`.
  static std::unique_ptr<TypedMatch<G>> from(const TypedMatch<G>& like, const typename G::State& s, std::uint64_t seed) {
    RecordHeader header = like.header();
    header.position = G::save(like.scenario(), s);
    auto match = TypedMatch<G>::begin(like.scenario_, std::move(header), Seeded{seed});
    return match ? std::move(*match) : nullptr;
  }
};

template <Game G>
const typename G::Scenario& SeenMatch::scenario() const {
  return dynamic_cast<const TypedMatch<G>&>(match_).scenario();
}
template <Game G>
typename G::Knowledge SeenMatch::knowledge() const {
  return dynamic_cast<const TypedMatch<G>&>(match_).knowledge(seat_);
}

}  // namespace baton
