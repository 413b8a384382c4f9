#include "core/option.h"

#include <algorithm>
#include <charconv>

namespace baton {
namespace {

std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (const auto word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

bool fits(const Option& option, const std::string& value) {
  switch (option.type) {
    case Option::Type::flag: return value == "true" || value == "false";
    case Option::Type::choice: return std::find(option.values.begin(), option.values.end(), value) != option.values.end();
    case Option::Type::number: {
      int number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      return error == std::errc{} && end == value.data() + value.size() && number >= option.least && number <= option.most;
    }
  }
  return false;
}

std::string wanted(const Option& option) {
  switch (option.type) {
    case Option::Type::flag: return "true or false";
    case Option::Type::choice: return "one of " + listed(option.values);
    case Option::Type::number: return "a whole number from " + std::to_string(option.least) + " to " + std::to_string(option.most);
  }
  return {};
}

}  // namespace

Expected<OptionValues> complete_options(const std::vector<Option>& known, const OptionValues& chosen) {
  OptionValues all;
  for (const Option& option : known) all.emplace(option.name, option.standard);
  for (const auto& [name, value] : chosen) {
    const auto option = std::find_if(known.begin(), known.end(), [&name = name](const Option& o) { return o.name == name; });
    if (option == known.end()) {
      std::vector<std::string_view> names;
      for (const Option& o : known) names.push_back(o.name);
      return problem("option " + name,
                     names.empty() ? "this game has no options." : "there is no such option; known are " + listed(names) + ".");
    }
    if (!fits(*option, value)) return problem("option " + name, "\"" + value + "\" does not fit; expected " + wanted(*option) + ".");
    all[name] = value;
  }
  return all;
}

}  // namespace baton
