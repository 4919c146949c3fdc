// One thread's events on their way to the file: a buffer that only its thread writes to. Full, or at the end of a
// pass, it becomes a block of the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "preload/modes/profile/clock.h"
#include "runtime/formats/trace_format.h"

namespace memo::guest {

class TraceFile;

struct EventLog {
  static constexpr std::uint32_t kCapacity = 64 * 1024;
  static constexpr std::uint32_t kMostScopes = 256;

  EventLog* next;
  std::uint32_t owner;
  std::uint32_t number;  // of the thread, from 1
  std::uint32_t file;    // number of the one that its events are for
  std::uint64_t sequence;
  std::uint64_t lost;

  std::uint32_t pass;  // 0 outside passes
  std::uint32_t
      works_for;  // without a pass: which had begun last while others ran theirs (runtime/slab/running_passes.h)
  std::uint32_t scope_depth;
  std::uint32_t scopes[kMostScopes];  // name ids, innermost last

  bool busy;           // an event is being written: a signal handler must not
  std::uint32_t used;  // bytes of events that are complete
  std::uint64_t
      events[kCapacity / sizeof(std::uint64_t)];  // flush_from_outside reads it while its thread writes

  [[nodiscard]] std::uint32_t scope() const {
    return scope_depth == 0 || scope_depth > kMostScopes ? 0 : scopes[scope_depth - 1];
  }

  // True when there is room for `bytes` more, which the caller then writes; to be ended with finish().
  [[nodiscard]] bool begin(std::size_t bytes, TraceFile& to);
  void finish(std::size_t bytes) {
    __atomic_store_n(&used, used + static_cast<std::uint32_t>(bytes), __ATOMIC_RELEASE);
    busy = false;
  }

  // 3 ns with the clock's 7 on top: a bounds check and a copy of 16 to 48 bytes.
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

  // Empty, outside of any pass, for the file of this number.
  void begin_anew(std::uint32_t its_file);

  // Makes a block of what is there, unless it is for a file that is gone.
  void flush(TraceFile& to);

  // The same from another thread, which ends the process: a copy is taken, and taken again if the owner flushed
  // meanwhile. The owner may write the same block once more; readers know a copy by its number.
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
