// Two people at one keyboard, and what is drawn of a table: nobody sees what only the other knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/choices.h"
#include "app/play.h"
#include "app/program_run.h"
#include "games/company_commander/game.h"
#include "match/registry.h"

namespace baton::app {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string game = "company-commander";

using Names = std::set<std::string>;

Names names_of(const Json& cards, const Catalogue& texts) {
  Names names;
  for (const Json& card : cards) names.insert(texts.say("card." + card.get<std::string>()));
  return names;
}

// Knows the truth beside the program, to say what a seat must not be shown.
class Secrets {
 public:
  Secrets(const Match& match, const Catalogue& texts)
      : match_(match), texts_(texts), heard_(match.seats().size()), told_(match.seats().size()) {}

  // The cards that `seat` may not read anywhere now: the other hand, without what it holds itself, has seen, or has heard of.
  Names from(Seat seat) {
    const auto i = static_cast<std::size_t>(index(seat));
    for (const std::string& line : match_.log(seat, texts_, told_[i])) {
      heard_[i] += line + "\n";
      ++told_[i];
    }
    const Json own = match_.view(seat)["state"], other = match_.view(Seat(1 - index(seat)))["state"];
    Names secret = names_of(other["hand"], texts_);
    for (const std::string& name : names_of(own["hand"], texts_)) secret.erase(name);
    for (const std::string& name : names_of(own["enemy_hand_known"], texts_)) secret.erase(name);
    std::erase_if(secret, [&](const std::string& name) { return heard_[i].find(name) != std::string::npos; });
    return secret;
  }

 private:
  const Match& match_;
  const Catalogue& texts_;
  std::vector<std::string> heard_;
  std::vector<std::size_t> told_;
};

// Nobody answers at the hand-over: then nobody sees the table.
TEST(HotSeat, TheEndOfInputAtTheHandOverShowsNothing) {
  const Words words = {"play", game, "--seed", "1", "--locale", "en", "--seat", "1=human", "--seat", "2=human", "--plain"};
  EXPECT_THAT(run_baton(words, "\n").out, HasSubstr("Deploy "));
  const std::string out = run_baton(words, "").out;
  EXPECT_THAT(out, HasSubstr("Hand the keyboard to"));
  EXPECT_THAT(out, Not(HasSubstr("Deploy ")));
}

// Two people at one keyboard. What stands between one hand-over and the next must not name a card that only the other holds.
TEST(HotSeat, NeverShowsTheOthersHand) {
  for (const std::uint64_t seed : {1u, 2u}) {
    // The same game beside it, to know the truth: everyone always takes the first choice.
    MatchSetup setup;
    setup.scenario = *find_scenario(game, "");
    setup.chance = Seeded{seed};
    const auto match = std::move(*create_match(game, setup));
    const auto texts = match->catalogue(embedded_files(), "en");
    Secrets truth(*match, texts);
    std::string typed;
    std::vector<Names> secrets;
    std::optional<Seat> last;
    while (!match->choosing().empty()) {
      const Seat seat = match->choosing().front();
      const auto legal = match->actions(seat);
      if (seat == last && legal.size() == 1) {  // nobody is asked
        ASSERT_TRUE(match->act(seat, legal.front()));
        continue;
      }
      const Names secret = truth.from(seat);
      if (seat != last) {
        typed += "\n";
        secrets.push_back(secret);
      } else {
        std::erase_if(secrets.back(), [&](const std::string& name) { return !secret.contains(name); });
      }
      last = seat;
      typed += secrets.size() % 60 == 0 ? "log\ntable\nall\n1\n" : "1\n";
      ASSERT_TRUE(match->act(seat, Choices(*match, seat, texts)[0].action));
    }
    Words words = {"play", game, "--seed", std::to_string(seed), "--locale", "en", "--seat", "1=human", "--seat", "2=human"};
    if (seed == 1) words.push_back("--plain");
    const std::string out = run_baton(words, typed).out;
    EXPECT_THAT(out, HasSubstr("The game is over."));
    const std::string mark = "the keyboard";  // of either kind of hand-over
    std::size_t begin = out.find(mark), searched = 0;
    for (const Names& secret : secrets) {
      ASSERT_NE(begin, std::string::npos);
      const std::size_t end = out.find(mark, begin + 1);
      const std::string shown = out.substr(begin, end - begin);
      for (const std::string& name : secret) {
        EXPECT_THAT(shown, Not(HasSubstr(name)));
        ++searched;
      }
      begin = end;
    }
    EXPECT_EQ(begin, std::string::npos) << "as many hand-overs as expected";
    EXPECT_GT(searched, 10u);
  }
}

// Someone who sits at the keyboard and passes for the other, as asked, sees the same whatever cards the other holds.
class OneTurn : public testing::Test {
 protected:
  using G = company_commander::Game;

  // A position in which the one to choose has the turn and draws no more cards in it.
  OneTurn() {
    setup_.scenario = *find_scenario(game, "");
    setup_.chance = Seeded{6};
    auto match = std::move(*create_match(game, setup_));
    FastChance choices(6);
    for (int i = 0; i < 400 || match->save_position()["step"] != "suppression"; ++i) {
      const auto legal = match->actions(match->choosing().front());
      EXPECT_TRUE(match->act(match->choosing().front(), legal[choices.pick(static_cast<std::uint32_t>(legal.size()))]));
    }
    truth_ = match->save_position();
    active_ = match->choosing().front();
  }

  // The same to the active seat, with another hand opposite.
  Json position(std::uint64_t seed) const {
    const auto scenario = *G::load(setup_.scenario, {});
    FastChance chance(seed);
    return G::save(scenario, G::imagine(scenario, G::observe(scenario, *G::restore(scenario, truth_), active_), chance));
  }

  // What the active seat types to play its turn while the other lets everything go by, and at which reactions the other could have
  // done something.
  std::pair<std::string, std::vector<bool>> played(const Json& position) const {
    MatchSetup setup = setup_;
    setup.position = position;
    const auto match = std::move(*create_match(game, setup));
    const auto texts = match->catalogue(embedded_files(), "en");
    const auto pass = *match->from_words("pass");
    std::string typed = "\n";
    std::vector<bool> free;
    while (!match->choosing().empty()) {
      const Seat seat = match->choosing().front();
      const auto legal = match->actions(seat);
      if (seat != active_) {
        if (!match->why_not(seat, pass).empty()) break;
        typed += "p\n";
        free.push_back(legal.size() > 1);
        EXPECT_TRUE(match->act(seat, pass));
      } else {
        if (legal.size() > 1) typed += "1\n";
        EXPECT_TRUE(match->act(seat, legal.size() > 1 ? Choices(*match, seat, texts)[0].action : legal.front()));
      }
    }
    return {typed, free};
  }

  std::string shown(const Json& position, const std::string& typed) {
    return run_baton({"play", game, "--plain", "--seed", "6", "--locale", "en", "--seat", "1=human", "--seat", "2=human", "--position",
                      folder_.with("position.json", position.dump())},
                     typed)
        .out;
  }

  MatchSetup setup_;
  Json truth_;
  Seat active_{};
  TemporaryFolder folder_;
};

TEST_F(OneTurn, LooksTheSameWhateverTheOtherCouldHaveDone) {
  const auto [typed, free] = played(truth_);
  const std::string out = shown(truth_, typed);
  EXPECT_THAT(out, HasSubstr("may react"));
  EXPECT_THAT(out, HasSubstr("Hand the keyboard to")) << "the turn came to its end";
  bool differs = false;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Json other = position(seed);
    differs = differs || played(other).second != free;
    EXPECT_EQ(shown(other, typed), out);
  }
  EXPECT_TRUE(differs) << "or the hands were too much alike";
}

// Only Enter seats the other player: whatever else is typed by whoever sits there must not show that hand.
TEST_F(OneTurn, AReactionIsLetGoByInAnySpelling) {
  const std::string typed = played(truth_).first, out = shown(truth_, typed);
  const auto with = [&](const std::string& instead) {
    std::string other = typed;
    return shown(truth_, other.replace(other.find("p\n"), 1, instead));
  };
  for (const char* spelling : {"P", "pass", " PASS "}) EXPECT_EQ(with(spelling), out) << spelling;
  const std::string asked_again = with("x\nhint\np"), question = "Or, when they let it go by: ";
  EXPECT_GT(asked_again.size(), out.size());
  std::string rest = asked_again;
  for (int more = 0; more < 2; ++more) {
    const auto begin = rest.find(question);
    rest.erase(begin, rest.find('\n', begin) + 1 - begin);
  }
  EXPECT_EQ(rest, out) << "nothing else was shown";
}

TEST_F(OneTurn, PassesUntilTheOthersOwnTurn) {
  std::string typed = played(truth_).first;
  const auto first = typed.find("p\n");
  ASSERT_NE(first, std::string::npos);
  typed.insert(first, "p");
  for (auto next = typed.find("\np\n", first); next != std::string::npos; next = typed.find("\np\n", next)) typed.erase(next, 2);
  const std::string out = shown(truth_, typed);
  EXPECT_EQ(out.find("may react"), out.rfind("may react")) << "asked once";
  EXPECT_THAT(out, HasSubstr("Hand the keyboard to"));
}

// What one person sees of her turn against a computer, up to the last question.
class OneTurnAgainst : public OneTurn {
 protected:
  std::string shown_against(const std::string& computer, const Json& held) {
    const std::string us = std::to_string(index(active_) + 1), them = std::to_string(2 - index(active_));
    std::string lines;
    for (auto left = std::count(typed_.begin(), typed_.end(), '1'); left > 1; --left) lines += "1\n";
    left_with_ = on_screen({"play", game, "--seed", "6", "--locale", "en", "--seat", us + "=human", "--seat", them + "=" + computer,
                            "--position", folder_.with("held.json", held.dump())},
                           lines);
    return left_with_.substr(0, left_with_.rfind("> "));
  }

  const std::string typed_ = played(truth_).first, passes_ = R"(exec:read -r a; while read -r q; do echo '{"action":"pass"}'; done)";
  std::string left_with_;  // all of it, with what is told when she leaves
};

// A computer that lets reactions go by shows the same, to the byte, whether it could have answered or not.
TEST_F(OneTurnAgainst, APassLooksTheSameWhateverTheComputerCouldHaveDone) {
  const std::string out = shown_against(passes_, truth_);
  EXPECT_THAT(out, HasSubstr(" is thinking …"));
  EXPECT_THAT(out, Not(HasSubstr("Thinking time")));
  bool differs = false;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Json other = position(seed);
    differs = differs || played(other).second != played(truth_).second;
    EXPECT_EQ(shown_against(passes_, other), out);
  }
  EXPECT_TRUE(differs) << "or the hands were too much alike";
}

// Nor does a program that breaks down over a reaction show that it was asked: that it dropped out is told with the next choice that shows.
TEST_F(OneTurnAgainst, ABreakdownIsToldWhenSomethingElseShows) {
  const std::string out = shown_against(passes_, truth_);
  int asked_in_silence = 0;
  // The captain who steps in may have as much time as it takes here, and answers with one hand and not with another.
  for (std::uint64_t seed = 1; seed <= 6 || (asked_in_silence == 0 && seed <= 24); ++seed) {
    const std::string broken = shown_against("exec:exit 3", position(seed));
    if (broken.find("drops out") != std::string::npos) continue;  // its captain had an answer, and gave it
    EXPECT_EQ(broken, out);
    asked_in_silence += left_with_.find("dropped out because of this") != std::string::npos;
  }
  EXPECT_GT(asked_in_silence, 0);
}

TEST(Table, ShowsASeatItsOwnHandAndNoOther) {
  MatchSetup setup;
  setup.scenario = *find_scenario(game, "");
  setup.chance = Seeded{11};
  const auto match = std::move(*create_match(game, setup));
  const auto texts = match->catalogue(embedded_files(), "en");
  const auto picture = picture_of(*match);
  Secrets truth(*match, texts);
  for (std::size_t i = 0; i < 200 && !match->choosing().empty(); ++i) {
    const Seat seat = match->choosing().front();
    const Json own = match->view(seat)["state"];
    std::string all;
    for (const std::string& line : picture->draw(own, texts, 200, Paint(false))) all += line + "\n";
    for (const std::string& line : picture->tell(own, texts)) all += line + "\n";
    for (const std::string& name : names_of(own["hand"], texts)) EXPECT_THAT(all, HasSubstr(name));
    for (const std::string& name : truth.from(seat)) EXPECT_THAT(all, Not(HasSubstr(name)));
    const auto legal = match->actions(seat);
    ASSERT_TRUE(match->act(seat, legal[i % legal.size()]));
  }
}

}  // namespace
}  // namespace baton::app
