#include "app/lessons.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/positive_definite.h"

namespace baton::app {
void Lessons::add_game(std::span<const Lesson> positions) {
  const double share = 1 / static_cast<double>(positions.size());
  for (const Lesson& seen : positions) {
    const double expected = 1 / (1 + std::exp(-seen.log_odds));
    double* curved = curvature.data();
    for (std::size_t row = 0; row < gradient.size(); ++row) {
      gradient[row] += share * (seen.result - expected) * seen.slopes[row];
      for (std::size_t column = 0; column <= row; ++column)
        *curved++ += share * expected * (1 - expected) * seen.slopes[row] * seen.slopes[column];
    }
  }
}

void Lessons::add(const Lessons& others) {
  const auto add_all = [](std::vector<double>& to, const std::vector<double>& more) {
    std::transform(to.begin(), to.end(), more.begin(), to.begin(), std::plus());
  };
  add_all(gradient, others.gradient);
  add_all(curvature, others.curvature);
}

WeightValues learned(const WeightValues& start, const Lessons& lessons) {
  auto curvature = lessons.curvature;
  for (std::size_t w = 0; w < start.size(); ++w) curvature[in_triangle(w, w)] += 1 / std::pow(step_of(start[w]), 2);
  const auto change = solved(std::move(curvature), lessons.gradient);
  WeightValues better = start;
  for (std::size_t w = 0; w < start.size(); ++w) better[w] += static_cast<float>(change[w]);
  return better;
}

}  // namespace baton::app
