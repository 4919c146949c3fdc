#include "planner/tool/doctor/plan_worth.h"

#include "planner/tool/served/found_worth.h"

namespace memo::doctor {

// Is no fault where serving harms: it stands aside by itself.
Findings examine_worth(const std::filesystem::path& plan) {
  const auto worth = planner::read_found_worth(plan);
  if (!worth) return {};
  if (!worth->harms) return {{Level::kFine, "worth", worth->sentence, ""}};
  return {
      {Level::kAdvice, "worth", worth->sentence,
       "memomalloc cache clear NAME, where the program does something else by now; else leave it: serving stands aside"}};
}

}  // namespace memo::doctor
