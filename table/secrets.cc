#include "table/secrets.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace baton::table {
namespace {

void need_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot be used on this machine");
}

std::string base64_of(const std::vector<unsigned char>& bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  text.pop_back();
  return text;
}

}  // namespace

std::string fresh_token(std::size_t bytes) {
  need_sodium();
  std::vector<unsigned char> random(bytes);
  randombytes_buf(random.data(), random.size());
  return base64_of(random);
}

bool is_token(std::string_view text) {
  constexpr std::size_t longest = 100;
  return !text.empty() && text.size() <= longest && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::string hash_token(std::string_view token) {
  need_sodium();
  std::vector<unsigned char> hash(crypto_generichash_BYTES);
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(token.data()), token.size(), nullptr, 0);
  return base64_of(hash);
}

std::string hash_password(const std::string& password) {
  need_sodium();
  std::array<char, crypto_pwhash_STRBYTES> text{};
  if (crypto_pwhash_str(text.data(), password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                        crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0)
    throw std::runtime_error("there is not enough memory to hash a password");
  return text.data();
}

bool fits_password(const std::string& hash, const std::string& password) {
  need_sodium();
  return hash.size() < crypto_pwhash_STRBYTES && crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
}

}  // namespace baton::table
