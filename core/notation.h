// How a game spells its actions and events: one table serves JSON, the words of the record, and the texts.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton {

// What a small number stands for: a plain number, or one of the game's own things (unit, card, front …).
// A game numbers its kinds of things from 1.
using Kind = std::uint8_t;
inline constexpr Kind plain_number = 0;

struct Field {
  std::string_view name;  // the key in JSON and in message texts
  Kind kind = plain_number;
};

// A verb or an event: its name and what its numbers mean. Several phrases may share a name
// ("play smoke", "play artillery-barrage left") when their fields differ; the first that fits is taken.
struct Phrase {
  std::string_view name;
  std::array<Field, 6> fields{};
  bool reveals = false;  // an event that shows others what was secret: nothing before it can be taken back

  constexpr int size() const {
    int count = 0;
    while (count < 6 && !fields[static_cast<std::size_t>(count)].name.empty()) ++count;
    return count;
  }
};

// The text of a thing: a key of the game's catalogue, and the ordinal of a copy ("Rifle Squad 2"), 0 for none.
struct Label {
  std::string key;
  int ordinal = 0;
};

}  // namespace baton
