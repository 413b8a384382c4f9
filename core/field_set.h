// A set of up to 128 fields of a board as two machine words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/chance.h"

namespace baton {

inline constexpr int max_fields = 128;

class FieldSet {
 public:
  constexpr FieldSet() = default;
  static constexpr FieldSet of(int field) {
    FieldSet set;
    set.insert(field);
    return set;
  }
  // The fields 0…count-1.
  static constexpr FieldSet first(int count) {
    FieldSet set;
    set.words_[0] = count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    set.words_[1] = count <= 64 ? 0 : count >= 128 ? ~std::uint64_t{0} : (std::uint64_t{1} << (count - 64)) - 1;
    return set;
  }

  constexpr bool has(int field) const { return (words_[word(field)] >> (field & 63) & 1u) != 0; }
  constexpr void insert(int field) { words_[word(field)] |= std::uint64_t{1} << (field & 63); }
  constexpr void erase(int field) { words_[word(field)] &= ~(std::uint64_t{1} << (field & 63)); }
  constexpr bool empty() const { return (words_[0] | words_[1]) == 0; }
  constexpr int size() const { return std::popcount(words_[0]) + std::popcount(words_[1]); }
  // Only when not empty.
  constexpr int front() const { return words_[0] != 0 ? std::countr_zero(words_[0]) : 64 + std::countr_zero(words_[1]); }
  constexpr bool meets(FieldSet other) const { return ((words_[0] & other.words_[0]) | (words_[1] & other.words_[1])) != 0; }

  constexpr FieldSet operator|(FieldSet other) const { return {words_[0] | other.words_[0], words_[1] | other.words_[1]}; }
  constexpr FieldSet operator&(FieldSet other) const { return {words_[0] & other.words_[0], words_[1] & other.words_[1]}; }
  constexpr FieldSet operator-(FieldSet other) const { return {words_[0] & ~other.words_[0], words_[1] & ~other.words_[1]}; }
  constexpr FieldSet& operator|=(FieldSet other) { return *this = *this | other; }
  constexpr FieldSet& operator&=(FieldSet other) { return *this = *this & other; }
  constexpr FieldSet& operator-=(FieldSet other) { return *this = *this - other; }
  constexpr bool operator==(const FieldSet&) const = default;

  // Members in ascending order.
  class Iterator {
   public:
    constexpr Iterator(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}
    constexpr int operator*() const { return low_ != 0 ? std::countr_zero(low_) : 64 + std::countr_zero(high_); }
    constexpr Iterator& operator++() {
      if (low_ != 0) {
        low_ &= low_ - 1;
      } else {
        high_ &= high_ - 1;
      }
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    std::uint64_t low_, high_;
  };
  constexpr Iterator begin() const { return {words_[0], words_[1]}; }
  constexpr Iterator end() const { return {0, 0}; }

  // The member with `rank` smaller members; the set has more than `rank` members.
  constexpr int member(std::uint32_t rank) const {
    Iterator it = begin();
    for (; rank > 0; --rank) ++it;
    return *it;
  }

  // Eight members' worth: bit i says whether 8 × number + i is one.
  constexpr std::uint8_t eight(std::size_t number) const { return static_cast<std::uint8_t>(words_[number / 8] >> (8 * (number % 8))); }

 private:
  constexpr FieldSet(std::uint64_t low, std::uint64_t high) : words_{low, high} {}
  static constexpr std::size_t word(int field) { return static_cast<std::size_t>(field >> 6 & 1); }

  std::array<std::uint64_t, 2> words_{};
};

// Small numbers by field.
using FieldBytes = std::array<std::uint8_t, max_fields>;

// Puts the numbers of `from` in place of those of `onto` on these fields, eight at a time.
inline void copy_on(FieldSet fields, const FieldBytes& from, FieldBytes& onto) {
  static constexpr auto masks = [] {
    std::array<std::array<std::uint8_t, 8>, 256> all{};
    for (unsigned set = 0; set < 256; ++set) {
      for (unsigned i = 0; i < 8; ++i) all[set][i] = (set >> i & 1u) != 0 ? 255 : 0;
    }
    return all;
  }();
  for (std::size_t eight = 0; eight < max_fields / 8; ++eight) {
    std::uint64_t mask, old, put;
    std::memcpy(&mask, masks[fields.eight(eight)].data(), 8);
    std::memcpy(&old, &onto[8 * eight], 8);
    std::memcpy(&put, &from[8 * eight], 8);
    old = (old & ~mask) | (put & mask);
    std::memcpy(&onto[8 * eight], &old, 8);
  }
}

// The fields where the two differ.
inline FieldSet differing(const FieldBytes& a, const FieldBytes& b) {
  FieldSet fields;
  for (int first = 0; first < max_fields; first += 8) {
    const auto place = static_cast<std::size_t>(first);
    if (std::memcmp(&a[place], &b[place], 8) == 0) continue;
    for (int f = first; f < first + 8; ++f) {
      if (a[static_cast<std::size_t>(f)] != b[static_cast<std::size_t>(f)]) fields.insert(f);
    }
  }
  return fields;
}

// One member at random; the set is not empty.
inline int pick_member(FieldSet set, Chance& chance) { return set.member(chance.pick(static_cast<std::uint32_t>(set.size()))); }

}  // namespace baton
