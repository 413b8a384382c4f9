#include "core/json_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace baton {
namespace {

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// The same tree, told item by item.
void tell(const Json& json, JsonText& out);
void tell(std::string_view key, const Json& json, JsonText& out) {
  if (json.is_object()) {
    out.object(key, [&] {
      for (const auto& [inner, value] : json.items()) tell(inner, value, out);
    });
  } else if (json.is_array()) {
    out.list(key, [&] {
      for (const Json& item : json) tell(item, out);
    });
  } else {
    out.add(key, json);
  }
}
void tell(const Json& json, JsonText& out) {
  if (json.is_object()) {
    out.object([&] {
      for (const auto& [key, value] : json.items()) tell(key, value, out);
    });
  } else if (json.is_array()) {
    out.list([&] {
      for (const Json& item : json) tell(item, out);
    });
  } else {
    out.add(json);
  }
}

rc::Gen<Json> any_json(int depth) {
  const auto leaf =
      rc::gen::oneOf(rc::gen::map(rc::gen::arbitrary<std::string>(), [](const std::string& text) { return Json(text); }),
                     rc::gen::map(rc::gen::arbitrary<int>(), [](int number) { return Json(number); }),
                     rc::gen::map(rc::gen::arbitrary<bool>(), [](bool flag) { return Json(flag); }), rc::gen::just(Json(nullptr)));
  if (depth == 0) return leaf;
  const auto items = rc::gen::container<std::vector<Json>>(any_json(depth - 1));
  return rc::gen::oneOf(leaf,
                        rc::gen::map(items,
                                     [](const std::vector<Json>& all) {
                                       Json list = Json::array();
                                       for (const Json& item : all) list.push_back(item);
                                       return list;
                                     }),
                        rc::gen::map(items, [](const std::vector<Json>& all) {
                          Json object = Json::object();
                          for (std::size_t i = 0; i < all.size(); ++i) object["key \"" + std::to_string(i)] = all[i];
                          return object;
                        }));
}

RC_GTEST_PROP(JsonText, GivesTheBytesOfTheTree, ()) {
  const Json json = *any_json(3);
  JsonText out;
  tell(json, out);
  RC_ASSERT(out.text() == one_line(json));
}

RC_GTEST_PROP(JsonText, QuotesAnyTextAsTheTreeDoes, (const std::string& text)) {
  JsonText out;
  out.add(text);
  RC_ASSERT(out.text() == one_line(Json(text)));
}

RC_GTEST_PROP(JsonText, WritesAnyNumberAsTheTreeDoes, (std::int64_t whole, std::uint64_t large, double fraction)) {
  JsonText out;
  out.list([&] {
    out.add(whole);
    out.add(large);
    out.add(fraction);
  });
  RC_ASSERT(out.text() == one_line(Json::array({whole, large, fraction})));
}

TEST(JsonText, WritesSmallNumbersAsNumbersAndFlagsAsFlags) {
  JsonText out;
  out.object([&] {
    out.add("byte", std::uint8_t{65});
    out.add("small", std::int8_t{-1});
    out.add("most", std::numeric_limits<std::uint64_t>::max());
    out.add("whole", 1.0);
    out.add("yes", true);
    out.add("none", nullptr);
    out.add("missing", std::optional<int>());
    out.add("there", std::optional("here"));
    out.add("word", "up{");
    out.list("nothing", [] {});
    out.object("empty", [] {});
    out.add_written("written", "[1,2]");
    out.key("inner");
    out.object([&] { out.add("colon", ":"); });
    out.add("last", "[");
  });
  EXPECT_EQ(
      out.text(),
      R"({"byte":65,"small":-1,"most":18446744073709551615,"whole":1.0,"yes":true,"none":null,"missing":null,"there":"here","word":"up{","nothing":[],)"
      R"("empty":{},"written":[1,2],"inner":{"colon":":"},"last":"["})");
  EXPECT_EQ(out.read()["written"][1], 2);
}

TEST(JsonText, MendsWhatIsNotUtf8) {
  JsonText out;
  out.add(
      "\xff"
      "a");
  EXPECT_EQ(out.text(), one_line(Json("\xff"
                                      "a")));
  EXPECT_TRUE(out.read().is_string());
}

}  // namespace
}  // namespace baton
