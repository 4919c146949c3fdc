// The arena: malloc and free for the allocations of a pass, from the slab that a plan laid out.
//
//   serve_plan("model.plan");
//   pass_begin(key, __builtin_frame_address(0));
//     void* p = allocate(size, site);    // nullptr: not from the plan, take it from your heap
//     if (!release(p)) free(p);          // false: not ours
//   pass_end();
//
// No byte of the slab is handed out twice while live, whatever the program does: the fast path looks at the
// owner of its cell, the slow one at the live bits of every large slot that shares a byte, each time. All
// functions may be called from any thread; allocations and scopes belong to the calling thread's pass.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/platform/memory_annotations.h"
#include "runtime/platform/processor.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// --- passes and scopes ----------------------------------------------------------------------------------------

// `frame` is an address in the caller's stack frame. A begin deeper in the stack than the pass that is running
// joins it; any other means that the running pass was left without an end (an exception, a longjmp).
void pass_begin(std::uint64_t key, const void* frame);
void pass_end();

// An allocation has been met that opens a pass (runtime/plan/anchors.h): ends the thread's pass, where there is one, and begins
// another.
void pass_open(std::uint64_t key);

// Of a pass that an anchor opened: the plan has nothing left for it, and an allocation from this site is none that another
// variant would go on with. What the thread does until its next pass is no part of this one; pass_end() then.
[[nodiscard]] bool pass_is_used_up(std::uint64_t site);

// The pass was left without an end, and whoever calls this knows. A begin finds out by itself.
void pass_abandon();

// A thread may end in its pass, or after it and before anybody saw that it was over: its lane becomes idle and the pass is
// counted, though what it was served only its thread knew. True: there was one.
bool end_passes_of_ended_threads();

// Takes scope_name_hash(name).
void scope_begin(std::uint64_t name_hash);
void scope_end();
void scope_follows(std::uint64_t name_hash);  // the end of one and the begin of the next, at once

// --- blocks -----------------------------------------------------------------------------------------------------

// The three levels, each asked when the one before has no answer: the expected slot is a cell; it is a large one; anything
// else. The first is inlined, the second a call, the third a search.
__attribute__((noinline)) void* take_expected_large(std::size_t size, std::size_t alignment,
                                                    std::uint64_t site);
__attribute__((noinline, cold)) void* allocate_slowly(std::size_t size, std::size_t alignment,
                                                      std::uint64_t site);
__attribute__((noinline)) bool release_large(void* block);
__attribute__((noinline, cold)) bool release_slowly(void* block);

// The fast path: is the expected slot a free cell that is meant for this caller and big enough? `site` is the return
// address of whoever asked for memory. About 20 instructions, three comparisons, nothing locked; the acquire pairs with
// the release of whichever thread freed the cell last. What the pass has been served is known from how far the cursor
// went: adding it up here would be a chain of loads and stores from one allocation to the next. False: *block is not written.
inline bool take_expected(std::size_t size, std::uint64_t site, void** block) {
  ThreadState& self = t_self;
  const HotSlot* slot = self.cursor;
  const std::uint64_t bytes = slot->bytes;
  if (!holds(slot->site, site) || size - 1 >= bytes) [[unlikely]]
    return false;
  const std::uint64_t granule = slot->granule;
  self.cursor = &kReentered;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  std::atomic<Owner>& owner = self.owners[granule];
  if (!holds(owner, kNobody)) [[unlikely]] {
    self.cursor = slot;
    return false;
  }
  owner.store(static_cast<Owner>(bytes / kGranule), std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  self.cursor = slot + 1;
  *block = self.base + granule * kGranule;
  checker::hand_out(*block, bytes);
  return true;
}

// Every cell is aligned to 64 bytes.
inline void* allocate_aligned(std::size_t size, std::size_t alignment, std::uint64_t site) {
  void* block;
  if (alignment <= kGranule && take_expected(size, site, &block)) [[likely]]
    return block;
  block = take_expected_large(size, alignment, site);
  return block != nullptr ? block : allocate_slowly(size, alignment, site);
}

inline void* allocate(std::size_t size, std::uint64_t site) {
  return allocate_aligned(size, 1, site);
}

// About 12 instructions: one range check, which also refuses what is not the start of a block, and the owner. False:
// not a live cell.
inline bool release_cell(void* block) {
  const std::uint64_t granule = granule_of(block);
  if (granule >= g_region.granules.load(std::memory_order_acquire)) [[unlikely]]
    return false;
  std::atomic<Owner>& owner = g_region.owners[granule];
  const Owner held = owner.load(std::memory_order_relaxed);
  if (held == kNobody || held >= kLargeOwner) [[unlikely]]
    return false;
  checker::take_back(block, std::size_t{held} * kGranule);
  owner.store(kNobody, std::memory_order_release);
  return true;
}

// False: not ours. A double free or an address inside a block is ours, counted and otherwise ignored.
inline bool release(void* block) {
  return release_cell(block) || release_large(block) || release_slowly(block);
}

// Is this an address of the slab, live or not?
inline bool owns(const void* address) {
  const auto distance = static_cast<std::uint64_t>(static_cast<const char*>(address) - g_region.base);
  return distance < g_region.granules.load(std::memory_order_acquire) * kGranule;
}

// What a live block can hold; 0 for an address that is not the start of one.
[[nodiscard]] std::size_t usable_size(const void* block);

// The block holds `size` bytes where it is (it grew or shrank within its slot). False: move it. `site` is the
// caller's, so that a slot planned for the moved block is not waited for.
[[nodiscard]] bool resize_in_place(const void* block, std::size_t size, std::uint64_t site);

}  // namespace memo::runtime
