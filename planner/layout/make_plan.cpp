#include "planner/layout/make_plan.h"

#include "planner/layout/find_variants.h"
#include "planner/sizes/families.h"
#include "planner/steps/parallel_scopes.h"

namespace memo::planner {

Variants variants_to_plan(const DistinctPasses& passes, const PlanWishes& wishes) {
  Variants variants = find_variants(passes);
  variants.before_steady += wishes.warm_up;
  attach(wishes.anchors, variants);
  join_families(variants);
  if (wishes.keep_parallel) keep_parallel(variants);
  return variants;
}

}  // namespace memo::planner
