#include "planner/tool/cli/plan_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "planner/plan/plan_json.h"
#include "planner/plan/worker_key.h"
#include "planner/tool/report/operators.h"
#include "planner/tool/report/shapes.h"
#include "planner/tool/text/numbers.h"
#include "planner/trace/symbols.h"
#include "runtime/formats/plan_format.h"

namespace memo::cli {
namespace {

using planner::human_bytes;
using planner::PeakShares;
using planner::PlannedVariants;
using planner::VariantReport;
using planner::Variants;

constexpr std::size_t kOperatorsShown = 4;
constexpr std::size_t kLoopsShown = 3;
constexpr std::size_t kLengthsShown = 6;

std::string shares_line(const PeakShares& peak) {
  std::string text;
  const std::size_t shown = std::min(kOperatorsShown, peak.shares.size());
  for (std::size_t i = 0; i < shown; ++i)
    text +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", peak.shares[i].name, human_bytes(peak.shares[i].bytes));
  if (shown < peak.shares.size()) text += fmt::format(" and {} more", peak.shares.size() - shown);
  return text;
}

// Says where the proof of one shape holds for all larger ones. Returns "" where it does not.
std::string_view describe_proof(const VariantReport& report) {
  if (!report.optimal_for_larger) return "";
  return "  proof        holds for every larger shape too: all large blocks grow in proportion, as with the batch\n";
}

// Describes the joined shapes. Returns "" for a single shape.
std::string describe_shapes(const VariantReport& report) {
  if (report.shapes == 1) return "";
  if (report.range.alone != 0)
    return fmt::format("  shapes       {}\n", planner::describe({.shapes = report.shapes,
                                                                 .range = report.range,
                                                                 .formulas = report.formulas != 0,
                                                                 .joint = report.lower_bound}));
  return fmt::format(
      "  shapes       {} joined, whose sizes lie on a line; {} of the buffers grow beyond the largest\n",
      report.shapes, report.growing);
}

std::string describe_reserve(const VariantReport& report) {
  if (report.reserve == 0) return "";
  return fmt::format("  reserve      {} of the height, for large blocks in orders that were not recorded\n",
                     human_bytes(report.reserve));
}

// Returns up to kLengthsShown lengths, or else the first and the last.
std::string describe_lengths(const std::vector<std::size_t>& lengths) {
  if (lengths.size() > kLengthsShown)
    return fmt::format("{} to {} ({} different)", lengths.front(), lengths.back(), lengths.size());
  return fmt::format("{}", fmt::join(lengths, ", "));
}

std::string_view home_of(const planner::GrowingBuffers& growing) {
  switch (growing.home()) {
    case planner::Growing::kInSlab:
      return "slab";
    case planner::Growing::kInPools:
      return "pools";
    case planner::Growing::kOnHeap:
      break;
  }
  return "heap";
}

std::string describe_pools(const planner::GrowingBuffers& growing) {
  return growing.pools ? fmt::format(", {} in pools that they share", human_bytes(*growing.pools)) : "";
}

// Describes the buffers that grow in each iteration. Returns "" if all iterations have one size.
std::string describe_growing(const planner::GrowingBuffers& growing) {
  if (growing.buffers == 0) return "";
  std::string text = fmt::format("  growing      {} of them larger in each iteration", growing.buffers);
  if (growing.handed_on != 0)
    text += fmt::format("; {} of these, handed on to the next, take {} in the slab{} and {} on the heap: {}",
                        growing.handed_on, human_bytes(growing.slab), describe_pools(growing),
                        human_bytes(growing.heap), home_of(growing));
  return text + "\n";
}

// Describes in one line the loops of a pass that has too many to list.
std::string describe_many_loops(const std::vector<planner::LoopReport>& loops) {
  const auto [fewest, most] = std::minmax_element(
      loops.begin(), loops.end(), [](const auto& a, const auto& b) { return a.slots < b.slots; });
  std::size_t shortest = SIZE_MAX;
  std::size_t longest = 0;
  for (const planner::LoopReport& loop : loops) {
    shortest = std::min(shortest, loop.lengths.front());
    longest = std::max(longest, loop.lengths.back());
  }
  return fmt::format("  loops        {}, of {} to {} buffers an iteration; seen with {} to {} iterations\n",
                     loops.size(), fewest->slots, most->slots, shortest, longest);
}

std::string describe_loops(const VariantReport& report) {
  if (report.loops.size() > kLoopsShown) return describe_many_loops(report.loops);
  std::string text;
  for (const planner::LoopReport& loop : report.loops)
    text += fmt::format(
                "  {:<12} {} buffers an iteration, in their places again after {}; seen with {} iterations\n",
                loop.around == 0 ? "loop" : "loop in it", loop.slots, loop.period,
                describe_lengths(loop.lengths)) +
            describe_growing(loop.growing);
  return text;
}

std::string describe_variant(std::size_t number, const VariantReport& report, const PeakShares& peak) {
  return fmt::format(
      "variant {}: {}, key {}, seen {} times\n"
      "  buffers      {} asking for {}; {} left to the heap\n"
      "{}"
      "  operators    {}\n"
      "{}"
      "  lower bound  {} ({})\n"
      "  height       {} ({}, {} over the bound), of it {} in cells for small blocks\n"
      "{}"
      "  strategy     {} ({} for the large blocks) in {:.3f} s\n"
      "{}"
      "  forced by    allocation {}, where {} are alive: {}\n",
      number, planner::readable_name(report.pass_name), pass_key_text(report.key), report.runs,
      report.buffers, human_bytes(report.bytes_requested), report.unplanned, describe_shapes(report),
      report.scopes, describe_loops(report), report.lower_bound, human_bytes(report.lower_bound),
      report.height, human_bytes(report.height), planner::over_bound(report.height, report.lower_bound),
      human_bytes(report.cells), describe_reserve(report), report.strategy, planner::to_string(report.status),
      report.seconds, describe_proof(report), peak.during.begin, human_bytes(peak.bytes), shares_line(peak));
}

nlohmann::ordered_json loop_json(const planner::LoopReport& loop) {
  const planner::GrowingBuffers& growing = loop.growing;
  nlohmann::ordered_json json = {{"slots", loop.slots}, {"period", loop.period}, {"lengths", loop.lengths}};
  if (loop.around != 0) json["around"] = loop.around;
  if (growing.buffers != 0)
    json["growing"] = {{"slots", growing.buffers},
                       {"handed_on", growing.handed_on},
                       {"slab_bytes", growing.slab},
                       {"heap_bytes", growing.heap},
                       {"kept_in", home_of(growing)}};
  if (growing.pools) json["growing"]["pool_bytes"] = *growing.pools;
  return json;
}

nlohmann::ordered_json variant_json(const VariantReport& report, const PeakShares& peak) {
  nlohmann::ordered_json json;
  json["pass"] = report.pass_name;
  json["key"] = report.key;
  json["runs"] = report.runs;
  json["shapes"] = report.shapes;
  if (report.reserve != 0) json["reserve"] = report.reserve;
  json["growing"] = report.growing;
  if (report.range.alone != 0) json["range"] = planner::range_to_json(report.range);
  if (report.formulas != 0) json["formulas"] = report.formulas;
  json["buffers"] = report.buffers;
  json["bytes_requested"] = report.bytes_requested;
  json["lower_bound"] = report.lower_bound;
  json["height"] = report.height;
  json["cells"] = report.cells;
  json["status"] = planner::to_string(report.status);
  json["optimal_for_larger"] = report.optimal_for_larger;
  json["strategy"] = report.strategy;
  json["seconds"] = report.seconds;
  json["scopes"] = report.scopes;
  json["unplanned"] = report.unplanned;
  json["peak"] = {{"slot", peak.during.begin}, {"bytes", peak.bytes}, {"operators", nlohmann::json::array()}};
  for (const planner::OperatorShare& share : peak.shares)
    json["peak"]["operators"].push_back(
        {{"name", share.name}, {"buffers", share.buffers}, {"bytes", share.bytes}});
  for (const planner::LoopReport& loop : report.loops) json["loops"].push_back(loop_json(loop));
  if (!report.note.empty()) json["note"] = report.note;
  return json;
}

std::string describe_sources(const PlanSources& sources, const Variants& variants) {
  return fmt::format(
      "traces: {} read, {} unreadable; {} distinct passes, {} like one of these were dropped\n",
      sources.traces, sources.unreadable, variants.distinct, variants.passes - variants.distinct);
}

PeakShares shares_of(const PlannedVariants& planned, std::size_t variant) {
  return planner::peak_shares(planned.plan, planned.plan.variants[variant]);
}

}  // namespace

std::string describe(const PlanSources& sources, const Variants& variants, const PlannedVariants& planned) {
  std::string text = describe(sources.by);
  if (sources.traces + sources.unreadable > 1) text += describe_sources(sources, variants);
  text += fmt::format("passes: {} complete, {} of them warm-up, {} cut off\n", variants.passes,
                      variants.warm_up, variants.incomplete);
  for (std::size_t v = 0; v < planned.reports.size(); ++v)
    text += describe_variant(v + 1, planned.reports[v], shares_of(planned, v));
  return text;
}

std::string to_json(const PlanSources& sources, const Variants& variants, const PlannedVariants& planned,
                    const planner::OrderAdvice* order) {
  nlohmann::ordered_json json = {{"traces", sources.traces},    {"unreadable", sources.unreadable},
                                 {"passes", variants.passes},   {"distinct", variants.distinct},
                                 {"warm_up", variants.warm_up}, {"incomplete", variants.incomplete},
                                 {"steady", variants.steady}};
  add_to_json(sources.by, json);
  json["variants"] = nlohmann::json::array();
  for (std::size_t v = 0; v < planned.reports.size(); ++v)
    json["variants"].push_back(variant_json(planned.reports[v], shares_of(planned, v)));
  if (order != nullptr)
    json["order"] = {{"recorded", order->recorded}, {"advised", order->advised}, {"operators", order->order}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string pass_key_text(std::uint64_t key) {
  return planner::is_key_of_workers(key) ? "workers" : fmt::format("{:#x}", key);
}

}  // namespace memo::cli
