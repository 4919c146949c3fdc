// The name of this program's plan in the user's cache: the program's name, and a hash of its build-id, its path
// and its arguments. planner/tool/learn/plan_cache.cpp computes the same name.
#pragma once

#include <cstddef>

namespace memo::guest {

// Writes the plan's name. Returns false if the program's path cannot be read, or the name does not fit.
[[nodiscard]] bool write_plan_name(char* name, std::size_t capacity);

}  // namespace memo::guest
