// Tells processes apart that had the same number one after the other.
#pragma once

#include <cstdint>

namespace memo::runtime {

// Returns when the process started, in the kernel's ticks since the machine did; 0 if it cannot be told.
[[nodiscard]] std::uint64_t start_of_process(std::uint64_t process);

// Returns the process that this one is a child of; 0 if it cannot be told.
[[nodiscard]] std::uint64_t parent_of_process(std::uint64_t process);

// Returns true if the process that had this number and this start is certainly gone.
[[nodiscard]] bool has_process_ended(std::uint64_t process, std::uint64_t started);

}  // namespace memo::runtime
