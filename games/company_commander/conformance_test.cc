// Random games of Company Commander under the promises of the contract, for every option.
#include "match/conformance.h"

#include <gmock/gmock.h>

#include <set>

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

ScenarioFile scenario_file(const std::string& id) { return *shipped_scenario("company-commander", id); }

// Every value of every option but the standard one, each by itself.
std::vector<OptionValues> options_alone() {
  std::vector<OptionValues> all;
  for (const Option& option : company_commander::options()) {
    std::vector<std::string> values;
    switch (option.type) {
      case Option::Type::flag: values = {"true", "false"}; break;
      case Option::Type::choice: values.assign(option.values.begin(), option.values.end()); break;
      case Option::Type::number: values = {"1", "3", "12", std::to_string(option.most)}; break;
    }
    for (const std::string& value : values) {
      if (value != option.standard) all.push_back({{std::string(option.name), value}});
    }
  }
  return all;
}

const std::vector<OptionValues> options_together = {
    {{"commander_option", "true"}, {"hq_rally_scope", "any_front"}},
    {{"fire_bonus_mode", "drm"}, {"support_roll_mode", "sum_nd6"}, {"first_turn_balance", "true"}},
    {{"commander_option", "true"}, {"max_rounds", "8"}, {"half_squad_us_is_infantry", "true"}},
    {{"fire_bonus_mode", "drm"},
     {"support_roll_mode", "sum_nd6"},
     {"hq_rally_scope", "any_front"},
     {"commander_option", "true"},
     {"half_squad_us_is_infantry", "true"},
     {"first_turn_balance", "true"},
     {"max_rounds", "20"}},
};

// --- The whole contract, records and views included -------------------------------------------------------------------

void conforms(const std::string& scenario, const OptionValues& options, std::uint64_t first_seed, int games, int sample_every = 25,
              int seat_records_every = 5) {
  SCOPED_TRACE(scenario + ", " + options_text(options));
  ConformanceSettings settings;
  settings.first_seed = first_seed;
  settings.games = std::max(1, games / share);
  settings.sample_every = sample_every;
  settings.seat_records_every = seat_records_every;
  const auto done = conformance<Game>(scenario_file(scenario), options, settings);
  EXPECT_EQ(done.failure.value_or(""), "");
  EXPECT_EQ(done.games, settings.games);
}

TEST(CompanyCommanderConformance, Standard) { conforms("normandy", {}, 1, 10); }

TEST(CompanyCommanderConformance, EveryOptionAlone) {
  std::uint64_t seed = 1000;
  for (const OptionValues& options : options_alone()) conforms("normandy", options, seed += 100, 1);
}

TEST(CompanyCommanderConformance, OptionsTogether) {
  std::uint64_t seed = 5000;
  for (const OptionValues& options : options_together) conforms("normandy", options, seed += 100, 1);
}

TEST(CompanyCommanderConformance, EveryOtherScenario) {
  for (const std::string& id : scenario_ids("company-commander")) {
    if (id == "normandy") continue;
    conforms(id, {}, 6000, 4);
    conforms(id, options_together.back(), 6500, 2);
  }
}

// One game, every third decision looked at closely.
TEST(CompanyCommanderConformance, Closely) { conforms("normandy", {}, 7000, 1, 3); }

// Many games, each looked at closely in a few places only; every one is recorded, replayed and branched.
TEST(CompanyCommanderConformance, ManyGames) { conforms("normandy", {}, 10'000, 600, 600, 100); }

TEST(CompanyCommanderConformance, ManyGamesWithEachOption) {
  std::uint64_t seed = 20'000;
  for (const OptionValues& options : options_alone()) conforms("normandy", options, seed += 100, 50, 600, 100);
}

TEST(CompanyCommanderConformance, ManyGamesWithOptionsTogether) {
  std::uint64_t seed = 30'000;
  for (const OptionValues& options : options_together) conforms("normandy", options, seed += 100, 100, 600, 100);
}

TEST(CompanyCommanderConformance, ManyGamesOfEveryOtherScenario) {
  std::uint64_t seed = 40'000;
  for (const std::string& id : scenario_ids("company-commander")) {
    if (id != "normandy") conforms(id, {}, seed += 1000, 400, 600, 100);
  }
}

// --- Thousands of games, the rules alone ------------------------------------------------------------------------------

struct Seen {
  std::set<Step> steps;
  std::set<std::string> verbs, events, played, reasons;
  int games = 0;
  std::int64_t decisions = 0;
};

// Every game ends; what is listed is legal and differs; nothing is lost; a saved position comes back; what a viewer
// imagines looks to him like the truth.
void play(const Scenario& sc, std::uint64_t first_seed, int games, Seen& seen) {
  std::vector<Event> told;
  for (int game = 0; game < std::max(1, games / share); ++game) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(game);
    SCOPED_TRACE("seed " + std::to_string(seed));
    FastChance dice(seed, 3), choices(seed, 4), checks(seed, 5);
    Events log(&told);
    State s = start(sc, dice, log);
    const auto whole = conserved(sc, s);
    for (int decision = 0; !choosing(sc, s).empty(); ++decision) {
      ASSERT_LT(decision, 20'000);
      const Seat seat = choosing(sc, s).front();
      ActionList list;
      actions(sc, s, seat, list);
      ASSERT_FALSE(list.empty());
      for (const Action action : list) ASSERT_EQ(why_not(sc, s, seat, action), Refusal::none) << words_of<Game>(sc, action);
      if (checks.pick(40) == 0) {
        const Seat viewer = Seat(static_cast<std::uint8_t>(checks.pick(2)));
        const Knowledge known = observe(sc, s, viewer);
        const State imagined = imagine(sc, known, checks);
        ASSERT_EQ(observe(sc, imagined, viewer), known);
        ASSERT_EQ(conserved(sc, imagined), whole);
        ActionList same;
        actions(sc, imagined, viewer, same);
        ASSERT_TRUE(viewer != seat || std::equal(list.begin(), list.end(), same.begin(), same.end()));
      }
      if (checks.pick(400) == 0) {
        const auto restored = restore(sc, save(sc, s));
        ASSERT_TRUE(restored) << restored.error().text();
        ASSERT_EQ(*restored, s);
      }
      const Action action = list[choices.pick(static_cast<std::uint32_t>(list.size()))];
      if (game % 16 == 0) {
        seen.steps.insert(s.step);
        seen.verbs.insert(std::to_string(action.verb) + " " + std::string(verbs()[action.verb].name));
        if (verbs()[action.verb].name == "play") seen.played.insert(sc.cards[action.a].id);
      }
      apply(sc, s, seat, action, dice, log);
      ASSERT_EQ(conserved(sc, s), whole) << words_of<Game>(sc, action);
      ++seen.decisions;
    }
    for (const Event& event : told) seen.events.insert(std::string(events()[event.kind].name));
    told.clear();
    seen.reasons.insert(std::string(reasons()[result(sc, s).reason]));
    ++seen.games;
  }
}

TEST(CompanyCommanderConformance, ThousandsOfGames) {
  Seen seen;
  const auto all = [&](const std::string& id, const OptionValues& options, std::uint64_t seed, int games) {
    SCOPED_TRACE(id + ", " + options_text(options));
    const auto scenario = load(scenario_file(id), options);
    ASSERT_TRUE(scenario) << scenario.error().text();
    play(*scenario, seed, games, seen);
  };
  all("normandy", {}, 100'000, 1500);
  std::uint64_t seed = 200'000;
  for (const OptionValues& options : options_alone()) all("normandy", options, seed += 1000, 150);
  for (const OptionValues& options : options_together) all("normandy", options, seed += 1000, 150);
  for (const std::string& id : scenario_ids("company-commander")) all(id, options_together.back(), seed += 1000, 200);
  if (share > 1 || HasFatalFailure()) return;

  // Random games come everywhere.
  EXPECT_GT(seen.games, 3000);
  EXPECT_EQ(seen.steps.size(), static_cast<std::size_t>(step_count - 1));  // all but "over"
  EXPECT_EQ(seen.verbs.size(), static_cast<std::size_t>(verb_count)) << testing::PrintToString(seen.verbs);
  EXPECT_EQ(seen.reasons, (std::set<std::string>{"kills", "fronts", "round-limit"}));
  const Scenario normandy = *load(scenario_file("normandy"), {});
  for (const CardKind& card : normandy.cards) EXPECT_TRUE(seen.played.contains(card.id)) << card.id;
  for (const Phrase& event : events()) EXPECT_TRUE(seen.events.contains(std::string(event.name))) << event.name;
}

}  // namespace
}  // namespace baton::company_commander
