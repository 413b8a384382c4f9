#include "match/text.h"

#include <unicode/locid.h>
#include <unicode/msgfmt.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/toml_reader.h"
#include "match/json_reader.h"

namespace baton {
namespace {

icu::UnicodeString unicode(std::string_view text) {
  return icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

void flatten(const Json& json, const std::string& key, std::map<std::string, std::string, std::less<>>& into) {
  if (json.is_object()) {
    for (const auto& [name, inner] : json.items()) flatten(inner, key + "." + name, into);
  } else if (json.is_string()) {
    into.insert_or_assign(key, json.get<std::string>());
  }
}

}  // namespace

struct Catalogue::Cache {
  // A MessageFormat builds parts of itself while it formats, so even reading takes the lock.
  std::mutex lock;
  std::map<std::string, std::unique_ptr<icu::MessageFormat>, std::less<>> formats;  // null: broken

  icu::MessageFormat* format(const std::string& key, const std::string& pattern, const std::string& locale) {
    const auto known = formats.find(key);
    if (known != formats.end()) return known->second.get();
    UErrorCode status = U_ZERO_ERROR;
    auto format = std::make_unique<icu::MessageFormat>(unicode(pattern), icu::Locale(locale.c_str()), status);
    if (U_FAILURE(status)) format.reset();
    return formats.emplace(key, std::move(format)).first->second.get();
  }
};

std::string folder_of(std::string_view game) {
  std::string folder(game);
  std::replace(folder.begin(), folder.end(), '-', '_');
  return folder;
}

Catalogue::Catalogue(std::span<const EmbeddedFile> files, std::string_view game, std::string_view locale)
    : locale_(locale), cache_(std::make_unique<Cache>()) {
  std::vector<std::string> languages = {"en"};
  if (locale_ != "en") languages.push_back(locale_);
  for (const std::string& language : languages) {
    for (const std::string& folder : {std::string("match"), std::string("app"), std::string("table"), "games/" + folder_of(game)}) {
      const std::string path = folder + "/text/" + language + ".toml";
      for (const EmbeddedFile& file : files) {
        if (file.path == path) read(file);
      }
    }
  }
}

Catalogue::~Catalogue() = default;
Catalogue::Catalogue(Catalogue&&) noexcept = default;
Catalogue& Catalogue::operator=(Catalogue&&) noexcept = default;

void Catalogue::read(const EmbeddedFile& file) {
  TomlFile toml(std::string(file.path), file.text);
  TomlTable root = toml.root();
  for (const std::string& key : root.keys()) {
    const auto json = read_json(root.as_json(key), std::string(file.path) + " " + key);
    if (json) {
      flatten(*json, key, texts_);
    } else {
      problems_.push_back(json.error());
    }
  }
  if (toml.problem()) problems_.push_back(*toml.problem());
}

void Catalogue::add(const std::map<std::string, std::string>& texts) {
  const std::lock_guard guard(cache_->lock);
  for (const auto& [key, text] : texts) {
    texts_.insert_or_assign(key, text);
    cache_->formats.erase(key);
  }
}

const std::string& Catalogue::pattern(std::string_view key) const {
  static const std::string none;
  const auto found = texts_.find(key);
  return found == texts_.end() ? none : found->second;
}

bool Catalogue::has(std::string_view key) const { return texts_.contains(key); }

std::string Catalogue::say(std::string_view key, const Arguments& arguments) const {
  const auto text = texts_.find(key);
  const std::string in_brackets = "[" + std::string(key) + "]";
  if (text == texts_.end()) return in_brackets;
  std::vector<icu::UnicodeString> names;
  std::vector<icu::Formattable> values;
  for (const auto& [name, value] : arguments) {
    names.push_back(unicode(name));
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      values.emplace_back(*number);
    } else if (const auto* fraction = std::get_if<double>(&value)) {
      values.emplace_back(*fraction);
    } else {
      values.emplace_back(unicode(std::get<std::string>(value)));
    }
  }
  const std::lock_guard guard(cache_->lock);
  const icu::MessageFormat* format = cache_->format(text->first, text->second, locale_);
  if (format == nullptr) return in_brackets;
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString said;
  format->format(names.data(), values.data(), static_cast<std::int32_t>(names.size()), said, status);
  if (U_FAILURE(status)) return in_brackets;
  std::string out;
  said.toUTF8String(out);
  return out;
}

std::vector<Problem> Catalogue::problems() const {
  std::vector<Problem> all = problems_;
  const std::lock_guard guard(cache_->lock);
  for (const auto& [key, text] : texts_) {
    if (cache_->format(key, text, locale_) == nullptr) all.push_back({key, "\"" + text + "\" is not a message that ICU can read."});
  }
  return all;
}

std::vector<std::string> Catalogue::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, text] : texts_) all.push_back(key);
  return all;
}

std::string say(const Catalogue& catalogue, const Label& label) {
  std::string name = catalogue.say(label.key);
  if (label.ordinal <= 0) return name;
  if (!catalogue.has("label.copy")) return name + " " + std::to_string(label.ordinal);
  return catalogue.say("label.copy", {{"name", name}, {"number", std::int64_t{label.ordinal}}});
}

std::string action_key(const Catalogue& catalogue, const Phrase& phrase) {
  const std::string plain = "action." + std::string(phrase.name);
  std::string detailed = plain;
  for (int i = 0; i < phrase.size(); ++i) detailed += "-" + std::string(phrase.fields[static_cast<std::size_t>(i)].name);
  return catalogue.has(detailed) ? detailed : plain;
}

}  // namespace baton
