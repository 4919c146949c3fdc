// What processors do for this process: whether a thread works, and whether one would.
#include "runtime/platform/effort.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "runtime/platform/clock.h"

namespace memo::runtime {
namespace {

constexpr std::int64_t kMoment = kSecond / 50;

void work_for(std::int64_t nanoseconds) {
  for (const std::int64_t begin = nanoseconds_worked(); nanoseconds_worked() - begin < nanoseconds;) {
  }
}

TEST(Effort, OfAThreadCountsForTheProcess) {
  const std::int64_t before = nanoseconds_worked();
  std::thread(work_for, kMoment).join();
  EXPECT_GE(nanoseconds_worked() - before, kMoment);
}

// The calling thread runs, of course.
TEST(Effort, NobodyElseWouldRunInAThreadAlone) {
  EXPECT_FALSE(another_thread_would_run());
}

TEST(Effort, AThreadThatSleepsWouldNotRunAndOneThatWorksWould) {
  std::atomic<bool> works{false}, over{false};
  std::thread other([&] {
    works.wait(false);
    while (!over) {
    }
  });
  while (another_thread_would_run()) std::this_thread::yield();  // until it sleeps
  EXPECT_FALSE(another_thread_would_run());
  works = true;
  works.notify_one();
  while (!another_thread_would_run()) std::this_thread::yield();  // until it works
  EXPECT_TRUE(another_thread_would_run());
  over = true;
  other.join();
}

// Others than the first few, whose entries the kernel hands out later.
TEST(Effort, OneOfManyThreadsIsFound) {
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 200; ++thread) threads.emplace_back([&] { over.wait(false); });
  while (another_thread_would_run()) std::this_thread::yield();
  std::atomic<bool> works{true};
  threads.emplace_back([&] {
    while (works) {
    }
  });
  EXPECT_TRUE(another_thread_would_run());
  works = false;
  over = true;
  over.notify_all();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace memo::runtime
