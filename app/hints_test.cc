// The list of choices, and the advice that goes by its words and numbers.
#include "app/hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/choices.h"
#include "app/display.h"
#include "match/registry.h"

namespace baton::app {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string game = "company-commander";

TEST(Choices, GivingUpHasTheLastNumber) {
  MatchSetup setup;
  setup.scenario = *find_scenario("company-leader", "");
  setup.chance = Seeded{4};
  const auto match = std::move(*create_match("company-leader", setup));
  const auto texts = match->catalogue(embedded_files(), "en");
  FastChance chance(4);
  int seen = 0;
  for (int i = 0; i < 400 && !match->choosing().empty(); ++i) {
    const Seat seat = match->choosing().front();
    const Choices choices(*match, seat, texts);
    std::vector<Action> going_on;
    for (std::size_t c = 0; c < choices.size(); ++c) {
      const bool gives_up = match->gives_up(choices[c].action);
      EXPECT_TRUE(!gives_up || c + 1 == choices.size()) << choices[c].said << " is number " << c + 1;
      EXPECT_TRUE(!gives_up || choices.ends_by_giving_up());
      seen += gives_up && choices.size() <= 3;
      if (!gives_up) going_on.push_back(choices[c].action);
    }
    ASSERT_TRUE(match->act(seat, going_on[chance.pick(static_cast<std::uint32_t>(going_on.size()))]));
  }
  EXPECT_GT(seen, 0) << "short lists are where it matters";
}

// A match at a moment when "done" means something of its own.
class Hints : public testing::Test {
 protected:
  Hints() {
    MatchSetup setup;
    setup.scenario = *find_scenario(game, "");
    setup.chance = Seeded{4};
    match_ = std::move(*create_match(game, setup));
    FastChance chance(4);
    for (int i = 0; i < 400; ++i) {
      const auto legal = match_->actions(seat());
      const Choices choices = listed("en");
      const auto done = choices.find("done");
      if (done && legal.size() > 3 && choices[*done].said != match_->say(choices[*done].action, texts("en"))) return;
      EXPECT_TRUE(match_->act(seat(), legal[chance.pick(static_cast<std::uint32_t>(legal.size()))]));
    }
    ADD_FAILURE() << "no such moment";
  }
  Seat seat() const { return match_->choosing().front(); }
  Catalogue texts(const std::string& locale) const { return match_->catalogue(embedded_files(), locale); }
  Choices listed(const std::string& locale) const { return {*match_, seat(), texts(locale)}; }

  // Every choice was considered, and the first two are expected to follow each, again and again.
  Thoughts thoughts(std::size_t certain) const {
    Thoughts all;
    all.iterations = 27485;
    all.seconds = 1.04;
    const auto legal = match_->actions(seat());
    for (const Action action : legal)
      all.actions.push_back({action, 1234, 0, {legal[0], legal[1], legal[0], legal[1], legal[0]}, 0.554, certain});
    return all;
  }
  Lines told(std::size_t certain, const std::string& locale, int columns) const {
    return hints_from(thoughts(certain), *match_, listed(locale), texts(locale), {.actions = 100, .columns = columns});
  }

  std::unique_ptr<Match> match_;
};

TEST_F(Hints, NameChoicesAsTheListDoes) {
  const Choices choices = listed("en");
  const Lines lines = told(0, "en", 0);
  ASSERT_EQ(lines.size(), choices.size() + 1);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string begin = std::to_string(i + 1) + " " + choices[i].said + ": 55\u00A0% to win";
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.starts_with(begin); })) << begin;
  }
}

TEST_F(Hints, TellWhatIsCertainApartFromWhatIsNot) {
  const auto legal = match_->actions(seat());
  const auto name = [&](Action action) { return match_->say(action, texts("en")); };
  const std::string two = name(legal[0]) + " → " + name(legal[1]);
  EXPECT_THAT(told(2, "en", 0).front(), testing::EndsWith(" Then: " + two + ". Later perhaps: " + two + "."));
  EXPECT_THAT(told(0, "en", 0).front(), testing::EndsWith("). Later perhaps: " + two + " → " + two + "."));
  EXPECT_THAT(told(5, "en", 0).front(), testing::EndsWith("). Then: " + two + " → " + two + "."));
  Thoughts same = thoughts(2);
  same.actions.front().line = {legal[0], legal[0], legal[1], legal[1]};
  EXPECT_THAT(hints_from(same, *match_, listed("en"), texts("en"), {.actions = 1, .columns = 0}).front(),
              testing::EndsWith(" Then: " + name(legal[0]) + ". Later perhaps: " + name(legal[1]) + "."))
      << "what sounds alike is said once";
}

TEST_F(Hints, WriteNumbersAsTheLanguageDoes) {
  EXPECT_THAT(told(1, "de", 0).back(), HasSubstr("27.485 Verläufe in 1,0\u00A0s"));
  EXPECT_THAT(told(1, "en", 0).back(), HasSubstr("27,485 lines of play imagined in 1.0\u00A0s"));
  const std::string japanese = told(1, "ja", 0).front();
  EXPECT_THAT(japanese, HasSubstr("55%"));
  EXPECT_THAT(japanese, Not(HasSubstr("。 "))) << "no blank between sentences";
}

TEST_F(Hints, AreComparedInATableThatFits) {
  for (const std::string locale : {"en", "de", "ja"}) {
    for (const int columns : {40, 80}) {
      Lines lines = told(2, locale, columns);
      lines.pop_back();  // a sentence, which is wrapped as such
      for (const std::string& line : lines) EXPECT_LE(display_width(line), columns) << line;
    }
  }
  const Lines lines = told(2, "en", 80);
  EXPECT_THAT(lines[0], testing::MatchesRegex("    Choice +To win +Tried +Share"));
  EXPECT_THAT(lines[1], testing::MatchesRegex(" +[0-9]+ .* +55\u00A0%  1,234 +[0-9]+\u00A0%"));
  EXPECT_THAT(lines[2], testing::StartsWith("      Then: "));
}

}  // namespace
}  // namespace baton::app
