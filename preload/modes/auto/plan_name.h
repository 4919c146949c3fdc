// The name of this program's plan in the user's cache: the program's, and a number made of its build-id, its path and its
// words. planner/tool/learn/plan_cache.cpp comes to the same one.
#pragma once

#include <cstddef>

namespace memo::guest {

// False where it cannot be told.
[[nodiscard]] bool write_plan_name(char* name, std::size_t capacity);

}  // namespace memo::guest
