// Playing in the terminal: whole games through a pipe, commands, secrets at one keyboard.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <set>
#include <thread>

#include "app/choices.h"
#include "app/display.h"
#include "app/hints.h"
#include "app/interval.h"
#include "app/play.h"
#include "app/program_run.h"
#include "app/thinking.h"
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
  std::istringstream in("2\n2\n5\n3\n6\n3\n1\nquit\n\n8\n");
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
  EXPECT_EQ(wrapped("about 37\u00A0% of all", 8), (Lines{"about", "37\u00A0% of", "all"})) << "a number keeps its sign";
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
  EXPECT_THAT(run.out, HasSubstr("US Company drops out: its program has broken down"));
  // Why may name what it held, so it is told when the person leaves.
  const auto why = run.out.find("dropped out because of this: the program \"exit 3\" ended with code 3");
  ASSERT_NE(why, std::string::npos) << run.out;
  EXPECT_GT(why, run.out.find("kept.json"));
  EXPECT_THAT(text_of_file(folder.file("kept.json")), HasSubstr("company-commander"));
}

TEST(Play, AProgramsWordsDoNotCommandTheScreen) {
  const std::string program = "us=exec:read -r a; read -r b; printf '%s\\n' '{\"action\":\"\\u001b[2Jfoo\"}'; cat > /dev/null";
  const auto run = run_baton({"play", "company-commander", "--seed", "4", "--plain", "--seat", program, "--seat", "german=human"}, "quit\ny\n");
  EXPECT_THAT(run.out, HasSubstr("?[2Jfoo"));
  EXPECT_THAT(run.out, Not(HasSubstr("\033")));
  const std::string why = run.out.substr(run.out.find("dropped out because of this: "));
  EXPECT_THAT(why, testing::ContainsRegex("[^.]\\.\n")) << "the reason is a part of a sentence";
  EXPECT_THAT(why, Not(HasSubstr("..")));
}

// What a person reads on a screen that is cleared again and again.
class OnAScreen : public testing::Test {
 protected:
  std::string shown(const Words& words, const std::string& typed, Size size = {.columns = 80, .rows = 60}) {
    std::istringstream in(typed);
    std::ostringstream out, err;
    Terminal terminal{in, out, err};
    terminal.in_is_screen = terminal.out_is_screen = terminal.cursor = true;
    terminal.size = [size] { return size; };
    EXPECT_EQ(run_program(words, terminal), 0) << err.str();
    return out.str();
  }
  static std::string still_there(const std::string& shown) {
    const std::string clear = "\033[H";
    const auto last = shown.rfind(clear);
    return last == std::string::npos ? shown : shown.substr(last + clear.size());
  }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

TEST_F(OnAScreen, EveryProgramThatBrokeDownIsAmongTheNews) {
  const Words words = {"play", "company-leader", "--locale", "en", "--seed", "3", "--scenario", "three", "--seat", "1=exec:exit 3", "--seat", "2=exec:exit 4", "--seat", "3=human"};
  const std::string screen = still_there(shown(words, "", {.columns = 130, .rows = 200}));
  EXPECT_EQ(count(screen, "drops out"), 2u) << screen;
  EXPECT_THAT(screen, HasSubstr("code 3"));
  EXPECT_THAT(screen, HasSubstr("code 4"));
  // A low screen shows the news by themselves first, until Enter.
  const std::string low = shown(words, "", {.columns = 80, .rows = 24});
  const auto news = low.find("Since your last choice");
  ASSERT_NE(news, std::string::npos);
  EXPECT_EQ(count(low.substr(news, low.find("Press Enter", news) - news), "drops out"), 2u) << low;
}

TEST_F(OnAScreen, CtrlCEndsTheThinkingAndNotTheMatch) {
  const auto before = std::signal(SIGINT, SIG_DFL);  // whoever started the tests may ignore it
  std::jthread person([](const std::stop_token& over) {
    struct sigaction now {};
    const auto is_noted = [&] { return sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler != SIG_DFL; };
    while (!over.stop_requested() && !is_noted()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (is_noted()) std::raise(SIGINT);
  });
  const auto begun = std::chrono::steady_clock::now();
  const std::string out = shown({"play", game, "--locale", "en", "--seed", "4", "--seat", "1=human", "--seat", "2=random"}, "hint 600\nlog\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(60));
  EXPECT_THAT(out, HasSubstr("Thinking it over … Ctrl-C ends it"));
  EXPECT_THAT(out, HasSubstr("to win, as far as I see")) << "what was found so far";
  EXPECT_THAT(out.substr(out.find("A hint")), HasSubstr("The story so far")) << "the match goes on";
  std::signal(SIGINT, before);
}

TEST(Play, OnlyAPersonIsToldOfCtrlC) {
  EXPECT_THAT(run_baton({"play", game, "--locale", "en", "--seed", "4", "--seat", "2=random", "--plain"}, "hint 1\n").out, Not(HasSubstr("Ctrl-C")));
}

TEST_F(OnAScreen, HelpIsWrappedBelowItsExplanations) {
  for (const std::string locale : {"en", "de", "ja"}) {
    const auto texts = house_catalogue(game, locale);
    std::string help = still_there(shown({"play", game, "--locale", locale, "--seed", "4", "--seat", "1=human", "--seat", "2=random"}, "help\n", {.columns = 60, .rows = 60}));
    help = help.substr(help.find(texts.say("play.commands-title") + "\n"));
    std::istringstream lines(help.substr(help.find('\n') + 1));
    int wrapped_lines = 0;
    for (std::string line; std::getline(lines, line) && !line.starts_with("> ");) {
      EXPECT_LE(display_width(line), 60) << line;
      if (!line.starts_with(' ')) continue;
      EXPECT_EQ(line.find_first_not_of(' '), 14u) << line;
      ++wrapped_lines;
    }
    EXPECT_GT(wrapped_lines, 0);
  }
}

TEST_F(OnAScreen, GivingUpIsTheLastChoiceAndStaysInSight) {
  const std::string out = shown({"play", "company-leader", "--locale", "en", "--seed", "3", "--seat", "2=greedy"}, "\nplace-for-me\nready\n\n", {.columns = 130, .rows = 40});
  const std::string screen = out.substr(out.rfind("Your turn: "));
  const auto more = screen.find("… and "), end = screen.find(" End your actions\n"), surrender = screen.find(" Surrender\n");
  ASSERT_NE(surrender, std::string::npos) << screen;
  EXPECT_LT(more, end);
  EXPECT_LT(end, surrender);
}

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

  // Every choice was considered, and the whole list is expected to follow each.
  Thoughts thoughts(std::size_t certain) const {
    Thoughts all;
    all.iterations = 27485;
    all.seconds = 1.04;
    const auto legal = match_->actions(seat());
    for (const Action action : legal) all.actions.push_back({action, 1234, 0, std::vector<Action>(5, legal.front()), 0.554, certain});
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
  const std::string next = match_->say(match_->actions(seat()).front(), texts("en")), two = next + " → " + next;
  EXPECT_THAT(told(2, "en", 0).front(), testing::EndsWith(" Then: " + two + ". Later perhaps: " + two + "."));
  EXPECT_THAT(told(0, "en", 0).front(), testing::EndsWith("). Later perhaps: " + two + " → " + two + "."));
  EXPECT_THAT(told(5, "en", 0).front(), testing::EndsWith("). Then: " + two + " → " + two + "."));
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

TEST(Play, SeatsThatAreNotGiven) {
  TemporaryFolder folder;
  int number = 0;
  const auto players = [&](const Words& seats) {
    Words words = {"play", "company-leader", "--scenario", "three", "--locale", "en", "--seed", "4", "--plain"};
    for (const std::string& seat : seats) words.insert(words.end(), {"--seat", seat});
    const auto file = folder.file("match-" + std::to_string(++number));
    EXPECT_EQ(run_baton(words, "save " + file + "\nquit\n").code, 0);
    const std::string head = text_of_file(file);
    const auto sat = nlohmann::json::parse(head.substr(0, head.find('\n')))["players"];
    std::vector<std::string> all;
    for (const char* seat : {"red", "blue", "green"}) all.push_back(sat[seat].get<std::string>());
    return all;
  };
  using All = std::vector<std::string>;
  EXPECT_EQ(players({}), (All{"human", "sergeant", "sergeant"}));
  EXPECT_EQ(players({"1=random"}), (All{"random", "human", "sergeant"}));
  EXPECT_EQ(players({"3=human"}), (All{"sergeant", "sergeant", "human"}));
  EXPECT_EQ(players({"1=random", "3=random"}), (All{"random", "human", "random"}));
  EXPECT_THAT(run_baton({"play", "--help"}).out, HasSubstr("sergeant"));
}

TEST(Play, TellsHowLongEachSeatThought) {
  const auto after = [](const std::string& kind, const std::string& locale) {
    return run_baton({"play", game, "--seed", "4", "--plain", "--locale", locale, "--seat", "us=" + kind, "--seat", "german=human"}, "").out;
  };
  EXPECT_THAT(after("recruit:iterations=1", "en"), HasSubstr("(Thinking time: US Company under 0.01\u00A0s)"));
  EXPECT_THAT(after("sergeant:time=300", "en"), testing::ContainsRegex("\\(Thinking time: US Company [01]\\.[0-9][0-9]\u00A0s\\)"));
  EXPECT_THAT(after("sergeant:time=300", "de"), testing::ContainsRegex("\\(Bedenkzeit: [^0-9]* [01],[0-9][0-9]\u00A0s\\)"));
  EXPECT_THAT(after("greedy", "en"), Not(HasSubstr("Thinking time")));
}

TEST(TellableTime, AReactionLetGoByIsToldWithWhatShows) {
  TellableTime time(0.1);
  EXPECT_FALSE(time.tell()) << "not thought yet";
  time.add(0.2, false);
  EXPECT_FALSE(time.tell()) << "or it were known that there was something to answer with";
  EXPECT_EQ(time.last(), 0.2);
  time.add(0.3, true);
  EXPECT_DOUBLE_EQ(*time.tell(), 0.5);
  EXPECT_FALSE(time.tell()) << "once";
  time.add(0, true);
  EXPECT_FALSE(time.tell()) << "who does not think has nothing to tell";
  time.add(0.2, false);
  EXPECT_FALSE(time.tell()) << "what showed was told of, with nothing";
  time.add_seeming(0.1);
  EXPECT_FALSE(time.tell());
  EXPECT_EQ(time.last(), 0.2) << "what only seems to be thinking sets no measure";
  time.add(0.1, true);
  EXPECT_DOUBLE_EQ(*time.tell(), 0.4);
}

TEST(Play, NothingChosenIsNothingToTakeBack) {
  const auto after = [](const std::string& typed) {
    return run_baton({"play", game, "--seed", "4", "--plain", "--locale", "en", "--seat", "us=greedy", "--seat", "german=human"}, typed).out;
  };
  EXPECT_THAT(after(""), HasSubstr("deployed")) << "the computer has begun";
  EXPECT_THAT(after("undo\n"), HasSubstr("There is nothing to take back."));
  EXPECT_THAT(after("undo\n"), Not(HasSubstr("Too late")));
  const std::string twice = after("1\nundo\nundo\n");
  EXPECT_LT(twice.find("Taken back."), twice.find("There is nothing to take back."));
}

}  // namespace
}  // namespace baton::app
