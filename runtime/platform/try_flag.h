// A flag that one thread at a time holds, and no other waits for: it leaves the work to the holder. So a signal handler may try
// as well, also one that has interrupted the holder.
//
//   const HeldFlag looking(g_looking);
//   if (!looking.is_mine()) return;
//
// What one holder wrote is seen by the next.
#pragma once

#include <atomic>

namespace memo::runtime {

class TryFlag {
 public:
  // Takes the flag. Returns false if it is held.
  [[nodiscard]] bool take() { return !held_.exchange(true, std::memory_order_acquire); }
  void give_back() { held_.store(false, std::memory_order_release); }

  // Frees it in a copy of the process: a thread that held it may not exist there.
  void give_up_in_copy() { held_.store(false, std::memory_order_relaxed); }

 private:
  std::atomic<bool> held_{false};
};

// Holds the flag as long as this lives, unless another thread holds it.
class HeldFlag {
 public:
  explicit HeldFlag(TryFlag& flag) : flag_(flag), is_mine_(flag.take()) {}
  ~HeldFlag() {
    if (is_mine_) flag_.give_back();
  }
  HeldFlag(const HeldFlag&) = delete;
  HeldFlag& operator=(const HeldFlag&) = delete;
  [[nodiscard]] bool is_mine() const { return is_mine_; }

 private:
  TryFlag& flag_;
  const bool is_mine_;
};

}  // namespace memo::runtime
