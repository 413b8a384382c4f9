// What every game must pass: random games, and at every step the promises of the contract.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "match/typed_match.h"

namespace baton {

struct ConformanceSettings {
  std::uint64_t first_seed = 1;
  int games = 10;
  int most_decisions = 100'000;  // a game must end within
  int sample_every = 20;         // the dear checks are made at each decision with one chance in this many
  int seat_records_every = 5;    // of so many games one has its seat records compared line by line after the replay
  int illegal_samples = 200;     // per seat, where the dear checks are made
  int paired_steps = 12;         // how far two positions that a viewer cannot tell apart are played on side by side
};

struct Conformance {
  int games = 0;
  std::int64_t decisions = 0;
  std::optional<std::string> failure;  // with the seed and the decision
};

template <Game G>
class ConformanceRun {
 public:
  using State = typename G::State;
  using Truth = TruthForTests<G>;
  using Failure = std::optional<std::string>;

  ConformanceRun(const ScenarioFile& file, const OptionValues& options, const ConformanceSettings& settings) : settings_(settings) {
    setup_.scenario = file;
    setup_.options = options;
  }

  Conformance run() {
    Conformance done;
    for (int game = 0; game < settings_.games && !done.failure; ++game) {
      const std::uint64_t seed = settings_.first_seed + static_cast<std::uint64_t>(game);
      decision_ = 0;
      if (auto wrong = play_and_check(seed))
        done.failure = "seed " + std::to_string(seed) + ", decision " + std::to_string(decision_) + ": " + *wrong;
      ++done.games;
      done.decisions += decision_;
    }
    return done;
  }

 private:
  using Typed = TypedMatch<G>;

  // One game.

  Failure play_and_check(std::uint64_t seed) {
    auto created = create(seed);
    if (!created) return "the match cannot be created: " + created.error().text();
    Typed& match = **created;
    checks_ = FastChance(seed, 2);
    const auto conserved = conserved_in(match.scenario(), Truth::state(match));
    FastChance choices(seed, 1);
    while (true) {
      if (auto wrong = check_position(match)) return wrong;
      if (match.choosing().empty()) break;
      if (decision_ >= settings_.most_decisions) return "the game does not end.";
      const bool sampled = one_in(settings_.sample_every);
      if (sampled) {
        if (auto wrong = check_deeply(match)) return wrong;
      }
      const Seat seat = play_one(match, choices);
      ++decision_;
      if (conserved_in(match.scenario(), Truth::state(match)) != conserved)
        return "something was not conserved by \"" + last_words(match) + "\".";
      if (sampled) {
        if (auto wrong = check_undo(match, seat)) return wrong;
      }
    }
    if (auto wrong = check_same_again(match, seed)) return wrong;
    return check_replay(match);
  }

  Expected<std::unique_ptr<Typed>> create(std::uint64_t seed) const {
    MatchSetup setup = setup_;
    setup.chance = Seeded{seed};
    return Typed::create(setup);
  }

  static Seat play_one(Typed& match, FastChance& choices) {
    const Seats asked = match.choosing();
    // Now and then somebody who has chosen has second thoughts.
    const Seats second_thoughts = match.reconsidering();
    if (!second_thoughts.empty() && choices.pick(6) == 0) {
      const Seat seat = second_thoughts.front();
      const auto legal = match.actions(seat);
      if (!legal.empty()) (void)match.act(seat, usual(legal, choices));
      return seat;
    }
    auto rest = choices.pick(static_cast<std::uint32_t>(asked.size()));
    Seat seat = asked.front();
    for (const Seat each : asked) {
      if (rest-- == 0) {
        seat = each;
        break;
      }
    }
    const auto legal = match.actions(seat);
    if (!legal.empty()) (void)match.act(seat, usual(legal, choices));
    return seat;
  }

  // Any action, but giving up only now and then, or no game would be played to its end.
  static Action usual(const std::vector<Action>& legal, FastChance& choices) {
    for (;;) {
      const Action action = legal[choices.pick(static_cast<std::uint32_t>(legal.size()))];
      if (!gives_up<G>(action) || choices.pick(1500) == 0) return action;
    }
  }

  // At every decision.

  Failure check_position(const Typed& match) const {
    const auto& sc = match.scenario();
    const State& s = Truth::state(match);
    const Result result = G::result(sc, s);
    const Seats asked = G::choosing(sc, s);
    if (result.over != asked.empty()) return "the game must be over exactly when nobody is to choose.";
    if (result.over && result.reason >= G::reasons().size()) return "the reason of the end has no name.";
    for (int i = 0; i < max_seats; ++i) {
      const Seat seat = Seat(i);
      if (asked.has(seat) && i >= seat_count(match)) return "a seat that does not exist is to choose.";
      if (auto wrong = check_list(match, s, seat, asked)) return wrong;
    }
    if (asked.has(spectator)) return "the spectator is to choose.";
    return std::nullopt;
  }

  Failure check_list(const Typed& match, const State& s, Seat seat, Seats asked) const {
    const auto& sc = match.scenario();
    std::vector<Action> listed = list(sc, s, seat);
    if (listed != list(sc, s, seat)) return match.name_of(seat) + "'s actions are not listed the same twice.";
    const Seats second_thoughts = baton::reconsidering<G>(sc, s);
    if (!(second_thoughts & asked).empty()) return "a seat that is asked needs no second thoughts.";
    if (!asked.has(seat) && !second_thoughts.has(seat)) {
      if (!listed.empty()) return match.name_of(seat) + " is not to choose but has actions.";
      return std::nullopt;
    }
    if (listed.empty()) return match.name_of(seat) + " is to choose but has no action.";
    if (listed.size() == 1 && gives_up<G>(listed[0])) return match.name_of(seat) + " can only give up.";
    if (std::any_of(listed.begin(), listed.end() - 1, gives_up<G>)) return match.name_of(seat) + "'s giving up is not listed last.";
    for (const Action action : listed) {
      if (action.verb >= G::verbs().size()) return "a listed action has an unknown verb.";
      if (G::why_not(sc, s, seat, action) != none) return "\"" + match.words(action) + "\" is listed but refused.";
    }
    std::sort(listed.begin(), listed.end());
    const auto twice = std::adjacent_find(listed.begin(), listed.end());
    if (twice != listed.end()) return "\"" + match.words(*twice) + "\" is listed twice.";
    return std::nullopt;
  }

  // At a sample of them.

  Failure check_deeply(const Typed& match) {
    if (auto wrong = check_spelling(match)) return wrong;
    if (auto wrong = check_refusals(match)) return wrong;
    if (auto wrong = check_save(match.scenario(), Truth::state(match))) return wrong;
    for (const Seat viewer : viewers(match)) {
      if (auto wrong = check_knowledge(match, viewer)) return wrong;
    }
    return check_secret_choices(match);
  }

  Failure check_spelling(const Typed& match) const {
    for (const Seat seat : match.choosing()) {
      for (const Action action : match.actions(seat)) {
        const auto from_words = match.from_words(match.words(action));
        if (!from_words || *from_words != action) return "\"" + match.words(action) + "\" does not read back as the action it was.";
        const auto from_json = match.from_json(match.json(action));
        if (!from_json || *from_json != action) return one_line(match.json(action)) + " does not read back as the action it was.";
      }
    }
    return std::nullopt;
  }

  Failure check_refusals(const Typed& match) {
    const auto& sc = match.scenario();
    const State before = Truth::state(match);
    const State& s = Truth::state(match);
    std::vector<Action> known;
    for (const Seat seat : match.choosing()) {
      const auto listed = match.actions(seat);
      known.insert(known.end(), listed.begin(), listed.end());
    }
    for (int i = 0; i <= seat_count(match); ++i) {
      const Seat seat = i == seat_count(match) ? spectator : Seat(i);
      std::vector<Action> listed = match.actions(seat);
      std::sort(listed.begin(), listed.end());
      for (int sample = 0; sample < settings_.illegal_samples; ++sample) {
        const Action action = any_action(known, sample);
        if (std::binary_search(listed.begin(), listed.end(), action)) continue;
        const auto refusal = G::why_not(sc, s, seat, action);
        if (refusal == none) return described(match, action) + " of " + match.name_of(seat) + " is not listed but not refused.";
        if (static_cast<std::size_t>(refusal) >= G::refusals().size()) return "a refusal has no name.";
      }
    }
    if (s != before) return "asking why not has changed the position.";
    return std::nullopt;
  }

  // Noise, a known verb with small numbers, or a legal action with one number changed: what comes near the truth finds more.
  Action any_action(const std::vector<Action>& known, int sample) {
    const auto noise = [this](std::uint32_t below) { return static_cast<std::uint16_t>(checks_.pick(below)); };
    const auto verbs = static_cast<std::uint32_t>(G::verbs().size());
    if (sample % 8 == 0) return {noise(65536), noise(65536), noise(65536), noise(65536)};
    if (sample % 8 < 4)
      return {noise(verbs), noise(64), sample % 2 == 0 ? noise(64) : std::uint16_t{0}, sample % 8 == 2 ? noise(16) : std::uint16_t{0}};
    Action action = known[checks_.pick(static_cast<std::uint32_t>(known.size()))];
    if (sample % 8 == 4) return action;  // perhaps another seat's
    std::uint16_t* const numbers[] = {&action.verb, &action.a, &action.b, &action.c};
    std::uint16_t& number = *numbers[checks_.pick(4)];
    number = sample % 8 == 5 ? noise(64) : static_cast<std::uint16_t>(number + (sample % 8 == 6 ? 1 : -1));
    return action;
  }

  static Failure check_save(const typename G::Scenario& sc, const State& s) {
    const std::string text = one_line(G::save(sc, s));
    const auto json = read_json(text, "the saved position");
    if (!json) return json.error().text();
    const auto restored = G::restore(sc, *json);
    if (!restored) return "the saved position cannot be restored: " + restored.error().text();
    if (*restored != s) return "the restored position is not the saved one: " + text;
    return std::nullopt;
  }

  Failure check_knowledge(const Typed& match, Seat viewer) {
    const auto& sc = match.scenario();
    const State& s = Truth::state(match);
    const std::string who = match.name_of(viewer);
    const auto known = G::observe(sc, s, viewer);
    const State imagined = G::imagine(sc, known, checks_);
    if (!(G::observe(sc, imagined, viewer) == known)) return who + " can tell an imagined position from the truth.";
    if (list(sc, imagined, viewer) != list(sc, s, viewer)) return who + "'s own actions differ in an imagined position.";
    if (!(baton::reconsidering<G>(sc, imagined) == baton::reconsidering<G>(sc, s)))
      return "who may have second thoughts differs in a position that " + who + " imagines.";
    if (!(G::choosing(sc, imagined) == G::choosing(sc, s))) return "who is to choose differs in a position that " + who + " imagines.";
    if (!(G::result(sc, imagined) == G::result(sc, s))) return "the result differs in a position that " + who + " imagines.";
    if (conserved_in(sc, imagined) != conserved_in(sc, s)) return "something is not conserved in a position that " + who + " imagines.";
    if (bytes(sc, imagined, viewer) != bytes(sc, s, viewer)) return who + "'s view differs in a position that " + who + " imagines.";
    return check_side_by_side(match, imagined, viewer);
  }

  // Two true positions that the viewer cannot tell apart, played on with the same choices and dice: as long as the viewer's
  // knowledge stays the same, so must every byte that the viewer gets. (So what an event has just shown to a viewer must still be in the
  // viewer's knowledge after that step; a Knowledge that forgets it at once fails here.)
  Failure check_side_by_side(const Typed& match, const State& imagined, Seat viewer) {
    const std::uint64_t seed = checks_.next();
    const auto left = Truth::from(match, Truth::state(match), seed);
    const auto right = Truth::from(match, imagined, seed);
    const std::string who = match.name_of(viewer);
    if (!left || !right) return "a position that " + who + " imagines cannot be saved and restored.";
    // A seat's record grows with every step and is dear to write, so it is compared at one moment only.
    const int kept_at = static_cast<int>(checks_.pick(static_cast<std::uint32_t>(std::max(settings_.paired_steps, 1))));
    const std::string start = "two positions that " + who + " cannot tell apart give different ";
    for (int step = 0; step < settings_.paired_steps; ++step) {
      if (left->view_text(viewer) != right->view_text(viewer)) return start + "views" + after(*left);
      if (one_line(left->events(viewer)) != one_line(right->events(viewer))) return start + "events" + after(*left);
      if (step == kept_at && left->seat_record(viewer) != right->seat_record(viewer)) return start + "records of the seat" + after(*left);
      const Seats asked = left->choosing();
      if (asked.empty()) break;
      const Seat seat = asked.front();
      const auto legal = left->actions(seat);
      const Action action = legal[checks_.pick(static_cast<std::uint32_t>(legal.size()))];
      Action same = action;
      if (!right->why_not(seat, action).empty()) {
        if (seat == viewer) return "\"" + match.words(action) + "\" is legal in one of two positions that " + who + " cannot tell apart.";
        // What others choose in secret need not be the same for the viewer to see the same.
        if (asked.size() == 1) break;
        const auto others = right->actions(seat);
        same = others[checks_.pick(static_cast<std::uint32_t>(others.size()))];
      }
      if (!left->act(seat, action) || !right->act(seat, same)) return "a legal action was not taken.";
      const auto left_draws = Truth::last_draws(*left);
      const auto right_draws = Truth::last_draws(*right);
      if (!std::equal(left_draws.begin(), left_draws.end(), right_draws.begin(), right_draws.end())) break;
      if (!(left->knowledge(viewer) == right->knowledge(viewer))) break;
    }
    return std::nullopt;
  }

  // Several choose at once: the order does not matter, and until all have chosen nobody learns what another chose.
  Failure check_secret_choices(const Typed& match) {
    const auto& sc = match.scenario();
    const State& s = Truth::state(match);
    const Seats asked = G::choosing(sc, s);
    if (asked.size() < 2) return std::nullopt;
    std::vector<std::pair<Seat, Action>> choices;
    for (const Seat seat : asked) {
      const auto legal = list(sc, s, seat);
      choices.emplace_back(seat, legal[checks_.pick(static_cast<std::uint32_t>(legal.size()))]);
    }
    const std::uint64_t seed = checks_.next();
    const auto forwards = apply_all(sc, s, choices, seed);
    std::reverse(choices.begin(), choices.end());
    const auto backwards = apply_all(sc, s, choices, seed);
    if (!forwards || !backwards) return "a secret choice makes another one illegal.";
    if (*forwards != *backwards) return "secret choices do not commute.";
    for (const auto& [seat, action] : choices) {
      if (auto wrong = check_nothing_told(match, seat, action, seed)) return wrong;
    }
    return std::nullopt;
  }

  static std::optional<State> apply_all(const typename G::Scenario& sc, State s, const std::vector<std::pair<Seat, Action>>& choices,
                                        std::uint64_t seed) {
    FastChance chance(seed);
    Events log = Events::unheard();
    for (const auto& [seat, action] : choices) {
      if (!G::choosing(sc, s).has(seat) || G::why_not(sc, s, seat, action) != none) return std::nullopt;
      G::apply(sc, s, seat, action, chance, log);
    }
    return s;
  }

  Failure check_nothing_told(const Typed& match, Seat seat, Action action, std::uint64_t seed) {
    const auto& sc = match.scenario();
    const auto legal = list(sc, Truth::state(match), seat);
    const Action other = legal[checks_.pick(static_cast<std::uint32_t>(legal.size()))];
    std::vector<Event> first_told, second_told;
    const State first = applied(match, seat, action, seed, first_told);
    const State second = applied(match, seat, other, seed, second_told);
    const Seats still = G::choosing(sc, first);
    const bool others_still_choose = !(still & Seats::everyone_but(seat)).empty() && still == G::choosing(sc, second);
    for (const Seat viewer : viewers(match)) {
      if (viewer == seat || !others_still_choose) continue;
      const std::string who = match.name_of(viewer);
      if (!(G::observe(sc, first, viewer) == G::observe(sc, second, viewer)))
        return who + " learns what " + match.name_of(seat) + " chose in secret.";
      if (visible_text<G>(sc, first_told, viewer) != visible_text<G>(sc, second_told, viewer)) {
        return who + " is told what " + match.name_of(seat) + " chose in secret.";
      }
    }
    return std::nullopt;
  }

  static State applied(const Typed& match, Seat seat, Action action, std::uint64_t seed, std::vector<Event>& told) {
    State s = Truth::state(match);
    FastChance chance(seed);
    Events log(&told);
    G::apply(match.scenario(), s, seat, action, chance, log);
    return s;
  }

  // Undo and do again.
  Failure check_undo(Typed& match, Seat seat) {
    if (!match.can_undo(seat)) return std::nullopt;
    const State after_it = Truth::state(match);
    const std::string seen = view_bytes(match);
    const std::vector<Event> told = Truth::last_events(match);
    const std::size_t many = match.steps();
    const auto standing = standing_steps(match.record());
    if (!match.undo(seat)) return "what can be undone cannot be undone.";
    if (match.steps() >= many) return "undo has taken nothing back.";
    if (Truth::state(match) == after_it && list(match.scenario(), after_it, seat).empty()) return "undo has changed nothing.";
    std::vector<StepLine> again;
    for (std::size_t i = match.steps(); i < many; ++i) again.push_back(std::get<StepLine>(match.record().lines[standing[i]]));
    if (auto wrong = check_undo_hides_nothing(match, seat, again.front())) return wrong;
    for (const StepLine& step : again) {
      const auto who = match.seat_named(step.seat);
      if (!who || !match.act_words(*who, step.words)) return "\"" + step.words + "\" cannot be done again after undo.";
    }
    if (Truth::state(match) != after_it) return "undo and the same again is not the same position.";
    if (view_bytes(match) != seen || Truth::last_events(match) != told) return "undo and the same again does not look the same.";
    return std::nullopt;
  }

  // What was taken back has told nobody anything: as far as the others know, it could always have been done.
  Failure check_undo_hides_nothing(const Typed& match, Seat seat, const StepLine& step) {
    const auto& sc = match.scenario();
    const auto action = match.from_words(step.words);
    for (const Seat viewer : viewers(match)) {
      if (viewer == seat) continue;
      // A choice that nobody else sees has told nobody anything.
      State done = Truth::state(match);
      const auto known = G::observe(sc, done, viewer);
      Events unheard = Events::unheard();
      if (action) G::apply(sc, done, seat, *action, checks_, unheard);
      if (G::observe(sc, done, viewer) == known) continue;
      const State imagined = G::imagine(sc, known, checks_);
      if (!action || G::why_not(sc, imagined, seat, *action) != none)
        return "\"" + step.words + "\" can be taken back although it told " + match.name_of(viewer) + " a secret.";
    }
    return std::nullopt;
  }

  // After the game.

  Failure check_same_again(const Typed& match, std::uint64_t seed) const {
    auto again = create(seed);
    if (!again) return again.error().text();
    FastChance choices(seed, 1);
    for (int i = 0; i < decision_ && !(*again)->choosing().empty(); ++i) play_one(**again, choices);
    if (Truth::state(**again) != Truth::state(match)) return "the same seed does not give the same game.";
    const auto first = standing_steps(match.record()), second = standing_steps((*again)->record());
    bool same = first.size() == second.size();
    for (std::size_t i = 0; same && i < first.size(); ++i) same = match.record().lines[first[i]] == (*again)->record().lines[second[i]];
    if (!same) return "the same seed does not give the same record.";
    return std::nullopt;
  }

  Failure check_replay(const Typed& match) {
    const auto record = read_record("the record", text_of(match.record()));
    if (!record) return record.error().text();
    if (!(*record == match.record())) return "the record does not read back as it was written.";
    const auto again = Typed::load(*record);
    if (!again) return "the record cannot be replayed: " + again.error().text();
    if (Truth::state(**again) != Truth::state(match)) return "the replayed game ends in another position.";
    if (view_bytes(**again) != view_bytes(match)) return "the replayed game does not look the same.";
    if (++replayed_ % settings_.seat_records_every == 0 && all_bytes(**again) != all_bytes(match))
      return "the replayed game was not seen the same.";
    if (text_of((*again)->record()) != text_of(match.record())) return "the replayed record is not the same.";
    const auto step = checks_.pick(static_cast<std::uint32_t>(match.steps() + 1));
    const auto cut = match.branch(step, Seeded{1});
    if (!cut) return "the match cannot be branched: " + cut.error().text();
    for (const Seat viewer : viewers(match)) {
      if ((*cut)->view_text(viewer) != one_line(match.view_at(viewer, step)))
        return "a branch does not look like the moment it was cut at.";
    }
    return std::nullopt;
  }

  // Small things.

  static constexpr typename G::Refusal none{};

  static int seat_count(const Typed& match) { return static_cast<int>(match.seats().size()); }

  static std::vector<Seat> viewers(const Typed& match) {
    std::vector<Seat> all;
    for (int i = 0; i < seat_count(match); ++i) all.push_back(Seat(i));
    all.push_back(spectator);
    return all;
  }

  static std::vector<Action> list(const typename G::Scenario& sc, const State& s, Seat seat) {
    ActionList listed;
    G::actions(sc, s, seat, listed);
    return {listed.begin(), listed.end()};
  }

  static std::string bytes(const typename G::Scenario& sc, const State& s, Seat viewer) {
    JsonText out;
    ReckonedOf<G> reckoned;
    write_view<G>(sc, s, viewer, reckoned, out);
    return out.take();
  }

  static std::string view_bytes(const Typed& match) {
    std::string all;
    for (const Seat viewer : viewers(match)) all += match.view_text(viewer);
    return all;
  }

  static std::string all_bytes(const Typed& match) {
    std::string all;
    for (const Seat viewer : viewers(match)) all += one_line(match.events(viewer)) + match.seat_record(viewer);
    return all + view_bytes(match);
  }

  static std::string described(const Typed& match, Action action) {
    if (action.verb < G::verbs().size()) {
      // Its numbers may be unspeakable, so only the verb is put into words.
      return "\"" + std::string(G::verbs()[action.verb].name) + "\" with " + std::to_string(action.a) + ", " + std::to_string(action.b) +
             ", " + std::to_string(action.c);
    }
    return "the verb " + std::to_string(action.verb) + " of " + std::string(match.header().game);
  }

  static std::string last_words(const Typed& match) {
    const auto standing = standing_steps(match.record());
    return standing.empty() ? "start" : std::get<StepLine>(match.record().lines[standing.back()]).words;
  }
  static std::string after(const Typed& match) { return match.steps() == 0 ? "." : " after \"" + last_words(match) + "\"."; }

  // What a game says must stay the same: pieces and cards counted in any way it likes.
  static auto conserved_in(const typename G::Scenario& sc, const State& s) {
    if constexpr (requires { G::conserved(sc, s); }) {
      return G::conserved(sc, s);
    } else {
      return 0;
    }
  }

  bool one_in(int many) { return checks_.pick(static_cast<std::uint32_t>(std::max(many, 1))) == 0; }

  MatchSetup setup_;
  ConformanceSettings settings_;
  FastChance checks_{0};
  int decision_ = 0, replayed_ = 0;
};

template <Game G>
Conformance conformance(const ScenarioFile& file, const OptionValues& options = {}, const ConformanceSettings& settings = {}) {
  return ConformanceRun<G>(file, options, settings).run();
}

}  // namespace baton
