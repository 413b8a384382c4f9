// The three languages: the same keys, every verb, event, refusal, reason, step and option said in each, every message sound.
#include "match/text.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "games/company_leader/game.h"

namespace baton::company_leader {
namespace {

struct Texts {
  std::string english, german, japanese;
  std::vector<EmbeddedFile> files;

  Texts() {
    const auto text = [](const std::string& locale) {
      std::ifstream in(std::string(BATON_SOURCE_DIR) + "/games/company_leader/text/" + locale + ".toml");
      std::stringstream read_text;
      read_text << in.rdbuf();
      return read_text.str();
    };
    english = text("en");
    german = text("de");
    japanese = text("ja");
    files = {{"games/company_leader/text/de.toml", german},
             {"games/company_leader/text/en.toml", english},
             {"games/company_leader/text/ja.toml", japanese}};
  }
};

TEST(CompanyLeaderText, EverythingIsSaidInEveryLanguage) {
  const Texts texts;
  std::set<std::string> first;
  for (const std::string locale : {"en", "de", "ja"}) {
    const Catalogue catalogue(texts.files, Game::id, locale);
    EXPECT_TRUE(catalogue.problems().empty()) << catalogue.problems().front().text();
    const auto keys = catalogue.keys();
    const std::set<std::string> own(keys.begin(), keys.end());
    if (first.empty()) first = own;
    EXPECT_EQ(own, first) << locale;
    for (const Phrase& verb : verbs()) EXPECT_TRUE(catalogue.has(action_key(catalogue, verb))) << verb.name;
    for (const Phrase& event : events()) EXPECT_TRUE(catalogue.has("event." + std::string(event.name))) << event.name;
    for (const std::string_view refusal : refusals().subspan(1)) EXPECT_TRUE(catalogue.has("refusal." + std::string(refusal))) << refusal;
    for (const std::string_view reason : reasons().subspan(1)) EXPECT_TRUE(catalogue.has("reason." + std::string(reason))) << reason;
    for (const Option& option : options()) EXPECT_TRUE(catalogue.has("option." + std::string(option.name))) << option.name;
    for (const std::string_view piece : piece_words) EXPECT_TRUE(catalogue.has("piece." + std::string(piece))) << piece;
  }
}

TEST(CompanyLeaderText, EveryMessageCanBeSaid) {
  const Texts texts;
  std::ifstream in(std::string(BATON_SOURCE_DIR) + "/games/company_leader/scenarios/capture-the-flag.toml");
  std::stringstream text;
  text << in.rdbuf();
  const auto sc = load({"capture-the-flag.toml", text.str()}, {});
  ASSERT_TRUE(sc);
  for (const std::string locale : {"en", "de", "ja"}) {
    Catalogue catalogue(texts.files, Game::id, locale);
    catalogue.add(own_texts(*sc, locale));
    for (std::uint16_t verb = 0; verb < verb_count; ++verb) {
      const std::string said = say_action<Game>(catalogue, *sc, {verb, 1, 1, 1});
      EXPECT_THAT(said, testing::Not(testing::HasSubstr("["))) << said;
    }
    for (std::uint16_t kind = 0; kind < told_count; ++kind) {
      const std::string said = say_event<Game>(
          catalogue, *sc,
          {kind, Seats::everyone(), {static_cast<std::int16_t>(kind == static_cast<std::uint16_t>(Told::drawn)), 1, 1, 1, 0, 0}});
      EXPECT_THAT(said, testing::Not(testing::HasSubstr("["))) << said;
    }
  }
}

}  // namespace
}  // namespace baton::company_leader
