// tower: reads lines with a number of passes, has each of eight threads run so many at once, and prints a checksum for each line. A
// pass holds 2 MiB all the time, and 24 MiB more in one of its 400 steps.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "memomalloc/memomalloc.h"

namespace {

constexpr std::size_t kThreads = 8;
constexpr std::size_t kSteps = 400;
constexpr std::size_t kTower = 200;  // step at which the pass is at its peak
constexpr std::size_t kMiB = std::size_t{1} << 20;

// Folds the bytes into the sum, so that two blocks that share bytes change it.
std::uint64_t fill_and_sum(unsigned char* block, std::size_t size, std::uint64_t sum) {
  constexpr std::size_t kStride = 1024;
  for (std::size_t at = 0; at < size; at += kStride)
    block[at] = static_cast<unsigned char>(at / kStride + sum);
  for (std::size_t at = 0; at < size; at += kStride) sum = sum * 31 + block[at];
  return sum;
}

[[gnu::noinline]] std::uint64_t step(std::size_t size, std::uint64_t sum) {
  auto* block = static_cast<unsigned char*>(std::malloc(size));
  sum = fill_and_sum(block, size, sum);
  std::free(block);
  return sum;
}

[[gnu::noinline]] std::uint64_t run_pass(std::uint64_t sum) {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  auto* held = static_cast<unsigned char*>(std::malloc(2 * kMiB));
  sum = fill_and_sum(held, 2 * kMiB, sum);
  const std::uint64_t all_along = fill_and_sum(held, 2 * kMiB, sum);
  for (std::size_t number = 0; number < kSteps; ++number)
    sum = step(number == kTower ? 24 * kMiB : kMiB, sum + held[number * kMiB / kSteps / 1024 * 1024]);
  std::free(held);
  if (memo_pass_end != nullptr) memo_pass_end();
  return sum + all_along;
}

std::uint64_t run_at_once(unsigned long passes) {
  std::array<std::uint64_t, kThreads> sums{};
  std::array<std::thread, kThreads> threads;
  for (std::size_t i = 0; i < kThreads; ++i)
    threads[i] = std::thread([&sums, passes, i] {
      for (unsigned long pass = 0; pass < passes; ++pass) sums[i] += run_pass(pass + i);
    });
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads[i].join();
    sum = sum * 31 + sums[i];
  }
  return sum;
}

}  // namespace

int main() {
  for (unsigned long passes = 0; std::scanf("%lu", &passes) == 1;) {
    std::printf("%016llx\n", static_cast<unsigned long long>(run_at_once(passes)));
    std::fflush(stdout);
  }
  return 0;
}
