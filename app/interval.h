// How sure a counted share is.
#pragma once

#include <concepts>

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

}  // namespace baton::app
