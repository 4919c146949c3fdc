// Gives back the memory that passes left idle in the heap beside the slab, by the policy of
// runtime/slab/heap_purge_policy.h.
#include "runtime/platform/clock.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/serving/serving.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/heap_purge_policy.h"

namespace memo::runtime {

namespace {

constinit IdleHeap g_idle_heap{};
constinit GivenBack g_given_back{};
constinit std::atomic<std::uint64_t (*)()> g_idle_heap_hook{nullptr};

std::uint64_t give_back_and_count() {
  const std::uint64_t bytes = give_back_idle_heap();
  count_release(0, bytes);
  return bytes;
}

}  // namespace

std::uint64_t give_back_idle_heap() {
  auto* hook = g_idle_heap_hook.load(std::memory_order_relaxed);
  return hook != nullptr ? hook() : 0;
}

bool heap_was_wanted_within(std::int64_t nanoseconds) {
  return g_idle_heap.was_wanted_since(coarse_nanoseconds_now() - nanoseconds);
}

void let_idle_heap_wait_at_most(std::int64_t nanoseconds) {
  g_idle_heap.wait_at_most(nanoseconds);
}

void set_idle_heap_hook(std::uint64_t (*hook)()) {
  g_idle_heap_hook.store(hook, std::memory_order_relaxed);
}

// No pass is charged for what the heap gives back of the warm-up's garbage. What it gives back later, some pass may want again.
// Only a pass that does is charged: threads that warm up late leave garbage that no served pass had wanted.
std::uint64_t heap_has_provided(std::uint64_t bytes, std::uint64_t lane_bytes) {
  IdleHeap& heap = g_idle_heap;
  if (bytes > much_of_the_heap(lane_bytes)) {
    const std::uint64_t anew = g_given_back.take(bytes);
    if (heap.wanted(coarse_nanoseconds_now(), bytes)) give_back_and_count();
    return anew;
  }
  if (!heap.is_in_use()) return 0;
  const bool past_warm_up = heap.is_past_warm_up();
  if (!heap.not_wanted(coarse_nanoseconds_now())) return 0;
  const std::uint64_t bytes_given_back = give_back_and_count();
  if (past_warm_up) g_given_back.add(bytes_given_back);
  return 0;
}

// Asks the heap once a second, since a pass that finds no lane asks for each lane that has no memory.
bool make_room_for_lane() {
  static constinit std::atomic<std::int64_t> next{0};
  const std::int64_t now = coarse_nanoseconds_now();
  if (now < next.load(std::memory_order_relaxed)) return false;
  next.store(now + kSecond, std::memory_order_relaxed);
  return on_spare_stack(give_back_and_count) != 0;
}

void make_room_in_heap() {
  if (g_idle_heap.makes_room()) on_spare_stack(give_back_and_count);
}

void make_room_in_lane(const Lane& lane) {
  const bool keeps_its_pages = lane.plan.load(std::memory_order_relaxed)->lanes_asked != 0;
  if (!g_idle_heap.makes_room() || keeps_its_pages) return;
  count_release(on_spare_stack([&lane] { return let_idle_parts_go(lane); }), 0);
}

void make_room_for_pass() {
  if (g_idle_heap.is_in_use()) make_room_in_heap();
}

}  // namespace memo::runtime
