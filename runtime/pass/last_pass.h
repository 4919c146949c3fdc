// What a thread's last pass took. The figures of a pass stay with its thread until it begins another, so that a pass costs a few
// stores more, and a block nothing.
//
//   pass runs ──(ends)──► its figures ──(another begins, or the thread works for others)──► nothing is known
#pragma once

#include <cstdint>

#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// The most that it held at once is the height of its variant, and all that it took from the heap. One that is not counted passed by:
// the figures are those of the last one of its kind that was.
struct LastPass {
  std::uint64_t at_most_bytes;
  std::uint64_t served_blocks;
  std::uint64_t served_bytes;
  std::uint64_t heap_blocks;
  std::uint64_t heap_bytes;
  bool is_counted;
};

// Notes what the pass that ends took, after its blocks were counted; `height` is that of its variant, 0 without a lane.
void note_last_pass(ThreadState& self, std::uint64_t height);

// Returns false, and writes nothing, while the thread is in a pass, and where none of it has ended, or one since then was a
// worker's.
[[nodiscard]] bool look_at_last_pass(LastPass* out);

}  // namespace memo::runtime
