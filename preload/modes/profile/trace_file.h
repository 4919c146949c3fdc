// The trace of this process. Opened when the first pass begins, so that a wrapper that makes none leaves no file.
// Blocks are written whole: threads need no lock, and what was written stays, whatever becomes of the process. The
// first blocks are kept until the file is full, or the newest ones in a ring (trace_ring.h).
//
// The program may close the file, or lay its own over it, at any time: nothing is written to what is not the trace
// (runtime/platform/own_file.h), and the trace is opened again by its path and goes on.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <climits>
#include <cstddef>
#include <cstdint>

#include "preload/modes/profile/trace_ring.h"
#include "runtime/formats/trace_format.h"
#include "runtime/platform/own_file.h"

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

  // Completes the header and writes the block. False: the disk is full, the limit reached, or the file out of reach;
  // the trace ends before this block. `payload` is a multiple of eight bytes; with the header it fits a chunk of the ring.
  bool append(trace::BlockKind kind, std::uint32_t thread, std::uint64_t sequence, std::uint64_t lost,
              const void* payload, std::size_t bytes);

  // Why an append failed, in words.
  [[nodiscard]] const char* failure() const { return __atomic_load_n(&failure_, __ATOMIC_RELAXED); }

  // A forked child has its parent's file open: lets go of it, so that the child may open its own.
  void forget();

  // The same where other threads live: false, and nothing has changed, while one of them is at it.
  [[nodiscard]] bool try_forget();

  // How often it was forgotten: which file something is meant for.
  [[nodiscard]] std::uint32_t number() const { return __atomic_load_n(&number_, __ATOMIC_ACQUIRE); }

  // As long as one lives, try_forget fails.
  class Use {
   public:
    explicit Use(TraceFile& file) : file_(file) { __atomic_add_fetch(&file_.users_, 1U, __ATOMIC_SEQ_CST); }
    ~Use() { __atomic_sub_fetch(&file_.users_, 1U, __ATOMIC_RELEASE); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    // To be asked once it lives: try_forget looks for users after it has said that it is at it.
    [[nodiscard]] bool is_of(std::uint32_t number) const {
      return __atomic_load_n(&file_.state_, __ATOMIC_SEQ_CST) != kForgetting && file_.number() == number;
    }
    [[nodiscard]] bool may_write() const { return __atomic_load_n(&file_.state_, __ATOMIC_SEQ_CST) == kOpen; }

   private:
    TraceFile& file_;
  };

 private:
  // Numbers and no enumeration: not every compiler takes one for its atomic operations.
  using State = int;
  static constexpr State kClosed = 0;
  static constexpr State kOpening = 1;
  static constexpr State kOpen = 2;
  static constexpr State kFailed = 3;
  static constexpr State kForgetting = 4;

  void begin_anew();
  bool open_new();
  bool write_block(const iovec* parts, off_t place, std::size_t bytes);
  bool fail(const char* why);
  bool find_place(trace::BlockKind kind, std::size_t bytes, off_t& place);  // false where there is no room
  void empty_chunk(std::uint64_t begin);
  bool open_again();  // the same file, which the program closed

  const char* pattern_ = "";
  std::uint64_t limit_ = 0;
  Keep keep_ = Keep::kFirst;
  std::uint64_t written_ = 0;
  TraceRing ring_;
  const char* failure_ = nullptr;
  runtime::OwnFile file_;
  char path_[PATH_MAX] = "";  // absolute where that is known and not too long
  State state_ = kClosed;
  std::uint32_t users_ = 0;
  std::uint32_t number_ = 0;
};

}  // namespace memo::guest
