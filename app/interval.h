// How sure a counted share is, and how it is told.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton::app {

struct Interval {
  double low = 0, high = 1;
};

// Wilson's score interval for `hits` of `tries`. Everything is possible when nothing was tried.
// Hits may be halves: a drawn game. Where all or none were hits, the interval ends exactly at 1 or 0.
Interval wilson_interval(double hits, double tries);
inline Interval wilson_interval(std::integral auto hits, std::integral auto tries) {
  return wilson_interval(static_cast<double>(hits), static_cast<double>(tries));
}

// For people: "+12", "−0.25", "+0". With the sign that is as wide as a plus.
std::string signed_text(double value, int decimals = 0);
// "1 game", "2 games"
std::string counted(std::int64_t count, std::string_view what);

// For JSON: no more decimals than there is something in.
inline double rounded(double value, double steps = 1e6) { return std::round(value * steps) / steps; }

}  // namespace baton::app
