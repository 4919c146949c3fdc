// What a pass's allocations and frees cost without its computation: replays one pass of a trace again and again, on
// whatever allocator is preloaded, writing to the first and the last byte of each block. scripts/bench-replay runs it
// under several in turn.
//
//   trace_replay T [--threads 1,2,4,8] [--milliseconds N] [--allocator preloaded|bump|known]
//
// Prints one JSON array with an object for each number of threads. Each thread runs passes of its own. Nanoseconds are
// processor time of all threads for one allocation and its free; with more threads than cores, elapsed time measures the
// scheduler.

#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <barrier>
#include <chrono>
#include <functional>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "memomalloc/memomalloc.h"
#include "tests/bench/replay/allocators.h"
#include "tests/bench/replay/recording.h"

namespace memo::bench {
namespace {

constexpr int kWarmUpPasses = 20;

struct Settings {
  std::string trace;
  std::vector<unsigned> threads{1};
  int milliseconds = 200;
  std::string allocator = "preloaded";
};

struct Share {  // of one thread
  std::uint64_t passes = 0;
  double seconds = 0;  // of processor time
};

struct Result {
  std::uint64_t passes = 0;
  double processor_seconds = 0;
  double elapsed_seconds = 0;
  long faults = 0;
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
  Result result{.elapsed_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                .faults = page_faults() - faults};
  for (const Share& share : shares) {
    result.passes += share.passes;
    result.processor_seconds += share.seconds;
  }
  return result;
}

using Runner = std::function<Result(const Recording&, unsigned, int)>;

Runner runner_for(const std::string& allocator) {
  if (allocator == "preloaded") return run<Preloaded>;
  if (allocator == "bump") return run<Bump>;
  return run<Known>;
}

std::string to_json(const Recording& recording, unsigned threads, const Result& result) {
  const auto passes = static_cast<double>(result.passes);
  const double pairs = passes * recording.blocks;
  return fmt::format(
      R"({{"threads": {}, "blocks": {}, "passes": {}, "ns": {:.4f}, "elapsed_ns": {:.4f}, "faults": {:.3f}}})", threads,
      recording.blocks, result.passes, 1e9 * result.processor_seconds / pairs, 1e9 * result.elapsed_seconds / pairs,
      static_cast<double>(result.faults) / passes);
}

void replay(const Settings& settings) {
  const Recording recording = read_recording(settings.trace);
  const Runner runner = runner_for(settings.allocator);
  const char* separator = "[";
  for (const unsigned threads : settings.threads) {
    const Result result = runner(recording, threads, settings.milliseconds);
    fmt::print("{}{}", separator, to_json(recording, threads, result));
    separator = ",\n ";
  }
  fmt::print("]\n");
}

}  // namespace
}  // namespace memo::bench

int main(int argc, char** argv) {
  memo::bench::Settings settings;
  CLI::App app{"Replays the allocations of a trace's pass on the allocator this program runs on"};
  app.add_option("trace", settings.trace, "What `memomalloc profile` recorded")->required();
  app.add_option("--threads", settings.threads, "How many at once; several are measured in turn")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--milliseconds", settings.milliseconds, "How long for each")->check(CLI::PositiveNumber);
  app.add_option("--allocator", settings.allocator, "The process's own, or a floor")
      ->check(CLI::IsMember({"preloaded", "bump", "known"}));
  CLI11_PARSE(app, argc, argv);
  try {
    memo::bench::replay(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "trace_replay: {}\n", error.what());
    return 1;
  }
}
