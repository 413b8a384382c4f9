// Hexagons in axial coordinates, and the six ways to face.
//
// Facings are counted clockwise. On a flat-top board 0…5 are north, north-east, south-east, south, south-west and
// north-west; on a pointy-top board north-west, north-east, east, south-east, south-west and west.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstdlib>

namespace baton {

struct Hex {
  int q = 0, r = 0;

  constexpr Hex operator+(Hex other) const { return {q + other.q, r + other.r}; }
  constexpr Hex operator-(Hex other) const { return {q - other.q, r - other.r}; }
  constexpr Hex operator-() const { return {-q, -r}; }
  constexpr Hex operator*(int times) const { return {q * times, r * times}; }
  auto operator<=>(const Hex&) const = default;
};

inline constexpr int facing_count = 6;
inline constexpr std::array<Hex, facing_count> hex_directions = {{{0, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}}};

// Any whole number is a facing: -1 is 5, 6 is 0.
constexpr int turned(int facing, int by) { return ((facing + by) % facing_count + facing_count) % facing_count; }
constexpr Hex direction(int facing) { return hex_directions[static_cast<std::size_t>(turned(facing, 0))]; }

constexpr int distance(Hex a, Hex b) {
  const Hex d = a - b;
  const auto size = [](int n) { return n < 0 ? -n : n; };
  return (size(d.q) + size(d.r) + size(d.q + d.r)) / 2;
}

// A sixth of a full turn clockwise about the origin, `times` times.
constexpr Hex rotated(Hex hex, int times) {
  for (times = turned(times, 0); times > 0; --times) hex = {-hex.r, hex.q + hex.r};
  return hex;
}

}  // namespace baton
