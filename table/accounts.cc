#include "table/accounts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "match/registry.h"
#include "table/secrets.h"

namespace baton::table {
namespace {

constexpr Time day = Time{24} * 3600 * 1000;
constexpr Time staying = 180 * day, passing = 7 * day;
constexpr Time confirm_time = 30 * day, reset_time = day / 12;
constexpr std::size_t most_remembered = 50'000;

std::string invented_name() { return "Guest " + std::to_string(1000 + fresh_seed().seed % 9000); }

}  // namespace

std::string plain_email(std::string_view email) {
  std::string text(email);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

Json json_of(const AccountRow& a) {
  Json json = {{"id", a.id}, {"name", a.name}, {"kind", a.is_guest() ? "guest" : "registered"}};
  if (!a.is_guest()) json["email"] = a.email;
  json["email_confirmed"] = a.email_confirmed;
  json["locale"] = a.locale;
  json["mail_notices"] = a.mail_notices;
  json["webhook"] = a.webhook.empty() ? Json(nullptr) : Json(a.webhook);
  return json;
}

Accounts::Accounts(Loop& loop, Writer& writer, Thinkers& clerk, Postman& postman, const Settings& settings)
    : loop_(loop), writer_(writer), clerk_(clerk), postman_(postman), settings_(settings) {}

// --- Sessions ------------------------------------------------------------------------------------------------------------------------

Accounts::Signed Accounts::begin_session(const AccountRow& account, bool stays, Database& database) const {
  Signed entered{account, fresh_token(24), stays};
  database.put_session({hash_token(entered.token), account.id, stays, loop_.now() + (stays ? staying : passing)});
  return entered;
}

void Accounts::remember(const Signed& entered) {
  if (sessions_.size() > most_remembered) sessions_.clear();
  if (accounts_.size() > most_remembered) accounts_.clear();
  accounts_[entered.account.id] = entered.account;
  if (!entered.token.empty())
    sessions_[hash_token(entered.token)] = {entered.account.id, loop_.now() + (entered.stays ? staying : passing), entered.stays};
}

void Accounts::forget_sessions_of(const std::string& account, const std::string& but_hash) {
  std::erase_if(sessions_, [&](const auto& entry) { return entry.second.account == account && entry.first != but_hash; });
}

void Accounts::identify(const std::string& token, Identified identified) {
  if (!is_token(token)) return identified(std::nullopt);
  const std::string hash = hash_token(token);
  const Time now = loop_.now();
  if (const auto known = sessions_.find(hash); known != sessions_.end()) {
    const Time length = known->second.stays ? staying : passing;
    if (known->second.expires_at < now) return identified(std::nullopt);
    if (known->second.expires_at - now < length / 4 * 3) {
      known->second.expires_at = now + length;
      writer_.submit([hash, until = now + length](Database& d) { d.extend_session(hash, until); });
    }
    if (const auto account = accounts_.find(known->second.account); account != accounts_.end()) return identified(account->second);
  }
  using Both = std::pair<std::optional<SessionRow>, std::optional<AccountRow>>;
  writer_.read<Both>(
      [hash](Database& d) -> Both {
        auto session = d.session(hash);
        if (!session) return {};
        auto account = d.account(session->account);
        return {std::move(session), std::move(account)};
      },
      [this, hash, now, identified = std::move(identified)](Outcome<Both> both) {
        if (!both) return identified(tl::make_unexpected(both.error()));
        if (!both->first || !both->second || both->first->expires_at < now) return identified(std::nullopt);
        remember({*both->second, {}, false});
        sessions_[hash] = {both->second->id, both->first->expires_at, both->first->stays};
        identified(both->second);
      });
}

void Accounts::find(const std::string& id, Found found) {
  if (const auto known = accounts_.find(id); known != accounts_.end()) return found(known->second);
  writer_.read<std::optional<AccountRow>>(
      [id](Database& d) { return d.account(id); },
      [found = std::move(found)](const Outcome<std::optional<AccountRow>>& row) { found(row.value_or(std::nullopt)); });
}

// A session that somebody was looking up meanwhile is remembered again before the end is committed, so it is forgotten then.
void Accounts::sign_out(const std::string& token, std::function<void()> done) {
  const std::string hash = hash_token(token);
  writer_.submit([hash](Database& d) { d.remove_session(hash); },
                 [this, hash, done = std::move(done)] {
                   sessions_.erase(hash);
                   done();
                 });
}

void Accounts::sign_out_everywhere(const std::string& account, std::function<void()> done) {
  writer_.submit([account](Database& d) { d.remove_sessions_of(account); },
                 [this, account, done = std::move(done)] {
                   forget_sessions_of(account);
                   done();
                 });
}

// --- Coming in -----------------------------------------------------------------------------------------------------------------------

void Accounts::guest(const std::string& name, const std::string& locale, SignedReply reply) {
  AccountRow account;
  account.id = fresh_token(12);
  account.name = name.empty() ? invented_name() : name;
  account.locale = locale.empty() ? "en" : locale;
  account.created_at = loop_.now();
  writer_.ask<Signed>(
      [this, account](Database& d) {
        d.put_account(account);
        return begin_session(account, true, d);
      },
      [this, reply = std::move(reply)](Signed entered) {
        remember(entered);
        reply(std::move(entered));
      });
}

void Accounts::enrol(const std::optional<AccountRow>& guest, const std::string& email, const std::string& password, const std::string& name,
                     const std::string& locale, bool stays, SignedReply reply) {
  auto hash = std::make_shared<std::string>();
  const auto work = [this, hash, id = guest ? guest->id : std::string{}, email, name, locale, stays,
                     now = loop_.now()](Database& d) -> Outcome<Signed> {
    if (d.account_of_email(plain_email(email)))
      return fault("email-taken", "an account with this address exists; sign in, or ask for a new password.");
    AccountRow account;
    if (id.empty()) {
      account.id = fresh_token(12);
      account.created_at = now;
    } else {
      // As the guest is now, not as it was before the password was hashed.
      auto row = d.account(id);
      if (!row) return fault("sign-in-first", "this guest is gone; register without it.");
      if (!row->is_guest()) return fault("registered-already", "you are signed in to an account; sign out first.");
      account = std::move(*row);
    }
    if (!name.empty()) account.name = name;
    if (account.name.empty()) account.name = email.substr(0, std::min<std::size_t>(email.find('@'), 40));
    if (!locale.empty()) account.locale = locale;
    account.email = plain_email(email);
    account.email_confirmed = false;
    account.password_hash = *hash;
    d.put_account(account);
    d.remove_sessions_of(account.id);
    return begin_session(account, stays, d);
  };
  clerk_.work(
      plain_email(email), [hash, password] { *hash = hash_password(password); },
      [this, work, reply = std::move(reply)] {
        writer_.ask<Outcome<Signed>>(work, [this, reply](Outcome<Signed> entered) {
          if (!entered) return reply(tl::make_unexpected(entered.error()));
          forget_sessions_of(entered->account.id);
          remember(*entered);
          mail_confirmation(entered->account);
          reply(std::move(entered));
        });
      });
}

void Accounts::sign_in(const std::string& email, const std::string& password, bool stays, SignedReply reply) {
  const auto begin = [this, stays, reply](const AccountRow& checked) {
    writer_.ask<std::optional<Signed>>(
        [this, checked, stays](Database& d) -> std::optional<Signed> {
          const auto account = d.account(checked.id);
          // A password that was changed while this one was looked at is not the right one any more.
          if (!account || account->password_hash != checked.password_hash) return std::nullopt;
          return begin_session(*account, stays, d);
        },
        [this, reply](std::optional<Signed> entered) {
          if (!entered) return reply(fault("wrong-password", "the address or the password is wrong."));
          remember(*entered);
          reply(std::move(*entered));
        });
  };
  writer_.read<std::optional<AccountRow>>(
      [address = plain_email(email)](Database& d) { return d.account_of_email(address); },
      [this, owner = plain_email(email), password, begin, reply](const Outcome<std::optional<AccountRow>>& found) {
        if (!found) return reply(tl::make_unexpected(found.error()));
        auto right = std::make_shared<bool>(false);
        clerk_.work(
            owner,
            [right, password, account = *found] {
              // An unknown address costs the same time, so that the answer does not tell which addresses are known.
              static const std::string nobody = hash_password("nobody's password");
              *right = fits_password(account ? account->password_hash : nobody, password) && account.has_value();
            },
            [right, account = *found, begin, reply] {
              if (!*right) return reply(fault("wrong-password", "the address or the password is wrong."));
              begin(*account);
            });
      });
}

// --- Links -----------------------------------------------------------------------------------------------------------------------------

std::string Accounts::base_url() const {
  if (!settings_.public_url.empty()) return settings_.public_url;
  return std::string(settings_.tls_certificate.empty() ? "http" : "https") + "://" + settings_.address + ":" +
         std::to_string(settings_.port);
}

void Accounts::mail_link(const AccountRow& account, const std::string& purpose, Time lasts, const std::string& page) {
  const std::string token = fresh_token(24);
  const Catalogue texts = house_catalogue("", account.locale);
  const std::string address = base_url() + "/#/" + page + "/" + token;
  const Arguments arguments = {{"name", account.name}, {"link", address}};
  Mail mail{account.email, texts.say("mail." + purpose + "-subject", arguments), texts.say("mail." + purpose, arguments), account.name,
            address};
  writer_.submit(
      [link = LinkRow{hash_token(token), account.id, purpose, account.email, loop_.now() + lasts}](Database& d) {
        d.remove_links_of(link.account, link.purpose);
        d.put_link(link);
      },
      [this, mail = std::move(mail)] { postman_.send(mail); });
}

void Accounts::mail_confirmation(const AccountRow& account) { mail_link(account, "confirm", confirm_time, "confirm"); }

void Accounts::mail_turn(const AccountRow& account, const Json& notice) {
  const Catalogue texts = house_catalogue(notice.value("game", ""), account.locale);
  const std::string address = base_url() + "/#/table/" + notice.value("table", "");
  const Arguments arguments = {
      {"name", account.name}, {"table", notice.value("title", "")}, {"game", texts.say("game.name")}, {"link", address}};
  postman_.send({account.email, texts.say("mail.turn-subject", arguments), texts.say("mail.turn", arguments), account.name, address});
}

void Accounts::confirm(const std::string& token, SignedReply reply) {
  const auto bad = fault("bad-link", "this link is unknown, used or older than 30 days; sign in and ask for a new one.");
  if (!is_token(token)) return reply(bad);
  writer_.ask<std::optional<AccountRow>>(
      [hash = hash_token(token), now = loop_.now()](Database& d) -> std::optional<AccountRow> {
        const auto link = d.take_link(hash);
        auto account = link ? d.account(link->account) : std::nullopt;
        if (!account || link->purpose != "confirm" || link->expires_at < now || link->email != account->email) return std::nullopt;
        account->email_confirmed = true;
        d.put_account(*account);
        return account;
      },
      [this, bad, reply = std::move(reply)](std::optional<AccountRow> account) {
        if (!account) return reply(bad);
        remember({*account, {}, false});
        reply(Signed{*account, {}, false});
      });
}

void Accounts::forgot(const std::string& email, std::function<void(Outcome<void>)> done) {
  writer_.read<std::optional<AccountRow>>([address = plain_email(email)](Database& d) { return d.account_of_email(address); },
                                          [this, done = std::move(done)](const Outcome<std::optional<AccountRow>>& account) {
                                            if (!account) return done(tl::make_unexpected(account.error()));
                                            if (*account) mail_link(**account, "reset", reset_time, "reset");
                                            done({});
                                          });
}

void Accounts::reset(const std::string& token, const std::string& password, SignedReply reply) {
  const auto bad = fault("bad-link", "this link is unknown, used or older than two hours; ask for a new one.");
  if (!is_token(token)) return reply(bad);
  auto hash = std::make_shared<std::string>();
  clerk_.work(
      "reset", [hash, password] { *hash = hash_password(password); },
      [this, hash, token, bad, reply = std::move(reply)] {
        writer_.ask<std::optional<Signed>>(
            [this, hash, link_hash = hash_token(token), now = loop_.now()](Database& d) -> std::optional<Signed> {
              const auto link = d.take_link(link_hash);
              auto account = link ? d.account(link->account) : std::nullopt;
              if (!account || link->purpose != "reset" || link->expires_at < now || link->email != account->email) return std::nullopt;
              account->password_hash = *hash;
              account->email_confirmed = true;  // the link came by mail
              d.put_account(*account);
              d.remove_sessions_of(account->id);
              return begin_session(*account, false, d);
            },
            [this, bad, reply](std::optional<Signed> entered) {
              if (!entered) return reply(bad);
              forget_sessions_of(entered->account.id);
              remember(*entered);
              reply(std::move(*entered));
            });
      });
}

// --- Changing ------------------------------------------------------------------------------------------------------------------------

// What is not meant to change keeps what others have made of it meanwhile: the row is read and written in one piece of work.
void Accounts::change(const std::string& account, Edit edit, Changed done) {
  writer_.ask<Outcome<AccountRow>>(
      [account, edit = std::move(edit)](Database& d) -> Outcome<AccountRow> {
        auto row = d.account(account);
        if (!row) return fault("sign-in-first", "this account is gone.");
        if (auto wrong = edit(*row)) return tl::make_unexpected(*wrong);
        d.put_account(*row);
        return *row;
      },
      [this, done = std::move(done)](const Outcome<AccountRow>& changed) {
        if (changed) accounts_[changed->id] = *changed;
        done(changed);
      });
}

void Accounts::change_password(const AccountRow& account, const std::string& old_password, const std::string& password,
                               const std::string& kept_token, Edit edit, Changed done) {
  auto hash = std::make_shared<std::string>();
  clerk_.work(
      account.id,
      [hash, checked = account.password_hash, old_password, password] {
        if (fits_password(checked, old_password)) *hash = hash_password(password);
      },
      [this, hash, id = account.id, checked = account.password_hash, kept = hash_token(kept_token), edit = std::move(edit),
       done = std::move(done)] {
        if (hash->empty()) return done(fault("wrong-password", "the old password is wrong."));
        writer_.ask<Outcome<AccountRow>>(
            [hash, id, checked, kept, edit](Database& d) -> Outcome<AccountRow> {
              auto row = d.account(id);
              // Another password meanwhile, by mail perhaps: the one that was looked at opens nothing any more.
              if (!row || row->password_hash != checked)
                return fault("wrong-password", "the password was changed meanwhile; sign in with the new one.");
              if (auto wrong = edit(*row)) return tl::make_unexpected(*wrong);
              row->password_hash = *hash;
              d.put_account(*row);
              d.remove_sessions_of(id, kept);
              d.remove_links_of(id, "reset");
              return *row;
            },
            [this, id, kept, done](const Outcome<AccountRow>& changed) {
              if (changed) {
                forget_sessions_of(id, kept);
                accounts_[id] = *changed;
              }
              done(changed);
            });
      });
}

void Accounts::check_password(const AccountRow& account, const std::string& password, std::function<void(bool)> done) {
  if (account.is_guest()) return done(true);
  auto right = std::make_shared<bool>(false);
  clerk_.work(
      account.id, [right, account, password] { *right = fits_password(account.password_hash, password); },
      [right, done = std::move(done)] { done(*right); });
}

void Accounts::remove(const std::string& account, std::function<void()> done) {
  writer_.submit([account](Database& d) { d.remove_account(account); },
                 [this, account, done = std::move(done)] {
                   accounts_.erase(account);
                   forget_sessions_of(account);
                   done();
                 });
}

}  // namespace baton::table
