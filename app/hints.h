// What a search would do in a person's place, in words.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "app/choices.h"
#include "bots/thoughts.h"
#include "match/match.h"

namespace baton::app {

struct HintRequest {
  std::chrono::milliseconds time{1000};
  int threads = 1;
  std::size_t actions = 1;  // how many to tell of, at most
  std::uint64_t seed = 0;
  int columns = 0;              // of a table that compares them; none: sentences
  bool may_be_stopped = false;  // Ctrl-C ends the thinking, not the program
};

// From what the seat knows and nothing else. The best first, named and numbered as on the list the person chooses from; each with its
// chance, how often it was tried, and the line expected after it.
Lines hints(const Match& match, Seat seat, const Choices& choices, const Catalogue& texts, const HintRequest& request);

// The same from thoughts that somebody already had.
Lines hints_from(const Thoughts& thoughts, const Match& match, const Choices& choices, const Catalogue& texts, const HintRequest& request);

}  // namespace baton::app
