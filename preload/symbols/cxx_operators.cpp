// The twenty forms of operator new and delete. As in the C++ standard, four of them are basic, and the
// library serves these itself. The array, sized and nothrow forms go to the *program's* basic form, so that
// they obey a program which replaces only that one. They jump there, which leaves the caller's return address
// in place. The nothrow forms of new serve at once where the basic form is the library's own, and else go
// there through the C++ runtime.
//
// When memory has run out, the operator of the C++ runtime takes over: it asks the new-handler, throws
// bad_alloc, catches what a nothrow form must not let out, and gets its memory from malloc, which is this
// library's. The library looks that operator up only then, because a C program has none.

#include <new>

#include "preload/log/log.h"
#include "preload/platform/platform.h"
#include "preload/symbols/entry.h"

using namespace memo::guest;
using std::align_val_t;
using std::nothrow_t;
using std::size_t;

static_assert(sizeof(size_t) == sizeof(unsigned long),
              "the mangled names below say unsigned long for size_t");

// The library's own operators under names that the program cannot replace: if ::operator new is not
// memo_own_new, the program has its own.
#define MEMO_OWN_NAME(symbol) \
  [[gnu::visibility("hidden"), gnu::malloc, gnu::alloc_size(1), gnu::alias(symbol)]]
extern "C" {
[[gnu::visibility("hidden")]] void* memo_own_new(size_t);
MEMO_OWN_NAME("_Znam") void* own_new_array(size_t);
MEMO_OWN_NAME("_ZnwmSt11align_val_t") void* own_new_aligned(size_t, align_val_t);
MEMO_OWN_NAME("_ZnamSt11align_val_t") void* own_new_array_aligned(size_t, align_val_t);
}

namespace {

using New = void*(size_t);
using NewAligned = void*(size_t, align_val_t);

bool is_own_new() {
  return static_cast<New*>(&::operator new) == memo_own_new;
}
bool is_own_new_array() {
  return static_cast<New*>(&::operator new[]) == own_new_array && is_own_new();
}
bool is_own_new_aligned() {
  return static_cast<NewAligned*>(&::operator new) == own_new_aligned;
}
bool is_own_new_array_aligned() {
  return static_cast<NewAligned*>(&::operator new[]) == own_new_array_aligned && is_own_new_aligned();
}

void* find_in_cxx_runtime(const char* symbol) {
  constexpr const char* kRuntimes[] = {"libstdc++.so.6", "libc++.so.1"};
  for (const char* library : kRuntimes) {
    void* address = platform::symbol_in_loaded_library(library, symbol);
    if (address != nullptr) return address;
  }
  return nullptr;
}

// Calls the C++ runtime's operator of this mangled name.
template <typename... Arguments>
[[gnu::cold, gnu::noinline]] void* runtime_new(const char* symbol, Arguments... arguments) {
  using Function = void*(Arguments...);
  auto* function = reinterpret_cast<Function*>(find_in_cxx_runtime(symbol));
  if (function != nullptr) return function(arguments...);
  log_trouble("out of memory in operator new, and no C++ runtime is loaded that could throw");
  return nullptr;
}

[[gnu::always_inline]] inline void* enter_new_aligned(size_t size, align_val_t alignment, CallSite site) {
  return enter_aligned(static_cast<size_t>(alignment), size, AllocationKind::kNew, site);
}

bool likely(void* block) {
  return __builtin_expect(block != nullptr, 1);
}

}  // namespace

// Separate functions, so that the hot path saves no registers for these calls.
[[gnu::noinline]] static void* new_unforeseen(size_t size, CallSite site) {
  void* block = allocate_unforeseen(size, kDefaultAlignment, AllocationKind::kNew, site);
  return likely(block) ? block : runtime_new<size_t>("_Znwm", size);
}
[[gnu::cold, gnu::noinline]] static void* new_after_frames(size_t size, CallSite site) {
  void* block = routed_allocate(size, kDefaultAlignment, AllocationKind::kNew, site);
  return likely(block) ? block : runtime_new<size_t>("_Znwm", size);
}

// operator new(size_t) and operator delete(void*) themselves are in hot_entries.S. They jump here.
extern "C" {
void* memo_routed_new(size_t size) {
  if (frames_have_ended(MEMO_CALL_SITE())) [[unlikely]]
    return new_after_frames(size, MEMO_CALL_SITE());
  void* block;
  if (take_foreseen(size, MEMO_CALL_SITE(), &block)) [[likely]]
    return block;
  return new_unforeseen(size, MEMO_CALL_SITE());
}

void* memo_plain_new(size_t size) {
  void* block = heap::allocate(size);
  return likely(block) ? block : runtime_new<size_t>("_Znwm", size);
}
}

void* operator new(size_t size, align_val_t alignment) {
  void* block = enter_new_aligned(size, alignment, MEMO_CALL_SITE());
  return likely(block) ? block : runtime_new<size_t, align_val_t>("_ZnwmSt11align_val_t", size, alignment);
}

void* operator new[](size_t size) {
  return ::operator new(size);
}
void* operator new[](size_t size, align_val_t alignment) {
  return ::operator new(size, alignment);
}

void* operator new(size_t size, const nothrow_t& tag) noexcept {
  void* block = is_own_new() ? enter_new(size, MEMO_CALL_SITE()) : nullptr;
  return likely(block) ? block : runtime_new<size_t, const nothrow_t&>("_ZnwmRKSt9nothrow_t", size, tag);
}

void* operator new[](size_t size, const nothrow_t& tag) noexcept {
  void* block = is_own_new_array() ? enter_new(size, MEMO_CALL_SITE()) : nullptr;
  return likely(block) ? block : runtime_new<size_t, const nothrow_t&>("_ZnamRKSt9nothrow_t", size, tag);
}

void* operator new(size_t size, align_val_t alignment, const nothrow_t& tag) noexcept {
  void* block = is_own_new_aligned() ? enter_new_aligned(size, alignment, MEMO_CALL_SITE()) : nullptr;
  if (likely(block)) return block;
  return runtime_new<size_t, align_val_t, const nothrow_t&>("_ZnwmSt11align_val_tRKSt9nothrow_t", size,
                                                            alignment, tag);
}

void* operator new[](size_t size, align_val_t alignment, const nothrow_t& tag) noexcept {
  void* block = is_own_new_array_aligned() ? enter_new_aligned(size, alignment, MEMO_CALL_SITE()) : nullptr;
  if (likely(block)) return block;
  return runtime_new<size_t, align_val_t, const nothrow_t&>("_ZnamSt11align_val_tRKSt9nothrow_t", size,
                                                            alignment, tag);
}

void operator delete(void* block, align_val_t) noexcept {
  enter_free(block, MEMO_CALL_SITE());
}

void operator delete[](void* block) noexcept {
  ::operator delete(block);
}
void operator delete[](void* block, align_val_t alignment) noexcept {
  ::operator delete(block, alignment);
}

// GCC warns that operator delete(void*) is missing here; it is in hot_entries.S. Clang has no such warning.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wsized-deallocation"
#endif

// Ignores the size: a wrong one, from a deleted base class without a virtual destructor, must not corrupt the
// heap.
void operator delete(void* block, size_t) noexcept {
  ::operator delete(block);
}
void operator delete[](void* block, size_t) noexcept {
  ::operator delete[](block);
}
void operator delete(void* block, size_t, align_val_t alignment) noexcept {
  ::operator delete(block, alignment);
}
void operator delete[](void* block, size_t, align_val_t alignment) noexcept {
  ::operator delete[](block, alignment);
}

void operator delete(void* block, const nothrow_t&) noexcept {
  ::operator delete(block);
}
void operator delete[](void* block, const nothrow_t&) noexcept {
  ::operator delete[](block);
}
void operator delete(void* block, align_val_t alignment, const nothrow_t&) noexcept {
  ::operator delete(block, alignment);
}
void operator delete[](void* block, align_val_t alignment, const nothrow_t&) noexcept {
  ::operator delete[](block, alignment);
}
