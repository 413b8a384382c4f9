// Whoever asks for much waits for it alone.
#include "table/thinkers.h"

#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "match/registry.h"
#include "table/test_loop.h"

namespace baton::table {
namespace {

TEST(Thinkers, OwnersTakeTurns) {
  TestLoop loop;
  Thinkers thinkers(loop, 1);
  loop.busy = [&] { return thinkers.unfinished() > 0; };
  std::mutex lock;
  std::condition_variable bell;
  bool begun = false, go = false;
  std::vector<std::string> order;
  // The thread is kept busy until everything is in the queue.
  thinkers.work(
      "greedy",
      [&] {
        std::unique_lock guard(lock);
        begun = true;
        bell.notify_all();
        bell.wait(guard, [&] { return go; });
      },
      [] {});
  {
    std::unique_lock guard(lock);
    bell.wait(guard, [&] { return begun; });
  }
  const auto add = [&](const std::string& owner, const std::string& what) {
    thinkers.work(
        owner, [] {}, [&order, what] { order.push_back(what); });
  };
  for (int i = 1; i <= 4; ++i) add("greedy", "greedy " + std::to_string(i));
  add("modest", "modest 1");
  add("other", "other 1");
  add("modest", "modest 2");
  EXPECT_EQ(thinkers.unfinished_of("greedy"), 5);
  EXPECT_EQ(thinkers.unfinished_of("modest"), 2);
  {
    const std::lock_guard guard(lock);
    go = true;
  }
  bell.notify_all();
  loop.settle();
  EXPECT_THAT(order, testing::ElementsAre("greedy 1", "modest 1", "other 1", "greedy 2", "modest 2", "greedy 3", "greedy 4"));
  EXPECT_EQ(thinkers.unfinished_of("greedy"), 0);
  EXPECT_EQ(thinkers.unfinished(), 0);
  EXPECT_EQ(thinkers.waiting(), 0u);
  loop.busy = [] { return false; };
}

TEST(Thinkers, WhoThinksDoesNotHoldUpTheEnd) {
  const auto begun = std::chrono::steady_clock::now();
  {
    TestLoop loop;
    Thinkers thinkers(loop, 1);
    auto match = create_match("company-commander", {*shipped_scenario("company-commander", "normandy"), {}, {}, Seeded{1}, std::nullopt});
    ASSERT_TRUE(match);
    const Seat seat = (*match)->choosing().front();
    ASSERT_GT((*match)->actions(seat).size(), 1u);
    thinkers.think("table", thinkers.mind("company-commander", "general", true), std::move(*match), seat, [](Thinkers::Thought) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(4)) << "a general gives advice after five seconds";
}

}  // namespace
}  // namespace baton::table
