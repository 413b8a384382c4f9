#include "app/contest.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <tuple>

#include "app/file_lock.h"
#include "app/playout.h"
#include "match/json_reader.h"

namespace baton::app {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;

using Key = std::tuple<std::size_t, std::size_t, std::int64_t, std::size_t>;  // first, second, group, seat
Key key_of(const ContestGame& g) { return {g.first, g.second, g.group, g.seat}; }

Json header_of(const Contest& contest) {
  Json json = {{"format", "baton-contest"}, {"version", 1}, {"game", contest.game.game}};
  json["scenario"] = {{"id", scenario_id(contest.game.scenario.name)}, {"hash", hash_of(contest.game.scenario.text)}};
  json["options"] = contest.game.options;
  for (const PlayerKind& kind : contest.players) {
    const Budget& budget = contest.counting == Counting::time ? kind.by_time : kind.by_iterations;
    json["players"].push_back({{"kind", kind.text}, {"iterations", budget.iterations}, {"time", budget.time.count()}});
  }
  json["seed"] = contest.seed;
  return json;
}

Json json_of(const ContestGame& g) {
  Json json = {{"first", g.first}, {"second", g.second}, {"group", g.group}, {"seat", g.seat}, {"points", g.points}, {"decisions", g.decisions}, {"winners", g.winners}, {"reason", g.reason}, {"first_seconds", g.first_seconds}, {"second_seconds", g.second_seconds}};
  if (!g.forfeit.empty()) json["forfeit"] = g.forfeit;
  return json;
}

// Nothing when the line was cut off in writing or is not ours.
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
    g.first_seconds = json.at("first_seconds").get<double>();
    g.second_seconds = json.at("second_seconds").get<double>();
    g.forfeit = json.value("forfeit", std::string{});
    const bool fits = g.first < g.second && g.second < contest.players.size() && g.group >= 0 && g.seat < contest.game.seats.size() &&
                      g.points >= 0 && g.points <= 1 && std::all_of(g.winners.begin(), g.winners.end(), [&](std::size_t seat) { return seat < contest.game.seats.size(); });
    if (fits) return g;
  } catch (const nlohmann::json::exception&) {
  }
  return std::nullopt;
}

Expected<std::vector<ContestGame>> games_in_file(const Contest& contest) {
  std::error_code error;
  if (contest.file.empty() || !std::filesystem::exists(contest.file, error) || std::filesystem::file_size(contest.file, error) == 0) {
    return std::vector<ContestGame>{};
  }
  const auto text = read_text_file(contest.file, largest_file);
  if (!text) return tl::make_unexpected(text.error());
  std::vector<ContestGame> games;
  std::size_t number = 0;
  for (std::size_t from = 0; from < text->size();) {
    const std::size_t end = text->find('\n', from);
    if (end == std::string::npos) {  // cut off while it was written
      if (number == 0 && !header_of(contest).dump().starts_with(*text)) return problem(contest.file, "this is not a file of an arena; name another one.");
      break;
    }
    const std::string line = text->substr(from, end - from);
    from = end + 1;
    const auto json = read_json(line, contest.file);
    const std::string where = contest.file + " line " + std::to_string(++number);
    if (number == 1) {
      if (!json || !json->is_object() || json->value("format", Json{}) != "baton-contest") {
        return problem(where, "this is not a file of an arena; name another one.");
      }
      if (*json != header_of(contest)) {
        return problem(where, "these games were between other players, in another scenario or with another seed; name another file or use the same arguments.");
      }
      continue;
    }
    const auto game = json ? game_from(*json, contest) : std::nullopt;
    if (!game) return problem(where, "this is not a game of this contest; delete the line to play it again.");
    games.push_back(*game);
  }
  return games;
}

class Running {
 public:
  explicit Running(const Contest& contest) : contest_(contest), seats_(contest.game.seats.size()) {
    for (std::size_t i = 0; i < contest.players.size(); ++i) {
      for (std::size_t j = i + 1; j < contest.players.size(); ++j) pairings_.push_back({i, j});
    }
  }

  Expected<std::vector<ContestGame>> run() {
    FileLock own;
    if (auto taken = own.take(contest_.file); !taken) return tl::make_unexpected(taken.error());
    const auto kept = games_in_file(contest_);
    if (!kept) return tl::make_unexpected(kept.error());
    for (const ContestGame& game : *kept) done_[key_of(game)] = game;
    if (auto opened = open_file(kept->empty()); !opened) return tl::make_unexpected(opened.error());
    judge();
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < contest_.threads; ++i) workers.emplace_back([this] { work(); });
    std::atomic<bool> all_done = false;
    std::thread watcher([&] {
      for (; !all_done; std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
        if (contest_.stopped()) break_off();
      }
    });
    for (std::thread& thread : workers) thread.join();
    all_done = true;
    watcher.join();
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

  Expected<void> open_file(bool fresh) {
    if (contest_.file.empty()) return {};
    if (!fresh) {
      // What was cut off in writing goes, so that the next line is a line of its own.
      const auto text = read_text_file(contest_.file, largest_file);
      if (!text) return tl::make_unexpected(text.error());
      std::error_code error;
      const auto end = text->rfind('\n');
      std::filesystem::resize_file(contest_.file, end == std::string::npos ? 0 : end + 1, error);
    }
    file_.open(contest_.file, fresh ? std::ios::trunc : std::ios::app);
    if (fresh) file_ << header_of(contest_).dump() << std::endl;
    if (!file_) return problem(contest_.file, "this file cannot be written.");
    return {};
  }

  std::optional<ContestGame> next() {
    const std::lock_guard guard(lock_);
    while (!wrong_ && !contest_.stopped()) {
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

  // Whoever thinks chooses at once.
  void break_off() {
    const std::lock_guard guard(lock_);
    for (const Players* players : playing_) {
      for (const auto& player : *players) player->cancel();
    }
  }

  void work() {
    while (auto game = next()) {
      const auto played = play(*game);
      const std::lock_guard guard(lock_);
      if (!played) {
        wrong_ = played.error();
        return;
      }
      if (!*played) return;
      done_[key_of(*game)] = *game;
      if (file_.is_open() && !(file_ << one_line(json_of(*game)) << std::endl)) wrong_ = Problem{contest_.file, "this file cannot be written."};
      judge();
    }
  }

  // Groups count in their order, whichever ended first, so that a run gives the same answer on any number of threads.
  void judge() {
    for (Two& two : pairings_) {
      while (!two.ended && two.groups < contest_.groups) {
        double points = 0;
        bool whole = true;
        for (std::size_t seat = 0; seat < seats_ && whole; ++seat) {
          const auto found = done_.find({two.first, two.second, two.groups, seat});
          whole = found != done_.end();
          if (whole) points += found->second.points;
        }
        if (!whole) break;
        ++two.groups;
        two.score.add(points / static_cast<double>(seats_), static_cast<int>(seats_));
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
    {
      const std::lock_guard guard(lock_);
      playing_.insert(&players);
    }
    const auto done = play(game, **match, players);
    const std::lock_guard guard(lock_);
    playing_.erase(&players);
    return done;
  }

  Expected<bool> play(ContestGame& game, Match& match, const Players& players) const {
    for (;;) {
      match.take_forced();
      const Seats asked = match.choosing();
      if (asked.empty() || match.steps() >= static_cast<std::size_t>(most_decisions)) break;
      const auto i = static_cast<std::size_t>(index(asked.front()));
      const auto chosen = players[i]->choose(match, asked.front());
      if (contest_.stopped()) return false;
      if (!chosen) {
        game.forfeit = contest_.players[i == game.seat ? game.first : game.second].text + ": " + chosen.error().text();
        game.points = i == game.seat ? 0 : 1;
        game.reason = "forfeit";
        game.decisions = static_cast<std::int64_t>(match.steps());
        return true;
      }
      (i == game.seat ? game.first_seconds : game.second_seconds) += players[i]->thoughts().seconds;
      if (auto done = match.act(asked.front(), *chosen); !done) return tl::make_unexpected(done.error());
    }
    const Result result = match.result();
    game.decisions = static_cast<std::int64_t>(match.steps());
    game.reason = match.reason();
    game.points = 0.5 + 0.5 * (result.over ? result.score[game.seat] : 0);
    for (std::size_t i = 0; i < seats_; ++i) {
      if (result.won(Seat(i))) game.winners.push_back(i);
    }
    return true;
  }

  std::vector<ContestGame> result() const {
    std::vector<ContestGame> all;
    for (const Two& two : pairings_) {
      for (std::int64_t group = 0; group < two.groups; ++group) {
        for (std::size_t seat = 0; seat < seats_; ++seat) all.push_back(done_.at({two.first, two.second, group, seat}));
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
  std::ofstream file_;
  std::optional<Problem> wrong_;
};

}  // namespace

Expected<std::vector<ContestGame>> run_contest(const Contest& contest) { return Running(contest).run(); }

Score score_of(const std::vector<ContestGame>& games, std::size_t first, std::size_t second, std::size_t seats) {
  Score score;
  std::map<std::int64_t, double> points;
  for (const ContestGame& game : games) {
    if (game.first == first && game.second == second) points[game.group] += game.points;
  }
  for (const auto& [group, sum] : points) score.add(sum / static_cast<double>(seats), static_cast<int>(seats));
  return score;
}

}  // namespace baton::app
