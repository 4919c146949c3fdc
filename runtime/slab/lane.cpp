#include "runtime/slab/lane.h"

#include <algorithm>
#include <limits>

#include "runtime/formats/rounding.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/pages.h"

namespace memo::runtime {

constinit Lane g_lanes[kMaxLanes]{};

namespace {

// Touches the entries of the owners' table at which slots start, so that no pass takes their page faults.
void populate_owners(const Lane& lane, const LoadedPlan& plan) {
  for (const Variant& variant : plan.variants) {
    if (lane.use.load(std::memory_order_relaxed) == LaneFor::kWorkers && !is_for_workers(variant)) continue;
    for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot) {
      std::atomic<Owner>& owner = g_region.owners[lane.first_granule + variant.hot[slot].granule];
      owner.store(kNobody, std::memory_order_relaxed);
    }
  }
}

std::uint64_t end_of_addresses(const Lane& lane) {
  return lane.first_granule / kChunkGranules + lane.chunks;
}

// Returns the number of live cells, or `enough` where there are at least as many.
std::uint64_t live_cells(const Lane& lane, std::uint64_t enough) {
  if (!has_memory(lane)) return 0;
  const LoadedPlan& plan = *lane.plan.load(std::memory_order_relaxed);
  const std::atomic<Owner>* owners = g_region.owners + lane.first_granule;
  std::uint64_t count = 0;
  for (const CellPlace& cell : plan.cells) {
    if (owners[cell.granule].load(std::memory_order_acquire) != kNobody && ++count == enough) break;
  }
  return count;
}

// Returns the first live large slot that begins at or after this granule of the lane; nullptr if there is none.
// Live large slots do not overlap.
const LargeSlot* first_live_from(const Lane& lane, std::uint64_t granule) {
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  const LargeSlot* first = nullptr;
  for (std::uint32_t large = 0; large < variant.place_count; ++large) {
    const LargeSlot& slot = variant.large[large];
    if (slot.granule < granule || (first != nullptr && slot.granule >= first->granule)) continue;
    if (lane.live.is_live(large)) first = &slot;
  }
  return first;
}

std::uint64_t end_of_cells(const Lane& lane) {
  return lane.plan.load(std::memory_order_relaxed)->large_start / kGranule;
}

// Calls visit(begin, end) for the granules from `at` on between the live large blocks, until one call returns false. No cell
// lives from there on.
template <typename Visitor>
void for_each_idle_part(const Lane& lane, std::uint64_t at, Visitor visit) {
  while (const LargeSlot* live = first_live_from(lane, at)) {
    if (!visit(at, std::uint64_t{live->granule})) return;
    at = live->granule + live->bytes / kGranule;
  }
  visit(at, slab_reach(lane.bytes) / kGranule);
}

// Calls visit(begin, end) for the granules between the live cells. Returns where the last of them ends.
template <typename Visitor>
std::uint64_t for_each_idle_part_before_cells(const Lane& lane, Visitor visit) {
  const std::atomic<Owner>* owners = g_region.owners + lane.first_granule;
  const std::uint64_t end = end_of_cells(lane);
  std::uint64_t idle = 0;
  for (std::uint64_t at = 0; at < end;) {
    const Owner held = owners[at].load(std::memory_order_acquire);
    if (held == kNobody) {
      ++at;
      continue;
    }
    visit(idle, at);
    at += held;
    idle = at;
  }
  return idle;
}

// Returns true if the lane was given all its pages before the first pass.
bool has_all_its_pages(const Lane& lane) {
  return lane.plan.load(std::memory_order_relaxed)->lanes_asked != 0;
}

bool take_memory(Lane& lane, Pages pages) {
  if (!use_chunks(end_of_addresses(lane))) return false;
  place_lane(lane, node_here());
  return back_with_memory(lane.first_granule, lane.bytes, pages);
}

// Gives back the pages that hold no live block. Returns how many bytes of memory that were.
std::uint64_t let_idle_parts_go(const Lane& lane) {
  std::uint64_t bytes = 0;
  const auto let_go = [&](std::uint64_t begin, std::uint64_t end) {
    bytes += let_pages_go(lane.first_granule + begin, (end - begin) * kGranule);
    return true;
  };
  for_each_idle_part(lane, for_each_idle_part_before_cells(lane, let_go), let_go);
  return bytes;
}

}  // namespace

bool large_empty(const Lane& lane) {
  return lane.live.count() == 0;
}

bool lane_empty(const Lane& lane) {
  return large_empty(lane) && live_cells(lane, 1) == 0;
}

std::uint64_t live_blocks(const Lane& lane) {
  return lane.live.count() + live_cells(lane, std::numeric_limits<std::uint64_t>::max());
}

std::uint64_t let_idle_pages_go(Lane& lane) {
  const std::uint64_t bytes = let_idle_parts_go(lane);
  if (lane_empty(lane)) return bytes + let_owners_go(lane.first_granule, lane.bytes);
  keep_pages_few(lane);
  return bytes;
}

void let_idle_pages_go_once(Lane& lane) {
  if (!lane.thinned) let_idle_pages_go(lane);
  lane.thinned = true;
}

void keep_pages_few(Lane& lane) {
  keep_small_pages(lane.first_granule, lane.bytes);
  lane.keeps_small_pages = true;
}

std::uint64_t move_idle_chunks(const Lane& from, const Lane& to) {
  std::uint64_t moved = 0;
  const std::uint64_t height = std::min(from.bytes, to.bytes) / kGranule;
  for_each_idle_part(from, end_of_cells(from), [&](std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t last = std::min(end, height) / kChunkGranules;
    for (std::uint64_t chunk = round_up(begin, kChunkGranules) / kChunkGranules; chunk < last; ++chunk) {
      const std::uint64_t at = chunk * kChunkGranules;
      const Moved how =
          move_pages(g_region.at(from.first_granule + at), g_region.at(to.first_granule + at), kChunkBytes);
      if (how != Moved::kAll) return moved = how == Moved::kLost ? kLaneIsLost : moved, false;
      moved += kChunkBytes;
    }
    return true;
  });
  return moved;
}

void abandon_lane(Lane& lane) {
  const LaneWord held{lane.word.load(std::memory_order_relaxed)};
  lane.word.store(held.busy(0).bits, std::memory_order_release);
}

void place_lane(Lane& lane, Node node) {
  lane.node.store(node, std::memory_order_relaxed);
  if (node != kNoNode)
    static_cast<void>(prefer_node_for(lane.first_granule, lane.chunks, node, PagesThere::kStay));
}

void bring_lane_to(Lane& lane, Node node) {
  const bool cold = lane.cold.load(std::memory_order_relaxed);
  const PagesThere there = cold ? PagesThere::kStay : PagesThere::kMove;
  const bool placed = prefer_node_for(lane.first_granule, lane.chunks, node, there);
  if (placed || cold || !has_all_its_pages(lane)) lane.node.store(node, std::memory_order_relaxed);
}

bool back_lane(Lane& lane, Pages pages) {
  if (has_memory(lane)) return true;
  const std::int64_t now = coarse_nanoseconds_now();
  if (now < lane.refused_until) return false;
  if (!take_memory(lane, pages)) {
    lane.refused_until = now + kSecond;
    return false;
  }
  populate_owners(lane, *lane.plan.load(std::memory_order_relaxed));
  lane.memory.store(LaneMemory::kUnused, std::memory_order_relaxed);
  return true;
}

bool heighten_lane(Lane& lane, LoadedPlan& plan, std::uint64_t bytes, Pages pages) {
  if (slab_chunks(bytes) > lane.chunks) return false;
  if (bytes > lane.bytes) {
    if (!extend_memory(lane.first_granule, lane.bytes, bytes, pages)) return false;
    lane.bytes = bytes;
  }
  populate_owners(lane, plan);
  return true;
}

bool claim_lane(Lane& lane, const LoadedPlan* plan, ThreadName thread) {
  LaneWord seen{lane.word.load(std::memory_order_relaxed)};
  if (seen.state() != LaneState::kIdle || lane.plan.load(std::memory_order_relaxed) != plan) return false;
  if (!lane.word.compare_exchange_strong(seen.bits, seen.busy(thread).bits, std::memory_order_acquire)) {
    return false;
  }
  if (lane.plan.load(std::memory_order_relaxed) == plan) return true;
  give_lane(lane);
  return false;
}

void give_lane(Lane& lane) {
  const LaneWord held{lane.word.load(std::memory_order_relaxed)};
  lane.word.store(held.in(LaneState::kIdle).bits, std::memory_order_release);
}

void vacate_lane(Lane& lane) {
  const LaneWord held{lane.word.load(std::memory_order_relaxed)};
  lane.plan.store(nullptr, std::memory_order_relaxed);
  lane.word.store(held.in(LaneState::kVacant).bits, std::memory_order_release);
}

bool take_from_ended_thread(Lane& lane, ThreadName thread) {
  LaneWord seen{lane.word.load(std::memory_order_acquire)};
  if (seen.state() != LaneState::kBusy || !has_ended(seen.thread(), thread)) return false;
  return lane.word.compare_exchange_strong(seen.bits, seen.busy(thread).bits);
}

// Leaves the lanes of threads without a known name as they are: each may be the survivor's or another thread's.
void keep_own_lanes(const Lane* running, ThreadName before, ThreadName now) {
  for (Lane& lane : g_lanes) {
    LaneWord seen{lane.word.load(std::memory_order_acquire)};
    if (seen.state() != LaneState::kBusy || generation_of(seen.thread()) == generation_of(now)) continue;
    const bool own = &lane == running || seen.thread() == before;
    if (!own && number_of(seen.thread()) == 0) continue;
    const LaneWord kept = own ? seen.busy(now) : seen.in(LaneState::kIdle);
    lane.word.compare_exchange_strong(seen.bits, kept.bits, std::memory_order_acq_rel);
  }
}

}  // namespace memo::runtime
