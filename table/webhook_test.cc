// Webhooks over TLS, with a server and certificates of the test's own: nothing is said to anybody who cannot prove who he is.
#include <gmock/gmock.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>

#include "table/mail.h"
#include "table/test_listener.h"
#include "table/test_loop.h"

namespace baton::table {
namespace {

// A certificate that vouches for itself.
struct Certificate {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* x509 = X509_new();

  Certificate(const std::string& for_whom, long from_seconds, long until_seconds) {
    X509_set_version(x509, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
    X509_gmtime_adj(X509_getm_notBefore(x509), from_seconds);
    X509_gmtime_adj(X509_getm_notAfter(x509), until_seconds);
    X509_set_pubkey(x509, key);
    X509_NAME* name = X509_get_subject_name(x509);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("Baton test"), -1, -1, 0);
    X509_set_issuer_name(x509, name);
    for (const auto& [what, value] :
         {std::pair{NID_basic_constraints, std::string("critical,CA:TRUE")}, std::pair{NID_subject_alt_name, for_whom}}) {
      X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str());
      EXPECT_EQ(X509_add_ext(x509, extension, -1), 1);
      X509_EXTENSION_free(extension);
    }
    EXPECT_GT(X509_sign(x509, key, EVP_sha256()), 0);
  }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;
  ~Certificate() {
    X509_free(x509);
    EVP_PKEY_free(key);
  }

  void write_to(const std::filesystem::path& path) const {
    FILE* file = std::fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr);
    PEM_write_X509(file, x509);
    std::fclose(file);
  }
};

// Takes one caller, and keeps what he says once the line is safe.
class SafeHook {
 public:
  explicit SafeHook(const Certificate& certificate) : context_(SSL_CTX_new(TLS_server_method())) {
    SSL_CTX_use_certificate(context_, certificate.x509);
    SSL_CTX_use_PrivateKey(context_, certificate.key);
  }
  ~SafeHook() { SSL_CTX_free(context_); }

  std::string url() const { return "https://127.0.0.1:" + std::to_string(listener_.port()) + "/turn"; }

  struct Call {
    bool came = false, is_safe = false;
    std::string text;
  };
  Call next() {
    Call call;
    const int line = listener_.next();
    if (line < 0) return call;
    call.came = true;
    SSL* tls = SSL_new(context_);
    SSL_set_fd(tls, line);
    // In TLS 1.3 the server's side may be done before the caller has looked at the certificate, so what counts is whether he says anything.
    if (SSL_accept(tls) == 1) {
      std::array<char, 4096> bytes{};
      while (call.text.find('}') == std::string::npos) {
        const int size = SSL_read(tls, bytes.data(), static_cast<int>(bytes.size()));
        if (size <= 0) break;
        call.is_safe = true;
        call.text.append(bytes.data(), static_cast<std::size_t>(size));
      }
      const std::string answer = "HTTP/1.1 204 No Content\r\n\r\n";
      if (call.is_safe) SSL_write(tls, answer.data(), static_cast<int>(answer.size()));
      SSL_shutdown(tls);
    }
    SSL_free(tls);
    close(line);
    return call;
  }

 private:
  SSL_CTX* context_;
  TestListener listener_;
};

class WebhookTest : public testing::Test {
 protected:
  WebhookTest() : folder_(std::filesystem::temp_directory_path() / ("baton-webhook-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    signal(SIGPIPE, SIG_IGN);
  }
  ~WebhookTest() override { std::filesystem::remove_all(folder_); }

  // What the hook hears when it is called by a server that trusts this certificate, or only the system's authorities.
  SafeHook::Call call(const Certificate& shown, const Certificate* trusted) {
    Settings settings;
    settings.local_webhooks = true;
    if (trusted != nullptr) {
      settings.webhook_authorities = (folder_ / "authority.pem").string();
      trusted->write_to(settings.webhook_authorities);
    }
    SafeHook hook(shown);
    TestLoop loop;
    Postman postman(settings, loop, [](bool) {});
    postman.call(hook.url(), R"({"notice":"your-turn"})");
    return hook.next();
  }

  static constexpr long hour = 3600;
  std::filesystem::path folder_;
};

TEST_F(WebhookTest, ATrustedCertificateIsToldTheNotice) {
  const Certificate own("IP:127.0.0.1", -hour, hour);
  const auto heard = call(own, &own);
  EXPECT_TRUE(heard.is_safe);
  EXPECT_THAT(heard.text, testing::AllOf(testing::StartsWith("POST /turn"), testing::HasSubstr("application/json"),
                                         testing::EndsWith(R"({"notice":"your-turn"})")));
}

TEST_F(WebhookTest, WhoeverCannotProveWhoHeIsIsToldNothing) {
  const Certificate own("IP:127.0.0.1", -hour, hour), stranger("IP:127.0.0.1", -hour, hour),
      elsewhere("DNS:hooks.example.org", -hour, hour), expired("IP:127.0.0.1", -2 * hour, -hour);
  struct Case {
    const char* what;
    const Certificate& shown;
    const Certificate* trusted;
  };
  for (const Case& one : {Case{"nobody vouches for it", own, nullptr}, Case{"another is trusted", stranger, &own},
                          Case{"it is for another host", elsewhere, &elsewhere}, Case{"it has expired", expired, &expired}}) {
    const auto heard = call(one.shown, one.trusted);
    EXPECT_TRUE(heard.came) << one.what;
    EXPECT_FALSE(heard.is_safe) << one.what;
    EXPECT_EQ(heard.text, "") << one.what;
  }
}

}  // namespace
}  // namespace baton::table
