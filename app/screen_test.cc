// A person at a screen that is cleared again and again: what fits, what stays in sight, what Ctrl-C ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "app/display.h"
#include "app/play.h"
#include "app/program_run.h"
#include "app/second_ctrl_c.h"
#include "app/table_picture.h"
#include "match/registry.h"

namespace baton::app {
namespace {

using testing::HasSubstr;

const std::string game = "company-commander";

// What is left to read when the screen was cleared for the last time.
std::string still_there(const std::string& shown) {
  const std::string clear = "\033[H";
  const auto last = shown.rfind(clear);
  return last == std::string::npos ? shown : shown.substr(last + clear.size());
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
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
TEST(OnAScreen, AScreenThatIsTooLowTellsHowManyChoicesItHides) {
  for (const int rows : {34, 40, 45}) {
    const std::string out = on_screen({"play", "company-leader", "--locale", "en", "--seed", "3", "--seat", "2=greedy"}, "\n\n\n",
                                      {.columns = 130, .rows = rows});
    std::vector<std::string> lines;
    std::istringstream shown(out);
    for (std::string line; std::getline(shown, line);) lines.push_back(line);
    const auto more =
        std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return line.find("… and ") != std::string::npos; });
    ASSERT_TRUE(more != lines.begin() && more != lines.end() && more + 1 != lines.end()) << out;
    // The last number of the line above stands behind three blanks, or is its only one.
    const std::string& line_above = *(more - 1);
    const auto blanks = line_above.rfind("   ");
    const int above = std::stoi(blanks == std::string::npos ? line_above : line_above.substr(blanks)), below = std::stoi(*(more + 1));
    EXPECT_EQ(std::stoi(more->substr(more->find("and ") + 4)), below - above - 1) << rows;
  }
}

TEST(OnAScreen, ALowScreenKeepsTheEndOfTheTurnInSight) {
  const std::string out = on_screen({"play", "company-leader", "--locale", "en", "--seed", "3", "--seat", "2=greedy"},
                                    "\nplace-for-me\nready\n\n", {.columns = 130, .rows = 40});
  const std::string shown = out.substr(out.rfind("Your turn: "));
  EXPECT_THAT(shown, HasSubstr("… and "));
  EXPECT_THAT(shown, HasSubstr("End your actions"));
}

TEST(OnAScreen, WhatOneDidOneselfNeedsNoEnter) {
  const auto after = [](const std::string& typed) {
    return on_screen({"play", "company-leader", "--locale", "en", "--seed", "3", "--seat", "2=greedy"}, "\nplace-for-me\nready\n\n" + typed,
                     {.columns = 130, .rows = 40});
  };
  const std::string before = after(""), done = after("10\n");
  EXPECT_EQ(count(done, "Your turn: "), count(before, "Your turn: ") + 1) << done;
  EXPECT_EQ(count(done, "Press Enter"), count(before, "Press Enter"));
  const std::string screen = done.substr(done.rfind("\033[H"));
  EXPECT_THAT(screen, HasSubstr(" swapped ")) << "it is told beside the board";
  EXPECT_THAT(screen, HasSubstr("End your actions"));
}

// On a low screen a few choices stay in sight below the table: what little was told meanwhile goes before it where there is no room for
// all.
TEST(OnAScreen, TheNewsDoNotPushTheTableOut) {
  constexpr std::size_t rows = 25;
  std::string typed;
  for (int i = 0; i < 40; ++i) typed += "1\n\n";
  const std::string out = on_screen({"play", game, "--locale", "en", "--seed", "3", "--seat", "2=greedy"}, typed,
                                    {.columns = 80, .rows = static_cast<int>(rows)});
  const std::string clear = "\033[H";
  int screens = 0;
  for (auto at = out.find(clear); at != std::string::npos && out.find("Round 3", at) != std::string::npos;) {
    const auto next = out.find(clear, at + 1);
    const std::string screen = out.substr(at, std::min(next, out.find("\n> ", at)) - at);
    at = next;
    if (screen.find("━━") == std::string::npos) continue;
    ++screens;
    EXPECT_LT(count(screen, "\n"), rows) << screen;
  }
  EXPECT_GT(screens, 5);
}

TEST(OnAScreen, WhatIsTypedWhereEnterIsAwaitedIsNotLost) {
  const auto after = [](const std::string& typed) {
    const std::string out =
        on_screen({"play", game, "--locale", "en", "--seed", "3", "--seat", "2=greedy"}, typed, {.columns = 80, .rows = 24});
    EXPECT_LT(out.find("Press Enter to go on."), out.find("What next?")) << out;
    return out.substr(out.find("What next?"));
  };
  EXPECT_THAT(after("cards\n"), HasSubstr("> cards\nYou hold nothing."));
  EXPECT_THAT(after("2\n"),
              testing::AllOf(HasSubstr("> 2\nA number does not count where only Enter is awaited"), Not(HasSubstr("deployed"))));
  EXPECT_THAT(after("q\n"), Not(HasSubstr("> q")));
  EXPECT_THAT(after("\n2\n"), HasSubstr("deployed on the center"));
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

TEST(OnAScreen, EveryProgramThatBrokeDownIsAmongTheNews) {
  const Words words = {"play",  "company-leader", "--locale",      "en",     "--seed",        "3",      "--scenario",
                       "three", "--seat",         "1=exec:exit 3", "--seat", "2=exec:exit 4", "--seat", "3=human"};
  const std::string screen = still_there(on_screen(words, "", {.columns = 130, .rows = 200}));
  EXPECT_EQ(count(screen, "drops out"), 2u) << screen;
  EXPECT_THAT(screen, HasSubstr("code 3"));
  EXPECT_THAT(screen, HasSubstr("code 4"));
  // A low screen shows the news by themselves first, until Enter.
  const std::string low = on_screen(words, "", {.columns = 80, .rows = 24});
  const auto news = low.find("Since your last choice");
  ASSERT_NE(news, std::string::npos);
  EXPECT_EQ(count(low.substr(news, low.find("Press Enter", news) - news), "drops out"), 2u) << low;
}

TEST(OnAScreen, CtrlCEndsTheThinkingAndNotTheMatch) {
  const auto before = std::signal(SIGINT, SIG_DFL);  // whoever started the tests may ignore it
  const auto handler = [] {
    struct sigaction now {};
    sigaction(SIGINT, nullptr, &now);
    return now.sa_handler;
  };
  std::jthread person;
  const auto look = [&](const std::string& written) {
    if (person.joinable() || written.find("Thinking it over") == std::string::npos) return;
    person = std::jthread([&handler, at_the_table = handler()](const std::stop_token& over) {
      while (!over.stop_requested() && handler() == at_the_table) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (handler() != at_the_table) std::raise(SIGINT);
    });
  };
  const auto begun = std::chrono::steady_clock::now();
  const std::string out = on_screen({"play", game, "--locale", "en", "--seed", "4", "--seat", "1=human", "--seat", "2=random"},
                                    "hint 600\nlog\n", {.columns = 80, .rows = 60}, look);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(60));
  EXPECT_THAT(out, HasSubstr("Thinking it over … Ctrl-C ends it"));
  EXPECT_THAT(out, HasSubstr("to win, as far as I see")) << "what was found so far";
  EXPECT_THAT(out.substr(out.find("A hint")), HasSubstr("The story so far")) << "the match goes on";
  std::signal(SIGINT, before);
}

TEST(SecondCtrlC, EndsTheProgramUnlessSomethingWasTyped) {
  const auto pressed = [](bool typed_between) {
    std::signal(SIGINT, SIG_DFL);  // whoever started the tests may ignore it
    const SecondCtrlC leaving(true, "once more ends it");
    std::raise(SIGINT);
    if (typed_between) SecondCtrlC::think_again();
    std::raise(SIGINT);
    std::_Exit(7);
  };
  EXPECT_EXIT(pressed(false), testing::KilledBySignal(SIGINT), "once more ends it");
  EXPECT_EXIT(pressed(true), testing::ExitedWithCode(7), "once more ends it\n\nonce more");
}

TEST(OnAScreen, HelpIsWrappedBelowItsExplanations) {
  for (const std::string locale : {"en", "de", "ja"}) {
    const auto texts = house_catalogue(game, locale);
    std::string help = still_there(on_screen({"play", game, "--locale", locale, "--seed", "4", "--seat", "1=human", "--seat", "2=random"},
                                             "help\n", {.columns = 60, .rows = 60}));
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

TEST(OnAScreen, GivingUpIsTheLastChoiceAndStaysInSight) {
  const std::string out = on_screen({"play", "company-leader", "--locale", "en", "--seed", "3", "--seat", "2=greedy"},
                                    "\nplace-for-me\nready\n\n", {.columns = 130, .rows = 40});
  const std::string screen = out.substr(out.rfind("Your turn: "));
  const auto more = screen.find("… and "), end = screen.find(" End your actions\n"), surrender = screen.find(" Surrender\n");
  ASSERT_NE(surrender, std::string::npos) << screen;
  EXPECT_LT(more, end);
  EXPECT_LT(end, surrender);
}

}  // namespace
}  // namespace baton::app
