// Full call stacks, on demand. The unwinder is libunwind, opened when recording begins and not linked: its symbols,
// first in the program's lookup order, would take over every C++ exception of the host.
//
// A stack is written to the trace once; events carry its number. Some 0.8 us for a stack whose frames libunwind has
// seen before.
#pragma once

#include <cstdint>

#include "preload/route/route.h"

namespace memo::guest {

class TraceFile;

// False, with a line that says why, where there is no unwinder; the recording goes on without stacks.
bool open_unwinder();

// The number of the calling thread's stack from `site` outwards, written to the file if it is new; 0 where it cannot be
// told.
std::uint32_t take_stack(CallSite site, TraceFile& file);

}  // namespace memo::guest
