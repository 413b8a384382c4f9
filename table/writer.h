// The thread that owns the database. Whatever waits is done in one transaction, so that many actions share one sync of the disk.
//
// A change that fails ends the server: what was promised to people since could be lost. A look that fails does not.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "table/database.h"
#include "table/fault.h"
#include "table/loop.h"

namespace baton::table {

class Writer {
 public:
  using Work = std::function<void(Database&)>;
  using Done = std::function<void()>;

  // What went wrong for good: the database can no longer be trusted to keep what it is given. Called on the loop's thread.
  using Failed = std::function<void(const std::string& why)>;

  Writer(std::unique_ptr<Database> database, Loop& loop, Failed failed);
  ~Writer();  // does what was submitted first

  // From the loop's thread. `done` is called there, in order, when the work is committed. Never when the writer failed. The work may be
  // done twice: again after a rollback.
  void submit(Work work, Done done = {});

  // Looks something up and changes nothing, so that a failure costs the one who asked and nobody else: it is answered `unavailable`.
  template <class T>
  void read(std::function<T(Database&)> work, std::function<void(Outcome<T>)> done) {
    auto found = std::make_shared<std::optional<T>>();
    add({[found, work = std::move(work)](Database& database) { *found = work(database); }, [found, done] { done(std::move(**found)); },
         [done] { done(fault("unavailable", "the database did not answer; try again soon.")); }});
  }

  // Work that changes something, with a result: ask<T>([](Database& d) { return …; }, [](T found) { … }).
  template <class T>
  void ask(std::function<T(Database&)> work, std::function<void(T)> done) {
    auto found = std::make_shared<std::optional<T>>();
    submit([found, work = std::move(work)](Database& database) { *found = work(database); },
           [found, done = std::move(done)] { done(std::move(**found)); });
  }

  // Submitted and not told to be done yet. On the loop's thread.
  int unfinished() const { return unfinished_; }

  // For the metrics.
  struct Figures {
    std::uint64_t works = 0, commits = 0, failed_reads = 0;
    std::size_t waiting = 0;
    double commit_seconds = 0;  // in all
  };
  Figures figures() const;

 private:
  struct Task {
    Work work;
    Done done;
    Done failed{};  // of a look; a change has none
  };
  void add(Task task);
  void run();
  bool together(std::deque<Task>& tasks);
  bool one_by_one(std::deque<Task>& tasks);
  bool give_up(const std::exception& why);

  std::unique_ptr<Database> database_;
  Loop& loop_;
  Failed failed_;
  mutable std::mutex lock_;
  std::condition_variable something_;
  std::deque<Task> waiting_;
  Figures figures_;
  bool closing_ = false, broken_ = false;
  int unfinished_ = 0;
  std::thread thread_;
};

}  // namespace baton::table
