#include "app/resolved_player.h"

#include <nlohmann/json.hpp>

#include "app/playout.h"
#include "bots/minds.h"
#include "match/spelling.h"

namespace baton::app {

Budget budget_in(std::string_view game, const PlayerKind& kind, Counting counting) {
  Budget budget = counting == Counting::time ? kind.by_time : kind.by_iterations;
  with_game(game, [&]<class Tag>(Tag) { budget = baton::budget_in<typename Tag::Type>(kind, budget); });
  return budget;
}

Json resolved_player(std::string_view game, const PlayerKind& kind, Counting counting) {
  const Budget budget = budget_in(game, kind, counting);
  Json json = {{"kind", kind.text}, {"iterations", budget.iterations}, {"time", budget.time.count()}};
  if (kind.type != PlayerKind::Type::search) return json;
  json["threads"] = budget.threads;
  with_game(game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    const SearchSettings& settings = kind.settings;
    // There are ten. One that is added does not compile until it is told here too.
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j] = settings;
    json["turns"] = settings.turns_ahead;
    if constexpr (requires { G::foresight; }) {
      if (settings.while_it_pays) json["rounds"] = G::foresight;
    }
    json["exploration"] = settings.exploration;
    json["carelessness"] = settings.carelessness;
    json["kinship"] = settings.kinship;
    json["breadth"] = settings.breadth;
    json["overlooks"] = settings.overlooks;
    json["prudence"] = settings.prudence;
    json["sharpness"] = settings.sharpness.value_or(sharpness<G>());
    json["impatience"] = settings.impatience.value_or(impatience<G>());
  });
  return json;
}

std::string play_fingerprint(const ChosenGame& chosen) {
  std::string told;
  with_game(chosen.game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    const auto scenario = G::load(chosen.scenario, chosen.options);
    if (!scenario) return;
    const PlayerKind kind = *read_player_kind("general:iterations=40,turns=2");
    const auto search = make_mind<G>(kind, kind.by_iterations);
    GreedyMind<G> greedy;
    FastChance dice(1), choices(1, choice_stream);
    Events unheard = Events::unheard();
    auto s = G::start(*scenario, dice, unheard);
    ActionList legal;
    for (int decision = 0; decision < 60 && !G::choosing(*scenario, s).empty(); ++decision) {
      const Seat seat = G::choosing(*scenario, s).front();
      legal.clear();
      G::actions(*scenario, s, seat, legal);
      Mind<G>& mind = index(seat) == 0 ? *search : static_cast<Mind<G>&>(greedy);
      const Action action = mind.choose(*scenario, G::observe(*scenario, s, seat), seat, legal, choices);
      told += words_of<G>(*scenario, action) + "\n";
      for (const Considered& one : mind.thoughts().actions) told += fmt::format("{} {:a} {:a} ", one.visits, one.value, one.win_chance);
      G::apply(*scenario, s, seat, action, dice, unheard);
    }
  });
  return hash_of(told);
}

}  // namespace baton::app
