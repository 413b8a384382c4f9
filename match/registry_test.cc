#include "match/registry.h"

#include <gmock/gmock.h>

#include <fstream>

#include "match/conformance.h"

namespace baton {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Registry, EveryGameHasAScenarioThatStarts) {
  for (const std::string& game : game_ids()) {
    ASSERT_THAT(scenario_ids(game), Not(IsEmpty())) << game;
    for (const std::string& id : scenario_ids(game)) {
      const auto found = find_scenario(game, id);
      ASSERT_TRUE(found) << found.error().text();
      const auto match = create_match(game, {.scenario = *found, .options = {}, .players = {}, .position = {}});
      ASSERT_TRUE(match) << match.error().text();
      EXPECT_FALSE((*match)->choosing().empty());
      const auto again = load_match((*match)->record());
      ASSERT_TRUE(again) << again.error().text();
      EXPECT_EQ((*again)->save_position(), (*match)->save_position());
    }
  }
}

TEST(Registry, AScenarioMayComeFromAFile) {
  const std::string game = game_ids().front();
  const auto shipped = find_scenario(game, "");
  ASSERT_TRUE(shipped);
  const std::string path = testing::TempDir() + "own.toml";
  std::ofstream(path) << shipped->text;
  const auto found = find_scenario(game, path);
  ASSERT_TRUE(found) << found.error().text();
  const auto match = create_match(game, {.scenario = *found, .options = {}, .players = {}, .position = {}});
  ASSERT_TRUE(match) << match.error().text();
  EXPECT_EQ((*match)->header().scenario.id, "own");
  const auto again = load_match((*match)->record());
  ASSERT_TRUE(again) << again.error().text();
}

TEST(Registry, SaysWhatIsKnown) {
  EXPECT_THAT(create_match("chess", {}).error().what, HasSubstr("known are company-commander"));
  EXPECT_THAT(find_scenario("company-commander", "moon").error().what, HasSubstr("no scenario \"moon\""));
  EXPECT_THAT(find_scenario("company-commander", "/nowhere/x.toml").error().text(), "/nowhere/x.toml: the file cannot be read.");
  EXPECT_FALSE(options_of("chess"));
  EXPECT_TRUE(options_of("company-commander"));
  EXPECT_THAT(run_case("c.toml", "title = 'x'\ngame = 'chess'\n[[step]]\n").error().text(),
              HasSubstr("c.toml: there is no game \"chess\""));
}

// Games that can be cut short are: their own tests play them to the end.
template <class G>
OptionValues short_game() {
  for (const Option& option : G::options()) {
    if (option.name == "turn_limit") return {{"turn_limit", "2"}};
  }
  return {};
}

template <class G>
std::string conforms(int games) {
  for (const std::string& id : scenario_ids(G::id)) {
    const auto done = conformance<G>(*shipped_scenario(G::id, id), short_game<G>(), {.games = games, .sample_every = 60});
    if (done.failure) return id + ": " + *done.failure;
  }
  return "";
}

TEST(Games, Conform) {
  for (const std::string& game : game_ids()) {
    with_game(game, []<class Tag>(Tag) { EXPECT_EQ(conforms<typename Tag::Type>(1), "") << Tag::Type::id; });
  }
}

TEST(ReadTextFile, LimitsTheSize) {
  const std::string path = testing::TempDir() + "size.txt";
  std::ofstream(path) << "12345";
  EXPECT_EQ(*read_text_file(path, 5), "12345");
  EXPECT_THAT(read_text_file(path, 4).error().what, HasSubstr("larger than 4 bytes"));
  EXPECT_FALSE(read_text_file(testing::TempDir(), 5));
}

TEST(Texts, AreSoundInEveryLanguage) {
  for (const std::string& game : game_ids()) {
    for (const char* locale : {"en", "de", "ja"}) {
      for (const Problem& problem : house_catalogue(game, locale).problems()) ADD_FAILURE() << locale << " " << problem.text();
    }
  }
}

}  // namespace
}  // namespace baton
