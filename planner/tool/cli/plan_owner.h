// The users of whom the command takes plans and caches: as the library (runtime/formats/plan_owner.h).
#pragma once

#include <filesystem>
#include <string>

#include "planner/tool/cli/launch.h"

namespace memo::cli {

// Returns true if --plan-from or its variable says that plans are taken whoever may write to them.
[[nodiscard]] bool are_plans_taken_of_anyone(const GuestKnobs& knobs);

// Throws Failure(kInput) with a sentence where the library would refuse the plan for its owner or its rights.
void require_trusted_plan(const std::string& path);

// Returns true if everybody may write to the folder.
[[nodiscard]] bool is_folder_of_everybody(const std::filesystem::path& folder);

}  // namespace memo::cli
