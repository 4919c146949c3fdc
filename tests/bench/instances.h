// Instances in files, as the benchmarks take them.
#pragma once

#include <filesystem>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::bench {

// Returns every .csv below the folder, sorted.
[[nodiscard]] std::vector<std::filesystem::path> instances_below(const std::filesystem::path& folder);

[[nodiscard]] planner::Problem read_instance(const std::filesystem::path& file);

// Returns the number in a name like A.1048576.csv, and 0 for other names.
[[nodiscard]] planner::Bytes capacity_in_name(const std::filesystem::path& file);

// Returns the instances below the folder that have a capacity in their names. Throws std::invalid_argument if none has.
[[nodiscard]] std::vector<planner::Problem> instances_with_capacity(const std::filesystem::path& folder);

}  // namespace memo::bench
