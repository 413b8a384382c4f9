#include "bots/search_mind.h"

#include <gtest/gtest.h>

#include <bit>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>

#include "bots/minds.h"
#include "bots/player.h"
#include "match/registry.h"

namespace baton {
namespace {

using G = company_commander::Game;
using Clock = std::chrono::steady_clock;

// A mind that saw the truth would have to be told it: no mind can be.
template <class M, class Seen, class Played = G>
concept Chooses = requires(M& mind, const typename Played::Scenario& sc, const Seen& seen, const ActionList& legal, Chance& chance) {
  mind.choose(sc, seen, Seat{}, legal, chance);
};
static_assert(Chooses<Mind<G>, G::Knowledge> && !Chooses<Mind<G>, G::State>);
static_assert(Chooses<SearchMind<G>, G::Knowledge> && !Chooses<SearchMind<G>, G::State>);
static_assert(Chooses<GreedyMind<G>, G::Knowledge> && !Chooses<GreedyMind<G>, G::State>);
static_assert(!std::is_convertible_v<G::State, G::Knowledge>);
using Leader = company_leader::Game;
static_assert(Chooses<SearchMind<Leader>, Leader::Knowledge, Leader> && !Chooses<SearchMind<Leader>, Leader::State, Leader> &&
              !std::is_convertible_v<Leader::State, Leader::Knowledge>);

// Nor is a player that gets its knowledge from a match: what it is handed tells of one seat only.
template <class M>
concept TellsEverything = requires(const M& match, Seat other) {
  match.view(other);
}
|| requires(const M& match) { match.record(); }
|| requires(const M& match) { match.save_position(); };
template <class Seen>
concept Plays = requires(Player& player, const Seen& match) {
  player.choose(match);
};
static_assert(TellsEverything<Match> && !TellsEverything<SeenMatch>);
static_assert(Plays<SeenMatch> && !Plays<Match>);

const G::Scenario& normandy() {
  static const G::Scenario sc = *G::load(*shipped_scenario(G::id, "normandy"), {});
  return sc;
}

struct Step {
  Action action;
  std::size_t legal;
  Thoughts thoughts;
  int turn;
  double seconds, processor;  // of the clock on the wall, and of this thread
};

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

const Leader::Scenario& meeting() {
  static const Leader::Scenario sc = *Leader::load(*shipped_scenario(Leader::id, "standard"), {});
  return sc;
}

// The choices of seat 0's mind over the first turns of a game against a greedy opponent.
template <Game Played>
std::vector<Step> play(const typename Played::Scenario& sc, Mind<Played>& mind, std::uint64_t seed, int turns) {
  FastChance dice(seed), choices(seed, 1);
  Events silent = Events::unheard();
  GreedyMind<Played> other;
  std::vector<Step> steps;
  auto s = Played::start(sc, dice, silent);
  ActionList legal;
  while (!Played::choosing(sc, s).empty() && Played::turns(sc, s) < turns + 2) {
    const Seat seat = Played::choosing(sc, s).front();
    legal.clear();
    Played::actions(sc, s, seat, legal);
    const bool own = index(seat) == 0;
    const auto begun = Clock::now();
    const double before = processor_seconds();
    const Action action = (own ? mind : static_cast<Mind<Played>&>(other)).choose(sc, Played::observe(sc, s, seat), seat, legal, choices);
    const double seconds = std::chrono::duration<double>(Clock::now() - begun).count(), processor = processor_seconds() - before;
    EXPECT_EQ(Played::why_not(sc, s, seat, action), Played::Refusal::none);
    if (own) steps.push_back({action, legal.size(), mind.thoughts(), Played::turns(sc, s), seconds, processor});
    Played::apply(sc, s, seat, action, dice, silent);
  }
  return steps;
}
std::vector<Step> play(Mind<G>& mind, std::uint64_t seed, int turns) { return play<G>(normandy(), mind, seed, turns); }

Budget iterations(std::int64_t count, int threads = 1) {
  return {.iterations = count, .time = {}, .threads = threads, .all_at_once = false};
}
Budget milliseconds(int count, int threads = 1) {
  return {.iterations = 0, .time = std::chrono::milliseconds(count), .threads = threads, .all_at_once = false};
}

TEST(SearchMind, SameSeedAndIterationsSameMoves) {
  for (const int threads : {1, 2}) {
    SearchMind<G> first({}, iterations(300, threads)), second({}, iterations(300, threads));
    const auto one = play(first, 4, 6), two = play(second, 4, 6);
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].action, two[i].action);
      EXPECT_EQ(one[i].thoughts.iterations, two[i].thoughts.iterations);
    }
  }
}

TEST(SearchMind, DoesNotThinkWhereThereIsNothingToChoose) {
  SearchMind<G> mind({}, iterations(200));
  int single = 0;
  for (const Step& step : play(mind, 5, 6)) {
    if (step.legal > 1) continue;
    ++single;
    EXPECT_EQ(step.thoughts.iterations, 0);
  }
  EXPECT_GT(single, 0);
}

// A turn's iterations are shared by its decisions; each may fall back on a few when all are spent.
TEST(SearchMind, KeepsToTheIterationsOfATurn) {
  SearchMind<G> mind({}, iterations(500));
  const auto steps = play(mind, 6, 12);
  std::int64_t sum = 0;
  int decisions = 0, windows = 0, from = -100;
  for (const Step& step : steps) {
    if (step.legal == 1) continue;
    if (step.turn >= from + 2) {
      from = step.turn;
      ++windows;
      sum = decisions = 0;
    }
    sum += step.thoughts.iterations;
    ++decisions;
    EXPECT_LE(sum, 500 + 16 * decisions);
  }
  EXPECT_GT(windows, 4);
}

// How late the worst turn of a game ended, in seconds of the wall's clock or of the thread's own. A game may be won early, but all have
// some turns.
template <Game Played>
double worst_delay(const typename Played::Scenario& sc, double allowed, int threads, double Step::*seconds, std::uint64_t seed) {
  SearchSettings settings;
  settings.turns_ahead = 8;
  SearchMind<Played> mind(settings, milliseconds(static_cast<int>(allowed * 1000), threads));
  double sum = 0, worst = -1;
  int from = -100, windows = 0;
  for (const Step& step : play<Played>(sc, mind, seed, 12)) {
    if (step.legal == 1) continue;
    if (step.turn >= from + 2) {
      from = step.turn;
      sum = 0;
      ++windows;
    }
    sum += step.*seconds;
    worst = std::max(worst, sum - allowed);
  }
  EXPECT_GT(windows, 1);
  return worst;
}

// What a thread works itself hangs on nobody else, so no turn of any game may be late. On the wall it may have to wait for a core of a
// machine that is busy otherwise: some games must be in time.
template <Game Played>
void expect_in_time(const typename Played::Scenario& sc) {
  for (const std::uint64_t seed : {7u, 8u, 9u}) EXPECT_LE(worst_delay<Played>(sc, 0.060, 1, &Step::processor, seed), 0.050) << Played::id;
  int in_time = 0, late = 0;
  for (std::uint64_t seed = 7; in_time < 3 && late < 8; ++seed)
    ++(worst_delay<Played>(sc, 0.060, 2, &Step::seconds, seed) <= 0.050 ? in_time : late);
  EXPECT_EQ(in_time, 3) << Played::id;
}
// However many small decisions a turn has: a millisecond is over after the first few, and the others are made by judgement.
TEST(SearchMind, PlaysByJudgementWhenTheTimeOfATurnIsSpent) {
  SearchSettings settings;
  settings.turns_ahead = 8;
  SearchMind<Leader> mind(settings, milliseconds(1));
  int thought = 0, judged = 0;
  for (const Step& step : play<Leader>(meeting(), mind, 7, 12)) {
    if (step.legal == 1) continue;
    ++(step.thoughts.iterations > 0 ? thought : judged);
  }
  EXPECT_GT(thought, 0);
  EXPECT_GT(judged, 0);
}

TEST(SearchMind, IsNeverLaterThanItsTime) {
  expect_in_time<G>(normandy());
  expect_in_time<Leader>(meeting());
}

TEST(SearchMind, OfTwoBudgetsTheFirstToEndCounts) {
  SearchMind<G> hasty({}, {.iterations = 1'000'000'000, .time = std::chrono::milliseconds(30), .threads = 1, .all_at_once = false});
  SearchMind<G> modest({}, {.iterations = 100, .time = std::chrono::hours(10), .threads = 1, .all_at_once = false});
  for (Mind<G>* mind : {static_cast<Mind<G>*>(&hasty), static_cast<Mind<G>*>(&modest)}) {
    const auto begun = Clock::now();
    play(*mind, 3, 2);
    EXPECT_LT(Clock::now() - begun, std::chrono::seconds(20));
  }
}

// Of what it sees it takes what it thinks best.
TEST(SearchMind, TakesTheBestOfWhatItDoesNotOverlook) {
  SearchSettings settings;
  settings.overlooks = 0.5f;
  SearchMind<G> mind(settings, iterations(400));
  int others = 0, checked = 0, decisions = 0;
  OwnTurn turn;
  std::vector<Action> overlooked;
  for (const Step& step : play(mind, 3, 4)) {
    const auto& all = step.thoughts.actions;
    if (all.empty()) continue;
    // It looks again with a new turn, and after sixteen decisions.
    if (turn.begins(step.turn, 2) || decisions == 16) {
      overlooked.clear();
      decisions = 0;
    }
    ++decisions;
    const auto bare = [](const Considered& one) { return G::verbs()[one.action.verb].size() == 0; };
    const bool sees_some = std::any_of(all.begin(), all.end(), bare);
    if (sees_some) {
      EXPECT_EQ(std::count(overlooked.begin(), overlooked.end(), step.action), 0) << "what was passed over is not seen";
    }
    checked += sees_some && !overlooked.empty();
    others += step.action != all.front().action;
    const auto chosen = std::find_if(all.begin(), all.end(), [&](const Considered& one) { return one.action == step.action; });
    if (chosen == all.end() || chosen->visits == 0 || chosen->value < all.front().value - 0.25) continue;  // by judgement
    for (auto better = all.begin(); better != chosen; ++better) {
      EXPECT_FALSE(bare(*better)) << "what needs no further choice is always seen";
      overlooked.push_back(better->action);
    }
  }
  EXPECT_GT(others, 5);
  EXPECT_GT(checked, 5);
}

// Advice is given on a position by itself, and meant.
TEST(SearchMind, OverlooksNothingWhenAskedForAdvice) {
  SearchSettings settings;
  settings.overlooks = 1;
  Budget budget = iterations(50);
  budget.all_at_once = true;
  SearchMind<G> mind(settings, budget);
  const auto steps = play(mind, 3, 2);
  ASSERT_GT(steps.size(), 5u);
  for (const Step& step : steps) {
    if (step.thoughts.actions.empty()) continue;
    EXPECT_EQ(step.action, step.thoughts.actions.front().action);
  }
}

TEST(SearchMind, AdvisesWhatWasTriedMostUnlessSomethingIsClearlyBetter) {
  const auto first_of = [](std::vector<Considered> actions) {
    for (std::uint16_t i = 0; i < actions.size(); ++i) actions[i].action.a = i;
    put_advice_first(actions);
    for (std::size_t i = 2; i < actions.size(); ++i) EXPECT_LE(actions[i].visits, actions[i - 1].visits);
    return actions.front().action.a;
  };
  const auto tried = [](std::int64_t visits, double value) { return Considered{{}, visits, value, {}, 0, 0}; };
  EXPECT_EQ(first_of({tried(620, 0.72), tried(220, 0.74), tried(160, 0.5)}), 0) << "luck explains as much";
  EXPECT_EQ(first_of({tried(4000, 0.2), tried(3000, 0.3), tried(2000, 0.35)}), 2);
  EXPECT_EQ(first_of({tried(4000, 0.2), tried(999, 0.9)}), 0) << "tried too little";
  EXPECT_EQ(first_of({tried(4, -1), tried(4, 1)}), 1);
  EXPECT_EQ(first_of({tried(0, 0), tried(0, 0)}), 0);
  std::vector<Considered> none;
  put_advice_first(none);
  EXPECT_TRUE(none.empty());
}

// Chances stay in the order of what is hoped for, and even hopes are even chances, but for what a game takes off: Company Leader for
// pieces that are still to be placed.
TEST(SearchMind, TellsSoberChances) {
  FastChance dice(1);
  Events silent = Events::unheard();
  const auto leader = Leader::load(*shipped_scenario(Leader::id, "standard"), {});
  ASSERT_TRUE(leader);
  auto s = Leader::start(*leader, dice, silent);
  const auto placing = Leader::observe(*leader, s, Seat(0));
  ActionList legal;
  Leader::actions(*leader, s, Seat(0), legal);
  const auto first =
      std::find_if(legal.begin(), legal.end(), [](Action a) { return a.verb == static_cast<int>(company_leader::Verb::place); });
  Leader::apply(*leader, s, Seat(0), *first, dice, silent);
  const auto begun = Leader::observe(*leader, s, Seat(0));
  Leader::apply(*leader, s, Seat(0), {static_cast<int>(company_leader::Verb::place_for_me)}, dice, silent);
  const auto placed = Leader::observe(*leader, s, Seat(0));
  s.step = company_leader::Step::actions;
  const auto playing = Leader::observe(*leader, s, Seat(0));
  const auto commander = G::observe(normandy(), G::start(normandy(), dice, silent), Seat(0));
  EXPECT_NEAR(sober_chance<G>(normandy(), commander, 0, 100), 0.5, 1e-6);
  EXPECT_NEAR(sober_chance<Leader>(*leader, playing, 0, 100), 0.5, 1e-6);
  EXPECT_LT(sober_chance<Leader>(*leader, placing, 0, 100), 0.4);
  EXPECT_GT(sober_chance<Leader>(*leader, begun, 0, 100), sober_chance<Leader>(*leader, placing, 0, 100)) << "one less to place";
  EXPECT_LT(sober_chance<Leader>(*leader, begun, 0, 100), 0.5);
  EXPECT_NEAR(sober_chance<Leader>(*leader, placed, 0, 100), 0.5, 1e-6) << "nothing is left to hope for too much";
  // What was measured with two sides says nothing of three.
  const auto three = Leader::load(*shipped_scenario(Leader::id, "three"), {});
  ASSERT_TRUE(three);
  const auto among_three = Leader::observe(*three, Leader::start(*three, dice, silent), Seat(0));
  EXPECT_NEAR(sober_chance<Leader>(*three, among_three, -1.0 / 3, 100), 1.0 / 3, 1e-6);
  double last_commander = 0, last_leader = 0;
  for (const double value : {-1.0, -0.95, -0.5, -0.1, 0.0, 0.1, 0.5, 0.95, 1.0}) {
    const double of_commander = sober_chance<G>(normandy(), commander, value, 100),
                 of_leader = sober_chance<Leader>(*leader, playing, value, 100);
    EXPECT_GE(of_commander, last_commander);
    EXPECT_GE(of_leader, last_leader);
    EXPECT_LT(of_commander, 1);
    EXPECT_LT(of_leader, 1);
    last_commander = of_commander;
    last_leader = of_leader;
  }
  // Where every line was won, luck has nothing left to undo.
  EXPECT_GT(sober_chance<G>(normandy(), commander, 1, 1000), 0.999);
  EXPECT_LT(sober_chance<G>(normandy(), commander, -1, 1000), 0.001);
  EXPECT_NEAR(sober_chance<G>(normandy(), commander, 1, 1), 0.75, 1e-9) << "one line is little";
}

TEST(SearchMind, BelievesLittleOfWhatWasTriedLittle) {
  const auto tried = [](std::int64_t visits, double value) { return Considered{{}, visits, value, {}, 0, 0}; };
  const Considered most = tried(1000, 0.8);
  EXPECT_GT(believed_value(tried(1, -1), most), 0.6) << "one line says little";
  EXPECT_LT(believed_value(tried(20, -1), most), -0.8) << "twenty that were all lost say much";
  EXPECT_GT(believed_value(tried(20, 0), most), 0.4);
  EXPECT_LT(believed_value(tried(600, 0), most), 0.05);
  EXPECT_GT(believed_value(tried(300, 0.85), most), most.value) << "what is better stays better";
  EXPECT_DOUBLE_EQ(believed_value(tried(0, 0), most), most.value);
}

TEST(SearchMind, TellsOfWhatWasTriedMostWhatItFound) {
  FastChance dice(1);
  Events silent = Events::unheard();
  const auto known = G::observe(normandy(), G::start(normandy(), dice, silent), Seat(0));
  SearchMind<G> mind({}, iterations(200));
  int choices = 0;
  for (const Step& step : play(mind, 3, 4)) {
    const auto& actions = step.thoughts.actions;
    if (actions.empty()) continue;
    const auto told = [&](double value, std::int64_t visits) { return sober_chance<G>(normandy(), known, value, visits); };
    EXPECT_DOUBLE_EQ(actions.front().win_chance, told(actions.front().value, actions.front().visits));
    for (std::size_t i = 1; i < actions.size(); ++i)
      EXPECT_DOUBLE_EQ(actions[i].win_chance, told(believed_value(actions[i], actions.front()), actions[i].visits));
    ++choices;
  }
  EXPECT_GT(choices, 3);
}

TEST(SearchMind, AnswersAtOnceWhenCancelled) {
  FastChance dice(1), chance(2);
  Events silent = Events::unheard();
  G::State s = G::start(normandy(), dice, silent);
  ActionList legal;
  const Seat seat = G::choosing(normandy(), s).front();
  for (;; G::apply(normandy(), s, seat, legal[0], dice, silent)) {
    legal.clear();
    ASSERT_EQ(G::choosing(normandy(), s).front(), seat);
    G::actions(normandy(), s, seat, legal);
    if (legal.size() > 1) break;
  }
  SearchMind<G> mind({}, milliseconds(60'000));
  std::thread impatient([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    mind.cancel();
  });
  const auto begun = Clock::now();
  const Action action = mind.choose(normandy(), G::observe(normandy(), s, seat), seat, legal, chance);
  impatient.join();
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(5));
  EXPECT_EQ(G::why_not(normandy(), s, seat, action), G::Refusal::none);
}

// From one small step of a turn to the next, where nothing new was learned, the tree stays.
TEST(SearchMind, RemembersFromStepToStep) {
  SearchMind<G> mind({}, iterations(2000));
  int kept = 0;
  for (const Step& step : play(mind, 8, 8)) {
    std::int64_t visits = 0;
    for (const Considered& c : step.thoughts.actions) visits += c.visits;
    EXPECT_GE(visits, step.thoughts.iterations);
    kept += visits > step.thoughts.iterations;
  }
  EXPECT_GT(kept, 0);
}

// Company Leader has what Company Commander lacks: secret set-up by all at once, three and four seats, teams, surrender.
TEST(SearchMind, PlaysWithSeveralSeatsTeamsAndSecretChoices) {
  for (const char* id : {"standard", "three", "teams"}) {
    const auto sc = Leader::load(*shipped_scenario(Leader::id, id), {{"turn_limit", "12"}});
    ASSERT_TRUE(sc) << sc.error().text();
    FastChance dice(3), choices(4);
    Events silent = Events::unheard();
    auto s = Leader::start(*sc, dice, silent);
    std::vector<std::unique_ptr<SearchMind<Leader>>> minds;
    for (std::size_t i = 0; i < Leader::seats(*sc).size(); ++i)
      minds.push_back(std::make_unique<SearchMind<Leader>>(SearchSettings{.turns_ahead = 1}, iterations(16)));
    ActionList legal;
    int decisions = 0, together = 0;
    for (; !Leader::choosing(*sc, s).empty() && decisions < 400; ++decisions) {
      together += Leader::choosing(*sc, s).size() > 1;
      const Seat seat = Leader::choosing(*sc, s).front();
      legal.clear();
      Leader::actions(*sc, s, seat, legal);
      const Action action = minds[static_cast<std::size_t>(index(seat))]->choose(*sc, Leader::observe(*sc, s, seat), seat, legal, choices);
      ASSERT_EQ(Leader::why_not(*sc, s, seat, action), Leader::Refusal::none);
      ASSERT_FALSE(Leader::gives_up(action));
      Leader::apply(*sc, s, seat, action, dice, silent);
    }
    EXPECT_GT(decisions, 50) << id;
    EXPECT_GT(together, 0) << id;
  }
}

// Each level of a game thinks more than the one below; what is typed holds in every game.
template <Game Played>
void expect_levels_of(std::int64_t captain) {
  std::int64_t below = 0;
  for (const std::string_view name : level_names()) {
    const PlayerKind kind = *read_player_kind(name);
    const std::int64_t iterations = budget_in<Played>(kind, kind.by_iterations).iterations;
    EXPECT_GT(iterations, below) << name;
    EXPECT_EQ(budget_in<Played>(kind, kind.by_time).iterations, iterations) << name;
    below = iterations;
  }
  const PlayerKind level = *read_player_kind("captain"), typed = *read_player_kind("captain:iterations=77");
  EXPECT_EQ(budget_in<Played>(level, level.by_iterations).iterations, captain);
  EXPECT_EQ(budget_in<Played>(typed, typed.by_iterations).iterations, 77);
  EXPECT_EQ(budget_in<Played>(level, {.time = std::chrono::seconds(1)}).iterations, 0) << "all that the time allows";
}

TEST(SearchMind, AGameMayGiveItsLevelsIterationsOfItsOwn) {
  expect_levels_of<G>(read_player_kind("captain")->by_iterations.iterations);
  expect_levels_of<Leader>(Leader::level_iterations[2]);
}

// A general expects others to hold what they must, the levels below to go for the next gain; advice is always the former.
TEST(SearchMind, AGeneralAndWhoeverGivesAdviceExpectNobodyToBeAFool) {
  FastChance dice(3), choices(3, 1);
  Events silent = Events::unheard();
  for (const char* level : {"recruit", "sergeant", "captain"}) EXPECT_FALSE(read_player_kind(level)->settings.prudence) << level;
  const SearchSettings general = read_player_kind("general")->settings;
  EXPECT_TRUE(general.prudence);
  SearchSettings greed = general;
  greed.prudence = false;
  const Budget advice{.iterations = 200, .time = {}, .threads = 1, .all_at_once = true};
  const auto visits = [](const auto& tried) {
    std::map<std::uint64_t, std::int64_t> all;
    for (const Considered& one : tried) all[std::bit_cast<std::uint64_t>(one.action)] = one.visits;
    return all;
  };
  G::State s = G::start(normandy(), dice, silent);
  ActionList legal;
  int differ = 0;
  while (!G::choosing(normandy(), s).empty()) {
    const Seat seat = G::choosing(normandy(), s).front();
    legal.clear();
    G::actions(normandy(), s, seat, legal);
    const auto known = G::observe(normandy(), s, seat);
    std::vector<float> greedy, prudent;
    NothingRemembered nothing;
    judge<G>(normandy(), known, false, nothing, legal, greedy);
    judge<G>(normandy(), known, true, nothing, legal, prudent);
    if (greedy != prudent && ++differ <= 3) {
      const auto tried = [&](const SearchSettings& settings) {
        SearchTree<G> tree(normandy(), known, seat, settings, 7);
        for (int i = 0; i < 200; ++i) tree.iterate();
        return visits(tree.considered());
      };
      const auto advised = [&](const SearchSettings& settings) {
        FastChance same(5);
        SearchMind<G> adviser(settings, advice);
        (void)adviser.choose(normandy(), known, seat, legal, same);
        return visits(adviser.thoughts().actions);
      };
      EXPECT_NE(tried(greed), tried(general));
      EXPECT_EQ(advised(greed), advised(general));
    }
    G::apply(normandy(), s, seat, any_action<G>(legal, choices), dice, silent);
  }
  EXPECT_GE(differ, 3);
}

// Two turns of everybody in Company Leader, unless somebody asks for more; Company Commander has no such bound.
TEST(SearchMind, LevelsLookNoFurtherThanPays) {
  const auto leader_turns = [](const char* kind, const char* scenario) {
    const auto sc = *Leader::load(*shipped_scenario(Leader::id, scenario), {});
    FastChance dice(1);
    Events silent = Events::unheard();
    const auto s = Leader::start(sc, dice, silent);
    return SearchTree<Leader>(sc, Leader::observe(sc, s, Seat(0)), Seat(0), read_player_kind(kind)->settings, 1).turns_ahead();
  };
  EXPECT_EQ(leader_turns("captain", "standard"), 4);
  EXPECT_EQ(leader_turns("captain", "three"), 6);
  EXPECT_EQ(leader_turns("captain", "teams"), 8);
  EXPECT_EQ(leader_turns("recruit", "standard"), 1);
  EXPECT_EQ(leader_turns("captain:turns=8", "standard"), 8);
  EXPECT_EQ(foresight<Leader>(), 2);
  EXPECT_GE(foresight<G>(), read_player_kind("general")->settings.turns_ahead);
}

// In positions all over some games, the choices in states that the seat cannot tell from the truth, each by a mind of its own.
template <class Honest>
void expect_same_moves(const std::string& scenario, int games, int count, int every) {
  const auto sc = *Honest::load(*shipped_scenario(Honest::id, scenario), {});
  int positions = 0, different_truths = 0;
  for (std::uint64_t game = 1; game <= static_cast<std::uint64_t>(games); ++game) {
    FastChance dice(game), choices(game, 1);
    Events silent = Events::unheard();
    GreedyMind<Honest> greedy;
    typename Honest::State s = Honest::start(sc, dice, silent);
    ActionList legal;
    for (int decision = 0; !Honest::choosing(sc, s).empty() && decision < 8 * every; ++decision) {
      const Seat seat = Honest::choosing(sc, s).front();
      legal.clear();
      Honest::actions(sc, s, seat, legal);
      const typename Honest::Knowledge known = Honest::observe(sc, s, seat);
      if (legal.size() > 1 && decision % every == every - 1) {
        ++positions;
        for (std::uint64_t other = 0; other < 3; ++other) {
          FastChance imagining(other, 9);
          const typename Honest::State twin = Honest::imagine(sc, known, imagining);
          different_truths += !(twin == s);
          ActionList twin_legal;
          Honest::actions(sc, twin, seat, twin_legal);
          for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            FastChance one(seed, 3), two(seed, 3);
            SearchMind<Honest> mind({}, iterations(count)), twin_mind({}, iterations(count));
            ASSERT_EQ(mind.choose(sc, known, seat, legal, one),
                      twin_mind.choose(sc, Honest::observe(sc, twin, seat), seat, twin_legal, two));
          }
        }
      }
      Honest::apply(sc, s, seat, greedy.choose(sc, known, seat, legal, choices), dice, silent);
    }
  }
  EXPECT_GT(positions, 2 * games);
  EXPECT_GT(different_truths, positions) << "the twins must really differ, or nothing was tested";
}

// True states that the seat cannot tell apart give the same distribution of moves: with the same seeds, the very same moves.
TEST(Honesty, StatesThatLookTheSameGiveTheSameMoves) { expect_same_moves<company_commander::Game>("normandy", 12, 120, 20); }
TEST(Honesty, StatesThatLookTheSameGiveTheSameMovesInCompanyLeader) { expect_same_moves<company_leader::Game>("standard", 4, 12, 40); }
TEST(Honesty, StatesThatLookTheSameGiveTheSameMovesInATeam) { expect_same_moves<company_leader::Game>("teams", 3, 8, 60); }

}  // namespace
}  // namespace baton
