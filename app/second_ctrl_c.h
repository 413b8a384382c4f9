// Ctrl-C at a table where a match may be lost: the first one only tells how to leave, a second one leaves, unless something was typed
// between.
#pragma once

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>

namespace baton::app {

class SecondCtrlC {
 public:
  // One at a time. Without a person at the screen nothing is changed.
  SecondCtrlC(bool at_a_screen, const std::string& notice) {
    if (!at_a_screen) return;
    notice_ = "\n" + notice + "\n";
    pressed_ = false;
    struct sigaction tell {};
    tell.sa_handler = [](int which) {
      if (pressed_.exchange(true)) {
        std::signal(which, SIG_DFL);
        std::raise(which);
        return;
      }
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, notice_.data(), notice_.size());
    };
    sigaction(SIGINT, &tell, &before_);
    changed_ = before_.sa_handler != SIG_IGN;
    if (!changed_) sigaction(SIGINT, &before_, nullptr);  // a job in the background of a script
  }
  ~SecondCtrlC() {
    if (changed_) sigaction(SIGINT, &before_, nullptr);
  }
  SecondCtrlC(const SecondCtrlC&) = delete;
  SecondCtrlC& operator=(const SecondCtrlC&) = delete;

  // Something was typed.
  static void think_again() { pressed_ = false; }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free);
  static inline std::atomic<bool> pressed_ = false;
  static inline std::string notice_;
  struct sigaction before_ {};
  bool changed_ = false;
};

}  // namespace baton::app
