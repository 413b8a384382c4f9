// One small choice, and the list of those that are legal.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace baton {

// A verb of the game and up to three small numbers; the game's notation says what they mean.
struct Action {
  std::uint16_t verb = 0;
  std::uint16_t a = 0, b = 0, c = 0;
  auto operator<=>(const Action&) const = default;
};
static_assert(sizeof(Action) == 8);

// Fixed capacity, never on the heap, left uninitialised on purpose: it is filled at every decision.
class ActionList {
 public:
  static constexpr std::size_t capacity = 4096;

  ActionList() {}  // NOLINT(modernize-use-equals-default): there is nothing to begin with
  ActionList(const ActionList& other) { *this = other; }
  ActionList& operator=(const ActionList& other) {
    size_ = other.size_;
    std::copy(other.begin(), other.end(), items_.begin());
    return *this;
  }

  void clear() { size_ = 0; }
  void push(Action action) {
    assert(size_ < capacity);
    items_[size_++] = action;
  }

  // Cuts off the end.
  void shorten(std::size_t size) {
    assert(size <= size_);
    size_ = size;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Action operator[](std::size_t i) const { return items_[i]; }
  const Action* begin() const { return items_.data(); }
  const Action* end() const { return items_.data() + size_; }

 private:
  std::size_t size_ = 0;
  union {  // a member of its own would be cleared, 32 KiB of it
    std::array<Action, capacity> items_;
  };
};

}  // namespace baton
