// Sets of up to 64 small things as bits: the decks, hands and fronts of the games.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "core/chance.h"

namespace baton {

template <std::unsigned_integral Set>
constexpr bool has(Set set, int i) {
  return (set >> i & Set{1}) != 0;
}

template <std::unsigned_integral Set = std::uint32_t>
constexpr Set bit(int i) {
  return static_cast<Set>(Set{1} << i);
}

// Iterates the members in ascending order: for (int i : each(set)).
template <std::unsigned_integral Set>
class each {
 public:
  constexpr explicit each(Set set) : set_(set) {}
  struct Iterator {
    Set rest;
    constexpr int operator*() const { return std::countr_zero(rest); }
    constexpr Iterator& operator++() {
      rest = static_cast<Set>(rest & (rest - 1));
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;
  };
  constexpr Iterator begin() const { return {set_}; }
  constexpr Iterator end() const { return {Set{0}}; }

 private:
  Set set_;
};

// The member with `rank` smaller members; the set has more than `rank` members.
template <std::unsigned_integral Set>
constexpr int member(Set set, std::uint32_t rank) {
  for (; rank > 0; --rank) set = static_cast<Set>(set & (set - 1));
  return std::countr_zero(set);
}

// One member at random; the set is not empty.
template <std::unsigned_integral Set>
int pick_member(Set set, Chance& chance) {
  return member(set, chance.pick(static_cast<std::uint32_t>(std::popcount(set))));
}

}  // namespace baton
