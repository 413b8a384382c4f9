#include "table/thinkers.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "bots/mind.h"
#include "bots/player.h"

namespace baton::table {

const std::vector<std::string>& levels() {
  static const std::vector<std::string> all(mind_kinds().begin(), mind_kinds().end());
  return all;
}

const std::string& standard_level() { return levels().back(); }

bool is_level(std::string_view level) { return std::find(levels().begin(), levels().end(), level) != levels().end(); }

class Mind {
 public:
  Mind(const std::string& game, const std::string& level) : level_(level), player_(make_player(game, level, fresh_seed().seed)) {}

  const std::string& level() const { return level_; }

  Thinkers::Thought choose(const Match& imagined, Seat seat) {
    const auto began = std::chrono::steady_clock::now();
    Thinkers::Thought thought;
    if (player_) thought.action = player_->choose(imagined, seat);
    thought.took = std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - began);
    return thought;
  }

 private:
  std::string level_;
  std::unique_ptr<Player> player_;
};

Thinkers::Thinkers(Loop& loop, int threads) : loop_(loop) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

Thinkers::~Thinkers() {
  {
    const std::lock_guard guard(lock_);
    closing_ = true;
    tasks_.clear();
  }
  something_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::shared_ptr<Mind> Thinkers::mind(const std::string& game, const std::string& level) const { return std::make_shared<Mind>(game, level); }

const std::string& Thinkers::level_of(const Mind& mind) { return mind.level(); }

void Thinkers::think(std::shared_ptr<Mind> mind, std::unique_ptr<Match> imagined, Seat seat, std::function<void(Thought)> done) {
  auto thought = std::make_shared<Thought>();
  auto match = std::make_shared<std::unique_ptr<Match>>(std::move(imagined));
  work([mind = std::move(mind), match, seat, thought] { *thought = mind->choose(**match, seat); },
       [thought, done = std::move(done)] { done(std::move(*thought)); });
}

void Thinkers::work(std::function<void()> work, std::function<void()> done) {
  {
    const std::lock_guard guard(lock_);
    if (closing_) return;
    ++unfinished_;
    tasks_.push_back({std::move(work), [this, done = std::move(done)] {
                        --unfinished_;
                        done();
                      }});
  }
  something_.notify_one();
}

std::size_t Thinkers::waiting() const {
  const std::lock_guard guard(lock_);
  return tasks_.size();
}

void Thinkers::run() {
  for (;;) {
    Task task;
    {
      std::unique_lock guard(lock_);
      something_.wait(guard, [this] { return closing_ || !tasks_.empty(); });
      if (closing_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task.work();
    loop_.post(std::move(task.done));
  }
}

}  // namespace baton::table
