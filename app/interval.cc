#include "app/interval.h"

#include <algorithm>
#include <cmath>

namespace baton::app {

Interval wilson_interval(std::int64_t hits, std::int64_t tries, double z) {
  if (tries <= 0) return {};
  const auto n = static_cast<double>(tries);
  const double share = static_cast<double>(hits) / n;
  const double z2 = z * z;
  const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double half = z / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}  // namespace baton::app
