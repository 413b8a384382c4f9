// Why a request is not done: a code for programs and texts, a sentence for people. docs/protocol.md lists the codes.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "core/game.h"

namespace baton::table {

struct Fault {
  std::string code, message;
  std::string why = {};    // of `illegal`: the id of the rules' refusal
  double retry_after = 0;  // of `too-many`: seconds
};

template <class T>
using Outcome = tl::expected<T, Fault>;

inline tl::unexpected<Fault> fault(std::string code, std::string message) {
  return tl::make_unexpected(Fault{std::move(code), std::move(message)});
}
// What is wrong with what a person gave, as a fault of this code.
inline tl::unexpected<Fault> fault(std::string code, const Problem& problem) { return fault(std::move(code), problem.text()); }

Json json_of(const Fault& fault);
int http_status(const Fault& fault);

}  // namespace baton::table
