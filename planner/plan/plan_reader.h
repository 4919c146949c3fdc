// Turns a plan file into a PlanDescription, for the commands that look at plans. Checks what it reads: a broken
// file causes one sentence, never a crash.
#pragma once

#include <filesystem>
#include <span>

#include "planner/plan/plan_description.h"

namespace memo::planner {

// Both functions throw std::runtime_error that says what is wrong with the file.
[[nodiscard]] PlanDescription decode_plan(std::span<const unsigned char> file);
[[nodiscard]] PlanDescription read_plan(const std::filesystem::path& path);

}  // namespace memo::planner
