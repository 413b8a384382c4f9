// The odds against the rules themselves: every way the dice can fall for small fights, very many played ones for large.
#include "games/company_commander/odds.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "games/company_commander/game.h"
#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int fights_to_play = 200'000;
#else
constexpr int fights_to_play = 1'000'000;
#endif

constexpr int left = 0, center = 1, right = 2;
constexpr int us = 0, german = 1;

Scenario normandy(const OptionValues& chosen = {}) {
  std::ifstream file(BATON_SOURCE_DIR "/games/company_commander/scenarios/normandy.toml");
  std::stringstream text;
  text << file.rdbuf();
  auto scenario = load({"normandy.toml", text.str()}, *complete_options(options(), chosen));
  if (!scenario) throw std::runtime_error(scenario.error().text());
  return *scenario;
}

int unit_named(const Scenario& sc, std::string_view name) { return read(sc, kind::unit, name).value(); }

Action act(Verb verb, int a = 0, int b = 0, int c = 0) {
  return {static_cast<std::uint16_t>(verb), static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(c)};
}

// A position in the making: "rifle-1" on a front, with markers.
struct Board {
  explicit Board(const Scenario& scenario, int active = us) : sc(scenario) {
    s.active = s.chooser = s.starter = static_cast<std::uint8_t>(active);
  }

  Force& force_of(std::string_view name) { return s.force[at(unit_named(sc, name) / max_units)]; }

  Board& put(std::string_view name, int front, int casualties = 0, int pins = 0) {
    const int unit = unit_named(sc, name) % max_units;
    Force& force = force_of(name);
    force.at[at(front)] |= bit(unit);
    force.casualties[at(unit)] = static_cast<std::uint8_t>(casualties);
    force.pins[at(unit)] = static_cast<std::uint8_t>(pins);
    if (pins > 0) force.pinned |= bit(unit);
    return *this;
  }
  Board& attacker(std::string_view name, int front, int target, int casualties = 0, int pins = 0) {
    put(name, front, casualties, pins);
    s.combat.against[at(target)] |= bit(unit_named(sc, name) % max_units);
    return *this;
  }
  // Cards are being played for the combat on `front`.
  Board& combat(int front) {
    s.step = Step::combat_cards;
    s.combat.front = static_cast<std::uint8_t>(front);
    return *this;
  }
  Board& change(const std::function<void(State&)>& how) {
    how(s);
    return *this;
  }

  const Scenario& sc;
  State s;
};

// --- Two other ways to the same numbers ------------------------------------------------------------------------------

// Leads the rules down every branch, one after the other, each with its chance.
class EveryBranch final : public Chance {
 public:
  void walk(const std::function<void()>& branch) {
    for (bool more = true; more; more = advance()) {
      depth_ = 0;
      chance_ = 1;
      ++walked_;
      branch();
    }
  }
  double chance() const { return chance_; }
  long walked() const { return walked_; }

 private:
  std::uint32_t draw(Draw, std::uint32_t bound) override {
    if (depth_ == values_.size()) {
      values_.push_back(0);
      bounds_.push_back(bound);
    }
    EXPECT_EQ(bounds_[depth_], bound) << "the rules asked for something else on the same branch";
    chance_ /= bound;
    return values_[depth_++];
  }
  bool advance() {
    for (std::size_t i = values_.size(); i-- > 0;) {
      if (++values_[i] < bounds_[i]) {
        values_.resize(i + 1);
        bounds_.resize(i + 1);
        return true;
      }
    }
    return false;
  }

  std::vector<std::uint32_t> values_, bounds_;
  std::size_t depth_ = 0;
  double chance_ = 1;
  long walked_ = 0;
};

using Counts = std::array<std::array<int, 3>, seat_count>;  // pins, casualties, removals by seat

// What was told up to the next phase.
Counts counted(const std::vector<Event>& told) {
  Counts counts{};
  for (const Event& event : told) {
    const auto kind = static_cast<Told>(event.kind);
    if (kind == Told::phase_begins || kind == Told::turn_begins) break;
    const int what = kind == Told::pinned ? 0 : kind == Told::casualty ? 1 : kind == Told::destroyed ? 2 : -1;
    if (what >= 0) ++counts[at(event.with[0] / max_units)][at(what)];
  }
  return counts;
}

using SidesOdds = std::array<SideOdds, seat_count>;

void count(SidesOdds& sides, const Counts& counts, double chance) {
  for (std::size_t seat = 0; seat < seat_count; ++seat) {
    int what = 0;
    for (auto* numbers : {&sides[seat].pins, &sides[seat].casualties, &sides[seat].removals}) {
      const std::size_t n = at(counts[seat][at(what++)]);
      if (numbers->size() <= n) numbers->resize(n + 1);
      (*numbers)[n] += chance;
    }
  }
}

// The action, and whatever fire it calls for.
Counts played(const Scenario& sc, State s, Action action, Chance& chance, std::vector<Event>& told) {
  told.clear();
  Events log(&told);
  apply(sc, s, Seat{s.chooser}, action, chance, log);
  while (s.step == Step::defenders_fire || s.step == Step::attackers_fire) apply(sc, s, Seat{s.chooser}, act(Verb::fire_all), chance, log);
  return counted(told);
}

constexpr SideOdds none_yet() { return {{}, {}, {}}; }

SidesOdds by_brute_force(const Scenario& sc, const State& s, Action action) {
  SidesOdds sides{none_yet(), none_yet()};
  EveryBranch branches;
  std::vector<Event> told;
  branches.walk([&] {
    const Counts counts = played(sc, s, action, branches, told);
    count(sides, counts, branches.chance());
  });
  EXPECT_LT(branches.walked(), 400'000) << "too large for the time a test may take";
  return sides;
}

SidesOdds by_playing(const Scenario& sc, const State& s, Action action, int fights, std::uint64_t seed = 7) {
  SidesOdds sides{none_yet(), none_yet()};
  FastChance chance(seed);
  std::vector<Event> told;
  for (int i = 0; i < fights; ++i) count(sides, played(sc, s, action, chance, told), 1.0 / fights);
  return sides;
}

double at_or_0(const std::vector<double>& numbers, std::size_t i) { return i < numbers.size() ? numbers[i] : 0.0; }

void expect_sums(const SideOdds& side) {
  for (const auto* numbers : {&side.pins, &side.casualties, &side.removals}) {
    EXPECT_NEAR(std::accumulate(numbers->begin(), numbers->end(), 0.0), 1.0, 1e-9);
    EXPECT_TRUE(std::all_of(numbers->begin(), numbers->end(), [](double p) { return p >= 0; }));
  }
}

// `fights` 0: the other numbers are exact too; else 5 standard deviations of a played sample.
void expect_same(const SideOdds& odds, const SideOdds& others, int fights, std::string_view whose) {
  expect_sums(odds);
  const auto compare = [&](const std::vector<double>& one, const std::vector<double>& two, std::string_view what) {
    for (std::size_t i = 0; i < std::max(one.size(), two.size()); ++i) {
      const double p = at_or_0(one, i), q = at_or_0(two, i);
      const double tolerance = fights == 0 ? 1e-9 : 5 * std::sqrt(p * (1 - p) / fights) + 3.0 / fights;
      EXPECT_NEAR(p, q, tolerance) << whose << ": " << i << " " << what;
    }
  };
  compare(odds.pins, others.pins, "pins");
  compare(odds.casualties, others.casualties, "casualties");
  compare(odds.removals, others.removals, "removals");
}

void expect_same(const State& s, const CombatOdds& odds, const SidesOdds& others, int fights) {
  EXPECT_TRUE(odds.exact);
  expect_same(odds.attackers, others[s.active], fights, "attackers");
  expect_same(odds.defenders, others[at(other(s.active))], fights, "defenders");
}

// The combat a board is at, against every way its dice can fall.
void expect_exact(const Board& board) {
  const CombatOdds odds = assault_odds(board.sc, board.s, board.s.combat.front);
  expect_same(board.s, odds, by_brute_force(board.sc, board.s, act(Verb::pass)), 0);
}

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

// --- Suppression -----------------------------------------------------------------------------------------------------

Board suppression(const Scenario& sc, int active = us) {
  Board board(sc, active);
  board.s.step = Step::suppression;
  return board;
}

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

int card_named(const Scenario& sc, std::string_view name) { return read(sc, kind::card, name).value(); }

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

// --- What a seat is told ---------------------------------------------------------------------------------------------

Json told(const Board& board, Action action) { return Game::odds(board.sc, observe(board.sc, board.s, Seat{board.s.chooser}), action); }

double chance_in(const Json& json, const std::string& side, const std::string& what, std::size_t n, std::size_t combat = 0) {
  const Json& numbers = json.at("combats").at(combat).at("sides").at(side).at(what);
  return n < numbers.size() ? numbers[n].get<double>() : 0.0;
}

void expect_told(const Json& json, const CombatOdds& odds, std::size_t combat = 0) {
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_NEAR(chance_in(json, "us", "pins", n, combat), at_or_0(odds.attackers.pins, n), 1e-4);
    EXPECT_NEAR(chance_in(json, "us", "casualties", n, combat), at_or_0(odds.attackers.casualties, n), 1e-4);
    EXPECT_NEAR(chance_in(json, "german", "pins", n, combat), at_or_0(odds.defenders.pins, n), 1e-4);
    EXPECT_NEAR(chance_in(json, "german", "removals", n, combat), at_or_0(odds.defenders.removals, n), 1e-4);
  }
}

TEST(OddsTold, AssaultAndDone) {
  const Scenario sc = normandy();
  Board board = Board(sc).put("rifle-1", left).put("rifle-2", left).put("us-half-1", right).put("jaeger-1", left).put("mg34-1", right);
  board.s.step = Step::declare;
  EXPECT_TRUE(told(board, act(Verb::done)).is_null());
  const int second = unit_named(sc, "rifle-2");
  board.s.combat.against[left] = bit(unit_named(sc, "rifle-1"));
  const Json joining = told(board, act(Verb::assault, second, left));
  EXPECT_TRUE(joining.at("exact").get<bool>());
  ASSERT_EQ(joining.at("combats").size(), 1u);
  EXPECT_EQ(joining["combats"][0]["front"], "left");
  EXPECT_TRUE(joining.at("outcomes").empty());
  expect_told(joining, assault_odds(sc, board.s, left, second));
  board.s.combat.against[right] = bit(unit_named(sc, "us-half-1"));
  const Json all = told(board, act(Verb::done));
  ASSERT_EQ(all.at("combats").size(), 2u);
  EXPECT_EQ(all["combats"][1]["front"], "right");
  expect_told(all, assault_odds(sc, board.s, left), 0);
  expect_told(all, assault_odds(sc, board.s, right), 1);
  EXPECT_TRUE(told(board, act(Verb::assault, second, right)).is_null()) << "not a legal action";
  board.s.step = Step::combat_order;
  board.s.combat.to_resolve = 0b101;
  const Json one = told(board, act(Verb::resolve, right));
  ASSERT_EQ(one.at("combats").size(), 1u);
  expect_told(one, assault_odds(sc, board.s, right));
}

TEST(OddsTold, CardsOfACombat) {
  const Scenario sc = normandy();
  Board board = Board(sc).attacker("rifle-1", left, left).attacker("us-half-1", left, left).put("jaeger-1", left).combat(left);
  const auto holds = [&](std::string_view card) {
    board.s.hand[board.s.chooser] = sc.copies[at(card_named(sc, card))];
    return card_named(sc, card);
  };
  const auto expect_effect = [&](Action action, const std::function<void(State&)>& effect) {
    State changed = board.s;
    effect(changed);
    const Json json = told(board, action);
    ASSERT_FALSE(json.is_null());
    ASSERT_EQ(json.at("combats").size(), 1u);
    expect_told(json, assault_odds(sc, changed, left));
  };
  expect_effect(act(Verb::pass), [](State&) {});
  expect_effect(act(Verb::play, holds("overrun")), [](State& s) { s.combat.side_dice[0] = 1; });
  const int half = unit_named(sc, "us-half-1");
  expect_effect(act(Verb::play_unit, holds("satchel-charge"), half), [&](State& s) { s.combat.unit_dice[0][at(half)] = 1; });
  expect_effect(act(Verb::play, holds("surprise-contact")), [](State& s) { s.combat.simultaneous = true; });
  board.s.chooser = german;
  board.s.passes = 1;
  expect_effect(act(Verb::play, holds("mine-field")), [](State& s) { s.combat.mines = 4; });
  expect_effect(act(Verb::play, holds("hedgerows")), [](State& s) { s.combat.side_dice[0] = -1; });
  expect_effect(act(Verb::play_unit, holds("tree-line"), half), [&](State& s) { s.combat.silenced = bit(half); });
  expect_effect(act(Verb::play_unit, holds("unit-separated"), half), [&](State& s) {
    s.force[us].pins[at(half)] = 1;
    s.force[us].pinned = bit(half);
  });
  expect_effect(act(Verb::pass), [](State&) {});
  EXPECT_TRUE(told(board, act(Verb::play, card_named(sc, "hedgerows"))).is_null()) << "a card not held";

  board.s.step = Step::block;
  board.s.combat.front = no_front;
  expect_effect(act(Verb::pass), [](State&) {});
  expect_effect(act(Verb::play_unit, holds("awaiting-orders"), half), [&](State& s) { s.combat.against[left] &= ~bit(half); });
  EXPECT_TRUE(told(board, act(Verb::play_front, holds("formation-disorder"), left)).is_null()) << "nobody is left to fight";
}

TEST(OddsTold, Suppression) {
  const Scenario sc = normandy();
  Board board = suppression(sc).put("mg50-1", left).put("rifle-1", left).put("jaeger-1", left).put("panzer4-1", left);
  const int mg = unit_named(sc, "mg50-1"), rifle = unit_named(sc, "rifle-1");
  const auto expect_barrage = [&](Action action, const Barrage& barrage) {
    const Json json = told(board, action);
    ASSERT_FALSE(json.is_null());
    EXPECT_EQ(json.at("combats").at(0).at("front"), "left");
    EXPECT_FALSE(json["combats"][0]["sides"].contains("us"));
    const FireOdds odds = suppression_odds(sc, board.s, barrage);
    EXPECT_NEAR(chance_in(json, "german", "pins", 1), at_or_0(odds.targets.pins, 1), 1e-4);
    EXPECT_NEAR(chance_in(json, "german", "casualties", 1), at_or_0(odds.targets.casualties, 1), 1e-4);
  };
  expect_barrage(act(Verb::suppress, mg, left), unit_barrage(sc, board.s, mg, left, no_card));
  const int barrage = card_named(sc, "artillery-barrage"), grenades = card_named(sc, "rifle-grenades"),
            observer = card_named(sc, "forward-observer");
  board.s.hand[us] = sc.copies[at(barrage)] | sc.copies[at(grenades)] | sc.copies[at(observer)];
  expect_barrage(act(Verb::play_front, barrage, left), support_barrage(sc, barrage, left));
  expect_barrage(act(Verb::play_unit_front, grenades, rifle, left), unit_barrage(sc, board.s, rifle, left, grenades));
  EXPECT_TRUE(told(board, act(Verb::play_front, observer, left)).is_null());
  EXPECT_TRUE(told(board, act(Verb::done)).is_null());

  // The other seat weighs Smoke against three more rolls.
  board.s.chooser = german;
  board.s.step = Step::roll_reaction;
  board.s.barrage = support_barrage(sc, barrage, left);
  board.s.barrage.rolls_left = 3;
  board.s.barrage.result = static_cast<std::uint8_t>(Outcome::pin);
  const int smoke = card_named(sc, "smoke");
  board.s.hand[german] = sc.copies[at(smoke)];
  expect_barrage(act(Verb::pass), board.s.barrage);
  Barrage rest = board.s.barrage;
  rest.result = 0;
  expect_barrage(act(Verb::play, smoke), rest);
  board.s.barrage.rolls_left = 0;
  EXPECT_TRUE(told(board, act(Verb::play, smoke)).is_null());
}

TEST(OddsTold, ReconAndRally) {
  const Scenario sc = normandy();
  Board board = Board(sc).put("us-recon-1", left).put("replacement-1", left, 0, 1).put("us-platoon-hq-1", left);
  board.s.step = Step::recon;
  const Json recon = told(board, act(Verb::recon, unit_named(sc, "us-recon-1")));
  EXPECT_EQ(recon.at("outcomes"),
            Json::parse(R"([{"is":"spotted","chance":0.3333},{"is":"nothing","chance":0.3333},{"is":"success","chance":0.3333}])"));
  EXPECT_NEAR(chance_in(recon, "us", "removals", 1), 3 / 36.0 / 3, 1e-4);
  EXPECT_NEAR(chance_in(recon, "us", "pins", 0), 1 - 12 / 36.0 / 3, 1e-4);
  board.s.step = Step::rally;
  const int replacement = unit_named(sc, "replacement-1");
  EXPECT_EQ(told(board, act(Verb::rally, replacement)).at("outcomes"),
            Json::parse(R"([{"is":"success","chance":0.1667},{"is":"failure","chance":0.8333}])"));
  EXPECT_EQ(told(board, act(Verb::rally_helped, replacement, unit_named(sc, "us-platoon-hq-1"))).at("outcomes"),
            Json::parse(R"([{"is":"success","chance":0.5},{"is":"failure","chance":0.5}])"));
}

TEST(OddsTold, NothingToOthers) {
  const Scenario sc = normandy();
  const Board board = Board(sc).attacker("rifle-1", left, left).put("jaeger-1", left).combat(left);
  EXPECT_TRUE(odds(sc, observe(sc, board.s, Seat{german}), act(Verb::pass)).is_null());
  EXPECT_TRUE(odds(sc, observe(sc, board.s, spectator), act(Verb::pass)).is_null());
  EXPECT_TRUE(odds(sc, observe(sc, board.s, Seat{us}), {65535, 65535, 65535, 65535}).is_null());
}

// Any moment of any game: whatever is legal can be asked about, and the answer is well formed.
TEST(OddsTold, EveryActionOfRandomGames) {
  const Scenario sc = normandy({{"commander_option", "true"}});
  FastChance chance(5);
  Events log = Events::unheard();
  int answers = 0;
  for (int game = 0; game < 6; ++game) {
    State s = start(sc, chance, log);
    for (int step = 0; step < 400 && !choosing(sc, s).empty(); ++step) {
      const Seat seat = choosing(sc, s).front();
      const Knowledge known = observe(sc, s, seat);
      ActionList list;
      actions(sc, s, seat, list);
      const Action asked = list[chance.pick(static_cast<std::uint32_t>(list.size()))];
      const Json json = odds(sc, known, asked);
      if (!json.is_null()) {
        ++answers;
        for (const Json& combat : json.at("combats")) {
          for (const auto& [seat_id, side] : combat.at("sides").items()) {
            for (const auto& [what, numbers] : side.items()) {
              double sum = 0;
              for (const double p : numbers) sum += p;
              EXPECT_NEAR(sum, 1, 1e-3);
            }
          }
        }
      }
      apply(sc, s, seat, asked, chance, log);
    }
  }
  EXPECT_GT(answers, 100);
}

}  // namespace
}  // namespace baton::company_commander
