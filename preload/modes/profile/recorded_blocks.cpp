#include "preload/modes/profile/recorded_blocks.h"

#include <cstdint>

#include "memomalloc/memomalloc.h"
#include "preload/dispatch/heap_block.h"
#include "preload/modes/profile/block_events.h"
#include "preload/modes/profile/canary.h"
#include "preload/modes/profile/program_pointers.h"
#include "preload/modes/profile/recorder_state.h"
#include "preload/modes/profile/trace_names.h"

namespace memo::guest {
namespace {

// Puts the calling thread on the plain heap: from here on it allocates as in mode off.
[[gnu::cold]] void leave_route() {
  t_route = Route::kPlainHeap;
}

void* allocate_block(std::size_t size, std::size_t alignment, AllocationKind kind) {
  return allocate_from_heap(block_bytes(size), alignment, kind);
}

trace::AllocationKind recorded_kind(AllocationKind kind, std::size_t alignment) {
  switch (kind) {
    case AllocationKind::kMalloc:
      break;
    case AllocationKind::kCalloc:
      return trace::AllocationKind::kCalloc;
    case AllocationKind::kAligned:
      return trace::AllocationKind::kAligned;
    case AllocationKind::kNew:
      return alignment > kDefaultAlignment ? trace::AllocationKind::kNewAligned : trace::AllocationKind::kNew;
  }
  return trace::AllocationKind::kMalloc;
}

// Returns true if the heap's own realloc would probably not have moved the block, because its size class stays
// the same.
bool stays_in_place(const void* old, std::size_t size) {
  const std::size_t bytes = block_bytes(size);
  const std::size_t room = heap::usable_size(old);
  return bytes <= room && bytes > room / 2;
}

// Returns the pointer to the block's begin that goes with this pointer into it.
void* begin_of(const BlockInfo& block, const void* inside) {
  if (!addresses_are_parted()) return tagged_pointer(block);
  const std::uintptr_t distance = address_in(inside) - block.address;
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(inside) - distance);
}

// Does what the heap's realloc does, which knows the first address of a block alone.
void* reallocate_unrecorded(const void* pointer, void* old, std::size_t size) {
  if (pointer == old) return heap::reallocate(old, size);
  void* fresh = heap::allocate(size);
  if (fresh == nullptr) return nullptr;
  move_content(fresh, pointer, heap::usable_size(old), size);
  heap::release(old);
  return fresh;
}

// Begins a new generation of the block where it lies. The program gets another address for it, where its bytes may not be.
void* reallocate_in_place(const void* pointer, BlockInfo& block, std::size_t size, CallSite site) {
  note_release(block.address, trace::kFreedByRealloc, block);
  void* const held_by_program = note_allocation(reinterpret_cast<void*>(block.address), size,
                                                kDefaultAlignment, trace::AllocationKind::kRealloc, site);
  if (addresses_are_parted() && held_by_program != pointer)
    move_content(held_by_program, pointer, block.size, size);
  return held_by_program;
}

}  // namespace

void* allocate_recorded(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (stopped()) leave_route();
  void* memory = allocate_block(size, alignment, kind);
  if (memory == nullptr || stopped()) return memory;
  return note_allocation(memory, size, alignment, recorded_kind(kind, alignment), site);
}

void* reallocate_recorded(void* pointer, std::size_t size, CallSite site) {
  const std::uintptr_t address = address_in(pointer);
  void* const old = reinterpret_cast<void*>(address);
  if (stopped()) {
    leave_route();
    return reallocate_unrecorded(pointer, old, size);
  }
  if (__builtin_expect(is_stale(pointer, address), 0)) {
    report_stale_pointer();
    return heap::no_memory();
  }
  BlockInfo block;
  const bool ours = g_recorder.table.find_block(address, block);
  if (!ours && on_plain_heap()) return reallocate_unrecorded(pointer, old, size);
  if (ours && stays_in_place(old, size)) return reallocate_in_place(pointer, block, size, site);
  void* fresh = allocate_block(size, kDefaultAlignment, AllocationKind::kMalloc);
  if (fresh == nullptr) return nullptr;
  void* const held_by_program =
      note_allocation(fresh, size, kDefaultAlignment, trace::AllocationKind::kRealloc, site);
  move_content(held_by_program, pointer, ours ? block.size : heap::usable_size(old), size);
  if (ours) note_release(address, trace::kFreedByRealloc, block);
  heap::release(old);
  return held_by_program;
}

void release_recorded(void* pointer, CallSite) {
  const std::uintptr_t address = address_in(pointer);
  BlockInfo block;
  if (!stopped()) {
    if (__builtin_expect(is_stale(pointer, address), 0)) return report_stale_pointer();
    note_release(address, 0, block);
  }
  heap::release(reinterpret_cast<void*>(address));
}

std::size_t usable_size_recorded(const void* pointer) {
  const std::uintptr_t address = address_in(pointer);
  BlockInfo block;
  if (!stopped() && g_recorder.table.find_block(address, block)) return block.size;
  return heap::usable_size(reinterpret_cast<const void*>(address));
}

bool identify_recorded(const void* inside, memo_allocation* out) {
  BlockInfo block;
  if (!g_recorder.table.find_holder(address_in(inside), block)) return false;
  if (!may_point_to(inside, block)) return false;
  *out = {trace::tag_address(block.address, block.tag), begin_of(block, inside), block.size, block.pass,
          name_text(block.scope)};
  return true;
}

}  // namespace memo::guest
