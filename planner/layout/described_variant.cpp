#include "planner/layout/described_variant.h"

#include <algorithm>
#include <limits>

#include "planner/layout/selection.h"

namespace memo::planner {
namespace {

// Returns the slot's `freed_at`. The first slot of the loop stands for a block that lives around it.
std::uint32_t freed_at(const Demand& demand, const std::vector<PlanLoopDescription>& loops,
                       std::uint32_t slot) {
  const auto begin = static_cast<std::uint32_t>(demand.life.begin);
  const auto end = static_cast<std::uint32_t>(demand.life.end);
  const SlotLife round = slot_life(loops, slot, begin);
  return begin <= slot && round.begin == begin && round.end == end ? begin : end;
}

// Returns by how many bytes the smallest block of the slot was smaller than the largest; 0 for sizes on a line, which its formula
// tells apart.
std::uint32_t spread_of(const Demand& demand) {
  constexpr Bytes kMost = std::numeric_limits<std::uint32_t>::max();
  return demand.growth != 0 ? 0 : static_cast<std::uint32_t>(std::min(demand.spread, kMost));
}

SizeFormula formula_of(const Demand& demand) {
  if (demand.growth == 0) return demand.formula;
  return line_from(static_cast<std::uint64_t>(demand.size), static_cast<std::uint64_t>(demand.growth));
}

std::vector<PlanLoopDescription> describe_loops(const Variant& variant) {
  std::vector<PlanLoopDescription> described;
  for (const VariantLoop& loop : variant.loops) {
    if (loop.demands == 0) continue;
    described.push_back({.first_slot = loop.first_demand,
                         .end_slot = static_cast<std::uint32_t>(loop.end()),
                         .slots = loop.demands,
                         .first_scope = loop.first_scope,
                         .end_scope = loop.first_scope + loop.scopes * loop.period,
                         .scopes = loop.scopes});
  }
  return described;
}

// Returns true if the loop lies in another iteration than the first that the variant has of a loop around it.
bool is_a_copy(const VariantLoop& loop, const std::vector<VariantLoop>& all) {
  return std::any_of(all.begin(), all.end(), [&](const VariantLoop& outer) {
    return outer.begin() < loop.begin() && loop.end() <= outer.end() &&
           loop.begin() >= outer.begin() + Time{outer.demands};
  });
}

std::uint32_t loops_around(const VariantLoop& loop, const std::vector<VariantLoop>& all) {
  return static_cast<std::uint32_t>(std::count_if(all.begin(), all.end(), [&](const VariantLoop& outer) {
    return &outer < &loop && loop.end() <= outer.end();
  }));
}

// Reports each loop once, however many iterations the variant has of the loops around it.
std::vector<LoopReport> report_loops(const std::vector<VariantLoop>& all) {
  std::vector<LoopReport> reports;
  for (const VariantLoop& loop : all) {
    if (is_a_copy(loop, all)) continue;
    reports.push_back({.slots = loop.demands,
                       .period = loop.period,
                       .around = loops_around(loop, all),
                       .lengths = loop.lengths,
                       .growing = loop.growing});
  }
  return reports;
}

}  // namespace

PlanVariantDescription describe(const Variant& variant) {
  PlanVariantDescription description{.fingerprint = variant.fingerprint,
                                     .pass_key = variant.key,
                                     .lower_bound = static_cast<std::uint64_t>(lower_bound(variant)),
                                     .unplanned = static_cast<std::uint32_t>(
                                         std::ranges::count_if(variant.demands, is_on_heap, &Demand::zone)),
                                     .shapes = static_cast<std::uint32_t>(variant.shapes),
                                     .range = variant.range};
  for (const VariantScope& scope : variant.scopes)
    description.scopes.push_back({.name = scope.name,
                                  .first_slot = static_cast<std::uint32_t>(scope.life.begin),
                                  .end_slot = static_cast<std::uint32_t>(scope.life.end),
                                  .parent = scope.parent});
  description.loops = describe_loops(variant);
  for (std::uint32_t slot = 0; slot < variant.demands.size(); ++slot) {
    const Demand& demand = variant.demands[slot];
    description.slots.push_back({.site = {.module = demand.site.module, .offset = demand.site.offset},
                                 .size = static_cast<std::uint64_t>(demand.size),
                                 .alignment = static_cast<std::uint32_t>(demand.alignment),
                                 .scope = demand.scope,
                                 .freed_at = freed_at(demand, description.loops, slot),
                                 .zone = demand.zone,
                                 .spread = spread_of(demand),
                                 .formula = formula_of(demand)});
  }
  return description;
}

PlanAnchorDescription describe(const Anchor& anchor) {
  return {.site = {.module = anchor.site.module, .offset = anchor.site.offset},
          .least = static_cast<std::uint64_t>(anchor.least),
          .most = anchor.most == Anchor::kAnySize ? UINT64_MAX : static_cast<std::uint64_t>(anchor.most),
          .pass_key = anchor.key};
}

std::vector<PlanModuleDescription> describe(const std::vector<Module>& modules) {
  std::vector<PlanModuleDescription> described;
  described.reserve(modules.size());
  for (const Module& module : modules)
    described.push_back({.build_id = module.build_id, .path = module.path});
  return described;
}

VariantReport report_of(const Variant& variant, const PlanVariantDescription& description) {
  VariantReport report{.key = variant.key,
                       .pass_name = variant.pass_name,
                       .runs = variant.runs,
                       .unplanned = description.unplanned,
                       .scopes = description.scopes.size(),
                       .shapes = variant.shapes,
                       .range = variant.range,
                       .loops = report_loops(variant.loops),
                       .lower_bound = static_cast<Bytes>(description.lower_bound),
                       .strategy = description.strategy};
  for (const PlanSlotDescription& slot : description.slots) {
    if (is_on_heap(slot.zone)) continue;
    ++report.buffers;
    report.bytes_requested += static_cast<Bytes>(slot.size);
    if (!slot.formula.exists()) continue;
    ++(slot.formula.is_line() ? report.growing : report.formulas);
  }
  return report;
}

}  // namespace memo::planner
