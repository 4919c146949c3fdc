// Measures what one allocation and its free cost inside a pass, on whatever allocator is preloaded. scripts/bench/arena runs it
// under several, once for the time and once under callgrind, which counts the instructions of the calls that the functions of
// this file make.
//
//   arena_bench [MILLISECONDS [KIND]]
//
// Prints a JSON object: nanoseconds of processor time for an allocation with its free, by kind, or for the KIND-th alone.
// Every pass makes the same kMostPairs of them, so that a plan made from one serves all.

#include <time.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "memomalloc/memomalloc.h"

namespace {

constexpr std::size_t kMostPairs = 1024;  // in a pass
constexpr int kWarmUpPasses = 50;

void* call_malloc(std::size_t size) {
  return std::malloc(size);
}
void* call_new(std::size_t size) {
  return ::operator new(size);
}
void* call_posix_memalign(std::size_t size) {
  void* block = nullptr;
  return posix_memalign(&block, 64, size) == 0 ? block : nullptr;
}

struct Kind {
  const char* name;
  void* (*allocate)(std::size_t);
  std::size_t size;
  std::size_t at_once;  // live at the same time
};

// 2 MiB is large to every allocator, and to a plan.
constexpr Kind kKinds[] = {
    {"malloc 64", call_malloc, 64, 64},
    {"new 64", call_new, 64, 64},
    {"posix_memalign 4096", call_posix_memalign, 4096, 16},
    {"posix_memalign 2097152", call_posix_memalign, std::size_t{2} << 20, 8},
};

[[gnu::noinline]] void allocate_all(const Kind& kind, void** blocks) {
  for (std::size_t i = 0; i < kind.at_once; ++i) {
    blocks[i] = kind.allocate(kind.size);
    *static_cast<volatile char*>(blocks[i]) = 1;
  }
}

[[gnu::noinline]] void free_all(const Kind& kind, void** blocks) {
  for (std::size_t i = 0; i < kind.at_once; ++i) std::free(blocks[i]);
}

void run_pass(const Kind& kind, std::uint64_t key) {
  void* blocks[64];
  if (memo_pass_begin != nullptr) memo_pass_begin(key);
  for (std::size_t pairs = 0; pairs < kMostPairs; pairs += kind.at_once) {
    allocate_all(kind, blocks);
    free_all(kind, blocks);
  }
  if (memo_pass_end != nullptr) memo_pass_end();
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double measured(const Kind& kind, std::uint64_t key, double seconds) {
  const double begin = processor_seconds();
  double now = begin;
  double pairs = 0;
  for (; now - begin < seconds; now = processor_seconds()) {
    for (int pass = 0; pass < 10; ++pass) run_pass(kind, key);
    pairs += 10 * kMostPairs;
  }
  return 1e9 * (now - begin) / pairs;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) / 1000 : 0.1;
  const char* separator = "{";
  std::uint64_t key = 0;
  for (const Kind& kind : kKinds) {
    ++key;
    if (argc > 2 && key != std::strtoul(argv[2], nullptr, 10) + 1) continue;
    for (int pass = 0; pass < kWarmUpPasses; ++pass) run_pass(kind, key);
    std::printf("%s\"%s\": %.3f", separator, kind.name, measured(kind, key, seconds));
    separator = ", ";
  }
  std::printf("}\n");
}
