// Requests about accounts: coming in, going out, changing what is one's own.
#include <nlohmann/json.hpp>

#include "table/api.h"
#include "table/json_fields.h"

namespace baton::table {
namespace {

constexpr std::size_t longest_name = 40, shortest_password = 8, longest_password = 200;

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

// A name that people see: no blanks around it, one line.
std::optional<std::string> read_name(Fields& fields) {
  const auto given = fields.text_if_any("name", longest_name);
  if (!given) return std::nullopt;
  const std::string name = trimmed(*given);
  if (name.empty() || name.find_first_of("\n\t") != std::string::npos) fields.wrong("name", "needs 1 to 40 characters on one line.");
  return name;
}

std::string read_locale(Fields& fields) { return fields.word_of("locale", {"en", "de", "ja"}, ""); }

std::string read_email(Fields& fields) {
  const std::string email = trimmed(fields.text("email", 254));
  if (!is_email(email)) fields.wrong("email", "is not an address that mail can be sent to.");
  return email;
}

std::string read_password(Fields& fields, const char* key = "password") {
  const std::string password = fields.text(key, longest_password);
  if (characters_of(password).value_or(0) < shortest_password) fields.wrong(key, "needs 8 to 200 characters.");
  return password;
}

}  // namespace

// Whatever costs the hashing of a password, or could find one out by trying.
bool Api::limited(const CallPointer& call, const std::string& email) {
  if (!hall_.settings().limit_rates) return false;
  const Time now = hall_.loop().now();
  double wait = entrance_rate_.take(call->request.address, now);
  if (wait == 0 && !email.empty()) wait = email_rate_.take(plain_email(email), now);
  if (wait == 0) return false;
  ++hall_.figures().rate_limited;
  fail(call, {"too-many", "too many attempts; wait a moment.", {}, wait});
  return true;
}

bool Api::serve_accounts(const CallPointer& call) {
  const bool posts = call->request.method == "POST";
  const std::string& what = call->path[0];
  const std::string second = call->path.size() > 1 ? call->path[1] : "";
  if (call->path.size() > 2) return false;
  Accounts& accounts = hall_.accounts();
  if (!posts) {
    if (what != "me" || !second.empty()) return false;
    call->respond(json_answer({{"account", call->account ? json_of(*call->account) : Json(nullptr)}}));
    return true;
  }
  Fields fields(call->json);
  const auto enters = [this, call](const Outcome<Accounts::Signed>& entered) { enter(call, entered); };
  if (what == "guest" && second.empty()) {
    const auto name = read_name(fields);
    const std::string locale = read_locale(fields);
    if (!check(call, fields)) return true;
    if (call->account) {
      enter(call, Accounts::Signed{*call->account, {}, false});
    } else {
      accounts.guest(name.value_or(""), locale, enters);
    }
    return true;
  }
  if (what == "register" && second.empty()) {
    const std::string email = read_email(fields), password = read_password(fields);
    const auto name = read_name(fields);
    const std::string locale = read_locale(fields);
    const bool stays = fields.flag("stay", false);
    if (!check(call, fields) || limited(call, email)) return true;
    if (call->account && !call->account->is_guest()) {
      fail(call, {"registered-already", "you are signed in to an account; sign out first."});
    } else {
      accounts.enrol(call->account, email, password, name.value_or(""), locale, stays,
                     [this, call, enters](const Outcome<Accounts::Signed>& entered) {
                       if (entered) {
                         hall_.signed_out_but(entered->account.id, call->request.session);
                         hall_.hang_up(entered->account.id, call->request.session);
                       }
                       enters(entered);
                     });
    }
    return true;
  }
  if (what == "sign-in" && second.empty()) {
    const std::string email = fields.text("email", 254), password = fields.text("password", longest_password);
    const bool stays = fields.flag("stay", false);
    if (check(call, fields) && !limited(call, email)) accounts.sign_in(trimmed(email), password, stays, enters);
    return true;
  }
  if (what == "confirm" && second.empty()) {
    const std::string token = fields.text("token", 100);
    if (check(call, fields) && !limited(call, "")) accounts.confirm(token, enters);
    return true;
  }
  if (what == "forgot" && second.empty()) {
    const std::string email = read_email(fields);
    if (check(call, fields) && !limited(call, email))
      accounts.forgot(email,
                      [call](const Outcome<void>& done) { done ? call->respond(json_answer(Json::object())) : fail(call, done.error()); });
    return true;
  }
  if (what == "reset" && second.empty()) {
    const std::string token = fields.text("token", 100), password = read_password(fields);
    if (check(call, fields) && !limited(call, "")) {
      accounts.reset(token, password, [this, enters](const Outcome<Accounts::Signed>& entered) {
        if (entered) hall_.signed_out(entered->account.id, "");
        enters(entered);
      });
    }
    return true;
  }
  const bool known = ((what == "sign-out" || what == "sign-out-everywhere") && second.empty()) ||
                     (what == "confirm" && second == "again") || (what == "account" && (second.empty() || second == "delete"));
  if (!known) return false;
  if (!call->account) {
    fail(call, {"sign-in-first", "there is no session; sign in or come as a guest."});
    return true;
  }
  const AccountRow account = *call->account;
  const auto ends = [this, call, account](const std::string& session) {
    hall_.signed_out(account.id, session);
    HttpAnswer answer = json_answer(Json::object());
    answer.headers.emplace_back("Set-Cookie", session_cookie("", false, false));
    call->respond(std::move(answer));
  };
  if (what == "sign-out") {
    if (check(call, fields)) accounts.sign_out(call->request.session, [ends, session = call->request.session] { ends(session); });
  } else if (what == "sign-out-everywhere") {
    if (check(call, fields)) accounts.sign_out_everywhere(account.id, [ends] { ends(""); });
  } else if (what == "confirm") {
    if (!check(call, fields) || limited(call, account.email)) return true;
    if (!account.is_guest() && !account.email_confirmed) accounts.mail_confirmation(account);
    call->respond(json_answer(Json::object()));
  } else if (second == "delete") {
    const std::string password = fields.text_if_any("password", longest_password).value_or("");
    if (!check(call, fields) || limited(call, account.email)) return true;
    accounts.check_password(account, password, [this, call, account, ends](bool right) {
      if (!right) return fail(call, {"wrong-password", "the password is wrong."});
      hall_.left_for_good(account.id, [this, call, account, ends](const Outcome<void>& left) {
        if (!left) return fail(call, left.error());
        hall_.accounts().remove(account.id, [this, account, ends] {
          hall_.renamed(account.id, nobodys_name);
          ends("");
        });
      });
    });
  } else {
    change_account(call);
  }
  return true;
}

void Api::change_account(const CallPointer& call) {
  Fields fields(call->json);
  const AccountRow& account = *call->account;
  const auto name = read_name(fields);
  const std::string locale = read_locale(fields);
  const std::optional<bool> mail_notices = fields.has("mail_notices") ? std::optional(fields.flag("mail_notices", false)) : std::nullopt;
  std::optional<std::string> webhook;
  if (fields.has("webhook")) {
    webhook = fields.text_if_any("webhook", 500).value_or("");
    if (!webhook->empty() && !is_webhook(*webhook, hall_.settings().local_webhooks))
      fields.wrong("webhook", "must be an https address on the net.");
  }
  const bool new_password = fields.has("password");
  const std::string password = new_password ? read_password(fields) : "";
  const std::string old_password = fields.text_if_any("old_password", longest_password).value_or("");
  if (!check(call, fields)) return;
  const auto edit = [name, locale, mail_notices, webhook](AccountRow& row) -> std::optional<Fault> {
    if (name) row.name = *name;
    if (!locale.empty()) row.locale = locale;
    if (mail_notices) row.mail_notices = *mail_notices;
    if (webhook) row.webhook = *webhook;
    return std::nullopt;
  };
  const auto done = [this, call, renamed = name.has_value(), new_password](const Outcome<AccountRow>& changed) {
    if (!changed) return fail(call, changed.error());
    if (renamed) hall_.renamed(changed->id, changed->name);
    if (new_password) hall_.signed_out_but(changed->id, call->request.session);
    call->respond(json_answer({{"account", json_of(*changed)}}));
  };
  if (!new_password) return hall_.accounts().change(account.id, edit, done);
  if (account.is_guest()) return fail(call, {"not-allowed", "a guest has no password; register first."});
  if (limited(call, account.email)) return;
  hall_.accounts().change_password(account, old_password, password, call->request.session, edit, done);
}

}  // namespace baton::table
