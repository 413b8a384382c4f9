// How long players thought: as JSON and in words.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "bots/thoughts.h"
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

// How long a computer player thought, as far as the others may hear of it. A reaction that it lets go by is told with the next choice that shows: by
// itself it would tell that there was something to answer with.
class TellableTime {
 public:
  explicit TellableTime(double last) : last_(last) {}

  // `shows`: the others see that something was chosen.
  void add(double seconds, bool shows) {
    last_ = seconds;
    untold_ += seconds;
    may_be_told_ = may_be_told_ || shows;
  }
  // As long as it seemed to think about a reaction where it had no choice.
  void add_seeming(double seconds) { untold_ += seconds; }
  // What is to be told now, and is told with it; nothing of whoever does not think.
  std::optional<double> tell() {
    if (!std::exchange(may_be_told_, false) || untold_ <= 0) return std::nullopt;
    return std::exchange(untold_, 0);
  }
  double last() const { return last_; }

 private:
  double last_ = 0, untold_ = 0;
  bool may_be_told_ = false;
};

}  // namespace baton::app
