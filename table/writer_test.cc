// What the database does with failures: a look that fails costs one answer, a change that fails ends the server, and neither says whose
// values it held.
#include "table/writer.h"

#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "table/log.h"
#include "table/test_loop.h"
#include "table/test_postgres.h"

namespace baton::table {
namespace {

AccountRow account(const std::string& id, const std::string& email) {
  AccountRow row;
  row.id = id;
  row.name = "Ada";
  row.email = email;
  row.password_hash = "hash-of-a-password";
  return row;
}

class WriterTest : public testing::TestWithParam<std::string> {
 protected:
  WriterTest()
      : file_(std::filesystem::temp_directory_path() / ("baton-writer-test-" + std::to_string(getpid()) + ".sqlite")),
        before_(spdlog::default_logger()) {
    remove_file();
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("reader", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_, true)));
    static int count = 0;
    auto database = Database::open(GetParam() == "sqlite" ? "sqlite://" + file_.string()
                                                          : TestPostgres::shared().url("writer" + std::to_string(count++)));
    if (!database) throw std::runtime_error(database.error().text());
    writer_ = std::make_unique<Writer>(std::move(*database), loop_, [this](const std::string& why) { failures_.push_back(why); });
    loop_.busy = [this] { return failures_.empty() && writer_->unfinished() > 0; };
    writer_->submit([](Database& d) { d.put_account(account("first", "secret@example.org")); });
    loop_.settle();
  }
  ~WriterTest() override {
    writer_.reset();
    spdlog::set_default_logger(before_);
    remove_file();
  }
  void remove_file() {
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(file_.string() + ending);
  }
  // Two accounts with one address: the database refuses, and would quote the address and the hash if it were let.
  static void fail(Database& d) { d.put_account(account("second", "secret@example.org")); }

  std::filesystem::path file_;
  std::ostringstream log_;
  std::shared_ptr<spdlog::logger> before_;
  TestLoop loop_;
  std::vector<std::string> failures_;
  std::unique_ptr<Writer> writer_;
};

TEST_P(WriterTest, ALookThatFailsIsAnsweredAndNobodyElseNotices) {
  std::vector<std::string> told;
  const auto look = [&](const std::string& name, bool fails) {
    writer_->read<int>(
        [fails](Database& d) {
          if (fails) fail(d);
          return 7;
        },
        [&told, name](const Outcome<int>& found) { told.push_back(name + " " + (found ? std::to_string(*found) : found.error().code)); });
  };
  for (int time = 0; time < 2; ++time) {
    const std::string id = "new" + std::to_string(time);
    look("before", false);
    look("bad", true);
    writer_->submit([id](Database& d) { d.put_account(account(id, id + "@example.org")); }, [&] { told.emplace_back("written"); });
    look("after", false);
    loop_.settle();
    EXPECT_THAT(told, testing::ElementsAre("before 7", "bad unavailable", "written", "after 7"));
    told.clear();
    writer_->read<bool>([id](Database& d) { return d.account(id).has_value(); },
                        [&](const Outcome<bool>& found) { EXPECT_TRUE(found.value()); });
    loop_.settle();
  }
  EXPECT_TRUE(failures_.empty());
  EXPECT_EQ(writer_->figures().failed_reads, 2u);
  EXPECT_THAT(log_.str(), testing::AllOf(testing::HasSubstr("event=database-read-failed reason="),
                                         testing::Not(testing::HasSubstr("secret@")), testing::Not(testing::HasSubstr("hash-of"))));
}

TEST_P(WriterTest, AChangeThatFailsEndsItWithoutSayingWhatItHeld) {
  bool done = false;
  writer_->submit([](Database& d) { fail(d); }, [&] { done = true; });
  loop_.settle();
  ASSERT_EQ(failures_.size(), 1u);
  EXPECT_FALSE(failures_[0].empty());
  EXPECT_THAT(failures_[0], testing::AllOf(testing::Not(testing::HasSubstr("secret@")), testing::Not(testing::HasSubstr("hash-of"))));
  EXPECT_FALSE(done);
}

TEST_P(WriterTest, AChangeThatFailsBesideALookEndsItToo) {
  std::vector<std::string> told;
  writer_->read<int>([](Database&) { return 7; }, [&](const Outcome<int>& found) { told.push_back(found ? "found" : found.error().code); });
  writer_->submit([](Database& d) { fail(d); }, [&] { told.emplace_back("written"); });
  loop_.settle();
  EXPECT_EQ(failures_.size(), 1u);
  EXPECT_THAT(told, testing::Not(testing::Contains("written")));
}

INSTANTIATE_TEST_SUITE_P(Both, WriterTest, testing::Values("sqlite", "postgresql"), [](const auto& one) { return one.param; });

TEST(Log, ALineIsOneLineOfKeysAndValues) {
  EXPECT_EQ(log_value("plain-word.7"), "plain-word.7");
  EXPECT_EQ(log_value(""), "\"\"");
  EXPECT_EQ(log_value("two words"), "\"two words\"");
  EXPECT_EQ(log_value("x\ntime=0 event=\"forged\""), "\"x\\ntime=0 event=\\\"forged\\\"\"");
  EXPECT_EQ(log_value("bell\a"), "\"bell\\x07\"");
}

}  // namespace
}  // namespace baton::table
