#include "match/case.h"

#include <algorithm>
#include <charconv>

#include "core/toml_reader.h"
#include "match/json_reader.h"

namespace baton {
namespace {

constexpr int most_draw = 1'000'000;
constexpr std::string_view absent = "absent";

// A key may hold dots itself, so every way to split the path is tried, the whole of it first.
const Json* find_path(const Json& json, std::string_view path) {
  if (json.is_array()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const auto i = read_number(path.substr(0, dot), 0, static_cast<int>(json.size()) - 1);
    if (!i) return nullptr;
    const Json& item = json[static_cast<std::size_t>(*i)];
    return dot == path.size() ? &item : find_path(item, path.substr(dot + 1));
  }
  if (!json.is_object()) return nullptr;
  if (const auto found = json.find(std::string(path)); found != json.end()) return &*found;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    const auto found = json.find(std::string(path.substr(0, dot)));
    if (found == json.end()) continue;
    if (const Json* inner = find_path(*found, path.substr(dot + 1))) return inner;
  }
  return nullptr;
}

// Keys in any order.
bool same(const Json& left, const Json& right) { return nlohmann::json(left) == nlohmann::json(right); }

std::optional<std::string> unmet_at(const std::string& path, const Json& expect, const Json& actual) {
  if (expect.is_object()) {
    for (const auto& [key, inner] : expect.items()) {
      const std::string place = path.empty() ? key : path + "." + key;
      const Json* found = find_path(actual, key);
      const bool nothing = found == nullptr || found->is_null();
      if (inner.is_string() && inner.get_ref<const std::string&>() == absent) {
        if (!nothing) return place + " must be absent but is " + one_line(*found) + ".";
      } else if (nothing) {
        return place + " must be " + one_line(inner) + " but there is nothing.";
      } else if (auto wrong = unmet_at(place, inner, *found)) {
        return wrong;
      }
    }
    return std::nullopt;
  }
  // One who chooses may be named without a list.
  if (expect.is_string() && actual.is_array() && actual.size() == 1 && same(expect, actual[0])) return std::nullopt;
  if (same(expect, actual)) return std::nullopt;
  return path + " must be " + one_line(expect) + " but is " + one_line(actual) + ".";
}

std::vector<std::string> one_or_many(TomlTable& table, std::string_view key) {
  if (!table.has(key)) return {};
  const auto json = read_json(table.as_json(key), "");
  if (json && json->is_string()) return {json->get<std::string>()};
  return table.texts_or_none(key);
}

Json table_json(TomlTable& table, std::string_view key) {
  if (!table.has(key)) return nullptr;
  auto json = read_json(table.as_json(key), "");
  if (json && json->is_object()) return std::move(*json);
  table.wrong(key, "\"" + std::string(key) + "\" must be a table.");
  return nullptr;
}

CaseStep read_step(TomlTable& table, std::size_t number) {
  CaseStep step;
  step.where = table.where() + " step " + std::to_string(number);
  step.actions = one_or_many(table, "do");
  step.dice = table.integers_or_none("dice", 1, most_draw);
  step.picks = table.integers_or_none("picks", 0, most_draw);
  step.events = table.texts_or_none("events");
  step.expect = table_json(table, "expect");
  step.legal = table.texts_or_none("legal");
  step.illegal = table.texts_or_none("illegal");
  step.refuse = table.text_or("refuse", "");
  step.why = table.text_or("why", "");
  table.no_more_keys();
  if (!step.why.empty() && step.refuse.empty()) table.wrong("why", "\"why\" needs \"refuse\".");
  if (step.actions.empty() && !(step.dice.empty() && step.picks.empty())) table.wrong("", "dice and picks need \"do\".");
  return step;
}

}  // namespace

Expected<Case> read_case(const std::string& name, std::string_view text) {
  TomlFile file(name, text);
  TomlTable root = file.root();
  Case read;
  read.name = name;
  read.title = root.text("title");
  read.rules = root.texts_or_none("rules");
  read.game = root.text("game");
  read.scenario = root.text_or("scenario", "");
  read.seed = static_cast<std::uint64_t>(root.integer_or("seed", 0, std::numeric_limits<int>::max(), 1));
  if (root.has("options")) {
    TomlTable options = root.table("options");
    for (const std::string& key : options.keys()) read.options[key] = options.value_as_text(key);
  }
  read.position = table_json(root, "position");
  root.each("step", [&](TomlTable table) { read.steps.push_back(read_step(table, read.steps.size() + 1)); });
  root.no_more_keys();
  if (!file.problem() && read.steps.empty()) root.wrong("", "a case needs at least one [[step]].");
  if (file.problem()) return tl::make_unexpected(*file.problem());
  return read;
}

std::optional<std::string> unmet(const Json& expect, const Json& actual) {
  if (expect.is_null()) return std::nullopt;
  return unmet_at("", expect, actual);
}

std::optional<std::string> missing_in_order(const std::vector<std::string>& wanted, const std::vector<std::string>& happened) {
  auto from = happened.begin();
  for (const std::string& name : wanted) {
    const auto found = std::find(from, happened.end(), name);
    if (found == happened.end()) {
      std::string all;
      for (const std::string& event : happened) all += (all.empty() ? "" : ", ") + event;
      return "the event \"" + name + "\" must happen in this order; what happened: " + (all.empty() ? "nothing" : all) + ".";
    }
    from = found + 1;
  }
  return std::nullopt;
}

}  // namespace baton
