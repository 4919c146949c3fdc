#include "runtime/slab/skipping.h"

namespace memo::runtime {

constinit Skip g_skips[kSkips]{};
constinit std::atomic<std::uint64_t> g_longest_skipped{0};
constinit thread_local SkippedPasses t_skipped{};

void let_be_skipped(std::uint64_t key, Reason why, std::uint64_t ticks_per_second) {
  constexpr std::uint64_t kTimesPerSecond = 100;
  Skip& skip = skip_of(key);
  g_longest_skipped.store(ticks_per_second, std::memory_order_relaxed);
  skip.why.store(why, std::memory_order_relaxed);
  skip.until.store(ticks_now() + ticks_per_second / kTimesPerSecond, std::memory_order_relaxed);
  skip.key.store(key + 1, std::memory_order_relaxed);
  t_skipped.unclocked = 0;
}

void skip_no_passes() {
  for (Skip& skip : g_skips) skip.until.store(0, std::memory_order_relaxed);
}

std::uint64_t take_skipped(Skip& skip) {
  std::uint64_t passes = 0;
  for (Skipped& stripe : skip.skipped)
    if (stripe.passes.load(std::memory_order_relaxed) != 0)
      passes += stripe.passes.exchange(0, std::memory_order_relaxed);
  return passes;
}

void forget_skipped_passes() {
  for (Skip& skip : g_skips) static_cast<void>(take_skipped(skip));
}

}  // namespace memo::runtime
