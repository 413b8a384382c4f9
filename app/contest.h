// Games between players whose strength is asked for: the same seeds with swapped seats, kept in a file as they end.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/arguments.h"
#include "app/strength.h"
#include "app/told_chances.h"
#include "bots/player.h"

namespace baton::app {

// One game of a contest. In group `group` every game has the same seed, and `first` sits in seat `seat`, `second` in all others.
struct ContestGame {
  std::size_t first = 0, second = 0;  // players
  std::int64_t group = 0;
  std::size_t seat = 0;

  // How it went.
  double points = 0;  // of the first: 1 won, 1/2 drawn, 0 lost
  std::int64_t decisions = 0;
  std::vector<std::size_t> winners;  // seats: all of a team
  std::string reason;
  ThinkingTime first_thinking, second_thinking;
  ToldChances first_told, second_told;  // by whoever looks ahead, once a round
  std::string forfeit;                  // why somebody gave up, or empty
  bool from_file = false;               // an earlier run played it
};

struct Contest {
  ChosenGame game;
  std::vector<PlayerKind> players;
  Counting counting = Counting::iterations;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  double fair_share() const { return 1 / static_cast<double>(game.sides); }  // what equals score
  std::string file;                                                          // keeps each game as it ends; empty: none

  // The games two players play with each other: groups of as many games as there are seats.
  std::int64_t groups = 0;
  // Asked after each group that ended, in the order of the groups: true ends the contest of these two.
  std::function<bool(std::size_t first, std::size_t second, const Score& score)> enough = [](std::size_t, std::size_t, const Score&) {
    return false;
  };
  std::function<void(std::uint64_t done)> progress = [](std::uint64_t) {};  // games in all, by one thread at a time
  std::function<bool()> stopped = [] { return false; };                     // then games at hand are broken off, and what was played counts
};

struct ContestResult {
  std::vector<ContestGame> games;  // of whole groups, in the order of pairings, groups and seats
  bool broken_off = false;         // something is left to play
};

Expected<ContestResult> run_contest(const Contest& contest);

// Of the pairing's whole groups, in order.
Score score_of(const std::vector<ContestGame>& games, std::size_t first, std::size_t second, const ChosenGame& game);

}  // namespace baton::app
