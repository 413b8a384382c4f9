#include "match/conformance.h"

#include <gmock/gmock.h>

#include "match/test_game.h"

namespace baton {
namespace {

using namespace bluff;
using testing::AnyOf;
using testing::HasSubstr;

TEST(Conformance, AnHonestGamePasses) {
  const ConformanceSettings settings{.games = 30, .sample_every = 1};
  for (const ScenarioFile& file : {two_seats, three_seats}) {
    const auto done = conformance<Bluff>(file, {}, settings);
    EXPECT_EQ(done.failure.value_or(""), "") << file.name;
    EXPECT_EQ(done.games, 30);
    EXPECT_GT(done.decisions, 300);
  }
}

TEST(Conformance, AScenarioThatDoesNotLoadIsAFailure) {
  EXPECT_THAT(conformance<Bluff>({"no.toml", "players = 9\n"}).failure.value_or(""), HasSubstr("no.toml:1"));
}

std::string found(Flaw flaw) {
  Bluff::flaw = flaw;
  const ConformanceSettings settings{.games = 60, .most_decisions = 100, .sample_every = 2};
  const auto done = conformance<Bluff>(three_seats, {}, settings);
  Bluff::flaw = Flaw::none;
  return done.failure.value_or("nothing");
}

TEST(Conformance, FindsLeaksOfSecrets) {
  EXPECT_THAT(found(Flaw::leaky_knowledge), HasSubstr("learns what"));
  EXPECT_THAT(found(Flaw::leaky_event), AnyOf(HasSubstr("is told what"), HasSubstr("different events"), HasSubstr("different records")));
  EXPECT_THAT(found(Flaw::leaky_deck), AnyOf(HasSubstr("different events"), HasSubstr("different records")));
  EXPECT_THAT(found(Flaw::leaky_choosing), HasSubstr("who is to choose differs"));
  EXPECT_THAT(found(Flaw::leaky_actions), AnyOf(HasSubstr("own actions differ"), HasSubstr("told west a secret")));
}

TEST(Conformance, FindsWrongLists) {
  EXPECT_THAT(found(Flaw::shuffled_list), HasSubstr("not listed the same twice"));
  EXPECT_THAT(found(Flaw::double_list), HasSubstr("listed twice"));
  EXPECT_THAT(found(Flaw::gives_up_first), HasSubstr("giving up is not listed last"));
  EXPECT_THAT(found(Flaw::illegal_accepted), HasSubstr("not listed but not refused"));
  EXPECT_THAT(found(Flaw::legal_refused), HasSubstr("is listed but refused"));
  EXPECT_THAT(found(Flaw::unreadable_action), HasSubstr("does not read back"));
}

TEST(Conformance, FindsWhatIsForgottenOrLost) {
  EXPECT_THAT(found(Flaw::forgetful_save), HasSubstr("restored position is not the saved one"));
  EXPECT_THAT(found(Flaw::forgetful_imagine), HasSubstr("can tell an imagined position"));
  EXPECT_THAT(found(Flaw::lost_card), HasSubstr("not conserved"));
}

TEST(Conformance, FindsHiddenDiceAndDisorder) {
  EXPECT_THAT(found(Flaw::hidden_dice), AnyOf(HasSubstr("same seed"), HasSubstr("different"), HasSubstr("do not commute")));
  EXPECT_THAT(found(Flaw::ordered_bids), HasSubstr("do not commute"));
  EXPECT_THAT(found(Flaw::endless), HasSubstr("does not end"));
}

}  // namespace
}  // namespace baton
