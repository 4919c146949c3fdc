#include "tests/bench/replay/replay.h"

#include <sys/resource.h>
#include <time.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

#include "memomalloc/memomalloc.h"
#include "tests/bench/replay/allocators.h"

namespace memo::bench {
namespace {

constexpr int kWarmUpPasses = 20;

struct Share {  // of one thread
  std::uint64_t passes = 0;
  double seconds = 0;  // of processor time
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

void touch(void* block, std::size_t size) {
  auto* bytes = static_cast<volatile char*>(block);
  bytes[0] = 1;
  bytes[size - 1] = 1;
}

template <typename Allocator>
void run_steps(const Recording& recording, void** blocks, Allocator& allocator) {
  allocator.begin_pass();
  for (const Step& step : recording.steps) {
    void*& block = blocks[step.block];
    if (step.call == Call::kFree) {
      allocator.release(block);
    } else {
      block = allocator.allocate(step);
      touch(block, step.size);
    }
  }
}

// The library is there under `memomalloc profile` and `serve` only.
template <typename Allocator>
void run_pass(const Recording& recording, void** blocks, Allocator& allocator) {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  run_steps(recording, blocks, allocator);
  if (memo_pass_end != nullptr) memo_pass_end();
}

template <typename Allocator>
Share run_thread(const Recording& recording, std::barrier<>& start, const std::atomic<bool>& stop) {
  Allocator allocator(recording);
  std::vector<void*> blocks(recording.blocks);
  for (int pass = 0; pass < kWarmUpPasses; ++pass) run_pass(recording, blocks.data(), allocator);
  start.arrive_and_wait();
  Share share;
  const double begin = processor_seconds();
  while (!stop.load(std::memory_order_relaxed)) {
    run_pass(recording, blocks.data(), allocator);
    ++share.passes;
  }
  share.seconds = processor_seconds() - begin;
  return share;
}

template <typename Allocator>
Result run(const Recording& recording, unsigned threads, int milliseconds) {
  std::barrier<> start(threads + 1);
  std::atomic<bool> stop{false};
  std::vector<Share> shares(threads);
  std::vector<std::jthread> workers;
  for (Share& share : shares) {
    workers.emplace_back([&] { share = run_thread<Allocator>(recording, start, stop); });
  }
  start.arrive_and_wait();
  const long faults = page_faults();
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  stop = true;
  workers.clear();
  Result result{
      .elapsed_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
      .faults = page_faults() - faults};
  for (const Share& share : shares) {
    result.passes += share.passes;
    result.processor_seconds += share.seconds;
  }
  return result;
}

}  // namespace

Result replay(const Recording& recording, const std::string& allocator, unsigned threads, int milliseconds) {
  if (allocator == "preloaded") return run<Preloaded>(recording, threads, milliseconds);
  if (allocator == "bump") return run<Bump>(recording, threads, milliseconds);
  return run<Known>(recording, threads, milliseconds);
}

}  // namespace memo::bench
