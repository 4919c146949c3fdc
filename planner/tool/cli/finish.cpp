#include "planner/tool/cli/finish.h"

#include <signal.h>

#include <atomic>
#include <cstddef>
#include <iterator>

namespace memo::cli {
namespace {

constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> g_told_to_end = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler stores to it");

void take_note(int) {
  g_told_to_end.store(true, std::memory_order_relaxed);
}

// Takes note of signals that would end this process, until the object is destroyed.
class EndingSignals {
 public:
  EndingSignals() {
    struct sigaction action {};
    action.sa_handler = take_note;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < std::size(kEnding); ++i) sigaction(kEnding[i], &action, &before_[i]);
  }
  ~EndingSignals() {
    for (std::size_t i = 0; i < std::size(kEnding); ++i) sigaction(kEnding[i], &before_[i], nullptr);
  }
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

 private:
  struct sigaction before_[std::size(kEnding)]{};
};

}  // namespace

std::chrono::milliseconds time_to_finish(const Options& options) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(options.seconds("finish")));
}

void finish_plan(learn::Learner& learner, std::chrono::milliseconds most) {
  if (most.count() == 0) return;
  const EndingSignals signals;
  learner.finish(most, [] { return g_told_to_end.load(std::memory_order_relaxed); });
}

}  // namespace memo::cli
