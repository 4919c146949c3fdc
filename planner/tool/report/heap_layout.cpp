#include "planner/tool/report/heap_layout.h"

#include <algorithm>
#include <map>
#include <vector>

#include "planner/layout/selection.h"

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

// Maps page numbers of the process to offsets in the picture, without the gaps.
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

}  // namespace

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

}  // namespace memo::planner
