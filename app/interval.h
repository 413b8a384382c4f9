// How sure a counted share is.
#pragma once

#include <cstdint>

namespace baton::app {

struct Interval {
  double low = 0, high = 1;
};

// Wilson's score interval for `hits` of `tries`, 95 % unless told. Everything is possible when nothing was tried.
Interval wilson_interval(std::int64_t hits, std::int64_t tries, double z = 1.959963984540054);

}  // namespace baton::app
