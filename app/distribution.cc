#include "app/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace baton::app {
namespace {

std::int64_t total(const Counts& counts) {
  std::int64_t all = 0;
  for (const auto& [value, count] : counts) all += count;
  return all;
}

// 1, 2 or 5 times a power of ten, the first that cuts `span` into at most `lines` parts.
std::int64_t round_step(std::int64_t span, int lines) {
  for (std::int64_t power = 1;; power *= 10) {
    for (const std::int64_t factor : {1, 2, 5}) {
      if (span / (factor * power) + 2 <= lines || span < factor * power) return factor * power;
    }
  }
}

}  // namespace

std::int64_t percentile(const Counts& counts, double share) {
  const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(total(counts))));
  std::int64_t below = 0;
  for (const auto& [value, count] : counts) {
    below += count;
    if (below >= wanted) return value;
  }
  return 0;
}

double mean(const Counts& counts) {
  double sum = 0;
  for (const auto& [value, count] : counts) sum += static_cast<double>(value) * static_cast<double>(count);
  return counts.empty() ? 0 : sum / static_cast<double>(total(counts));
}

Json summary_json(const Counts& counts) {
  if (counts.empty()) return nullptr;
  return {{"least", counts.begin()->first},  {"p5", percentile(counts, 0.05)},
          {"p25", percentile(counts, 0.25)}, {"median", percentile(counts, 0.5)},
          {"p75", percentile(counts, 0.75)}, {"p95", percentile(counts, 0.95)},
          {"most", counts.rbegin()->first},  {"mean", std::round(mean(counts) * 1000) / 1000}};
}

std::vector<std::string> histogram(const Counts& counts, int lines, int bar_width) {
  if (counts.empty()) return {};
  const std::int64_t step = round_step(counts.rbegin()->first - counts.begin()->first + 1, lines);
  Counts ranges;
  for (const auto& [value, count] : counts) ranges[value / step] += count;
  const std::int64_t highest =
      std::max_element(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->second;
  std::vector<std::string> chart;
  for (std::int64_t range = ranges.begin()->first; range <= ranges.rbegin()->first; ++range) {
    const std::int64_t count = ranges.contains(range) ? ranges[range] : 0;
    const std::string label = step == 1 ? std::to_string(range) : fmt::format("{}–{}", range * step, (range + 1) * step - 1);
    const auto bar = static_cast<std::size_t>((count * bar_width + highest - 1) / highest);
    // fmt counts the dash of a range as one column, as a terminal does.
    chart.push_back(fmt::format("{:>13}  {:<{}} {}", label, std::string(bar, '#'), bar_width, count));
  }
  return chart;
}

}  // namespace baton::app
