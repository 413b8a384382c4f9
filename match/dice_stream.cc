#include "match/dice_stream.h"

#include "core/utf8.h"

namespace baton {
namespace {

// A record holds short texts in UTF-8 only, and the salt must come back from it byte for byte.
std::string kept_salt(const std::string& salt) { return is_utf8(salt) && salt.size() <= longest_salt ? salt : hash_of(salt); }

ChanceOpening opening_of(const ChanceStart& start) {
  if (const auto* seeded = std::get_if<Seeded>(&start)) return SeedOpening{seeded->seed};
  const auto& proven = std::get<Proven>(start);
  return ProofOpening{proven.secret.commitment(), kept_salt(proven.salt)};
}

std::variant<FastChance, ProofChance> source_of(const ChanceStart& start) {
  if (const auto* seeded = std::get_if<Seeded>(&start)) return FastChance(seeded->seed);
  const auto& proven = std::get<Proven>(start);
  return ProofChance(proven.secret, kept_salt(proven.salt));
}

}  // namespace

Seeded fresh_seed() {
  const ProofSecret random = ProofSecret::fresh();
  Seeded seeded;
  for (std::size_t i = 0; i < 8; ++i) seeded.seed = seeded.seed << 8 | random.bytes()[i];
  return seeded;
}

DiceStream::DiceStream(const ChanceStart& start) : opening_(opening_of(start)), source_(source_of(start)) {
  if (const auto* proven = std::get_if<Proven>(&start)) secret_ = proven->secret;
}

Chance& DiceStream::chance() {
  return std::visit([](auto& source) -> Chance& { return source; }, source_);
}

std::optional<Problem> DiceStream::gives(std::span<const Drawn> draws) {
  for (const Drawn& drawn : draws) {
    // Sides beyond this are no die; a pick of one thing takes nothing from the stream and is never recorded.
    if (drawn.kind == Draw::die ? drawn.bound > 1'000'000 : drawn.bound < 2)
      return Problem{"", "\"" + text_of(drawn) + "\" is not a draw that can happen."};
    Drawn again = drawn;
    again.value =
        drawn.kind == Draw::die ? static_cast<std::uint32_t>(chance().die(static_cast<int>(drawn.bound)) - 1) : chance().pick(drawn.bound);
    if (again != drawn) return Problem{"", "the record says \"" + text_of(drawn) + "\" but the dice give \"" + text_of(again) + "\"."};
  }
  return std::nullopt;
}

// A proof segment can be recomputed once its secret stands further down, before the next segment opens.
Expected<Verification> verify(const Record& record) {
  Verification done;
  std::optional<DiceStream> stream;
  const auto where = [](std::size_t i) { return "record line " + std::to_string(i + 2); };
  for (std::size_t i = 0; i < record.lines.size(); ++i) {
    if (const auto* line = std::get_if<ChanceLine>(&record.lines[i])) {
      stream.reset();
      if (const auto* seed = std::get_if<SeedOpening>(&line->opening)) {
        stream.emplace(Seeded{seed->seed});
        ++done.segments;
        continue;
      }
      const auto& proof = std::get<ProofOpening>(line->opening);
      std::size_t j = i + 1;
      while (j < record.lines.size() && !std::holds_alternative<RevealLine>(record.lines[j]) &&
             !std::holds_alternative<ChanceLine>(record.lines[j]))
        ++j;
      if (j == record.lines.size() || std::holds_alternative<ChanceLine>(record.lines[j])) {
        ++done.unrevealed;
        continue;
      }
      const auto secret = ProofSecret::from_hex(std::get<RevealLine>(record.lines[j]).secret);
      if (!secret) return problem(where(j), secret.error().what);
      if (secret->commitment() != proof.commitment)
        return problem(where(j), "the secret does not fit the commitment of line " + std::to_string(i + 2) + ".");
      stream.emplace(Proven{*secret, proof.salt});
      ++done.segments;
      continue;
    }
    const auto draws = draws_of(record.lines[i]);
    if (!stream || draws.empty()) continue;
    if (const auto wrong = stream->gives(draws)) return problem(where(i), wrong->what);
    done.draws += draws.size();
  }
  return done;
}

}  // namespace baton
