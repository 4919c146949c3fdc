// Full call stacks, on demand. The library opens libunwind, the unwinder, when recording begins and does not
// link it: its symbols would come first in the program's lookup order and take over every C++ exception of the
// program.
//
// The trace holds each stack once; events carry its number. Costs about 0.8 us for a stack whose frames
// libunwind has seen before.
#pragma once

#include <cstdint>

#include "preload/route/route.h"

namespace memo::guest {

class TraceFile;

// Opens the unwinder. Returns false, and logs the reason, if there is none; the recording goes on without
// stacks.
bool open_unwinder();

// Returns the number of the calling thread's stack from `site` outwards, and writes the stack to the file if it
// is new. Returns 0 if the stack cannot be unwound, or the table of stacks has no place for it.
std::uint32_t take_stack(CallSite site, TraceFile& file);

}  // namespace memo::guest
