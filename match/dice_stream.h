// The running dice of a match: one segment of its record.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "match/chances.h"
#include "match/record.h"

namespace baton {

inline constexpr std::size_t longest_salt = 200;

// What a match rolls with.
struct Seeded {
  std::uint64_t seed = 0;
};
struct Proven {
  ProofSecret secret;
  std::string salt;  // longer than longest_salt or not UTF-8: its hash stands for it
};
using ChanceStart = std::variant<Seeded, Proven>;

// A seed from the system's randomness.
Seeded fresh_seed();

class DiceStream {
 public:
  explicit DiceStream(const ChanceStart& start);

  Chance& chance();
  const ChanceOpening& opening() const { return opening_; }
  const std::optional<ProofSecret>& secret() const { return secret_; }  // of a proof

  // Whether the stream gives exactly these draws next; they are used up.
  std::optional<Problem> gives(std::span<const Drawn> draws);

 private:
  ChanceOpening opening_;
  std::optional<ProofSecret> secret_;
  std::variant<FastChance, ProofChance> source_;
};

}  // namespace baton
