#include "table/test_postgres.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace baton::table {
namespace {

namespace fs = std::filesystem;

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The newest one that is installed; Debian keeps each version in a folder of its own.
std::string installed_programs() {
  int newest = 0;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none)) {
    if (fs::exists(version.path() / "bin" / "initdb")) newest = std::max(newest, std::atoi(version.path().filename().c_str()));
  }
  if (newest == 0)
    throw std::runtime_error(
        "these tests start a PostgreSQL of their own, and there is none in /usr/lib/postgresql: install the package postgresql");
  return "/usr/lib/postgresql/" + std::to_string(newest) + "/bin/";
}

}  // namespace

TestPostgres::TestPostgres() : programs_(installed_programs()) {
  folder_ = (fs::temp_directory_path() / ("baton-postgres-" + std::to_string(getpid()))).string();
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  if (geteuid() == 0) {  // it refuses to run as root
    const passwd* user = getpwnam("postgres");
    if (user == nullptr) user = getpwnam("nobody");
    if (user == nullptr || chown(folder_.c_str(), user->pw_uid, user->pw_gid) != 0)
      throw std::runtime_error("PostgreSQL refuses to run as root, and there is no user \"postgres\" or \"nobody\" to run it instead");
    as_user_ = "runuser -u " + std::string(user->pw_name) + " -- ";
  }
  run("initdb -D " + folder_ + "/data -U postgres -A trust -E UTF8 --locale=C --no-sync");
  run("pg_ctl -D " + folder_ + "/data -w -t 60 -l " + folder_ + "/log -o \"-k " + folder_ + " -c listen_addresses=''\" start");
}

void TestPostgres::run(const std::string& command) const {
  const std::string said = folder_ + ".said";
  const int code = std::system(("cd / && " + as_user_ + programs_ + command + " >" + said + " 2>&1 </dev/null").c_str());
  const std::string text = text_of_file(said);
  fs::remove(said);
  if (code != 0) throw std::runtime_error("PostgreSQL does not start: " + command + "\n" + text + text_of_file(folder_ + "/log"));
}

TestPostgres::~TestPostgres() {
  std::system(("cd / && " + as_user_ + programs_ + "pg_ctl -D " + folder_ + "/data -m immediate stop >/dev/null 2>&1").c_str());
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::string TestPostgres::url(const std::string& name) {
  std::system((programs_ + "createdb -h " + folder_ + " -U postgres " + name + " >/dev/null 2>&1").c_str());
  return "postgresql:///" + name + "?host=" + folder_ + "&user=postgres";
}

TestPostgres& TestPostgres::shared() {
  static TestPostgres one;
  return one;
}

}  // namespace baton::table
