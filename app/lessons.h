// What the results of games teach about the weights of a judgement: a logistic regression of results on positions, one step of Newton's
// method from the weights as they are. What games teach is a sum, so it can be gathered in any order of batches and kept.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/weights_file.h"

namespace baton::app {

// A position of a game as one side saw it, and what became of it.
struct Lesson {
  double log_odds = 0;         // to win, by the weights as they are
  std::vector<double> slopes;  // of the log odds, over each weight
  double result = 0;           // points, 0…1
};

// By how much results were better than expected, for each weight (gradient), and how surely the games tell (curvature, the lower triangle
// by rows).
struct Lessons {
  std::vector<double> gradient, curvature;

  explicit Lessons(std::size_t weights) : gradient(weights), curvature(weights * (weights + 1) / 2) {}
  // However many positions a game has, it counts as one: they share their result.
  void add_game(std::span<const Lesson> positions);
  void add(const Lessons& others);
};

// The most likely weights, taken that each is wrong by a step or so. What the games say nothing about stays as it is.
WeightValues learned(const WeightValues& start, const Lessons& lessons);

}  // namespace baton::app
