// No decision of bulk play allocates: counted by a global operator new of this test program's own.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "app/playout.h"
#include "match/registry.h"

namespace {
std::atomic<std::int64_t> allocations{0};
}

// Never inlined, or GCC takes the malloc of one and the free of another for a mistake.
// NOLINTBEGIN
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new[](std::size_t size) { return operator new(size); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
// NOLINTEND

namespace baton::app {
namespace {

template <Game G>
void expect_no_allocations(const typename G::Scenario& sc, const std::string& scenario) {
  std::int64_t decisions = 0;
  const std::int64_t before = allocations;
  for (std::uint64_t game = 0; game < 50; ++game) {
    FastChance dice(game), choices(game, choice_stream);
    Events unheard = Events::unheard();
    auto s = G::start(sc, dice, unheard);
    const auto choose = [&](Seat seat, const ActionList& legal) {
      // A mind's way: knowledge, and a state imagined from it, are values too.
      auto imagined = G::imagine(sc, G::observe(sc, s, seat), choices);
      G::apply(sc, imagined, seat, legal[0], choices, unheard);
      return any_action<G>(legal, choices);
    };
    decisions += play_out<G>(sc, s, dice, choose, [](Seat, const ActionList&, Action) {});
  }
  EXPECT_EQ(allocations - before, 0) << G::id << " " << scenario << " in " << decisions << " decisions";
  EXPECT_GT(decisions, 1000);
}

TEST(Allocation, NonePerDecisionInAnyGame) {
  for (const std::string& game : game_ids()) {
    with_game(game, [&]<class Tag>(Tag) {
      using G = typename Tag::Type;
      for (const std::string& id : scenario_ids(game)) {
        const auto file = shipped_scenario(game, id);
        ASSERT_TRUE(file);
        const auto scenario = G::load(*file, {});
        ASSERT_TRUE(scenario);
        expect_no_allocations<G>(*scenario, id);
      }
    });
  }
}

TEST(Allocation, TheCounterCounts) {
  const std::int64_t before = allocations;
  auto* made = new int(1);
  asm volatile("" : : "r"(made) : "memory");  // so that the pair is not left out
  delete made;
  EXPECT_GE(allocations - before, 1);
}

}  // namespace
}  // namespace baton::app
