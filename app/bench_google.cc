// Google Benchmark of the five costs that search and bulk play live on, and of the view that a server sends, for every game and scenario.
#include <benchmark/benchmark.h>

#include <memory>

#include "app/playout.h"
#include "match/registry.h"
#include "match/viewing.h"

namespace baton::app {
namespace {

template <Game G>
struct Moment {
  typename G::State state;
  Seat seat;
  Action action;
};

template <Game G>
struct Positions {
  typename G::Scenario scenario;
  std::vector<Moment<G>> moments;
};

template <Game G>
std::shared_ptr<const Positions<G>> positions(typename G::Scenario scenario) {
  auto made = std::make_shared<Positions<G>>(Positions<G>{std::move(scenario), {}});
  for (std::uint64_t game = 0; made->moments.size() < 4096; ++game) {
    FastChance dice(game), choices(game, choice_stream);
    Events unheard = Events::unheard();
    auto s = G::start(made->scenario, dice, unheard);
    play_out<G>(
        made->scenario, s, dice, [&](Seat, const ActionList& legal) { return any_action<G>(legal, choices); },
        [&](Seat seat, const ActionList&, Action action) {
          made->moments.push_back({s, seat, action});
        });
  }
  return made;
}

template <Game G, class F>
void add(const std::string& name, std::shared_ptr<const Positions<G>> all, F f) {
  benchmark::RegisterBenchmark(name.c_str(), [all, f](benchmark::State& run) {
    FastChance chance(1);
    std::size_t i = 0;
    for (auto _ : run) {
      f(all->scenario, all->moments[i], chance);
      if (++i == all->moments.size()) i = 0;
    }
  });
}

template <Game G>
void add_game(const std::string& name, std::shared_ptr<const Positions<G>> all) {
  using Scenario = typename G::Scenario;
  add<G>(name + "/copy", all, [](const Scenario&, const Moment<G>& m, Chance&) {
    auto s = m.state;
    benchmark::DoNotOptimize(s);
  });
  add<G>(name + "/list", all, [](const Scenario& sc, const Moment<G>& m, Chance&) {
    ActionList legal;
    G::actions(sc, m.state, m.seat, legal);
    benchmark::DoNotOptimize(legal.size());
  });
  add<G>(name + "/copy-and-apply", all, [](const Scenario& sc, const Moment<G>& m, Chance& chance) {
    auto s = m.state;
    Events unheard = Events::unheard();
    G::apply(sc, s, m.seat, m.action, chance, unheard);
    benchmark::DoNotOptimize(s);
  });
  add<G>(name + "/observe", all,
         [](const Scenario& sc, const Moment<G>& m, Chance&) { benchmark::DoNotOptimize(G::observe(sc, m.state, m.seat)); });
  add<G>(name + "/observe-and-imagine", all, [](const Scenario& sc, const Moment<G>& m, Chance& chance) {
    benchmark::DoNotOptimize(G::imagine(sc, G::observe(sc, m.state, m.seat), chance));
  });
  add<G>(name + "/view", all, [reckoned = std::make_shared<ReckonedOf<G>>()](const Scenario& sc, const Moment<G>& m, Chance&) {
    JsonText out;
    write_view<G>(sc, m.state, m.seat, *reckoned, out);
    benchmark::DoNotOptimize(out.text().size());
  });
}

void add_all() {
  for (const std::string& game : game_ids()) {
    with_game(game, [&]<class Tag>(Tag) {
      using G = typename Tag::Type;
      for (const std::string& id : scenario_ids(game)) {
        const auto file = shipped_scenario(game, id);
        if (!file) continue;
        if (auto scenario = G::load(*file, {})) add_game<G>(game + "/" + id, positions<G>(std::move(*scenario)));
      }
    });
  }
}

}  // namespace
}  // namespace baton::app

int main(int count, char** words) {
  baton::app::add_all();
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
