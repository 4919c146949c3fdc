// Decides which way a call of malloc goes. Everything that the library can do besides plain allocation
// depends on the two questions below. In mode off neither question can have another answer. There, the
// entries that nearly every call takes test g_heap_alone instead: one compare of a byte that never changes
// again.
//
//   malloc & co.:  is this thread's route kPlainHeap?            no -> allocate_off_heap / routed_reallocate
//   free & co.:    does the address lie outside the watched range? no -> release_watched / routed_usable_size
//
// From there the route says who answers (preload/dispatch/off_heap.h): the arena, the heap, or the backend of the mode
// (preload/dispatch/backend.h). A new thread gets its route on the way.
//
// How to plug in
//   - A recorder: its Backend has `first_route = Route::kRecorded`, and its start() calls watch_everything(),
//     so that every free is routed. While its own code allocates, it sets the thread's route to kPlainHeap, and
//     restores the route afterwards.
//   - An arena: its Backend has `first_route = Route::kPlainHeap`. The begin of a pass sets kInPass, and its
//     end sets kPlainHeap again, or kAwaiting where passes begin at allocations. It calls
//     watch_addresses(slab, length) before it hands out the first address of the slab.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

enum class Route : std::uint32_t {
  kUnknown = 0,  // a thread that has not allocated yet; thread-local storage begins as zeros
  kPlainHeap,    // calls go straight to jemalloc
  kStarting,     // inside the library's own start-up: the start-up memory serves
  kRecorded,     // profile mode
  kInPass,       // serve mode, between the begin and the end of a pass
  kAwaiting,     // serve mode, until an allocation opens the thread's pass or a worker's pass
  kLoading,      // inside dlopen, in modes that hook symbols: the heap serves, until dlopen returns
  kPassThrough,  // calls go to the next allocator (preload/modes/pass_through/pass_through.h)
};

// The place where the program called the exported function; for operator new, the caller of operator new.
struct CallSite {
  const void* address;  // the return address
  const void* stack;    // the caller's stack pointer before the call
};

// Use this only in the exported function itself: the values belong to that function's frame.
#define MEMO_CALL_SITE() (::memo::guest::CallSite{__builtin_return_address(0), __builtin_dwarf_cfa()})

enum class AllocationKind : std::uint32_t { kMalloc, kCalloc, kAligned, kNew };

// The alignment in bytes that malloc promises on every ABI that the library runs on.
inline constexpr std::size_t kDefaultAlignment = alignof(std::max_align_t);

// The route of the calling thread. The assembly of symbols/hot_entries.S reads it by the name after asm, and
// reads g_watched and g_heap_alone in the same way.
extern thread_local constinit Route t_route asm("memo_route");

inline bool on_plain_heap() {
  return __builtin_expect(t_route == Route::kPlainHeap, 1);
}

// Addresses whose release needs more than jemalloc. There is one range only, so that free tests it with one
// compare; the range grows. Both words are read without memory order. Only a thread that cannot hold an
// address of the new range yet can see a torn pair, and for any other address the routed half decides for
// itself. The library can watch all addresses for a while. Only the length changes then, since blocks of the
// range stay alive all the time.
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

// Tells whether jemalloc alone answers in this process, for every thread and every address.
extern bool g_heap_alone asm("memo_heap_alone");

// Sets g_heap_alone if no address is watched. Call this when the mode has started, and not before: until then
// the library may still have to settle threads.
void let_heap_alone_answer_if_nothing_is_watched();

// Makes is_watched() true for these addresses too. Two threads must not call this at the same time.
void watch_addresses(std::uintptr_t base, std::size_t length);

// The first makes is_watched() true for every address that a program can hold; the second makes it true again
// only for the addresses given to watch_addresses().
void watch_everything();
void watch_only_those_addresses();

}  // namespace memo::guest
