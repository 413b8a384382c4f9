// baton arena --html: the page says what the report says, and can be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/program_run.h"
#include "app/resolved_player.h"

namespace baton::app {
namespace {

using testing::HasSubstr;

const std::string game = "company-commander";

TEST(Arena, ThePageLeavesForfeitsOutOfSeatsAndLengths) {
  TemporaryFolder folder;
  const std::string page = folder.file("page.html");
  ASSERT_EQ(run_baton({"arena", game, "--a", "exec:echo no", "--b", "greedy", "--games", "2", "--html", page}).code, 0);
  EXPECT_THAT(text_of_file(page), Not(HasSubstr("Seat edge")));
  EXPECT_THAT(text_of_file(page), HasSubstr("0.0 %"));
}

std::string page_of(const TemporaryFolder& folder, Words words) {
  words.insert(words.begin(), "arena");
  words.insert(words.end(), {"--games", "2", "--html", folder.file("page.html")});
  EXPECT_EQ(run_baton(words).code, 0);
  return text_of_file(folder.file("page.html"));
}

TEST(Arena, ThePageSaysWhatTheReportSays) {
  TemporaryFolder folder;
  const std::string timed = page_of(folder, {game, "--a", "recruit:time=1", "--b", "greedy"});
  EXPECT_THAT(timed, HasSubstr("budgets by time"));
  EXPECT_THAT(timed, HasSubstr("thinking time per own turn"));
  const std::string mixed = page_of(folder, {game, "--a", "recruit:time=1", "--b", "recruit:iterations=4"});
  EXPECT_THAT(mixed, HasSubstr("not plotted against thinking: some think for a time"));
  const std::string three = page_of(folder, {"company-leader", "--scenario", "three", "--a", "recruit:iterations=2", "--b", "greedy"});
  EXPECT_THAT(three, HasSubstr("not plotted against thinking: ratings compare two sides, and here are 3"));
  EXPECT_THAT(three, HasSubstr("Equals would score 33.3 % and have an Elo of 0"));
  // In a dear game a level makes fewer iterations than its table says; the mark of the axis tells how many.
  const PlayerKind recruit = *read_player_kind("recruit");
  const auto iterations = budget_in("company-leader", recruit, Counting::iterations).iterations;
  EXPECT_LT(iterations, recruit.by_iterations.iterations);
  EXPECT_THAT(page_of(folder, {"company-leader", "--a", "recruit", "--b", "greedy"}), HasSubstr(fmt::format(">{}</text>", iterations)));
}

TEST(Arena, ThePageTellsAllThatTheTextTells) {
  TemporaryFolder folder;
  const std::string page = page_of(folder, {game, "--player", "recruit:iterations=2,turns=1", "--player", "recruit:iterations=8",
                                            "--player", "recruit:iterations=8", "--player", "exec:exit 3 # <no>", "--sprt", "0,50"});
  for (const char* part : {"<h2>Table</h2>", "Bradley and Terry", "more than +", "to +∞", "<h2>Thinking time</h2>", " ms</td>",
                           "<h2>Forfeited games</h2>", "ended with code 3", "sequential test: ", "recruit:<wbr>iterations=2,<wbr>turns=1",
                           "exec:<wbr>exit 3 # &lt;no&gt;", "iterations per own turn (logarithmic)"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_THAT(page_of(folder, {game, "--a", "recruit:iterations=2", "--b", "greedy"}), testing::Not(HasSubstr("(logarithmic)")))
      << "there is a single mark";
  EXPECT_THAT(page_of(folder, {"company-leader", "--scenario", "two-against-one", "--a", "greedy", "--b", "greedy"}),
              HasSubstr("In the score each side counts alike"));
}

// The numbers at the axes of a plot, in the order in which they are drawn.
std::vector<double> ticks_of(const std::string& page, const std::string& title, const std::string& anchor) {
  const auto from = page.find("<figcaption>" + title), to = page.find("</svg>", from);
  std::vector<double> ticks;
  for (auto at = page.find("text-anchor=\"" + anchor + "\">", from); at < to; at = page.find("text-anchor=\"" + anchor + "\">", at + 1)) {
    const auto text = page.substr(page.find('>', at) + 1, 12);
    if (std::isdigit(static_cast<unsigned char>(text[0]))) ticks.push_back(std::stod(text));
  }
  return ticks;
}

TEST(Arena, ThePageHasRoundTicks) {
  TemporaryFolder folder;
  ASSERT_EQ(run_baton({"arena", game, "--a", "greedy", "--b", "greedy", "--games", "26", "--html", folder.file("page.html")}).code, 0);
  const std::string page = text_of_file(folder.file("page.html"));
  for (const char* anchor : {"end", "middle"}) {
    const auto ticks = ticks_of(page, "Game length", anchor);
    ASSERT_GE(ticks.size(), 3u) << anchor;
    const double step = ticks[1] - ticks[0];
    EXPECT_TRUE(std::set<char>({'1', '2', '5'}).contains(std::to_string(step)[0])) << step;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      EXPECT_EQ(std::fmod(ticks[i], step), 0) << anchor;
      EXPECT_EQ(ticks[i], ticks[0] + step * static_cast<double>(i)) << anchor;
    }
  }
}

}  // namespace
}  // namespace baton::app
