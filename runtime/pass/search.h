// Serves a pass when the expected slot does not answer: a skipped or extra allocation, another order, another
// shape.
//
//   scope:      [ a  b  c  d ]  [ e … ]          cursor at b, the program asks for d (it skipped b and c):
//                    ^                            d's own slot is served; `resume` remembers what follows it;
//                  cursor                         if the next allocation is that one, the cursor jumps there;
//                                                 if it is b after all, d was a stray and nothing was lost.
//
// A search goes through these steps, each in a file of its own:
//
//   taking.h        takes one slot or cell for the request, or notes why it cannot
//   steering.h      moves the pass: to `resume`, round a loop, to another variant
//   candidates.h    tries other slots from the same call site, then any free cell that is large enough
//   gaps.h          lends a large block that comes out of order a place that is needed last
//
// If none is free, the heap serves, and the first reason is counted. Each step looks at a limited number of candidates,
// so that a program that does not match its plan pays nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/slab/thread_state.h"

namespace memo::runtime {

struct Request {
  std::size_t size;  // at least 1
  std::size_t alignment;
  std::uint64_t site;
};

inline bool is_aligned(const char* address, std::size_t alignment) {
  return (reinterpret_cast<std::uintptr_t>(address) & (alignment - 1)) == 0;
}

// Searches a slot for a request that the expected slot did not answer when it was tried. The thread must have a lane.
// Returns nullptr, after counting the reason, if the heap has to serve.
void* search(ThreadState& self, const Request& request);

// Puts the cursor at the start of a variant on the thread's lane. Large slots may be live there only if they
// are slots of that variant.
void start_variant(ThreadState& self, const Variant& variant);

}  // namespace memo::runtime
