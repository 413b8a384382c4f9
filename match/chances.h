// Where dice come from: recorded while they fall, replayed from a record, written down in a case, or proven fair.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/chance.h"
#include "core/problem.h"

namespace baton {

// One draw as it was asked for and answered. `value` counts from 0, also for a die.
struct Drawn {
  Draw kind = Draw::die;
  std::uint32_t bound = 0;
  std::uint32_t value = 0;
  bool operator==(const Drawn&) const = default;
};

// "d6=5": a die of 6 sides fell on 5. "p57=12": of 57 things the one with index 12.
std::string text_of(const Drawn& drawn);
Expected<Drawn> read_drawn(std::string_view text);

// Passes draws on and writes them down.
class RecordingChance final : public Chance {
 public:
  RecordingChance(Chance& source, std::vector<Drawn>& into) : source_(source), into_(into) {}

 private:
  std::uint32_t draw(Draw kind, std::uint32_t bound) override;

  Chance& source_;
  std::vector<Drawn>& into_;
};

// Replays recorded draws. The first one that does not fit what the rules ask is kept as a problem; from there on it answers 0.
class RecordedChance final : public Chance {
 public:
  explicit RecordedChance(std::span<const Drawn> draws) : draws_(draws) {}

  // Nothing when every draw so far fitted.
  const std::optional<Problem>& problem_so_far() const { return problem_; }
  bool all_used() const { return next_ == draws_.size(); }
  // As problem_so_far(), and draws left over are one too. Ask when the step is done.
  std::optional<Problem> problem_at_end() const;

 private:
  std::uint32_t draw(Draw kind, std::uint32_t bound) override;

  std::span<const Drawn> draws_;
  std::size_t next_ = 0;
  std::optional<Problem> problem_;
};

// The dice of a case, as people write them: die faces from 1, picks from 0, each in its own order.
class ScriptedChance final : public Chance {
 public:
  ScriptedChance(std::vector<int> dice, std::vector<int> picks) : dice_(std::move(dice)), picks_(std::move(picks)) {}

  // The first draw that found nothing or something unfit.
  const std::optional<Problem>& problem_so_far() const { return problem_; }
  // That, else what was left over.
  std::optional<Problem> problem_at_end() const;

 private:
  std::uint32_t draw(Draw kind, std::uint32_t bound) override;

  std::vector<int> dice_, picks_;
  std::size_t next_die_ = 0, next_pick_ = 0;
  std::optional<Problem> problem_;
};

// Commit and reveal. The house fixes a secret and shows its commitment; then the players add a salt; then dice fall from
// both together; at the end the secret is shown and anyone can recompute every draw. docs/record.md says how.
class ProofSecret {
 public:
  static ProofSecret fresh();                               // from the system's randomness
  static Expected<ProofSecret> from_hex(std::string_view);  // 64 hexadecimal digits

  std::string commitment() const;  // hexadecimal; may be shown before the first draw
  std::string hex() const;         // to be shown only when the segment is closed
  std::span<const unsigned char, 32> bytes() const { return bytes_; }

 private:
  std::array<unsigned char, 32> bytes_{};
};

class ProofChance final : public Chance {
 public:
  ProofChance(const ProofSecret& secret, std::string_view salt);

  std::uint32_t next();  // the next 32 bits of the stream

 private:
  std::uint32_t draw(Draw kind, std::uint32_t bound) override;

  std::array<unsigned char, 32> key_{};
  std::array<unsigned char, 64> block_{};
  std::uint64_t next_block_ = 0;
  std::size_t used_ = 64;  // bytes of block_ already given out
};

// Hexadecimal BLAKE2b-256 of a text, for fingerprints of scenarios.
std::string hash_of(std::string_view text);

}  // namespace baton
