// Names the one process of a command that may write the library's lines to stderr, and the file that stderr was when the
// command started it:
//
//   MEMOMALLOC_SPEAKER=4711.8093212.1a.2f3      process, its start in ticks, device and inode of its stderr
//
// The command sets the variable in the child, just before that becomes the program. The process and its start stay the same
// across exec, and all that the program starts has another number. Both sides write the text and nobody parses it: the
// library compares the variable with what is true of its own process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace memo {

inline constexpr char kSpeakerVariable[] = "MEMOMALLOC_SPEAKER";
inline constexpr std::size_t kSpeakerRoom = 80;

struct Speaker {
  std::uint64_t process = 0;
  std::uint64_t started = 0;
  std::uint64_t device = 0, inode = 0;
};

inline void write_speaker(const Speaker& speaker, char (&out)[kSpeakerRoom]) {
  std::snprintf(out, sizeof out, "%llu.%llu.%llx.%llx", static_cast<unsigned long long>(speaker.process),
                static_cast<unsigned long long>(speaker.started),
                static_cast<unsigned long long>(speaker.device),
                static_cast<unsigned long long>(speaker.inode));
}

}  // namespace memo
