#pragma once

#include <cstddef>
#include <cstdint>

namespace mini {

struct Options {
  std::uint16_t port = 0;  // 0: any free one
  std::size_t threads = 2;
  std::size_t batch = 1;
  std::size_t image = 96;
  std::uint64_t seed = 1;      // of the weights
  std::uint64_t requests = 0;  // stop after so many answers; 0: never
  bool swap_branches = false;
  bool asked = false;  // no HTTP: an inference for each line of the input
  // Events of a server's long life, as often as wanted; 0: never.
  std::uint64_t restart_workers =
      0;                           // a worker makes way for a new thread after so many connections it served
  std::uint64_t fork_every = 0;    // after so many answers a forked child gives the last one again
  std::uint64_t reload_every = 0;  // after so many answers the network is made anew
};

inline constexpr std::size_t kLargestBatch = 64;
inline constexpr std::size_t kLargestImage = 512;
inline constexpr std::size_t kMostThreads = 256;

}  // namespace mini
