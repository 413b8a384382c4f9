// Random games of Company Leader under the promises of the contract, for every mode and variant.
#include "match/conformance.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "bots/mind.h"
#include "games/company_leader/board_make.h"
#include "games/company_leader/game.h"

namespace baton::company_leader {
namespace {

static_assert(baton::Game<Game>);

#if defined(__SANITIZE_ADDRESS__)
constexpr int share = 4;
#else
constexpr int share = 1;
#endif

ScenarioFile file_of(const std::string& id) {
  std::ifstream in(std::string(BATON_SOURCE_DIR) + "/games/company_leader/scenarios/" + id + ".toml");
  std::stringstream text;
  text << in.rdbuf();
  return {id + ".toml", text.str()};
}

// What a seat may keep as its record grows with every step and is dear to compare, so not every game does it.
enum class SeatRecords { compared, left_out };

void conforms(const ScenarioFile& file, OptionValues options, std::uint64_t seed, int sample_every, SeatRecords records) {
  options.try_emplace("turn_limit", "2");
  const auto done = conformance<Game>(file, options,
                                      {.first_seed = seed,
                                       .games = 1,
                                       .most_decisions = 100'000,
                                       .sample_every = sample_every * share,
                                       .seat_records_every = records == SeatRecords::compared ? 1 : 2});
  EXPECT_EQ(done.failure.value_or(""), "") << file.name;
}

TEST(CompanyLeaderConformance, EveryMode) {
  for (const std::string id : {"standard", "three", "teams", "two-against-one"}) {
    conforms(file_of(id), {}, 1, 30, SeatRecords::compared);
    conforms(file_of(id), {{"turn_limit", "4"}}, 2, 100, SeatRecords::left_out);
  }
}

TEST(CompanyLeaderConformance, EveryScenario) {
  for (const std::string id : {"attacker-defender", "capture-the-flag", "escort", "stonne"})
    conforms(file_of(id), {}, 11, 60, SeatRecords::compared);
}

TEST(CompanyLeaderConformance, EveryVariant) {
  const std::vector<OptionValues> variants = {{{"army", "free"}},
                                              {{"neutral_zone", "false"}},
                                              {{"urban_lead", "standard"}},
                                              {{"urban_lead", "1"}, {"urban_lead_for", "seat"}},
                                              {{"income", "6"}, {"army", "free"}, {"neutral_zone", "false"}}};
  std::uint64_t seed = 21;
  for (const OptionValues& variant : variants) {
    for (const std::string id : {"standard", "three", "teams", "two-against-one"})
      conforms(file_of(id), variant, ++seed, 120, SeatRecords::left_out);
  }
}

TEST(CompanyLeaderConformance, LongGamesWithManyPurchases) {
  conforms(file_of("standard"), {{"turn_limit", "20"}, {"income", "5"}}, 31, 500, SeatRecords::left_out);
  conforms(file_of("teams"), {{"turn_limit", "12"}, {"income", "6"}}, 32, 500, SeatRecords::left_out);
}

TEST(CompanyLeaderConformance, SmallBoardsToTheEnd) {
  const auto text = make_board(37, 2, 3);
  ASSERT_TRUE(text) << text.error().text();
  conforms({"small.toml", *text}, {{"turn_limit", "0"}, {"stalemate_guard", "4"}}, 41, 300, SeatRecords::left_out);
}

// R60: with one troop each and nothing to buy, rounds without a reveal, a shot or a change of urban fields are common.
TEST(CompanyLeaderConformance, TheStalemateGuardDecides) {
  for (const int players : {2, 3, 4}) {
    const auto made = make_board(61, players, 3);
    ASSERT_TRUE(made) << made.error().text();
    std::string text;
    std::istringstream lines(*made);
    for (std::string line; std::getline(lines, line);) text += (line.starts_with("army = ") ? "army = { tank-scout = 1 }" : line) + "\n";
    const OptionValues options = {{"turn_limit", "0"}, {"stalemate_guard", "1"}, {"income", "0"}};
    for (std::uint64_t seed = 51; seed < 55; ++seed) conforms({"quiet.toml", text}, options, seed, 400, SeatRecords::left_out);
    const auto sc = load({"quiet.toml", text}, options);
    ASSERT_TRUE(sc) << sc.error().text();
    int decided = 0;
    for (std::uint64_t seed = 51; seed < 71; ++seed) {
      FastChance chance(seed);
      Events log = Events::unheard();
      State s = start(*sc, chance, log);
      ActionList list;
      while (!choosing(*sc, s).empty()) {
        const Seat seat = choosing(*sc, s).front();
        list.clear();
        actions(*sc, s, seat, list);
        apply(*sc, s, seat, any_action<Game>(list, chance), chance, log);
      }
      decided += s.reason == Reason::stalemate;
    }
    EXPECT_GE(decided, 4) << players << " players";
  }
}

// Somebody gives up in the middle of it, at any choice.
TEST(CompanyLeaderConformance, SurrenderAnywhere) {
  const auto sc = load(file_of("three"), {});
  ASSERT_TRUE(sc);
  std::set<Step> given_up_at;
  ActionList list;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    FastChance chance(seed);
    Events log = Events::unheard();
    State s = start(*sc, chance, log);
    const int patience = static_cast<int>(chance.pick(400));
    for (int decision = 0; !choosing(*sc, s).empty() && decision < 600; ++decision) {
      const Seat seat = choosing(*sc, s).front();
      list.clear();
      actions(*sc, s, seat, list);
      Action action = any_action<Game>(list, chance);
      if (decision >= patience && s.step != Step::set_up) {
        action = list[list.size() - 1];
        ASSERT_TRUE(Game::gives_up(action));
        given_up_at.insert(s.step);
      }
      ASSERT_EQ(why_not(*sc, s, seat, action), Refusal::none);
      apply(*sc, s, seat, action, chance, log);
      ASSERT_TRUE(is_sound(*sc, s));
      if (Game::gives_up(action)) {
        ASSERT_TRUE(restore(*sc, save(*sc, s))) << save(*sc, s).dump();
      }
    }
    EXPECT_TRUE(choosing(*sc, s).empty());
    EXPECT_EQ(s.reason, Reason::surrender);
  }
  for (const Step step : {Step::actions, Step::facing, Step::advance, Step::arrival, Step::dummies, Step::second}) {
    EXPECT_TRUE(given_up_at.contains(step)) << static_cast<int>(step);
  }
}

TEST(CompanyLeader, TheSizeOfAState) { EXPECT_LT(sizeof(State), 2048u); }

TEST(CompanyLeader, GreedyBeatsRandom) {
  int won = 0;
  constexpr int games = 20;
  const auto sc = load(file_of("standard"), {{"turn_limit", "120"}});
  ASSERT_TRUE(sc);
  for (int game = 0; game < games; ++game) {
    FastChance chance(static_cast<std::uint64_t>(game), 5), luck(static_cast<std::uint64_t>(game), 6);
    Events log = Events::unheard();
    State s = start(*sc, chance, log);
    GreedyMind<Game> greedy;
    RandomMind<Game> random;
    const int seat_of_greedy = game % 2;
    ActionList list;
    while (!choosing(*sc, s).empty()) {
      list.clear();
      const Seat seat = choosing(*sc, s).front();
      actions(*sc, s, seat, list);
      Mind<Game>& mind = index(seat) == seat_of_greedy ? static_cast<Mind<Game>&>(greedy) : random;
      apply(*sc, s, seat, mind.choose(*sc, observe(*sc, s, seat), seat, list, luck), chance, log);
    }
    won += result(*sc, s).won(Seat(seat_of_greedy));
  }
  EXPECT_GE(won, games - 1);
}

TEST(CompanyLeaderPosition, BadPositionsAreRefused) {
  const auto sc = load(file_of("standard"), {});
  ASSERT_TRUE(sc);
  FastChance chance(3);
  Events log = Events::unheard();
  const Json good = save(*sc, start(*sc, chance, log));
  ASSERT_TRUE(restore(*sc, good));
  const auto wrong = [&](const char* patch) {
    Json json = good;
    json.merge_patch(Json::parse(patch));
    const auto restored = restore(*sc, json);
    return restored ? std::string("nothing") : restored.error().text();
  };
  using testing::HasSubstr;
  EXPECT_THAT(wrong(R"({"strange": 1})"), HasSubstr("is not known here"));
  EXPECT_THAT(wrong(R"({"round": 0})"), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(wrong(R"({"round": 1e30})"), HasSubstr("whole number"));
  EXPECT_THAT(wrong(R"({"step": "nap"})"), HasSubstr("must be set-up, actions"));
  EXPECT_THAT(wrong(R"({"fields": {"z1": {"owner": "red", "piece": "dummy"}}})"), HasSubstr("no such field"));
  EXPECT_THAT(wrong(R"({"fields": {"f11": {"piece": "cavalry"}}})"), HasSubstr("playing piece"));
  EXPECT_THAT(wrong(R"({"fields": {"f11": "empty"}})"), HasSubstr("every field of a territory"));
  EXPECT_THAT(wrong(R"({"fields": {"f11": {"piece": "infantry"}}})"), HasSubstr("make up the army"));
  EXPECT_THAT(wrong(R"({"step": "facing"})"), HasSubstr("facings are chosen"));
  EXPECT_THAT(wrong(R"({"step": "advance"})"), HasSubstr("acting troop is needed"));
  EXPECT_THAT(wrong(R"({"step": "purchase", "purchase": {"spent": 5}})"), HasSubstr("more is spent"));
  EXPECT_THAT(wrong(R"({"only": {"f11": {"owner": "red", "piece": "dummy", "revealed": true}}})"), HasSubstr("cannot be revealed"));
  EXPECT_FALSE(restore(*sc, Json::array()));
}

}  // namespace
}  // namespace baton::company_leader
