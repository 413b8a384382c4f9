// A bar on the screen of whoever waits. Draws nothing where there is no screen.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "app/terminal.h"

namespace baton::app {

class Progress {
 public:
  Progress(Terminal& terminal, std::string what, std::uint64_t total);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws at most a few times a second. One thread at a time.
  void show(std::uint64_t done);
  void clear();

 private:
  Terminal& terminal_;
  std::string what_;
  std::uint64_t total_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace baton::app
