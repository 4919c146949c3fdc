// How much memory may the process still fill? Populating more than there is brings the kernel's killer, not an error: in a
// container that is the control group's limit, long before the machine's memory.
//
//   /proc/self/cgroup        which group the process is in, for either version of the interface
//   /sys/fs/cgroup/…         its limit and those of the groups around it, with what they hold already
#pragma once

#include <cstdint>

namespace memo::runtime {

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

// Where the kernel shows its control groups.
struct GroupPlaces {
  const char* own = "/proc/self/cgroup";
  const char* all = "/sys/fs/cgroup";
};

// What the tightest of the groups leaves, page cache not counted, since the kernel drops that first; kNoLimit where
// nothing is limited or nothing can be read. Opens a handful of files: not for a path that serves.
[[nodiscard]] std::uint64_t room_in_groups(const GroupPlaces& places = {});

// What the limit of the process's address space (ulimit -v) leaves; kNoLimit where there is none. Reads one file of the kernel.
[[nodiscard]] std::uint64_t room_of_addresses();

// What the process has of the machine's memory, as the kernel counts it, and of addresses; zeroes where that cannot be read.
struct OwnPages {
  std::uint64_t mapped;
  std::uint64_t resident;
};
[[nodiscard]] OwnPages own_pages();

[[nodiscard]] std::uint64_t physical_memory();

}  // namespace memo::runtime
