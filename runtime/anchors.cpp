#include "runtime/anchors.h"

namespace memo::runtime {

constinit Anchors g_anchors{};

const Anchor* find_anchor(std::uint64_t site, std::size_t size) {
  const std::uint32_t count = g_anchors.count.load(std::memory_order_acquire);
  for (std::uint32_t row = 0; row < count; ++row) {
    const Anchor& anchor = g_anchors.rows[row];
    if (anchor.site.load(std::memory_order_relaxed) == site &&
        size >= anchor.least.load(std::memory_order_relaxed) &&
        size <= anchor.most.load(std::memory_order_relaxed))
      return &anchor;
  }
  return nullptr;
}

void set_anchors(const LoadedPlan& plan) {
  std::uint32_t count = 0;
  for (const PlanAnchor& anchor : plan.file.anchors()) {
    Anchor& row = g_anchors.rows[count++];
    row.least.store(anchor.least, std::memory_order_relaxed);
    row.most.store(anchor.most, std::memory_order_relaxed);
    row.pass_key.store(anchor.pass_key, std::memory_order_relaxed);
    row.site.store(plan.sites.addresses[anchor.site].load(std::memory_order_relaxed),
                   std::memory_order_relaxed);
  }
  g_anchors.count.store(count, std::memory_order_release);
}

}  // namespace memo::runtime
