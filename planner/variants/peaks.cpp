#include "planner/variants/peaks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "planner/plan/worker_key.h"
#include "planner/problem/bounds.h"
#include "planner/variants/pass_times.h"
#include "planner/variants/peak_choice.h"

namespace memo::planner {
namespace {

constexpr Bytes kLeastSaved = Bytes{1} << 21;  // a huge page
constexpr Bytes kShareSaved = 8;    // 1/8 of the memory: less is not worth passes that find no region
constexpr Bytes kSplitStep = 4096;  // lanes end on whole pages

// Returns true if no slot of the variant may become larger than planned or have a list, and no worker runs it.
bool may_be_split(const PlanVariantDescription& variant) {
  return variant.loops.empty() && !is_key_of_workers(variant.pass_key) &&
         std::ranges::none_of(variant.slots, [](const PlanSlotDescription& slot) {
           return slot.zone == PlanZone::kList || slot.growth != 0 || slot.formula.exists();
         });
}

PeakProblem problem_of(const PlanVariantDescription& variant, const Selection& selection,
                       const LargeBlocks& large) {
  PeakProblem problem{.problem = large.problem,
                      .offsets = Offsets(large.problem.buffers.size()),
                      .shares = shares_of_time(selection.variant->times, selection.variant->demands.size()),
                      .may_be_split = may_be_split(variant)};
  for (std::size_t i = 0; i < large.slots.size(); ++i)
    problem.offsets[large.buffer_of[i]] = static_cast<Offset>(variant.slots[large.slots[i]].place);
  return problem;
}

// Gives each variant the share that its passes have in the time of all. Without times all have the same.
void weigh_by_time(std::span<PeakProblem> variants, std::span<const Selection> selections) {
  const auto duration_of = [](const Selection& selection) {
    return static_cast<double>(selection.variant->times.duration);
  };
  double sum = 0;
  for (const Selection& selection : selections) sum += duration_of(selection);
  for (std::size_t v = 0; v < variants.size(); ++v)
    variants[v].weight =
        sum == 0 ? 1.0 / static_cast<double>(variants.size()) : duration_of(selections[v]) / sum;
}

std::vector<PeakProblem> problems_of(const PlanDescription& plan, std::span<const Selection> selections,
                                     std::span<const LargeBlocks> large) {
  std::vector<PeakProblem> problems;
  for (std::size_t v = 0; v < selections.size(); ++v)
    problems.push_back(problem_of(plan.variants[v], selections[v], large[v]));
  weigh_by_time(problems, selections);
  return problems;
}

// Both parts of a variant, each with places from 0 on.
struct Parts {
  Offsets offsets;
  Bytes own = 0;
  Bytes peak = 0;
};

// Places one part. Returns its height; nothing if the strategy finds no places.
std::optional<Bytes> place_part(const PeakProblem& variant, const std::vector<bool>& of_peak, bool peak,
                                const Strategy& strategy, const Limits& limits, Offsets& offsets) {
  std::vector<std::size_t> index;
  const Problem part = part_of(variant.problem, of_peak, peak, &index);
  if (part.buffers.empty()) return 0;
  if (!strategy.refusal(part).empty()) return std::nullopt;
  const Outcome outcome = strategy.solve(part, limits);
  if (outcome.offsets.size() != part.buffers.size()) return std::nullopt;
  for (std::size_t i = 0; i < index.size(); ++i) offsets[index[i]] = outcome.offsets[i];
  return height(part, outcome.offsets);
}

std::optional<Parts> place_parts(const PeakProblem& variant, const std::vector<bool>& of_peak,
                                 const Strategy& strategy, const Limits& limits) {
  Parts parts{.offsets = variant.offsets};
  if (std::ranges::count(of_peak, true) == 0) {
    parts.own = height(variant.problem, variant.offsets);
    return parts;
  }
  const auto own = place_part(variant, of_peak, false, strategy, limits, parts.offsets);
  const auto peak = place_part(variant, of_peak, true, strategy, limits, parts.offsets);
  if (!own || !peak) return std::nullopt;
  parts.own = *own;
  parts.peak = *peak;
  return parts;
}

// Places the parts of all variants. Returns nothing if the strategy finds no places for one.
std::optional<std::vector<Parts>> place_all(std::span<const PeakProblem> variants, const PeakChoice& choice,
                                            const Strategy& strategy, const Limits& limits) {
  std::vector<Parts> parts;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    std::optional<Parts> placed = place_parts(variants[v], choice.of_peak[v], strategy, limits);
    if (!placed) return std::nullopt;
    parts.push_back(std::move(*placed));
  }
  return parts;
}

// Returns the step that the begin of the peak is a multiple of, so that what is aligned in a region is aligned in the plan.
Bytes step_of_split(std::span<const LargeBlocks> variants) {
  Bytes step = kSplitStep;
  for (const LargeBlocks& large : variants)
    for (const Buffer& buffer : large.problem.buffers) step = std::max(step, buffer.alignment);
  return step;
}

void put_in_place(const LargeBlocks& large, const std::vector<bool>& of_peak, const Parts& parts, Bytes split,
                  PlanVariantDescription& variant) {
  for (std::size_t i = 0; i < large.slots.size(); ++i) {
    const std::uint32_t buffer = large.buffer_of[i];
    variant.slots[large.slots[i]].place =
        static_cast<std::uint64_t>(parts.offsets[buffer] + (of_peak[buffer] ? split : 0));
  }
}

}  // namespace

bool is_worth_it(const PeakReport& report) {
  const auto lanes = static_cast<Bytes>(report.concurrent);
  const Bytes before = memory_of(report.unsplit) * lanes;
  const Bytes after =
      memory_of(report.own) * lanes + memory_of(report.peak) * static_cast<Bytes>(report.regions);
  return report.sum() <= report.sum_unsplit() &&
         before - after >= std::max(kLeastSaved, before / kShareSaved);
}

std::optional<PeakReport> split_plan(PlanDescription& plan, std::span<const Selection> selections,
                                     std::span<const LargeBlocks> large, std::uint32_t concurrent,
                                     const Strategy& strategy, const Limits& limits) {
  if (concurrent < 2) return std::nullopt;
  const std::vector<PeakProblem> problems = problems_of(plan, selections, large);
  const auto start = static_cast<Bytes>(large_start(plan));
  const PeakChoice choice = choose_peaks(problems, start, concurrent);
  if (choice.peak == 0) return std::nullopt;
  const std::optional<std::vector<Parts>> parts = place_all(problems, choice, strategy, limits);
  if (!parts) return std::nullopt;
  const Bytes split = align_up(std::ranges::max(*parts, {}, &Parts::own).own, step_of_split(large));
  const PeakReport report{.concurrent = concurrent,
                          .regions = choice.regions,
                          .own = start + split,
                          .peak = std::ranges::max(*parts, {}, &Parts::peak).peak,
                          .unsplit = static_cast<Bytes>(heights(plan).own)};
  if (!is_worth_it(report)) return std::nullopt;
  for (std::size_t v = 0; v < large.size(); ++v)
    put_in_place(large[v], choice.of_peak[v], (*parts)[v], split, plan.variants[v]);
  plan.peaks = {
      .split = static_cast<std::uint64_t>(split), .regions = choice.regions, .concurrent = concurrent};
  return report;
}

}  // namespace memo::planner
