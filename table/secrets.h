// Random names, tokens and passwords.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace baton::table {

// `bytes` of the system's randomness, in letters and digits that stand in a link.
std::string fresh_token(std::size_t bytes);

// Whether it could be one: nothing else needs to be looked for.
bool is_token(std::string_view text);

// What is kept of a token: enough to know it again, not enough to use it.
std::string hash_token(std::string_view token);

// argon2id with its own salt, as one text. Takes some tens of milliseconds and 64 MiB; not on the loop's thread.
std::string hash_password(const std::string& password);
bool fits_password(const std::string& hash, const std::string& password);

}  // namespace baton::table
