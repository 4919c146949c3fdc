#include "preload/route/route.h"

namespace memo::guest {

thread_local constinit Route t_route = Route::kUnknown;

// g_watched has a cache line of its own, since every free of every thread reads it.
alignas(64) WatchedRange g_watched{0, 0};

alignas(64) bool g_heap_alone = false;

void let_heap_alone_answer_if_nothing_is_watched() {
  if (g_watched.length == 0) __atomic_store_n(&g_heap_alone, true, __ATOMIC_RELAXED);
}

namespace {

constinit WatchedRange g_asked_for{0, 0};
constinit bool g_everything = false;

// Publishes the range. If everything is watched, the range leaves out one byte only, the byte before the
// base, which lies in no block.
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

}  // namespace memo::guest
