// The pointers that the program holds: addresses of blocks, with a tag in some of their bits under --tag=hardware and
// --tag=alias (pointer_tag.h).
#pragma once

#include <cstdint>

#include "preload/modes/profile/address_table.h"
#include "preload/modes/profile/recorder_state.h"

namespace memo::guest {

// Tags pointers from now on, where processor and kernel allow that; logs the reason where they do not. To be
// called once, while the process has one thread.
void start_hardware_tag();

// Does the same by several addresses of each block. To be called before the heap starts.
void start_aliases();

// Parts the memory of the addresses, since the process is copied: the copy must not write to the blocks of the process.
// From then on a block has one address, the one that the program holds, and new blocks have no tag in their pointers.
// Returns true if there were aliases until now.
bool end_aliases();
void say_that_aliases_ended();

// Returns true if a block has other bytes at its other addresses: the aliases have ended.
bool addresses_are_parted();

// Returns the pointer that the program is to hold for a new block; address_in() converts it back.
inline void* tagged_pointer(const BlockInfo& block) {
  const bool tags = read_relaxed(g_recorder.tags_new_pointers);
  return reinterpret_cast<void*>(tags ? with_tag(g_recorder.pointer_tag, block.address, block.tag)
                                      : block.address);
}
inline std::uintptr_t address_in(const void* pointer) {
  return without_tag(g_recorder.pointer_tag, reinterpret_cast<std::uintptr_t>(pointer));
}

// Returns true if the program's pointer may be to this block, and not to an earlier one at its address.
inline bool may_point_to(const void* pointer, const BlockInfo& block) {
  return may_name(g_recorder.pointer_tag, reinterpret_cast<std::uintptr_t>(pointer), block.tag);
}

// Returns true if the pointer is to a block that was freed before. Only a pointer that carries a tag tells
// that.
inline bool is_stale(const void* pointer, std::uintptr_t address) {
  BlockInfo block;
  return g_recorder.pointer_tag.bits != 0 && g_recorder.table.find_block(address, block) &&
         !may_point_to(pointer, block);
}

void report_stale_pointer();

}  // namespace memo::guest
