// Ctrl-C and SIGTERM, for runs that put away what they have before they end. A second one ends the program at once.
#pragma once

#include <atomic>
#include <csignal>

namespace baton::app {

class StopSignals {
 public:
  StopSignals() {
    came_ = false;
    struct sigaction noted {};
    noted.sa_handler = [](int which) {
      if (!came_.exchange(true)) return;
      std::signal(which, SIG_DFL);
      std::raise(which);
    };
    sigaction(SIGINT, &noted, &before_int_);
    // A job in the background of a script was started to ignore the terminal.
    if (before_int_.sa_handler == SIG_IGN) sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &noted, &before_term_);
  }
  ~StopSignals() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static bool came() { return came_; }

 private:
  // Other threads read it, and a signal may set it only where no lock is behind it.
  static_assert(std::atomic<bool>::is_always_lock_free);
  static inline std::atomic<bool> came_ = false;
  struct sigaction before_int_ {}, before_term_{};
};

}  // namespace baton::app
