// The name of this program's plan in the user's cache, by the rule of runtime/formats/plan_name.h. The command
// computes the same name (planner/tool/learn/plan_cache.cpp).
#pragma once

#include <cstddef>

namespace memo::guest {

// Writes the plan's name. To be called by one thread. Returns false if the program's path cannot be read, or
// the name does not fit.
[[nodiscard]] bool write_plan_name(char* name, std::size_t capacity);

}  // namespace memo::guest
