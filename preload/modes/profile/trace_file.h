// The trace of this process. The recorder opens it when the first pass begins, so that a wrapper without passes
// leaves no file. Each write is a whole block: threads need no lock, and written blocks stay, whatever becomes
// of the process. The file keeps either the first blocks, until it is full, or the newest ones, in a ring
// (trace_ring.h).
//
// The program may close the file's descriptor, or reuse its number for a file of its own, at any time. The
// recorder never writes to a file that is not the trace (runtime/platform/own_file.h): it opens the trace again
// by its path and goes on.
#pragma once

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

  // `pattern` may hold %c (the command's name) and %p (the process id) and must stay readable; `limit` bounds
  // the file's bytes.
  void configure(const char* pattern, std::uint64_t limit, Keep keep);

  // Returns true if the file is open. The first call opens it, with a number appended to the name if the name
  // is taken. Other threads that call meanwhile wait.
  bool ensure_open();
  [[nodiscard]] bool is_open() const;

  // Completes the header and writes the block. Returns false if the file is not open, the disk is full, the
  // limit is reached, or the file is out of reach; the trace ends before this block. `bytes` is a multiple of
  // eight; header and payload fit a chunk of the ring.
  bool append(trace::BlockKind kind, std::uint32_t thread, std::uint64_t sequence, std::uint64_t lost,
              const void* payload, std::size_t bytes);

  // Returns why an append failed, as text; null if none has.
  [[nodiscard]] const char* failure() const { return __atomic_load_n(&failure_, __ATOMIC_RELAXED); }

  // Closes the parent's file in a forked child, so that the child may open its own.
  void forget();

  // Closes the file while other threads live. Returns false, with nothing changed, while one of them opens or
  // uses it.
  [[nodiscard]] bool try_forget();

  // Returns how often a file was forgotten: it tells the present file from earlier ones.
  [[nodiscard]] std::uint32_t number() const { return __atomic_load_n(&number_, __ATOMIC_ACQUIRE); }

  // Marks a use of the file. While a Use lives, try_forget fails.
  class Use {
   public:
    explicit Use(TraceFile& file) : file_(file) { __atomic_add_fetch(&file_.users_, 1U, __ATOMIC_SEQ_CST); }
    ~Use() { __atomic_sub_fetch(&file_.users_, 1U, __ATOMIC_RELEASE); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    // Returns true if the present file has this number and is not being forgotten. The constructor has counted
    // this use before; try_forget sets kForgetting first and counts the users second, both sequentially
    // consistent, so at least one of the two sees the other.
    [[nodiscard]] bool is_of(std::uint32_t number) const {
      return __atomic_load_n(&file_.state_, __ATOMIC_SEQ_CST) != kForgetting && file_.number() == number;
    }
    [[nodiscard]] bool may_write() const { return __atomic_load_n(&file_.state_, __ATOMIC_SEQ_CST) == kOpen; }

   private:
    TraceFile& file_;
  };

 private:
  // Integers and no enumeration: not every compiler accepts enumerations in the __atomic built-ins.
  using State = int;
  static constexpr State kClosed = 0;
  static constexpr State kOpening = 1;
  static constexpr State kOpen = 2;
  static constexpr State kFailed = 3;
  static constexpr State kForgetting = 4;

  void begin_anew();
  bool open_new();
  bool write_block(runtime::FilePart header, runtime::FilePart payload, std::int64_t place);
  bool fail(const char* why);
  bool find_place(trace::BlockKind kind, std::size_t bytes,
                  std::int64_t& place);  // false if there is no room
  void empty_chunk(std::uint64_t begin);
  bool open_again();  // opens the same file after the program closed it

  const char* pattern_ = "";
  std::uint64_t limit_ = 0;
  Keep keep_ = Keep::kFirst;
  std::uint64_t written_ = 0;
  TraceRing ring_;
  const char* failure_ = nullptr;
  runtime::OwnFile file_;
  char path_[PATH_MAX] = "";  // absolute, unless the working folder is unknown or its path too long
  State state_ = kClosed;
  std::uint32_t users_ = 0;
  std::uint32_t number_ = 0;
};

}  // namespace memo::guest
