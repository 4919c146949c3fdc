#include "runtime/arena.h"

#include <unistd.h>

#include "runtime/match.h"
#include "runtime/notice.h"
#include "runtime/statistics.h"

namespace memo::runtime {

constinit const HotSlot g_no_pass{.site = kNoSite, .granule = 0, .bytes = 0};
constinit const HotSlot g_reentered{.site = kNoSite, .granule = 0, .bytes = 0};
constinit thread_local ThreadState t_self{};

std::uint32_t current_thread() {
  ThreadState& self = t_self;
  if (self.thread == 0) self.thread = static_cast<std::uint32_t>(gettid());
  return self.thread;
}

namespace {

// Counted always, said once: a program that frees twice tends to do it often.
bool report_misuse(std::atomic<std::uint64_t>& counter, const char* what, const void* block) {
  if (counter.fetch_add(1, std::memory_order_relaxed) == 0) notice("%s at %p is ignored", what, block);
  return true;
}

bool release_large(std::uint64_t granule, void* block) {
  const Owner held = g_region.owners[granule].exchange(kNobody, std::memory_order_relaxed);
  if (held < kLargeOwner) return report_misuse(g_statistics.double_free, "double free", block);
  // The owner is cleared before the bit: once the bit is clear, the lane may put another block here.
  Lane& lane = g_lanes[g_region.lane_of_chunk[granule / kChunkGranules].load(std::memory_order_relaxed)];
  const std::uint32_t large = held - kLargeOwner;
  lane.live[large / 64].fetch_and(~(std::uint64_t{1} << large % 64), std::memory_order_release);
  return true;
}

std::size_t large_bytes(std::uint64_t granule, Owner held) {
  const Lane& lane =
      g_lanes[g_region.lane_of_chunk[granule / kChunkGranules].load(std::memory_order_relaxed)];
  return lane.variant.load(std::memory_order_relaxed)->large[held - kLargeOwner].bytes;
}

}  // namespace

bool release_slowly(void* block) {
  const std::uint64_t granule = granule_of(block);
  if (granule >= g_region.granules.load(std::memory_order_acquire)) {
    return owns(block) && report_misuse(g_statistics.bad_free, "free of an address inside a block", block);
  }
  if (g_region.owners[granule].load(std::memory_order_relaxed) >= kLargeOwner)
    return release_large(granule, block);
  return report_misuse(g_statistics.double_free, "double free", block);
}

void* allocate_slowly(std::size_t size, std::size_t alignment, std::uint64_t site) {
  ThreadState& self = t_self;
  if (self.lane == nullptr) {
    self.missed += self.depth != 0 ? 1 : 0;
    self.missed_bytes += self.depth != 0 ? size : 0;
    return nullptr;
  }
  return match(self, {.size = size == 0 ? 1 : size, .alignment = alignment, .site = site});
}

std::size_t usable_size(const void* block) {
  const std::uint64_t granule = granule_of(block);
  if (granule >= g_region.granules.load(std::memory_order_acquire)) return 0;
  const Owner held = g_region.owners[granule].load(std::memory_order_relaxed);
  return held < kLargeOwner ? std::size_t{held} * kGranule : large_bytes(granule, held);
}

bool resize_in_place(const void* block, std::size_t size, std::uint64_t site) {
  if (size > usable_size(block)) return false;
  ThreadState& self = t_self;
  if (self.cursor->site.load(std::memory_order_relaxed) != site) return true;
  count_served(self);
  place_cursor(self, self.cursor + 1);
  return true;
}

}  // namespace memo::runtime
