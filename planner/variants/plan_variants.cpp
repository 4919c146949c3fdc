#include "planner/variants/plan_variants.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <numeric>
#include <optional>

#include "planner/variants/small_cells.h"

namespace memo::planner {
namespace {

// Blocks below the limit go to cells. The arena takes cells faster than large slots, and a variant may have
// only so many large slots. But cells do not share bytes with their neighbours as large slots do, so smaller
// limits give lower slabs. In bytes.
constexpr std::array<Bytes, 8> kSmallLimits = {1 << 20, 1 << 18, 1 << 16, 1 << 14,
                                               1 << 12, 1 << 10, 1 << 8,  0};
constexpr double kWorthASmallerLimit = 0.005;  // share of the height that a smaller limit must save

// Blocks below this size, in bytes, are objects rather than tensors, and each tensor has several. Where objects
// come in another order than planned, the arena can take any idle cell for them, and nothing else is in their
// way. That is worth a few pages.
constexpr Bytes kObjectLimit = 1 << 8;
constexpr Bytes kObjectsMayCost = 16 << 10;

// A cell cannot become larger than kMaxCellBytes. A growing block gets a cell only if there is room for this
// many times its size.
constexpr Bytes kRoomToGrow = 16;

Bytes rounded_up(Bytes value, Bytes multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Returns true if the demand gets a slot. A demand that stays on the heap has a slot too, so that it does not
// take another one's: its block would still be there in the next pass, or in the next iteration of a loop, and
// keep the planned block out.
bool has_slot(const Demand& demand) {
  return demand.site.module != kNone && demand.alignment <= static_cast<Bytes>(kMaxPlanAlignment) &&
         demand.size <= static_cast<Bytes>(kMaxPlanHeight / 2);
}

// The demands of one variant that have slots, and the time line of the pass in slots instead of demands.
struct Selection {
  const Variant* variant = nullptr;
  std::vector<std::uint32_t> demand_of;  // slot → demand
  std::vector<std::uint32_t> slot_at;    // demand → slots before it; one more at the end

  explicit Selection(const Variant& source) : variant(&source) {
    for (std::uint32_t i = 0; i < source.demands.size(); ++i) {
      slot_at.push_back(static_cast<std::uint32_t>(demand_of.size()));
      if (has_slot(source.demands[i])) demand_of.push_back(i);
    }
    slot_at.push_back(static_cast<std::uint32_t>(demand_of.size()));
  }
  [[nodiscard]] const Demand& demand(std::size_t slot) const { return variant->demands[demand_of[slot]]; }
  [[nodiscard]] std::size_t slots() const { return demand_of.size(); }
  [[nodiscard]] bool is_planned(std::size_t slot) const { return why_unplanned(demand(slot)).empty(); }
  [[nodiscard]] std::size_t planned() const {
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < slots(); ++slot) count += is_planned(slot) ? 1U : 0U;
    return count;
  }
  [[nodiscard]] std::uint32_t slot_time(Time demand_time) const {
    return slot_at[static_cast<std::size_t>(demand_time)];
  }
};

bool is_small(const Demand& demand, Bytes limit) {
  const Bytes size = demand.growth > 0 ? demand.size * kRoomToGrow : demand.size;
  return size < limit && demand.alignment <= static_cast<Bytes>(kGranule);
}

// The cells of all variants, and which slots have one. Variants never share a lane at one moment, so their time
// lines are laid one after the other.
struct CellAssignment {
  SmallCells cells;
  std::vector<std::vector<std::uint32_t>> small_slots;  // by variant, in the order of cells.cell_of
};

// Sorts the cells by size, because the arena looks for a spare cell by size, from the smallest that is large
// enough.
SmallCells sorted_by_size(const SmallCells& cells) {
  std::vector<std::uint32_t> order(cells.cells.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return cells.cells[a] < cells.cells[b]; });
  std::vector<std::uint32_t> rank(order.size());
  SmallCells sorted;
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    rank[order[at]] = at;
    sorted.cells.push_back(cells.cells[order[at]]);
  }
  for (const std::uint32_t cell : cells.cell_of) sorted.cell_of.push_back(rank[cell]);
  return sorted;
}

CellAssignment assign_cells(const std::vector<Selection>& selections, Bytes limit) {
  CellAssignment result;
  std::vector<SmallBlock> blocks;
  Time shift = 0;
  for (const Selection& selection : selections) {
    std::vector<std::uint32_t>& small = result.small_slots.emplace_back();
    for (std::uint32_t slot = 0; slot < selection.slots(); ++slot) {
      const Demand& demand = selection.demand(slot);
      if (!selection.is_planned(slot) || !is_small(demand, limit)) continue;
      small.push_back(slot);
      blocks.push_back({.life = {demand.life.begin + shift, demand.life.end + shift}, .size = demand.size});
    }
    shift += static_cast<Time>(selection.variant->demands.size()) + 1;
  }
  result.cells = sorted_by_size(assign_small_cells(blocks));
  return result;
}

// Returns the problem of the large slots. Every place in it is a multiple of the arena's granule.
Problem large_problem(const Selection& selection, Bytes limit, std::vector<std::uint32_t>& slots) {
  Problem problem;
  for (std::uint32_t slot = 0; slot < selection.slots(); ++slot) {
    const Demand& demand = selection.demand(slot);
    if (!selection.is_planned(slot) || is_small(demand, limit)) continue;
    slots.push_back(slot);
    problem.buffers.push_back({.life = demand.life,
                               .size = rounded_up(demand.size, kGranule),
                               .alignment = std::max<Bytes>(demand.alignment, kGranule)});
  }
  return problem;
}

Bytes total(const std::vector<std::uint64_t>& cells) {
  return static_cast<Bytes>(std::accumulate(cells.begin(), cells.end(), std::uint64_t{0}));
}

// Returns the least slab that this limit could give over all variants; nothing where a variant would have too
// many large slots.
std::optional<Bytes> height_estimate(const std::vector<Selection>& selections, Bytes limit) {
  Bytes largest = 0;
  for (const Selection& selection : selections) {
    std::vector<std::uint32_t> slots;
    const Problem problem = large_problem(selection, limit, slots);
    if (slots.size() > kMaxLargeSlots) return std::nullopt;
    largest = std::max(largest, peak_live_bytes(problem));
  }
  return largest + total(assign_cells(selections, limit).cells.cells);
}

// Returns the greatest limit with a slab about as low as the lowest that any limit gives.
Bytes choose_small_limit(const std::vector<Selection>& selections) {
  std::array<std::optional<Bytes>, kSmallLimits.size()> estimates;
  Bytes least = std::numeric_limits<Bytes>::max();
  for (std::size_t i = 0; i < kSmallLimits.size(); ++i) {
    estimates[i] = height_estimate(selections, kSmallLimits[i]);
    least = std::min(least, estimates[i].value_or(least));
  }
  const double tolerated = static_cast<double>(least) * (1 + kWorthASmallerLimit);
  for (std::size_t i = 0; i < kSmallLimits.size(); ++i) {
    if (!estimates[i]) continue;
    if (static_cast<double>(*estimates[i]) <= tolerated) return kSmallLimits[i];
    if (kSmallLimits[i] == kObjectLimit && *estimates[i] <= least + kObjectsMayCost) return kObjectLimit;
  }
  return kSmallLimits.front();
}

Bytes lower_bound_of(const Selection& selection) {
  Problem problem;
  for (std::size_t slot = 0; slot < selection.slots(); ++slot)
    if (selection.is_planned(slot))
      problem.buffers.push_back({.life = selection.demand(slot).life, .size = selection.demand(slot).size});
  return peak_live_bytes(problem);
}

// Returns the slot's `freed_at`. For a block that lives around its loop, this means "in a later iteration"
// (PlanSlot::freed_at).
std::uint32_t freed_at(const Selection& selection, std::size_t slot) {
  const Demand& demand = selection.demand(slot);
  const std::uint32_t end = selection.slot_time(demand.life.end);
  for (const VariantLoop& loop : selection.variant->loops) {
    const bool around = demand.life.begin == loop.begin() && demand.life.end >= loop.end();
    const bool inside = slot >= selection.slot_time(loop.begin()) && slot < selection.slot_time(loop.end());
    if (inside && around && end <= selection.slot_time(loop.end())) return selection.slot_time(loop.begin());
  }
  return end;
}

std::vector<PlanLoopDescription> describe_loops(const Selection& selection) {
  std::vector<PlanLoopDescription> described;
  for (const VariantLoop& loop : selection.variant->loops) {
    const std::uint32_t first = selection.slot_time(loop.begin());
    const std::uint32_t end = selection.slot_time(loop.end());
    if (first == end) continue;
    described.push_back({.first_slot = first,
                         .end_slot = end,
                         .slots = (end - first) / loop.period,
                         .first_scope = loop.first_scope,
                         .end_scope = loop.first_scope + loop.scopes * loop.period,
                         .scopes = loop.scopes});
  }
  return described;
}

// Describes the slots and scopes of a variant, without the places of planned slots.
PlanVariantDescription describe(const Selection& selection) {
  const Variant& variant = *selection.variant;
  PlanVariantDescription description{
      .fingerprint = variant.fingerprint,
      .pass_key = variant.key,
      .lower_bound = static_cast<std::uint64_t>(lower_bound_of(selection)),
      .unplanned = static_cast<std::uint32_t>(variant.demands.size() - selection.planned()),
      .shapes = static_cast<std::uint32_t>(variant.shapes)};
  for (const VariantScope& scope : variant.scopes)
    description.scopes.push_back({.name = scope.name,
                                  .first_slot = selection.slot_time(scope.life.begin),
                                  .end_slot = selection.slot_time(scope.life.end),
                                  .parent = scope.parent});
  for (std::size_t slot = 0; slot < selection.slots(); ++slot) {
    const Demand& demand = selection.demand(slot);
    description.slots.push_back({.site = {.module = demand.site.module, .offset = demand.site.offset},
                                 .size = static_cast<std::uint64_t>(demand.size),
                                 .alignment = static_cast<std::uint32_t>(demand.alignment),
                                 .scope = demand.scope,
                                 .freed_at = freed_at(selection, slot),
                                 .zone = PlanZone::kHeap,
                                 .growth = static_cast<std::uint64_t>(demand.growth)});
  }
  description.loops = describe_loops(selection);
  return description;
}

PlanAnchorDescription describe(const Anchor& anchor) {
  return {.site = {.module = anchor.site.module, .offset = anchor.site.offset},
          .least = static_cast<std::uint64_t>(anchor.least),
          .most = anchor.most == Anchor::kAnySize ? UINT64_MAX : static_cast<std::uint64_t>(anchor.most),
          .pass_key = anchor.key};
}

void place_small(const CellAssignment& assignment, std::vector<PlanVariantDescription>& variants) {
  std::size_t block = 0;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    for (const std::uint32_t slot : assignment.small_slots[v]) {
      variants[v].slots[slot].zone = PlanZone::kCell;
      variants[v].slots[slot].place = assignment.cells.cell_of[block++];
    }
  }
}

std::string describe_failure(const Variant& variant, const Strategy& strategy, const Outcome& outcome) {
  return fmt::format("{} found no plan for the variant \"{}\" ({} allocations): {}", strategy.name,
                     variant.pass_name, variant.demands.size(),
                     outcome.note.empty() ? to_string(outcome.status) : outcome.note);
}

// Solves the problem of the large slots and writes their places into the description.
Outcome place_large(const Selection& selection, Bytes limit, const Strategy& strategy, const Limits& limits,
                    PlanVariantDescription& description) {
  std::vector<std::uint32_t> slots;
  const Problem problem = large_problem(selection, limit, slots);
  if (std::string refusal = strategy.refusal(problem); !refusal.empty())
    throw PlanningFailed(fmt::format("{} cannot plan the variant \"{}\": {}", strategy.name,
                                     selection.variant->pass_name, refusal));
  Outcome outcome = strategy.solve(problem, limits);
  if (outcome.offsets.size() != problem.buffers.size())
    throw PlanningFailed(describe_failure(*selection.variant, strategy, outcome));
  for (std::size_t i = 0; i < slots.size(); ++i) {
    description.slots[slots[i]].zone = PlanZone::kLarge;
    description.slots[slots[i]].place = static_cast<std::uint64_t>(outcome.offsets[i]);
  }
  description.strategy = strategy.name;
  return outcome;
}

std::vector<PlanModuleDescription> describe_modules(const std::vector<Module>& modules) {
  std::vector<PlanModuleDescription> described;
  described.reserve(modules.size());
  for (const Module& module : modules)
    described.push_back({.build_id = module.build_id, .path = module.path});
  return described;
}

std::vector<LoopReport> report_loops(const Selection& selection) {
  std::vector<LoopReport> reports;
  for (const VariantLoop& loop : selection.variant->loops) {
    const std::uint32_t slots = selection.slot_time(loop.end()) - selection.slot_time(loop.begin());
    reports.push_back({.slots = slots / loop.period,
                       .period = loop.period,
                       .lengths = loop.lengths,
                       .growing = loop.growing});
  }
  return reports;
}

VariantReport report_of(const Selection& selection, const PlanVariantDescription& description) {
  VariantReport report{.key = selection.variant->key,
                       .pass_name = selection.variant->pass_name,
                       .runs = selection.variant->runs,
                       .buffers = selection.planned(),
                       .unplanned = description.unplanned,
                       .scopes = description.scopes.size(),
                       .shapes = selection.variant->shapes,
                       .range = selection.variant->range,
                       .loops = report_loops(selection),
                       .lower_bound = static_cast<Bytes>(description.lower_bound),
                       .strategy = description.strategy};
  for (const PlanSlotDescription& slot : description.slots) {
    if (slot.zone == PlanZone::kHeap) continue;
    report.bytes_requested += static_cast<Bytes>(slot.size);
    report.growing += slot.growth != 0 ? 1 : 0;
  }
  return report;
}

}  // namespace

std::string_view why_unplanned(const Demand& demand) {
  if (demand.escapes) return "outlives its pass";
  if (demand.lingers) return "outlives too many iterations of its loop";
  if (demand.outgrows) return "grows with each iteration of its loop, and takes less there";
  if (demand.site.module == kNone) return "its caller is in no known binary";
  if (demand.alignment > kMaxPlanAlignment) return "aligned more strictly than a plan can hold";
  if (demand.size > static_cast<Bytes>(kMaxPlanHeight / 2)) return "larger than a plan can hold";
  return "";
}

PlannedVariants plan_variants(const Variants& variants, const Strategy& strategy, const Limits& limits) {
  const std::vector<Selection> selections(variants.variants.begin(), variants.variants.end());
  const Bytes limit = choose_small_limit(selections);
  const CellAssignment cells = assign_cells(selections, limit);

  PlannedVariants result;
  result.plan.modules = describe_modules(variants.modules);
  result.plan.cells = cells.cells.cells;
  for (const Selection& selection : selections) result.plan.variants.push_back(describe(selection));
  for (PlanVariantDescription& variant : result.plan.variants)
    variant.warm_up = static_cast<std::uint32_t>(variants.before_steady);
  for (const Anchor& anchor : variants.anchors) result.plan.anchors.push_back(describe(anchor));
  place_small(cells, result.plan.variants);
  for (std::size_t v = 0; v < selections.size(); ++v) {
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = place_large(selections[v], limit, strategy, limits, result.plan.variants[v]);
    VariantReport& report = result.reports.emplace_back(report_of(selections[v], result.plan.variants[v]));
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report.status = outcome.status;
    report.note = outcome.note;
  }
  for (std::size_t v = 0; v < selections.size(); ++v) {
    result.reports[v].cells = total(result.plan.cells);
    result.reports[v].height = static_cast<Bytes>(height(result.plan, result.plan.variants[v]));
  }
  return result;
}

}  // namespace memo::planner
