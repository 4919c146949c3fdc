// The trace of this process. Opened when the first pass begins, so that a wrapper that makes none leaves no file.
// Blocks are appended by whole writes: threads need no lock, and what was written stays, whatever becomes of the
// process.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/profile/trace_format.h"

namespace memo::guest {

class TraceFile {
 public:
  // `pattern` may hold %c (the command's name) and %p (the process id) and must stay readable; `limit` bounds the
  // file's bytes.
  void configure(const char* pattern, std::uint64_t limit);

  // True when the file is open. The first call opens it; a name that is taken gets a number behind it. Threads that
  // come meanwhile wait for it.
  bool ensure_open();
  [[nodiscard]] bool is_open() const;

  // Completes the header and writes the block. False: the disk is full or the limit reached; the trace ends before
  // this block. `payload` is a multiple of eight bytes.
  bool append(trace::BlockKind kind, std::uint32_t thread, std::uint64_t sequence, std::uint64_t lost,
              const void* payload, std::size_t bytes);

  // Why the last append failed, in words.
  [[nodiscard]] const char* failure() const { return failure_; }

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

  const char* pattern_ = "";
  std::uint64_t limit_ = 0;
  std::uint64_t written_ = 0;
  const char* failure_ = "";
  int file_ = -1;
  State state_ = kClosed;
};

}  // namespace memo::guest
