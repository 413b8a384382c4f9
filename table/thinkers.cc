#include "table/thinkers.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "bots/player.h"

namespace baton::table {

const std::vector<std::string>& levels() {
  static const std::vector<std::string> all(level_names().begin(), level_names().end());
  return all;
}

const std::string& standard_level() {
  static const std::string level = "sergeant";
  return level;
}

// Only by name: settings and programs of their own are not for strangers.
bool is_level(std::string_view level) {
  const auto& known = player_kinds();
  return std::find(known.begin(), known.end(), level) != known.end();
}

class Mind {
 public:
  Mind(const std::string& game, const std::string& level, bool all_at_once) : level_(level) {
    auto kind = read_player_kind(level);
    if (!kind) return;
    kind->by_time.all_at_once = all_at_once;
    if (all_at_once) kind->by_time.iterations = 0;  // a level's time, whole
    player_ = make_player(game, *kind, Counting::time, fresh_seed().seed);
  }

  const std::string& level() const { return level_; }
  void cancel() {
    if (player_) player_->cancel();
  }

  Thinkers::Thought choose(const Match& imagined, Seat seat) {
    const auto began = std::chrono::steady_clock::now();
    Thinkers::Thought thought;
    if (player_) {
      if (const auto action = player_->choose({imagined, seat})) thought.action = *action;
      const Thoughts thoughts = player_->thoughts();
      double tried = 0;
      for (const Considered& one : thoughts.actions) tried += static_cast<double>(one.visits);
      for (const Considered& one : thoughts.actions) {
        if (one.visits == 0 || thought.considered.size() >= 5) break;
        const std::size_t shown = std::min<std::size_t>(one.line.size(), 4);
        Json line = Json::array();
        for (std::size_t i = 0; i < shown; ++i) line.push_back(imagined.json(one.line[i]));
        thought.considered.push_back({{"action", imagined.json(one.action)},
                                      {"share", static_cast<double>(one.visits) / tried},
                                      {"chance", one.win_chance},
                                      {"line", std::move(line)},
                                      {"certain", std::min(one.certain, shown)}});
      }
    }
    thought.took = std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - began);
    return thought;
  }

 private:
  std::string level_;
  std::unique_ptr<Player> player_;
};

Thinkers::Thinkers(Loop& loop, int threads, int courtesy) : loop_(loop) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this, courtesy] { run(courtesy); });
}

Thinkers::~Thinkers() {
  {
    const std::lock_guard guard(lock_);
    closing_ = true;
    tasks_.clear();
    turns_.clear();
    for (Mind* mind : thinking_) mind->cancel();
  }
  something_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::shared_ptr<Mind> Thinkers::mind(const std::string& game, const std::string& level, bool for_one_choice) const {
  return std::make_shared<Mind>(game, level, for_one_choice);
}

const std::string& Thinkers::level_of(const Mind& mind) { return mind.level(); }

void Thinkers::think(const std::string& owner, std::shared_ptr<Mind> mind, std::unique_ptr<Match> imagined, Seat seat,
                     std::function<void(Thought)> done) {
  auto thought = std::make_shared<Thought>();
  auto match = std::make_shared<std::unique_ptr<Match>>(std::move(imagined));
  work(
      owner, [this, mind = std::move(mind), match, seat, thought] { *thought = chosen_by(*mind, **match, seat); },
      [thought, done = std::move(done)] { done(std::move(*thought)); });
}

Thinkers::Thought Thinkers::chosen_by(Mind& mind, const Match& imagined, Seat seat) {
  {
    const std::lock_guard guard(lock_);
    if (closing_) return {};
    thinking_.push_back(&mind);
  }
  Thought thought = mind.choose(imagined, seat);
  const std::lock_guard guard(lock_);
  std::erase(thinking_, &mind);
  return thought;
}

void Thinkers::work(const std::string& owner, std::function<void()> work, std::function<void()> done) {
  {
    const std::lock_guard guard(lock_);
    if (closing_) return;
    auto& own = tasks_[owner];
    if (own.empty()) turns_.push_back(owner);
    own.push_back({std::move(work), [this, owner, done = std::move(done)] {
                     --unfinished_;
                     if (--unfinished_of_[owner] == 0) unfinished_of_.erase(owner);
                     done();
                   }});
    ++waiting_;
  }
  ++unfinished_;
  ++unfinished_of_[owner];
  something_.notify_one();
}

std::size_t Thinkers::waiting() const {
  const std::lock_guard guard(lock_);
  return waiting_;
}

int Thinkers::unfinished_of(const std::string& owner) const {
  const auto found = unfinished_of_.find(owner);
  return found == unfinished_of_.end() ? 0 : found->second;
}

void Thinkers::run(int courtesy) {
  if (courtesy > 0) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), courtesy);
  for (;;) {
    Task task;
    {
      std::unique_lock guard(lock_);
      something_.wait(guard, [this] { return closing_ || !turns_.empty(); });
      if (closing_) return;
      const std::string owner = std::move(turns_.front());
      turns_.pop_front();
      const auto own = tasks_.find(owner);
      task = std::move(own->second.front());
      own->second.pop_front();
      --waiting_;
      if (own->second.empty()) {
        tasks_.erase(own);
      } else {
        turns_.push_back(owner);
      }
    }
    task.work();
    loop_.post(std::move(task.done));
  }
}

}  // namespace baton::table
