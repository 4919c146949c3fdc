// What happens when the expected slot is not the one: a large slot, a skipped or extra allocation, another order.
//
//   scope:      [ a  b  c  d ]  [ e … ]          cursor at b, the program asks for d (it skipped b and c):
//                    ^                            d's own slot is served and `resume` remembers what follows it;
//                  cursor                         if the next allocation is that one, the cursor jumps there, and
//                                                 if it is b after all, d was a stray and nothing was lost.
//
// Order of search: the expected slot; `resume`; slots of the same site further on in the scope; slots of that site
// behind the cursor, whose time is over; slots of that site in later scopes; any free cell that is large enough
// (operators in another order find their own cells taken, and others idle). None: the heap, with the first
// reason. A handful of candidates each, so that a program gone astray pays nanoseconds.
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

// The thread has a lane. nullptr: to the heap, counted.
void* match(ThreadState& self, const Request& request);

// Puts the cursor at the start of a variant on the thread's lane, on which no large slot is live unless it is one
// of that variant.
void start_variant(ThreadState& self, const Variant& variant);

}  // namespace memo::runtime
