// How the server runs: what `baton serve` reads from its command line.
#pragma once

#include <string>
#include <vector>

#include "table/loop.h"

namespace baton::table {

struct Mailbox {
  std::string url;  // "smtp://host:25", "smtps://host"; empty: links appear in the log instead
  std::string user, password;
  std::string from = "baton@localhost";
};

// A wait of random length, both ends included.
struct Wait {
  Milliseconds least{0}, most{0};
};

struct Settings {
  std::string address = "127.0.0.1";
  unsigned short port = 8080;
  std::string folder = "baton-data";  // of the SQLite file
  std::string database;               // empty: SQLite in `folder`
  std::string web;                    // the browser client's files; empty: none
  std::string tls_certificate, tls_key;
  std::string public_url;            // how people reach it, for links in mails and their pages' origin; empty: http://address:port
  std::vector<std::string> origins;  // pages elsewhere that may use this server
  bool behind_proxy = false;         // addresses come from X-Forwarded-For
  bool public_metrics = false;
  Mailbox mail;
  bool local_webhooks = false;      // webhooks may lead to this machine and its neighbours, and without TLS
  std::string webhook_authorities;  // a PEM file of those whose certificates webhooks may show; empty: the system's
  int thinking_threads = 1;

  // A choice with one legal action is taken after such a wait, so that a quick pass tells nothing.
  Wait forced_wait{Milliseconds{700}, Milliseconds{1900}};
  // Computer players take at least so long, so that people can follow.
  Wait bot_wait{Milliseconds{350}, Milliseconds{900}};
  std::int64_t least_turn_seconds = 5;
  Milliseconds away_time{600'000};        // then a seat without clock may be given to a steward by the others
  Milliseconds request_time{30'000};      // for the whole of a request, however slowly it drips in
  Milliseconds socket_idle_time{60'000};  // without a sign of life
  bool limit_rates = true;
};

}  // namespace baton::table
