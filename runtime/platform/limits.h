// Tells how much memory the process may still fill, and how many processors it may use. Populating more memory than there is makes the kernel
// kill the process instead of returning an error. In a container the control group's limit decides, long
// before the machine's memory.
//
//   /proc/self/cgroup        which group the process is in, for either version of the interface
//   /sys/fs/cgroup/…         its limit and those of the groups around it, with what they hold already
#pragma once

#include <cstdint>

namespace memo::runtime {

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

// The files in which the kernel shows its control groups.
struct GroupPlaces {
  const char* own = "/proc/self/cgroup";  // the groups of this process
  const char* all = "/sys/fs/cgroup";
};

// Returns how many bytes the tightest of the groups leaves. Does not count the page cache, which the kernel
// drops first. Returns kNoLimit if nothing is limited or nothing can be read. Opens a handful of files: not for
// a path that serves.
[[nodiscard]] std::uint64_t room_in_groups(const GroupPlaces& places = {});

// Returns how many processors the tightest of the groups and the process's affinity let it use, at least 1. Rounds up. Costs as much.
[[nodiscard]] std::uint32_t usable_processors(const GroupPlaces& places = {});

// Returns the limit of the process's address space (ulimit -v); kNoLimit if there is none.
[[nodiscard]] std::uint64_t address_limit();

// Returns how many bytes the limit of the process's address space (ulimit -v) leaves; kNoLimit if there is
// none. Reads one file of the kernel.
[[nodiscard]] std::uint64_t room_of_addresses();

// The bytes of addresses and of the machine's memory that the process has, as the kernel counts them; zeroes if
// those cannot be read.
struct OwnPages {
  std::uint64_t mapped;
  std::uint64_t resident;
};
[[nodiscard]] OwnPages own_pages();

[[nodiscard]] std::uint64_t physical_memory();

}  // namespace memo::runtime
