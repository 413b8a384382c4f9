// What the server counts, for /metrics. Only the loop's thread touches it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace baton::table {

// Times, in buckets of milliseconds.
struct Histogram {
  static constexpr std::array<int, 9> bucket_ends = {1, 2, 5, 10, 20, 50, 100, 500, 2000};
  std::array<std::uint64_t, bucket_ends.size() + 1> buckets{};
  double seconds = 0;

  void add(double milliseconds) {
    std::size_t i = 0;
    while (i < bucket_ends.size() && milliseconds > bucket_ends[i]) ++i;
    ++buckets[i];
    seconds += milliseconds / 1000;
  }
};

struct Figures {
  std::uint64_t actions = 0, refused_actions = 0, repeated_requests = 0, undone = 0;
  std::uint64_t http_requests = 0, http_refused = 0, socket_messages_in = 0, socket_messages_out = 0, socket_bytes_out = 0;
  std::uint64_t tables_made = 0, tables_loaded = 0, games_finished = 0, bot_actions = 0, stewards = 0;
  std::uint64_t mails_sent = 0, mails_failed = 0;
  std::uint64_t rate_limited = 0;

  Histogram action_times;      // from an action's arrival to its answer
  Histogram bot_action_times;  // from the moment a computer player's choice holds to the moment its views are handed to the lines
};

}  // namespace baton::table
