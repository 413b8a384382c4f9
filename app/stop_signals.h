// Ctrl-C and SIGTERM, for runs that put away what they have before they end.
#pragma once

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <utility>
#include <vector>

namespace baton::app {

class StopSignals {
 public:
  // What a second one does.
  enum class Again : bool { ends_the_program, does_nothing };

  explicit StopSignals(std::initializer_list<int> noted_ones = {SIGINT, SIGTERM}, Again again = Again::ends_the_program) {
    came_ = false;
    struct sigaction noted {};
    noted.sa_handler = again == Again::does_nothing ? [](int) { came_ = true; } : [](int which) {
      if (!came_.exchange(true)) return;
      std::signal(which, SIG_DFL);
      std::raise(which);
    };
    for (const int which : noted_ones) {
      struct sigaction before {};
      sigaction(which, &noted, &before);
      before_.emplace_back(which, before);
      // A job in the background of a script was started to ignore the terminal.
      if (which == SIGINT && before.sa_handler == SIG_IGN) sigaction(which, &before, nullptr);
    }
  }
  ~StopSignals() {
    for (const auto& [which, before] : before_) sigaction(which, &before, nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static bool came() { return came_; }

 private:
  // Other threads read it, and a signal may set it only where no lock is behind it.
  static_assert(std::atomic<bool>::is_always_lock_free);
  static inline std::atomic<bool> came_ = false;
  std::vector<std::pair<int, struct sigaction>> before_;
};

}  // namespace baton::app
