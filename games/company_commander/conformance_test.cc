// Random games of Company Commander under the promises of the contract, for every option.
#include "match/conformance.h"

#include <gtest/gtest.h>

#include "games/company_commander/game.h"
#include "match/registry.h"

namespace baton::company_commander {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int share = 20;  // of the games, so that a sanitized run does not take all day
#else
constexpr int share = 1;
#endif

std::string options_text(const OptionValues& options) {
  std::string text;
  for (const auto& [name, value] : options) text += (text.empty() ? "" : ", ") + name + " = " + value;
  return text.empty() ? "no option" : text;
}

void conforms(const std::string& scenario, const OptionValues& options, std::uint64_t first_seed, int games) {
  SCOPED_TRACE(scenario + ", " + options_text(options));
  const auto file = shipped_scenario("company-commander", scenario);
  ASSERT_TRUE(file) << file.error().text();
  ConformanceSettings settings;
  settings.first_seed = first_seed;
  settings.games = std::max(1, games / share);
  settings.sample_every = 400;
  settings.illegal_samples = 100;
  const auto done = conformance<Game>(*file, options, settings);
  EXPECT_EQ(done.failure.value_or(""), "");
  EXPECT_EQ(done.games, settings.games);
}

TEST(CompanyCommanderConformance, Standard) { conforms("normandy", {}, 1, 800); }

TEST(CompanyCommanderConformance, EveryOptionAlone) {
  std::uint64_t seed = 10'000;
  for (const Option& option : company_commander::options()) {
    std::vector<std::string> values;
    switch (option.type) {
      case Option::Type::flag: values = {"true", "false"}; break;
      case Option::Type::choice: values.assign(option.values.begin(), option.values.end()); break;
      case Option::Type::number: values = {"1", "3", "12", std::to_string(option.most)}; break;
    }
    for (const std::string& value : values) {
      if (value == option.standard) continue;
      conforms("normandy", {{std::string(option.name), value}}, seed, 100);
      seed += 1000;
    }
  }
}

TEST(CompanyCommanderConformance, OptionsTogether) {
  conforms("normandy", {{"commander_option", "true"}, {"hq_rally_scope", "any_front"}}, 30'000, 100);
  conforms("normandy", {{"fire_bonus_mode", "drm"}, {"support_roll_mode", "sum_nd6"}, {"first_turn_balance", "true"}}, 31'000, 100);
  conforms("normandy", {{"commander_option", "true"}, {"max_rounds", "8"}, {"half_squad_us_is_infantry", "true"}}, 32'000, 100);
  conforms("normandy",
           {{"fire_bonus_mode", "drm"},
            {"support_roll_mode", "sum_nd6"},
            {"hq_rally_scope", "any_front"},
            {"commander_option", "true"},
            {"half_squad_us_is_infantry", "true"},
            {"first_turn_balance", "true"},
            {"max_rounds", "20"}},
           33'000, 100);
}

TEST(CompanyCommanderConformance, EveryOtherScenario) {
  for (const std::string& id : scenario_ids("company-commander")) {
    if (id == "normandy") continue;
    conforms(id, {}, 40'000, 300);
    conforms(id, {{"commander_option", "true"}, {"fire_bonus_mode", "drm"}}, 41'000, 100);
  }
}

// Few games, every decision looked at closely.
TEST(CompanyCommanderConformance, Closely) {
  const ConformanceSettings settings{.first_seed = 50'000, .games = std::max(1, 20 / share), .sample_every = 4, .paired_steps = 20};
  const auto done = conformance<Game>(*shipped_scenario("company-commander", "normandy"), {}, settings);
  EXPECT_EQ(done.failure.value_or(""), "");
}

}  // namespace
}  // namespace baton::company_commander
