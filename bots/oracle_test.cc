// A bot that sees the truth, to measure what honesty costs. It exists here and nowhere else.
//
// BATON_ORACLE_GAMES=400 BATON_ORACLE_PLAYER=captain baton_bots_test --gtest_filter='Oracle*' measures at length.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "bots/minds.h"
#include "match/registry.h"

namespace baton {
namespace {

// The same game for a player who is told everything: his imagination always hits the truth.
template <class Honest>
struct Peeking : Honest {
  using Scenario = typename Honest::Scenario;
  using State = typename Honest::State;
  struct Knowledge : Honest::Knowledge {
    State truth;
    bool operator==(const Knowledge&) const = default;
  };
  static Knowledge observe(const Scenario& sc, const State& s, Seat viewer) { return {Honest::observe(sc, s, viewer), s}; }
  static State imagine(const Scenario&, const Knowledge& k, Chance&) { return k.truth; }
  static void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises) {
    Honest::promise(sc, k, legal, promises);
  }
  template <class Remembered>
  static void promise(const Scenario& sc, const Knowledge& k, Remembered& remembered, const ActionList& legal, std::span<float> promises) {
    Honest::promise(sc, k, remembered, legal, promises);
  }
  static void view(const Scenario& sc, const Knowledge& k, JsonText& out) { Honest::view(sc, k, out); }
};

const char* from_environment(const char* name, const char* otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : otherwise;
}

// 1 when the oracle in seat `oracle` wins.
template <class Honest>
double play(const typename Honest::Scenario& sc, std::uint64_t seed, int oracle, const PlayerKind& player) {
  FastChance dice(seed), choices(seed, 1);
  Events silent = Events::unheard();
  const auto peeking = make_mind<Peeking<Honest>>(player, player.by_iterations);
  const auto honest = make_mind<Honest>(player, player.by_iterations);
  ActionList legal;
  typename Honest::State s = Honest::start(sc, dice, silent);
  while (!Honest::choosing(sc, s).empty()) {
    const Seat seat = Honest::choosing(sc, s).front();
    legal.clear();
    Honest::actions(sc, s, seat, legal);
    const Action action = index(seat) == oracle ? peeking->choose(sc, Peeking<Honest>::observe(sc, s, seat), seat, legal, choices)
                                                : honest->choose(sc, Honest::observe(sc, s, seat), seat, legal, choices);
    EXPECT_EQ(Honest::why_not(sc, s, seat, action), Honest::Refusal::none);
    Honest::apply(sc, s, seat, action, dice, silent);
  }
  return 0.5 + 0.5 * Honest::result(sc, s).score[static_cast<std::size_t>(oracle)];
}

template <class Honest>
void expect_no_weaker(const char* scenario, const char* usual_games, const char* usual_player) {
  const auto sc = Honest::load(*shipped_scenario(Honest::id, scenario), {});
  ASSERT_TRUE(sc);
  const int games = std::atoi(from_environment("BATON_ORACLE_GAMES", usual_games));
  ASSERT_GT(games, 0);
  const auto player = read_player_kind(from_environment("BATON_ORACLE_PLAYER", usual_player));
  ASSERT_TRUE(player) << player.error().text();
  ASSERT_EQ(player->type, PlayerKind::Type::search);
  double points = 0;
  for (int game = 0; game < games; ++game) points += play<Honest>(*sc, static_cast<std::uint64_t>(100 + game / 2), game % 2, *player);
  const double share = points / games, half_interval = 1.96 * std::sqrt(0.25 / games);
  testing::Test::RecordProperty("score", std::to_string(share));
  std::printf("oracle: %.1f of %d points, %.1f %% (± %.1f) against %s\n", points, games, 100 * share, 100 * half_interval,
              player->text.c_str());
  EXPECT_GT(share + half_interval, 0.5);
}

TEST(Oracle, IsNotWeakerThanAnHonestBotInCompanyCommander) {
  expect_no_weaker<company_commander::Game>("normandy", "40", "captain:iterations=100,turns=2");
}
TEST(Oracle, IsNotWeakerThanAnHonestBotInCompanyLeader) {
  expect_no_weaker<company_leader::Game>("standard", "12", "captain:iterations=12,turns=2");
}

}  // namespace
}  // namespace baton
