// Suppression · R31, R32: the odds against every way the dice can fall.
#include "games/company_commander/test_odds.h"

namespace baton::company_commander {
namespace {

void expect_exact(const Board& board, Action action, const Barrage& barrage) {
  const FireOdds odds = suppression_odds(board.sc, board.s, barrage);
  EXPECT_TRUE(odds.exact);
  const SidesOdds others = by_brute_force(board.sc, board.s, action);
  expect_same(odds.targets, others[at(other(board.s.active))], 0, "targets");
}

TEST(Odds, SuppressionOfAUnit) {
  const Scenario sc = normandy();
  const auto fire = [&](const Board& board, std::string_view unit, int front) {
    const int number = unit_named(sc, unit);
    expect_exact(board, act(Verb::suppress, number, front), unit_barrage(sc, board.s, number % max_units, front, no_card));
  };
  fire(suppression(sc).put("mg50-1", left).put("jaeger-1", left).put("german-half-1", left, 0, 1), "mg50-1", left);
  Board mortar = suppression(sc).put("mortar81-1", left).put("jaeger-1", center).put("panzer4-1", center);
  fire(mortar, "mortar81-1", center);  // +1, and +1 from the flank
  mortar.s.fire_direction[center] = 1;
  fire(mortar, "mortar81-1", center);
  fire(suppression(sc).put("sherman-1", left).put("pak40-1", left).put("halftrack-1", left).put("jaeger-1", left), "sherman-1", left);
  fire(suppression(sc, german).put("sniper-1", left).put("sherman-1", left).put("rifle-1", left, 1), "sniper-1", left);
}

TEST(Odds, SuppressionByCards) {
  for (const bool sum : {false, true}) {
    Scenario sc = normandy({{"support_roll_mode", sum ? "sum_nd6" : "n_times_2d6"}});
    const int card = card_named(sc, "dive-bomber");
    if (!sum) sc.cards[at(card)].amount = 2;  // a third roll has too many branches
    Board board = suppression(sc).put("jaeger-1", right).put("panzer4-1", right).put("german-half-1", right);
    board.s.hand[us] = sc.copies[at(card)];
    expect_exact(board, act(Verb::play_front, card, right), support_barrage(sc, card, right));
    board.s.force[us].kills = 9;
    board.s.fire_direction[right] = 1;
    expect_exact(board, act(Verb::play_front, card, right), support_barrage(sc, card, right));
  }
  const Scenario sc = normandy();
  const int grenades = card_named(sc, "rifle-grenades"), rifle = unit_named(sc, "rifle-1");
  Board board = suppression(sc).put("rifle-1", left).put("jaeger-1", left).put("german-half-1", left);
  board.s.hand[us] = sc.copies[at(grenades)];
  expect_exact(board, act(Verb::play_unit_front, grenades, rifle, left), unit_barrage(sc, board.s, rifle, left, grenades));
}

TEST(Odds, SuppressionByFourRollsPlayed) {
  const Scenario sc = normandy();
  const int card = card_named(sc, "howitzer-battery");
  Board board = suppression(sc);
  for (const char* name : {"jaeger-1", "jaeger-2", "stosstrupp-1", "german-half-1", "panzer4-1", "pak40-1"}) board.put(name, left);
  board.s.hand[us] = sc.copies[at(card)] & -sc.copies[at(card)];
  const FireOdds odds = suppression_odds(sc, board.s, support_barrage(sc, card, left));
  const int fights = fights_to_play / 5;
  expect_same(odds.targets, by_playing(sc, board.s, act(Verb::play_front, card, left), fights)[german], fights, "targets");
  const FireOdds guess = suppression_odds(sc, board.s, support_barrage(sc, card, left), 0);
  EXPECT_FALSE(guess.exact);
  expect_same(odds.targets, guess.targets, estimate_fights, "targets");
}

// A roll that lies on the table falls before the others.
TEST(Odds, RollOnTheTable) {
  const Scenario sc = normandy();
  Board board = suppression(sc).put("jaeger-1", left).put("m8-1", left).put("german-half-1", left);
  board.s.step = Step::roll_reaction;
  board.s.chooser = german;
  board.s.barrage = support_barrage(sc, card_named(sc, "dive-bomber"), left);
  board.s.barrage.rolls_left = 2;
  board.s.barrage.result = static_cast<std::uint8_t>(Outcome::casualty);
  expect_exact(board, act(Verb::pass), board.s.barrage);
  board.s.barrage.rolls_left = 0;
  expect_exact(board, act(Verb::pass), board.s.barrage);
}

TEST(Odds, SpottedUnit) {
  for (const bool commanders : {false, true}) {
    const Scenario sc = normandy({{"commander_option", commanders ? "true" : "false"}});
    for (const char* name : {"us-recon-1", "m8-1"}) {
      Board board = Board(sc).put(name, left).put("us-platoon-hq-1", left);
      board.s.step = Step::recon;
      const int unit = unit_named(sc, name);
      const double spotted = recon_odds(sc, us, unit).spotted;
      SideOdds odds = spotted_odds(sc, board.s, unit);
      expect_sums(odds);
      const SidesOdds others = by_brute_force(sc, board.s, act(Verb::recon, unit));
      for (std::size_t n = 1; n < 2; ++n) {
        EXPECT_NEAR(spotted * at_or_0(odds.pins, n), at_or_0(others[us].pins, n), 1e-12);
        EXPECT_NEAR(spotted * at_or_0(odds.casualties, n), at_or_0(others[us].casualties, n), 1e-12);
        EXPECT_NEAR(spotted * at_or_0(odds.removals, n), at_or_0(others[us].removals, n), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace baton::company_commander
