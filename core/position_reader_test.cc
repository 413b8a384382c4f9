#include "core/position_reader.h"

#include <gtest/gtest.h>

#include <array>

namespace baton {
namespace {

constexpr std::array<std::string_view, 3> colours = {"red", "green", "blue"};

PositionReader reader() {
  return PositionReader([](Kind kind, std::string_view word) -> std::optional<int> {
    if (kind != 1 || word != "tank") return std::nullopt;
    return 7;
  });
}

TEST(PositionReader, ReadsWhatIsThereAndLeavesTheRest) {
  const auto json = Json::parse(R"({"n": 3, "gone": null, "yes": true, "colour": "blue", "piece": "tank", "list": [1, 2]})");
  PositionReader r = reader();
  int n = 0, gone = 5, sum = 0, colour = 0, piece = 0;
  bool yes = false;
  r.number(json, "n", n, 0, 3);
  r.number(json, "gone", gone, 0, 9);
  r.number(json, "missing", gone, 0, 9);
  r.flag(json, "yes", yes);
  r.word(json, "colour", colours, colour);
  r.thing(json, "piece", 1, "a piece", piece);
  r.list(json, "list", [&](const Json& item) { sum += r.as_number(item, "list", 0, 9).value_or(100); });
  EXPECT_EQ((std::array{n, gone, sum, colour, piece}), (std::array{3, 5, 3, 2, 7}));
  EXPECT_TRUE(yes);
  EXPECT_EQ(r.object(json, "missing"), nullptr);
  EXPECT_EQ(r.object(json, "gone"), nullptr) << "null is as good as missing";
  r.word(json, "gone", colours, colour);
  r.thing(json, "gone", 1, "a piece", piece);
  EXPECT_EQ(r.problem(), std::nullopt);
}

TEST(PositionReader, SaysWhatIsWrongAndWhatWouldBeRight) {
  const auto complaint = [](const char* text, const auto& ask) {
    const auto json = Json::parse(text);
    PositionReader r = reader();
    ask(r, json);
    return r.problem() ? r.problem()->text() : "";
  };
  int into = 0;
  bool flag = false;
  const auto number = [&](PositionReader& r, const Json& json) { r.number(json, "n", into, -2, 3); };
  for (const char* text : {R"({"n": 4})", R"({"n": -3})", R"({"n": 1.0})", R"({"n": "1"})", R"({"n": 18446744073709551615})"}) {
    EXPECT_EQ(complaint(text, number), "position, n: must be a whole number from -2 to 3.") << text;
  }
  EXPECT_EQ(into, 0);
  EXPECT_EQ(complaint(R"({"f": 1})", [&](PositionReader& r, const Json& json) { r.flag(json, "f", flag); }),
            "position, f: must be true or false.");
  EXPECT_EQ(complaint(R"({"c": "pink"})", [&](PositionReader& r, const Json& json) { r.word(json, "c", colours, into); }),
            "position, c: must be red, green or blue.");
  EXPECT_EQ(complaint(R"({"p": ["x"]})", [&](PositionReader& r, const Json& json) { r.thing(json, "p", 1, "a piece"); }),
            "position, p: [\"x\"] is not a piece.");
  EXPECT_EQ(complaint(R"({"l": {}})", [&](PositionReader& r, const Json& json) { r.list(json, "l", [](const Json&) {}); }),
            "position, l: must be a list.");
  EXPECT_EQ(complaint(R"({"o": []})", [&](PositionReader& r, const Json& json) { r.object(json, "o", "all"); }),
            "position, all.o: must be a table.");
  EXPECT_EQ(complaint(R"({"known": 1, "odd": 2})", [&](PositionReader& r, const Json& json) { r.only(json, "there", {"known"}); }),
            "position, there.odd: is not known here.");
}

TEST(PositionReader, KeepsTheFirstProblem) {
  PositionReader r = reader();
  r.wrong("first", "is wrong.");
  r.wrong("second", "is wrong too.");
  EXPECT_EQ(r.problem()->text(), "position, first: is wrong.");
}

}  // namespace
}  // namespace baton
