#include "app/contest.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <thread>
#include <tuple>

#include "app/playout.h"
#include "app/resolved_player.h"
#include "app/run_file.h"
#include "app/thinking.h"

namespace baton::app {
namespace {

using Key = std::tuple<std::size_t, std::size_t, std::int64_t, std::size_t>;  // first, second, group, seat
Key key_of(const ContestGame& g) { return {g.first, g.second, g.group, g.seat}; }

Json header_of(const Contest& contest) {
  Json json = {{"format", "baton-contest"}, {"version", 5}, {"program", BATON_VERSION}, {"game", contest.game.game}};
  json["scenario"] = {{"id", scenario_id(contest.game.scenario.name)}, {"hash", hash_of(contest.game.scenario.text)}};
  json["options"] = contest.game.options;
  json["play"] = play_fingerprint(contest.game);
  for (const PlayerKind& kind : contest.players) json["players"].push_back(resolved_player(contest.game.game, kind, contest.counting));
  json["seed"] = contest.seed;
  return json;
}

Json json_of(const ContestGame& g) {
  Json json = {{"first", g.first},   {"second", g.second},       {"group", g.group},     {"seat", g.seat},
               {"points", g.points}, {"decisions", g.decisions}, {"winners", g.winners}, {"reason", g.reason}};
  json["first_thinking"] = thinking_json(g.first_thinking);
  json["second_thinking"] = thinking_json(g.second_thinking);
  json["first_told"] = told_json(g.first_told);
  json["second_told"] = told_json(g.second_told);
  if (!g.forfeit.empty()) json["forfeit"] = g.forfeit;
  return json;
}

// Nothing when it is not ours.
std::optional<ContestGame> game_from(const Json& json, const Contest& contest) {
  try {
    ContestGame g;
    g.first = json.at("first").get<std::size_t>();
    g.second = json.at("second").get<std::size_t>();
    g.group = json.at("group").get<std::int64_t>();
    g.seat = json.at("seat").get<std::size_t>();
    g.points = json.at("points").get<double>();
    g.decisions = json.at("decisions").get<std::int64_t>();
    g.winners = json.at("winners").get<std::vector<std::size_t>>();
    g.reason = json.at("reason").get<std::string>();
    g.first_thinking = thinking_from(json.at("first_thinking"));
    g.second_thinking = thinking_from(json.at("second_thinking"));
    const auto first_told = told_from(json.at("first_told")), second_told = told_from(json.at("second_told"));
    g.forfeit = json.value("forfeit", std::string{});
    const bool fits = g.first < g.second && g.second < contest.players.size() && g.group >= 0 && g.seat < contest.game.seats.size() &&
                      g.points >= 0 && g.points <= 1 &&
                      std::all_of(g.winners.begin(), g.winners.end(), [&](std::size_t seat) { return seat < contest.game.seats.size(); });
    if (!fits || !first_told || !second_told) return std::nullopt;
    g.first_told = *first_told;
    g.second_told = *second_told;
    return g;
  } catch (const nlohmann::json::exception&) {
  }
  return std::nullopt;
}

class Running {
 public:
  explicit Running(const Contest& contest) : contest_(contest), seats_(contest.game.seats.size()) {
    for (std::size_t i = 0; i < contest.players.size(); ++i) {
      for (std::size_t j = i + 1; j < contest.players.size(); ++j) pairings_.push_back({i, j});
    }
  }

  Expected<ContestResult> run() {
    const auto kept = file_.open(contest_.file, header_of(contest_), "an arena", [&](const RunFile::Line& line) -> Expected<void> {
      const auto game = game_from(line.json, contest_);
      if (!game) return problem(line.where, "this is not a game of this contest; delete the line to play it again.");
      done_[key_of(*game)] = *game;
      done_[key_of(*game)].from_file = true;
      return {};
    });
    if (!kept) return tl::make_unexpected(kept.error());
    judge();
    std::vector<std::thread> workers;
    try {
      while (workers.size() < contest_.threads) workers.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The system has no more of them. Those that it had come to the same result, only later.
      if (workers.empty()) return problem("", "the system does not let us start a thread.");
    }
    {
      std::unique_lock guard(lock_);
      while (!somebody_ended_.wait_for(guard, std::chrono::milliseconds(20), [&] { return ended_ == workers.size(); })) {
        if (is_to_end()) break_off();
      }
    }
    for (std::thread& thread : workers) thread.join();
    if (wrong_) return tl::make_unexpected(*wrong_);
    return result();
  }

 private:
  struct Two {
    std::size_t first = 0, second = 0;
    std::int64_t groups = 0;  // whole ones, from the first on
    bool ended = false;
    Score score{};
  };

  std::optional<ContestGame> next() {
    const std::lock_guard guard(lock_);
    while (!is_to_end()) {
      const auto pairing_count = static_cast<std::int64_t>(pairings_.size()), seats = static_cast<std::int64_t>(seats_);
      const std::int64_t group = next_ / (pairing_count * seats);
      if (group >= contest_.groups) return std::nullopt;
      const Two& two = pairings_[static_cast<std::size_t>(next_ / seats % pairing_count)];
      const auto seat = static_cast<std::size_t>(next_ % seats);
      ++next_;
      ContestGame game;
      game.first = two.first;
      game.second = two.second;
      game.group = group;
      game.seat = seat;
      if (!two.ended && !done_.contains(key_of(game))) return game;
    }
    return std::nullopt;
  }

  using Players = std::vector<std::unique_ptr<Player>>;

  bool is_to_end() const { return has_failed_ || contest_.stopped(); }

  // Whoever thinks chooses at once. Under the lock.
  void break_off() {
    for (const Players* players : playing_) {
      for (const auto& player : *players) player->cancel();
    }
  }

  // The first failure is the one to tell. Under the lock.
  void fail(const Problem& problem) {
    if (!wrong_) wrong_ = problem;
    has_failed_ = true;
  }

  // Players that can be broken off as long as this lives.
  class Listed {
   public:
    Listed(Running& running, const Players& players) : running_(running), players_(players) {
      const std::lock_guard guard(running_.lock_);
      running_.playing_.insert(&players_);
    }
    ~Listed() {
      const std::lock_guard guard(running_.lock_);
      running_.playing_.erase(&players_);
    }
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

   private:
    Running& running_;
    const Players& players_;
  };

  void work() {
    Expected<void> done;
    try {
      while (auto game = next()) {
        done = play_and_keep(*game);
        if (!done) break;
      }
    } catch (const std::exception& mistake) {
      // It would end the program from here, with all that was played.
      done = problem("", std::string("this is a mistake in the program: ") + mistake.what() + ".");
    }
    const std::lock_guard guard(lock_);
    if (!done) fail(done.error());
    ++ended_;
    somebody_ended_.notify_one();
  }

  Expected<void> play_and_keep(ContestGame& game) {
    const auto played = play(game);
    if (!played) return tl::make_unexpected(played.error());
    const std::lock_guard guard(lock_);
    // After a failure the file stays as it is: what was cut short is no game, and what did not fit once must not be tried again and again.
    if (!*played || wrong_) return {};
    if (const auto kept = file_.add(json_of(game)); !kept) {
      fail(kept.error());
      return {};
    }
    done_[key_of(game)] = game;
    judge();
    return {};
  }

  // Groups count in their order, whichever ended first, so that a run gives the same answer on any number of threads.
  void judge() {
    for (Two& two : pairings_) {
      while (!two.ended && two.groups < contest_.groups) {
        std::vector<double> points;
        bool whole = true;
        for (std::size_t seat = 0; seat < seats_ && whole; ++seat) {
          const auto found = done_.find({two.first, two.second, two.groups, seat});
          whole = found != done_.end();
          if (whole) points.push_back(found->second.points);
        }
        if (!whole) break;
        ++two.groups;
        two.score.add(mean_over_sides(points, contest_.game.side_of_seat), static_cast<int>(seats_));
        two.ended = contest_.enough(two.first, two.second, two.score);
      }
    }
    contest_.progress(done_.size());
  }

  // False: broken off.
  Expected<bool> play(ContestGame& game) {
    const std::uint64_t seed = seed_of_game(contest_.seed, static_cast<std::uint64_t>(game.group));
    MatchSetup setup{contest_.game.scenario, contest_.game.options, {}, Seeded{seed}, std::nullopt};
    auto match = create_match(contest_.game.game, setup);
    if (!match) return tl::make_unexpected(match.error());
    Players players;
    for (std::size_t i = 0; i < seats_; ++i) {
      const PlayerKind& kind = contest_.players[i == game.seat ? game.first : game.second];
      players.push_back(make_player(contest_.game.game, kind, contest_.counting, seed_of_game(seed, i)));
    }
    const Listed listed(*this, players);
    return play(game, **match, players);
  }

  Expected<bool> play(ContestGame& game, Match& match, const Players& players) const {
    std::vector<std::vector<double>> told(seats_);  // chances to win, by seat
    for (;;) {
      match.take_forced();
      const Seats asked = match.choosing();
      if (asked.empty() || match.steps() >= static_cast<std::size_t>(most_decisions)) break;
      const auto i = static_cast<std::size_t>(index(asked.front()));
      const auto chosen = players[i]->choose({match, asked.front()});
      if (is_to_end()) return false;
      if (!chosen) {
        game.forfeit = chosen.error().text();  // which names the program
        game.points = i == game.seat ? 0 : 1;
        game.reason = "forfeit";
        game.decisions = static_cast<std::int64_t>(match.steps());
        return true;
      }
      const Thoughts thoughts = players[i]->thoughts();
      (i == game.seat ? game.first_thinking : game.second_thinking).add(thoughts);
      // Once a round: whoever is ahead has more to choose, and would count for more.
      for (const Considered& one : thoughts.actions) {
        if (thoughts.opens_round && one.action == *chosen && one.visits > 0) told[i].push_back(one.win_chance);
      }
      if (auto done = match.act(asked.front(), *chosen); !done) return tl::make_unexpected(done.error());
    }
    const Result result = match.result();
    game.decisions = static_cast<std::int64_t>(match.steps());
    game.reason = match.reason();
    game.points = points_of(result, contest_.game.side_of_seat, game.seat);
    for (std::size_t i = 0; i < seats_; ++i) {
      if (result.won(Seat(i))) game.winners.push_back(i);
      const double got = points_of(result, contest_.game.side_of_seat, i);
      for (const double chance : told[i]) (i == game.seat ? game.first_told : game.second_told).add(chance, got);
    }
    return true;
  }

  ContestResult result() const {
    ContestResult all;
    for (const Two& two : pairings_) {
      all.broken_off = all.broken_off || (!two.ended && two.groups < contest_.groups);
      for (std::int64_t group = 0; group < two.groups; ++group) {
        for (std::size_t seat = 0; seat < seats_; ++seat) all.games.push_back(done_.at({two.first, two.second, group, seat}));
      }
    }
    return all;
  }

  const Contest& contest_;
  const std::size_t seats_;
  std::mutex lock_;  // guards what follows
  std::vector<Two> pairings_;
  std::map<Key, ContestGame> done_;
  std::set<const Players*> playing_;
  std::int64_t next_ = 0;
  RunFile file_;
  std::optional<Problem> wrong_;
  std::size_t ended_ = 0;  // workers
  std::condition_variable somebody_ended_;
  std::atomic<bool> has_failed_ = false;  // wrong_ is there, for those without the lock
};

}  // namespace

Expected<ContestResult> run_contest(const Contest& contest) { return Running(contest).run(); }

Score score_of(const std::vector<ContestGame>& games, std::size_t first, std::size_t second, const ChosenGame& game) {
  Score score;
  std::map<std::int64_t, std::vector<double>> groups;
  for (const ContestGame& played : games) {
    if (played.first != first || played.second != second) continue;
    groups.try_emplace(played.group, game.seats.size()).first->second[played.seat] = played.points;
  }
  for (const auto& [group, points] : groups) score.add(mean_over_sides(points, game.side_of_seat), static_cast<int>(game.seats.size()));
  return score;
}

}  // namespace baton::app
