// The shipped scenarios are the rulebook's lists, and mistakes in a scenario are told with their place.
#include "games/company_commander/scenario.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "games/company_commander/notation.h"
#include "match/registry.h"

namespace baton::company_commander {
namespace {

using testing::HasSubstr;

Scenario shipped(const std::string& id, const OptionValues& options = {}) {
  const auto file = shipped_scenario("company-commander", id);
  EXPECT_TRUE(file);
  const auto scenario = load(*file, options);
  EXPECT_TRUE(scenario) << scenario.error().text();
  return *scenario;
}

std::vector<std::string> words(const Scenario& sc, int seat, UnitSet units) {
  std::vector<std::string> all;
  for (const int unit : each(units)) all.push_back(spell(sc, kind::unit, unit_number(seat, unit)));
  return all;
}

int strength_of(const Company& company) {
  int sum = 0;
  for (const UnitKind& kind : company.kinds) sum += kind.copies * kind.strength;
  return sum;
}

TEST(CompanyCommanderScenario, NormandyIsTheStandard) { EXPECT_EQ(standard_scenario("company-commander"), "normandy"); }

// The totals at the foot of the rulebook's lists.
TEST(CompanyCommanderScenario, NormandyHasTheRulebooksTotals) {
  const Scenario sc = shipped("normandy");
  EXPECT_EQ(std::popcount(sc.companies[0].all), 22);
  EXPECT_EQ(std::popcount(sc.companies[1].all), 19);
  EXPECT_EQ(sc.companies[0].kinds.size(), 15u);
  EXPECT_EQ(sc.companies[1].kinds.size(), 15u);
  EXPECT_EQ(strength_of(sc.companies[0]), 30);
  EXPECT_EQ(strength_of(sc.companies[1]), 24);
  EXPECT_EQ(sc.cards.size(), 54u);
  EXPECT_EQ(sc.card_count, 57);
}

// Rules: R11, R25. Two US cards, four German ones; eight cards of type S.
TEST(CompanyCommanderScenario, NormandysNationalAndSupportCards) {
  const Scenario sc = shipped("normandy");
  std::vector<std::string> us, german, support;
  int support_cards = 0;
  for (const CardKind& card : sc.cards) {
    if (card.nation == 0) us.push_back(card.id);
    if (card.nation == 1) german.push_back(card.id);
    if (!card.support) continue;
    support.push_back(card.id);
    support_cards += card.copies;
  }
  EXPECT_THAT(us, testing::ElementsAre("air-superiority", "reinforcements"));
  EXPECT_THAT(german, testing::ElementsAre("professionalism", "machine-guns", "panzerfausts", "blitzkrieg"));
  EXPECT_THAT(support, testing::ElementsAre("howitzer-battery", "artillery-barrage", "dive-bomber", "strafing-run", "air-support",
                                            "air-superiority"));
  EXPECT_EQ(support_cards, 8);
}

// Rules: R36, R49
TEST(CompanyCommanderScenario, NormandysWords) {
  const Scenario sc = shipped("normandy");
  using testing::ElementsAre;
  EXPECT_THAT(words(sc, 0, sc.with(0, Keyword::suppress)), ElementsAre("mg50-1", "mortar60-1", "mortar81-1", "sherman-1"));
  EXPECT_THAT(words(sc, 1, sc.with(1, Keyword::suppress)),
              ElementsAre("mg42-1", "mortar80-1", "panzer4-1", "sniper-1", "pak40-1", "halftrack-1"));
  EXPECT_THAT(words(sc, 0, sc.companies[0].anti_tank_first), ElementsAre("sherman-1", "m8-1"));
  EXPECT_THAT(words(sc, 1, sc.companies[1].anti_tank_first), ElementsAre("panzer4-1", "pak40-1", "halftrack-1"));
  EXPECT_THAT(words(sc, 1, sc.with(1, Keyword::no_assault)), ElementsAre("pak40-1"));
}

// Rules: R64
TEST(CompanyCommanderScenario, HalfSquadsByOption) {
  const auto infantry = [](const OptionValues& options) {
    const Scenario sc = shipped("normandy", options);
    return std::popcount(sc.with(0, Keyword::infantry));
  };
  EXPECT_EQ(infantry({}), 7);
  EXPECT_EQ(infantry({{"half_squad_us_is_infantry", "true"}}), 9);
}

TEST(CompanyCommanderScenario, EveryShippedScenarioLoadsAndNamesWhatItBrings) {
  for (const std::string& id : scenario_ids("company-commander")) {
    const Scenario sc = shipped(id);
    for (const std::string locale : {"en", "de", "ja"}) {
      Catalogue catalogue = house_catalogue("company-commander", locale);
      catalogue.add(own_texts(sc, locale));
      for (const Company& company : sc.companies) {
        EXPECT_TRUE(catalogue.has("seat." + company.id)) << id << " " << locale << " " << company.id;
        for (const UnitKind& kind : company.kinds) {
          EXPECT_TRUE(catalogue.has("unit." + kind.id)) << id << " " << locale << " " << kind.id;
          EXPECT_TRUE(kind.names.empty() || kind.names.contains(locale)) << id << " " << locale << " " << kind.id;
        }
      }
      for (const CardKind& card : sc.cards) {
        EXPECT_TRUE(catalogue.has("card." + card.id)) << id << " " << locale << " " << card.id;
        EXPECT_TRUE(catalogue.has("card-text." + card.id)) << id << " " << locale << " " << card.id;
        EXPECT_TRUE(card.texts.empty() || card.texts.contains(locale)) << id << " " << locale << " " << card.id;
      }
    }
  }
}

// --- Mistakes --------------------------------------------------------------------------------------------------------

constexpr std::string_view small_game = R"(format = "company-commander/1"
[figures]
kills_to_win = 2
[[company]]
id = "red"
[[company.unit]]
id = "guards"
copies = 3
strength = 2
keywords = ["infantry", "recon"]
[[company]]
id = "blue"
[[company.unit]]
id = "militia"
copies = 4
strength = 1
[[card]]
id = "smoke"
by = "target_owner"
windows = ["suppression_roll_react"]
target = "none"
effect = "cancel_suppression_roll"
[[card]]
id = "charge"
by = "attacker"
windows = ["assault_cards"]
target = "none"
effect = "fire_dice_assaulters"
amount = 1
)";

TEST(CompanyCommanderScenario, ASmallScenarioLoads) {
  const auto scenario = load({"small.toml", std::string(small_game)}, {});
  EXPECT_TRUE(scenario) << scenario.error().text();
}

struct Mistake {
  std::string old_text, new_text;
  std::string where;  // file and line
  std::string what;   // part of the sentence
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.new_text; }

class CompanyCommanderMistake : public testing::TestWithParam<Mistake> {};

TEST_P(CompanyCommanderMistake, IsToldWithItsPlace) {
  const Mistake& mistake = GetParam();
  std::string text(small_game);
  const std::size_t place = text.find(mistake.old_text);
  ASSERT_NE(place, std::string::npos) << mistake.old_text;
  text.replace(place, mistake.old_text.size(), mistake.new_text);
  const auto scenario = load({"small.toml", text}, {});
  ASSERT_FALSE(scenario) << mistake.new_text;
  EXPECT_EQ(scenario.error().where.substr(0, mistake.where.size() + 1), mistake.where + (mistake.where.ends_with(".toml") ? "" : ":"))
      << scenario.error().text();
  EXPECT_THAT(scenario.error().what, HasSubstr(mistake.what));
}

const Mistake mistakes[] = {
    // The file.
    {"kills_to_win = 2", "kills_to_win = = 2", "small.toml:3", "not valid TOML"},
    {"[[company]]\nid = \"red\"", "[[company]\nid = \"red\"", "small.toml:4", "not valid TOML"},
    {"company-commander/1", "company-commander/2", "small.toml:1", "\"format\" must be one of \"company-commander/1\""},
    {"format = \"company-commander/1\"\n", "", "small.toml", "\"format\" is missing"},
    {"[figures]", "[figurs]", "small.toml:2", "\"figurs\" is not known here"},
    // Figures.
    {"kills_to_win = 2", "kills_to_win = \"two\"", "small.toml:3", "\"kills_to_win\" must be a whole number from 1 to 32"},
    {"kills_to_win = 2", "kils_to_win = 2", "small.toml:3", "\"kils_to_win\" is not known here"},
    {"kills_to_win = 2", "kills_to_win = 4", "small.toml:4",
     "the company \"red\" has only 3 units that count as kills, fewer than kills_to_win = 4"},
    {"kills_to_win = 2", "fire_pin = 6\nfire_casualty = 4", "small.toml:3", "must not be above fire_casualty"},
    {"kills_to_win = 2", "fronts_for_automatic_win = 1", "small.toml:2", "must be less than fronts_for_automatic_win"},
    // Companies.
    {"[[card]]\nid = \"smoke\"", "[[company]]\nid = \"green\"\n[[company.unit]]\nid = \"x\"\nstrength = 1\n[[card]]\nid = \"smoke\"",
     "small.toml:17", "exactly two companies"},
    {"[[company]]\nid = \"blue\"\n", "", "small.toml:4", "exactly two [[company]] tables; found 1"},
    {"id = \"blue\"", "id = \"red\"", "small.toml:4", "need different ids"},
    {"id = \"blue\"", "id = \"Blue Company\"", "small.toml:12", "an id is made of small letters"},
    {"id = \"blue\"", "id = 7", "small.toml:12", "\"id\" must be a text in quotes"},
    {"[[company.unit]]\nid = \"guards\"\ncopies = 3\nstrength = 2\nkeywords = [\"infantry\", \"recon\"]\n", "", "small.toml:4",
     "a company needs at least one [[company.unit]]"},
    // Units.
    {"\"recon\"]", "\"recce\"]", "small.toml:10", "\"recce\" is not known; expected some of infantry, commander"},
    {"strength = 2\n", "", "small.toml:6", "\"strength\" is missing; expected a whole number from 1 to 9"},
    {"strength = 2", "strength = 12", "small.toml:9", "\"strength\" must be a whole number from 1 to 9"},
    {"copies = 3", "copies = 33", "small.toml:8", "\"copies\" must be a whole number from 1 to 32"},
    {"strength = 2\n", "strength = 2\n[[company.unit]]\nid = \"more\"\nstrength = 1\ncopies = 30\n", "small.toml:6",
     "a company has at most 32 units, copies counted"},
    {"id = \"militia\"", "id = \"guards\"", "small.toml:14", "another unit is called \"guards\""},
    {"copies = 4", "copies = 4\narmor_modifier = 1", "small.toml:16", "has no effect without the keyword \"armor\""},
    {"copies = 4", "copies = 4\nname = { fr = \"milice\" }", "small.toml:16", "expected the languages en, de, ja"},
    {"copies = 4", "copys = 4", "small.toml:15", "\"copys\" is not known here"},
    // Cards.
    {"id = \"charge\"", "id = \"smoke\"", "small.toml:24", "another card is called \"smoke\""},
    {"windows = [\"assault_cards\"]", "windows = [\"deploy\"]", "small.toml:26",
     "the effect \"fire_dice_assaulters\" fits only assault_cards"},
    {"windows = [\"assault_cards\"]", "windows = [\"assault\"]", "small.toml:26", "\"assault\" is not known"},
    {"windows = [\"assault_cards\"]\n", "", "small.toml:23", "a card needs at least one window"},
    {"by = \"attacker\"", "by = \"anyone\"", "small.toml:25", "\"by\" must be one of \"active\", \"opponent\""},
    {"by = \"attacker\"", "by = \"attacker\"\ncompany = \"green\"", "small.toml:26", "\"company\" must be one of \"red\", \"blue\""},
    {"target = \"none\"\neffect = \"fire_dice_assaulters\"", "target = \"own_unit\"\neffect = \"fire_dice_assaulters\"", "small.toml:27",
     "needs the target none"},
    {"effect = \"fire_dice_assaulters\"", "effect = \"victory\"", "small.toml:28", "\"effect\" must be one of"},
    {"amount = 1", "amount = 0", "small.toml:29", "must not be 0"},
    {"amount = 1\n", "", "small.toml:23", "\"amount\" is missing"},
    {"amount = 1", "amount = 1\ncopies = 65", "small.toml:30", "\"copies\" must be a whole number from 1 to 64"},
    {"amount = 1", "amount = 1\ncopies = 64", "small.toml:17", "the tactics deck has at most 64 cards, copies counted"},
    // Options.
    {"[figures]", "[options]\nfire_bonus_mode = \"both\"\n[figures]", "small.toml:2", "\"both\" does not fit; expected one of dice, drm"},
    {"[figures]", "[options]\nluck = true\n[figures]", "small.toml:2", "there is no such option"},
};

INSTANTIATE_TEST_SUITE_P(Mistakes, CompanyCommanderMistake, testing::ValuesIn(mistakes));

TEST(CompanyCommanderScenario, OptionsOfTheMatchAreChecked) {
  const ScenarioFile file{"small.toml", std::string(small_game)};
  EXPECT_THAT(load(file, {{"max_rounds", "501"}}).error().text(),
              HasSubstr("option max_rounds: \"501\" does not fit; expected a whole number from 0 to 500"));
  EXPECT_THAT(load(file, {{"max_round", "5"}}).error().text(), HasSubstr("option max_round: there is no such option"));
}

// Rules: R78. With the commander option HQ are no kills, so fewer units count.
TEST(CompanyCommanderScenario, TheCommanderOptionCountsFewerUnits) {
  std::string text(small_game);
  const std::string recon = "\"recon\"]";
  text.replace(text.find(recon), recon.size(), "\"commander\"]");
  EXPECT_TRUE(load({"small.toml", text}, {}));
  EXPECT_THAT(load({"small.toml", text}, {{"commander_option", "true"}}).error().what, HasSubstr("has only 0 units that count as kills"));
}

}  // namespace
}  // namespace baton::company_commander
