// Replays a recording pass after pass in some threads and takes the time.
//
// A shared library, as the frameworks are that allocate in a server: to a processor, a call from an executable to a
// library may cost more than one between libraries, which lie within 4 GiB of each other.
#pragma once

#include <cstdint>
#include <string>

#include "tests/bench/replay/recording.h"

namespace memo::bench {

struct Result {
  std::uint64_t passes = 0;
  double processor_seconds = 0;  // of all threads
  double elapsed_seconds = 0;
  long faults = 0;
};

// `allocator` is "preloaded" (whatever the process runs on), "bump" or "known" (replay/allocators.h).
[[gnu::visibility("default")]] Result replay(const Recording& recording, const std::string& allocator,
                                             unsigned threads, int milliseconds);

}  // namespace memo::bench
