// A set of up to 128 fields of a board as two machine words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

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
  constexpr int front() const { return words_[0] != 0 ? std::countr_zero(words_[0]) : 64 + std::countr_zero(words_[1]); }  // only when not empty
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

 private:
  constexpr FieldSet(std::uint64_t low, std::uint64_t high) : words_{low, high} {}
  static constexpr std::size_t word(int field) { return static_cast<std::size_t>(field >> 6 & 1); }

  std::array<std::uint64_t, 2> words_{};
};

// One member at random; the set is not empty.
inline int pick_member(FieldSet set, Chance& chance) { return set.member(chance.pick(static_cast<std::uint32_t>(set.size()))); }

}  // namespace baton
