// Chance is handed in: rules ask for dice and picks and never know where they come from.
#pragma once

#include <cstdint>

namespace baton {

enum class Draw : std::uint8_t { die, pick };

class Chance {
 public:
  virtual ~Chance() = default;

  // A fair die, 1…sides.
  int die(int sides = 6) { return 1 + static_cast<int>(draw(Draw::die, static_cast<std::uint32_t>(sides))); }

  // One of `count` things, 0…count-1. A single thing needs no draw.
  std::uint32_t pick(std::uint32_t count) { return count <= 1 ? 0 : draw(Draw::pick, count); }

 private:
  virtual std::uint32_t draw(Draw kind, std::uint32_t bound) = 0;
};

// Maps 32 random bits at a time to 0…bound-1 without bias (multiply and reject), the same on every platform.
template <class NextBits>
std::uint32_t unbiased_below(std::uint32_t bound, NextBits&& next) {
  std::uint64_t product = std::uint64_t{next()} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t rejected = (0u - bound) % bound;
    while (static_cast<std::uint32_t>(product) < rejected) product = std::uint64_t{next()} * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

// The fast generator of play-outs and seeded matches: PCG XSH-RR 64/32.
class FastChance final : public Chance {
 public:
  // Two numbers name a stream, so that game k of a run does not depend on which thread plays it.
  explicit FastChance(std::uint64_t seed, std::uint64_t stream = 0) : step_(stream << 1 | 1) {
    next();
    state_ += seed;
    next();
  }

  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005u + step_;
    const auto mixed = static_cast<std::uint32_t>((old >> 18 ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return mixed >> turn | mixed << (-turn & 31u);
  }

 private:
  std::uint32_t draw(Draw, std::uint32_t bound) override {
    return unbiased_below(bound, [this] { return next(); });
  }

  std::uint64_t state_ = 0;
  std::uint64_t step_;
};

}  // namespace baton
