// What can be chosen for a match, apart from the scenario.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace baton {

struct Option {
  enum class Type { flag, choice, number };

  std::string_view name;
  Type type = Type::flag;
  std::string_view standard;             // the default, as a person would type it
  std::vector<std::string_view> values;  // of a choice
  int least = 0, most = 0;               // of a number
};

// Chosen values by name, as typed: "true", "drm", "20".
using OptionValues = std::map<std::string, std::string, std::less<>>;

// The value of every option: the chosen one where there is one, else the default.
// Unknown names and unfit values are a Problem that says what would fit.
Expected<OptionValues> complete_options(const std::vector<Option>& known, const OptionValues& chosen);

}  // namespace baton
