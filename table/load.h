// A bounded load on a server of its own, on the loopback address only: tables of two scripted people each, who play at a steady pace.
#pragma once

#include <string>
#include <vector>

#include "core/problem.h"

namespace baton::table {

struct LoadPlan {
  int tables = 100;
  int actions_per_second = 100;  // in all
  int seconds = 20;
  std::string folder;    // for the database; empty: a fresh one, removed afterwards
  std::string database;  // empty: SQLite in the folder
};

struct LoadReport {
  int tables = 0, games = 0;
  long actions = 0, refused = 0;
  double seconds = 0;
  std::vector<double> answer_ms, view_ms;  // sorted: until the answer, until the opponent's view
  long bytes = 0;                          // that clients received
  long server_kib_before = 0, server_kib_with_tables = 0, server_kib_after = 0;  // resident memory
  double server_cpu_seconds = 0;           // while actions were played
};

// Starts the server as a child, plays, and stops it.
Expected<LoadReport> run_load(const LoadPlan& plan);

// The value below which `share` of them lie.
double percentile(const std::vector<double>& sorted, double share);

}  // namespace baton::table
