// A file that the library has open in the program's process. All descriptors are the program's: it may close
// every number (closefrom), lay another file over one (dup2), or open a file that gets the number of one it
// closed. So the library never trusts a number alone. An OwnFile knows which file it opened. Before every use
// it asks the kernel whether its number still shows that file; if not, it does not write to it, read from it or
// close it.
//
// An OwnFile moves its descriptor to a high number, which no open() of the program gets by accident: the kernel
// gives the lowest free one.
//
// Each use costs one system call, some 300 ns, and opening costs seven. Nothing here allocates or locks, and no
// path lies on the stack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/platform/file_facts.h"
#include "runtime/platform/file_identity.h"

namespace memo::runtime {

// Says how to open a file; | combines the flags.
enum class Open : std::uint32_t {
  kRead = 0,
  kWrite = 1,
  kReadAndWrite = 2,
  kPathOnly = 4,    // to find out about the file, whatever the rights
  kAppend = 8,      // writes go to the end
  kMake = 16,       // makes the file if there is none
  kMakeNew = 32,    // makes the file, and fails with EEXIST if there is one, or a link
  kEmpty = 64,      // drops the content
  kNoLink = 128,    // fails with ELOOP if the path's last part is a link
  kNoWaiting = 256  // never waits at a pipe, and makes no terminal the program's own
};
constexpr Open operator|(Open one, Open other) {
  return static_cast<Open>(static_cast<std::uint32_t>(one) | static_cast<std::uint32_t>(other));
}
constexpr bool has(Open ways, Open way) {
  return (static_cast<std::uint32_t>(ways) & static_cast<std::uint32_t>(way)) != 0;
}

// Bytes to be written.
struct FilePart {
  const void* bytes;
  std::size_t length;
};

class OwnFile {
 public:
  static constexpr std::int64_t kAtEnd = -1;  // the file's own position, which Open::kAppend keeps at its end

  constexpr OwnFile() = default;

  // Opens the file, with O_CLOEXEC. Returns false, with errno set, if it cannot; EBADF if the program took the
  // number at once. To be called by one thread, with no file open. Leaves errno as it was when it succeeds.
  bool open(const char* path, Open how, unsigned rights = 0);

  // Opens a new file at the path, and removes a file or link that is there: it never follows a link, nor writes
  // to a file that others have open. Returns false, with errno set, if it cannot.
  bool open_in_place_of(const char* path, Open how, unsigned rights);

  // Opens the very same file once more after its number was lost. Returns false, with errno set, if the path
  // leads to another file, which it does not keep open. Any number of threads may call it at once.
  bool open_again(const char* path, Open how);

  // Each fails with EBADF if the number does not show this file any more.
  std::int64_t read(void* out, std::size_t bytes) const;
  std::int64_t write(const void* bytes, std::size_t length) const;
  std::int64_t write_at(FilePart head, FilePart rest, std::int64_t place) const;  // both parts in one step
  int punch_hole(std::int64_t begin, std::int64_t bytes) const;
  [[nodiscard]] bool describe(FileFacts* out) const;

  // Writes the path under which the kernel knows the file, all links followed, to `out`. Returns false if it
  // has none, or if that does not fit.
  [[nodiscard]] bool find_path(char* out, std::size_t capacity) const;

  // Gives the file so many bytes, with room on the disk, and maps them to read and write, shared with all who
  // map the file. Returns nullptr, with errno set, if it cannot.
  [[nodiscard]] void* map_shared(std::size_t bytes) const;

  // Locks the whole file for this process. Fails with EAGAIN or EACCES while another process has it locked.
  // The lock ends with close(), or with the process; a copy of the process does not have it. It keeps no other
  // thread of this process out.
  int lock() const;

  // Forgets the number, and closes it if it shows this file.
  int close();

  // Returns true if the number shows this file at this moment.
  [[nodiscard]] bool is_own() const;

  // Returns the number, or -1 without a file. To be used with is_own().
  [[nodiscard]] int number() const { return __atomic_load_n(&number_, __ATOMIC_ACQUIRE); }

 private:
  // Returns the number if it is its own, else -1 with errno set to EBADF.
  [[nodiscard]] int own_number() const;

  FileIdentity identity_;
  int number_ = -1;
};

// Reads the beginning of a file, at most `capacity` bytes of it. Returns how many, or -1 with errno set.
std::int64_t read_beginning(const char* path, void* out, std::size_t capacity);

}  // namespace memo::runtime
