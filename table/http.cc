#include "table/http.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "match/json_reader.h"
#include "table/json_fields.h"

namespace baton::table {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

HttpAnswer json_answer(const Json& json, int status) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = std::make_shared<const std::string>(one_line(json));
  return answer;
}

HttpAnswer fault_answer(const Fault& fault) {
  HttpAnswer answer = json_answer({{"error", json_of(fault)}}, http_status(fault));
  if (fault.retry_after > 0) answer.headers.emplace_back("Retry-After", fmt::format("{}", static_cast<long>(std::ceil(fault.retry_after))));
  return answer;
}

std::string session_cookie(const std::string& token, bool stays, bool secure) {
  constexpr long seconds = 180L * 24 * 3600;
  std::string cookie = std::string(session_cookie_name) + "=" + token + "; Path=/; HttpOnly; SameSite=Lax";
  if (secure) cookie += "; Secure";
  if (token.empty()) {
    cookie += "; Max-Age=0";
  } else if (stays) {
    cookie += fmt::format("; Max-Age={}", seconds);
  }
  return cookie;
}

std::string cookie_value(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const auto end = cookies.find(';');
    std::string_view one = cookies.substr(0, end);
    cookies.remove_prefix(end == std::string_view::npos ? cookies.size() : end + 1);
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=') return std::string(one.substr(name.size() + 1));
  }
  return {};
}

std::optional<std::string> url_decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = high < 0 ? -1 : hex_value(text[i + 2]);
      if (low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  if (!characters_of(out)) return std::nullopt;
  return out;
}

std::string origin_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string origin(url.substr(0, url.find_first_of("/?#", scheme + 3)));
  std::transform(origin.begin(), origin.end(), origin.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const std::string_view standard_port = origin.starts_with("https:") ? ":443" : ":80";
  if (origin.ends_with(standard_port)) origin.resize(origin.size() - standard_port.size());
  return origin;
}

bool split_target(std::string_view target, HttpRequest& request) {
  if (target.empty() || target.front() != '/') return false;
  const auto question = target.find('?');
  const auto path = url_decoded(target.substr(0, question), false);
  if (!path) return false;
  request.path = *path;
  std::string_view rest = question == std::string_view::npos ? std::string_view{} : target.substr(question + 1);
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const auto equals = pair.find('=');
    const auto key = url_decoded(pair.substr(0, equals), true);
    const auto value = url_decoded(equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1), true);
    if (!key || !value) return false;
    request.query.emplace(*key, *value);
  }
  return true;
}

}  // namespace baton::table
