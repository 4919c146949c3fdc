// Turns a PlanDescription into a plan file (runtime/formats/plan_format.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/plan/plan_description.h"

namespace memo::planner {

// Returns the bytes of the file. Throws std::invalid_argument, naming the slot, for a description that the
// format cannot hold.
[[nodiscard]] std::vector<unsigned char> encode_plan(const PlanDescription& plan);

// Writes a file beside `path` and renames it, so that a process that watches the path never sees half a plan.
// Throws std::runtime_error with the reason.
void write_plan(const PlanDescription& plan, const std::filesystem::path& path);

}  // namespace memo::planner
