// A PostgreSQL of the tests' own: fresh, on a socket in a temporary folder, gone afterwards.
#pragma once

#include <string>

namespace baton::table {

class TestPostgres {
 public:
  TestPostgres();  // throws when it cannot be started, and says why
  ~TestPostgres();
  TestPostgres(const TestPostgres&) = delete;
  TestPostgres& operator=(const TestPostgres&) = delete;

  // A database of this name, made when it is asked for first.
  std::string url(const std::string& name);

  // One for the whole test program, started when it is asked for first.
  static TestPostgres& shared();

 private:
  void run(const std::string& command) const;

  std::string folder_, programs_, as_user_;
};

}  // namespace baton::table
