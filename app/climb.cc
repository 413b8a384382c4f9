#include "app/climb.h"

#include <algorithm>

namespace baton::app {

WeightValues climb(const WeightValues& start, std::uint64_t groups, Chance& chance, const MeetAll& meet_all) {
  WeightValues here = start;
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
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      for (std::size_t w = 0; w < here.size(); ++w) here[w] += pace * static_cast<float>(won[i]) * shifts[i][w];
    }
  }
  return here;
}

}  // namespace baton::app
