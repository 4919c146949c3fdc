// Lists a process and its descendants as they are now.
#pragma once

#include <sys/types.h>

#include <vector>

namespace memo::process {

// Returns `process` first, then its descendants. A process that ends during the call may be in the list or not.
[[nodiscard]] std::vector<pid_t> tree_of(pid_t process);

}  // namespace memo::process
