#include "core/toml_reader.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace baton {

struct TomlFile::Parsed {
  std::string name;
  toml::table root;
  std::optional<Problem> problem;

  std::string place(const toml::source_region& region) const {
    if (region.begin.line == 0) return name;
    return name + ":" + std::to_string(region.begin.line) + ":" + std::to_string(region.begin.column);
  }
  void wrong(std::string where, std::string what) {
    if (!problem) problem = Problem{std::move(where), std::move(what)};
  }
};

struct TomlTable::Node {
  TomlFile::Parsed* file;
  const toml::table* table;  // null when the table itself was missing or wrong
  std::string place;
  std::set<std::string, std::less<>> asked;

  const toml::node* find(std::string_view key) {
    asked.emplace(key);
    return table == nullptr ? nullptr : table->get(key);
  }
  const toml::node* need(std::string_view key, std::string_view expected) {
    const toml::node* node = find(key);
    if (node == nullptr && table != nullptr) file->wrong(place, "\"" + std::string(key) + "\" is missing; expected " + std::string(expected) + ".");
    return node;
  }
  void unfit(const toml::node& node, std::string_view key, std::string_view expected) {
    file->wrong(file->place(node.source()), "\"" + std::string(key) + "\" must be " + std::string(expected) + ".");
  }
};

namespace {

std::string quoted_list(const std::vector<std::string_view>& words) {
  std::string text;
  for (const auto word : words) text += (text.empty() ? "\"" : ", \"") + std::string(word) + "\"";
  return text;
}

std::string range(int least, int most) { return "a whole number from " + std::to_string(least) + " to " + std::to_string(most); }

std::optional<int> integer_in(const toml::node& node, int least, int most) {
  const auto* value = node.as_integer();
  if (value == nullptr || value->get() < least || value->get() > most) return std::nullopt;
  return static_cast<int>(value->get());
}

std::string plain_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return {};
}

}  // namespace

TomlFile::TomlFile(std::string name, std::string_view text) : parsed_(std::make_unique<Parsed>()) {
  parsed_->name = std::move(name);
  toml::parse_result result = toml::parse(text);
  if (!result) {
    const auto& error = result.error();
    parsed_->wrong(parsed_->place(error.source()), "not valid TOML: " + std::string(error.description()) + ".");
    return;
  }
  parsed_->root = std::move(result).table();
}

TomlFile::~TomlFile() = default;

const std::optional<Problem>& TomlFile::problem() const { return parsed_->problem; }

TomlTable TomlFile::root() {
  return TomlTable(std::make_shared<TomlTable::Node>(TomlTable::Node{parsed_.get(), &parsed_->root, parsed_->name, {}}));
}

std::string TomlTable::text(std::string_view key) {
  const toml::node* node = node_->need(key, "a text");
  if (node == nullptr) return {};
  if (const auto* value = node->as_string()) return value->get();
  node_->unfit(*node, key, "a text in quotes");
  return {};
}

std::string TomlTable::text_or(std::string_view key, std::string_view otherwise) {
  return node_->find(key) == nullptr ? std::string(otherwise) : text(key);
}

int TomlTable::integer(std::string_view key, int least, int most) {
  const toml::node* node = node_->need(key, range(least, most));
  if (node == nullptr) return least;
  if (const auto value = integer_in(*node, least, most)) return *value;
  node_->unfit(*node, key, range(least, most));
  return least;
}

int TomlTable::integer_or(std::string_view key, int least, int most, int otherwise) {
  return node_->find(key) == nullptr ? otherwise : integer(key, least, most);
}

bool TomlTable::flag_or(std::string_view key, bool otherwise) {
  const toml::node* node = node_->find(key);
  if (node == nullptr) return otherwise;
  if (const auto* value = node->as_boolean()) return value->get();
  node_->unfit(*node, key, "true or false");
  return otherwise;
}

std::string TomlTable::one_of(std::string_view key, const std::vector<std::string_view>& words) {
  const toml::node* node = node_->need(key, "one of " + quoted_list(words));
  if (node == nullptr) return std::string(words.front());
  const auto* value = node->as_string();
  if (value != nullptr && std::find(words.begin(), words.end(), value->get()) != words.end()) return value->get();
  node_->unfit(*node, key, "one of " + quoted_list(words));
  return std::string(words.front());
}

std::vector<std::string> TomlTable::texts(std::string_view key) {
  const toml::node* node = node_->need(key, "a list of texts");
  std::vector<std::string> all;
  if (node == nullptr) return all;
  const auto* array = node->as_array();
  if (array == nullptr) {
    node_->unfit(*node, key, "a list of texts");
    return all;
  }
  for (const auto& item : *array) {
    if (const auto* value = item.as_string()) {
      all.push_back(value->get());
    } else {
      node_->unfit(item, key, "a list of texts in quotes");
    }
  }
  return all;
}

std::vector<std::string> TomlTable::texts_or_none(std::string_view key) {
  return node_->find(key) == nullptr ? std::vector<std::string>{} : texts(key);
}

std::vector<int> TomlTable::integers_or_none(std::string_view key, int least, int most) {
  const toml::node* node = node_->find(key);
  std::vector<int> all;
  if (node == nullptr) return all;
  const auto* array = node->as_array();
  if (array == nullptr) {
    node_->unfit(*node, key, "a list of whole numbers");
    return all;
  }
  for (const auto& item : *array) {
    if (const auto value = integer_in(item, least, most)) {
      all.push_back(*value);
    } else {
      node_->unfit(item, key, "a list with " + range(least, most) + " in each place");
    }
  }
  return all;
}

TomlTable TomlTable::table(std::string_view key) {
  const toml::node* node = node_->need(key, "a table [" + std::string(key) + "]");
  const toml::table* table = node == nullptr ? nullptr : node->as_table();
  if (node != nullptr && table == nullptr) node_->unfit(*node, key, "a table");
  const std::string place = node == nullptr ? node_->place : node_->file->place(node->source());
  return TomlTable(std::make_shared<Node>(Node{node_->file, table, place, {}}));
}

bool TomlTable::has(std::string_view key) const { return node_->find(key) != nullptr; }

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::pair<toml::source_position, std::string>> placed;
  if (node_->table != nullptr) {
    for (const auto& [key, value] : *node_->table) placed.emplace_back(key.source().begin, std::string(key.str()));
  }
  std::sort(placed.begin(), placed.end());
  std::vector<std::string> all;
  for (auto& [position, key] : placed) all.push_back(std::move(key));
  return all;
}

std::string TomlTable::value_as_text(std::string_view key) {
  const toml::node* node = node_->need(key, "a value");
  if (node == nullptr) return {};
  if (!node->is_string() && !node->is_integer() && !node->is_boolean()) {
    node_->unfit(*node, key, "a text, a whole number, true or false");
    return {};
  }
  return plain_text(*node);
}

std::string TomlTable::as_json(std::string_view key) {
  const toml::node* node = node_->find(key);
  if (node == nullptr) return "null";
  std::ostringstream out;
  if (const auto* table = node->as_table()) {
    out << toml::json_formatter(*table);
  } else if (const auto* array = node->as_array()) {
    out << toml::json_formatter(*array);
  } else if (const auto* text = node->as_string()) {
    out << toml::json_formatter(*text);
  } else {
    out << plain_text(*node);
  }
  return out.str();
}

void TomlTable::each(std::string_view key, const std::function<void(TomlTable)>& visit) {
  const toml::node* node = node_->find(key);
  if (node == nullptr) return;
  const auto* array = node->as_array();
  if (array == nullptr) {
    node_->unfit(*node, key, "an array of tables, written [[" + std::string(key) + "]]");
    return;
  }
  for (const auto& item : *array) {
    const auto* table = item.as_table();
    if (table == nullptr) {
      node_->unfit(item, key, "an array of tables, written [[" + std::string(key) + "]]");
      return;
    }
    visit(TomlTable(std::make_shared<Node>(Node{node_->file, table, node_->file->place(table->source()), {}})));
  }
}

void TomlTable::no_more_keys() {
  if (node_->table == nullptr) return;
  for (const auto& [key, value] : *node_->table) {
    if (node_->asked.contains(std::string_view(key.str()))) continue;
    const std::vector<std::string_view> known(node_->asked.begin(), node_->asked.end());
    node_->file->wrong(node_->file->place(key.source()), "\"" + std::string(key.str()) + "\" is not known here; expected one of " + quoted_list(known) + ".");
    return;
  }
}

void TomlTable::wrong(std::string_view key, std::string what) { node_->file->wrong(where(key), std::move(what)); }

std::string TomlTable::where(std::string_view key) const {
  const toml::node* node = key.empty() || node_->table == nullptr ? nullptr : node_->table->get(key);
  return node == nullptr ? node_->place : node_->file->place(node->source());
}

}  // namespace baton
