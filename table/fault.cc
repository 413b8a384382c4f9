#include "table/fault.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace baton::table {
namespace {

struct Status {
  std::string_view code;
  int status;
};

constexpr std::array<Status, 28> statuses = {{
    {"sign-in-first", 401},      {"wrong-password", 401},  {"bad-link", 401},        {"wrong-origin", 403}, {"not-host", 403},
    {"not-yours", 403},          {"not-invited", 403},     {"not-allowed", 403},     {"not-found", 404},    {"no-such-table", 404},
    {"seat-taken", 409},         {"already-started", 409}, {"not-started", 409},     {"not-over", 409},     {"email-taken", 409},
    {"registered-already", 409}, {"not-your-turn", 409},   {"nothing-to-undo", 409}, {"illegal", 409},      {"too-large", 413},
    {"too-many", 429},           {"closing", 503},         {"wrong-method", 405},    {"wrong-type", 415},   {"no-odds", 409},
    {"unavailable", 503},        {"bad-request", 400},     {"other-side", 403},
}};

}  // namespace

Json json_of(const Fault& fault) {
  Json json = {{"code", fault.code}, {"message", fault.message}};
  if (!fault.why.empty()) json["why"] = fault.why;
  if (fault.retry_after > 0) json["retry_after"] = fault.retry_after;
  return json;
}

int http_status(const Fault& fault) {
  for (const Status& known : statuses) {
    if (known.code == fault.code) return known.status;
  }
  return 400;
}

}  // namespace baton::table
