# Writes OUT, a C++ header with the lines "name = number" of FILE as `Weight` and `Weights` of NAMESPACE.
file(STRINGS ${FILE} lines REGEX "^[a-z_]+ *= *-?[0-9]+\\.?[0-9]*")
set(names "")
set(words "")
set(numbers "")
set(count 0)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([a-z_]+) *= *(-?[0-9]+\\.?[0-9]*)" match "${line}")
  set(name ${CMAKE_MATCH_1})
  set(number ${CMAKE_MATCH_2})
  if(NOT number MATCHES "\\.")
    string(APPEND number ".")
  endif()
  string(APPEND names "${name}, ")
  string(APPEND words "\"${name}\", ")
  string(APPEND numbers "${number}f, ")
  math(EXPR count "${count} + 1")
endforeach()
if(count EQUAL 0)
  message(FATAL_ERROR "${FILE} holds no weights; a weight is a line such as: kill = 0.3")
endif()
file(WRITE ${OUT} "#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ${NAMESPACE} {

enum class Weight : std::uint8_t { ${names}};
inline constexpr std::array<std::string_view, ${count}> weight_names = {${words}};

struct Weights {
  std::array<float, ${count}> values = {${numbers}};
  constexpr float operator[](Weight weight) const { return values[static_cast<std::size_t>(weight)]; }
};

}  // namespace ${NAMESPACE}
")
