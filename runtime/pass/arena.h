// The arena: malloc and free for the allocations of a pass, from the slab that a plan laid out.
//
//   serve_plan("model.plan");
//   pass_begin(key, __builtin_frame_address(0));
//     void* p = allocate(size, site);    // nullptr: not served, take the block from your heap
//     if (!release(p)) free(p);          // false: not a block of the slab
//   pass_end();
//
// The arena never hands out a byte of the slab that is live, whatever the program does: each time, the fast
// path looks at the owner of its cell, and the slow path at the live bits of every large slot that shares a
// byte. Any thread may call any of these functions; allocations and scopes belong to the calling thread's pass.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/platform/memory_annotations.h"
#include "runtime/platform/processor.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// --- passes and scopes -------------------------------------------------------------------------------------

// Begins a pass on the calling thread. `frame` is an address in the caller's stack frame. A begin deeper in the
// stack than the running pass joins that pass; any other begin means that the program left the running pass
// without an end (an exception, a longjmp). `object` is the address of what the pass is a call of, such as a model, and 0 where
// that is not known: a hint in which variant to begin (runtime/pass/last_variants.h).
void pass_begin(std::uint64_t key, const void* frame, std::uintptr_t object = 0);
void pass_end();

// Ends the thread's pass, if there is one, and begins another, at an allocation that opens a pass (an anchor,
// runtime/plan/anchors.h).
void pass_open(std::uint64_t key);

// Serves passes that an anchor opened. Returns true if the pass's variant has no slot left, and no other
// variant goes on with an allocation from `site`. What the thread does from there to its next pass is no part
// of this one: call pass_end().
[[nodiscard]] bool pass_is_used_up(std::uint64_t site);

// Returns true while the calling thread is in a pass.
[[nodiscard]] inline bool is_in_pass() {
  return t_self.depth != 0;
}

// Returns true if the running pass has no lane, and the library need not see what it allocates (runtime/worth/worth.h).
[[nodiscard]] inline bool pass_goes_by() {
  return t_self.passes_by;
}

// Ends a pass that the program left without an end, for callers that know this. pass_begin() finds out by
// itself.
void pass_abandon();

// Ends the passes of threads that ended in their pass, or after it and before the library saw that it was over.
// Their lanes become idle and the passes are counted; what these were served only their threads knew. Returns
// true if there was such a pass.
bool end_passes_of_ended_threads();

// Each takes scope_name_hash(name).
void scope_begin(std::uint64_t name_hash);
void scope_end();
void scope_follows(std::uint64_t name_hash);  // ends a scope and begins the next, at once

// --- blocks ------------------------------------------------------------------------------------------------

// An allocation has two steps. The first takes the expected cell, and is inlined. The second is one call for all else:
// it takes the expected large slot, or searches the plan. It gives a block, or the reason why there is none.

// What an allocation is to the passes of its thread, where anchors open passes or workers are planned.
struct Boundary {
  enum class Kind : std::uint8_t {
    kIsNone,   // nothing: nearly all are
    kOpens,    // it is an anchor: call pass_open()
    kEnds,     // it is no part of the running pass, which is used up: call pass_end()
    kMovesOn,  // a worker's pass ends or begins: call move_worker_on()
  };
  Kind kind = Kind::kIsNone;
  std::uint8_t anchor = 0;  // kOpens: the anchor's row in g_anchors (runtime/plan/anchors.h)
};

struct Answer {
  void* block;        // nullptr: the heap shall serve, unless the allocation is a boundary
  Boundary boundary;  // cross it, then call allocate_aligned(); kIsNone: that there is no slot was counted
};

// Asks what the allocation is, for a thread outside of passes. Nothing asks a second time: answer() says the same of an
// allocation in a pass.
[[nodiscard]] Boundary boundary_at(std::size_t size, std::uint64_t site);

// Answers an allocation of a thread in a pass that the expected cell has not answered.
[[nodiscard]] __attribute__((noinline)) Answer answer(std::size_t size, std::size_t alignment,
                                                      std::uint64_t site);

// Does the same without a look at the pass's boundaries.
[[nodiscard]] __attribute__((noinline)) void* allocate_unexpected(std::size_t size, std::size_t alignment,
                                                                  std::uint64_t site);

__attribute__((noinline)) bool release_large(void* block);
__attribute__((noinline, cold)) bool release_slowly(void* block);

// The fast path: takes the expected slot if it is a free cell, meant for this caller and large enough. `site`
// is the return address in the caller of malloc. Costs about 20 instructions, three comparisons and no lock;
// the acquire pairs with the release of the thread that freed the cell last. How far the cursor went tells how
// many blocks the pass was served; only the bytes are added up here, because a plan may serve many sizes.
// Returns false, and does not write *block, if the slot does not fit.
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
  self.served_bytes += size;
  *block = self.base + granule * kGranule;
  checker::hand_out(*block, bytes);
  return true;
}

// Takes both steps, for callers that know the pass's boundaries. Every cell is aligned to 64 bytes, so that stricter
// alignments skip the first step.
inline void* allocate_aligned(std::size_t size, std::size_t alignment, std::uint64_t site) {
  void* block;
  if (alignment <= kGranule && take_expected(size, site, &block)) [[likely]]
    return block;
  return allocate_unexpected(size, alignment, site);
}

inline void* allocate(std::size_t size, std::uint64_t site) {
  return allocate_aligned(size, 1, site);
}

// Frees a live cell; returns false if the block is none. Costs about 12 instructions: the owner, and one range
// check that also refuses an address that is not a multiple of 64 bytes from the region's start.
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

// Returns false if the block is not of the slab. A double free and an address inside a block are of the slab:
// the arena counts them and ignores them otherwise.
inline bool release(void* block) {
  return release_cell(block) || release_large(block) || release_slowly(block);
}

// Returns true if this is an address of the slab, live or not.
inline bool owns(const void* address) {
  const auto distance = static_cast<std::uint64_t>(static_cast<const char*>(address) - g_region.base);
  return distance < g_region.granules.load(std::memory_order_acquire) * kGranule;
}

// Returns how many bytes a live block can hold; 0 for an address that is not the start of one.
[[nodiscard]] std::size_t usable_size(const void* block);

// Returns true if the block can hold `size` bytes where it is (it grew or shrank within its slot); returns
// false if the caller must move it. `site` is the caller's return address: if the cursor expects a block from
// there, for the move that is not needed now, the cursor skips that slot.
[[nodiscard]] bool resize_in_place(const void* block, std::size_t size, std::uint64_t site);

}  // namespace memo::runtime
