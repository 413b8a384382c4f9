// Playing in the terminal: whole games through a pipe, commands, secrets at one keyboard.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/choices.h"
#include "app/display.h"
#include "app/interval.h"
#include "app/play.h"
#include "app/program_run.h"
#include "games/company_commander/game.h"
#include "match/registry.h"

namespace baton::app {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string game = "company-commander";

std::string many(const std::string& line, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += line + "\n";
  return all;
}

TEST(Play, AWholeGameThroughAPipe) {
  for (const std::string locale : {"en", "de", "ja"}) {
    const auto run = run_baton({"play", game, "--plain", "--seed", "3", "--locale", locale, "--seat", "2=random"}, many("1", 3000));
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(run.out, HasSubstr(house_catalogue(game, locale).say("play.game-over")));
    EXPECT_THAT(run.out, HasSubstr(house_catalogue(game, locale).say("play.farewell")));
    EXPECT_EQ(run.out.find('\033'), std::string::npos) << "no cursor control, no colour";
    EXPECT_EQ(run.out.find("│"), std::string::npos) << "no boxes";
    EXPECT_EQ(run.out.find("[play."), std::string::npos) << "no key without a text";
    EXPECT_EQ(run.out.find("[view."), std::string::npos);
  }
}

TEST(Play, TheDrawnTableFitsTheScreenInEveryLanguage) {
  for (const std::string locale : {"en", "de", "ja"}) {
    const auto run = run_baton({"play", game, "--seed", "5", "--locale", locale, "--seat", "1=random", "--seat", "2=random"});
    const auto table = run.out.rfind("━━");
    ASSERT_NE(table, std::string::npos);
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("│") != std::string::npos || line.find("━") != std::string::npos || line.find("┼") != std::string::npos) {
        EXPECT_EQ(display_width(line), 80) << line;
      }
    }
  }
}

// The numbers that are not in sight lie between those of the line above and those of the line below. Long rows are folded.
TEST(Play, AScreenThatIsTooLowTellsHowManyChoicesItHides) {
  for (const int rows : {34, 40, 45}) {
    std::istringstream in(many("", 3));
    std::ostringstream out, err;
    Terminal terminal{in, out, err};
    terminal.in_is_screen = terminal.out_is_screen = terminal.cursor = true;
    terminal.size = [rows] { return Size{.columns = 130, .rows = rows}; };
    run_program({"play", "company-leader", "--locale", "en", "--seed", "3", "--seat", "2=greedy"}, terminal);
    std::vector<std::string> lines;
    std::istringstream shown(out.str());
    for (std::string line; std::getline(shown, line);) lines.push_back(line);
    const auto more = std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return line.find("… and ") != std::string::npos; });
    ASSERT_TRUE(more != lines.begin() && more != lines.end() && more + 1 != lines.end()) << out.str();
    // The last number of the line above stands behind three blanks, or is its only one.
    const std::string& line_above = *(more - 1);
    const auto blanks = line_above.rfind("   ");
    const int above = std::stoi(blanks == std::string::npos ? line_above : line_above.substr(blanks)), below = std::stoi(*(more + 1));
    EXPECT_EQ(std::stoi(more->substr(more->find("and ") + 4)), below - above - 1) << rows;
  }
}

TEST(Play, ALowScreenKeepsTheEndOfTheTurnInSight) {
  std::istringstream in("\nplace-for-me\nready\n\n");
  std::ostringstream out, err;
  Terminal terminal{in, out, err};
  terminal.in_is_screen = terminal.out_is_screen = terminal.cursor = true;
  terminal.size = [] { return Size{.columns = 130, .rows = 40}; };
  run_program({"play", "company-leader", "--locale", "en", "--seed", "3", "--seat", "2=greedy"}, terminal);
  const std::string shown = out.str().substr(out.str().rfind("Your turn: "));
  EXPECT_THAT(shown, HasSubstr("… and "));
  EXPECT_THAT(shown, HasSubstr("End your actions"));
}

TEST(Play, TwoComputersPlayForASpectator) {
  const Words words = {"play", game, "--seed", "5", "--plain", "--seat", "1=greedy", "--seat", "2=random"};
  const auto run = run_baton(words);
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("wins"));
  EXPECT_THAT(run.out, Not(HasSubstr("You drew")));
  EXPECT_EQ(run.out, run_baton(words).out) << "a seed names one game";
}

TEST(Play, ProvenDiceAreCommittedFirstAndRevealedAtTheEnd) {
  TemporaryFolder folder;
  const auto file = folder.file("game.jsonl");
  const auto run = run_baton({"play", game, "--plain", "--locale", "en", "--seat", "2=random"}, many("1", 3000) + "save " + file + "\n");
  const auto committed = run.out.find("Commitment: ");
  ASSERT_NE(committed, std::string::npos);
  EXPECT_LT(committed, run.out.find("Round 1"));
  EXPECT_THAT(run.out, HasSubstr("The secret behind the dice: "));
}

TEST(Play, EndOfInputSavesNothingAndSaysSo) {
  const auto run = run_baton({"play", game, "--plain", "--seed", "1", "--seat", "us=human", "--seat", "german=random"}, "1\n");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("The match was not saved."));
}

class AtTheTable : public testing::Test {
 protected:
  // The first choice is a person's, whoever begins.
  std::string after(const std::string& typed, const Words& more = {}) {
    Words words = {"play", game, "--plain", "--seed", "4", "--locale", "en", "--seat", "1=human", "--seat", "2=random"};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_baton(words, typed);
    EXPECT_EQ(run.code, 0) << run.err;
    return run.out;
  }
  TemporaryFolder folder_;
};

TEST_F(AtTheTable, CommandsAnswer) {
  EXPECT_THAT(after("help\n"), HasSubstr("save FILE"));
  EXPECT_THAT(after("all\n"), HasSubstr("(deploy "));
  EXPECT_THAT(after("table\n"), HasSubstr("Tactics deck: "));
  EXPECT_THAT(after("log\n"), HasSubstr("The story so far"));
  EXPECT_THAT(after("why 1\n"), HasSubstr("Yes, that is allowed."));
  EXPECT_THAT(after("why assault rifle-1 left\n"), HasSubstr("No. "));
  EXPECT_THAT(after("why nonsense\n"), HasSubstr("There is no such action."));
  EXPECT_THAT(after("why\n"), HasSubstr("Why what?"));
  EXPECT_THAT(after("rally rifle-1\n"), HasSubstr("No. "));
  EXPECT_THAT(after("dance\n"), HasSubstr("“dance” is not a command"));
  EXPECT_THAT(after("999\n"), HasSubstr("Please choose a number from 1 to"));
  EXPECT_THAT(after("1a\n"), HasSubstr("is not a number"));
  EXPECT_THAT(after("odds\n"), HasSubstr("odds"));
  EXPECT_THAT(after("undo\n"), HasSubstr("take back"));
  EXPECT_THAT(after("save\n"), HasSubstr("Save where?"));
  EXPECT_THAT(after("save /nowhere/at/all\n"), HasSubstr("Could not save"));
  EXPECT_THAT(after("1\nquit\nn\nquit\ny\n"), HasSubstr("Until the next battle."));
  EXPECT_THAT(after("\n"), HasSubstr("Choose 1"));
}

TEST_F(AtTheTable, AnActionInWordsIsAsGoodAsItsNumber) {
  const std::string listed = after("all\n");
  const auto begin = listed.find("(deploy ") + 1;
  const std::string words = listed.substr(begin, listed.find(')', begin) - begin);
  const std::string by_number = after("1\n"), by_words = after(words + "\n"), wide = after("１\n");
  EXPECT_EQ(by_number, by_words);
  EXPECT_EQ(by_number, wide);
}

TEST_F(AtTheTable, UndoTakesBackADeployment) { EXPECT_THAT(after("1\nundo\n"), HasSubstr("Taken back.")); }

TEST_F(AtTheTable, ASavedMatchGoesOnWhereItWas) {
  const auto file = folder_.file("saved.jsonl");
  EXPECT_THAT(after("1\nsave " + file + "\nquit\n"), HasSubstr("Saved to"));
  EXPECT_EQ(run_baton({"verify", file}).code, 0);
  const auto resumed = run_baton({"play", "--resume", file, "--plain", "--locale", "en"}, "log\nquit\n");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("Match resumed"));
  EXPECT_THAT(resumed.out, HasSubstr("deployed on the"));
  EXPECT_THAT(after("1\nsave " + file + "\nn\nquit\ny\n"), HasSubstr("Overwrite it?"));
  EXPECT_THAT(run_baton({"play", "--resume", file, "--plain", "--locale", "en"}, many("1", 4000)).out, HasSubstr("The game is over."));
}

TEST_F(AtTheTable, ASavedPositionStartsAMatch) {
  const auto file = folder_.file("position.json");
  EXPECT_THAT(after("1\nsave-position " + file + "\nquit\ny\n"), HasSubstr("Saved to"));
  EXPECT_THAT(after("table\nquit\n", {"--position", file}), HasSubstr("Tactics deck"));
  EXPECT_EQ(run_baton({"play", game, "--position", folder_.with("bad.json", R"({"round":"one"})")}).code, 2);
  EXPECT_EQ(run_baton({"play", game, "--position", folder_.with("torn.json", "{")}).code, 2);
}

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

TEST(Menu, StartsAMatchAndLeaves) {
  std::istringstream in("2\n2\n5\n3\n1\nquit\n\n8\n");
  std::ostringstream out, err;
  Terminal terminal{in, out, err};
  EXPECT_EQ(run_menu(terminal), 0);
  EXPECT_THAT(out.str(), HasSubstr("Deutsch"));
  EXPECT_THAT(out.str(), HasSubstr("Bis zur nächsten Schlacht"));
}

TEST(Locale, ComesFromTheEnvironment) {
  EXPECT_EQ(locale_of("de_AT.UTF-8"), "de");
  EXPECT_EQ(locale_of("ja"), "ja");
  EXPECT_EQ(locale_of("C.UTF-8"), "en");
  EXPECT_EQ(locale_of(""), "en");
}

TEST(Display, CountsColumns) {
  EXPECT_EQ(display_width("Jäger"), 5);
  EXPECT_EQ(display_width("歩兵分隊"), 8);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(fitted("歩兵", 6), "歩兵  ");
  EXPECT_EQ(fitted("Replacement Squad 2", 12), "Replaceme… 2");
  EXPECT_EQ(display_width(fitted("歩兵分隊その二", 7)), 7);
  EXPECT_EQ(wrapped("one two three", 8, 2), (Lines{"one two", "  three"}));
  EXPECT_EQ(wrapped("右翼に歩兵分隊を展開する。", 12, 0).size(), 3u);
  EXPECT_EQ(plain_input("  １２ "), "12");
}

TEST(Interval, IsWilsons) {
  const Interval half = wilson_interval(50, 100);
  EXPECT_NEAR(half.low, 0.4038, 1e-4);
  EXPECT_NEAR(half.high, 0.5962, 1e-4);
  const Interval none = wilson_interval(0, 10);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.2775, 1e-4);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

TEST(Play, AProgramThatBreaksDownEndsNobodysMatch) {
  TemporaryFolder folder;
  const auto run = run_baton({"play", "company-commander", "--seed", "4", "--plain", "--seat", "us=exec:exit 3", "--seat", "german=human"}, "save " + folder.file("kept.json") + "\nquit\ny\n");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("drops out: the program \"exit 3\" ended with code 3"));
  EXPECT_THAT(text_of_file(folder.file("kept.json")), HasSubstr("company-commander"));
}

TEST(Play, AProgramsWordsDoNotCommandTheScreen) {
  const std::string program = "us=exec:read -r a; read -r b; printf '%s\\n' '{\"action\":\"\\u001b[2Jfoo\"}'; cat > /dev/null";
  const auto run = run_baton({"play", "company-commander", "--seed", "4", "--plain", "--seat", program, "--seat", "german=human"}, "quit\ny\n");
  EXPECT_THAT(run.out, HasSubstr("?[2Jfoo"));
  EXPECT_THAT(run.out, Not(HasSubstr("\033")));
  EXPECT_THAT(run.out, HasSubstr(". The computer")) << "the reason is a part of a sentence";
  EXPECT_THAT(run.out, Not(HasSubstr(".. The computer")));
}

}  // namespace
}  // namespace baton::app
