// The odds of combats against the rules themselves: every way the dice can fall for small fights, very many played ones for large.
#include "games/company_commander/test_odds.h"

namespace baton::company_commander {
namespace {

// --- The rulings' own table (section 2) ------------------------------------------------------------------------------

TEST(Odds, TableOfTheRulings) {
  const Scenario sc = normandy();
  const std::array<std::array<double, 2>, 4> fire = {{{33.3, 0}, {33.3, 16.7}, {33.3, 33.3}, {33.3, 50.0}}};
  const std::array<std::array<double, 2>, 4> suppression = {{{25.0, 2.8}, {33.3, 8.3}, {41.7, 16.7}, {44.4, 27.8}}};
  const std::array<double, 4> rally = {16.7, 33.3, 50.0, 66.7};
  for (int modifier = -1; modifier <= 2; ++modifier) {
    const auto i = at(modifier + 1);
    EXPECT_NEAR(100 * fire_roll_odds(sc, modifier).pin, fire[i][0], 0.05) << modifier;
    EXPECT_NEAR(100 * fire_roll_odds(sc, modifier).casualty, fire[i][1], 0.05) << modifier;
    EXPECT_NEAR(100 * suppression_roll_odds(sc, modifier).pin, suppression[i][0], 0.05) << modifier;
    EXPECT_NEAR(100 * suppression_roll_odds(sc, modifier).casualty, suppression[i][1], 0.05) << modifier;
    EXPECT_NEAR(100 * rally_odds(sc, modifier), rally[i], 0.05) << modifier;
  }
  // Armour: the M8 without modifier, the Sherman with +2.
  const int m8 = unit_named(sc, "m8-1"), sherman = unit_named(sc, "sherman-1");
  EXPECT_NEAR(100 * hit_odds(sc, us, m8, false, false).nothing, 16.7, 0.05);
  EXPECT_NEAR(100 * hit_odds(sc, us, m8, true, false).pin, 16.7, 0.05);
  EXPECT_NEAR(100 * hit_odds(sc, us, sherman, false, false).nothing, 50.0, 0.05);
  EXPECT_NEAR(100 * hit_odds(sc, us, sherman, true, false).casualty, 50.0, 0.05);
  EXPECT_EQ(hit_odds(sc, us, sherman, true, true), (HitOdds{1, 0, 0, 0}));  // R50
  EXPECT_EQ(hit_odds(sc, us, m8, true, true), hit_odds(sc, us, m8, true, false));
}

TEST(Odds, ReconRoll) {
  const Scenario sc = normandy();
  const ReconOdds team = recon_odds(sc, us, unit_named(sc, "us-recon-1")), car = recon_odds(sc, us, unit_named(sc, "m8-1"));
  EXPECT_NEAR(team.spotted, 2 / 6.0, 1e-12);
  EXPECT_NEAR(team.nothing, 2 / 6.0, 1e-12);
  EXPECT_NEAR(team.success, 2 / 6.0, 1e-12);
  EXPECT_NEAR(car.spotted, 1 / 6.0, 1e-12);
  EXPECT_NEAR(car.success, 3 / 6.0, 1e-12);
}

// --- Combats, every branch -------------------------------------------------------------------------------------------

TEST(Odds, AssaultOfOneOnOne) {
  const Scenario sc = normandy();
  const Board board = Board(sc).attacker("rifle-1", left, left).put("jaeger-1", left).combat(left);
  expect_exact(board);
  // By hand: the attacker fires two dice if both defending dice show 1–3, one if he has taken a casualty and no pin …
  const CombatOdds odds = assault_odds(sc, board.s, left);
  EXPECT_NEAR(odds.attackers.removals.at(1), 1 / 36.0, 1e-12);
  const double two = 1 / 4.0, one = 2 * (1 / 2.0) * (1 / 6.0);
  EXPECT_NEAR(odds.defenders.removals.at(1), two / 36.0, 1e-12);
  EXPECT_NEAR(odds.defenders.casualties.at(1), two * 2 * (1 / 6.0) * (5 / 6.0) + one / 6.0, 1e-12);
}

TEST(Odds, StrengthLeftGivesTheDice) {
  const Scenario sc = normandy();
  expect_exact(
      Board(sc).attacker("heavy-rifle-1", left, left, 1).attacker("us-half-1", left, left).put("stosstrupp-1", left, 1).combat(left));
  expect_exact(Board(sc).attacker("heavy-rifle-1", left, left).put("german-half-1", left).put("german-recon-1", left, 0, 1).combat(left));
}

TEST(Odds, PinnedAndGreenUnitsAreOnlyTargets) {
  const Scenario sc = normandy();
  Board board = Board(sc)
                    .attacker("rifle-1", left, left, 0, 1)
                    .attacker("us-half-1", left, left)
                    .put("jaeger-1", left)
                    .put("mg34-1", left, 0, 2)
                    .combat(left);
  expect_exact(board);
  board.s.force[german].green = bit(unit_named(sc, "jaeger-1") % max_units);
  expect_exact(board);
  EXPECT_EQ(assault_odds(sc, board.s, left).attackers.pins.size(), 1u);
}

TEST(Odds, AbilitiesAndCards) {
  const Scenario sc = normandy();
  // mg34 defends with three dice; an engineer assaults with three.
  expect_exact(Board(sc).attacker("us-recon-1", left, left).attacker("us-half-1", left, left).put("mg34-1", left).combat(left));
  expect_exact(Board(sc).attacker("engineer-1", left, left).put("german-half-1", left).put("german-recon-1", left).combat(left));
  Board board = Board(sc)
                    .attacker("rifle-1", left, left)
                    .attacker("us-half-1", left, left)
                    .put("german-half-1", left)
                    .put("german-recon-2", left)
                    .combat(left);
  board.s.combat.side_dice = {-1, 1};
  board.s.combat.unit_dice[0][at(unit_named(sc, "us-half-1"))] = 1;
  expect_exact(board);
  board.s.combat.silenced = bit(unit_named(sc, "rifle-1"));
  board.s.force[us].turn_dice[at(unit_named(sc, "us-half-1"))] = 1;
  expect_exact(board);
}

TEST(Odds, CoverToZeroDice) {
  const Scenario sc = normandy();
  Board board = Board(sc).attacker("us-half-1", left, left).attacker("us-recon-1", left, left).put("jaeger-1", left).combat(left);
  board.s.combat.side_dice[0] = -1;
  expect_exact(board);
  EXPECT_EQ(assault_odds(sc, board.s, left).defenders.pins.size(), 1u);
  board.s.combat.side_dice[0] = -2;
  expect_exact(board);
}

TEST(Odds, BonusAsModifier) {
  const Scenario sc = normandy({{"fire_bonus_mode", "drm"}});
  Board board = Board(sc)
                    .attacker("rifle-1", left, left)
                    .attacker("us-half-1", left, left)
                    .put("german-half-1", left)
                    .put("german-recon-1", left)
                    .combat(left);
  board.s.combat.side_dice = {1, -1};
  board.s.combat.unit_dice[0][at(unit_named(sc, "us-half-1"))] = 2;  // modifiers differ: two kinds of shots
  expect_exact(board);
  board.s.combat.side_dice = {-1, 2};
  expect_exact(board);
}

TEST(Odds, Flank) {
  const Scenario sc = normandy();
  // From the left, where no German stands, and straight ahead: two modifiers in one volley.
  expect_exact(Board(sc).attacker("rifle-1", left, center).put("jaeger-1", center).combat(center));
  expect_exact(Board(sc)
                   .attacker("rifle-1", center, center)
                   .attacker("us-half-1", left, center)
                   .put("german-half-1", center)
                   .put("german-recon-1", center)
                   .combat(center));
}

TEST(Odds, ArmourAndAntiTank) {
  const Scenario sc = normandy();
  // The Panzerschreck's casualties go to the Sherman or the M8 first; a pin goes to anybody.
  expect_exact(Board(sc).attacker("sherman-1", left, left).attacker("us-half-1", left, left).put("panzerschreck-1", left).combat(left));
  expect_exact(Board(sc)
                   .attacker("us-half-1", left, left)
                   .attacker("m8-1", left, left)
                   .put("panzerschreck-1", left)
                   .put("german-recon-1", left)
                   .combat(left));
  // Artillery has priority but no armour.
  expect_exact(Board(sc)
                   .attacker("bazooka-1", left, left)
                   .attacker("us-half-1", left, left)
                   .put("pak40-1", left, 0, 1)
                   .put("german-half-1", left)
                   .combat(left));
  Board granted = Board(sc, german).attacker("german-half-1", left, left).put("m8-1", left).put("us-half-1", left, 0, 1).combat(left);
  granted.s.force[german].anti_tank = bit(unit_named(sc, "german-half-1") % max_units);
  expect_exact(granted);
}

TEST(Odds, SniperInVainAgainstTanks) {
  const Scenario sc = normandy();
  expect_exact(Board(sc, german).attacker("sniper-1", left, left).put("sherman-1", left).put("us-half-1", left, 0, 1).combat(left));
  expect_exact(Board(sc).attacker("sherman-1", left, left).attacker("us-half-2", left, left).put("sniper-1", left).combat(left));
}

TEST(Odds, Mines) {
  const Scenario sc = normandy();
  Board board = Board(sc).attacker("rifle-1", left, left).attacker("us-half-1", left, left).put("german-half-1", left).combat(left);
  board.s.combat.mines = 2;
  expect_exact(board);
  Board alone = Board(sc).attacker("m8-1", left, left).put("german-half-1", left).combat(left);
  alone.s.combat.mines = 3;  // it may be gone before anybody fires
  expect_exact(alone);
}

TEST(Odds, SimultaneousFire) {
  const Scenario sc = normandy();
  Board board = Board(sc)
                    .attacker("rifle-1", left, left)
                    .attacker("us-half-1", left, left)
                    .put("german-half-1", left)
                    .put("german-recon-1", left)
                    .combat(left);
  board.s.combat.simultaneous = true;
  expect_exact(board);
  board.s.combat.mines = 1;
  expect_exact(board);
  // Whoever falls still fires as he was, with a weapon that a card gave him too.
  Board granted = Board(sc, german).attacker("german-half-1", left, left).put("m8-1", left).put("rifle-1", left).combat(left);
  granted.s.combat.simultaneous = true;
  granted.s.force[german].anti_tank = bit(unit_named(sc, "german-half-1") % max_units);
  expect_exact(granted);
  Board nine = Board(sc).attacker("us-half-1", left, left).attacker("us-half-2", left, left).put("jaeger-1", left).combat(left);
  nine.s.combat.simultaneous = true;
  nine.s.force[german].kills = 9;
  expect_exact(nine);
  nine.s.combat.mines = 1;  // a loss to mines is tested at once
  expect_exact(nine);
}

TEST(Odds, CommanderOption) {
  const Scenario sc = normandy({{"commander_option", "true"}});
  Board board = Board(sc)
                    .attacker("us-platoon-hq-1", left, left)
                    .attacker("us-half-1", left, left)
                    .put("jaeger-1", left)
                    .put("german-platoon-hq-1", left, 0, 1)
                    .combat(left);
  expect_exact(board);
  const CombatOdds odds = assault_odds(sc, board.s, left);
  EXPECT_GT(odds.attackers.removals.at(1), odds.attackers.casualties.at(1));  // an HQ dies without a marker
  board.s.force[german].kills = 9;  // R78c: the half squad's loss ends the game, the HQ's does not
  expect_exact(board);

  Scenario large = sc;  // an HQ with a staff: gone all the same on a 1, unscathed on others
  large.companies[us].strength[at(unit_named(sc, "us-platoon-hq-1"))] = 2;
  expect_exact(Board(large).attacker("us-platoon-hq-1", left, left).attacker("us-half-1", left, left).put("jaeger-1", left).combat(left));
}

TEST(Odds, TheFightStopsWithTheGame) {
  const Scenario sc = normandy();
  Board board = Board(sc)
                    .attacker("us-half-1", left, left)
                    .attacker("us-half-2", left, left)
                    .put("jaeger-1", left)
                    .put("german-recon-1", left)
                    .combat(left);
  board.s.force[german].kills = 9;
  expect_exact(board);
  board.s.force[german].kills = 0;
  board.s.force[us].kills = 9;
  expect_exact(board);
}

TEST(Odds, TheFightStopsWhenAFrontIsLost) {
  Scenario sc = normandy();
  sc.figures.fronts_for_automatic_win = 2;
  Board board = Board(sc)
                    .attacker("us-half-1", left, center)
                    .attacker("us-half-2", center, center)
                    .put("jaeger-1", center)
                    .put("german-half-1", right, 0, 1)
                    .combat(center);
  board.s.round = 3;
  expect_exact(board);
  const CombatOdds stopped = assault_odds(sc, board.s, center);
  board.s.round = 2;
  EXPECT_LT(at_or_0(stopped.attackers.removals, 2), assault_odds(sc, board.s, center).attackers.removals.at(2));
}

TEST(Odds, OneMoreUnit) {
  const Scenario sc = normandy();
  Board with = Board(sc).attacker("rifle-1", left, left).attacker("us-half-1", left, left).put("jaeger-1", left);
  Board without = Board(sc).attacker("rifle-1", left, left).put("us-half-1", left).put("jaeger-1", left);
  const CombatOdds one = assault_odds(sc, with.s, left), two = assault_odds(sc, without.s, left, unit_named(sc, "us-half-1"));
  expect_same(one.attackers, two.attackers, 0, "attackers");
  expect_same(one.defenders, two.defenders, 0, "defenders");
  EXPECT_GT(std::abs(assault_odds(sc, without.s, left).defenders.pins.at(0) - two.defenders.pins.at(0)), 0.01);
}

TEST(Odds, CardsBelongToTheCombatBeingFought) {
  const Scenario sc = normandy();
  Board board =
      Board(sc).attacker("rifle-1", left, left).put("jaeger-1", left).attacker("rifle-2", right, right).put("jaeger-2", right).combat(left);
  const CombatOdds plain = assault_odds(sc, board.s, left);
  board.s.combat.side_dice = {1, 2};
  board.s.combat.mines = 4;
  const CombatOdds elsewhere = assault_odds(sc, board.s, right), here = assault_odds(sc, board.s, left);
  expect_same(plain.attackers, elsewhere.attackers, 0, "attackers");
  expect_same(plain.defenders, elsewhere.defenders, 0, "defenders");
  EXPECT_LT(here.attackers.pins.at(0), plain.attackers.pins.at(0) - 0.1);
}

// The rest of a combat at which the order of fire is being asked: anti-tank first or last is not the same.
TEST(Odds, WhileFiring) {
  const Scenario sc = normandy();
  FastChance chance(1);
  Events log = Events::unheard();
  const auto expect_orders = [&](State s, Step step, std::string_view one, std::string_view two) {
    apply(sc, s, Seat{us}, act(Verb::pass), chance, log);  // no die falls before the order is asked
    ASSERT_EQ(s.step, step);
    const int front = s.combat.front;
    expect_same(s, assault_odds(sc, s, front), by_brute_force(sc, s, act(Verb::fire_all)), 0);
    std::array<CombatOdds, 2> orders;
    for (const bool second : {false, true}) {
      const int number = unit_named(sc, second ? two : one);
      orders[second] = assault_odds(sc, s, front, no_unit, number % max_units);
      expect_same(s, orders[second], by_brute_force(sc, s, act(Verb::fire, number)), 0);
    }
    const auto pins = [&](std::size_t order) {
      return step == Step::attackers_fire ? orders[order].defenders.pins.at(1) : orders[order].attackers.pins.at(1);
    };
    EXPECT_GT(std::abs(pins(0) - pins(1)), 0.001);
  };
  const Board attack = Board(sc)
                           .attacker("bazooka-1", left, left)
                           .attacker("us-half-1", left, left)
                           .put("panzer4-1", left, 0, 1)
                           .put("german-half-1", left, 0, 1)
                           .combat(left);
  expect_orders(attack.s, Step::attackers_fire, "bazooka-1", "us-half-1");

  Board defence = Board(sc)
                      .attacker("sherman-1", left, left)
                      .attacker("us-half-1", left, left)
                      .put("panzerschreck-1", left)
                      .put("german-recon-1", left)
                      .combat(left);
  defence.s.combat.silenced = bit(unit_named(sc, "sherman-1"));
  for (const bool simultaneous : {false, true}) {
    defence.s.combat.simultaneous = simultaneous;
    expect_orders(defence.s, Step::defenders_fire, "panzerschreck-1", "german-recon-1");
  }
}

// --- Combats, very many of them --------------------------------------------------------------------------------------

Board large_battle(const Scenario& sc) {
  Board board(sc);
  for (const char* name : {"rifle-1", "rifle-2", "replacement-1", "heavy-rifle-1", "engineer-1", "us-half-1", "us-platoon-hq-1",
                           "bazooka-1", "sherman-1", "m8-1"}) {
    board.attacker(name, center, center);
  }
  for (const char* name : {"jaeger-1", "jaeger-2", "stosstrupp-1", "german-half-1", "mg34-1", "mg42-1", "panzerschreck-1", "panzer4-1",
                           "sniper-1", "pak40-1"}) {
    board.put(name, center);
  }
  return board.combat(center);
}

TEST(Odds, LargeBattleAgainstAMillionFights) {
  const Scenario sc = normandy();
  const Board board = large_battle(sc);
  expect_same(board.s, assault_odds(sc, board.s, center), by_playing(sc, board.s, act(Verb::pass), fights_to_play), fights_to_play);
}

bool already_won(const Scenario& sc, State s) {
  FastChance chance(1);
  Events log = Events::unheard();
  Rules{sc, s, chance, log}.test_victory();
  return s.step == Step::over;
}

// Any combat whatsoever: units, markers, cards, options by chance.
TEST(Odds, RandomBattles) {
  const std::vector<OptionValues> variants = {{}, {{"fire_bonus_mode", "drm"}}, {{"commander_option", "true"}}};
  std::vector<Scenario> scenarios;
  for (const OptionValues& chosen : variants) scenarios.push_back(normandy(chosen));
  constexpr int battles = 60;
  const int fights = fights_to_play / battles;
  FastChance chance(1944);
  const auto one_in = [&](std::uint32_t n) { return chance.pick(n) == 0; };
  for (int battle = 0; battle < battles; ++battle) {
    SCOPED_TRACE("battle " + std::to_string(battle));
    const Scenario& sc = scenarios[chance.pick(3)];
    Board board(sc, static_cast<int>(chance.pick(2)));
    State& s = board.s;
    const int target = static_cast<int>(chance.pick(3));
    Combat& c = s.combat;
    s.round = static_cast<std::uint16_t>(1 + chance.pick(4));
    for (int seat = 0; seat < seat_count; ++seat) {
      Force& force = s.force[at(seat)];
      const int side = seat == s.active ? 0 : 1;
      force.kills = static_cast<std::uint8_t>(one_in(3) ? 8 + chance.pick(2) : 0);
      UnitSet left_over = sc.companies[at(seat)].all;
      for (auto n = 1 + chance.pick(7); n > 0; --n) {
        const int unit = pick_member(left_over, chance);
        left_over &= ~bit(unit);
        // Attackers stand opposite or, with nobody there, on the flank.
        const int front = side == 1 || one_in(2) ? target : target == center ? (one_in(2) ? left : right) : center;
        force.at[at(front)] |= bit(unit);
        force.casualties[at(unit)] =
            static_cast<std::uint8_t>(chance.pick(static_cast<std::uint32_t>(sc.companies[at(seat)].strength[at(unit)])));
        if (one_in(6)) {
          force.pins[at(unit)] = 1;
          force.pinned |= bit(unit);
        }
        if (one_in(12)) force.green |= bit(unit);
        if (one_in(8)) force.turn_dice[at(unit)] = 2;
        if (one_in(8)) c.unit_dice[at(side)][at(unit)] = 1;
        if (side == 0) c.against[at(target)] |= bit(unit);
        if (side == 0 && one_in(10)) c.silenced |= bit(unit);
        if (one_in(8)) force.anti_tank |= bit(unit);
      }
      c.side_dice[at(side)] = static_cast<std::int8_t>(static_cast<int>(chance.pick(4)) - 1);
    }
    if (one_in(4)) c.mines = 4;
    if (one_in(4)) c.simultaneous = true;
    board.combat(target);
    const CombatOdds odds = assault_odds(sc, s, target);
    if (already_won(sc, s)) {  // play does not lead here
      EXPECT_EQ(odds.exact, c.simultaneous);
      continue;
    }
    expect_same(s, odds, by_playing(sc, s, act(Verb::pass), fights, static_cast<std::uint64_t>(battle)), fights);
  }
}

TEST(Odds, AnEstimateSaysSo) {
  const Scenario sc = normandy();
  const Board board = large_battle(sc);
  const CombatOdds exact = assault_odds(sc, board.s, center), guess = assault_odds(sc, board.s, center, no_unit, no_unit, 0);
  EXPECT_TRUE(exact.exact);
  EXPECT_FALSE(guess.exact);
  expect_same(exact.attackers, guess.attackers, estimate_fights, "attackers");
  expect_same(exact.defenders, guess.defenders, estimate_fights, "defenders");
}

// More conditions than a walk can keep apart: large units of three kinds, each with nine points to lose.
TEST(Odds, TooManyConditions) {
  Scenario sc = normandy();
  sc.companies[us].strength.fill(9);
  const Board board = Board(sc)
                          .attacker("rifle-1", left, left)
                          .attacker("sherman-1", left, left)
                          .attacker("m8-1", left, left)
                          .put("jaeger-1", left)
                          .combat(left);
  const CombatOdds odds = assault_odds(sc, board.s, left);
  EXPECT_FALSE(odds.exact);
  expect_sums(odds.attackers);
  expect_sums(odds.defenders);
}

}  // namespace
}  // namespace baton::company_commander
