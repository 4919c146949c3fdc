// The begin and the end of a block: its generation in the address table, its canary, and its two events.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/modes/profile/address_table.h"
#include "preload/route/route.h"
#include "runtime/formats/trace_format.h"

namespace memo::guest {

// Begins the block's generation, and logs the allocation if it is to be recorded. Returns the pointer that the
// program shall hold. Takes 15 ns, most of them for the clock.
void* note_allocation(void* memory, std::size_t size, std::size_t alignment, trace::AllocationKind kind,
                      CallSite site);

// Ends the block's generation. Returns false if the table does not know the block.
bool note_release(std::uintptr_t address, std::uint8_t flags, BlockInfo& block);

}  // namespace memo::guest
