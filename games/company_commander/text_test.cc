// Everything the game can say is said in every language, with the same arguments, and ICU can read it.
#include <gmock/gmock.h>
#include <unicode/messagepattern.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/toml_reader.h"
#include "games/company_commander/game.h"
#include "match/json_reader.h"
#include "match/registry.h"

namespace baton::company_commander {
namespace {

using testing::IsEmpty;

const std::vector<std::string> locales = {"en", "de", "ja"};
using Texts = std::map<std::string, std::string>;

void flatten(const Json& json, const std::string& key, Texts& into) {
  if (json.is_object()) {
    for (const auto& [name, inner] : json.items()) flatten(inner, key.empty() ? name : key + "." + name, into);
  } else {
    ASSERT_TRUE(json.is_string()) << key;
    into[key] = json.get<std::string>();
  }
}

// One language alone, without the English that stands in for what is missing.
Texts texts_of(const std::string& locale) {
  Texts texts;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path != "games/company_commander/text/" + locale + ".toml") continue;
    TomlFile toml(std::string(file.path), file.text);
    TomlTable root = toml.root();
    EXPECT_FALSE(toml.problem()) << toml.problem()->text();
    for (const std::string& key : root.keys()) flatten(*read_json(root.as_json(key), key), key, texts);
  }
  return texts;
}

// Names of a message's arguments, and whether they are formatted as numbers.
std::map<std::string, bool> arguments_in(const std::string& message) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::MessagePattern pattern(icu::UnicodeString::fromUTF8(message), nullptr, status);
  EXPECT_TRUE(U_SUCCESS(status)) << message;
  std::map<std::string, bool> found;
  UMessagePatternArgType type = UMSGPAT_ARG_TYPE_NONE;
  for (int i = 0; U_SUCCESS(status) && i < pattern.countParts(); ++i) {
    const auto& part = pattern.getPart(i);
    if (part.getType() == UMSGPAT_PART_TYPE_ARG_START) type = part.getArgType();
    if (part.getType() != UMSGPAT_PART_TYPE_ARG_NAME) continue;
    std::string name;
    pattern.getSubstring(part).toUTF8String(name);
    found[name] = found[name] || (type != UMSGPAT_ARG_TYPE_NONE && type != UMSGPAT_ARG_TYPE_SELECT);
  }
  return found;
}

std::set<std::string> names_in(const std::string& message) {
  std::set<std::string> names;
  for (const auto& [name, number] : arguments_in(message)) names.insert(name);
  return names;
}

const Scenario& normandy() {
  static const Scenario sc = *load(*shipped_scenario("company-commander", "normandy"), {});
  return sc;
}

// Every key the game, its views and its options may ask for.
std::set<std::string> keys_needed() {
  const Scenario& sc = normandy();
  std::set<std::string> keys = {"game.name", "game.tagline", "game.summary", "label.copy"};
  for (const Company& company : sc.companies) {
    keys.insert("seat." + company.id);
    for (const UnitKind& unit : company.kinds) keys.insert({"unit." + unit.id, "unit-note." + unit.id});
  }
  for (const CardKind& card : sc.cards) keys.insert({"card." + card.id, "card-text." + card.id});
  for (const auto& [kind, count] : {std::pair{kind::front, 3}, {kind::deck, 2}, {kind::phase, 6}}) {
    for (int i = 0; i < count; ++i) keys.insert(label(sc, kind, i).key);
  }
  for (const Phrase& event : events()) keys.insert("event." + std::string(event.name));
  for (std::size_t i = 1; i < refusals().size(); ++i) keys.insert("refusal." + std::string(refusals()[i]));
  for (std::size_t i = 1; i < reasons().size(); ++i) keys.insert("reason." + std::string(reasons()[i]));
  State s;
  for (int step = 0; step < step_count; ++step) {
    s.step = static_cast<Step>(step);
    const std::string word = save(sc, s)["step"];
    keys.insert({"prompt." + word, "step." + word});
  }
  for (const Option& option : company_commander::options()) {
    keys.insert("option." + std::string(option.name));
    for (const auto value : option.values) keys.insert("option-value." + std::string(value));
  }
  return keys;
}

TEST(CompanyCommanderText, NothingIsMissing) {
  const auto needed = keys_needed();
  for (const std::string& locale : locales) {
    const Texts texts = texts_of(locale);
    std::vector<std::string> missing;
    for (const std::string& key : needed) {
      if (!texts.contains(key) || texts.at(key).empty()) missing.push_back(key);
    }
    EXPECT_THAT(missing, IsEmpty()) << locale;
  }
}

// What is left of a refusal, event or card that is gone would never be said.
TEST(CompanyCommanderText, NothingIsLeftOver) {
  const auto needed = keys_needed();
  for (const auto& [key, text] : texts_of("en")) {
    for (const char* section :
         {"refusal.", "event.", "reason.", "prompt.", "step.", "unit.", "unit-note.", "card.", "card-text.", "option.", "seat."}) {
      EXPECT_FALSE(key.starts_with(section) && !needed.contains(key)) << key;
    }
  }
}

TEST(CompanyCommanderText, LanguagesHaveTheSameKeysAndArguments) {
  const Texts english = texts_of("en");
  for (const std::string& locale : locales) {
    const Texts texts = texts_of(locale);
    std::vector<std::string> differing;
    for (const auto& [key, text] : english) {
      if (!texts.contains(key)) {
        differing.push_back(key + " is missing");
      } else if (names_in(texts.at(key)) != names_in(text)) {
        differing.push_back(key + " has other arguments");
      }
    }
    for (const auto& [key, text] : texts) {
      if (!english.contains(key)) differing.push_back(key + " is not in English");
    }
    EXPECT_THAT(differing, IsEmpty()) << locale;
  }
}

TEST(CompanyCommanderText, EveryMessageCanBeSaid) {
  for (const std::string& locale : locales) {
    const Catalogue catalogue = house_catalogue("company-commander", locale);
    EXPECT_THAT(catalogue.problems(), IsEmpty()) << locale;
    for (const auto& [key, text] : texts_of(locale)) {
      for (const std::int64_t count : {0, 1, 2, 17, -1}) {
        Arguments arguments;
        for (const auto& [name, number] : arguments_in(text))
          arguments.emplace_back(name, number ? Argument(count) : Argument(std::string("X")));
        const std::string said = catalogue.say(key, arguments);
        EXPECT_NE(said, "[" + key + "]") << locale;
        EXPECT_EQ(said.find('{'), std::string::npos) << locale << " " << key << ": " << said;
      }
    }
  }
}

// Events and actions give their messages what they ask for, and every verb has its own words.
TEST(CompanyCommanderText, EventsAndActionsFitTheirMessages) {
  for (const std::string& locale : locales) {
    const Texts texts = texts_of(locale);
    const Catalogue catalogue = house_catalogue("company-commander", locale);
    const auto check = [&](const std::string& key, const Phrase& phrase) {
      ASSERT_TRUE(texts.contains(key)) << locale << " " << key;
      std::set<std::string> fields;
      for (int i = 0; i < phrase.size(); ++i) {
        const std::string name(phrase.fields[static_cast<std::size_t>(i)].name);
        fields.insert({name, name + "_id"});
      }
      for (const std::string& name : names_in(texts.at(key)))
        EXPECT_TRUE(fields.contains(name)) << locale << " " << key << " {" << name << "}";
    };
    for (const Phrase& phrase : events()) check("event." + std::string(phrase.name), phrase);
    std::set<std::string> keys;
    for (const Phrase& phrase : verbs()) {
      const std::string key = action_key(catalogue, phrase);
      check(key, phrase);
      EXPECT_TRUE(keys.insert(key).second) << key << " serves two verbs";
    }
  }
}

// A whole game is told without a bracket, in every language.
TEST(CompanyCommanderText, AWholeGameReads) {
  for (const std::string& locale : locales) {
    MatchSetup setup;
    setup.scenario = *shipped_scenario("company-commander", "river-crossing");
    setup.chance = Seeded{7};
    const auto match = create_match("company-commander", setup);
    ASSERT_TRUE(match) << match.error().text();
    const Catalogue catalogue = (*match)->catalogue(embedded_files(), locale);
    FastChance choices(7);
    for (int i = 0; i < 400 && !(*match)->choosing().empty(); ++i) {
      const Seat seat = (*match)->choosing().front();
      const auto legal = (*match)->actions(seat);
      for (const Action action : legal) {
        const std::string said = (*match)->say(action, catalogue);
        ASSERT_EQ(said.find_first_of("[]{}"), std::string::npos) << said;
      }
      ASSERT_TRUE((*match)->act(seat, legal[choices.pick(static_cast<std::uint32_t>(legal.size()))]));
    }
    for (const std::string& line : (*match)->log(Seat{0}, catalogue)) EXPECT_EQ(line.find_first_of("[]{}"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace baton::company_commander
