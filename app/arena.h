// What came of an arena: for the terminal, as JSON, and as a page with plots.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/contest.h"
#include "app/distribution.h"

namespace baton::app {

struct ArenaReport {
  const Contest& contest;
  std::vector<ContestGame> games;
  double seconds = 0;
  std::optional<std::pair<double, double>> sequential;  // elo0, elo1
};

// "time" when the clock has a say: "captain:time=50" minds it, whatever the others do. Else "iterations".
std::string counting_of(const Contest& contest);

// What two players did to each other.
struct Meeting {
  std::size_t first = 0, second = 0;
  Score score;
  std::int64_t won = 0, drawn = 0, lost = 0, forfeits = 0;
  std::vector<std::string> messages;                 // about the first forfeits
  std::vector<std::optional<double>> share_by_seat;  // of the first player, where it sat there
  std::array<ThinkingTime, 2> thinking{};            // of the first and the second
  std::array<std::vector<ToldChances>, 2> told;      // by the first and the second, games of the same dice together
  std::map<std::string, std::int64_t> reasons;
  Counts lengths;

  bool was_played() const { return score.games() > 0; }
};
std::vector<Meeting> meetings_of(const ArenaReport& report);

// A player in the table of all. For games of two sides: with more, equals would seem to be weaker than whoever they meet.
struct Standing {
  std::size_t player = 0;
  std::optional<Rating> rating;                      // nothing before the first game
  std::vector<std::optional<double>> share_against;  // of each player; nothing of oneself and of whoever was not met yet
};
std::vector<Standing> standings_of(const ArenaReport& report, std::span<const Meeting> meetings);
// The best first, those without a game last.
std::vector<Standing> in_order(std::vector<Standing> standings);

// "+12", "more than +512" where everything was won
std::string elo_text(const EloOfScore& elo);
// "−3 to +27", "+166 to +∞"
std::string elo_interval_text(const EloOfScore& elo);
// "sequential test: nearer to Elo 50 than to 0 (ratio +3.01, bounds ±2.94)"
std::string verdict_words(const ArenaReport& report, const Score& score);
// What must be known to read the scores of this game.
std::vector<std::string> notes_of(const Contest& contest);

// A whole page that needs nothing from elsewhere.
std::string arena_page(const ArenaReport& report);

}  // namespace baton::app
