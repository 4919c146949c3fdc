// Tells which file a path leads to, or a descriptor shows.
#pragma once

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

// Finds out which file a path leads to, through a link at its end or not. Returns false, with errno set, if it
// leads to none.
enum class LastLink { kFollow, kLeave };
bool identify_path(const char* path, LastLink link, FileIdentity* out);

// Returns true if the descriptor shows this file at present.
bool shows(int number, const FileIdentity& identity);

}  // namespace memo::runtime
