#include "planner/layout/plan_variants.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "planner/layout/described_variant.h"
#include "planner/layout/lists.h"
#include "planner/layout/partings.h"
#include "planner/layout/reserve.h"
#include "planner/layout/selection.h"
#include "planner/layout/zones.h"
#include "planner/placing/outcome.h"
#include "planner/sizes/scaling.h"

namespace memo::planner {
namespace {

void place_small(const CellAssignment& assignment, std::vector<PlanVariantDescription>& variants) {
  std::size_t block = 0;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    for (const std::uint32_t slot : assignment.small_slots[v]) {
      variants[v].slots[slot].zone = PlanZone::kCell;
      variants[v].slots[slot].place = assignment.cells.cell_of[block++];
    }
  }
}

// Returns the bytes of the cells of the slot's list. Those of a pool are as large as the largest block that shares it.
std::uint64_t cell_bytes_of(const Variant& variant, const Demand& demand) {
  std::uint64_t bytes = list_cell_bytes(demand);
  for (const Demand& other : variant.demands)
    if (demand.pool != 0 && other.pool == demand.pool) bytes = std::max(bytes, list_cell_bytes(other));
  return bytes;
}

// Adds the cells of the slot's list. Returns the number of the first.
std::uint64_t add_cells(PlanDescription& plan, const Variant& variant, const Demand& demand) {
  const std::uint64_t first = plan.cells.size();
  plan.cells.insert(plan.cells.end(), demand.cells, cell_bytes_of(variant, demand));
  return first;
}

// Gives each list of a variant its cells, behind those that all slots share. The slots of a pool have the same.
void place_lists(const Variant& variant, std::size_t number, PlanDescription& plan) {
  std::map<std::uint32_t, std::uint64_t> pools;  // number -> its first cell
  for (std::size_t slot = 0; slot < variant.demands.size(); ++slot) {
    const Demand& demand = variant.demands[slot];
    if (!has_list(demand.zone)) continue;
    const bool known = pools.contains(demand.pool);
    const std::uint64_t first = known ? pools[demand.pool] : add_cells(plan, variant, demand);
    if (demand.pool != 0) pools[demand.pool] = first;
    plan.variants[number].slots[slot].place = first;
    plan.variants[number].slots[slot].cells = demand.cells;
  }
}

std::string describe_failure(const Variant& variant, const Strategy& strategy, const Outcome& outcome) {
  return fmt::format("{} found no plan for the variant \"{}\" ({} allocations): {}", strategy.name,
                     variant.pass_name, variant.demands.size(),
                     outcome.note.empty() ? to_string(outcome.status) : outcome.note);
}

// Solves the problem of the large slots and writes their places into the description.
Outcome place_large(const Variant& variant, const LargeBlocks& large, const Strategy& strategy,
                    const Limits& limits, PlanVariantDescription& description) {
  const Problem& problem = large.problem;
  if (std::string refusal = strategy.refusal(problem); !refusal.empty())
    throw PlanningFailed(
        fmt::format("{} cannot plan the variant \"{}\": {}", strategy.name, variant.pass_name, refusal));
  Outcome outcome = solve_timed(strategy, problem, limits);
  if (outcome.offsets.size() != problem.buffers.size())
    throw PlanningFailed(describe_failure(variant, strategy, outcome));
  for (std::size_t i = 0; i < large.slots.size(); ++i) {
    PlanSlotDescription& slot = description.slots[large.slots[i]];
    slot.place = static_cast<std::uint64_t>(outcome.offsets[large.buffer_of[i]]);
  }
  description.strategy = strategy.name;
  return outcome;
}

PlanDescription describe(const Variants& variants, const std::vector<Variant>& selected,
                         const CellAssignment& cells) {
  PlanDescription plan;
  plan.modules = describe(variants.modules);
  plan.cells = cells.cells.cells;
  for (std::size_t v = 0; v < selected.size(); ++v) {
    PlanVariantDescription& variant = plan.variants.emplace_back(describe(selected[v]));
    const std::size_t without_slot = variants.variants[v].demands.size() - selected[v].demands.size();
    variant.unplanned += static_cast<std::uint32_t>(without_slot);
    variant.warm_up = static_cast<std::uint32_t>(variants.before_steady);
  }
  for (const Anchor& anchor : variants.anchors) plan.anchors.push_back(describe(anchor));
  place_small(cells, plan.variants);
  for (std::size_t v = 0; v < selected.size(); ++v) place_lists(selected[v], v, plan);
  return plan;
}

// Places the large slots of a variant, and reports how that went.
VariantReport plan_large(const Variant& variant, const LargeBlocks& large, const Strategy& strategy,
                         const Limits& limits, PlanVariantDescription& description) {
  const Outcome outcome = place_large(variant, large, strategy, limits, description);
  VariantReport report = report_of(variant, description);
  report.seconds = *outcome.seconds;
  report.status = outcome.status;
  report.optimal_for_larger = outcome.status == Status::kOptimal && all_sizes_scale(description);
  report.note = outcome.note;
  return report;
}

}  // namespace

PlannedVariants plan_variants(const Variants& variants, const Strategy& strategy, const Limits& limits,
                              const std::function<void(const Variant&)>& begins) {
  std::vector<Variant> selected;
  std::ranges::transform(variants.variants, std::back_inserter(selected), with_slots);
  put_held_in_cells(selected);
  leave_lists_out(selected);
  leave_surplus_out(selected);
  const Bytes limit = choose_small_limit(selected);
  PlannedVariants result;
  result.plan = describe(variants, selected, assign_cells(selected, limit));
  for (std::size_t v = 0; v < selected.size(); ++v) {
    begins(variants.variants[v]);
    result.reports.push_back(
        plan_large(selected[v], large_blocks(selected[v], limit), strategy, limits, result.plan.variants[v]));
  }
  if (result.plan.anchors.empty()) add_reserves(variants.variants, result.plan);
  for (std::size_t v = 0; v < selected.size(); ++v) {
    result.reports[v].cells = total_of(result.plan.cells);
    result.reports[v].reserve = reserve_behind(selected[v].demands.size(), result.plan.variants[v]);
    result.reports[v].height = static_cast<Bytes>(height(result.plan, result.plan.variants[v]));
  }
  return result;
}

}  // namespace memo::planner
