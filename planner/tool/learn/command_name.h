// The name under which a command's plan is kept, by the rule of runtime/formats/plan_name.h.
#pragma once

#include <string>
#include <vector>

namespace memo::learn {

// Returns the name of the plan of the program that the command comes to run. For a script, that is the
// interpreter in its first line. The library computes the same name (preload/modes/auto/plan_name.cpp).
[[nodiscard]] std::string plan_name(const std::vector<std::string>& command);

}  // namespace memo::learn
