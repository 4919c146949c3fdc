#include "runtime/plan/anchors.h"

namespace memo::runtime {

constinit Anchors g_anchors{};

namespace {

// Counts of allocations: more than loading a framework and its networks takes, and more than a shell makes.
constexpr std::uint64_t kAwaitedLong = std::uint64_t{1} << 24;
constexpr std::uint64_t kMoreThanAShell = std::uint64_t{1} << 16;

// Stores the value. Returns true if it differs from the one before.
bool change(std::atomic<std::uint64_t>& word, std::uint64_t value) {
  return word.exchange(value, std::memory_order_relaxed) != value;
}

}  // namespace

bool passes_are_missed_after(std::uint64_t allocations) {
  if (!passes_are_absent()) return false;
  const std::uint64_t before = g_anchors.awaited.fetch_add(allocations, std::memory_order_relaxed);
  return before < kAwaitedLong && before + allocations >= kAwaitedLong;
}

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

bool passes_never_came() {
  return passes_are_absent() && g_anchors.awaited.load(std::memory_order_relaxed) >= kMoreThanAShell;
}

// Keeps what is known of the anchors if they are the same as before, as in a plan that grew.
void set_anchors(const LoadedPlan& plan) {
  std::uint32_t count = 0;
  bool changed = plan.file.anchors().size() != g_anchors.count.load(std::memory_order_relaxed);
  for (const PlanAnchor& anchor : plan.file.anchors()) {
    Anchor& row = g_anchors.rows[count++];
    changed |= change(row.least, anchor.least);
    changed |= change(row.most, anchor.most);
    changed |= change(row.pass_key, anchor.pass_key);
    changed |= change(row.site, plan.sites.addresses[anchor.site].load(std::memory_order_relaxed));
  }
  if (changed) {
    g_anchors.met.store(false, std::memory_order_relaxed);
    g_anchors.awaited.store(0, std::memory_order_relaxed);
  }
  g_anchors.count.store(count, std::memory_order_release);
}

}  // namespace memo::runtime
