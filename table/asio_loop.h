// The loop on Boost.Asio. Only included where the network is.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <unordered_map>

#include "table/loop.h"

namespace baton::table {

class AsioLoop final : public Loop {
 public:
  explicit AsioLoop(boost::asio::io_context& context) : context_(context) {}

  void post(Work work) override { boost::asio::post(context_, std::move(work)); }

  Timer after(Milliseconds delay, Work work) override {
    const std::uint64_t number = ++last_;
    auto timer = std::make_unique<boost::asio::steady_timer>(context_, delay);
    timer->async_wait([this, number, work = std::move(work)](const boost::system::error_code&) {
      // Cancelled or not is decided by whether it is still known: a wait may end in the same moment.
      if (timers_.erase(number) > 0) work();
    });
    timers_.emplace(number, std::move(timer));
    return static_cast<Timer>(number);
  }

  void cancel(Timer timer) override { timers_.erase(static_cast<std::uint64_t>(timer)); }

  Time now() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  }

 private:
  boost::asio::io_context& context_;
  std::uint64_t last_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<boost::asio::steady_timer>> timers_;
};

}  // namespace baton::table
