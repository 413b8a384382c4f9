// What a seat is told of the odds: from its own knowledge, and the same figures.
#include "games/company_commander/test_odds.h"

namespace baton::company_commander {
namespace {

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
