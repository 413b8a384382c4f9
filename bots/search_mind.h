// The search as a mind: shares the budget of a turn over its small decisions, keeps what it found out from one to the next.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "bots/glance.h"
#include "bots/in_parallel.h"
#include "bots/own_turn.h"
#include "bots/player_kind.h"
#include "bots/search.h"

namespace baton {

template <Searchable G>
class SearchMind final : public Mind<G> {
 public:
  using Scenario = typename G::Scenario;
  using Knowledge = typename G::Knowledge;
  using Clock = std::chrono::steady_clock;

  SearchMind(const SearchSettings& settings, const Budget& budget)
      : settings_(budget.all_at_once ? of_adviser(settings) : settings), budget_(budget), glance_(settings_.overlooks) {}

  Action choose(const Scenario& sc, const Knowledge& known, Seat seat, const ActionList& all_legal, Chance& chance) override {
    const auto begun = Clock::now();
    thoughts_ = {};
    ActionList legal = all_legal;
    forget_giving_up<G>(legal);
    if (legal.size() == 1) return legal[0];
    const bool opens_round = open_turn(sc, known, chance);
    const double weight = std::log2(static_cast<double>(legal.size()));
    // Rather too much for the first decisions than time left over at the end: the tree they grow serves those that follow.
    const double share = budget_.all_at_once ? 1 : std::min(0.5, 2 * weight / std::max(weight, expected_weight_ - *turn_weight_));
    *turn_weight_ += weight;
    grow(sc, known, seat, chance);
    // Where a single iteration takes long, many small decisions would add up to more than the turn may take.
    if (budget_.time.count() > 0 && time_left_.count() <= 0) {
      last_ = by_judgement(sc, known, glance_.seen<G>(legal, chance), chance);
      cancelled_ = false;
      return *last_;
    }

    const std::int64_t before = iterations();
    auto most = std::numeric_limits<std::int64_t>::max();
    if (budget_.iterations > 0)
      most = std::max<std::int64_t>(least_iterations, static_cast<std::int64_t>(share * static_cast<double>(iterations_left_)));
    std::optional<Clock::time_point> until;
    bool hardly_any_time = false;  // to start threads takes longer than that
    if (budget_.time.count() > 0 || budget_.iterations == 0) {
      const auto time = share * time_left_;
      until = begun + std::chrono::duration_cast<Clock::duration>(time);
      hardly_any_time = time < std::chrono::milliseconds(2);
    }
    search(most, until, hardly_any_time ? 1 : trees_.size());
    thoughts_ = merged(legal);
    tell_chances(sc, known);
    thoughts_.opens_round = opens_round;
    thoughts_.iterations = iterations() - before;
    const auto spent = Clock::now() - begun;
    thoughts_.seconds = std::chrono::duration<double>(spent).count();
    iterations_left_ = std::max<std::int64_t>(0, iterations_left_ - thoughts_.iterations);
    time_left_ = std::max(std::chrono::duration<double>{0}, time_left_ - std::chrono::duration<double>(spent));
    last_ = best_seen(sc, known, legal, chance);
    cancelled_ = false;
    return *last_;
  }

  Thoughts thoughts() const override { return thoughts_; }
  void cancel() override { cancelled_ = true; }

 private:
  static constexpr std::int64_t least_iterations = 4;

  // Whoever gives advice looks twice, and expects nobody to be a fool.
  static SearchSettings of_adviser(SearchSettings settings) {
    settings.overlooks = 0;
    settings.prudence = true;
    return settings;
  }

  Action best_seen(const Scenario& sc, const Knowledge& known, const ActionList& legal, Chance& chance) {
    constexpr double much_worse = 0.25;
    const ActionList seen = glance_.seen<G>(legal, chance);
    for (const Considered& one : thoughts_.actions) {
      if (one.visits == 0 || one.value < thoughts_.actions.front().value - much_worse) break;
      if (std::find(seen.begin(), seen.end(), one.action) != seen.end()) return one.action;
    }
    return by_judgement(sc, known, seen, chance);  // what was tried and is seen is bad, or nothing of it was tried
  }

  Action by_judgement(const Scenario& sc, const Knowledge& known, const ActionList& from, Chance& chance) const {
    std::vector<float> promises;
    RememberedOf<G> nothing;
    judge<G>(sc, known, settings_.prudence, nothing, from, promises);
    return from[most_promising(promises, chance)];
  }

  // True when a turn begins.
  bool open_turn(const Scenario& sc, const Knowledge& known, Chance& chance) {
    const int turn = G::turns(sc, G::imagine(sc, known, chance));
    if (!turn_.begins(turn, static_cast<int>(G::seats(sc).size()))) return false;
    // How much there is to decide in a turn shows as the game goes on.
    if (turn_weight_) expected_weight_ += 0.3 * (*turn_weight_ - expected_weight_);
    turn_weight_ = 0;
    glance_.look_again();
    iterations_left_ = budget_.iterations;
    time_left_ = budget_.time;
    return true;
  }

  void grow(const Scenario& sc, const Knowledge& known, Seat seat, Chance& chance) {
    if (!trees_.empty() && last_ && scenario_ == &sc && seat_ == seat) {
      for (auto& tree : trees_) tree->go_on(*last_, known);
      return;
    }
    trees_.clear();
    scenario_ = &sc;
    seat_ = seat;
    for (int i = 0; i < budget_.threads; ++i) {
      const std::uint64_t seed = std::uint64_t{chance.pick(1u << 31)} << 32 | chance.pick(1u << 31);
      trees_.push_back(std::make_unique<SearchTree<G>>(sc, known, seat, settings_, seed));
    }
  }

  std::int64_t iterations() const {
    std::int64_t sum = 0;
    for (const auto& tree : trees_) sum += tree->iterations();
    return sum;
  }

  // Each thread has a tree of its own, so that a count of iterations leads to the same trees however the threads take turns.
  void search(std::int64_t most, std::optional<Clock::time_point> until, std::size_t threads) {
    const auto each = static_cast<std::int64_t>(threads);
    in_parallel(threads, [&](std::size_t i) { work(*trees_[i], i == 0 ? most - most / each * (each - 1) : most / each, until); });
  }

  void work(SearchTree<G>& tree, std::int64_t most, std::optional<Clock::time_point> until) {
    const auto begun = Clock::now();
    for (std::int64_t done = 0; done < most; ++done) {
      // The first iteration is always made: without it nothing is known.
      if (done > 0 && cancelled_.load(std::memory_order_relaxed)) return;
      if (done > 0 && until && Clock::now() >= *until) return;
      if (!budget_.all_at_once && done % 64 == 63 && tree.lead() > still_possible(done, most, begun, until)) return;
      tree.iterate();
    }
  }

  // Iterations to come: when they could not change the choice any more, they are kept for the next one.
  static std::int64_t still_possible(std::int64_t done, std::int64_t most, Clock::time_point begun,
                                     std::optional<Clock::time_point> until) {
    if (!until) return most - done;
    const auto now = Clock::now();
    const double in_time = static_cast<double>(done) * ((*until - now) / std::chrono::duration<double>(now - begun));
    return std::min(most - done, static_cast<std::int64_t>(std::clamp(in_time, 0.0, 1e15)));
  }

  Thoughts merged(const ActionList& legal) const {
    Thoughts all;
    for (const auto& tree : trees_) {
      for (const Considered& one : tree->considered()) {
        const auto found =
            std::find_if(all.actions.begin(), all.actions.end(), [&](const Considered& c) { return c.action == one.action; });
        if (found == all.actions.end()) {
          all.actions.push_back(one);
          continue;
        }
        const auto visits = found->visits + one.visits;
        if (visits > 0)
          found->value = (found->value * static_cast<double>(found->visits) + one.value * static_cast<double>(one.visits)) /
                         static_cast<double>(visits);
        // Certain is what no tree has seen otherwise.
        found->certain = one.line.empty() ? found->certain : found->line.empty() ? one.certain : std::min(found->certain, one.certain);
        if (one.visits > found->visits) found->line = one.line;
        found->visits = visits;
      }
    }
    std::erase_if(all.actions, [&](const Considered& c) { return std::find(legal.begin(), legal.end(), c.action) == legal.end(); });
    std::stable_sort(all.actions.begin(), all.actions.end(), [](const Considered& a, const Considered& b) {
      return a.visits != b.visits ? a.visits > b.visits : a.value > b.value;
    });
    if (budget_.all_at_once) put_advice_first(all.actions);
    return all;
  }

  void tell_chances(const Scenario& sc, const Knowledge& known) {
    auto& all = thoughts_.actions;
    const auto most =
        std::max_element(all.begin(), all.end(), [](const Considered& a, const Considered& b) { return a.visits < b.visits; });
    for (auto one = all.begin(); one != all.end(); ++one)
      one->win_chance = sober_chance<G>(sc, known, one == most ? one->value : believed_value(*one, *most), one->visits);
  }

  const SearchSettings settings_;
  const Budget budget_;
  Glance glance_;
  std::vector<std::unique_ptr<SearchTree<G>>> trees_;
  const Scenario* scenario_ = nullptr;
  Seat seat_{};
  std::optional<Action> last_;
  Thoughts thoughts_;
  std::atomic<bool> cancelled_ = false;

  // The turn at hand. Weights are bits of choice: what a decision between 16 actions may cost, two decisions between 4 may share.
  OwnTurn turn_;
  std::optional<double> turn_weight_;  // so far
  double expected_weight_ = 20;
  std::int64_t iterations_left_ = 0;
  std::chrono::duration<double> time_left_{0};
};

}  // namespace baton
