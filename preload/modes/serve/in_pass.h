// The hot half of serve mode, inlined into the exported functions: allocations that come as the plan expects
// them.
#pragma once

#include <cstddef>

#include "preload/boundaries/ended_frames.h"
#include "preload/dispatch/routed.h"
#include "preload/route/route.h"
#include "runtime/pass/arena.h"

namespace memo::guest {

inline bool in_pass() {
  return t_route == Route::kInPass;
}

// Takes the cell that the plan expects next; frames_have_ended() comes before it. The thread's route need not be
// checked: the plan expects a slot only inside a served pass. Every cell is aligned to 64 bytes. Returns false, with
// *block not written, if the allocation does not match.
[[gnu::always_inline]] inline bool take_foreseen(std::size_t size, CallSite site, void** block) {
  return runtime::take_expected(size, reinterpret_cast<std::uintptr_t>(site.address), block);
}

// Asks the arena for every other allocation of a thread that is not on the plain heap and whose frames have not ended. Does
// not ask it where no pass runs.
inline runtime::Answer answer_unforeseen(std::size_t size, std::size_t alignment, CallSite site) {
  if (!in_pass()) return {nullptr, runtime::Instead::kBoundary};
  return runtime::answer(size, alignment, reinterpret_cast<std::uintptr_t>(site.address));
}

// Serves what the arena has not served, from the heap, from the recorder, or from the pass that begins here. Returns what
// routed_allocate returns.
void* allocate_instead(runtime::Instead instead, std::size_t size, std::size_t alignment, AllocationKind kind,
                       CallSite site);

// Does both.
void* allocate_unforeseen(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);

// Allocates for a thread that is not on the plain heap. The memory is not zeroed.
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
