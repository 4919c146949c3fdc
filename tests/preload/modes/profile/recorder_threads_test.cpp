// Many threads in the recorder at once, where a sanitizer can watch: passes, scopes, blocks that change hands, questions
// to memo_identify, and an end of the process while threads still run.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "planner/trace/trace.h"
#include "tests/preload/recorder_alone.h"
#include "tests/preload/temporary_folder.h"

namespace memo::testing {
namespace {

constexpr std::size_t kThreads = 4;
constexpr std::size_t kPasses = 50;
constexpr std::size_t kBlocks = 40;
constexpr std::size_t kHandedOver = 8;  // blocks of each pass that another thread frees

// Blocks on their way from one thread to the next.
class Basket {
 public:
  void put(void* block) {
    const std::lock_guard hold(mutex_);
    blocks_.push_back(block);
  }
  std::vector<void*> take_all() {
    const std::lock_guard hold(mutex_);
    return std::move(blocks_);
  }

 private:
  std::mutex mutex_;
  std::vector<void*> blocks_;
};

std::array<Basket, kThreads> g_baskets;

void free_what_others_left(std::size_t own) {
  for (void* block : g_baskets[own].take_all()) recorded_free(block);
}

void expect_identified(void* block, std::size_t size) {
  memo_allocation found{};
  EXPECT_EQ(memo_identify(static_cast<char*>(block) + size - 1, &found), 1);
  EXPECT_EQ(found.address, block);
  EXPECT_EQ(found.size, size);
}

void make_a_pass(std::size_t own) {
  memo_pass_begin(own);
  memo_scope_begin(own % 2 == 0 ? "even" : "odd");
  for (std::size_t i = 1; i <= kBlocks; ++i) {
    void* block = recorded_malloc(i);
    block = recorded_realloc(block, 100 * i);
    expect_identified(block, 100 * i);
    if (i <= kHandedOver) {
      g_baskets[(own + 1) % kThreads].put(block);
    } else {
      recorded_free(block);
    }
  }
  memo_scope_end();
  memo_pass_end();
  free_what_others_left(own);
}

// One thread goes on while the process ends: what it has recorded by then is taken from it.
void allocate_until(const std::atomic<bool>& done, std::atomic<bool>& begun) {
  memo_pass_begin(99);
  begun = true;
  while (!done) recorded_free(recorded_malloc(77));
  memo_pass_end();
}

TEST(RecorderThreads, AllTellTheirWholeStory) {
  const TemporaryFolder folder;
  const std::string path = folder.file("threads.trace");
  start_recorder(path);
  std::atomic<bool> done = false;
  std::atomic<bool> begun = false;
  std::thread restless([&] { allocate_until(done, begun); });
  std::vector<std::thread> threads;
  for (std::size_t own = 0; own < kThreads; ++own) {
    threads.emplace_back([own] {
      for (std::size_t i = 0; i < kPasses; ++i) make_a_pass(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t own = 0; own < kThreads; ++own) free_what_others_left(own);
  while (!begun) std::this_thread::yield();
  finish_recorder();
  done = true;
  restless.join();

  const planner::Trace trace = planner::read_trace(path);
  EXPECT_TRUE(trace.ended && trace.damage.empty());
  EXPECT_EQ(trace.lost + trace.unmatched_frees, 0U);
  ASSERT_EQ(trace.passes.size(), kThreads * kPasses + 1);
  for (const planner::Pass& pass : trace.passes) {
    if (pass.key == 99) continue;
    EXPECT_TRUE(pass.complete);
    EXPECT_EQ(pass.allocations.size(), 2 * kBlocks);
    for (const planner::Allocation& made : pass.allocations) {
      EXPECT_TRUE(made.freed && !made.overrun);
      EXPECT_EQ(trace.name(pass.scopes.at(made.scope).name), pass.key % 2 == 0 ? "even" : "odd");
    }
  }
}

}  // namespace
}  // namespace memo::testing
