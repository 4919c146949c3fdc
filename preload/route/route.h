// Which way does a call of malloc go? Everything the library can do besides plain allocation hangs off the
// two questions asked here. In mode off, where neither can have another answer, the entries that nearly every
// call takes ask g_heap_alone instead: one compare of a byte that never changes again.
//
//   malloc & co.:  is this thread's route kPlainHeap?            no -> routed_allocate / routed_reallocate
//   free & co.:    does the address lie outside the watched range? no -> routed_release / routed_usable_size
//
// The routed functions (preload/dispatch/routed.h) are kept out of line, settle what a new thread does, and hand over to the
// backend of the mode (preload/dispatch/backend.h).
//
// How to plug in
//   - A recorder: give its Backend `first_route = Route::kRecorded`, and in its start() call
//     watch_addresses(0, SIZE_MAX) so that every free is routed. While its own code allocates it sets
//     the thread's route to kPlainHeap and back.
//   - An arena: `first_route = Route::kPlainHeap`; the begin of a pass sets kInPass, its end kPlainHeap
//   again; or kAwaiting, where passes begin at allocations. Call
//     watch_addresses(slab, length) before the first address of the slab is handed out. When the indirect
//     call through the Backend shows in a measurement, test for kInPass first in routed_allocate and call the
//     arena directly.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

enum class Route : std::uint32_t {
  kUnknown = 0,  // a thread that has not allocated yet: what zeroed thread-local storage means
  kPlainHeap,    // straight to jemalloc
  kStarting,     // inside this library's own initialisation: the start-up pool
  kRecorded,     // profile mode
  kInPass,       // serve mode, between the begin and the end of a pass
  kAwaiting,     // serve mode, until an allocation is met that opens a pass of the thread, or a worker's
  kLoading,      // inside dlopen, in modes that hook symbols: plain, but watched for its end
  kAside,        // to the next allocator in line (preload/modes/pass_through/pass_through.h)
};

// Where the program called the exported function, for operator new the caller of operator new.
struct CallSite {
  const void* address;  // the return address
  const void* stack;    // the caller's stack pointer before the call
};

// To be used in the exported function itself: the values belong to its own frame.
#define MEMO_CALL_SITE() (::memo::guest::CallSite{__builtin_return_address(0), __builtin_dwarf_cfa()})

enum class AllocationKind : std::uint32_t { kMalloc, kCalloc, kAligned, kNew };

// What malloc promises on every ABI this runs on.
inline constexpr std::size_t kDefaultAlignment = alignof(std::max_align_t);

// The assembly of symbols/hot_entries.S reads it by the name after asm, and g_watched and g_heap_alone
// likewise.
extern thread_local constinit Route t_route asm("memo_route");

inline bool on_plain_heap() {
  return __builtin_expect(t_route == Route::kPlainHeap, 1);
}

// Addresses whose release needs more than jemalloc. One range only, so that free tests it with one compare;
// it grows. Both words are read without order: a torn pair can only be seen by a thread that cannot hold an
// address of the new range yet, and for any other address the routed half decides for itself. Everything
// can be watched for a while: then only the length changes, since blocks of the range live all the time.
struct WatchedRange {
  std::uintptr_t base;
  std::size_t length;
};
extern WatchedRange g_watched asm("memo_watched");

inline bool is_watched(const void* pointer) {
  const std::uintptr_t base = __atomic_load_n(&g_watched.base, __ATOMIC_RELAXED);
  const std::size_t length = __atomic_load_n(&g_watched.length, __ATOMIC_RELAXED);
  return __builtin_expect(reinterpret_cast<std::uintptr_t>(pointer) - base < length, 0);
}

// Nothing but jemalloc answers in this process, for any thread and any address.
extern bool g_heap_alone asm("memo_heap_alone");

// To be called when the mode has started, and not before: until then threads may have to be settled.
void let_heap_alone_answer_if_nothing_is_watched();

// From now on is_watched() is true for these addresses too. Not for use from two threads at once.
void watch_addresses(std::uintptr_t base, std::size_t length);

// From now on is_watched() is true for whatever a program can hold; and for those addresses alone again.
void watch_everything();
void watch_only_those_addresses();

}  // namespace memo::guest
