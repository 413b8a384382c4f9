// The scripted people of `baton load`.
#include "table/load.h"

#include <gtest/gtest.h>

namespace baton::table {
namespace {

TEST(Load, CompanyLeaderIsPlacedAtOnceAndFoughtOut) {
  LoadPlan plan;
  plan.game = "company-leader";
  plan.tables = 4;
  plan.with_bots = 2;
  plan.actions_per_second = 40;
  plan.seconds = 3;
  plan.warm_up_seconds = 2;
  const auto report = run_load(plan);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_GT(report->actions, 60);
  EXPECT_EQ(report->refused, 0) << "what the server takes by itself is nobody's choice";
  EXPECT_EQ(report->games_ended, 0) << "nobody gives up";
}

TEST(Load, ScriptedPeopleTakeWhatAPersonWould) {
  EXPECT_EQ(scripted_choices(R"([{"do":"place","piece":"tank","field":"a1"},{"do":"place-for-me"}])"),
            (std::vector<std::string>{R"({"do":"place-for-me"})"}));
  EXPECT_EQ(scripted_choices(R"([{"do":"place-again"},{"do":"ready"}])"), (std::vector<std::string>{R"({"do":"ready"})"}));
  EXPECT_EQ(scripted_choices(R"([{"do":"stay"},{"do":"step"},{"do":"surrender"}])"),
            (std::vector<std::string>{R"({"do":"stay"})", R"({"do":"step"})"}));
  EXPECT_TRUE(is_a_choice(R"([{"do":"stay"},{"do":"step"},{"do":"surrender"}])"));
  EXPECT_FALSE(is_a_choice(R"([{"do":"stay"},{"do":"surrender"}])")) << "the server stays by itself";
  EXPECT_FALSE(is_a_choice(R"([{"do":"place-again"}])")) << "whoever is ready waits for the others";
  EXPECT_FALSE(is_a_choice("[]"));
}

}  // namespace
}  // namespace baton::table
