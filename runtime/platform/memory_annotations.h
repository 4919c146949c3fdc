// Tells a memory checker which parts of the slab are in use. To the checker the slab is one block that is
// always live; when it is told which parts are in use, it finds uses of a block after its free, as it does for
// malloc's blocks. In builds without a checker all these functions do nothing.
//
//   AddressSanitizer   whenever the code is built with it
//   valgrind           with MEMO_VALGRIND defined (CMake's MEMOMALLOC_VALGRIND, for debug builds):
//                      a few instructions a call
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define MEMO_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEMO_ADDRESS_SANITIZER
#endif
#endif

#if defined(MEMO_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#elif defined(MEMO_VALGRIND)
#include <valgrind/memcheck.h>
#endif

namespace memo::runtime::checker {

// hand_out, take_back: a block is in use from the first call until the second.
//
// forbid, allow: no code may touch these bytes from the first call until the second.
//
// kGap: bytes to forbid between the arrays of a plan, so that an access beyond an array's end is found.
#if defined(MEMO_ADDRESS_SANITIZER)
inline constexpr std::size_t kGap = 64;
inline void hand_out(void* block, std::size_t bytes) {
  __asan_unpoison_memory_region(block, bytes);
}
inline void take_back(void* block, std::size_t bytes) {
  __asan_poison_memory_region(block, bytes);
}
inline void forbid(void* memory, std::size_t bytes) {
  __asan_poison_memory_region(memory, bytes);
}
inline void allow(void* memory, std::size_t bytes) {
  __asan_unpoison_memory_region(memory, bytes);
}
#elif defined(MEMO_VALGRIND)
inline constexpr std::size_t kGap = 64;
inline void hand_out(void* block, std::size_t bytes) {
  VALGRIND_MALLOCLIKE_BLOCK(block, bytes, 0, 0);
}
inline void take_back(void* block, std::size_t /*bytes*/) {
  VALGRIND_FREELIKE_BLOCK(block, 0);
}
inline void forbid(void* memory, std::size_t bytes) {
  static_cast<void>(VALGRIND_MAKE_MEM_NOACCESS(memory, bytes));
}
inline void allow(void* memory, std::size_t bytes) {
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(memory, bytes));
}
#else
inline constexpr std::size_t kGap = 0;
inline void hand_out(void*, std::size_t) {}
inline void take_back(void*, std::size_t) {}
inline void forbid(void*, std::size_t) {}
inline void allow(void*, std::size_t) {}
#endif

}  // namespace memo::runtime::checker
