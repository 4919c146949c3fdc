#include "planner/tool/cli/size_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/plan/plan_json.h"
#include "planner/plan/worker_key.h"
#include "planner/tool/cli/plan_report.h"
#include "planner/tool/cli/text_table.h"
#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

using nlohmann::ordered_json;
using planner::FormulaNumbers;
using planner::PlanVariantDescription;

constexpr const char* kWithoutBase = "without what the program holds before its first pass; give --base";

constexpr const char* kCompared =
    "while passes are compared the heap holds one request more: add it to --base, or serve with --aside never\n";

std::string human(std::uint64_t bytes) {
  return planner::human_bytes(static_cast<planner::Bytes>(bytes));
}

std::uint64_t base_of(const SizeReport& report) {
  return report.base.value_or(0);
}

FormulaNumbers smallest_shape(const PlanVariantDescription& variant) {
  return {.p = variant.range.varying[0].least, .q = variant.range.varying[1].least};
}

// Returns a quantity of Kubernetes: whole Mi, rounded up.
std::string quantity(std::uint64_t bytes) {
  constexpr std::uint64_t kMi = 1 << 20;
  return fmt::format("{}Mi", (bytes + kMi - 1) / kMi);
}

struct Proposal {
  std::uint64_t requests = 0;
  std::uint64_t limits = 0;
};

// Returns nothing where the base is not known, nor how many requests run at once, or where none fits.
std::optional<Proposal> proposal_of(const SizeReport& report) {
  if (!report.base || (!report.at_once && !report.limit)) return std::nullopt;
  const std::uint64_t at_once = report.at_once ? *report.at_once : report.fitting();
  if (at_once == 0 || report.is_too_much()) return std::nullopt;
  return Proposal{.requests = planner::needed_at_once(report.need, *report.base, 1),
                  .limits = planner::needed_at_once(report.need, *report.base, at_once)};
}

// ---- for people

std::string smallest_cell(const SizeReport& report, const PlanVariantDescription& variant) {
  if (!planner::has_formulas(variant)) return "-";
  const FormulaNumbers least = smallest_shape(variant);
  return fmt::format("{} x {}: {}", least.p, least.q,
                     human(planner::touched_by(report.plan, variant, least)));
}

std::string largest_cell(const PlanVariantDescription& variant) {
  if (!planner::has_formulas(variant)) return "-";
  return fmt::format("{} x {}", variant.range.varying[0].most, variant.range.varying[1].most);
}

std::string variants_table(const SizeReport& report) {
  Rows rows = {{"variant", "key", "shapes", "up to", "height", "heap beside", "the smallest touches"}};
  for (std::size_t number = 0; number < report.plan.variants.size(); ++number) {
    const PlanVariantDescription& variant = report.plan.variants[number];
    rows.push_back({std::to_string(number + 1), pass_key_text(variant.pass_key),
                    std::to_string(variant.shapes), largest_cell(variant),
                    human(planner::height(report.plan, variant)), human(planner::heap_beside(variant)),
                    smallest_cell(report, variant)});
  }
  return table(rows);
}

std::string sentence_at_shape(const VariantAtShape& at, const std::string& shape) {
  if (at.too_high)
    return fmt::format(
        "{}: variant {} would be {} high, more than {} times as planned: it goes to the heap\n", shape,
        at.variant + 1, human(at.height), planner::kMostTimesAsPlanned);
  if (at.grows)
    return fmt::format("{}: variant {} grows to {} for it, where the sizes keep to their formulas\n", shape,
                       at.variant + 1, human(at.height));
  return fmt::format("{}: variant {} has room for it, of which it touches {} at most\n", shape,
                     at.variant + 1, human(at.touched));
}

std::string sentences_at_shape(const SizeReport& report) {
  if (!report.shape) return "";
  std::string text;
  const std::string shape = fmt::format("{} x {}", report.shape->numbers.p, report.shape->numbers.q);
  for (const VariantAtShape& at : report.shape->variants) text += sentence_at_shape(at, shape);
  return text;
}

bool grows_in_steps(const PlanVariantDescription& variant) {
  return std::ranges::any_of(
      variant.slots, [](const auto& slot) { return slot.formula.is_line() && !is_on_heap(slot.zone); });
}

std::uint64_t height_a_step_further(const SizeReport& report, std::size_t number) {
  const planner::PlanDescription plan = planner::enlarged_for(report.plan, {.t = 1});
  return std::max(planner::height(plan, plan.variants[number]),
                  planner::height(report.plan, report.plan.variants[number]));
}

std::string sentences_on_steps(const SizeReport& report) {
  std::string text;
  for (std::size_t number = 0; number < report.plan.variants.size(); ++number)
    if (grows_in_steps(report.plan.variants[number]))
      text += fmt::format("variant {} grows in steps beyond the profile, to {} in the first; not counted\n",
                          number + 1, human(height_a_step_further(report, number)));
  return text;
}

std::string sentence_on_request(const SizeReport& report) {
  std::string text = fmt::format(
      "the largest request takes {}: a lane of {} with its index, and {} of the heap\n",
      human(report.need.request()), human(planner::with_index(report.need.lane)), human(report.need.heap));
  if (report.need.worker != 0)
    text += fmt::format("each worker thread has a lane of {} besides; add these to --base\n",
                        human(planner::with_index(report.need.worker)));
  return text + kCompared;
}

std::string sentence_on_base(const SizeReport& report) {
  return report.base ? fmt::format("the program holds {} before its first pass\n", human(*report.base))
                     : fmt::format("{}\n", kWithoutBase);
}

std::string sentence_on_limit(const SizeReport& report) {
  if (!report.limit) return "";
  const std::uint64_t fitting = report.fitting();
  if (fitting == 0)
    return fmt::format("in {} not one of the largest fits: raise the limit to {}\n", human(*report.limit),
                       quantity(planner::needed_at_once(report.need, base_of(report), 1)));
  return fmt::format("in {} {} of the largest fit at once\n", human(*report.limit), fitting);
}

std::string sentence_at_once(const SizeReport& report) {
  if (!report.at_once) return "";
  return fmt::format("{} of the largest at once need {}{}\n", *report.at_once,
                     human(planner::needed_at_once(report.need, base_of(report), *report.at_once)),
                     report.is_too_much() ? ", more than the limit" : "");
}

std::string manifest_line(const SizeReport& report) {
  const std::optional<Proposal> proposal = proposal_of(report);
  if (!proposal) return "";
  return fmt::format("resources: {{ requests: {{ memory: {} }}, limits: {{ memory: {} }} }}\n",
                     quantity(proposal->requests), quantity(proposal->limits));
}

// ---- for programs

ordered_json variant_json(const SizeReport& report, std::size_t number) {
  const PlanVariantDescription& variant = report.plan.variants[number];
  ordered_json json = {{"variant", number + 1},
                       {"key", variant.pass_key},
                       {"workers", planner::is_key_of_workers(variant.pass_key)},
                       {"shapes", variant.shapes},
                       {"height", planner::height(report.plan, variant)},
                       {"heap_bytes", planner::heap_beside(variant)}};
  if (variant.range.alone != 0) json["range"] = planner::range_to_json(variant.range);
  if (planner::has_formulas(variant))
    json["smallest_touches"] = planner::touched_by(report.plan, variant, smallest_shape(variant));
  if (grows_in_steps(variant)) json["height_a_step_further"] = height_a_step_further(report, number);
  return json;
}

ordered_json shape_json(const AtShape& shape) {
  ordered_json json = {{"numbers", {shape.numbers.p, shape.numbers.q}}, {"variants", ordered_json::array()}};
  for (const VariantAtShape& at : shape.variants)
    json["variants"].push_back({{"variant", at.variant + 1},
                                {"grows", at.grows},
                                {"served", !at.too_high},
                                {"height", at.height},
                                {"touched_bytes", at.touched}});
  return json;
}

ordered_json at_once_json(const SizeReport& report) {
  return {{"requests", *report.at_once},
          {"bytes", planner::needed_at_once(report.need, base_of(report), *report.at_once)},
          {"fits", report.limit ? ordered_json(!report.is_too_much()) : ordered_json()}};
}

ordered_json proposal_json(const SizeReport& report) {
  const std::optional<Proposal> proposal = proposal_of(report);
  if (!proposal) return {};
  return {{"requests", quantity(proposal->requests)}, {"limits", quantity(proposal->limits)}};
}

}  // namespace

std::uint64_t SizeReport::fitting() const {
  return planner::fitting_at_once(need, base.value_or(0), *limit);
}

bool SizeReport::is_too_much() const {
  return at_once && limit && *at_once > fitting();
}

std::string describe(const SizeReport& report) {
  return variants_table(report) + sentences_at_shape(report) + sentences_on_steps(report) +
         sentence_on_request(report) + sentence_on_base(report) + sentence_on_limit(report) +
         sentence_at_once(report) + manifest_line(report);
}

std::string to_json(const SizeReport& report) {
  ordered_json json = {{"plan", report.path},
                       {"base_bytes", report.base ? ordered_json(*report.base) : ordered_json()},
                       {"request_bytes", report.need.request()},
                       {"lane_bytes", report.need.lane},
                       {"heap_bytes", report.need.heap},
                       {"worker_lane_bytes", planner::with_index(report.need.worker)},
                       {"variants", ordered_json::array()}};
  for (std::size_t number = 0; number < report.plan.variants.size(); ++number)
    json["variants"].push_back(variant_json(report, number));
  if (!report.base) json["note"] = kWithoutBase;
  if (report.shape) json["shape"] = shape_json(*report.shape);
  if (report.limit) json["limit"] = {{"bytes", *report.limit}, {"fit_at_once", report.fitting()}};
  if (report.at_once) json["at_once"] = at_once_json(report);
  json["kubernetes"] = proposal_json(report);
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace memo::cli
