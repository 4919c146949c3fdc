// Plans with loops in loops that grow while several threads are in their loops, free what others made, and end; while the plan
// is loaded anew, and files that are none are refused. No byte is handed out twice, each reads as it was written, and the counts
// add up.
#include <atomic>
#include <fstream>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/serving/growing.h"
#include "runtime/serving/plan_in_force.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/plan/plan_bytes.h"
#include "tests/runtime/plan/plan_of_loops.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr int kThreads = 4;
constexpr unsigned kPasses = 200;

// What one thread leaves for the next one to free.
class Left {
 public:
  std::vector<LoopBlock> exchange(std::vector<LoopBlock> blocks) {
    const std::lock_guard lock(mutex_);
    return std::exchange(blocks_, std::move(blocks));
  }

 private:
  std::mutex mutex_;
  std::vector<LoopBlock> blocks_;
};

void write(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::uint64_t counted_allocations() {
  const PassFigures figures = look_at_passes();
  return figures.served + figures.missed;
}

TEST(GrowingLoops, OfSeveralThreadsHandOutNoByteTwice) {
  const PlanDescription plan = plan_of_loops();
  const Bytes whole = planner::encode_plan(plan);
  const std::uint64_t grown = statistics().plans_grown;
  serve(plan);
  const std::uint64_t before = counted_allocations();
  Shadow shadow;
  Left left;
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937 dice(thread);
      for (unsigned pass = 0; pass < kPasses; ++pass)
        free_all(shadow, left.exchange(run_pass(plan.variants[0], dice, pass % 50 * 4, shadow)));
      --running;
    });
  }
  let_growths_run_beside();
  for (std::size_t round = 0; running > 0; ++round) {
    write(plan_path(), Bytes(whole.begin(),
                             whole.begin() + static_cast<std::ptrdiff_t>(
                                                 round % 3 == 0 ? whole.size() : round * 37 % whole.size())));
    EXPECT_EQ(serve_plan(plan_path().c_str()), round % 3 == 0);
    std::filesystem::remove(plan_path());
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  free_all(shadow, left.exchange({}));
  EXPECT_EQ(shadow.live(), 0U);
  EXPECT_EQ(counted_allocations() - before, std::uint64_t{kThreads} * kPasses * kSteps);
  serve(plan);
  EXPECT_TRUE(comes_true([&] {
    std::mt19937 dice(1);
    free_all(shadow, run_pass(plan.variants[0], dice, 1000, shadow));
    return statistics().plans_grown > grown;
  }));
}

}  // namespace
}  // namespace memo::runtime
