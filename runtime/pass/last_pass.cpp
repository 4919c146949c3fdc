#include "runtime/pass/last_pass.h"

#include "runtime/slab/skipping.h"
#include "runtime/worth/worth.h"

namespace memo::runtime {
namespace {

std::uint64_t word_of(const ThreadState& self, std::uint64_t height) {
  if (self.is_worker) return 0;
  return self.passes_by ? kLastPassedBy : kLastWasCounted | (height + self.missed_bytes);
}

LastPass on_heap(std::uint64_t blocks, std::uint64_t bytes) {
  return {.at_most_bytes = bytes,
          .served_blocks = 0,
          .served_bytes = 0,
          .heap_blocks = blocks,
          .heap_bytes = bytes,
          .is_counted = false};
}

// Looks the kind up that the skipped pass was of: its end was not seen.
LastPass skipped_pass(const Skip& skip) {
  const PassingBy& one = passing_by(kind_of(skip.key.load(std::memory_order_relaxed) - 1));
  return on_heap(one.blocks(), one.bytes());
}

LastPass counted_pass(const ThreadState& self) {
  return {.at_most_bytes = self.frame_or_last & ~kLastWasCounted,
          .served_blocks = self.served,
          .served_bytes = self.served_bytes,
          .heap_blocks = self.missed,
          .heap_bytes = self.missed_bytes,
          .is_counted = true};
}

}  // namespace

void note_last_pass(ThreadState& self, std::uint64_t height) {
  self.frame_or_last = word_of(self, height);
}

bool look_at_last_pass(LastPass* out) {
  const ThreadState& self = t_self;
  const std::uint64_t last = self.frame_or_last;
  if (self.depth != 0) return false;
  if ((last & kLastWasCounted) != 0) return *out = counted_pass(self), true;
  if ((last & kLastPassedBy) != 0) return *out = on_heap(self.missed, self.missed_bytes), true;
  if ((last & kLastWasSkipped) == 0) return false;
  *out = skipped_pass(*reinterpret_cast<const Skip*>(last & ~kLastWasSkipped));
  return true;
}

}  // namespace memo::runtime
