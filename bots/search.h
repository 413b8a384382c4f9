// Information-set Monte-Carlo tree search over imagined states.
//
// Each iteration imagines a state the seat cannot tell from the truth and plays on from it. The tree holds the seat's own decisions
// only; what other seats and the dice do in between is played by the judgement of the seat that chooses, from that seat's own
// knowledge of the imagined state, so that our secrets never steer what we expect of the others. A few turns ahead the position is
// valued. Dice differ from visit to visit, so a node stands for a sequence of own choices, not for one position ("open loop").
//
// A turn is a bag of small actions whose order often matters little. What an action brought anywhere in the turn ("all moves as
// first") stands in for what it would bring here, until it has been tried here often enough.
//
// What a position is worth soon depends less on luck than what it is worth later, but misses more: a line counts both.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bots/mind.h"
#include "bots/search_settings.h"
#include "bots/searchable.h"

namespace baton {

template <Searchable G>
class SearchTree {
 public:
  using Scenario = typename G::Scenario;
  using State = typename G::State;
  using Knowledge = typename G::Knowledge;

  SearchTree(const Scenario& sc, const Knowledge& known, Seat seat, const SearchSettings& settings, std::uint64_t seed)
      : sc_(sc), known_(known), seat_(seat), settings_(settings), chance_(seed) {
    plant();
  }

  void iterate() {
    State s = G::imagine(sc_, known_, chance_);
    const int first_turn = G::turns(sc_, s), last_turn = first_turn + turns_ahead_;
    if (std::exchange(this_turn_, first_turn) != first_turn) forget_tallies();
    path_.clear();
    taken_.clear();
    std::int32_t node = root_;
    bool in_tree = true;
    const int soon = first_turn + seats_;
    std::optional<float> early;
    Events silent = Events::unheard();
    for (;;) {
      const Seats choosing = G::choosing(sc_, s);
      const int turn = G::turns(sc_, s);
      if (choosing.empty() || turn >= last_turn) break;
      if (!early && turn >= soon && impatience_ > 0) early = G::worth(sc_, s, seat_);
      const Seat seat = choosing.front();
      const bool by_tree = seat == seat_ && in_tree;
      const bool careless = list_choices(s, seat, by_tree);
      ++decisions_;
      Action chosen = legal_[0];
      if (legal_.size() > 1) {
        if (by_tree) {
          const Knowledge known = G::observe(sc_, s, seat_);
          remember(node, known);
          const std::int32_t edge = descend(node, known, turn == first_turn);
          path_.push_back({node, edge});
          chosen = nodes_[at(node)].edges[at(edge)].action;
          if (nodes_[at(node)].edges[at(edge)].tally.visits == 0 || nodes_.size() >= most_nodes) {
            in_tree = false;
          } else {
            node = child_of(node, edge);
          }
        } else {
          chosen = careless ? any_action<G>(legal_, chance_) : usual(s, seat);
        }
        if (seat == seat_ && turn == first_turn) taken_.push_back(tally_of(chosen));
      }
      G::apply(sc_, s, seat, chosen, chance_, silent);
    }
    const Result result = G::result(sc_, s);
    const float late = result.over ? static_cast<float>(result.score[static_cast<std::size_t>(index(seat_))]) : G::worth(sc_, s, seat_);
    const float value = late + impatience_ * (early.value_or(late) - late);
    for (const auto& [n, e] : path_) nodes_[at(n)].edges[at(e)].tally.add(value);
    for (const std::int32_t t : taken_) tallies_[at(t)].add(value);
    ++iterations_;
  }

  // Goes on from the position after `chosen`, where the seat now knows `known`. What was found out stays when it was always this very
  // position that followed; otherwise the tree is empty again.
  void go_on(Action chosen, const Knowledge& known) {
    known_ = known;
    for (const Edge& edge : nodes_[at(root_)].edges) {
      if (edge.action != chosen || edge.child < 0) continue;
      const Node& child = nodes_[at(edge.child)];
      if (!child.known || !(*child.known == known) || nodes_.size() >= most_nodes / 2) break;
      root_ = edge.child;
      return;
    }
    plant();
  }

  int turns_ahead() const { return turns_ahead_; }
  std::int64_t iterations() const { return iterations_; }
  std::int64_t decisions() const { return decisions_; }

  // Of the decision at hand: how often all its actions were tried, and how far the most tried one is ahead of the next.
  std::int64_t visits() const {
    std::int64_t sum = 0;
    for (const Edge& edge : nodes_[at(root_)].edges) sum += edge.tally.visits;
    return sum;
  }
  std::int64_t lead() const {
    std::int64_t first = 0, second = 0;
    for (const Edge& edge : nodes_[at(root_)].edges) {
      if (edge.tally.visits > first) {
        second = std::exchange(first, edge.tally.visits);
      } else {
        second = std::max(second, edge.tally.visits);
      }
    }
    return first - second;
  }

  std::vector<Considered> considered() const {
    std::vector<Considered> all;
    for (const Edge& edge : nodes_[at(root_)].edges) {
      Considered& one = all.emplace_back();
      one.action = edge.action;
      one.visits = edge.tally.visits;
      one.value = edge.tally.visits > 0 ? edge.tally.mean() : -1;
      add_line(edge, one);
    }
    return all;
  }

 private:
  static constexpr std::size_t most_nodes = 200'000;
  static constexpr std::int64_t few_visits = 8;  // so many say half of what a tally can say

  struct Tally {
    std::int64_t visits = 0;
    double total = 0;
    void add(float value) {
      ++visits;
      total += value;
    }
    double mean() const { return total / static_cast<double>(visits); }  // only when visited
  };
  struct Edge {
    Action action;
    float prior = 0;
    std::int32_t child = -1;
    std::int32_t elsewhere = -1;  // the tally of the same action anywhere in this turn
    std::int64_t available = 0;
    Tally tally{};
  };
  struct Node {
    std::vector<Edge> edges;
    std::unique_ptr<Knowledge> known;  // of every visit so far; null when they differed
    bool visited = false;
    bool certain = true;  // so far every visit to it and to its parents found the same knowledge
  };

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  void plant() {
    nodes_.clear();
    nodes_.emplace_back();
    root_ = 0;
  }

  std::int32_t child_of(std::int32_t node, std::int32_t edge) {
    const std::int32_t known = nodes_[at(node)].edges[at(edge)].child;
    if (known >= 0) return known;
    const auto child = static_cast<std::int32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_.back().certain = nodes_[at(node)].certain;
    nodes_[at(node)].edges[at(edge)].child = child;
    return child;
  }

  void remember(std::int32_t n, const Knowledge& known) {
    Node& node = nodes_[at(n)];
    if (!node.certain) return;
    if (!node.visited) {
      node.known = std::make_unique<Knowledge>(known);
    } else if (!(*node.known == known)) {
      node.known.reset();
      node.certain = false;
    }
    node.visited = true;
  }

  // Picks one of the legal actions by what is known of it so far and how promising it looked.
  std::int32_t descend(std::int32_t n, const Knowledge& known, bool in_this_turn) {
    judge<G>(sc_, known, settings_.prudence, remembered_, legal_, promises_);
    std::vector<Edge>& edges = nodes_[at(n)].edges;
    double total = 0;
    std::int64_t visits = 0;
    for (const Edge& edge : edges) {
      total += edge.tally.total;
      visits += edge.tally.visits;
    }
    const float least = least_promise(visits);
    const float highest = *std::max_element(promises_.begin(), promises_.end());
    float sum = 0;
    for (float& promise : promises_) {
      if (promise < least) {
        promise = -1;
      } else {
        sum += promise = std::exp(sharpness_ * (promise - highest));
      }
    }
    // What was never tried is expected to be a little worse than the rest.
    const double untried = (visits > 0 ? total / static_cast<double>(visits) : 0.0) - 0.1;
    std::int32_t best = -1;
    double best_score = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < legal_.size(); ++i) {
      if (promises_[i] < 0) continue;
      const std::int32_t e = edge_for(edges, legal_[i], i);
      Edge& edge = edges[at(e)];
      ++edge.available;
      edge.prior += (promises_[i] / sum - edge.prior) / static_cast<float>(edge.available);
      const double score = expected(edge, untried, in_this_turn) + settings_.exploration * edge.prior *
                                                                       std::sqrt(static_cast<double>(edge.available)) /
                                                                       (1.0 + static_cast<double>(edge.tally.visits));
      if (score > best_score) {
        best_score = score;
        best = e;
      }
    }
    return best;
  }

  double expected(Edge& edge, double untried, bool in_this_turn) {
    const double here = edge.tally.visits > 0 ? edge.tally.mean() : untried;
    if (!in_this_turn) return here;
    if (edge.elsewhere < 0) edge.elsewhere = tally_of(edge.action);
    const Tally& elsewhere = tallies_[at(edge.elsewhere)];
    if (elsewhere.visits == 0) return here;
    const double trust = settings_.kinship / (settings_.kinship + static_cast<double>(edge.tally.visits)) *
                         static_cast<double>(elsewhere.visits) / static_cast<double>(elsewhere.visits + few_visits);
    return here + trust * (elsewhere.mean() - here);
  }

  std::int32_t tally_of(Action action) {
    const auto [place, is_new] =
        tally_places_.try_emplace(std::bit_cast<std::uint64_t>(action), static_cast<std::int32_t>(tallies_.size()));
    if (is_new) tallies_.emplace_back();
    return place->second;
  }
  void forget_tallies() { std::fill(tallies_.begin(), tallies_.end(), Tally{}); }

  // Progressive widening: where there are many actions, those below this promise are not looked at yet.
  float least_promise(std::int64_t visits) {
    const std::size_t open = static_cast<std::size_t>(settings_.breadth) + static_cast<std::size_t>(std::sqrt(static_cast<double>(visits)));
    if (open >= legal_.size()) return -std::numeric_limits<float>::infinity();
    ranked_ = promises_;
    std::nth_element(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(open - 1), ranked_.end(), std::greater<>());
    return ranked_[open - 1];
  }

  // Lists mostly come in the same order, so the action's place in the list is a good guess.
  static std::int32_t edge_for(std::vector<Edge>& edges, Action action, std::size_t guess) {
    if (guess < edges.size() && edges[guess].action == action) return static_cast<std::int32_t>(guess);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (edges[i].action == action) return static_cast<std::int32_t>(i);
    }
    edges.push_back({.action = action});
    return static_cast<std::int32_t>(edges.size() - 1);
  }

  // Fills `legal_` with what the seat chooses between. True when it is to take any of them, as it now and then does outside the tree.
  bool list_choices(const State& s, Seat seat, bool by_tree) {
    const auto is_careless = [&] { return !by_tree && chance_.pick(1000) < static_cast<std::uint32_t>(settings_.carelessness * 1000); };
    legal_.clear();
    if constexpr (KnowsWhatIsWorthwhile<G>) {
      const bool careless = is_careless();  // then all are listed
      if (!by_tree && !careless) {
        G::worthwhile(sc_, s, seat, legal_);
        forget_giving_up<G>(legal_);
        if (legal_.size() > 1) return false;
        legal_.clear();  // one is left, but only all of them tell whether there was a choice
      }
      G::actions(sc_, s, seat, legal_);
      forget_giving_up<G>(legal_);
      return careless;
    } else {
      G::actions(sc_, s, seat, legal_);
      forget_giving_up<G>(legal_);
      return legal_.size() > 1 && is_careless();  // no draw where there is no choice
    }
  }

  // What a seat would usually do.
  Action usual(const State& s, Seat seat) {
    judge<G>(sc_, G::observe(sc_, s, seat), settings_.prudence, remembered_, legal_, promises_);
    return legal_[most_promising(promises_, chance_)];
  }

  // What was most often chosen after it.
  void add_line(const Edge& first, Considered& one) const {
    const Edge* edge = &first;
    bool certain = true;
    while (edge->child >= 0 && one.line.size() < 12) {
      const Node& node = nodes_[at(edge->child)];
      const Edge* next = nullptr;
      for (const Edge& e : node.edges) {
        if (next == nullptr || e.tally.visits > next->tally.visits) next = &e;
      }
      if (next == nullptr || next->tally.visits < few_visits) break;
      certain = certain && node.certain;
      one.line.push_back(next->action);
      if (certain) ++one.certain;
      edge = next;
    }
  }

  const Scenario& sc_;
  Knowledge known_;
  const Seat seat_;
  const int seats_ = static_cast<int>(G::seats(sc_).size());
  const SearchSettings settings_;
  const int turns_ahead_ = settings_.while_it_pays ? std::min(settings_.turns_ahead, foresight<G>() * seats_) : settings_.turns_ahead;
  const float sharpness_ = settings_.sharpness.value_or(sharpness<G>());
  const float impatience_ = settings_.impatience.value_or(impatience<G>());
  FastChance chance_;
  std::vector<Node> nodes_;
  std::int32_t root_ = 0;
  std::vector<std::pair<std::int32_t, std::int32_t>> path_;
  ActionList legal_;
  std::vector<float> promises_, ranked_;
  RememberedOf<G> remembered_;
  std::vector<Tally> tallies_;  // of the own actions of this turn
  std::unordered_map<std::uint64_t, std::int32_t> tally_places_;
  std::vector<std::int32_t> taken_;
  int this_turn_ = -1;
  std::int64_t iterations_ = 0, decisions_ = 0;
};

}  // namespace baton
