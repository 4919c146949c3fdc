#include "planner/tool/report/trace_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "planner/layout/plan_variants.h"
#include "planner/layout/selection.h"
#include "planner/tool/report/call_sites.h"
#include "planner/tool/report/heap_layout.h"
#include "planner/tool/report/plan_pictures.h"
#include "planner/tool/report/variant_shapes.h"

namespace memo::planner {
namespace {

std::string operator_of(const Variant& variant, const Demand& demand) {
  return demand.scope < variant.scopes.size() ? readable_name(variant.scopes[demand.scope].name)
                                              : "outside operators";
}

std::vector<LeftToHeap> left_to_heap(const Variant& variant, CallSites& sites) {
  std::map<std::tuple<std::string, std::string, std::string>, LeftToHeap> rows;
  for (const Demand& demand : variant.demands) {
    const std::string reason(why_unplanned(demand));
    if (reason.empty()) continue;
    const std::string oper = operator_of(variant, demand);
    const std::string site = sites.name({demand.site.module, demand.site.offset});
    LeftToHeap& row = rows.try_emplace({reason, oper, site}, LeftToHeap{reason, oper, site}).first->second;
    ++row.allocations;
    row.bytes += demand.size;
  }
  std::vector<LeftToHeap> sorted;
  sorted.reserve(rows.size());
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &LeftToHeap::bytes);
  return sorted;
}

// Adds what a variant's plan does not hold.
void add_what_was_seen(const Variant& variant, CallSites& sites, Picture& picture) {
  picture.pass_name = readable_name(variant.pass_name);
  picture.title = fmt::format("{}: {}", picture.title, picture.pass_name);
  picture.runs = variant.runs;
  picture.shapes = shapes_of(variant, picture.lower_bound);
  picture.left_to_heap = left_to_heap(variant, sites);
}

std::string sources(std::span<const Trace> traces) {
  std::string text;
  for (const Trace& trace : traces) text += (text.empty() ? "" : ", ") + trace.path;
  return text;
}

std::vector<Picture> solved(const PlannedVariants& planned, const Strategy& strategy,
                            const std::string& source) {
  std::vector<Picture> pictures = plan_pictures(planned.plan, std::string(strategy.name), source);
  for (std::size_t v = 0; v < pictures.size(); ++v) {
    Layout& layout = pictures[v].layouts.front();
    layout.status = to_string(planned.reports[v].status);
    layout.seconds = planned.reports[v].seconds;
    layout.note = planned.reports[v].note;
  }
  return pictures;
}

}  // namespace

TracePictures trace_pictures(std::span<const Trace> traces, const Variants& variants,
                             std::span<const Strategy* const> strategies, const Limits& limits,
                             const std::function<void(const std::string&)>& begins) {
  TracePictures result;
  for (const Strategy* strategy : strategies) {
    const auto next = [&](const Variant& variant) {
      begins(fmt::format("{} of {}", strategy->name, readable_name(variant.pass_name)));
    };
    try {
      merge(result.pictures,
            solved(plan_variants(variants, *strategy, limits, next), *strategy, sources(traces)));
    } catch (const PlanningFailed& error) {
      result.notes.emplace_back(error.what());
    }
  }
  CallSites sites(variants.modules);
  for (std::size_t v = 0; v < result.pictures.size(); ++v) {
    add_what_was_seen(variants.variants[v], sites, result.pictures[v]);
    if (std::optional<Layout> heap = heap_layout(traces, variants.variants[v]))
      result.pictures[v].layouts.push_back(std::move(*heap));
  }
  return result;
}

}  // namespace memo::planner
