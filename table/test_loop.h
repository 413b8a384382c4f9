// A loop whose clock the test moves, and clients without a network.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

#include "match/json_reader.h"
#include "table/hall.h"

namespace baton::table {

class TestLoop final : public Loop {
 public:
  void post(Work work) override {
    const std::lock_guard guard(lock_);
    posted_.push_back(std::move(work));
    something_.notify_one();
  }
  Timer after(Milliseconds delay, Work work) override {
    const std::uint64_t number = ++last_;
    timers_.emplace(std::pair{now_ + delay.count(), number}, std::move(work));
    return static_cast<Timer>(number);
  }
  void cancel(Timer timer) override {
    std::erase_if(timers_, [&](const auto& entry) { return entry.first.second == static_cast<std::uint64_t>(timer); });
  }
  Time now() const override { return now_; }

  // Whether something is still to come from other threads.
  std::function<bool()> busy = [] { return false; };

  // Until nothing comes any more from the writer and the thinkers. Timers do not run.
  void settle() {
    for (;;) {
      Work work;
      {
        std::unique_lock guard(lock_);
        if (posted_.empty() && !busy()) return;
        something_.wait(guard, [this] { return !posted_.empty(); });
        work = std::move(posted_.front());
        posted_.pop_front();
      }
      work();
    }
  }

  // Timers run in their order, and everything settles after each.
  void advance(Milliseconds time) {
    const Time end = now_ + time.count();
    settle();
    while (!timers_.empty() && timers_.begin()->first.first <= end) {
      now_ = timers_.begin()->first.first;
      const Work work = std::move(timers_.begin()->second);
      timers_.erase(timers_.begin());
      work();
      settle();
    }
    now_ = end;
  }

  // The clock leaps, as after a machine's sleep; what was due meanwhile waits for the next advance().
  void leap(Milliseconds time) { now_ += time.count(); }

  // Lets time pass until `reached`, at most `most` of it. Returns how long it took.
  template <class Reached>
  Milliseconds advance_until(Reached reached, Milliseconds most) {
    const Time began = now_;
    settle();
    while (!reached() && !timers_.empty() && timers_.begin()->first.first <= began + most.count()) {
      now_ = timers_.begin()->first.first;
      const Work work = std::move(timers_.begin()->second);
      timers_.erase(timers_.begin());
      work();
      settle();
    }
    return Milliseconds{now_ - began};
  }

 private:
  std::mutex lock_;
  std::condition_variable something_;
  std::deque<Work> posted_;
  std::map<std::pair<Time, std::uint64_t>, Work> timers_;
  std::uint64_t last_ = 0;
  Time now_ = 1'700'000'000'000;
};

// A client that keeps what it is sent.
class TestWire final : public Wire {
 public:
  struct Message {
    Time at;
    Json json;
    std::size_t size;
  };
  explicit TestWire(const Loop& loop) : loop_(loop) {}
  void send(std::shared_ptr<const std::string> text) override {
    Message message{loop_.now(), *read_json(*text, "message"), text->size()};
    const Json& json = message.json;
    if (json["type"] == "snapshot" || json["type"] == "update") {
      for (const auto& [key, value] : json.items()) latest[key] = value;
    }
    if (json["type"] == "answer") answers[json["id"].get<std::string>()] = json;
    if (json["type"] == "notice") notices.push_back(json);
    messages.push_back(std::move(message));
  }
  void close() override { closed = true; }

  std::vector<Message> messages;
  std::map<std::string, Json> answers;
  std::vector<Json> notices;
  Json latest = Json::object();
  bool closed = false;

 private:
  const Loop& loop_;
};

}  // namespace baton::table
