#include "tests/preload/recorder_alone.h"

#include <cstdlib>

#include "preload/dispatch/backend.h"
#include "preload/dispatch/routed.h"
#include "preload/modes/profile/recorder.h"
#include "preload/options/options.h"
#include "preload/route/route.h"

namespace memo::guest {

const Backend& backend() {
  return kProfileBackend;
}

bool settle_thread() {
  t_route = kProfileBackend.first_route;
  return true;
}

}  // namespace memo::guest

namespace memo::testing {

using guest::kProfileBackend;

void start_recorder(const std::string& trace) {
  setenv("MEMOMALLOC_TRACE", trace.c_str(), 1);
  guest::read_options();
  kProfileBackend.start();
}

void finish_recorder() {
  kProfileBackend.finish();
}

[[gnu::noinline]] void* recorded_malloc(std::size_t size) {
  return guest::routed_allocate(size, guest::kDefaultAlignment, guest::AllocationKind::kMalloc,
                                MEMO_CALL_SITE());
}

[[gnu::noinline]] void* recorded_realloc(void* old, std::size_t size) {
  return guest::routed_reallocate(old, size, MEMO_CALL_SITE());
}

[[gnu::noinline]] void recorded_free(void* block) {
  guest::routed_release(block, MEMO_CALL_SITE());
}

}  // namespace memo::testing
