// A match as the seat that is to choose sees it. Players are handed this, never the match: the rest of the truth is out of their reach.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "match/match.h"

namespace baton {

class SeenMatch {
 public:
  SeenMatch(const Match& match, Seat seat) : match_(match), seat_(seat) {}

  // What everybody knows.
  const std::string& game() const { return match_.header().game; }
  const std::string& scenario_id() const { return match_.header().scenario.id; }
  const OptionValues& options() const { return match_.header().options; }
  const std::vector<std::string>& seats() const { return match_.seats(); }
  int turns() const { return match_.turns(); }

  // What the seat knows.
  Seat seat() const { return seat_; }
  std::string name() const { return match_.name_of(seat_); }
  std::vector<Action> actions() const { return match_.actions(seat_); }
  Json view() const { return match_.view(seat_); }
  Json events(std::size_t from) const { return match_.events(seat_, from); }
  std::string why_not(Action action) const { return match_.why_not(seat_, action); }
  std::string say_why_not(Action action, const Catalogue& words) const { return match_.say_why_not(seat_, action, words); }

  // Of a match of G. Whoever asks includes match/typed_match.h.
  template <Game G>
  const typename G::Scenario& scenario() const;
  template <Game G>
  typename G::Knowledge knowledge() const;

  // Spelling.
  std::string words(Action action) const { return match_.words(action); }
  Expected<Action> from_words(std::string_view words) const { return match_.from_words(words); }
  Expected<Action> from_json(const Json& json) const { return match_.from_json(json); }

 private:
  const Match& match_;
  const Seat seat_;
};

}  // namespace baton
