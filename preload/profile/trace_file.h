// The trace of this process. Opened when the first pass begins, so that a wrapper that makes none leaves no file.
// Blocks are written whole: threads need no lock, and what was written stays, whatever becomes of the process. The
// first blocks are kept until the file is full, or the newest ones in a ring (trace_ring.h).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "preload/profile/trace_format.h"
#include "preload/profile/trace_ring.h"

namespace memo::guest {

class TraceFile {
 public:
  enum class Keep { kFirst, kNewest };

  // `pattern` may hold %c (the command's name) and %p (the process id) and must stay readable; `limit` bounds the
  // file's bytes.
  void configure(const char* pattern, std::uint64_t limit, Keep keep);

  // True when the file is open. The first call opens it; a name that is taken gets a number behind it. Threads that
  // come meanwhile wait for it.
  bool ensure_open();
  [[nodiscard]] bool is_open() const;

  // Completes the header and writes the block. False: the disk is full or the limit reached; the trace ends before
  // this block. `payload` is a multiple of eight bytes; with the header it fits a chunk of the ring.
  bool append(trace::BlockKind kind, std::uint32_t thread, std::uint64_t sequence, std::uint64_t lost,
              const void* payload, std::size_t bytes);

  // Why an append failed, in words.
  [[nodiscard]] const char* failure() const { return __atomic_load_n(&failure_, __ATOMIC_RELAXED); }

  // A forked child has its parent's file open: lets go of it, so that the child may open its own.
  void forget();

 private:
  // Numbers and no enumeration: not every compiler takes one for its atomic operations.
  using State = int;
  static constexpr State kClosed = 0;
  static constexpr State kOpening = 1;
  static constexpr State kOpen = 2;
  static constexpr State kFailed = 3;

  int open_new();
  bool fail(const char* why);
  bool find_place(trace::BlockKind kind, std::size_t bytes, off_t& place);  // false where there is no room
  void empty_chunk(std::uint64_t begin) const;

  const char* pattern_ = "";
  std::uint64_t limit_ = 0;
  Keep keep_ = Keep::kFirst;
  std::uint64_t written_ = 0;
  TraceRing ring_;
  const char* failure_ = nullptr;
  int file_ = -1;
  State state_ = kClosed;
};

}  // namespace memo::guest
