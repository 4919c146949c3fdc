// A process and those it started, as they are now.
#pragma once

#include <sys/types.h>

#include <vector>

namespace memo::process {

// The process itself comes first. One that ends meanwhile is left out, or still there.
[[nodiscard]] std::vector<pid_t> tree_of(pid_t process);

}  // namespace memo::process
