#include "app/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <filesystem>

#include "app/program_run.h"

namespace baton::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(WholeFile, TakesThePlaceOfTheOldOne) {
  TemporaryFolder folder;
  const std::string path = folder.with("page", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  folder.with("page.new-1", "a stranger's");
  EXPECT_FALSE(write_whole_file(path, "new"));
  EXPECT_EQ(text_of_file(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write) << "whoever could not read it cannot now";
  EXPECT_EQ(text_of_file(folder.file("page.new-1")), "a stranger's");
  EXPECT_FALSE(fs::exists(folder.file("page.new-2")));
}

TEST(WholeFile, FollowsLinks) {
  TemporaryFolder folder;
  folder.with("real", "old");
  const std::string link = folder.file("link"), loose = folder.file("loose");
  fs::create_symlink("real", link);
  fs::create_symlink("later", loose);
  EXPECT_TRUE(may_be_written(loose));
  EXPECT_FALSE(fs::exists(folder.file("later"))) << "nothing is left behind";
  EXPECT_FALSE(write_whole_file(link, "new"));
  EXPECT_FALSE(write_whole_file(loose, "first"));
  EXPECT_TRUE(fs::is_symlink(link) && fs::is_symlink(loose));
  EXPECT_EQ(text_of_file(folder.file("real")), "new");
  EXPECT_EQ(text_of_file(folder.file("later")), "first");
}

TEST(WholeFile, WritesInPlaceWhatIsNoFileOfOurs) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(write_whole_file("/proc/self/fd/" + std::to_string(ends[1]), "told"));
  std::array<char, 8> read_back{};
  EXPECT_EQ(read(ends[0], read_back.data(), read_back.size()), 4);
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(write_whole_file("/dev/null", "much"));
}

// From root nothing is protected: then the folder and the file are somebody else's, and we are that for a while.
TEST(WholeFile, LeavesWhatIsProtected) {
  TemporaryFolder folder;
  const std::string path = folder.with("keep", "old");
  fs::permissions(path, fs::perms::owner_read);
  const uid_t before = geteuid(), nobody = before == 0 ? 65534 : before;
  ASSERT_EQ(chown(folder.file("").c_str(), nobody, static_cast<gid_t>(-1)), 0);
  ASSERT_EQ(chown(path.c_str(), nobody, static_cast<gid_t>(-1)), 0);
  ASSERT_EQ(seteuid(nobody), 0);
  const std::error_code error = write_whole_file(path, "new");
  ASSERT_EQ(seteuid(before), 0);
  EXPECT_EQ(error, std::errc::permission_denied);
  EXPECT_EQ(text_of_file(path), "old");
}

TEST(WholeFile, IsWrittenInPlaceWhereNothingNewMayBeMade) {
  TemporaryFolder folder;
  const std::string path = folder.with(std::string(255, 'n'), "old");  // no longer name is allowed
  EXPECT_FALSE(write_whole_file(path, "new"));
  EXPECT_EQ(text_of_file(path), "new");
}

TEST(WholeFile, SaysWhyNot) {
  TemporaryFolder folder;
  EXPECT_EQ(write_whole_file(folder.file("no/such"), ""), std::errc::no_such_file_or_directory);
  EXPECT_EQ(write_whole_file(folder.file(""), ""), std::errc::is_a_directory);
  EXPECT_EQ(write_whole_file("/dev/full", "much"), std::errc::no_space_on_device);
  EXPECT_THAT(may_be_written(folder.file("no/such")).error().text(), HasSubstr("No such file"));
  EXPECT_THAT(may_be_written(folder.file("")).error().text(), HasSubstr("name another one"));
}

}  // namespace
}  // namespace baton::app
