// Work shared by threads, as many as the system lets us have.
#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace baton {

// Calls work(0) to work(count - 1), each on a thread of its own; this one takes the first, and those for which the system has no thread
// left.
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
  std::vector<std::jthread> others;
  std::size_t started = 1;
  try {
    for (; started < count; ++started) others.emplace_back([&work, started] { work(started); });
  } catch (const std::system_error&) {
  }
  work(0);
  for (; started < count; ++started) work(started);
}

}  // namespace baton
