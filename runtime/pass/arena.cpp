#include "runtime/pass/arena.h"

#include "runtime/pass/search.h"
#include "runtime/pass/workers.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/notice.h"
#include "runtime/serving/statistics.h"

namespace memo::runtime {

constinit const HotSlot kNoPass{.site = kNoSite, .granule = 0, .bytes = 0};
constinit const HotSlot kReentered{.site = kNoSite, .granule = 0, .bytes = 0};
constinit thread_local ThreadState t_self{};

namespace {

// Counts every misuse and says only the first: a program that frees twice tends to do it often.
bool report_misuse(std::atomic<std::uint64_t>& counter, const char* what, const void* block) {
  if (counter.fetch_add(1, std::memory_order_relaxed) == 0) notice("%s at %p is ignored", what, block);
  return true;
}

Lane& lane_of(std::uint64_t granule) {
  return g_lanes[g_region.lane_of_chunk[granule / kChunkGranules].load(std::memory_order_relaxed)];
}

std::size_t large_bytes(std::uint64_t granule, Owner held) {
  return lane_of(granule).variant.load(std::memory_order_relaxed)->large[held - kLargeOwner].bytes;
}

// Frees a large block from another thread or lane. Any number of threads may free a block at once; the first
// does so rightly, the others are double frees.
bool release_from_elsewhere(Lane& lane, std::atomic<Owner>& owner, void* block) {
  const Owner held = owner.exchange(kNobody, std::memory_order_relaxed);
  if (held < kLargeOwner) return report_misuse(statistics().double_free, "double free", block);
  checker::take_back(block, large_bytes(granule_of(block), held));
  lane.live.give_back(held - kLargeOwner);
  return true;
}

// Takes the expected slot if it is a large one, meant for this caller, large enough and free.
[[gnu::always_inline]] inline void* take_expected_large(ThreadState& self, std::size_t size,
                                                        std::size_t alignment, std::uint64_t site) {
  const HotSlot* slot = self.cursor;
  if (slot->site.load(std::memory_order_relaxed) != site || slot->bytes != 0) return nullptr;
  Lane& lane = *self.lane;
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  const std::uint32_t number = variant.large_of[slot - variant.hot];
  const LargeSlot& large = variant.large[number];
  char* block = self.base + std::uint64_t{slot->granule} * kGranule;
  if (size - 1 >= large.bytes || !is_aligned(block, alignment)) return nullptr;
  self.cursor = &kReentered;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool free = lane.live.allow(large);
  if (free) {
    lane.live.take(number);
    self.owners[slot->granule].store(static_cast<Owner>(kLargeOwner + number), std::memory_order_relaxed);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  self.cursor = slot + (free ? 1 : 0);
  if (!free) return nullptr;
  self.served_bytes += size;
  checker::hand_out(block, large.bytes);
  return block;
}

// Counts an allocation in a pass without a lane. Cold, or the compiler would add with vectors and align t_self for
// them, which costs static TLS.
[[gnu::cold, gnu::noinline]] void* count_missed(ThreadState& self, std::size_t size) {
  const bool counts = self.depth != 0 && !self.passes_by;
  self.missed += counts ? 1 : 0;
  self.missed_bytes += counts ? size : 0;
  return nullptr;
}

void* allocate_by_search(ThreadState& self, std::size_t size, std::size_t alignment, std::uint64_t site) {
  if (self.lane == nullptr) return count_missed(self, size);
  return search(self, {.size = size == 0 ? 1 : size, .alignment = alignment, .site = site});
}

// A signal handler that interrupted the arena opens and ends nothing. Inlined, since every miss asks this.
[[gnu::always_inline]] inline Boundary boundary_of(const ThreadState& self, std::size_t size,
                                                   std::uint64_t site) {
  using Kind = Boundary::Kind;
  if (!anchors_open_passes()) return {worker_moves_on(site) ? Kind::kMovesOn : Kind::kIsNone, 0};
  if (self.cursor == &kReentered) return {};
  const Anchor* anchor = find_anchor(site, size);
  if (anchor != nullptr) return {Kind::kOpens, static_cast<std::uint8_t>(anchor - g_anchors.rows)};
  return {pass_is_used_up(site) ? Kind::kEnds : Kind::kIsNone, 0};
}

}  // namespace

// Clears the owner before the live bit: as soon as the bit is clear, another block may begin at this granule.
bool release_large(void* block) {
  const std::uint64_t granule = granule_of(block);
  if (granule >= g_region.granules.load(std::memory_order_acquire)) return false;
  std::atomic<Owner>& owner = g_region.owners[granule];
  const Owner held = owner.load(std::memory_order_relaxed);
  if (held < kLargeOwner) return false;
  Lane& lane = lane_of(granule);
  if (&lane != t_self.lane) return release_from_elsewhere(lane, owner, block);
  checker::take_back(block, large_bytes(granule, held));
  owner.store(kNobody, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  lane.live.release(held - kLargeOwner);
  return true;
}

bool release_slowly(void* block) {
  if (granule_of(block) < g_region.granules.load(std::memory_order_acquire))
    return report_misuse(statistics().double_free, "double free", block);
  return owns(block) && report_misuse(statistics().bad_free, "free of an address inside a block", block);
}

Answer answer(std::size_t size, std::size_t alignment, std::uint64_t site) {
  ThreadState& self = t_self;
  void* block = take_expected_large(self, size, alignment, site);
  if (block != nullptr) return {block, {}};
  const Boundary boundary = boundary_of(self, size, site);
  if (boundary.kind != Boundary::Kind::kIsNone) [[unlikely]]
    return {nullptr, boundary};
  return {allocate_by_search(self, size, alignment, site), {}};
}

Boundary boundary_at(std::size_t size, std::uint64_t site) {
  return boundary_of(t_self, size, site);
}

void* allocate_unexpected(std::size_t size, std::size_t alignment, std::uint64_t site) {
  ThreadState& self = t_self;
  void* block = take_expected_large(self, size, alignment, site);
  return block != nullptr ? block : allocate_by_search(self, size, alignment, site);
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
