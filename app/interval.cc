#include "app/interval.h"

#include <algorithm>
#include <cmath>

namespace baton::app {

Interval wilson_interval(double hits, double n) {
  constexpr double z = 1.959963984540054;  // 95 %
  if (n <= 0) return {};
  const double share = hits / n;
  const double z2 = z * z;
  const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double half = z / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  // Rounding would leave a little at the ends, which Elo makes much of.
  return {hits <= 0 ? 0 : std::max(0.0, middle - half), hits >= n ? 1 : std::min(1.0, middle + half)};
}

}  // namespace baton::app
