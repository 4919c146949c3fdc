// Tells processes apart that had the same number one after the other.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace memo::process {

// Returns when the process started, as runtime/platform/process_start.h counts it; 0 if it cannot be told.
[[nodiscard]] std::uint64_t start_of(pid_t process);

}  // namespace memo::process
