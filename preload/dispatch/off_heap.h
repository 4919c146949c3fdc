// Calls that the plain heap does not answer. The hot half is inlined into the exported functions: an allocation that
// the plan expects, and the release of a cell. For every other allocation the thread's route alone says who answers:
//
//   kInPass     the arena, from the plan of the running pass
//   kAwaiting   the heap, unless a pass begins here
//   any other   the table of the mode, by way of routed.h
//
// Only what is rare goes up to the mode from here: the begin and the end of passes, and looks around.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/boundaries/ended_frames.h"
#include "preload/dispatch/routed.h"
#include "preload/route/route.h"
#include "runtime/pass/arena.h"

namespace memo::guest {

inline bool in_pass() {
  return t_route == Route::kInPass;
}

inline std::uintptr_t address_of(CallSite site) {
  return reinterpret_cast<std::uintptr_t>(site.address);
}

// Takes the cell that the plan expects next; frames_have_ended() comes before it. The thread's route need not be
// checked: the plan expects a slot only inside a served pass. Every cell is aligned to 64 bytes. Returns false, with
// *block not written, if the allocation does not match.
[[gnu::always_inline]] inline bool take_foreseen(std::size_t size, CallSite site, void** block) {
  return runtime::take_expected(size, address_of(site), block);
}

// Allocates for a thread that is not on the plain heap, whose frames have not ended, and whose expected cell does not
// answer. Returns what routed_allocate() returns. No function here zeroes the memory.
void* allocate_unforeseen(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);

// Does the same for a thread outside of passes.
void* allocate_outside(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);

// Allocates what the arena has not served: on the heap, or after the boundary that the allocation is.
void* allocate_missed(runtime::Boundary boundary, std::size_t size, std::size_t alignment,
                      AllocationKind kind, CallSite site);

// Allocates for a thread that is not on the plain heap.
[[gnu::always_inline]] inline void* allocate_off_heap(std::size_t size, std::size_t alignment,
                                                      AllocationKind kind, CallSite site) {
  if (frames_have_ended(site)) [[unlikely]]
    return routed_allocate(size, alignment, kind, site);
  void* block;
  if (alignment <= kGranule && take_foreseen(size, site, &block)) [[likely]]
    return block;
  return allocate_unforeseen(size, alignment, kind, site);
}

// Releases a block at a watched address that is no cell in use.
void release_unforeseen(void* block, CallSite site);

// Releases a block at a watched address. Does not check for ended frames: the thread's next allocation does.
[[gnu::always_inline]] inline void release_watched(void* block, CallSite site) {
  if (!runtime::release_cell(block)) [[unlikely]]
    release_unforeseen(block, site);
}

}  // namespace memo::guest
