// What `memomalloc run` tells the processes of its command about that command, in MEMOMALLOC_PROGRAM, so that each knows
// whether it is the program that was started (preload/modes/auto/stranger.h):
//
//   4711:0123456789abcdef,fedcba9876543210
//   |    the files that the command names, and the interpreter of a script: the hash of each one's full path, links followed
//   the process that starts the command
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/formats/hash.h"

namespace memo {

inline std::uint64_t hash_of_file(const char* path) {
  std::uint64_t hash = kFnvBegin;
  for (; *path != '\0'; ++path) hash = fnv_added(hash, static_cast<unsigned char>(*path));
  return hash;
}

class NamedFiles {
 public:
  // The text must outlive this object.
  explicit NamedFiles(const char* text) : text_(text) {}

  // Returns the process that starts the command.
  [[nodiscard]] unsigned long starter() const { return std::strtoul(text_, nullptr, 10); }

  [[nodiscard]] bool has(const char* path) const {
    const std::uint64_t hash = hash_of_file(path);
    for (const char* at = std::strpbrk(text_, ":,"); at != nullptr; at = std::strpbrk(at + 1, ":,")) {
      if (std::strtoull(at + 1, nullptr, 16) == hash) return true;
    }
    return false;
  }

 private:
  const char* text_;
};

}  // namespace memo
