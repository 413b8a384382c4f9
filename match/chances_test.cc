#include "match/chances.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace baton {
namespace {

using testing::HasSubstr;

ProofSecret secret_of(char digit) { return *ProofSecret::from_hex(std::string(64, digit)); }

TEST(Drawn, IsWrittenAsPeopleSayIt) {
  EXPECT_EQ(text_of({Draw::die, 6, 4}), "d6=5");
  EXPECT_EQ(text_of({Draw::pick, 57, 12}), "p57=12");
}

TEST(Drawn, RefusesWhatIsNoDraw) {
  for (const char* text :
       {"", "d", "d6", "d6=", "d6=0", "d6=7", "p5=5", "d0=1", "x6=1", "d6=1 ", "d-6=1", "d99999999999=1", "d6=5=5", "p=1"}) {
    EXPECT_FALSE(read_drawn(text)) << text;
  }
}

RC_GTEST_PROP(Drawn, ReadsBack, (bool die)) {
  const auto bound = *rc::gen::inRange<std::uint32_t>(1, 100000);
  const Drawn drawn{die ? Draw::die : Draw::pick, bound, *rc::gen::inRange<std::uint32_t>(0, bound)};
  const auto again = read_drawn(text_of(drawn));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == drawn);
}

RC_GTEST_PROP(Drawn, AnyTextIsReadOrRefused, (const std::string& text)) {
  if (const auto drawn = read_drawn(text)) RC_ASSERT(drawn->value < drawn->bound);
}

TEST(RecordingChance, ReplaysTheSame) {
  FastChance source(7);
  std::vector<Drawn> draws;
  RecordingChance recording(source, draws);
  const int die = recording.die();
  const auto pick = recording.pick(57);
  EXPECT_EQ(recording.pick(1), 0u) << "one thing needs no draw";
  ASSERT_EQ(draws.size(), 2u);
  RecordedChance again(draws);
  EXPECT_EQ(again.die(), die);
  EXPECT_TRUE(again.problem_at_end().has_value()) << "a draw is left";
  EXPECT_EQ(again.pick(57), pick);
  EXPECT_FALSE(again.problem_at_end().has_value());
}

TEST(RecordedChance, KeepsTheFirstMisfitAndGoesOn) {
  const std::vector<Drawn> draws = {{Draw::die, 6, 3}, {Draw::pick, 5, 4}};
  RecordedChance chance(draws);
  EXPECT_EQ(chance.die(), 4);
  EXPECT_EQ(chance.pick(4), 0u);
  EXPECT_EQ(chance.die(), 1);
  EXPECT_THAT(chance.problem_so_far().value().what, HasSubstr("a pick of 4 but the draw is \"p5=4\""));
  RecordedChance empty({});
  EXPECT_EQ(empty.die(), 1);
  EXPECT_THAT(empty.problem_at_end().value().what, HasSubstr("no draw is left"));
}

TEST(ScriptedChance, KeepsDiceAndPicksApart) {
  ScriptedChance chance({5, 6}, {0, 3});
  EXPECT_EQ(chance.pick(4), 0u);
  EXPECT_EQ(chance.die(), 5);
  EXPECT_EQ(chance.die(), 6);
  EXPECT_THAT(chance.problem_at_end().value().what, HasSubstr("1 of 2 picks were not used"));
  EXPECT_EQ(chance.pick(4), 3u);
  EXPECT_FALSE(chance.problem_at_end().has_value());
}

TEST(ScriptedChance, SaysWhatIsWrong) {
  ScriptedChance unfit({7}, {});
  EXPECT_EQ(unfit.die(), 1);
  EXPECT_THAT(unfit.problem_at_end().value().what, HasSubstr("7 does not fit a die of 6"));
  ScriptedChance few({3}, {});
  few.die();
  few.die();
  EXPECT_THAT(few.problem_so_far().value().what, HasSubstr("1 dice were all"));
  ScriptedChance many({3, 4}, {});
  many.die();
  EXPECT_THAT(many.problem_at_end().value().what, HasSubstr("1 of 2 dice were not used"));
}

// Computed with another implementation, as docs/record.md describes it.
TEST(ProofChance, IsWhatTheDocumentSays) {
  const ProofSecret secret = secret_of('1');
  EXPECT_EQ(secret.commitment(), "ae83c0cbb3e9fa655676a402e9e55c676d0405f7fee5cc7e7c796b507825c746");
  ProofChance chance(secret, "a salt of the players");
  std::vector<int> dice;
  for (int i = 0; i < 20; ++i) dice.push_back(chance.die());
  EXPECT_THAT(dice, testing::ElementsAre(5, 1, 6, 3, 6, 2, 1, 3, 6, 6, 2, 6, 4, 4, 5, 6, 3, 5, 1, 2));
  EXPECT_EQ(chance.pick(57), 10u);
}

TEST(ProofChance, DependsOnBothSides) {
  const auto stream = [](char digit, std::string_view salt) {
    ProofChance chance(secret_of(digit), salt);
    std::vector<std::uint32_t> words;
    for (int i = 0; i < 40; ++i) words.push_back(chance.next());
    return words;
  };
  EXPECT_EQ(stream('1', "x"), stream('1', "x"));
  EXPECT_NE(stream('1', "x"), stream('1', "y"));
  EXPECT_NE(stream('1', "x"), stream('2', "x"));
}

TEST(ProofSecret, IsFreshEachTimeAndReadsBack) {
  const ProofSecret first = ProofSecret::fresh(), second = ProofSecret::fresh();
  EXPECT_NE(first.hex(), second.hex());
  EXPECT_EQ(ProofSecret::from_hex(first.hex())->commitment(), first.commitment());
  EXPECT_FALSE(ProofSecret::from_hex("12"));
  EXPECT_FALSE(ProofSecret::from_hex(std::string(64, 'g')));
  EXPECT_FALSE(ProofSecret::from_hex(std::string(66, '1')));
}

}  // namespace
}  // namespace baton
