// The threads on which computer players think, and odds are worked out. What they think with is a match imagined from one seat's knowledge.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "match/match.h"
#include "table/loop.h"

namespace baton::table {

// The levels a seat can be given, weak to strong.
const std::vector<std::string>& levels();
const std::string& standard_level();
bool is_level(std::string_view level);

class Mind;  // one computer player at one seat; keeps what it has thought

class Thinkers {
 public:
  Thinkers(Loop& loop, int threads);
  ~Thinkers();  // what has not begun is not begun any more

  struct Thought {
    std::optional<Action> action;  // nothing: the player gave up
    Json considered = Json::array();
    Milliseconds took{0};
  };

  std::shared_ptr<Mind> mind(const std::string& game, const std::string& level, bool for_one_choice = false) const;
  static const std::string& level_of(const Mind& mind);

  // One at a time for each mind. `done` is called on the loop's thread.
  void think(std::shared_ptr<Mind> mind, std::unique_ptr<Match> imagined, Seat seat, std::function<void(Thought)> done);
  // Anything that takes long.
  void work(std::function<void()> work, std::function<void()> done);

  std::size_t waiting() const;
  int unfinished() const { return unfinished_; }  // on the loop's thread

 private:
  struct Task {
    std::function<void()> work, done;
  };
  void run();

  Loop& loop_;
  mutable std::mutex lock_;
  std::condition_variable something_;
  std::deque<Task> tasks_;
  bool closing_ = false;
  int unfinished_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace baton::table
