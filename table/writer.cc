#include "table/writer.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>

#include "table/log.h"

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

void Writer::submit(Work work, Done done) { add({std::move(work), std::move(done)}); }

void Writer::add(Task task) {
  ++unfinished_;
  {
    const std::lock_guard guard(lock_);
    waiting_.push_back(std::move(task));
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
    if (!together(tasks) && !one_by_one(tasks)) continue;
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

// False: nothing was done.
bool Writer::together(std::deque<Task>& tasks) {
  try {
    database_->begin();
    for (Task& task : tasks) task.work(*database_);
    database_->commit();
    return true;
  } catch (const std::exception& error) {
    database_->rollback();
    const bool any_reads = std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.failed != nullptr; });
    return any_reads ? false : give_up(error);
  }
}

// One of them failed, and a transaction with a failure in it is lost as a whole: each gets its own, so that only the one that fails itself
// does. False: one was a change.
bool Writer::one_by_one(std::deque<Task>& tasks) {
  if (broken_) return false;
  for (Task& task : tasks) {
    try {
      database_->begin();
      task.work(*database_);
      database_->commit();
    } catch (const std::exception& error) {
      database_->rollback();
      if (!task.failed) return give_up(error);
      log_line(spdlog::level::err, "database-read-failed", {{"reason", Database::reason_of(error)}});
      task.done = task.failed;
      const std::lock_guard guard(lock_);
      ++figures_.failed_reads;
    }
  }
  return true;
}

bool Writer::give_up(const std::exception& why) {
  broken_ = true;
  loop_.post([this, reason = Database::reason_of(why)] { failed_(reason); });
  return false;
}

}  // namespace baton::table
