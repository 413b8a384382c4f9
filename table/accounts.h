// Who people are: guests, registered accounts, their sessions and the links that are mailed to them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "table/mail.h"
#include "table/settings.h"
#include "table/table.h"

namespace baton::table {

class Accounts {
 public:
  // A session that begins or goes on. `token` is empty when the browser has it already.
  struct Signed {
    AccountRow account;
    std::string token;
    bool stays = false;
  };
  using SignedReply = std::function<void(Outcome<Signed>)>;
  using Found = std::function<void(std::optional<AccountRow>)>;
  using Identified = std::function<void(Outcome<std::optional<AccountRow>>)>;  // a fault: it cannot be told at present
  using Changed = std::function<void(Outcome<AccountRow>)>;
  // Changes a row as it stands in the database, or says why not.
  using Edit = std::function<std::optional<Fault>(AccountRow&)>;

  Accounts(Loop& loop, Writer& writer, Thinkers& clerk, Postman& postman, const Settings& settings);

  void identify(const std::string& token, Identified identified);
  void find(const std::string& id, Found found);

  void guest(const std::string& name, const std::string& locale, SignedReply reply);
  // A guest becomes the account and keeps everything but the session: whoever knew that of the guest shall not know this one.
  void enrol(const std::optional<AccountRow>& guest, const std::string& email, const std::string& password, const std::string& name,
             const std::string& locale, bool stays, SignedReply reply);
  void confirm(const std::string& token, SignedReply reply);
  void mail_confirmation(const AccountRow& account);
  void sign_in(const std::string& email, const std::string& password, bool stays, SignedReply reply);
  void sign_out(const std::string& token, std::function<void()> done);
  void sign_out_everywhere(const std::string& account, std::function<void()> done);
  void forgot(const std::string& email, std::function<void(Outcome<void>)> done);
  void reset(const std::string& token, const std::string& password, SignedReply reply);
  void change(const std::string& account, Edit edit, Changed done);
  // Ends all sessions but the one with this token. `edit`: what else changes.
  void change_password(const AccountRow& account, const std::string& old_password, const std::string& password,
                       const std::string& kept_token, Edit edit, Changed done);
  void check_password(const AccountRow& account, const std::string& password, std::function<void(bool)> done);  // a guest has none
  void remove(const std::string& account, std::function<void()> done);

  // Mails that it is somebody's turn.
  void mail_turn(const AccountRow& account, const Json& notice);

 private:
  struct Known {
    std::string account;
    Time expires_at = 0;
    bool stays = false;
  };
  Signed begin_session(const AccountRow& account, bool stays, Database& database) const;
  void remember(const Signed& entered);
  void forget_sessions_of(const std::string& account, const std::string& but_hash = {});
  void mail_link(const AccountRow& account, const std::string& purpose, Time lasts, const std::string& page);
  std::string base_url() const;

  Loop& loop_;
  Writer& writer_;
  Thinkers& clerk_;
  Postman& postman_;
  const Settings& settings_;
  std::unordered_map<std::string, Known> sessions_;       // by the token's hash
  std::unordered_map<std::string, AccountRow> accounts_;  // by id; those seen since the start
};

Json json_of(const AccountRow& account);

// Lower case, so that the same address is not registered twice.
std::string plain_email(std::string_view email);

}  // namespace baton::table
