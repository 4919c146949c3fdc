// Counts the passes that run, and names the one that began last: threads without a pass of their own look at
// both.
//
//   63            32 31             0
//   +---------------+---------------+     one word, so that one load reads both. Passes write it as they begin
//   | begun so far  |  running now  |     and end, never for an allocation.
//   +---------------+---------------+
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace memo::runtime {

class RunningPasses {
 public:
  void begin() {
    const std::uint32_t now = running(word_.fetch_add(kBegun | 1, std::memory_order_relaxed)) + 1;
    std::uint32_t most = most_.load(std::memory_order_relaxed);
    while (now > most && !most_.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
    }
  }
  void end() { word_.fetch_sub(1, std::memory_order_relaxed); }

  // Returns a number that changes with each begin; 0 while no pass runs.
  [[nodiscard]] std::uint32_t latest() const {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    return running(word) == 0 ? 0 : static_cast<std::uint32_t>(word >> 32);
  }
  [[nodiscard]] std::uint32_t count() const { return running(word_.load(std::memory_order_relaxed)); }

  // Returns how many ran at once at the most since the last call.
  std::uint32_t take_most() {
    const std::uint32_t now = count();
    return std::max(most_.exchange(now, std::memory_order_relaxed), now);
  }

  // Stops counting `count` passes that never end here: a copy of the process does not have their threads.
  void forget(std::uint32_t count) {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    while (!word_.compare_exchange_weak(word, word - (count < running(word) ? count : running(word)),
                                        std::memory_order_relaxed)) {
    }
  }

  // Sets the number of running passes, whatever was counted until now.
  void keep(std::uint32_t count) {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    word_.store((word & ~(kBegun - 1)) | count, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kBegun = std::uint64_t{1} << 32;
  static std::uint32_t running(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

  std::atomic<std::uint64_t> word_{0};
  std::atomic<std::uint32_t> most_{0};
};

// Counts the program's own passes, not those of workers.
extern constinit RunningPasses g_running_passes;

}  // namespace memo::runtime
