// Writes JSON as a text, in the order in which it is told. No tree is built in between, so a view costs little more than its bytes.
//
//   JsonText out;
//   out.object([&] {
//     out.add("round", 3);
//     out.list("hand", [&] { out.add("smoke"); });
//   });
//   out.text()  // {"round":3,"hand":["smoke"]}
//
// The bytes are those that Json gives in one line, where every key is told once.
#pragma once

#include <charconv>
#include <concepts>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace baton {

using Json = nlohmann::ordered_json;

class JsonText {
 public:
  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }
  Json read() const;  // as a tree, for whoever wants to look into it

  // A value is a flag, a number, a text, a tree, null, or one of these that may be missing, which is null too.

  // An item of a list, or the whole.
  template <class Value>
  void add(const Value& value) {
    begin_item();
    put(value);
  }
  template <class Fill>
  void object(Fill&& fill) {
    begin_item();
    enclose('{', '}', fill);
  }
  template <class Fill>
  void list(Fill&& fill) {
    begin_item();
    enclose('[', ']', fill);
  }

  // A member of an object. What is told after a key alone is its value.
  void key(std::string_view name) {
    begin_item();
    put_text(name);
    text_ += ':';
  }
  template <class Value>
  void add(std::string_view name, const Value& value) {
    key(name);
    put(value);
  }
  template <class Fill>
  void object(std::string_view name, Fill&& fill) {
    key(name);
    enclose('{', '}', fill);
  }
  template <class Fill>
  void list(std::string_view name, Fill&& fill) {
    key(name);
    enclose('[', ']', fill);
  }
  void add_written(std::string_view name, std::string_view json) {  // a value that is JSON already
    key(name);
    text_ += json;
  }

 private:
  // No value ends like this: a text ends with its quote.
  void begin_item() {
    if (!text_.empty() && text_.back() != '{' && text_.back() != '[' && text_.back() != ':') text_ += ',';
  }
  template <class Fill>
  void enclose(char begin, char end, Fill&& fill) {
    text_ += begin;
    fill();
    text_ += end;
  }

  template <class Value>
  void put(const Value& value) {
    if constexpr (std::same_as<Value, bool>) {
      text_ += value ? "true" : "false";
    } else if constexpr (std::same_as<Value, std::nullptr_t>) {
      text_ += "null";
    } else if constexpr (std::integral<Value>) {
      char digits[24];
      text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    } else if constexpr (std::floating_point<Value>) {
      put_fraction(value);
    } else if constexpr (std::same_as<Value, Json>) {
      put_tree(value);
    } else if constexpr (requires { value.has_value(); }) {
      value ? put(*value) : put(nullptr);
    } else {
      put_text(value);
    }
  }
  void put_text(std::string_view text);
  void put_fraction(double value);
  void put_tree(const Json& value);

  std::string text_;
};

}  // namespace baton
