// Information-set Monte-Carlo tree search over imagined states.
//
// Each iteration imagines a state the seat cannot tell from the truth and plays on from it. The tree holds the seat's own decisions
// only; what other seats and the dice do in between is played by the judgement of the seat that chooses, from that seat's own
// knowledge of the imagined state, so that our secrets never steer what we expect of the others. A few turns ahead the position is
// valued. Dice differ from visit to visit, so a node stands for a sequence of own choices, not for one position ("open loop").
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "bots/mind.h"

namespace baton {

struct SearchSettings {
  int turns_ahead = 2;         // where a line is cut and valued
  float exploration = 0.6f;    // how long less good actions are tried again
  float sharpness = 6.f;       // how much more often an action that looks better is tried at first
  float carelessness = 0.05f;  // share of decisions in the played-on part that are taken at random
};

// What the search thinks of one action.
struct Considered {
  Action action;
  std::int64_t visits = 0;
  double value = 0;  // expected result for the seat, -1…1
};

// A game that can be searched: it judges actions and positions.
template <class G>
concept Searchable = Game<G> && requires(const typename G::Scenario& sc, const typename G::State& s, Seat seat) {
  { G::worth(sc, s, seat) } -> std::same_as<float>;  // -1…1
  { G::turns(sc, s) } -> std::same_as<int>;          // never falls; one more with each turn of a seat
};

template <Searchable G>
class SearchTree {
 public:
  using Scenario = typename G::Scenario;
  using State = typename G::State;
  using Knowledge = typename G::Knowledge;

  SearchTree(const Scenario& sc, const Knowledge& known, Seat seat, const SearchSettings& settings, std::uint64_t seed)
      : sc_(sc), known_(known), seat_(seat), settings_(settings), chance_(seed) {
    nodes_.reserve(1024);
    nodes_.emplace_back();
  }

  void iterate() {
    State s = G::imagine(sc_, known_, chance_);
    const int last_turn = G::turns(sc_, s) + settings_.turns_ahead;
    path_.clear();
    std::int32_t node = 0;
    bool in_tree = true;
    Events silent = Events::unheard();
    for (;;) {
      const Seats choosing = G::choosing(sc_, s);
      if (choosing.empty() || G::turns(sc_, s) >= last_turn) break;
      const Seat seat = choosing.front();
      legal_.clear();
      G::actions(sc_, s, seat, legal_);
      ++decisions_;
      Action chosen = legal_[0];
      if (legal_.size() > 1) {
        if (seat == seat_ && in_tree) {
          const auto [edge, fresh] = descend(node, s);
          path_.push_back({node, edge});
          chosen = nodes_[at(node)].edges[at(edge)].action;
          if (fresh) {
            in_tree = false;
          } else {
            node = child_of(node, edge);
          }
        } else {
          chosen = usual(s, seat);
        }
      }
      G::apply(sc_, s, seat, chosen, chance_, silent);
    }
    const Result result = G::result(sc_, s);
    const float value = result.over ? static_cast<float>(result.score[static_cast<std::size_t>(index(seat_))]) : G::worth(sc_, s, seat_);
    for (const auto& [n, e] : path_) {
      Edge& edge = nodes_[at(n)].edges[at(e)];
      ++edge.visits;
      edge.total += value;
    }
    ++iterations_;
  }

  std::int64_t iterations() const { return iterations_; }
  std::int64_t decisions() const { return decisions_; }

  std::vector<Considered> considered() const {
    std::vector<Considered> all;
    for (const Edge& edge : nodes_[0].edges) all.push_back({edge.action, edge.visits, edge.visits > 0 ? edge.total / static_cast<double>(edge.visits) : -1.0});
    return all;
  }

 private:
  struct Edge {
    Action action;
    float prior = 0;
    std::int32_t child = -1;
    std::int64_t visits = 0, available = 0;
    double total = 0;
  };
  struct Node {
    std::vector<Edge> edges;
  };

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  std::int32_t child_of(std::int32_t node, std::int32_t edge) {
    const std::int32_t known = nodes_[at(node)].edges[at(edge)].child;
    if (known >= 0) return known;
    const auto child = static_cast<std::int32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_[at(node)].edges[at(edge)].child = child;
    return child;
  }

  // Picks one of the legal actions by what is known of it so far and how promising it looked; true when it was never tried before.
  std::pair<std::int32_t, bool> descend(std::int32_t node, const State& s) {
    judge(s, seat_);
    std::vector<Edge>& edges = nodes_[at(node)].edges;
    float highest = promises_[0];
    for (const float promise : promises_) highest = std::max(highest, promise);
    float sum = 0;
    for (float& promise : promises_) sum += promise = std::exp(settings_.sharpness * (promise - highest));
    const double untried = mean_of(edges) - 0.1;  // what was never tried is expected to be a little worse than the rest
    std::int32_t best = -1;
    double best_score = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < legal_.size(); ++i) {
      const std::int32_t e = edge_for(edges, legal_[i]);
      Edge& edge = edges[at(e)];
      ++edge.available;
      edge.prior += (promises_[i] / sum - edge.prior) / static_cast<float>(edge.available);
      const double score = (edge.visits > 0 ? edge.total / static_cast<double>(edge.visits) : untried) +
                           settings_.exploration * edge.prior * std::sqrt(static_cast<double>(edge.available)) / (1.0 + static_cast<double>(edge.visits));
      if (score > best_score) {
        best_score = score;
        best = e;
      }
    }
    return {best, edges[at(best)].visits == 0};
  }

  static double mean_of(const std::vector<Edge>& edges) {
    double total = 0;
    std::int64_t visits = 0;
    for (const Edge& edge : edges) {
      total += edge.total;
      visits += edge.visits;
    }
    return visits > 0 ? total / static_cast<double>(visits) : 0.0;
  }

  static std::int32_t edge_for(std::vector<Edge>& edges, Action action) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (edges[i].action == action) return static_cast<std::int32_t>(i);
    }
    edges.push_back({action, 0, -1, 0, 0, 0});
    return static_cast<std::int32_t>(edges.size() - 1);
  }

  void judge(const State& s, Seat seat) {
    promises_.resize(legal_.size());
    G::promise(sc_, G::observe(sc_, s, seat), legal_, promises_);
  }

  // What a seat would usually do: the most promising action, now and then any.
  Action usual(const State& s, Seat seat) {
    if (chance_.pick(1000) < static_cast<std::uint32_t>(settings_.carelessness * 1000)) return any_action<G>(legal_, chance_);
    judge(s, seat);
    std::size_t best = 0;
    for (std::size_t i = 1; i < legal_.size(); ++i) {
      if (promises_[i] > promises_[best]) best = i;
    }
    return legal_[best];
  }

  const Scenario& sc_;
  const Knowledge known_;
  const Seat seat_;
  const SearchSettings settings_;
  FastChance chance_;
  std::vector<Node> nodes_;
  std::vector<std::pair<std::int32_t, std::int32_t>> path_;
  ActionList legal_;
  std::vector<float> promises_;
  std::int64_t iterations_ = 0, decisions_ = 0;
};

}  // namespace baton
