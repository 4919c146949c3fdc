// Asks the kernel about a file.
#pragma once

#include <cstdint>

namespace memo::runtime {

enum class FileKind : std::uint32_t { kPlain, kFolder, kLink, kOther };

struct FileFacts {
  FileKind kind;
  std::uint32_t owner;   // the user's number
  std::uint32_t rights;  // the twelve bits of chmod
  std::uint64_t bytes;
  std::uint64_t names;   // in folders; 0 once it was removed
  std::int64_t changed;  // its content, in nanoseconds since 1970
  std::uint64_t device;
  std::uint64_t inode;

  // Returns true if others than the owner may write to it.
  [[nodiscard]] bool is_writable_for_others() const { return (rights & 0022) != 0; }
};

// Each returns false, with errno set, if there is no such file. The first follows links, the second describes a
// link itself.
[[nodiscard]] bool look_at(const char* path, FileFacts* out);
[[nodiscard]] bool look_at_unfollowed(const char* path, FileFacts* out);

// Describes the file of a descriptor, by one call that cannot be cancelled.
[[nodiscard]] bool look_at_descriptor(int number, FileFacts* out);

}  // namespace memo::runtime
