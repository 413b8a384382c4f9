// The proven dice. Every hash is BLAKE2b; the prefixes keep the uses of one secret apart.
#include <sodium.h>

#include <cstring>
#include <stdexcept>

#include "match/chances.h"

namespace baton {
namespace {

constexpr std::string_view commitment_prefix = "baton-commitment-1:";
constexpr std::string_view key_prefix = "baton-key-1:";
constexpr std::string_view stream_prefix = "baton-stream-1:";

void need_sodium() {
  static const bool ready = sodium_init() >= 0;
  if (!ready) throw std::runtime_error("libsodium could not start");
}

class Hash {
 public:
  explicit Hash(std::size_t size, std::span<const unsigned char> key = {}) : size_(size) {
    need_sodium();
    crypto_generichash_init(&state_, key.data(), key.size(), size);
  }
  Hash& add(std::string_view text) {
    crypto_generichash_update(&state_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    return *this;
  }
  Hash& add(std::span<const unsigned char> bytes) {
    crypto_generichash_update(&state_, bytes.data(), bytes.size());
    return *this;
  }
  void finish(std::span<unsigned char> into) { crypto_generichash_final(&state_, into.data(), size_); }

 private:
  crypto_generichash_state state_;
  std::size_t size_;
};

std::string hex_of(std::span<const unsigned char> bytes) {
  std::string text(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
  text.pop_back();
  return text;
}

}  // namespace

ProofSecret ProofSecret::fresh() {
  need_sodium();
  ProofSecret secret;
  randombytes_buf(secret.bytes_.data(), secret.bytes_.size());
  return secret;
}

Expected<ProofSecret> ProofSecret::from_hex(std::string_view hex) {
  need_sodium();
  ProofSecret secret;
  std::size_t size = 0;
  const char* end = nullptr;
  const bool fits = hex.size() == 64 &&
                    sodium_hex2bin(secret.bytes_.data(), secret.bytes_.size(), hex.data(), hex.size(), nullptr, &size, &end) == 0 &&
                    size == secret.bytes_.size() && end == hex.data() + hex.size();
  if (!fits) return problem("", "a secret is written as 64 hexadecimal digits.");
  return secret;
}

std::string ProofSecret::commitment() const {
  std::array<unsigned char, 32> hash{};
  Hash(hash.size()).add(commitment_prefix).add(bytes_).finish(hash);
  return hex_of(hash);
}

std::string ProofSecret::hex() const { return hex_of(bytes_); }

ProofChance::ProofChance(const ProofSecret& secret, std::string_view salt) {
  Hash(key_.size(), secret.bytes()).add(key_prefix).add(salt).finish(key_);
}

std::uint32_t ProofChance::next() {
  if (used_ == block_.size()) {
    std::array<unsigned char, 8> counter{};
    for (std::size_t i = 0; i < counter.size(); ++i) counter[i] = static_cast<unsigned char>(next_block_ >> (8 * i));
    ++next_block_;
    Hash(block_.size(), key_).add(stream_prefix).add(counter).finish(block_);
    used_ = 0;
  }
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t{block_[used_ + i]} << (8 * i);
  used_ += 4;
  return word;
}

std::uint32_t ProofChance::draw(Draw, std::uint32_t bound) {
  return unbiased_below(bound, [this] { return next(); });
}

std::string hash_of(std::string_view text) {
  std::array<unsigned char, 32> hash{};
  Hash(hash.size()).add(text).finish(hash);
  return hex_of(hash);
}

}  // namespace baton
