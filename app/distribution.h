// Counts of whole numbers, and what to say about them.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/game.h"

namespace baton::app {

using Counts = std::map<std::int64_t, std::int64_t>;

// The smallest value that at least `share` of all do not exceed. 0 when there are none.
std::int64_t percentile(const Counts& counts, double share);
double mean(const Counts& counts);

// {"least","p5","p25","median","p75","p95","most","mean"}
Json summary_json(const Counts& counts);

// A small bar chart, one line a range of values, at most `lines` of them.
std::vector<std::string> histogram(const Counts& counts, int lines, int bar_width);

}  // namespace baton::app
