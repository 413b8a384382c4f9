// Mails, and how whoever is away is told of the turn.
#include <gmock/gmock.h>

#include <array>

#include "table/mail.h"
#include "table/test_mail_server.h"

namespace baton::table {
namespace {

TEST(Mail, AMessageIsWellFormed) {
  const std::string text = message_text({"a@example.org", "Spieltisch: Du bist am Zug – jetzt", "Grüße"}, "b@example.org",
                                        "Mon, 02 Jan 2006 15:04:05 +0000", "id");
  EXPECT_NE(text.find("Subject: =?UTF-8?B?"), std::string::npos);
  EXPECT_NE(text.find("\r\n\r\nR3LDvMOfZQ==\r\n"), std::string::npos) << text;
  for (const char c : text) EXPECT_GE(c, 0);
}

TEST(Mail, AddressesThatCouldBreakOutAreNone) {
  EXPECT_TRUE(is_email("a.b+c@example.org"));
  for (const char* wrong : {"", "a", "@example.org", "a@", "a@b@c", "a b@c.d", "a@b.c\r\nBcc: d@e.f", "<a@b.c>", "a@.b", "a@b..c"})
    EXPECT_FALSE(is_email(wrong)) << wrong;
  EXPECT_TRUE(is_webhook("https://hooks.example.org/x?y=z"));
  EXPECT_TRUE(is_webhook("http://hooks:8123/x", true)) << "where the operator trusts everybody";
  EXPECT_FALSE(is_webhook("ftp://hooks/x", true));
  for (const char* wrong : {"http://example.org", "https://localhost/", "https://a@b.c/", "file:///etc/passwd", "https://exa mple.org"})
    EXPECT_FALSE(is_webhook(wrong)) << wrong;
}

// What a webhook is sent: one request, answered with nothing.
class Hook {
 public:
  std::string url() const { return "http://127.0.0.1:" + std::to_string(listener_.port()) + "/turn"; }
  std::string next() {
    const int line = listener_.next();
    if (line < 0) return "nobody called";
    std::string text;
    std::array<char, 4096> bytes{};
    while (text.find("}") == std::string::npos) {
      const ssize_t size = read(line, bytes.data(), bytes.size());
      if (size <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(size));
    }
    const std::string answer = "HTTP/1.1 204 No Content\r\n\r\n";
    EXPECT_GT(write(line, answer.data(), answer.size()), 0);
    close(line);
    return text;
  }

 private:
  TestListener listener_;
};

TEST(Accounts, WhoIsAwayIsToldOfTheTurnByMailAndWebhook) {
  MailServer mail;
  Hook hook;
  Settings settings = with_mail(mail);
  settings.local_webhooks = true;
  settings.public_url = "https://tables.example.org";
  TestServer server(settings);
  TestClient away(server.port());
  ASSERT_EQ(away.post("/api/register", {{"email", "e@example.org"}, {"password", "some password"}, {"name", "Elsa"}}).status, 200);
  away.post("/api/confirm", {{"token", token_in(mail.next().second, "confirm")}});
  ASSERT_EQ(away.post("/api/account", {{"mail_notices", true}, {"webhook", hook.url()}}).status, 200);
  const auto host = server.guest("Ada");
  const std::string table =
      host->post("/api/tables", {{"game", "company-commander"}, {"title", "By mail"}, {"seats", {{{"seat", "us"}, {"kind", "me"}}}}})
          .json["id"];
  ASSERT_EQ(away.post("/api/tables/" + table + "/join", Json::object()).status, 200);
  // The host passes on until the other is asked.
  host->ask({{"type", "watch"}, {"table", table}});
  Eyes eyes;
  eyes.take(host->next("snapshot"));
  while (eyes.snapshot["view"]["choosing"] != Json::array({"german"})) {
    if (eyes.actions().size() > 1) {
      const Json actions = eyes.actions();
      ASSERT_EQ(host->ask({{"type", "act"}, {"table", table}, {"seat", "us"}, {"action", actions[actions.size() - 1]}})["ok"], true);
    }
    eyes.take(host->next("update"));
  }
  const auto [to, text] = mail.next();
  EXPECT_EQ(to, "e@example.org");
  EXPECT_THAT(text, testing::AllOf(testing::HasSubstr("By mail"), testing::HasSubstr("https://tables.example.org/#/table/" + table)));
  EXPECT_THAT(hook.next(),
              testing::AllOf(testing::StartsWith("POST /turn"), testing::HasSubstr("\"notice\":\"your-turn\""), testing::HasSubstr(table)));
}

}  // namespace
}  // namespace baton::table
