// Measures how long malloc and free take: whatever allocator is preloaded, on patterns that servers have.
// scripts/bench/malloc runs it under several in turn. What counts is items_per_second: operations (a malloc and its
// free, or a realloc) for each second of processor time of all threads. With more threads than cores, real time
// measures the scheduler.
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

constexpr std::int64_t kSmallest = 16;
constexpr std::int64_t kLargest = 4 << 20;
constexpr int kMostThreads = 8;

// A program writes to what it allocates; one byte is enough to need the first page.
void* allocate(std::size_t size) {
  void* block = std::malloc(size);
  *static_cast<volatile char*>(block) = 1;
  return block;
}

std::size_t size_of(const benchmark::State& state) {
  return static_cast<std::size_t>(state.range(0));
}

// Allocates and frees one block at a time: the shortest path there is.
void pairs(benchmark::State& state) {
  const std::size_t size = size_of(state);
  for (auto _ : state) std::free(allocate(size));
  state.SetItemsProcessed(state.iterations());
}

// Enough blocks at once to run a thread's cache dry, given back in the order they came, as a pass does with its
// activations.
void batches(benchmark::State& state) {
  const std::size_t size = size_of(state);
  std::vector<void*> blocks(size <= 4096 ? 256 : 16);
  for (auto _ : state) {
    for (void*& block : blocks) block = allocate(size);
    for (void* block : blocks) std::free(block);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(blocks.size()));
}

// Blocks of all sizes alive at once, the small ones many and the large ones few; the oldest goes when one comes.
void mixture(benchmark::State& state) {
  std::array<void*, 512> blocks{};
  std::uint64_t random = 88172645463325252U + static_cast<std::uint64_t>(state.thread_index());
  std::size_t next = 0;
  for (auto _ : state) {
    random ^= random << 13U;
    random ^= random >> 7U;
    random ^= random << 17U;
    const std::uint64_t shift = static_cast<std::uint64_t>(__builtin_ctzll(random | (1U << 14U)));
    std::free(blocks[next]);
    blocks[next] = allocate((std::size_t{16} << shift) + (random >> 48U & 15U));
    next = (next + 1) % blocks.size();
  }
  for (void* block : blocks) std::free(block);
  state.SetItemsProcessed(state.iterations());
}

// Each thread leaves its blocks in a mailbox where its neighbour finds and frees them. Nobody waits.
struct alignas(64) Mailbox {
  std::array<std::atomic<void*>, 64> slots;
};
std::array<Mailbox, kMostThreads> mailboxes;

void cross_thread(benchmark::State& state) {
  const std::size_t size = size_of(state);
  const int neighbour = (state.thread_index() + 1) % state.threads();
  Mailbox& mailbox = mailboxes[static_cast<std::size_t>(neighbour)];
  Mailbox& own = mailboxes[static_cast<std::size_t>(state.thread_index())];
  std::size_t slot = 0;
  for (auto _ : state) {
    std::free(own.slots[slot].exchange(nullptr, std::memory_order_acquire));
    std::free(mailbox.slots[slot].exchange(allocate(size), std::memory_order_acq_rel));
    slot = (slot + 1) % own.slots.size();
  }
  for (auto& left : mailbox.slots) std::free(left.exchange(nullptr));
  state.SetItemsProcessed(state.iterations());
}

// A vector of unknown length: by half its size again and again, up to `range` bytes.
void realloc_growth(benchmark::State& state) {
  const std::size_t end = size_of(state);
  std::int64_t steps = 0;
  for (auto _ : state) {
    void* block = nullptr;
    for (std::size_t size = kSmallest; size <= end; size += size / 2) {
      block = std::realloc(block, size);
      static_cast<volatile char*>(block)[size - 1] = 1;
      ++steps;
    }
    std::free(block);
  }
  state.SetItemsProcessed(steps);
}

void all_threads(benchmark::internal::Benchmark* bench) {
  bench->ThreadRange(1, kMostThreads);
}

BENCHMARK(pairs)->RangeMultiplier(8)->Range(kSmallest, kLargest)->Apply(all_threads);
BENCHMARK(batches)->RangeMultiplier(8)->Range(kSmallest, kLargest)->Apply(all_threads);
BENCHMARK(mixture)->Apply(all_threads);
BENCHMARK(cross_thread)
    ->RangeMultiplier(16)
    ->Range(kSmallest, kLargest)

    ->ThreadRange(2, kMostThreads);
BENCHMARK(realloc_growth)->RangeMultiplier(64)->Range(1024, kLargest)->Apply(all_threads);

}  // namespace

BENCHMARK_MAIN();
