// How long players thought: as JSON and in words.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "bots/thoughts.h"
#include "core/chance.h"
#include "core/game.h"

namespace baton::app {

// {"choices","seconds","longest"}
Json thinking_json(const ThinkingTime& thinking);
// Of what thinking_json made; throws Json::exception for anything else.
ThinkingTime thinking_from(const Json& json);

// "0.19 ms", "19 ms"
std::string in_milliseconds(double seconds);
// "2.31 s over 120 choices: 19 ms each, 310 ms at most"
std::string thinking_words(const ThinkingTime& thinking);

// How long a computer player thought, as far as the others may hear of it: about what they see it choose. Thought about a reaction that it
// lets go by would tell that there was something to answer with.
class TellableTime {
 public:
  // `reaction`: how long it may well think about one.
  explicit TellableTime(double reaction) : reaction_(reaction) {}

  // `shows`: the others see that something was chosen.
  void add(double seconds, bool shows, bool is_reaction) {
    if (shows) untold_ += seconds;
    if (is_reaction) reaction_ = std::max(reaction_, seconds);
  }
  // What is to be told now, and is told with it; nothing of whoever does not think.
  std::optional<double> tell() {
    const double seconds = std::exchange(untold_, 0);
    return seconds > 0 ? std::optional(seconds) : std::nullopt;
  }
  // How long it takes to let a reaction go by, whether it thought about it or there was nothing to think about: a little longer than the
  // longest of its reactions.
  double before_passing(Chance& chance) const { return reaction_ * (1 + chance.pick(501) / 1000.0); }

 private:
  double reaction_ = 0, untold_ = 0;
};

}  // namespace baton::app
