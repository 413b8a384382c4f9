#include "table/test_postgres.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace baton::table {
namespace {

namespace fs = std::filesystem;

void run(const std::string& command) {
  if (std::system((command + " >/dev/null 2>&1 </dev/null").c_str()) != 0) throw std::runtime_error("this failed: " + command);
}

}  // namespace

TestPostgres::TestPostgres() {
  for (const char* version : {"17", "16", "15", "14", "13"}) {
    const std::string folder = std::string("/usr/lib/postgresql/") + version + "/bin";
    if (programs_.empty() && fs::exists(folder + "/initdb")) programs_ = folder + "/";
  }
  if (programs_.empty()) throw std::runtime_error("the tests need the package postgresql");
  folder_ = (fs::temp_directory_path() / ("baton-postgres-" + std::to_string(getpid()))).string();
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  if (geteuid() == 0) {  // it refuses to run as root
    const passwd* user = getpwnam("postgres");
    if (user == nullptr || chown(folder_.c_str(), user->pw_uid, user->pw_gid) != 0) throw std::runtime_error("there is no user \"postgres\" to run it");
    as_user_ = "runuser -u postgres -- ";
  }
  run(as_user_ + programs_ + "initdb -D " + folder_ + "/data -U postgres -A trust -E UTF8 --locale=C --no-sync");
  run(as_user_ + programs_ + "pg_ctl -D " + folder_ + "/data -w -t 60 -l " + folder_ + "/log -o \"-k " + folder_ + " -c listen_addresses=''\" start");
}

TestPostgres::~TestPostgres() {
  std::system((as_user_ + programs_ + "pg_ctl -D " + folder_ + "/data -m immediate stop >/dev/null 2>&1").c_str());
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
