// The very first call of a process and of a thread need not be malloc. argv[1] names the function that is
// called first: in .preinit_array, before any constructor, and again as the first call of a fresh thread.
// Failure: a crash, or a block that cannot be used and given back.

#include <pthread.h>

#include <new>

#include "hostile.h"

namespace {

bool is(const char* call, const char* name) {
  return strcmp(call, name) == 0;
}

void* first_block(const char* call) {
  void* block = nullptr;
  if (is(call, "calloc")) block = calloc(3, 100);
  if (is(call, "realloc")) block = realloc(nullptr, 300);
  if (is(call, "posix_memalign")) EXPECT(posix_memalign(&block, 64, 300) == 0);
  if (is(call, "aligned_alloc")) block = aligned_alloc(64, 320);
  if (is(call, "new")) block = ::operator new(300);
  if (is(call, "new_nothrow")) block = ::operator new(300, std::nothrow);
  if (is(call, "free_null")) free(nullptr);
  if (is(call, "delete_null")) ::operator delete(nullptr);
  if (is(call, "usable_size_null")) EXPECT(malloc_usable_size(nullptr) == 0);
  if (is(call, "trim")) malloc_trim(0);
  return block != nullptr ? block : malloc(300);
}

void call_first(const char* call) {
  void* block = first_block(call);
  EXPECT(block != nullptr);
  fill(block, 300, 5);
  EXPECT(is_filled(block, 300, 5));
  if (strncmp(call, "new", 3) == 0) return ::operator delete(block);
  free(block);
}

void* run_thread(void* call) {
  call_first(static_cast<const char*>(call));
  return nullptr;
}

void before_everything(int argc, char** argv, char**) {
  EXPECT(argc == 2);
  call_first(argv[1]);
}

using Preinit = void (*)(int, char**, char**);
__attribute__((section(".preinit_array"), used)) const Preinit early = before_everything;

}  // namespace

int main(int, char** argv) {
  expect_right_allocator();
  pthread_t thread;
  EXPECT(pthread_create(&thread, nullptr, run_thread, argv[1]) == 0);
  EXPECT(pthread_join(thread, nullptr) == 0);
}
