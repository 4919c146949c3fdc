// A recorder that is stopped and resumed again and again while threads work, where a sanitizer can watch. Blocks live across
// the changes, go from thread to thread, grow and shrink. Each recording is a trace of its own that tells whole passes, and
// no block is taken for one of a recording before: its end would look overwritten.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "planner/trace/trace.h"
#include "preload/modes/profile/recording.h"
#include "preload/route/route.h"
#include "tests/preload/recorder_alone.h"
#include "tests/preload/temporary_folder.h"

namespace memo::testing {
namespace {

constexpr std::size_t kThreads = 3;
constexpr std::size_t kRecordings = 12;
constexpr std::size_t kBlocks = 30;

std::mutex g_mutex;
std::vector<void*> g_left;  // by passes, for others to free

void leave(void* block) {
  const std::lock_guard hold(g_mutex);
  g_left.push_back(block);
}

void free_some_that_were_left(std::size_t at_least_left) {
  std::vector<void*> taken;
  {
    const std::lock_guard hold(g_mutex);
    for (; g_left.size() > at_least_left; g_left.pop_back()) taken.push_back(g_left.back());
  }
  for (void* block : taken) recorded_free(recorded_realloc(block, 333));
}

// Makes a pass. Recording goes on as in mode auto: a thread is recorded again from its next pass on.
void make_a_pass() {
  guest::t_route = guest::Route::kRecorded;
  memo_pass_begin(0);
  for (std::size_t i = 1; i <= kBlocks; ++i) {
    void* block = recorded_realloc(recorded_malloc(i), 100 * i);
    i == kBlocks ? leave(block) : recorded_free(block);
  }
  memo_pass_end();
  free_some_that_were_left(50);
}

void expect_whole_passes(const std::string& path) {
  const planner::Trace trace = planner::read_trace(path);
  EXPECT_TRUE(trace.damage.empty()) << path;
  for (const planner::Pass& pass : trace.passes) {
    if (!pass.complete) continue;
    EXPECT_EQ(pass.allocations.size(), 2 * kBlocks) << path;
    for (const planner::Allocation& made : pass.allocations) EXPECT_FALSE(made.overrun) << path;
  }
}

TEST(RecorderResumed, EachRecordingIsATraceOfItsOwn) {
  const TemporaryFolder folder;
  const std::string path = folder.file("again.trace");
  start_recorder(path);
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (std::size_t own = 0; own < kThreads; ++own) {
    threads.emplace_back([&done] {
      while (!done) make_a_pass();
    });
  }
  for (std::size_t recording = 1; recording <= kRecordings; ++recording) {
    // The recorder counts and wakes nobody.
    while (guest::passes_recorded() < 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (recording == kRecordings) break;
    guest::stop_recording(nullptr);
    EXPECT_FALSE(guest::is_recording());
    while (!guest::resume_recording()) std::this_thread::yield();
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  free_some_that_were_left(0);
  finish_recorder();
  expect_whole_passes(path);
  for (std::size_t recording = 2; recording <= kRecordings; ++recording)
    expect_whole_passes(path + "." + std::to_string(recording));
}

}  // namespace
}  // namespace memo::testing
