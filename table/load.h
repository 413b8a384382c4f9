// A bounded load on a server of its own, on the loopback address only: tables where scripted people play each other, and tables where one
// plays a computer player.
//
// The load is open: actions are due at a steady pace whatever the server does, and every time is taken from the moment the action was due.
// A server that falls behind cannot hide it by slowing its clients down.
#pragma once

#include <string>
#include <vector>

#include "core/problem.h"

namespace baton::table {

struct LoadPlan {
  std::string game = "company-commander";
  int tables = 100;
  int with_bots = 50;            // of the tables
  std::string level = "greedy";  // of the computer players
  int actions_per_second = 100;  // of people, at all tables together
  int seconds = 20;              // that are measured
  int warm_up_seconds = 5;       // before them
  std::string folder;            // for the database; empty: a fresh one, removed afterwards
  std::string database;          // empty: SQLite in the folder
};

// Milliseconds since an action was due, sorted.
struct LoadTimes {
  std::vector<double> answer;  // until the answer to whoever acted
  std::vector<double> view;    // until the opponent has the view it led to; against a computer player, until one has it oneself
  long unseen = 0;             // actions that changed nothing the opponent may see
};

// Where a counted time fell in the server's own histogram.
struct LoadBucket {
  double most_ms = 0;  // the last: infinite
  long count = 0;
};

struct LoadReport {
  int tables = 0, with_bots = 0, games_ended = 0;
  long actions = 0, refused = 0;
  long late = 0;        // were due when no seat had a choice to make
  long unanswered = 0;  // were still not answered some time after the end; their age counts among the times
  double seconds = 0;
  LoadTimes people, against_bots;
  long server_actions = 0, bot_actions = 0;  // by the server's count: everybody's, and those of computer players
  std::vector<LoadBucket> bot_buckets;  // from the moment a computer player's choice holds to the moment its views are handed to the lines
  long commits = 0;
  double commit_seconds = 0;
  long bytes = 0;                                                                // that clients received
  long server_kib_before = 0, server_kib_with_tables = 0, server_kib_after = 0;  // resident memory
  double server_cpu_seconds = 0, client_cpu_seconds = 0, other_cpu_seconds = 0;  // while it was measured; other: of the whole machine
  int cores = 0;
};

// Starts the server as a child, plays, and stops it.
Expected<LoadReport> run_load(const LoadPlan& plan);

// The value below which `share` of them lie.
double percentile(const std::vector<double>& sorted, double share);

}  // namespace baton::table
