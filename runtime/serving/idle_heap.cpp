#include "runtime/serving/idle_heap.h"

#include <atomic>

#include "runtime/platform/spare_stack.h"
#include "runtime/serving/statistics.h"

namespace memo::runtime {

namespace {

constinit std::atomic<std::uint64_t (*)()> g_idle_heap_hook{nullptr};
constinit std::atomic<bool> g_is_asked{false};

}  // namespace

void set_idle_heap_hook(std::uint64_t (*hook)()) {
  g_idle_heap_hook.store(hook, std::memory_order_relaxed);
}

std::uint64_t give_back_idle_heap() {
  auto* hook = g_idle_heap_hook.load(std::memory_order_relaxed);
  return hook != nullptr ? hook() : 0;
}

void give_back_before_next_pass() {
  g_is_asked.store(true, std::memory_order_relaxed);
}

void give_back_if_asked() {
  if (!g_is_asked.load(std::memory_order_relaxed)) [[likely]]
    return;
  if (!g_is_asked.exchange(false, std::memory_order_relaxed)) return;
  count_release(0, on_spare_stack(give_back_idle_heap));
}

}  // namespace memo::runtime
