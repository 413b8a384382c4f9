// Reads JSON that strangers send: never throws, and refuses nesting that would exhaust the stack of whoever walks it.
#pragma once

#include <string>
#include <string_view>

#include "core/game.h"
#include "core/problem.h"

namespace baton {

inline constexpr int deepest_json = 64;

Expected<Json> read_json(std::string_view text, const std::string& where);

// One line, keys in the order they were set; text that is not UTF-8 is mended instead of thrown at.
std::string one_line(const Json& json);

}  // namespace baton
