// The threads on which computer players think, and on which everything is done that takes longer than the loop may wait. What computer
// players think with is a match imagined from one seat's knowledge.
//
// Work belongs to somebody, and owners take turns: whoever asks for much waits for it alone.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
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
  // `courtesy` as of nice(1): how far its threads stand back behind others of this program.
  Thinkers(Loop& loop, int threads, int courtesy = 0);
  ~Thinkers();  // what has not begun is not begun any more, and who is thinking comes to an end at once

  struct Thought {
    std::optional<Action> action;  // nothing: the player gave up
    Json considered = Json::array();
    Milliseconds took{0};
  };

  std::shared_ptr<Mind> mind(const std::string& game, const std::string& level, bool for_one_choice = false) const;
  static const std::string& level_of(const Mind& mind);

  // From the loop's thread, and `done` is called there. One at a time for each mind.
  void think(const std::string& owner, std::shared_ptr<Mind> mind, std::unique_ptr<Match> imagined, Seat seat,
             std::function<void(Thought)> done);
  // Anything that takes long.
  void work(const std::string& owner, std::function<void()> work, std::function<void()> done);

  std::size_t waiting() const;
  // Given and not told to be done yet. On the loop's thread.
  int unfinished() const { return unfinished_; }
  int unfinished_of(const std::string& owner) const;

 private:
  struct Task {
    std::function<void()> work, done;
  };
  void run(int courtesy);
  Thought chosen_by(Mind& mind, const Match& imagined, Seat seat);

  Loop& loop_;
  mutable std::mutex lock_;
  std::condition_variable something_;
  std::unordered_map<std::string, std::deque<Task>> tasks_;  // by owner; none is empty
  std::deque<std::string> turns_;                            // each owner of a task once
  std::size_t waiting_ = 0;
  std::vector<Mind*> thinking_;  // at this moment
  bool closing_ = false;
  int unfinished_ = 0;
  std::unordered_map<std::string, int> unfinished_of_;
  std::vector<std::thread> threads_;
};

}  // namespace baton::table
