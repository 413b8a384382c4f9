#include "core/toml_reader.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

std::string first_problem(std::string_view text, void (*read)(TomlTable&)) {
  TomlFile file("company.toml", text);
  TomlTable root = file.root();
  read(root);
  return file.problem() ? file.problem()->text() : "";
}

TEST(TomlReader, ReadsWhatIsThere) {
  TomlFile file("a.toml",
                "name = \"x\"\nsize = 3\nbig = true\nweight = -0.25\nwords = [\"a\", \"b\"]\nnumbers = [1, 2]\n[inner]\nsize = "
                "4\n[[unit]]\nid = \"u\"\n[[unit]]\nid = \"v\"\n");
  TomlTable root = file.root();
  EXPECT_EQ(root.text("name"), "x");
  EXPECT_EQ(root.integer("size", 1, 5), 3);
  EXPECT_TRUE(root.flag_or("big", false));
  EXPECT_EQ(root.texts("words"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(root.integers_or_none("numbers", 0, 9), (std::vector{1, 2}));
  EXPECT_EQ(root.table("inner").integer("size", 1, 5), 4);
  std::string ids;
  root.each("unit", [&](TomlTable unit) { ids += unit.text("id"); });
  EXPECT_EQ(ids, "uv");
  EXPECT_EQ(root.value_as_text("size"), "3");
  EXPECT_EQ(root.value_as_text("big"), "true");
  EXPECT_EQ(root.as_json("numbers").find_first_of('['), 0u);
  EXPECT_EQ(root.as_json("weight"), "-0.25");
  EXPECT_EQ(root.integer_or("missing", 0, 9, 7), 7);
  EXPECT_EQ(root.keys().front(), "name");
  root.no_more_keys();
  EXPECT_FALSE(file.problem());
}

TEST(TomlReader, NamesFileLineAndWhatWasExpected) {
  EXPECT_EQ(first_problem("a = 1\nsize = \"big\"\n", [](TomlTable& t) { t.integer("size", 1, 5); }),
            "company.toml:2:8: \"size\" must be a whole number from 1 to 5.");
  EXPECT_EQ(first_problem("size = 9\n", [](TomlTable& t) { t.integer("size", 1, 5); }),
            "company.toml:1:8: \"size\" must be a whole number from 1 to 5.");
  EXPECT_EQ(first_problem("size = 9223372036854775807\n", [](TomlTable& t) { t.integer("size", 1, 5); }),
            "company.toml:1:8: \"size\" must be a whole number from 1 to 5.");
  EXPECT_EQ(first_problem("", [](TomlTable& t) { t.text("name"); }), "company.toml: \"name\" is missing; expected a text.");
  EXPECT_EQ(first_problem("by = \"me\"",
                          [](TomlTable& t) {
                            t.one_of("by", {"you", "them"});
                          }),
            "company.toml:1:6: \"by\" must be one of \"you\", \"them\".");
  EXPECT_EQ(first_problem("unit = 3", [](TomlTable& t) { t.each("unit", [](TomlTable) {}); }),
            "company.toml:1:8: \"unit\" must be an array of tables, written [[unit]].");
  EXPECT_EQ(first_problem("big = 1", [](TomlTable& t) { t.flag_or("big", true); }), "company.toml:1:7: \"big\" must be true or false.");
  EXPECT_EQ(first_problem("words = [1]", [](TomlTable& t) { t.texts("words"); }),
            "company.toml:1:10: \"words\" must be a list of texts in quotes.");
}

TEST(TomlReader, NamesKeysNobodyAskedFor) {
  EXPECT_EQ(first_problem("name = \"x\"\nnane = \"y\"\n",
                          [](TomlTable& t) {
                            t.text("name");
                            t.no_more_keys();
                          }),
            "company.toml:2:1: \"nane\" is not known here; expected one of \"name\".");
}

TEST(TomlReader, SaysWhereTheTomlItselfIsBroken) {
  TomlFile file("company.toml", "a = 1\nb = = 2\n");
  ASSERT_TRUE(file.problem());
  EXPECT_EQ(file.problem()->where.substr(0, 15), "company.toml:2:");
  EXPECT_EQ(file.problem()->what.substr(0, 15), "not valid TOML:");
}

TEST(TomlReader, SurvivesWhatIsNoToml) {
  using namespace std::string_view_literals;
  for (const std::string_view text : {"[="sv, "[\0"sv, "\xC5\xA0"sv, "[\xC3\xA4]"sv, "\xC3\x9F = 1"sv, "\xFF"sv, "a = \x01"sv}) {
    EXPECT_TRUE(TomlFile("x.toml", text).problem()) << text;
  }
}

TEST(TomlReader, KeepsTheFirstProblemAndGoesOn) {
  TomlFile file("company.toml", "[deep]\nsize = 1\n");
  TomlTable root = file.root();
  TomlTable missing = root.table("wide");
  EXPECT_EQ(missing.integer("size", 2, 3), 2);
  missing.each("unit", [](TomlTable) { FAIL(); });
  missing.no_more_keys();
  ASSERT_TRUE(file.problem());
  EXPECT_EQ(file.problem()->text(), "company.toml: \"wide\" is missing; expected a table [wide].");
}

}  // namespace
}  // namespace baton
