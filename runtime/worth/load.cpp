#include "runtime/worth/load.h"

#include "runtime/platform/clock.h"

namespace memo::runtime {
namespace {

constexpr std::int64_t kWindow = 60 * kSecond;
constexpr std::uint64_t kEnough = 16;  // own passes: as many as the shortest experiment measures

double busy_threads(const Load& load) {
  return 1 + static_cast<double>(load.others) / static_cast<double>(load.own);
}

}  // namespace

bool has_changed(const Load& before, const Load& now) {
  constexpr double kChange = 1.5;
  if (before.own < kEnough || now.own < kEnough) return false;
  const double then = busy_threads(before);
  const double today = busy_threads(now);
  return today > kChange * then || then > kChange * today;
}

void LoadWatch::follow(const void* thread) {
  if (thread_.load(std::memory_order_relaxed) == thread) return;
  thread_.store(thread, std::memory_order_relaxed);
  begin_ = so_far();
}

Load LoadWatch::end_window(const void* thread, std::int64_t now) {
  due_.store(now + kWindow, std::memory_order_relaxed);
  const Load load = so_far() - begin_;
  if (load.own == 0) follow(thread);
  if (load.own >= kEnough) begin_ += load;
  return load;
}

}  // namespace memo::runtime
