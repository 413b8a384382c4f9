// Geometry vectors, drawings, the checker, the maker and the pictures.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "games/company_leader/board_check.h"
#include "games/company_leader/board_draw.h"
#include "games/company_leader/board_make.h"
#include "games/company_leader/game.h"

namespace baton::company_leader {
namespace {

using testing::HasSubstr;

std::string scenario_text(const std::string& id) {
  std::ifstream in(std::string(BATON_SOURCE_DIR) + "/games/company_leader/scenarios/" + id + ".toml");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Scenario scenario(const std::string& id, const OptionValues& chosen = {}) {
  auto loaded = load({id + ".toml", scenario_text(id)}, chosen);
  EXPECT_TRUE(loaded) << loaded.error().text();
  return *loaded;
}

FieldSet fields(const Scenario& sc, const std::vector<Hex>& hexes) {
  FieldSet set;
  for (const Hex h : hexes) {
    EXPECT_GE(sc.board.find(h), 0);
    set.insert(sc.board.find(h));
  }
  return set;
}

struct Vector {
  std::string scenario;
  Hex hex;
  int facing;
  std::vector<Hex> view1, view2, fire2;
};

// Rulings, section 3, test vectors.
const std::vector<Vector> vectors = {
    {"standard", {0, 1}, 0, {{-1, 1}, {0, 0}, {1, 0}}, {{-1, 1}, {0, 0}, {1, 0}, {-1, 0}}, {{0, 0}, {-1, 0}, {0, -1}, {1, -1}}},
    {"standard", {0, 3}, 0, {{-1, 3}, {0, 2}, {1, 2}}, {{-1, 3}, {0, 2}, {1, 2}}, {{0, 2}, {-1, 2}, {0, 1}, {1, 1}}},
    {"standard", {0, 5}, 0, {{-1, 5}, {0, 4}, {1, 4}}, {{-1, 5}, {0, 4}, {1, 4}}, {{0, 4}}},
    {"three", {0, 3}, 1, {{0, 2}, {1, 2}, {1, 3}}, {{0, 2}, {1, 2}, {1, 3}, {2, 2}}, {{1, 2}, {1, 1}, {2, 1}, {2, 2}}},
    {"teams", {0, 1}, 0, {{-1, 1}, {0, 0}, {1, 0}}, {{-1, 1}, {0, 0}, {1, 0}}, {{0, 0}}},
};

TEST(CompanyLeaderBoard, ViewAndFireAreTheVectorsOfTheRulings) {
  for (const Vector& v : vectors) {
    const Scenario sc = scenario(v.scenario);
    const int f = sc.board.find(v.hex);
    ASSERT_GE(f, 0);
    EXPECT_EQ(sc.view[0][at(f)][at(v.facing)], fields(sc, v.view1)) << v.scenario << " " << sc.board.name[at(f)];
    EXPECT_EQ(sc.view[1][at(f)][at(v.facing)], fields(sc, v.view2)) << v.scenario << " " << sc.board.name[at(f)];
    EXPECT_EQ(sc.fire[1][at(f)][at(v.facing)], fields(sc, v.fire2)) << v.scenario << " " << sc.board.name[at(f)];
  }
}

// Rulings, section 3, offsets per facing: view 1, ring 2, ring 3.
TEST(CompanyLeaderBoard, OffsetsOfEveryFacingAreTheRulingsTable) {
  struct Offsets {
    std::vector<Hex> near, second, third;
  };
  const std::array<Offsets, facing_count> table = {{
      {{{-1, 0}, {0, -1}, {1, -1}}, {{-1, -1}, {0, -2}, {1, -2}}, {{-1, -2}, {0, -3}, {1, -3}}},
      {{{0, -1}, {1, -1}, {1, 0}}, {{1, -2}, {2, -2}, {2, -1}}, {{2, -3}, {3, -3}, {3, -2}}},
      {{{1, -1}, {1, 0}, {0, 1}}, {{2, -1}, {2, 0}, {1, 1}}, {{3, -1}, {3, 0}, {2, 1}}},
      {{{1, 0}, {0, 1}, {-1, 1}}, {{1, 1}, {0, 2}, {-1, 2}}, {{1, 2}, {0, 3}, {-1, 3}}},
      {{{0, 1}, {-1, 1}, {-1, 0}}, {{-1, 2}, {-2, 2}, {-2, 1}}, {{-2, 3}, {-3, 3}, {-3, 2}}},
      {{{-1, 1}, {-1, 0}, {0, -1}}, {{-2, 1}, {-2, 0}, {-1, -1}}, {{-3, 1}, {-3, 0}, {-2, -1}}},
  }};
  const Scenario sc = scenario("standard");
  const int middle = sc.board.find({0, 0});
  for (int d = 0; d < facing_count; ++d) {
    EXPECT_EQ(sc.view[0][at(middle)][at(d)], fields(sc, table[at(d)].near)) << d;
    const FieldSet ahead = FieldSet::of(sc.board.find(direction(d)));
    EXPECT_EQ(sc.fire[0][at(middle)][at(d)], ahead) << d;
    EXPECT_EQ(sc.fire[2][at(middle)][at(d)], ahead | fields(sc, table[at(d)].second) | fields(sc, table[at(d)].third)) << d;
    // Where the field ahead is open a range of two reaches the whole second ring.
    const bool open = sc.board.terrain[at(ahead.front())] == Terrain::open;
    EXPECT_EQ(sc.fire[1][at(middle)][at(d)], open ? ahead | fields(sc, table[at(d)].second) : ahead) << d;
  }
}

// On a board without holes as many as the hexes are apart.
TEST(CompanyLeaderBoard, StepsFromFieldToField) {
  for (const char* name : {"standard", "three", "teams"}) {
    const Board board = scenario(name).board;
    for (int a = 0; a < board.fields; ++a) {
      for (int b = 0; b < board.fields; ++b) {
        EXPECT_EQ(board.steps[at(a)][at(b)], distance(board.hex[at(a)], board.hex[at(b)]))
            << name << " " << board.name[at(a)] << " " << board.name[at(b)];
      }
    }
  }
}

TEST(CompanyLeaderBoard, StepsToTheNearestOfMany) {
  const Board board = scenario("two-against-one").board;
  FastChance chance(7);
  for (int round = 0; round < 200; ++round) {
    FieldSet goals;
    const auto crowd = 1 + chance.pick(6);  // from few goals to nearly all fields
    for (int f = 0; f < board.fields; ++f) {
      if (chance.pick(crowd) == 0 || round % 50 == 0) goals.insert(f);
    }
    if (round == 1) goals = {};
    const FieldBytes steps = steps_to(board, goals);
    for (int f = 0; f < board.fields; ++f) {
      int nearest = no_way;
      for (const int goal : goals) nearest = std::min<int>(nearest, board.steps[at(f)][at(goal)]);
      ASSERT_EQ(steps[at(f)], nearest) << board.name[at(f)];
    }
  }
}

TEST(CompanyLeaderBoard, ArtilleryReachesEverythingWithinThree) {
  const Scenario sc = scenario("standard");
  const int middle = sc.board.find({0, 0});
  for (int f = 0; f < sc.board.fields; ++f) {
    const int far = distance(sc.board.hex[at(f)], {0, 0});
    int facings = 0;
    for (int d = 0; d < facing_count; ++d) facings += sc.fire[2][at(middle)][at(d)].has(f);
    EXPECT_EQ(facings > 0, far >= 1 && far <= 3) << sc.board.name[at(f)];
    const Hex h = sc.board.hex[at(f)];
    const bool oblique = far == 2 && h.q != 0 && h.r != 0 && h.q + h.r != 0;
    if (facings > 0) {
      EXPECT_EQ(facings, oblique ? 2 : 1) << sc.board.name[at(f)];
    }
  }
}

TEST(CompanyLeaderBoard, TheStandardBoardsHaveTheRulingsCounts) {
  const std::map<std::string, std::array<int, 4>> counts = {
      {"standard", {91, 51, 26, 14}}, {"three", {91, 52, 24, 15}}, {"teams", {97, 56, 27, 14}}, {"two-against-one", {97, 56, 27, 14}}};
  for (const auto& [id, count] : counts) {
    const Scenario sc = scenario(id);
    EXPECT_EQ(sc.board.fields, count[0]) << id;
    for (int terrain = 0; terrain < terrain_count; ++terrain)
      EXPECT_EQ(sc.board.of_terrain[at(terrain)].size(), count[at(terrain + 1)]) << id;
    for (const Side& side : sc.sides) EXPECT_EQ(side.purchase.size(), 3) << id;
    for (const BoardFinding& finding : check_board(sc)) EXPECT_FALSE(finding.refused) << id << ": " << finding.what;
  }
  EXPECT_TRUE(check_board(scenario("standard")).empty());
  EXPECT_TRUE(check_board(scenario("teams")).empty());
  EXPECT_EQ(scenario("standard").seats[0].troops, 9);
  EXPECT_EQ(scenario("standard").seats[0].territory.size(), 37);
  EXPECT_EQ(scenario("standard").seats[0].budget, 38);
  EXPECT_EQ(scenario("three").seats[0].budget, 31);
  EXPECT_EQ(scenario("teams").seats[0].budget, 25);
}

TEST(CompanyLeaderBoard, ADrawingIsReadBackAsItWasWritten) {
  for (const std::string id : {"standard", "three", "teams", "escort", "stonne"}) {
    const Scenario sc = scenario(id);
    const auto again = read_drawing("again", sc.board.drawing, sc.board.orientation, sc.seat_count());
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->drawing, sc.board.drawing);
    EXPECT_EQ(again->name, sc.board.name);
  }
}

TEST(CompanyLeaderBoard, WrongDrawingsAreNamedToTheCharacter) {
  const auto wrong = [](const std::string& drawing, Orientation orientation = Orientation::flat) {
    const auto board = read_drawing("my.toml:5", drawing, orientation, 2);
    return board ? std::string("nothing") : board.error().text();
  };
  EXPECT_THAT(wrong(""), HasSubstr("shows no field"));
  EXPECT_THAT(wrong("x1"), HasSubstr("line 1, column 1: \"x1\" must begin with the terrain"));
  EXPECT_THAT(wrong(".1\n  .2"), HasSubstr("line 2, column 3: \".2\" does not stand under its column"));
  EXPECT_THAT(wrong(".1  .2"), HasSubstr("stands where no hex can be"));
  EXPECT_THAT(wrong(".3"), HasSubstr("a seat's number from 1 to 2"));
  EXPECT_THAT(wrong("."), HasSubstr("must name the territory"));
  EXPECT_THAT(wrong(".-*"), HasSubstr("somebody's territory"));
  EXPECT_THAT(wrong(".1?"), HasSubstr("unknown mark"));
  std::string many;
  for (int i = 0; i < 130; ++i) many += ".1\n\n";
  EXPECT_THAT(wrong(many), HasSubstr("at most 128"));
}

TEST(CompanyLeaderBoard, WrongScenariosAreNamed) {
  const auto wrong = [](const std::string& from, const std::string& to) {
    std::string text = scenario_text("standard");
    const auto spot = text.find(from);
    EXPECT_NE(spot, std::string::npos) << from;
    text.replace(spot, from.size(), to);
    const auto loaded = load({"my.toml", text}, {});
    return loaded ? std::string("nothing") : loaded.error().text();
  };
  EXPECT_THAT(wrong("company-leader/1", "company-leader/2"), HasSubstr("\"format\" must be"));
  EXPECT_THAT(wrong("id = \"red\"", "id = \"Red\""), HasSubstr("small letters"));
  EXPECT_THAT(wrong("id = \"red\"", "id = \"blue\""), HasSubstr("another seat is called"));
  EXPECT_THAT(wrong("infantry = 2", "infantry = 50"), HasSubstr("only 37 fields"));
  EXPECT_THAT(wrong("infantry = 2", "cavalry = 2"), HasSubstr("\"cavalry\" is not known"));
  EXPECT_THAT(wrong("[[seat]]", "[victory]\nall_urban = false\ntroops = false\n\n[[seat]]"), HasSubstr("no way to win"));
  EXPECT_THAT(wrong("[[seat]]", "[victory]\ntime = \"red\"\n\n[[seat]]"), HasSubstr("needs the number of turns"));
  EXPECT_THAT(wrong("[[seat]]", "[[objective]]\nid = \"flag\"\nat = \"z9\"\ncarriers = [\"red\"]\ngoal = \"home\"\n\n[[seat]]"),
              HasSubstr("no field \"z9\""));
  EXPECT_THAT(wrong("[[seat]]", "[dice]\nred = [\"I1\"]\n\n[[seat]]"), HasSubstr("six faces"));
}

TEST(CompanyLeaderBoard, TheCheckerRefusesWhatBreaksTheGameAndNamesTheHex) {
  const auto findings = [](const std::string& from, const std::string& to) {
    std::string text = scenario_text("standard");
    text.replace(text.find(from), from.size(), to);
    const auto loaded = load({"my.toml", text}, {});
    EXPECT_TRUE(loaded) << loaded.error().text();
    std::string all;
    for (const BoardFinding& f : check_board(*loaded)) all += (f.refused ? "refused: " : "warning: ") + f.what + "\n";
    return all;
  };
  EXPECT_THAT(findings("U2      .2      f2      U2", "f2      .2      f2      U2"),
              HasSubstr("refused: the board is not point symmetric: c1"));
  EXPECT_THAT(findings("U2      .2      f2      U2", "f2      .2      f2      U2"), HasSubstr("they should be equal"));
  EXPECT_THAT(findings(".2*     .2*", ".2      .2 "), HasSubstr("refused: blue has 1 purchase fields"));
  EXPECT_THAT(findings("infantry = 2", "infantry = 9"), HasSubstr("warning: red has 16 troops and 21 dummies"));
  EXPECT_THAT(findings("income = 2", "income = 9"), HasSubstr("warning: red has an income of 9"));
}

// R56: what a scenario does not say about its income follows from the board; without the neutral zone the territories are larger.
TEST(CompanyLeaderBoard, IncomeAndReferenceFollowFromTheBoard) {
  std::string text = scenario_text("standard");
  for (const std::string key : {"income = ", "reference = "}) {
    for (auto spot = text.find("\n" + key); spot != std::string::npos; spot = text.find("\n" + key))
      text.erase(spot, text.find('\n', spot + 1) - spot);
  }
  for (const auto& [neutral_zone, urban] : {std::pair{"true", 6}, std::pair{"false", 7}}) {
    const auto sc = load({"my.toml", text}, {{"neutral_zone", neutral_zone}});
    ASSERT_TRUE(sc) << sc.error().text();
    for (const Side& side : sc->sides) {
      EXPECT_EQ(side.income, 2) << "one coin for 45 of 91 fields";
      EXPECT_EQ(side.reference, urban);
    }
  }
  const auto from = text.find("drawing = "), to = text.find("'''", text.find("'''", from) + 3);
  std::replace(text.begin() + static_cast<std::ptrdiff_t>(from) + 7, text.begin() + static_cast<std::ptrdiff_t>(to), 'f', 'U');
  const auto sc = load({"my.toml", text}, {});
  ASSERT_TRUE(sc) << sc.error().text();
  std::string refused;
  for (const BoardFinding& finding : check_board(*sc)) refused += finding.refused ? finding.what + "\n" : "";
  EXPECT_THAT(refused, HasSubstr("40 of 91 fields are urban"));
}

// What a browser draws is the board that is played on.
TEST(CompanyLeaderBoard, TheDrawingShowsTheTerritoriesWithoutTheNeutralZone) {
  for (const std::string id : {"standard", "three", "teams"}) {
    const auto sc = load({id + ".toml", scenario_text(id)}, {{"neutral_zone", "false"}});
    ASSERT_TRUE(sc) << sc.error().text();
    const auto drawn = read_drawing("drawing", sc->board.drawing, sc->board.orientation, sc->seat_count());
    ASSERT_TRUE(drawn) << drawn.error().text();
    EXPECT_EQ(drawn->owner, sc->board.owner) << sc->board.drawing;
  }
}

TEST(CompanyLeaderBoard, NewBoardsMeetAllGuidelines) {
  for (const int players : {2, 3, 4}) {
    for (const int size : {61, 91, 127}) {
      for (const std::uint64_t seed : {1u, 2u}) {
        const auto text = make_board(size, players, seed);
        ASSERT_TRUE(text) << text.error().text() << " " << players << " players, " << size << " fields";
        const auto sc = load({"new.toml", *text}, {});
        ASSERT_TRUE(sc) << sc.error().text();
        EXPECT_TRUE(check_board(*sc).empty());
        EXPECT_EQ(*text, *make_board(size, players, seed));
      }
    }
  }
  EXPECT_FALSE(make_board(20, 2, 1));
  EXPECT_FALSE(make_board(91, 5, 1));
}

TEST(CompanyLeaderBoard, Pictures) {
  const Scenario sc = scenario("standard");
  FastChance chance(1);
  Events log = Events::unheard();
  const State s = start(sc, chance, log);
  EXPECT_THAT(draw_svg(sc), HasSubstr("<title>f11 open</title>"));
  EXPECT_THAT(draw_svg(sc, observe(sc, s, Seat(0))), HasSubstr(">?</text>"));
}

TEST(CompanyLeaderBoard, FieldsAreTypedByNameOrCoordinates) {
  const Scenario sc = scenario("standard");
  EXPECT_EQ(read(sc, kind::field, "f6"), sc.board.find({0, 0}));
  EXPECT_EQ(read(sc, kind::field, "0,3"), sc.board.find({0, 3}));
  EXPECT_EQ(read(sc, kind::field, "9,9"), std::nullopt);
  EXPECT_EQ(read(sc, kind::field, "zz"), std::nullopt);
}

// R21: what a clock does for a player who does not choose.
TEST(CompanyLeaderBoard, FacingsTowardsTheScout) {
  const Scenario sc = scenario("standard");
  const int middle = sc.board.find({0, 0});
  for (int d = 0; d < facing_count; ++d) {
    EXPECT_EQ(facing_towards(sc, middle, sc.board.find(direction(d))), d);
    EXPECT_EQ(facing_towards(sc, middle, sc.board.find(direction(d) * 2)), d);
    // A field between two axes is as near to either.
    const int next = (d + 1) % facing_count;
    EXPECT_THAT(facing_towards(sc, middle, sc.board.find(direction(d) + direction(next))), testing::AnyOf(d, next));
  }
}

}  // namespace
}  // namespace baton::company_leader
