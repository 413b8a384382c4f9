// baton bench: how fast the rules are, or a fingerprint of what they do.
#include <chrono>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/playout.h"
#include "bots/minds.h"
#include "match/json_reader.h"

namespace baton::app {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }

struct Speed {
  std::int64_t decisions = 0, real = 0;  // of these, more than one action was legal
  double seconds = 0;
};

template <Game G>
Speed random_play(const typename G::Scenario& sc, double seconds, std::uint64_t first_game) {
  Speed speed;
  const auto begun = Clock::now();
  for (std::uint64_t game = first_game; speed.seconds < seconds; ++game) {
    const std::uint64_t seed = seed_of_game(1, game);
    FastChance dice(seed), choices(seed, choice_stream);
    Events unheard = Events::unheard();
    auto s = G::start(sc, dice, unheard);
    speed.decisions += play_out<G>(
        sc, s, dice, [&](Seat, const ActionList& legal) { return any_action<G>(legal, choices); },
        [&](Seat, const ActionList& legal, Action) { speed.real += legal.size() > 1; });
    speed.seconds = since(begun);
  }
  return speed;
}

// Positions of random games, to time the parts on.
template <Game G>
struct Moment {
  typename G::State state;
  Seat seat;
  Action action;
};

template <Game G>
std::vector<Moment<G>> moments(const typename G::Scenario& sc, std::size_t count) {
  std::vector<Moment<G>> all;
  for (std::uint64_t game = 0; all.size() < count && game < count; ++game) {
    const std::uint64_t seed = seed_of_game(2, game);
    FastChance dice(seed), choices(seed, choice_stream);
    Events unheard = Events::unheard();
    auto s = G::start(sc, dice, unheard);
    play_out<G>(
        sc, s, dice, [&](Seat, const ActionList& legal) { return any_action<G>(legal, choices); },
        [&](Seat seat, const ActionList&, Action action) {
          if (all.size() < count) all.push_back({s, seat, action});
        });
  }
  return all;
}

// Nanoseconds of one call of f(moment); the sum keeps the compiler from leaving it out.
template <class Moments, class F>
double nanoseconds(const Moments& all, F&& f) {
  std::size_t sum = 0, calls = 0;
  const auto begun = Clock::now();
  while (since(begun) < 0.05) {
    for (const auto& moment : all) sum += f(moment);
    calls += all.size();
  }
  asm volatile("" : : "r"(sum));
  return since(begun) / static_cast<double>(std::max<std::size_t>(calls, 1)) * 1e9;
}

template <Game G>
void time_parts(const typename G::Scenario& sc, Json& json) {
  const auto all = moments<G>(sc, 2048);
  FastChance dice(3);
  Events unheard = Events::unheard();
  ActionList legal;
  const auto rounded = [](double value) { return std::round(value * 10) / 10; };
  const auto first_byte = [](const auto& value) {
    return static_cast<std::size_t>(*reinterpret_cast<const volatile unsigned char*>(&value));
  };
  const double copy = nanoseconds(all, [&](const Moment<G>& m) {
    auto s = m.state;
    asm volatile("" : : "r"(&s) : "memory");
    return first_byte(s);
  });
  json["copy_ns"] = rounded(copy);
  json["list_ns"] = rounded(nanoseconds(all, [&](const Moment<G>& m) {
    legal.clear();
    G::actions(sc, m.state, m.seat, legal);
    return legal.size();
  }));
  json["apply_ns"] = rounded(std::max(0.0, nanoseconds(all, [&](const Moment<G>& m) {
                                             auto s = m.state;
                                             G::apply(sc, s, m.seat, m.action, dice, unheard);
                                             return first_byte(s);
                                           }) - copy));
  json["observe_ns"] = rounded(nanoseconds(all, [&](const Moment<G>& m) { return first_byte(G::observe(sc, m.state, m.seat)); }));
  json["imagine_ns"] = rounded(std::max(0.0, nanoseconds(all, [&](const Moment<G>& m) {
                                               return first_byte(G::imagine(sc, G::observe(sc, m.state, m.seat), dice));
                                             }) - json["observe_ns"].get<double>()));
}

// Iterations of the search per second on one core, as deep as a level looks, from positions all over a few games between greedy players.
template <Searchable G>
Json search_speed(const typename G::Scenario& sc, std::string_view level) {
  const SearchSettings settings = read_player_kind(level)->settings;
  std::int64_t iterations = 0, decisions = 0;
  int turns_ahead = 0;
  double seconds = 0;
  for (std::uint64_t game = 0; game < 8; ++game) {
    const std::uint64_t seed = seed_of_game(5, game);
    FastChance dice(seed), choices(seed, choice_stream);
    Events unheard = Events::unheard();
    GreedyMind<G> greedy;
    auto s = G::start(sc, dice, unheard);
    std::int64_t made = 0;
    play_out<G>(
        sc, s, dice, [&](Seat seat, const ActionList& legal) { return greedy.choose(sc, G::observe(sc, s, seat), seat, legal, choices); },
        [&](Seat seat, const ActionList& legal, Action) {
          if (++made % 40 != 0 || legal.size() < 2 || seconds >= 1) return;
          SearchTree<G> tree(sc, G::observe(sc, s, seat), seat, settings, seed);
          const auto begun = Clock::now();
          for (int i = 0; i < 200; ++i) tree.iterate();
          seconds += since(begun);
          turns_ahead = tree.turns_ahead();
          iterations += tree.iterations();
          decisions += tree.decisions();
        });
  }
  return {{"level", level},
          {"turns_ahead", turns_ahead},
          {"iterations_per_second", std::round(static_cast<double>(iterations) / std::max(1e-9, seconds))},
          {"decisions_per_iteration",
           std::round(10 * static_cast<double>(decisions) / static_cast<double>(std::max<std::int64_t>(1, iterations))) / 10}};
}

// How many times the iterations of one thread two of them reach, from the first real choice of a game.
template <Searchable G>
double gain_of_two_threads(const typename G::Scenario& sc) {
  FastChance dice(1), chance(2);
  Events unheard = Events::unheard();
  auto s = G::start(sc, dice, unheard);
  ActionList legal;
  for (;;) {
    legal.clear();
    const Seat seat = G::choosing(sc, s).front();
    G::actions(sc, s, seat, legal);
    if (legal.size() > 3) break;
    G::apply(sc, s, seat, legal[0], dice, unheard);
  }
  const Seat seat = G::choosing(sc, s).front();
  // Alternating, and the best of each: others on the machine can only take speed away.
  std::array<double, 3> rate{};
  for (int round = 0; round < 6; ++round) {
    for (const int threads : {1, 2}) {
      PlayerKind kind = *read_player_kind("captain");
      kind.by_time.threads = threads;
      kind.by_time.time = std::chrono::milliseconds(250);
      kind.by_time.iterations = 0;
      const auto mind = make_mind<G>(kind, kind.by_time);
      mind->choose(sc, G::observe(sc, s, seat), seat, legal, chance);
      const Thoughts thoughts = mind->thoughts();
      double& best = rate[static_cast<std::size_t>(threads)];
      best = std::max(best, static_cast<double>(thoughts.iterations) / thoughts.seconds);
    }
  }
  return rate[2] / rate[1];
}

template <Game G>
Json speed_json(const std::string& scenario, const typename G::Scenario& sc) {
  random_play<G>(sc, 0.2, 0);
  const Speed speed = random_play<G>(sc, 1.0, 1'000'000);
  Json json = {{"game", G::id}, {"scenario", scenario}};
  json["decisions_per_second"] = static_cast<double>(speed.decisions) / speed.seconds;
  json["state_bytes"] = sizeof(typename G::State);
  json["knowledge_bytes"] = sizeof(typename G::Knowledge);
  json["real_choices"] = static_cast<double>(speed.real) / static_cast<double>(std::max<std::int64_t>(speed.decisions, 1));
  time_parts<G>(sc, json);
  for (const std::string_view level : {"recruit", "sergeant", "captain"}) json["search"].push_back(search_speed<G>(sc, level));
  json["gain_of_two_threads"] = std::round(100 * gain_of_two_threads<G>(sc)) / 100;
  return json;
}

// FNV-1a, over bytes that are the same on every machine.
class Fingerprint {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  void add(std::uint64_t number) {
    for (int i = 0; i < 64; i += 8) hash_ = (hash_ ^ (number >> i & 0xFF)) * 0x100000001B3u;
  }
  std::uint32_t value() const { return static_cast<std::uint32_t>(hash_ ^ hash_ >> 32); }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325u;
};

template <Game G>
std::uint32_t fingerprint(const typename G::Scenario& sc) {
  Fingerprint print;
  for (std::uint64_t game = 0; game < 50; ++game) {
    const std::uint64_t seed = seed_of_game(4, game);
    FastChance dice(seed), choices(seed, choice_stream);
    Events unheard = Events::unheard();
    auto s = G::start(sc, dice, unheard);
    play_out<G>(
        sc, s, dice, [&](Seat, const ActionList& legal) { return any_action<G>(legal, choices); },
        [&](Seat seat, const ActionList& legal, Action action) {
          print.add(static_cast<std::uint64_t>(index(seat)) << 32 | legal.size());
          print.add(std::uint64_t{action.verb} << 48 | std::uint64_t{action.a} << 32 | std::uint64_t{action.b} << 16 | action.c);
        });
    print.add(one_line(G::save(sc, s)));
  }
  return print.value();
}

template <class Visit>
void each_scenario(Visit&& visit) {
  for (const std::string& game : game_ids()) {
    with_game(game, [&]<class Tag>(Tag) {
      for (const std::string& id : scenario_ids(game)) {
        const auto file = shipped_scenario(game, id);
        if (!file) continue;
        if (const auto scenario = Tag::Type::load(*file, {})) visit(Tag{}, id, *scenario);
      }
    });
  }
}

void tell_speed(Terminal& terminal, const Json& json) {
  terminal.print("{} · {}\n  {:.2f} million decisions/s on one core, random play, legal actions listed at each\n",
                 json["game"].get<std::string>(), json["scenario"].get<std::string>(), json["decisions_per_second"].get<double>() / 1e6);
  terminal.print("  {:.1f} % of them with more than one legal action\n", 100 * json["real_choices"].get<double>());
  terminal.print("  state {} bytes, knowledge {} bytes\n", json["state_bytes"].get<std::size_t>(),
                 json["knowledge_bytes"].get<std::size_t>());
  terminal.print("  about {} ns to copy, {} to list, {} to apply, {} to observe, {} to imagine\n", json["copy_ns"].get<double>(),
                 json["list_ns"].get<double>(), json["apply_ns"].get<double>(), json["observe_ns"].get<double>(),
                 json["imagine_ns"].get<double>());
  for (const Json& search : json["search"]) {
    terminal.print("  {:.0f} search iterations/s on one core as deep as {}: {} turns and {:.0f} decisions\n",
                   search["iterations_per_second"].get<double>(), search["level"].get<std::string>(), search["turns_ahead"].get<int>(),
                   search["decisions_per_iteration"].get<double>());
  }
  terminal.print("  two threads make {:.2f} times as many iterations\n", json["gain_of_two_threads"].get<double>());
}

}  // namespace

int run_bench(const Words& words, Terminal& terminal) {
  CLI::App command("How fast the rules are; or a number that changes when what they do changes.", "baton bench");
  bool as_json = false, only_fingerprint = false;
  command.add_flag("--json", as_json, "print one JSON object");
  command.add_flag("--fingerprint", only_fingerprint, "print the fingerprint of fixed seeded games instead of speeds");
  if (const auto code = parse(command, words, terminal)) return *code;

  Json results = Json::array();
  Fingerprint whole;
  each_scenario([&]<class Tag>(Tag, const std::string& id, const auto& scenario) {
    using G = typename Tag::Type;
    if (only_fingerprint) {
      const std::uint32_t one = fingerprint<G>(scenario);
      whole.add(one);
      results.push_back({{"game", G::id}, {"scenario", id}, {"fingerprint", one}});
    } else {
      results.push_back(speed_json<G>(id, scenario));
      if (!as_json) tell_speed(terminal, results.back());
    }
  });
  if (as_json) {
    Json json = {{"results", results}};
    if (only_fingerprint) json["fingerprint"] = whole.value();
    terminal.line(json.dump(2));
  } else if (only_fingerprint) {
    terminal.line(std::to_string(whole.value()));
  }
  return exit_done;
}

}  // namespace baton::app
