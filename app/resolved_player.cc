#include "app/resolved_player.h"

#include <nlohmann/json.hpp>

#include "bots/minds.h"

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
    // There are eight. One that is added does not compile until it is told here too.
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h] = settings;
    json["turns"] = settings.turns_ahead;
    json["exploration"] = settings.exploration;
    json["carelessness"] = settings.carelessness;
    json["kinship"] = settings.kinship;
    json["breadth"] = settings.breadth;
    json["slips"] = settings.slips;
    json["sharpness"] = settings.sharpness.value_or(sharpness<G>());
    json["impatience"] = settings.impatience.value_or(impatience<G>());
  });
  return json;
}

std::string weights_hash(std::span<const float> weights) {
  std::string text;
  for (const float weight : weights) text += fmt::format("{} ", weight);
  return hash_of(text);
}

std::string weights_hash(const ChosenGame& chosen) {
  std::string hash;
  with_game(chosen.game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    if constexpr (requires(typename G::Scenario& sc) { G::weights(sc); }) {
      if (auto scenario = G::load(chosen.scenario, chosen.options)) hash = weights_hash(std::span<const float>(G::weights(*scenario)));
    }
  });
  return hash;
}

}  // namespace baton::app
