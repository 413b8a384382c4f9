// What is done about one account at the same time.
#include <gmock/gmock.h>

#include "table/test_loop.h"
#include "table/test_mail_server.h"

namespace baton::table {
namespace {

// What is done about one account at the same time. Hashing takes long, so that much can happen meanwhile.
class TogetherTest : public testing::Test {
 protected:
  TogetherTest() : folder_(std::filesystem::temp_directory_path() / ("baton-together-test-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    auto database = Database::open("sqlite://" + (folder_ / "test.sqlite").string());
    if (!database) throw std::runtime_error(database.error().text());
    hall_ = std::make_unique<Hall>(loop_, with_mail(mail_), std::move(*database), [](const std::string& why) { ADD_FAILURE() << why; });
    loop_.busy = [this] { return hall_->is_busy(); };
    accounts().enrol(std::nullopt, "k@example.org", "first password", "Kai", "en", false,
                     [this](const Outcome<Accounts::Signed>& entered) { entered_ = *entered; });
    loop_.settle();
    mail_.next();
  }
  ~TogetherTest() override {
    loop_.settle();
    loop_.busy = [] { return false; };
    hall_.reset();
    std::filesystem::remove_all(folder_);
  }
  Accounts& accounts() { return hall_->accounts(); }
  std::string reset_token() {
    accounts().forgot("k@example.org", [](const Outcome<void>&) {});
    loop_.settle();
    return token_in(mail_.next().second, "reset");
  }
  std::string signs_in(const std::string& password) {
    std::string code;
    accounts().sign_in("k@example.org", password, false,
                       [&](const Outcome<Accounts::Signed>& entered) { code = entered ? "ok" : entered.error().code; });
    loop_.settle();
    return code;
  }
  AccountRow now() {
    AccountRow row;
    accounts().identify(entered_.token, [&](const Outcome<std::optional<AccountRow>>& found) { row = found->value_or(AccountRow{}); });
    loop_.settle();
    return row;
  }
  static std::optional<Fault> nothing_else(AccountRow&) { return std::nullopt; }

  std::filesystem::path folder_;
  MailServer mail_;
  TestLoop loop_;
  std::unique_ptr<Hall> hall_;
  Accounts::Signed entered_;
};

TEST_F(TogetherTest, APasswordChangeUnderWayDoesNotUndoAReset) {
  const std::string token = reset_token();
  std::string reset, changed;
  accounts().reset(token, "owners password",
                   [&](const Outcome<Accounts::Signed>& entered) { reset = entered ? "ok" : entered.error().code; });
  accounts().change_password(entered_.account, "first password", "anothers password", entered_.token, nothing_else,
                             [&](const Outcome<AccountRow>& row) { changed = row ? "ok" : row.error().code; });
  loop_.settle();
  EXPECT_EQ(reset, "ok");
  EXPECT_EQ(changed, "wrong-password");
  EXPECT_EQ(signs_in("owners password"), "ok");
  EXPECT_EQ(signs_in("anothers password"), "wrong-password");
  EXPECT_EQ(now().id, "") << "the old session is over";
}

TEST_F(TogetherTest, SigningInUnderWayDoesNotOutliveAReset) {
  const std::string token = reset_token();
  std::string entered;
  accounts().reset(token, "owners password", [](const Outcome<Accounts::Signed>&) {});
  accounts().sign_in("k@example.org", "first password", false,
                     [&](const Outcome<Accounts::Signed>& outcome) { entered = outcome ? "ok" : outcome.error().code; });
  loop_.settle();
  EXPECT_EQ(entered, "wrong-password");
}

TEST_F(TogetherTest, EachChangeKeepsWhatTheOthersMadeOfTheAccount) {
  std::string changed;
  accounts().change_password(entered_.account, "first password", "second password", entered_.token, nothing_else,
                             [&](const Outcome<AccountRow>& row) { changed = row ? "ok" : row.error().code; });
  accounts().change(
      entered_.account.id,
      [](AccountRow& row) {
        row.name = "Kai the Great";
        return std::optional<Fault>();
      },
      [](const Outcome<AccountRow>&) {});
  accounts().change(
      entered_.account.id,
      [](AccountRow& row) {
        row.mail_notices = true;
        return std::optional<Fault>();
      },
      [](const Outcome<AccountRow>&) {});
  loop_.settle();
  EXPECT_EQ(changed, "ok");
  EXPECT_EQ(now().name, "Kai the Great");
  EXPECT_TRUE(now().mail_notices);
  EXPECT_EQ(signs_in("second password"), "ok");
}

TEST_F(TogetherTest, AGuestRegistersOnceAndKeepsTheNameItWasGivenMeanwhile) {
  std::optional<AccountRow> guest;
  accounts().guest("Lea", "en", [&](const Outcome<Accounts::Signed>& entered) { guest = entered->account; });
  loop_.settle();
  std::vector<std::string> outcomes;
  Accounts::Signed registered;
  const auto enrol = [&](const std::string& email) {
    accounts().enrol(guest, email, "some password", "", "", false, [&](const Outcome<Accounts::Signed>& entered) {
      outcomes.push_back(entered ? "ok" : entered.error().code);
      if (entered) registered = *entered;
    });
  };
  enrol("lea@example.org");
  enrol("lea2@example.org");
  accounts().change(
      guest->id,
      [](AccountRow& row) {
        row.name = "Lea the Great";
        return std::optional<Fault>();
      },
      [](const Outcome<AccountRow>&) {});
  loop_.settle();
  EXPECT_THAT(outcomes, testing::ElementsAre("ok", "registered-already"));
  EXPECT_EQ(registered.account.name, "Lea the Great");
  EXPECT_EQ(registered.account.email, "lea@example.org");
}

}  // namespace
}  // namespace baton::table
