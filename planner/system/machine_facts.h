// Tells the size and the kernel of this machine.
#pragma once

#include <cstdint>
#include <string>

namespace memo::process {

// Returns the bytes of memory that the kernel manages; 0 if it does not tell.
[[nodiscard]] std::uint64_t physical_memory();

// Returns "Linux 6.1.0 x86_64", or "" if the kernel does not tell.
[[nodiscard]] std::string kernel_name();

// Returns the bytes of addresses that this process may use, or all bits set where there is no limit.
[[nodiscard]] std::uint64_t limit_of_addresses();

// Returns the number of processors that this process may run on, at least 1.
[[nodiscard]] unsigned usable_processors();

}  // namespace memo::process
