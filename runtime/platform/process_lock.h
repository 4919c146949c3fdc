// A lock that a copy of the process is not shut out of. It names the generation of its holder (runtime/platform/identity.h): what a
// thread of a process before holds, nobody gives back, and it may have been in the middle of a change. So whoever takes the
// lock over remembers that for good, and the owner of what it guards decides what may still be done with it.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

#include "runtime/platform/identity.h"

namespace memo::runtime {

class ProcessLock {
 public:
  // False: somebody of this process holds it.
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

  // Waits for whoever holds it. False: it is held, and nobody can tell whether by a thread that lives.
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

  // In the child of the thread that holds it.
  void give_up_in_copy() { word_.store(kFree, std::memory_order_relaxed); }

  // Somebody who does not exist in this process held it when the process was made.
  [[nodiscard]] bool was_taken_over() const { return taken_over_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t kFree = 0;  // else generation << 1, and whether anybody waits
  static constexpr std::uint32_t kWaited = 1;

  static bool is_left_behind(std::uint32_t word, std::uint32_t generation) { return word >> 1 != generation; }

  static bool can_tell_who_holds() { return runs_in_own_process() && this_generation() != kMostGenerations; }

  void wait() {
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    if (seen == kFree || !word_.compare_exchange_strong(seen, seen | kWaited, std::memory_order_relaxed))
      return;
    call(FUTEX_WAIT_PRIVATE, seen | kWaited);
  }

  void call(int operation, std::uint32_t value) {
    syscall(SYS_futex, &word_, operation, value, nullptr, nullptr, 0);
  }

  std::atomic<std::uint32_t> word_{kFree};
  std::atomic<bool> taken_over_{false};
};

}  // namespace memo::runtime
