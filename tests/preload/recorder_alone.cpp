#include "tests/preload/recorder_alone.h"

#include <malloc.h>

#include <cstdlib>

#include "preload/dispatch/backend.h"
#include "preload/dispatch/routed.h"
#include "preload/modes/profile/recorder.h"
#include "preload/options/options.h"
#include "preload/route/route.h"

extern "C" {
void* memo_je_malloc(std::size_t size) {
  return std::malloc(size);
}
void* memo_je_calloc(std::size_t count, std::size_t size) {
  return std::calloc(count, size);
}
void* memo_je_realloc(void* old, std::size_t size) {
  return std::realloc(old, size);
}
void* memo_je_aligned_alloc(std::size_t alignment, std::size_t size) {
  void* block = nullptr;
  return posix_memalign(&block, alignment, size) == 0 ? block : nullptr;
}
void memo_je_free(void* pointer) {
  std::free(pointer);
}
std::size_t memo_je_malloc_usable_size(const void* pointer) {
  return malloc_usable_size(const_cast<void*>(pointer));
}
int memo_je_mallctl(const char*, void*, std::size_t*, void*, std::size_t) {
  return 1;
}
}

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
