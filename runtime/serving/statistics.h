// The counts of the arena's work in this process. Passes on lanes add theirs when they end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/formats/live_page.h"

namespace memo::runtime {

using memo::kReasonCount;
using memo::PassCounters;
using memo::Statistics;

// Returns the counters, which lie in the live page (runtime/serving/live_page.h).
[[nodiscard]] Statistics& statistics();

inline void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) {
  if (amount != 0) counter.fetch_add(amount, std::memory_order_relaxed);
}

// Sums of the program's own passes, or of those of workers.
struct PassFigures {
  std::uint64_t passes, served, served_bytes, searched, fallback[kReasonCount], fallback_bytes, kept_bytes;
  std::uint64_t missed;  // the sum of the fallbacks
};

// Returns the sums of ended passes.
[[nodiscard]] PassFigures sum_up(const PassCounters& counters);

// Returns the figures of the program's own passes, with what the calling thread's pass has done so far.
[[nodiscard]] PassFigures look_at_passes();

// Counts memory that went back to the system at once; nothing where none did.
void count_release(std::uint64_t slab_bytes, std::uint64_t heap_bytes);

// Sets the state that the statistics show: "serving", or what the mode does before that. `state` must be a
// literal.
void set_state(const char* state);

// The heap's own figures, where it has some.
struct HeapFigures {
  std::uint64_t allocated;
  std::uint64_t resident;
};

// Measures sizes and texts as they are now, for the live page. Returns false, and measures nothing, while another
// thread changes the plans: no pass waits for that. Leaves out the pinned blocks, which cost a look at every cell.
[[nodiscard]] bool measure_without_waiting(const HeapFigures& heap, LiveGauges* gauges);

// Writes one JSON object, NUL-terminated and cut to `capacity`; returns the length it needs. Includes what the
// calling thread's pass has done so far. Passes of threads that have ended count once
// end_passes_of_ended_threads() has found them.
std::size_t statistics_json(char* out, std::size_t capacity, const HeapFigures* heap);

// Writes the same object for a live page of another process, or of one that has ended.
std::size_t statistics_json(const LivePage& page, char* out, std::size_t capacity);

// Returns the name of a reason, as the statistics have it. `reason` is less than kReasonCount.
[[nodiscard]] const char* reason_name(std::uint32_t reason);

}  // namespace memo::runtime
