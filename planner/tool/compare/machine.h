// What a comparison ran on: without it, no figure of it can be judged.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace memo::compare {

// "processor" -> "AMD EPYC…", "cores", "memory", "kernel", "huge pages", "load before": what could be found.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> describe_machine();

}  // namespace memo::compare
