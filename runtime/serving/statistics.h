// What the arena did in this process. Passes add their counts when they end.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/slab/lane.h"

namespace memo::runtime {

struct PassCounters {
  std::atomic<std::uint64_t> passes;
  std::atomic<std::uint64_t> served;
  std::atomic<std::uint64_t> served_bytes;
  std::atomic<std::uint64_t> fallback[kReasonCount];
  std::atomic<std::uint64_t> fallback_bytes;
};

// All counters. The inherited ones count the program's own passes; `workers` counts those of workers.
struct Statistics : PassCounters {
  PassCounters workers;
  std::atomic<std::uint64_t> double_free;
  std::atomic<std::uint64_t> bad_free;   // frees of an address inside a block
  std::atomic<std::uint64_t> abandoned;  // passes left without an end
  std::atomic<std::uint64_t> plans_loaded;
  std::atomic<std::uint64_t> plans_refused;
  std::atomic<std::uint64_t> plans_grown;
  std::atomic<std::uint64_t> recordings;  // recordings begun in order to plan again
};

extern Statistics g_statistics;

inline void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) {
  if (amount != 0) counter.fetch_add(amount, std::memory_order_relaxed);
}

void forget_statistics();

// Sums of the program's own passes, or of those of workers.
struct PassFigures {
  std::uint64_t passes, served, served_bytes, fallback[kReasonCount], fallback_bytes;
  std::uint64_t missed;  // the sum of the fallbacks
};

// Returns the figures of the program's own passes, with what the calling thread's pass has done so far.
[[nodiscard]] PassFigures look_at_passes();

// Returns the name of a reason, as the statistics have it. `reason` is less than kReasonCount.
[[nodiscard]] const char* reason_name(std::uint32_t reason);

// Sets the state that the statistics show: "serving", or what the mode does before that. `state` must be a
// literal.
void set_state(const char* state);

// The heap's own figures, where it has some.
struct HeapFigures {
  std::uint64_t allocated;
  std::uint64_t resident;
};

// Writes one JSON object, NUL-terminated and cut to `capacity`; returns the length it needs. Includes what the
// calling thread's pass has done so far. Passes of threads that have ended count once
// end_passes_of_ended_threads() has found them.
std::size_t statistics_json(char* out, std::size_t capacity, const HeapFigures* heap);

}  // namespace memo::runtime
