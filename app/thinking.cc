#include "app/thinking.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/figures.h"

namespace baton::app {

Json thinking_json(const ThinkingTime& thinking) {
  return {{"choices", thinking.choices}, {"seconds", rounded(thinking.seconds)}, {"longest", rounded(thinking.longest)}};
}

ThinkingTime thinking_from(const Json& json) {
  return {json.at("choices").get<std::int64_t>(), json.at("seconds").get<double>(), json.at("longest").get<double>()};
}

std::string in_milliseconds(double seconds) {
  return seconds < 0.01 ? fmt::format("{:.2f} ms", 1000 * seconds) : fmt::format("{:.0f} ms", 1000 * seconds);
}

std::string thinking_words(const ThinkingTime& thinking) {
  return fmt::format("{:.2f} s over {}: {} each, {} at most", thinking.seconds, counted(thinking.choices, "choice"),
                     in_milliseconds(thinking.mean()), in_milliseconds(thinking.longest));
}

}  // namespace baton::app
