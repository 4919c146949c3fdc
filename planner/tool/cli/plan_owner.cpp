#include "planner/tool/cli/plan_owner.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "planner/system/file_owner.h"
#include "runtime/formats/plan_owner.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

// Returns the rights of the folder in which the file really lies, or 0 if they are not known.
std::uint32_t rights_of_folder(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const auto folder = process::owner_of((error ? path : real).parent_path());
  return folder ? folder->rights : 0;
}

}  // namespace

bool are_plans_taken_of_anyone(const GuestKnobs& knobs) {
  if (knobs.given(GuestOptionId::kPlanFrom)) return knobs.text(GuestOptionId::kPlanFrom) == "anyone";
  const char* variable = std::getenv(guest_option(GuestOptionId::kPlanFrom).variable);
  return variable != nullptr && std::string_view(variable) == "anyone";
}

// Says nothing of a file that cannot be looked at: its reader says why.
void require_trusted_plan(const std::string& path) {
  const auto plan = process::owner_of(path);
  if (!plan) return;
  switch (judge_owner({.user = process::own_user(),
                       .owner = plan->user,
                       .rights = plan->rights,
                       .folder = rights_of_folder(path)})) {
    case PlanOwner::kEverybody:
      throw Failure{kInput,
                    fmt::format("everybody may write to the plan {0} (mode {1:03o}): chmod o-w {0}, or name "
                                "--plan-from anyone",
                                path, plan->rights & 0777U)};
    case PlanOwner::kPlanted:
      throw Failure{
          kInput,
          fmt::format(
              "the plan {} belongs to user {} and lies in a folder that everybody may write to: let your "
              "user or root own it, or name --plan-from anyone",
              path, plan->user)};
    case PlanOwner::kAnother:  // the library warns
    case PlanOwner::kTrusted:
      return;
  }
}

bool is_folder_of_everybody(const fs::path& folder) {
  const auto about = process::owner_of(folder);
  return about && may_everybody_write(about->rights);
}

}  // namespace memo::cli
