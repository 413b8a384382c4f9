#include "table/mail.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <memory>

#include "table/json_fields.h"
#include "table/log.h"
#include "table/secrets.h"

namespace baton::table {
namespace {

constexpr std::size_t most_errands = 10'000;
constexpr int attempts = 3;

std::string base64(std::string_view bytes) {
  static constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : letters[word >> (18 - 6 * k) & 63];
  }
  return out;
}

// RFC 2047: words of a header that are not ASCII.
std::string header_text(std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (plain) return std::string(text);
  std::string out;
  while (!text.empty()) {
    std::size_t size = std::min<std::size_t>(45, text.size());
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    out += (out.empty() ? "=?UTF-8?B?" : "\r\n =?UTF-8?B?") + base64(text.substr(0, size)) + "?=";
    text.remove_prefix(size);
  }
  return out;
}

struct Upload {
  std::string_view rest;
};

std::size_t give(char* into, std::size_t size, std::size_t count, void* from) {
  auto& upload = *static_cast<Upload*>(from);
  const std::size_t taken = std::min(size * count, upload.rest.size());
  std::memcpy(into, upload.rest.data(), taken);
  upload.rest.remove_prefix(taken);
  return taken;
}

std::size_t swallow(char*, std::size_t size, std::size_t count, void*) { return size * count; }

bool is_public(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    const std::uint32_t ip = ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr);
    const auto within = [ip](std::uint32_t net, int bits) { return ip >> (32 - bits) == net >> (32 - bits); };
    return !(within(0x00000000, 8) || within(0x0A000000, 8) || within(0x64400000, 10) || within(0x7F000000, 8) || within(0xA9FE0000, 16) ||
             within(0xAC100000, 12) || within(0xC0000000, 24) || within(0xC0A80000, 16) || within(0xC6120000, 15) || within(0xE0000000, 3));
  }
  if (address->sa_family == AF_INET6) {
    const auto& bytes = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr.s6_addr;
    return (bytes[0] & 0xE0) == 0x20;  // global unicast
  }
  return false;
}

// A name may lead to this machine or its neighbours, so the address itself is looked at when the line is opened.
curl_socket_t open_public(void*, curlsocktype, curl_sockaddr* address) {
  if (!is_public(&address->addr)) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype, address->protocol);
}

using Curl = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using List = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

}  // namespace

bool is_email(std::string_view address) {
  const auto at = address.find('@');
  if (at == 0 || at == std::string_view::npos || address.size() > 254 || address.find('@', at + 1) != std::string_view::npos) return false;
  const std::string_view domain = address.substr(at + 1);
  if (domain.empty() || domain.front() == '.' || domain.back() == '.' || domain.find("..") != std::string_view::npos) return false;
  return std::all_of(address.begin(), address.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && std::strchr("@.!#$%&'*+/=?^_`{|}~-", c) != nullptr);
  });
}

bool is_webhook(std::string_view url, bool local) {
  const std::string_view scheme = local && url.starts_with("http://") ? "http://" : "https://";
  if (!url.starts_with(scheme) || url.size() > 500) return false;
  if (!std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\\'; })) return false;
  const std::string_view host = url.substr(scheme.size(), url.find_first_of("/?#", scheme.size()) - scheme.size());
  return !host.empty() && (local || host.find('.') != std::string_view::npos) && host.find('@') == std::string_view::npos;
}

std::string message_text(const Mail& mail, const std::string& from, const std::string& date, const std::string& id) {
  std::string text = "Date: " + date + "\r\nFrom: Baton <" + from + ">\r\nTo: <" + mail.to + ">\r\nSubject: " + header_text(mail.subject) +
                     "\r\nMessage-ID: <" + id + "@" + from.substr(from.find('@') + 1) +
                     ">\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n"
                     "Auto-Submitted: auto-generated\r\n\r\n";
  const std::string body = base64(mail.body);
  for (std::size_t i = 0; i < body.size(); i += 76) text += body.substr(i, 76) + "\r\n";
  return text;
}

Postman::Postman(const Settings& settings, Loop& loop, std::function<void(bool)> sent)
    : mailbox_(settings.mail),
      local_webhooks_(settings.local_webhooks),
      webhook_authorities_(settings.webhook_authorities),
      loop_(loop),
      sent_(std::move(sent)),
      thread_([this] { run(); }) {}

Postman::~Postman() {
  {
    const std::lock_guard guard(lock_);
    closing_ = true;
  }
  something_.notify_one();
  thread_.join();
}

void Postman::send(Mail mail) {
  if (!has_server()) {
    // Whoever tries Baton at home has no mail server, and could neither confirm nor reset anything.
    log_line(spdlog::level::info, "mail-not-sent",
             {{"reason", "there is no --smtp"}, {"person", mail.person}, {"subject", mail.subject}, {"link", mail.link}});
    return;
  }
  const std::lock_guard guard(lock_);
  if (errands_.size() < most_errands) errands_.push_back({std::move(mail), {}, {}});
  something_.notify_one();
}

void Postman::call(std::string url, std::string json) {
  const std::lock_guard guard(lock_);
  if (errands_.size() < most_errands) errands_.push_back({{}, std::move(url), std::move(json)});
  something_.notify_one();
}

void Postman::run() {
  for (;;) {
    Errand errand;
    {
      std::unique_lock guard(lock_);
      something_.wait(guard, [this] { return closing_ || !errands_.empty(); });
      if (closing_) return;
      errand = std::move(errands_.front());
      errands_.pop_front();
    }
    if (!errand.url.empty()) {
      post(errand);
      continue;
    }
    bool taken = false;
    for (int i = 0; i < attempts && !taken; ++i) {
      taken = deliver(errand.mail);
      std::unique_lock guard(lock_);
      if (!taken && i + 1 < attempts && something_.wait_for(guard, std::chrono::seconds(1 << i), [this] { return closing_; })) return;
    }
    loop_.post([this, taken] { sent_(taken); });
  }
}

bool Postman::deliver(const Mail& mail) {
  const Curl curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) return false;
  const std::string text =
      message_text(mail, mailbox_.from, fmt::format("{:%a, %d %b %Y %H:%M:%S +0000}", fmt::gmtime(std::time(nullptr))), fresh_token(18));
  const std::string from = "<" + mailbox_.from + ">", to = "<" + mail.to + ">";
  Upload upload{text};
  const List recipients(curl_slist_append(nullptr, to.c_str()), curl_slist_free_all);
  curl_easy_setopt(curl.get(), CURLOPT_URL, mailbox_.url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, 30L);
  curl_easy_setopt(curl.get(), CURLOPT_USE_SSL, static_cast<long>(mailbox_.user.empty() ? CURLUSESSL_TRY : CURLUSESSL_ALL));
  if (!mailbox_.user.empty()) {
    curl_easy_setopt(curl.get(), CURLOPT_USERNAME, mailbox_.user.c_str());
    curl_easy_setopt(curl.get(), CURLOPT_PASSWORD, mailbox_.password.c_str());
  }
  curl_easy_setopt(curl.get(), CURLOPT_MAIL_FROM, from.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_MAIL_RCPT, recipients.get());
  curl_easy_setopt(curl.get(), CURLOPT_READFUNCTION, &give);
  curl_easy_setopt(curl.get(), CURLOPT_READDATA, &upload);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &swallow);
  curl_easy_setopt(curl.get(), CURLOPT_UPLOAD, 1L);
  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) log_line(spdlog::level::warn, "mail-not-taken", {{"reason", curl_easy_strerror(code)}});
  return code == CURLE_OK;
}

bool Postman::post(const Errand& errand) {
  const Curl curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) return false;
  const List headers(curl_slist_append(nullptr, "Content-Type: application/json"), curl_slist_free_all);
  curl_easy_setopt(curl.get(), CURLOPT_URL, errand.url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, local_webhooks_ ? "https,http" : "https");
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, 10L);
  curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
  if (!local_webhooks_) curl_easy_setopt(curl.get(), CURLOPT_OPENSOCKETFUNCTION, &open_public);
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(errand.json.size()));
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, errand.json.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &swallow);
  if (!webhook_authorities_.empty()) curl_easy_setopt(curl.get(), CURLOPT_CAINFO, webhook_authorities_.c_str());
  const CURLcode code = curl_easy_perform(curl.get());
  // The address is left out: it often holds the key to somebody's channel.
  if (code != CURLE_OK) log_line(spdlog::level::warn, "webhook-not-taken", {{"reason", curl_easy_strerror(code)}});
  return code == CURLE_OK;
}

}  // namespace baton::table
