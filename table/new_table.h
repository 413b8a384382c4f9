// From what a person asks for to a table that could be opened.
#pragma once

#include <memory>

#include "table/table.h"

namespace baton::table {

struct TablePlan {
  TableState state;
  ProofSecret secret;
  ScenarioFile scenario;
  std::unique_ptr<Match> match;  // of a table that goes on with a record
};

// NewTable and OpenRecord of docs/protocol.md.
Outcome<TablePlan> read_new_table(const Json& json, const Reader& host, const Settings& settings, Time now);
Outcome<TablePlan> read_open_record(const Json& json, const Reader& host, const Settings& settings, Time now);

// The same players, each one seat further.
Outcome<TablePlan> rematch_of(const Table& table, const Reader& host, Time now);
// Goes on after `step` steps. Seats that are not given are played by computers, except those the host held.
Outcome<TablePlan> branch_of(const Table& table, std::size_t step, const Json* seats, const Reader& host, Time now);

}  // namespace baton::table
