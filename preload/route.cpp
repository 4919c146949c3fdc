#include "preload/route.h"

#include <cstdint>
#include <cstring>

#include "preload/backend.h"
#include "preload/boundaries/boundary.h"
#include "preload/heap/heap.h"
#include "preload/heap/startup_pool.h"
#include "preload/start.h"

namespace memo::guest {

thread_local constinit Route t_route = Route::kUnknown;

// A cache line of its own: every free of every thread reads it.
alignas(64) WatchedRange g_watched{0, 0};

alignas(64) bool g_heap_alone = false;

void let_heap_alone_answer_if_nothing_is_watched() {
  if (g_watched.length == 0) __atomic_store_n(&g_heap_alone, true, __ATOMIC_RELAXED);
}

namespace {

constinit WatchedRange g_asked_for{0, 0};
constinit bool g_everything = false;

// Where everything is watched, only the byte in front of the base, in no block, is left out.
void publish_watched() {
  __atomic_store_n(&g_heap_alone, false, __ATOMIC_RELAXED);
  __atomic_store_n(&g_watched.base, g_asked_for.base, __ATOMIC_RELAXED);
  __atomic_store_n(&g_watched.length, g_everything ? SIZE_MAX : g_asked_for.length, __ATOMIC_RELAXED);
}

}  // namespace

void watch_addresses(std::uintptr_t base, std::size_t length) {
  if (g_asked_for.length != 0) {
    const std::uintptr_t end = base + length;
    const std::uintptr_t old_end = g_asked_for.base + g_asked_for.length;
    base = base < g_asked_for.base ? base : g_asked_for.base;
    length = (end > old_end ? end : old_end) - base;
  }
  g_asked_for = {base, length};
  publish_watched();
}

void watch_everything() {
  g_everything = true;
  publish_watched();
}

void watch_only_those_addresses() {
  g_everything = false;
  publish_watched();
}

namespace {

bool settled() {
  return (t_route != Route::kUnknown && t_route != Route::kStarting) || settle_thread();
}

// While something is loaded, only the end of the loading is of interest, and blocks that the backend knows.
template <typename Function>
bool has_backend(Function* function) {
  return function != nullptr && t_route != Route::kLoading;
}

void* move_to(void* fresh, const void* old, std::size_t old_size, std::size_t size) {
  if (fresh != nullptr) std::memcpy(fresh, old, old_size < size ? old_size : size);
  return fresh;
}

}  // namespace

void* routed_allocate(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (!settled()) return startup_pool::allocate(size, alignment);
  notice_ended_frames(site);
  if (has_backend(backend().allocate)) return backend().allocate(size, alignment, kind, site);
  if (kind == AllocationKind::kCalloc) return heap::allocate_zeroed(size);
  if (alignment <= kDefaultAlignment && kind != AllocationKind::kAligned) return heap::allocate(size);
  return heap::allocate_aligned(alignment, size);
}

void* routed_reallocate(void* old, std::size_t size, CallSite site) {
  if (old == nullptr) return routed_allocate(size, kDefaultAlignment, AllocationKind::kMalloc, site);
  if (size == 0) {
    routed_release(old, site);
    return nullptr;
  }
  if (startup_pool::owns(old)) {
    void* fresh = routed_allocate(size, kDefaultAlignment, AllocationKind::kMalloc, site);
    return move_to(fresh, old, startup_pool::usable_size(old), size);
  }
  notice_ended_frames(site);
  const bool asked = settled() && (has_backend(backend().reallocate) || is_watched(old));
  if (asked && backend().reallocate != nullptr) return backend().reallocate(old, size, site);
  return heap::reallocate(old, size);
}

void routed_release(void* pointer, CallSite site) {
  if (pointer == nullptr || startup_pool::owns(pointer)) return;
  notice_ended_frames(site);
  if (settled() && backend().release != nullptr) return backend().release(pointer, site);
  heap::release(pointer);
}

std::size_t routed_usable_size(const void* pointer) {
  if (pointer == nullptr) return 0;
  if (startup_pool::owns(pointer)) return startup_pool::usable_size(pointer);
  if (settled() && backend().usable_size != nullptr) return backend().usable_size(pointer);
  return heap::usable_size(pointer);
}

}  // namespace memo::guest
