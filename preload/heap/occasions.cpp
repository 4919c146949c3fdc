#include "preload/heap/occasions.h"

#include <cstdint>

#include "preload/heap/idle_time.h"
#include "preload/platform/relaxed.h"

extern "C" {
// The linker sends jemalloc's call of this function to the second name and knows the function itself by the first (--wrap).
// Weak, for a jemalloc that has none.
[[gnu::weak]] void memo_look_after_cache(void* thread) asm("__real_je_tcache_gc_event_handler");
void memo_cache_is_looked_after(void* thread) asm("__wrap_je_tcache_gc_event_handler");
}

namespace memo::guest::heap {
namespace {

constexpr std::uint32_t kBetweenOccasions = 64;

void (*g_function)();
thread_local constinit std::uint32_t t_times __attribute__((tls_model("initial-exec"))) = 0;

[[gnu::cold, gnu::noinline]] void take_occasion() {
  look_at_idle_pages_if_due();
  if (void (*const function)() = read_relaxed(g_function)) function();
}

}  // namespace

void call_now_and_then(void (*function)()) {
  write_relaxed(g_function, function);
}

}  // namespace memo::guest::heap

void memo_cache_is_looked_after(void* thread) {
  using namespace memo::guest;
  if (++heap::t_times % heap::kBetweenOccasions == 0) [[unlikely]]
    heap::take_occasion();
  memo_look_after_cache(thread);
}
