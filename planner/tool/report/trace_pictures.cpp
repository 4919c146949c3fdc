#include "planner/tool/report/trace_pictures.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "planner/layout/plan_variants.h"
#include "planner/layout/selection.h"
#include "planner/steps/variants.h"
#include "planner/tool/report/call_sites.h"
#include "planner/tool/report/picture.h"
#include "planner/tool/report/plan_pictures.h"
#include "planner/tool/report/shapes.h"
#include "planner/trace/trace.h"

namespace memo::planner {
namespace {

constexpr Bytes kPage = 4096;

bool allocates_like(const Trace& trace, const Pass& pass, const Variant& variant) {
  if (!pass.complete || pass.key != variant.key || trace.name(pass.name) != variant.pass_name) return false;
  return std::ranges::equal(pass.allocations, variant.demands,
                            [](const Allocation& made, const Demand& demand) {
                              return made.site.offset == demand.site.offset && made.size <= demand.size &&
                                     made.alignment <= demand.alignment;
                            });
}

const Pass* last_run(std::span<const Trace> traces, const Variant& variant) {
  const Pass* found = nullptr;
  for (const Trace& trace : traces) {
    for (const Pass& pass : trace.passes) {
      if (allocates_like(trace, pass, variant)) found = &pass;
    }
  }
  return found;
}

// Maps page numbers of the process to offsets in the picture. The trace has the addresses that the heap gave; the picture leaves
// out those that no buffer of the pass touches, so that the rest can stand beside a slab.
//
//   addresses   0x7f10'0000 [aaaa]        0x7f58'0000 [bb][cc]           (hundreds of MiB between them)
//   picture               0 [aaaa][bb][cc]
class TouchedPages {
 public:
  // Returns how many pages are new.
  std::size_t touch(std::uint64_t begin, std::uint64_t end) {
    std::size_t added = 0;
    for (std::uint64_t page = begin / kPage; page <= (end - 1) / kPage; ++page)
      added += compact_.try_emplace(page, 0).second ? 1U : 0U;
    return added;
  }
  void close_gaps() {
    Offset next = 0;
    for (auto& [page, compact] : compact_) {
      compact = next;
      next += kPage;
    }
  }
  [[nodiscard]] Offset place(std::uint64_t address) const {
    return compact_.at(address / kPage) + static_cast<Offset>(address % kPage);
  }
  [[nodiscard]] Bytes bytes() const { return static_cast<Bytes>(compact_.size()) * kPage; }

 private:
  std::map<std::uint64_t, Offset> compact_;
};

std::vector<const Allocation*> planned_of(const Pass& pass, const Variant& variant) {
  std::vector<const Allocation*> planned;
  for (std::size_t i = 0; i < variant.demands.size(); ++i) {
    if (why_unplanned(variant.demands[i]).empty()) planned.push_back(&pass.allocations[i]);
  }
  return planned;
}

// Returns the layout of the last recorded pass that allocated like the variant, for the demands that a plan
// holds. Returns nothing if the traces have no such pass. The layout's height is the size of the pages that the
// pass touched, and `Layout::touched` shows how their number grew.
std::optional<Layout> heap_layout(std::span<const Trace> traces, const Variant& variant) {
  const Pass* pass = last_run(traces, variant);
  if (pass == nullptr) return std::nullopt;
  const std::vector<const Allocation*> planned = planned_of(*pass, variant);
  Layout layout{.name = "the profiled heap", .kind = LayoutKind::kHeap};
  TouchedPages pages;
  for (std::size_t slot = 0; slot < planned.size(); ++slot) {
    const std::uint64_t begin = planned[slot]->address();
    const auto size = static_cast<std::uint64_t>(std::max<Bytes>(planned[slot]->size, 1));
    if (pages.touch(begin, begin + size) > 0)
      layout.touched.push_back({static_cast<Time>(slot), pages.bytes()});
  }
  pages.close_gaps();
  for (const Allocation* made : planned) layout.offsets.push_back(pages.place(made->address()));
  layout.height = pages.bytes();
  layout.note = "addresses as recorded, without the address space that the pass did not touch";
  return layout;
}

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
