// Runs the program inside a test: words in, exit code and text out.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "app/commands.h"

namespace baton::app {

struct ProgramRun {
  int code = 0;
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

// Looks at all that was written so far, whenever it is to be seen at once.
using Look = std::function<void(const std::string& written)>;
class Watched : public std::stringbuf {
 public:
  explicit Watched(Look look) : look_(std::move(look)) {}

 private:
  int sync() override {
    if (look_) look_(str());
    return 0;
  }
  Look look_;
};

inline ProgramRun run_baton(const Words& words, const std::string& input = {}, const Look& look = {}) {
  std::istringstream in(input);
  Watched written(look);
  std::ostream out(&written);
  std::ostringstream err;
  Terminal terminal{in, out, err};
  const int code = run_program(words, terminal);
  return {code, written.str(), err.str()};
}

// The same for a person at a screen that can be cleared: what it showed.
inline std::string on_screen(const Words& words, const std::string& typed, Size size = {.columns = 80, .rows = 60}, const Look& look = {}) {
  std::istringstream in(typed);
  Watched written(look);
  std::ostream out(&written);
  std::ostringstream err;
  Terminal terminal{in, out, err};
  terminal.in_is_screen = terminal.out_is_screen = terminal.cursor = true;
  terminal.size = [size] { return size; };
  EXPECT_EQ(run_program(words, terminal), 0) << err.str();
  return written.str();
}

// A report without what differs from run to run.
inline nlohmann::json without_times(nlohmann::json json) {
  for (const char* name : {"seconds", "decisions_per_second", "thinking"}) json.erase(name);
  return json;
}

// A folder of its own for each test, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() / ("baton-test-" + std::to_string(getpid()) + "-" + std::to_string(next_++))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string with(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return file(name);
  }

 private:
  static inline int next_ = 0;
  std::filesystem::path path_;
};

inline std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace baton::app
