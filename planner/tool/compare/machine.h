// Describes the machine of a comparison. Without that, a figure cannot be judged.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace memo::compare {

// Returns what could be found of "processor" ("AMD EPYC…"), "cores", "memory", "kernel", "huge pages", "load
// before".
[[nodiscard]] std::vector<std::pair<std::string, std::string>> describe_machine();

}  // namespace memo::compare
