// A lock that works on in a copy of the process. It names the generation of its holder
// (runtime/platform/identity.h). No thread gives back what a thread of an earlier process holds, and that
// thread may have been in the middle of a change. So the lock lets a thread take it over, and remembers that
// for good; the owner of the guarded data decides what may still be done with it.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

#include "runtime/platform/identity.h"

namespace memo::runtime {

class ProcessLock {
 public:
  // Takes the lock. Returns false if a thread of this process holds it.
  [[nodiscard]] bool try_lock() {
    const std::uint32_t generation = this_generation();
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    while (seen == kFree || is_left_behind(seen, generation)) {
      const bool left = seen != kFree;
      if (!word_.compare_exchange_weak(seen, generation << 1, std::memory_order_acquire)) continue;
      if (left) taken_over_.store(true, std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  // Takes the lock, and waits for a thread that holds it. Returns false if the lock is held, and it cannot be
  // known whether that thread lives.
  [[nodiscard]] bool lock() {
    while (!try_lock()) {
      if (!can_tell_who_holds()) return false;
      wait();
    }
    return true;
  }

  void unlock() {
    if ((word_.exchange(kFree, std::memory_order_release) & kWaited) != 0) call(FUTEX_WAKE_PRIVATE, INT_MAX);
  }

  // Frees the lock in the child of the thread that held it.
  void give_up_in_copy() { word_.store(kFree, std::memory_order_relaxed); }

  // Returns true if, when this process was made, a thread held the lock that does not exist here.
  [[nodiscard]] bool was_taken_over() const { return taken_over_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t kFree = 0;  // otherwise: generation << 1, and kWaited if a thread waits
  static constexpr std::uint32_t kWaited = 1;
  // Looks again after this time: where a sandbox refuses to wake it, a thread would sleep for ever.
  static constexpr timespec kLongestSleep = {.tv_sec = 0, .tv_nsec = 10'000'000};

  static bool is_left_behind(std::uint32_t word, std::uint32_t generation) { return word >> 1 != generation; }

  static bool can_tell_who_holds() { return runs_in_own_process() && this_generation() != kMostGenerations; }

  void wait() {
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    if (seen == kFree || !word_.compare_exchange_strong(seen, seen | kWaited, std::memory_order_relaxed))
      return;
    call(FUTEX_WAIT_PRIVATE, seen | kWaited, &kLongestSleep);
  }

  void call(int operation, std::uint32_t value, const timespec* most = nullptr) {
    syscall(SYS_futex, &word_, operation, value, most, nullptr, 0);
  }

  std::atomic<std::uint32_t> word_{kFree};
  std::atomic<bool> taken_over_{false};
};

}  // namespace memo::runtime
