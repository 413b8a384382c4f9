// A judgement.toml that gets new weights: lines "name = number", whatever else stands in it.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace baton::app {

using WeightValues = std::vector<float>;

// What is tried on a weight, and by how much it may well be wrong: enough to be felt, little enough to stay sensible.
inline float step_of(float weight) { return 0.3f * std::abs(weight) + 0.02f; }

class WeightsFile {
 public:
  WeightsFile(std::string path, std::span<const std::string_view> names) : path_(std::move(path)), names_(names) {}

  // What the file is to hold; it may be new or empty. How the lines are laid out and what is said of them stays. A weight without a line is
  // a problem.
  Expected<std::string> with(const WeightValues& weights) const;

  // The weights that are in it; nothing where it is new or empty, or where one is missing or is no number.
  std::optional<WeightValues> held() const;

  Expected<void> write(const WeightValues& weights) const;

 private:
  Expected<std::string> changed(const std::string& text, const WeightValues& weights) const;

  std::string path_;
  std::span<const std::string_view> names_;
};

}  // namespace baton::app
