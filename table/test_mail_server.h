// A small mail server of the tests' own, and what they do with its mails.
#pragma once

#include <sodium.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <thread>

#include "table/test_listener.h"
#include "table/test_server.h"

namespace baton::table {

// Speaks as much SMTP as it takes to be given a mail.
class MailServer {
 public:
  MailServer() : thread_([this] { run(); }) {}
  ~MailServer() {
    ending_ = true;
    listener_.hang_up();
    thread_.join();
  }

  std::string url() const { return "smtp://127.0.0.1:" + std::to_string(listener_.port()); }

  // The next mail: who it is for, and its text, decoded.
  std::pair<std::string, std::string> next() {
    for (int i = 0; i < 500; ++i) {
      {
        const std::lock_guard guard(lock_);
        if (!mails_.empty()) {
          auto first = mails_.front();
          mails_.pop_front();
          return first;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return {"nobody", "no mail came"};
  }
  bool has_mail() {
    const std::lock_guard guard(lock_);
    return !mails_.empty();
  }

 private:
  static std::string decoded(const std::string& message) {
    const auto body = message.find("\r\n\r\n");
    std::string base64;
    for (const char c : message.substr(body + 4)) {
      if (c != '\r' && c != '\n') base64 += c;
    }
    std::string text(base64.size(), '\0');
    std::size_t size = 0;
    EXPECT_EQ(sodium_base642bin(reinterpret_cast<unsigned char*>(text.data()), text.size(), base64.data(), base64.size(), nullptr, &size,
                                nullptr, sodium_base64_VARIANT_ORIGINAL),
              0);
    text.resize(size);
    return message.substr(0, body) + "\n\n" + text;
  }

  void run() {
    while (!ending_) {
      const int line = listener_.next();
      if (line < 0) continue;  // nobody for a while
      converse(line);
      close(line);
    }
  }

  void converse(int line) {
    const auto say = [&](const std::string& text) { return write(line, (text + "\r\n").c_str(), text.size() + 2) > 0; };
    say("220 loopback");
    std::string waiting, to;
    bool in_text = false;
    std::array<char, 4096> bytes{};
    for (;;) {
      const std::string end = in_text ? "\r\n.\r\n" : "\r\n";
      const auto found = waiting.find(end);
      if (found == std::string::npos) {
        const ssize_t size = read(line, bytes.data(), bytes.size());
        if (size <= 0) return;
        waiting.append(bytes.data(), static_cast<std::size_t>(size));
        continue;
      }
      const std::string said = waiting.substr(0, found);
      waiting.erase(0, found + end.size());
      if (in_text) {
        const std::lock_guard guard(lock_);
        mails_.emplace_back(to, decoded(said));
        in_text = false;
        say("250 taken");
      } else if (said.starts_with("DATA")) {
        in_text = true;
        say("354 go on");
      } else if (said.starts_with("RCPT")) {
        to = said.substr(said.find('<') + 1, said.find('>') - said.find('<') - 1);
        say("250 ok");
      } else if (said.starts_with("QUIT")) {
        say("221 bye");
        return;
      } else {
        say("250 ok");
      }
    }
  }

  TestListener listener_;
  std::atomic<bool> ending_ = false;
  std::mutex lock_;
  std::deque<std::pair<std::string, std::string>> mails_;
  std::thread thread_;  // begins when all the rest is there
};

inline std::string token_in(const std::string& mail, const std::string& page) {
  const auto begin = mail.find("/#/" + page + "/");
  if (begin == std::string::npos) return "no link in " + mail;
  const auto from = begin + 4 + page.size();
  return mail.substr(from, mail.find_first_of("\r\n ", from) - from);
}

inline Settings with_mail(const MailServer& mail) {
  Settings settings = TestServer::quick_settings();
  settings.mail.url = mail.url();
  settings.mail.from = "tables@example.org";
  return settings;
}

}  // namespace baton::table
