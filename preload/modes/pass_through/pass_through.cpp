#include "preload/modes/pass_through/pass_through.h"

#include <cerrno>
#include <cstdint>

#include "preload/platform/platform.h"

namespace memo::guest {
namespace {

// The next definitions in lookup order; they exist in every process with a C library.
struct NextAllocator {
  void* (*malloc)(std::size_t);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void* (*memalign)(std::size_t, std::size_t);
  void (*free)(void*);
  std::size_t (*usable_size)(void*);
};

NextAllocator g_next;

template <typename Function>
bool find_next(const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(platform::next_symbol(name));
  return function != nullptr;
}

bool start() {
  const bool complete = find_next("malloc", g_next.malloc) && find_next("calloc", g_next.calloc) &&
                        find_next("realloc", g_next.realloc) && find_next("memalign", g_next.memalign) &&
                        find_next("free", g_next.free) && find_next("malloc_usable_size", g_next.usable_size);
  if (complete) watch_addresses(0, SIZE_MAX);
  return complete;
}

void* allocate(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite) {
  if (kind == AllocationKind::kCalloc) return g_next.calloc(1, size);
  if (kind == AllocationKind::kAligned || alignment > kDefaultAlignment)
    return g_next.memalign(alignment, size);
  return g_next.malloc(size);
}

void* reallocate(void* old, std::size_t size, CallSite) {
  return g_next.realloc(old, size);
}
void release(void* pointer, CallSite) {
  g_next.free(pointer);
}
std::size_t usable_size(const void* pointer) {
  return g_next.usable_size(const_cast<void*>(pointer));
}

}  // namespace

constexpr Backend kPassThroughBackend{.first_route = Route::kPassThrough,
                                      .start = start,
                                      .allocate = allocate,
                                      .reallocate = reallocate,
                                      .release = release,
                                      .usable_size = usable_size};

}  // namespace memo::guest
