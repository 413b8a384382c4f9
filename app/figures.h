// How figures are written: for people who read reports, and for JSON.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton::app {

// "+12", "−0.25", "+0". With the sign that is as wide as a plus.
std::string signed_text(double value, int decimals = 0);
// "1 game", "2 games"
std::string counted(std::int64_t count, std::string_view what);

// For JSON: no more decimals than there is something in.
inline double rounded(double value, double steps = 1e6) { return std::round(value * steps) / steps; }

}  // namespace baton::app
