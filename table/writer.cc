#include "table/writer.h"

#include <chrono>
#include <exception>
#include <iterator>

namespace baton::table {
namespace {
constexpr std::size_t most_together = 512;
}

Writer::Writer(std::unique_ptr<Database> database, Loop& loop, Failed failed)
    : database_(std::move(database)), loop_(loop), failed_(std::move(failed)), thread_([this] { run(); }) {}

Writer::~Writer() {
  {
    const std::lock_guard guard(lock_);
    closing_ = true;
  }
  something_.notify_one();
  thread_.join();
}

void Writer::submit(Work work, Done done) {
  ++unfinished_;
  {
    const std::lock_guard guard(lock_);
    waiting_.push_back({std::move(work), std::move(done)});
  }
  something_.notify_one();
}

Writer::Figures Writer::figures() const {
  const std::lock_guard guard(lock_);
  Figures now = figures_;
  now.waiting = waiting_.size();
  return now;
}

void Writer::run() {
  for (;;) {
    std::deque<Task> tasks;
    {
      std::unique_lock guard(lock_);
      something_.wait(guard, [this] { return closing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      if (waiting_.size() <= most_together) {
        tasks.swap(waiting_);
      } else {
        const auto end = waiting_.begin() + most_together;
        tasks.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
        waiting_.erase(waiting_.begin(), end);
      }
    }
    if (broken_) continue;  // nothing after a failure is promised to anybody
    const auto began = std::chrono::steady_clock::now();
    try {
      database_->begin();
      for (Task& task : tasks) task.work(*database_);
      database_->commit();
    } catch (const std::exception& error) {
      database_->rollback();
      broken_ = true;
      loop_.post([this, why = std::string(error.what())] { failed_(why); });
      continue;
    }
    {
      const std::lock_guard guard(lock_);
      figures_.works += tasks.size();
      ++figures_.commits;
      figures_.commit_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
    loop_.post([this, tasks = std::make_shared<std::deque<Task>>(std::move(tasks))] {
      for (Task& task : *tasks) {
        --unfinished_;
        if (task.done) task.done();
      }
    });
  }
}

}  // namespace baton::table
