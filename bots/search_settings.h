// How a search looks ahead. Not how long: that is the budget's.
#pragma once

#include <optional>

namespace baton {

struct SearchSettings {
  int turns_ahead = 2;         // where a line is cut and valued
  bool while_it_pays = false;  // but no further than the game finds worth while
  float exploration = 0.6f;    // how long less good actions are tried again
  float carelessness = 0.05f;  // share of decisions in the played-on part that are taken at random
  float kinship = 30.f;        // visits after which an action's own mean counts as much as that of the same action elsewhere in the turn
  int breadth = 8;             // actions looked at first; the square root of the visits more as they mount
  float overlooks = 0;         // share of what could be done that is not seen for a while
  bool prudence = true;        // everybody is expected to see what greed misses, where the game knows something of the kind
  // As the game says when they are not given:
  std::optional<float> sharpness{};  // how much more often an action that promises one more is tried at first: the logarithm
  std::optional<float>
      impatience{};  // share of a line's value that is the position's worth when everybody has had a turn, not where the line is cut
};

}  // namespace baton
