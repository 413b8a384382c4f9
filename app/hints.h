// What a search would do in a person's place, in words.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "match/match.h"

namespace baton::app {

struct HintRequest {
  std::chrono::milliseconds time{1000};
  int threads = 1;
  std::size_t actions = 1;  // how many to tell of, at most
  std::uint64_t seed = 0;
};

// From what the seat knows and nothing else. The best first; each with its chance, how often it was tried, and the line expected after it.
std::vector<std::string> hints(const Match& match, Seat seat, const Catalogue& texts, const HintRequest& request);

}  // namespace baton::app
