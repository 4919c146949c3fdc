#include "preload/dispatch/routed.h"

#include "preload/boundaries/ended_frames.h"
#include "preload/dispatch/backend.h"
#include "preload/dispatch/heap_block.h"
#include "preload/heap/startup_memory.h"

namespace memo::guest {
namespace {

bool settled() {
  return (t_route != Route::kUnknown && t_route != Route::kStarting) || settle_thread();
}

// Returns true if the backend has this function and the thread is not inside dlopen. Inside dlopen the
// library only waits for the end of the loading, and asks the backend only for blocks that the backend knows.
template <typename Function>
bool has_backend(Function* function) {
  return function != nullptr && t_route != Route::kLoading;
}

}  // namespace

void* routed_allocate(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (!settled()) return startup_memory::allocate(size, alignment);
  notice_ended_frames(site);
  if (has_backend(backend().allocate)) return backend().allocate(size, alignment, kind, site);
  return allocate_from_heap(size, alignment, kind);
}

void* routed_reallocate(void* old, std::size_t size, CallSite site) {
  if (old == nullptr) return routed_allocate(size, kDefaultAlignment, AllocationKind::kMalloc, site);
  if (size == 0) {
    routed_release(old, site);
    return nullptr;
  }
  if (startup_memory::owns(old)) {
    void* fresh = routed_allocate(size, kDefaultAlignment, AllocationKind::kMalloc, site);
    return fresh == nullptr ? nullptr : move_content(fresh, old, startup_memory::usable_size(old), size);
  }
  notice_ended_frames(site);
  const bool asked = settled() && (has_backend(backend().reallocate) || is_watched(old));
  if (asked && backend().reallocate != nullptr) return backend().reallocate(old, size, site);
  return heap::reallocate(old, size);
}

void routed_release(void* pointer, CallSite site) {
  if (pointer == nullptr || startup_memory::owns(pointer)) return;
  notice_ended_frames(site);
  if (settled() && backend().release != nullptr) return backend().release(pointer, site);
  heap::release(pointer);
}

std::size_t routed_usable_size(const void* pointer) {
  if (pointer == nullptr) return 0;
  if (startup_memory::owns(pointer)) return startup_memory::usable_size(pointer);
  if (settled() && backend().usable_size != nullptr) return backend().usable_size(pointer);
  return heap::usable_size(pointer);
}

}  // namespace memo::guest
