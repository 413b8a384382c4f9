#include "app/progress.h"

#include <algorithm>

namespace baton::app {

Progress::Progress(Terminal& terminal, std::string what, std::uint64_t total)
    : terminal_(terminal), what_(std::move(what)), total_(std::max<std::uint64_t>(total, 1)), next_(std::chrono::steady_clock::now()) {}

void Progress::show(std::uint64_t done) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_.err_is_screen || now < next_) return;
  next_ = now + std::chrono::milliseconds(120);
  constexpr std::uint64_t width = 30;
  const auto filled = static_cast<std::size_t>(std::min(width, done * width / total_));
  terminal_.err << fmt::format("\r{} [{:<30}] {:>3} %  {} / {}", what_, std::string(filled, '#'), done * 100 / total_, done, total_)
                << std::flush;
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) terminal_.err << '\r' << std::string(78, ' ') << '\r' << std::flush;
  drawn_ = false;
}

}  // namespace baton::app
