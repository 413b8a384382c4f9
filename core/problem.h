// What is wrong with something a person gave us: where, and what was expected instead.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace baton {

struct Problem {
  std::string where;  // "my-company.toml:12:3", "line 7", "option max_rounds"; may be empty
  std::string what;   // one sentence

  std::string text() const { return where.empty() ? what : where + ": " + what; }
};

template <class T>
using Expected = tl::expected<T, Problem>;

inline tl::unexpected<Problem> problem(std::string where, std::string what) {
  return tl::make_unexpected(Problem{std::move(where), std::move(what)});
}

}  // namespace baton
