#include "planner/tool/report/plan_pictures.h"

#include <fmt/format.h>

#include "planner/check/check_plan.h"
#include "planner/tool/report/call_sites.h"
#include "planner/tool/report/operators.h"

namespace memo::planner {
namespace {

std::vector<Module> modules_of(const PlanDescription& plan) {
  std::vector<Module> modules;
  modules.reserve(plan.modules.size());
  for (const PlanModuleDescription& module : plan.modules)
    modules.push_back({.path = module.path, .build_id = module.build_id});
  return modules;
}

void add_scopes(const PlanVariantDescription& variant, Picture& picture) {
  for (const PlanScopeDescription& scope : variant.scopes) {
    const std::uint32_t depth =
        scope.parent < picture.scopes.size() ? picture.scopes[scope.parent].depth + 1 : 0;
    picture.scopes.push_back(
        {.name = picture.operators.add(readable_name(scope.name)),
         .life = {static_cast<Time>(scope.first_slot), static_cast<Time>(scope.end_slot)},
         .depth = depth});
  }
}

Layout layout_of(const PlanDescription& plan, const PlanVariantDescription& variant,
                 const std::string& name) {
  Layout layout{.name = name,
                .height = static_cast<Bytes>(height(plan, variant)),
                .cells = static_cast<Bytes>(large_start(plan))};
  if (!variant.strategy.empty() && variant.strategy != name)
    layout.note = fmt::format("large blocks placed by {}", variant.strategy);
  return layout;
}

Picture picture_of(const PlanDescription& plan, std::size_t number, CallSites& sites) {
  const PlanVariantDescription& variant = plan.variants[number];
  Picture picture{.title = fmt::format("variant {}", number + 1),
                  .key = variant.pass_key,
                  .fingerprint = variant.fingerprint,
                  .shapes = {.shapes = variant.shapes,
                             .range = variant.range,
                             .formulas = has_formulas(variant),
                             .joint = static_cast<Bytes>(variant.lower_bound)},
                  .time_unit = "allocations of the pass",
                  .lower_bound = static_cast<Bytes>(variant.lower_bound),
                  .unplanned = variant.unplanned};
  add_scopes(variant, picture);
  for (const PlanSlotDescription& slot : variant.slots) {
    if (!has_place(slot)) continue;
    picture.oper.push_back(picture.operators.add(operator_of(variant, slot)));
    picture.site.push_back(picture.sites.add(sites.name({slot.site.module, slot.site.offset})));
  }
  return picture;
}

}  // namespace

std::vector<Picture> plan_pictures(const PlanDescription& plan, const std::string& layout,
                                   const std::string& source) {
  CallSites sites(modules_of(plan));
  std::vector<Picture> pictures;
  for (std::size_t number = 0; number < plan.variants.size(); ++number) {
    Picture& picture = pictures.emplace_back(picture_of(plan, number, sites));
    LaidOut laid_out = lay_out(plan, plan.variants[number]);
    picture.source = source;
    picture.problem = std::move(laid_out.problem);
    picture.layouts.push_back(layout_of(plan, plan.variants[number], layout));
    picture.layouts.back().offsets = std::move(laid_out.offsets);
  }
  return pictures;
}

}  // namespace memo::planner
