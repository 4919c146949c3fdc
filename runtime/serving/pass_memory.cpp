#include "runtime/serving/pass_memory.h"

#include <atomic>

#include "runtime/formats/memory_buckets.h"
#include "runtime/serving/statistics.h"

namespace memo::runtime {
namespace {

// Lies beside the counters: a page that moves adds up what it counted twice, and a maximum is no sum.
constinit std::atomic<std::uint64_t> g_most{0};

}  // namespace

void count_pass_memory(std::uint64_t bytes) {
  Statistics& counters = statistics();
  add(counters.pass_memory[memory_bucket_of(bytes)], 1);
  add(counters.pass_memory_bytes, bytes);
  std::uint64_t most = g_most.load(std::memory_order_relaxed);
  while (most < bytes && !g_most.compare_exchange_weak(most, bytes, std::memory_order_relaxed)) continue;
}

std::uint64_t most_of_a_pass() {
  return g_most.load(std::memory_order_relaxed);
}

void forget_most_of_a_pass() {
  g_most.store(0, std::memory_order_relaxed);
}

}  // namespace memo::runtime
