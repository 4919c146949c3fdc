// Holds the events of one thread on their way to the file, in a buffer that only its thread writes to. When
// the buffer is full, and at the end of a pass, it becomes a block of the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "preload/modes/profile/clock.h"
#include "runtime/formats/trace_format.h"

namespace memo::guest {

class TraceFile;

// Returns the head of an event of `bytes` that happens now.
inline trace::EventHead head_of(trace::EventKind kind, std::size_t bytes, std::uint8_t flags,
                                std::uint32_t detail) {
  return {kind, flags, static_cast<std::uint8_t>(bytes / 8), 0, detail, ticks_now()};
}

struct EventLog {
  static constexpr std::uint32_t kCapacity = 64 * 1024;  // bytes
  static constexpr std::uint32_t kMostScopes = 256;

  EventLog* next;
  std::uint32_t owner;
  std::uint32_t number;  // the thread's number in the trace, from 1
  std::uint32_t file;    // TraceFile::number() of the file that the events are for
  std::uint64_t sequence;
  std::uint64_t lost;

  std::uint32_t pass;  // 0 outside passes
  // Names, for a thread without a pass, the running pass of another thread that began last, as
  // RunningPasses::latest() numbers it (runtime/slab/running_passes.h); 0 for none.
  std::uint32_t works_for;
  std::uint32_t scope_depth;
  std::uint32_t scopes[kMostScopes];  // name ids, innermost last

  bool busy;           // the thread is writing an event: a signal handler must not write another
  std::uint32_t used;  // bytes of complete events
  // flush_from_outside reads this while the owner writes.
  std::uint64_t events[kCapacity / sizeof(std::uint64_t)];

  [[nodiscard]] std::uint32_t scope() const {
    return scope_depth == 0 || scope_depth > kMostScopes ? 0 : scopes[scope_depth - 1];
  }

  // Returns true if there is room for `bytes` more; the caller writes them and calls finish().
  [[nodiscard]] bool begin(std::size_t bytes, TraceFile& to);
  void finish(std::size_t bytes) {
    __atomic_store_n(&used, used + static_cast<std::uint32_t>(bytes), __ATOMIC_RELEASE);
    busy = false;
  }

  // Appends an event. Costs 3 ns for a bounds check and a copy of 16 to 48 bytes, and 7 ns for the clock.
  template <typename Event>
  void append(const Event& event, TraceFile& to) {
    static_assert(sizeof event % sizeof(std::uint64_t) == 0);
    std::uint64_t words[sizeof event / sizeof(std::uint64_t)];
    std::memcpy(words, &event, sizeof event);
    if (!begin(sizeof event, to)) return;
    std::uint64_t* at = events + used / sizeof(std::uint64_t);
    for (const std::uint64_t word : words) __atomic_store_n(at++, word, __ATOMIC_RELAXED);
    finish(sizeof event);
  }

  // Empties the log for the file of this number; the thread is outside of any pass then.
  void begin_anew(std::uint32_t its_file);

  // Writes the buffered events as a block. Drops them if the file that they are for has been forgotten.
  void flush(TraceFile& to);

  // Writes the buffered events from another thread, which ends the process. Takes a copy, and takes it again if
  // the owner flushed meanwhile. The owner may write the same block once more; readers recognise a duplicate by
  // its number.
  void flush_from_outside(TraceFile& to, std::uint64_t* copy) const;

  void count_lost() { __atomic_store_n(&lost, lost + 1, __ATOMIC_RELAXED); }
};

inline bool EventLog::begin(std::size_t bytes, TraceFile& to) {
  if (__builtin_expect(busy, 0)) {
    count_lost();
    return false;
  }
  if (__builtin_expect(used + bytes > kCapacity, 0)) flush(to);
  busy = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return true;
}

}  // namespace memo::guest
