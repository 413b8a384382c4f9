#include "app/weights_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/whole_file.h"
#include "core/toml_reader.h"
#include "match/registry.h"

namespace baton::app {

Expected<std::string> WeightsFile::changed(const std::string& text, const WeightValues& weights) const {
  std::istringstream lines(text);
  std::string all, line;
  std::set<std::string> written;
  while (std::getline(lines, line)) {
    const auto equals = line.find('=');
    const std::string name = line.substr(0, line.find_first_of(" \t="));
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (equals != std::string::npos && found != names_.end()) {
      const auto comment = line.find('#');
      line = line.substr(0, equals + 1) + fmt::format(" {:>7.4f}", weights[static_cast<std::size_t>(found - names_.begin())]) +
             (comment == std::string::npos ? "" : "  " + line.substr(comment));
      written.insert(name);
    }
    all += line + "\n";
  }
  for (const std::string_view name : names_) {
    if (!written.contains(std::string(name)))
      return problem(path_, fmt::format("the weight \"{0}\" has no line \"{0} = …\"; add it, or name a new file.", name));
  }
  return all;
}

Expected<std::string> WeightsFile::with(const WeightValues& weights) const {
  std::error_code unknown;
  const auto old = std::filesystem::exists(path_, unknown) ? read_text_file(path_, std::size_t{1} << 20) : Expected<std::string>{};
  if (!old) return old;
  if (!old->empty()) return changed(*old, weights);
  std::string text = "# The weights of the judgement, as \"baton tune\" found them.\n\n";
  for (std::size_t i = 0; i < names_.size(); ++i) text += fmt::format("{} = {:.4f}\n", names_[i], weights[i]);
  return text;
}

std::optional<WeightValues> WeightsFile::held() const {
  const auto text = read_text_file(path_, std::size_t{1} << 20);
  if (!text || text->empty()) return std::nullopt;
  TomlFile file(path_, *text);
  WeightValues values;
  for (const std::string_view name : names_) {
    const auto value = nlohmann::json::parse(file.root().has(name) ? file.root().as_json(name) : "", nullptr, false);
    if (file.problem() || !value.is_number()) return std::nullopt;
    values.push_back(value.get<float>());
  }
  return values;
}

Expected<void> WeightsFile::write(const WeightValues& weights) const {
  const auto text = with(weights);
  if (!text) return tl::make_unexpected(text.error());
  if (const auto error = write_whole_file(path_, *text)) return problem(path_, "this file cannot be written: " + error.message() + ".");
  return {};
}

}  // namespace baton::app
