#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "planner/plan/plan_json.h"
#include "planner/tool/cli/inspect.h"
#include "planner/tool/cli/plan_report.h"
#include "planner/tool/report/operators.h"
#include "planner/tool/report/shapes.h"
#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

using planner::human_bytes;
using planner::name_of;
using planner::PeakShares;
using planner::PlanDescription;
using planner::PlanSlotDescription;
using planner::PlanVariantDescription;

constexpr std::size_t kSlotsShown = 5;

std::vector<std::size_t> biggest_slots(const PlanVariantDescription& variant) {
  std::vector<std::size_t> order(variant.slots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t shown = std::min(kSlotsShown, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
      [&](std::size_t a, std::size_t b) { return variant.slots[a].size > variant.slots[b].size; });
  order.resize(shown);
  return order;
}

std::size_t count(const PlanVariantDescription& variant, PlanZone zone) {
  return static_cast<std::size_t>(std::count_if(variant.slots.begin(), variant.slots.end(),
                                                [&](const auto& slot) { return slot.zone == zone; }));
}

std::string describe_slots(const PlanDescription& plan, const PlanVariantDescription& variant) {
  std::string text = "  biggest slots\n";
  for (const std::size_t index : biggest_slots(variant)) {
    const PlanSlotDescription& slot = variant.slots[index];
    text += fmt::format("    {:>6}  {:>12}  {} at {}, freed before {}, by {} from {}+{:#x}\n", index,
                        human_bytes(static_cast<planner::Bytes>(slot.size)), name_of(slot.zone), slot.place,
                        slot.freed_at, planner::operator_of(variant, slot),
                        plan.modules[slot.site.module].path, slot.site.offset);
  }
  return text;
}

std::string describe_peak(const PeakShares& peak) {
  std::string text = fmt::format("  forced by      slot {}, where {} are alive\n", peak.during.begin,
                                 human_bytes(peak.bytes));
  for (const planner::OperatorShare& share : peak.shares)
    text +=
        fmt::format("    {:>12}  {:>4} buffers  {}\n", human_bytes(share.bytes), share.buffers, share.name);
  return text;
}

bool grows(const PlanSlotDescription& slot) {
  return slot.formula.is_line();
}

// Describes the slots that grow in each iteration. Returns "" if all iterations have one size.
std::string describe_growth(const PlanVariantDescription& variant, const planner::PlanLoopDescription& loop) {
  const auto first = variant.slots.begin() + loop.first_slot;
  const auto end = first + loop.slots;
  const auto growing = std::count_if(first, end, grows);
  if (growing == 0) return "";
  const auto count_in = [&](auto&& is_home) {
    return std::count_if(first, end, [&](const auto& slot) { return grows(slot) && is_home(slot.zone); });
  };
  return fmt::format(
      "; {} grow with each, {} of these in cells that they share, {} on the heap, where they take less",
      growing, count_in(has_list), count_in(is_on_heap));
}

std::string describe_loops(const PlanVariantDescription& variant) {
  std::string text;
  for (const planner::PlanLoopDescription& loop : variant.loops)
    text += fmt::format("  loop           slots {} to {}, {} an iteration{}\n", loop.first_slot,
                        loop.end_slot - 1, loop.slots, describe_growth(variant, loop));
  return text;
}

std::string shapes_row(const PlanVariantDescription& variant) {
  const std::string shapes = describe_shapes(variant);
  return shapes.empty() ? "" : fmt::format("  shapes         {}\n", shapes);
}

std::string describe_variant(const PlanDescription& plan, std::size_t number) {
  const PlanVariantDescription& variant = plan.variants[number];
  return fmt::format(
             "variant {}: key {}, fingerprint {:016x}\n"
             "  slots          {} small in cells, {} large, {} with a list; {} allocations are left to the heap\n"
             "  operators      {}\n"
             "  height         {} over a lower bound of {}, by {}\n",
             number + 1, pass_key_text(variant.pass_key), variant.fingerprint,
             count(variant, PlanZone::kCell), count(variant, PlanZone::kLarge),
             count(variant, PlanZone::kList) + count(variant, PlanZone::kPool), variant.unplanned,
             variant.scopes.size(), planner::height(plan, variant), variant.lower_bound, variant.strategy) +
         shapes_row(variant) + describe_loops(variant) + describe_peak(planner::peak_shares(plan, variant)) +
         describe_slots(plan, variant);
}

}  // namespace

std::string describe_shapes(const PlanVariantDescription& variant) {
  const auto growing = std::count_if(variant.slots.begin(), variant.slots.end(), grows);
  if (variant.range.alone != 0)
    return planner::describe({.shapes = variant.shapes,
                              .range = variant.range,
                              .formulas = planner::has_formulas(variant),
                              .joint = static_cast<planner::Bytes>(variant.lower_bound)});
  if (growing == 0 && variant.shapes > 1)
    return fmt::format("{} of one structure, asking for up to {}: each slot holds the largest of them",
                       variant.shapes,
                       human_bytes(static_cast<planner::Bytes>(planner::bytes_requested(variant))));
  if (growing == 0 || !variant.loops.empty()) return "";
  return fmt::format("{} on one line: {} slots grow beyond the largest of them", variant.shapes, growing);
}

std::string describe(const std::string& path, const PlanDescription& plan) {
  const auto cells = std::accumulate(plan.cells.begin(), plan.cells.end(), std::uint64_t{0});
  std::string text =
      fmt::format("{}\n  variants       {}\n  cells          {} of {} together\n", path, plan.variants.size(),
                  plan.cells.size(), human_bytes(static_cast<planner::Bytes>(cells)));
  for (const planner::PlanModuleDescription& module : plan.modules)
    text += fmt::format("  made from      {} {}\n",
                        module.build_id.empty() ? "(no build-id)" : module.build_id, module.path);
  for (const planner::PlanAnchorDescription& anchor : plan.anchors)
    text += fmt::format("  opened by      {}+{:#x}, {} to {} bytes\n", plan.modules[anchor.site.module].path,
                        anchor.site.offset, anchor.least, anchor.most);
  for (std::size_t number = 0; number < plan.variants.size(); ++number)
    text += describe_variant(plan, number);
  return text;
}

std::string to_json(const std::string& path, const PlanDescription& plan) {
  nlohmann::ordered_json json = {{"plan", path}};
  json.update(planner::plan_to_json(plan));
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace memo::cli
