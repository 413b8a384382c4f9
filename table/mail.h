// Sends mail by SMTP, and webhooks, on a thread of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "table/loop.h"
#include "table/settings.h"

namespace baton::table {

struct Mail {
  std::string to, subject, body;
};

// The whole message as it goes over the line, headers included. `date` is as RFC 5322 wants it.
std::string message_text(const Mail& mail, const std::string& from, const std::string& date, const std::string& id);

// Whether an address looks like one that mail can be sent to, and holds nothing that could break out of a header.
bool is_email(std::string_view address);

// Whether a webhook's address is one that strangers may make this server call: https, and not this machine or its neighbours by name.
// `local`: those too, where the operator trusts everybody.
bool is_webhook(std::string_view url, bool local = false);

class Postman {
 public:
  // `sent(true)` on the loop's thread for every mail that a server took.
  Postman(const Settings& settings, Loop& loop, std::function<void(bool)> sent);
  ~Postman();

  bool has_server() const { return !mailbox_.url.empty(); }
  void send(Mail mail);
  void call(std::string url, std::string json);

 private:
  struct Errand {
    Mail mail;
    std::string url, json;  // of a webhook
  };
  void run();
  bool deliver(const Mail& mail);
  bool post(const Errand& errand);

  Mailbox mailbox_;
  bool local_webhooks_;
  std::string webhook_authorities_;
  Loop& loop_;
  std::function<void(bool)> sent_;
  std::mutex lock_;
  std::condition_variable something_;
  std::deque<Errand> errands_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace baton::table
