// The one thread that owns all tables: what happens next, and what happens later.
//
// An interface, so that everything above it is tested with a clock of the test's own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace baton::table {

using Milliseconds = std::chrono::milliseconds;
using Time = std::int64_t;  // milliseconds since 1970

class Loop {
 public:
  using Work = std::function<void()>;
  enum class Timer : std::uint64_t { none = 0 };

  virtual ~Loop() = default;

  // From any thread: does the work on the loop's thread, in order.
  virtual void post(Work work) = 0;

  // On the loop's thread only.
  virtual Timer after(Milliseconds delay, Work work) = 0;
  virtual void cancel(Timer timer) = 0;
  virtual Time now() const = 0;
};

}  // namespace baton::table
