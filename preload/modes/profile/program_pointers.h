// The pointers that the program holds: addresses of blocks, with a tag in the upper bits under --tag=hardware
// (hardware_tag.h).
#pragma once

#include <cstdint>

#include "preload/modes/profile/address_table.h"
#include "preload/modes/profile/recorder_state.h"

namespace memo::guest {

// Tags pointers from now on, where processor and kernel allow that; logs the reason where they do not. To be
// called once, while the process has one thread.
void start_hardware_tag();

// Returns the pointer that the program holds for the block; address_in() converts it back.
inline void* tagged_pointer(const BlockInfo& block) {
  return reinterpret_cast<void*>(with_hardware_tag(g_recorder.hardware_tag, block.address, block.tag));
}
inline std::uintptr_t address_in(const void* pointer) {
  return without_hardware_tag(g_recorder.hardware_tag, reinterpret_cast<std::uintptr_t>(pointer));
}

// Returns true if the program's pointer may be to this block, and not to an earlier one at its address.
inline bool may_point_to(const void* pointer, const BlockInfo& block) {
  return may_name(g_recorder.hardware_tag, reinterpret_cast<std::uintptr_t>(pointer), block.tag);
}

// Returns true if the pointer is to a block that was freed before. Only a pointer that carries a tag tells
// that.
inline bool is_stale(const void* pointer, std::uintptr_t address) {
  BlockInfo block;
  return g_recorder.hardware_tag.bits != 0 && g_recorder.table.find_block(address, block) &&
         !may_point_to(pointer, block);
}

void report_stale_pointer();

}  // namespace memo::guest
