// How often something may be done: a bucket of permissions that fills up again with time.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "table/loop.h"

namespace baton::table {

class Bucket {
 public:
  // Seconds to wait; 0: taken.
  double take(double per_second, double burst, Time now) {
    if (last_ == 0) level_ = burst;
    level_ = std::min(burst, level_ + static_cast<double>(now - last_) / 1000.0 * per_second);
    last_ = now;
    if (level_ >= 1) {
      level_ -= 1;
      return 0;
    }
    return (1 - level_) / per_second;
  }
  Time last() const { return last_; }

 private:
  double level_ = 0;
  Time last_ = 0;
};

// Buckets by name: an address, an account.
class Rates {
 public:
  Rates(double per_second, double burst) : per_second_(per_second), burst_(burst) {}

  double take(const std::string& name, Time now) {
    if (buckets_.size() > most_names) forget(now);
    return buckets_[name].take(per_second_, burst_, now);
  }

 private:
  static constexpr std::size_t most_names = 100'000;

  // A bucket that is full again is as good as none.
  void forget(Time now) {
    std::erase_if(buckets_,
                  [&](const auto& entry) { return static_cast<double>(now - entry.second.last()) / 1000.0 * per_second_ >= burst_; });
    if (buckets_.size() > most_names) buckets_.clear();
  }

  double per_second_, burst_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace baton::table
