// What happened, as data, each with its audience. Words are put on later, in the reader's language.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/seat.h"

namespace baton {

struct Event {
  std::uint16_t kind = 0;  // one of the game's event kinds
  Seats audience;          // who may know it
  std::array<std::int16_t, 6> with{};
  bool operator==(const Event&) const = default;
};

// Where rules tell what happened. Bulk play passes `Events::unheard()`, which costs one branch and never allocates.
class Events {
 public:
  static Events unheard() { return Events(nullptr); }
  explicit Events(std::vector<Event>* into) : into_(into) {}

  bool heard() const { return into_ != nullptr; }

  template <class Kind, class... With>
  void tell(Seats audience, Kind kind, With... with) {
    static_assert(sizeof...(With) <= 6);
    if (into_ == nullptr) return;
    into_->push_back({static_cast<std::uint16_t>(kind), audience, {static_cast<std::int16_t>(with)...}});
  }

 private:
  std::vector<Event>* into_;
};

}  // namespace baton
