// A request and its answer, without the network.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "table/fault.h"

namespace baton::table {

struct HttpRequest {
  std::string method, path;  // the path without its query, decoded
  std::map<std::string, std::string, std::less<>> query;
  std::string body;
  std::string address;  // of the client
  std::string session;  // the cookie's token; may be empty
  std::string origin, host, content_type, accept_encoding, if_none_match;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::shared_ptr<const std::string> body = std::make_shared<const std::string>();
  std::vector<std::pair<std::string, std::string>> headers;
};

using Respond = std::function<void(HttpAnswer)>;

HttpAnswer json_answer(const Json& json, int status = 200);
HttpAnswer fault_answer(const Fault& fault);

// "Set-Cookie" for a session, or for its end when the token is empty.
std::string session_cookie(const std::string& token, bool stays, bool secure);
inline constexpr const char* session_cookie_name = "baton_session";

// "a=b; c=d" → what stands for the name.
std::string cookie_value(std::string_view cookies, std::string_view name);
// "%2F" and "+" undone; nothing when it is no text of this sort.
std::optional<std::string> url_decoded(std::string_view text, bool plus_is_blank);
// "https://Example.org:443/x" → "https://example.org": as a browser names the origin of a page.
std::string origin_of(std::string_view url);
// Splits "/path?query" into the request's parts. False: it is malformed.
bool split_target(std::string_view target, HttpRequest& request);

}  // namespace baton::table
