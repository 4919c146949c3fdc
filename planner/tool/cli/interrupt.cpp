#include "planner/tool/cli/interrupt.h"

#include "planner/tool/cli/terminal_line.h"

namespace memo::cli {
namespace {

std::atomic<bool> interrupt_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler stores to it");

void on_interrupt(int number) {
  if (interrupt_requested.exchange(true, std::memory_order_relaxed)) end_by_signal(number);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &before_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &before_, nullptr);
}

const std::atomic<bool>& InterruptGuard::requested() {
  return interrupt_requested;
}

}  // namespace memo::cli
