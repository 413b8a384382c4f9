// A judgement.toml that gets new weights: lines "name = number", whatever else stands in it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace baton::app {

using WeightValues = std::vector<float>;

class WeightsFile {
 public:
  WeightsFile(std::string path, std::span<const std::string_view> names) : path_(std::move(path)), names_(names) {}

  // What the file is to hold; it may be new or empty. How the lines are laid out and what is said of them stays. A weight without a line is
  // a problem.
  Expected<std::string> with(const WeightValues& weights) const;

  // Beside it first, so that there is always a whole one; under a name that nobody has, so that no other file is lost.
  Expected<void> write(const WeightValues& weights) const;

 private:
  Expected<std::string> changed(const std::string& text, const WeightValues& weights) const;

  std::string path_;
  std::span<const std::string_view> names_;
};

}  // namespace baton::app
