#include "app/climb.h"

#include <algorithm>
#include <cmath>

namespace baton::app {

WeightValues climb(const WeightValues& start, std::uint64_t groups, Chance& chance, const MeetAll& meet_all) {
  WeightValues here = start;
  std::vector<double> pull(start.size(), 0);  // of each weight: what was won, counted for or against its shift
  double luck = 0;                            // the variance of a pull where the weight does not matter
  // By luck alone a weight ends up about half a step away, however long the climb is: one group is 0.6 or so from what equals get.
  const auto pace = static_cast<float>(1 / std::sqrt(static_cast<double>(groups)));
  for (std::uint64_t from = 0; from < groups; from += groups_at_once) {
    std::vector<WeightValues> shifts(std::min(groups_at_once, groups - from), start);
    std::vector<ShiftedWeights> shifted;
    for (WeightValues& shift : shifts) {
      shifted.push_back({here, here});
      for (std::size_t w = 0; w < shift.size(); ++w) {
        shift[w] = chance.pick(2) == 0 ? step_of(start[w]) : -step_of(start[w]);
        shifted.back().up[w] += shift[w];
        shifted.back().down[w] -= shift[w];
      }
    }
    const auto won = meet_all(shifted, from);
    if (won.empty()) break;
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      luck += won[i] * won[i];
      for (std::size_t w = 0; w < here.size(); ++w) {
        pull[w] += shifts[i][w] > 0 ? won[i] : -won[i];
        here[w] += pace * static_cast<float>(won[i]) * shifts[i][w];
      }
    }
  }
  // Each weight goes back by the share of its way that luck alone explains: all the way where it was pulled no harder than luck does.
  for (std::size_t w = 0; w < here.size(); ++w) {
    const double by_right = luck < pull[w] * pull[w] ? 1 - luck / (pull[w] * pull[w]) : 0;
    here[w] = start[w] + static_cast<float>(by_right) * (here[w] - start[w]);
  }
  return here;
}

}  // namespace baton::app
