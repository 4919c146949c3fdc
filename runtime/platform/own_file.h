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

#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

namespace memo::runtime {

// The identity of a file, whatever its path and number. A file system may give the inode of a removed file to a
// new one; the time of birth tells them apart.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t born = 0;   // nanoseconds; 0 where the file system does not tell
  std::uint32_t type = 0;  // bits of S_IFMT; 0 is no file

  [[nodiscard]] bool is_same_as(const FileIdentity& other) const;
};

// Finds out which file a descriptor shows at present. Returns false, with errno set, if it shows none.
bool identify_descriptor(int number, FileIdentity* out);

class OwnFile {
 public:
  constexpr OwnFile() = default;

  // Opens the file, with O_CLOEXEC. Returns false, with errno set, if it cannot; EBADF if the program took the
  // number at once. To be called by one thread, with no file open. Leaves errno as it was when it succeeds.
  bool open(const char* path, int flags, mode_t mode = 0);

  // Opens the very same file once more after its number was lost. Returns false, with errno set, if the path
  // leads to another file, which it does not keep open. Any number of threads may call it at once.
  bool open_again(const char* path, int flags);

  // Each fails with EBADF if the number does not show this file any more.
  ssize_t read(void* out, std::size_t bytes) const;
  ssize_t write(const void* bytes, std::size_t length) const;
  ssize_t write_at(const iovec* parts, int count, off_t place) const;  // -1: at the file's own position
  int punch_hole(off_t begin, off_t bytes) const;
  int describe(struct stat* about) const;

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
ssize_t read_beginning(const char* path, void* out, std::size_t capacity);

}  // namespace memo::runtime
