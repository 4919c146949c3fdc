// Handles Ctrl-C during a solve: the first Ctrl-C keeps the best plan so far, the second ends the command as
// usual.
#pragma once

#include <atomic>
#include <csignal>

namespace memo::cli {

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // Returns a flag that becomes true at the first Ctrl-C.
  [[nodiscard]] static const std::atomic<bool>& requested();

 private:
  struct sigaction before_ {};
};

}  // namespace memo::cli
