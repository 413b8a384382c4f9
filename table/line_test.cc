// What the line itself promises: headers of every answer, TLS, figures for whoever watches over the server.
#include <curl/curl.h>
#include <gmock/gmock.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "table/test_server.h"

namespace baton::table {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Line, EveryAnswerForbidsWhatPagesDoNotNeed) {
  TestServer server;
  TestClient client(server.port());
  for (const char* path : {"/", "/api/me", "/api/nothing", "/healthz"}) {
    const auto answer = client.get(path);
    const std::string policy = answer.headers.at("Content-Security-Policy");
    EXPECT_THAT(policy, testing::AllOf(HasSubstr("default-src 'none'"), HasSubstr("script-src 'self'"), HasSubstr("frame-ancestors 'none'"),
                                       HasSubstr("base-uri 'none'")));
    const std::string scripts =
        policy.substr(policy.find("script-src"), policy.find(';', policy.find("script-src")) - policy.find("script-src"));
    EXPECT_THAT(scripts, testing::AllOf(Not(HasSubstr("'unsafe-inline'")), Not(HasSubstr("'unsafe-eval'")))) << path;
    EXPECT_EQ(answer.headers.at("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.headers.at("Referrer-Policy"), "same-origin");
  }
  EXPECT_EQ(client.get("/api/me").headers.at("Cache-Control"), "no-store");
}

TEST(Line, FiguresAreInTheFormOfPrometheus) {
  Settings settings = TestServer::quick_settings();
  settings.behind_proxy = true;
  TestServer server(settings);
  const auto client = server.guest();
  client->post("/api/tables", {{"game", "company-commander"}});
  const auto figures = client->get("/metrics");
  ASSERT_EQ(figures.status, 200);
  EXPECT_THAT(figures.headers.at("Content-Type"), HasSubstr("version=0.0.4"));
  EXPECT_THAT(figures.body, testing::AllOf(HasSubstr("\nbaton_tables 1\n"), HasSubstr("\nbaton_sockets 1\n"),
                                           HasSubstr("# TYPE baton_action_seconds histogram\n")));
  std::istringstream lines(figures.body);
  for (std::string line; std::getline(lines, line);)
    EXPECT_THAT(line, testing::AnyOf(testing::MatchesRegex("# HELP baton_[a-z_]+ .+"),
                                     testing::MatchesRegex("# TYPE baton_[a-z_]+ (counter|gauge|histogram)"),
                                     testing::MatchesRegex("baton_[a-z_]+(\\{le=\"[^\"]+\"\\})? [0-9.e+-]+")));
  EXPECT_EQ(client->get("/metrics", {{"X-Forwarded-For", "192.0.2.7"}}).status, 403) << "not for others";
}

// A certificate that vouches for itself, for 127.0.0.1.
void write_certificate(const std::string& certificate, const std::string& key) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pair(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> paper(X509_new(), X509_free);
  ASN1_INTEGER_set(X509_get_serialNumber(paper.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(paper.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(paper.get()), 3600);
  X509_set_pubkey(paper.get(), pair.get());
  X509_NAME* name = X509_get_subject_name(paper.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("127.0.0.1"), -1, -1, 0);
  X509_set_issuer_name(paper.get(), name);
  ASSERT_GT(X509_sign(paper.get(), pair.get(), EVP_sha256()), 0);
  const auto write = [](const std::string& path, const auto& put) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(put(file), 1);
    std::fclose(file);
  };
  write(certificate, [&](std::FILE* file) { return PEM_write_X509(file, paper.get()); });
  write(key, [&](std::FILE* file) { return PEM_write_PrivateKey(file, pair.get(), nullptr, nullptr, 0, nullptr, nullptr); });
}

std::size_t append(char* bytes, std::size_t size, std::size_t count, void* text) {
  static_cast<std::string*>(text)->append(bytes, size * count);
  return size * count;
}

TEST(Line, WithACertificateTheLineIsEncryptedAndCookiesStayOnIt) {
  const auto folder = std::filesystem::temp_directory_path() / ("baton-tls-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  Settings settings = TestServer::quick_settings();
  settings.tls_certificate = (folder / "chain.pem").string();
  settings.tls_key = (folder / "key.pem").string();
  EXPECT_FALSE(Server::open(settings)) << "there is no certificate yet";
  write_certificate(settings.tls_certificate, settings.tls_key);
  {
    TestServer server(settings);
    const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
    const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(curl_slist_append(nullptr, "Content-Type: application/json"),
                                                                              curl_slist_free_all);
    std::string text;
    curl_easy_setopt(curl.get(), CURLOPT_URL, ("https://127.0.0.1:" + std::to_string(server.port()) + "/api/guest").c_str());
    curl_easy_setopt(curl.get(), CURLOPT_CAINFO, settings.tls_certificate.c_str());
    curl_easy_setopt(curl.get(), CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
    curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, "{}");
    curl_easy_setopt(curl.get(), CURLOPT_HEADER, 1L);
    curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, 20L);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &append);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &text);
    const CURLcode code = curl_easy_perform(curl.get());
    EXPECT_EQ(code, CURLE_OK) << curl_easy_strerror(code);
    EXPECT_THAT(text, testing::AllOf(HasSubstr("200 OK"), HasSubstr("; Secure"), HasSubstr("Strict-Transport-Security")));
    EXPECT_THROW(TestClient(server.port()).get("/"), std::exception) << "nothing is said in the clear";
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace baton::table
