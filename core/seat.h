// Seats and sets of seats.
#pragma once

#include <bit>
#include <cstdint>

namespace baton {

// A place at the table, counted from 0 in the scenario's order. A viewer is a seat, or `spectator`.
enum class Seat : std::uint8_t {};

inline constexpr int max_seats = 8;
inline constexpr Seat spectator{15};

constexpr int index(Seat seat) { return static_cast<int>(seat); }

// A small set of viewers; iterates in seat order.
class Seats {
 public:
  constexpr Seats() = default;
  constexpr Seats(Seat seat) : bits_(static_cast<std::uint16_t>(1u << index(seat))) {}

  static constexpr Seats none() { return {}; }
  static constexpr Seats first(int count) { return Seats(static_cast<std::uint16_t>((1u << count) - 1)); }
  static constexpr Seats everyone() { return Seats(std::uint16_t{0xFFFF}); }
  static constexpr Seats everyone_but(Seats out) { return Seats(static_cast<std::uint16_t>(~out.bits_)); }

  constexpr bool has(Seat seat) const { return (bits_ >> index(seat) & 1u) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int size() const { return std::popcount(bits_); }
  constexpr Seat front() const { return Seat(std::countr_zero(bits_)); }  // only when not empty

  constexpr Seats operator|(Seats other) const { return Seats(static_cast<std::uint16_t>(bits_ | other.bits_)); }
  constexpr Seats operator&(Seats other) const { return Seats(static_cast<std::uint16_t>(bits_ & other.bits_)); }
  constexpr bool operator==(const Seats&) const = default;

  class Iterator {
   public:
    constexpr explicit Iterator(std::uint16_t rest) : rest_(rest) {}
    constexpr Seat operator*() const { return Seat(std::countr_zero(rest_)); }
    constexpr Iterator& operator++() {
      rest_ = static_cast<std::uint16_t>(rest_ & (rest_ - 1));
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    std::uint16_t rest_;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  constexpr explicit Seats(std::uint16_t bits) : bits_(bits) {}
  std::uint16_t bits_ = 0;
};

}  // namespace baton
