// Places for large slots whose sizes have changed.
#include <algorithm>

#include "runtime/formats/place_runs.h"
#include "runtime/formats/rounding.h"
#include "runtime/plan/variant_builder.h"

namespace memo::runtime {
namespace {

bool live_together(const SlotLife& a, const SlotLife& b) {
  return a.begin < b.end && b.begin < a.end;
}

std::uint64_t step_of(const PlanSlot& slot) {
  return std::max<std::uint64_t>(slot.alignment, kGranule);
}

std::uint32_t granules_of(const PlanSlot& slot) {
  return static_cast<std::uint32_t>(whole_granules(slot.size) / kGranule);
}

// Sums and tops at each time at which the life of a large slot begins: two slots that live at the same time both live at
// the later of their beginnings.
class Times {
 public:
  explicit Times(const Builder& to) : ranks_(to.large_of), heights_(to.heights), slots_(to.plan.slot_count) {
    std::fill_n(ranks_, slots_, 0);
    for (std::uint32_t large = 0; large < to.variant.large_count; ++large)
      ranks_[to.anew[large].life.begin] = 1;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
      const bool begins = ranks_[slot] != 0;
      ranks_[slot] = static_cast<std::uint16_t>(beginnings_);
      beginnings_ += begins ? 1 : 0;
    }
  }

  void level(std::uint64_t granules) { std::fill_n(heights_, beginnings_, granules); }

  // Returns the greatest height during the life.
  [[nodiscard]] std::uint64_t highest(const SlotLife& life) const {
    std::uint64_t top = 0;
    for (std::uint32_t at = rank(life.begin); at < rank(life.end); ++at) top = std::max(top, heights_[at]);
    return top;
  }
  [[nodiscard]] std::uint64_t highest() const { return highest({.begin = 0, .end = slots_}); }

  void raise_to(const SlotLife& life, std::uint64_t top) {
    for (std::uint32_t at = rank(life.begin); at < rank(life.end); ++at) heights_[at] = top;
  }
  void add(const SlotLife& life, std::uint64_t granules) {
    for (std::uint32_t at = rank(life.begin); at < rank(life.end); ++at) heights_[at] += granules;
  }

 private:
  // Returns how many beginnings come before this time.
  [[nodiscard]] std::uint32_t rank(std::uint32_t time) const {
    return time < slots_ ? ranks_[time] : beginnings_;
  }

  std::uint16_t* ranks_;    // for each slot
  std::uint64_t* heights_;  // for each beginning, in granules
  std::uint32_t slots_;
  std::uint32_t beginnings_ = 0;
};

// Places each slot on top of those that were planned below it and live at the same time: the order that the planner found
// good. Returns false if the variant is higher than a plan can be.
bool drop_in_planned_order(Builder& to, Times& times, std::uint64_t ground) {
  const PlanSlot* slots = to.variant.slots;
  const std::span<PlacedAnew> order(to.anew, to.variant.large_count);
  std::sort(order.begin(), order.end(), [slots](const PlacedAnew& a, const PlacedAnew& b) {
    return slots[a.slot].place != slots[b.slot].place ? slots[a.slot].place < slots[b.slot].place
                                                      : a.slot < b.slot;
  });
  times.level(ground);
  for (PlacedAnew& block : order) {
    const PlanSlot& slot = slots[block.slot];
    // A life that no time belongs to, as a damaged file may have it, must not put the slot among the cells either.
    const std::uint64_t top = std::max(times.highest(block.life), ground);
    const std::uint64_t place = round_up(top * kGranule, step_of(slot));
    if (place + slot.size > kMaxPlanHeight) return false;
    block.granule = static_cast<std::uint32_t>(place / kGranule);
    block.end = block.granule + granules_of(slot);
    times.raise_to(block.life, block.end);
  }
  return true;
}

std::uint64_t granules_of(const PlacedAnew& block) {
  return block.end - block.granule;
}

// Returns the lowest place for the block beside those in `below`, which are sorted by place.
std::uint64_t lowest_gap(std::span<const PlacedAnew> below, const PlacedAnew& block, std::uint64_t step,
                         std::uint64_t ground) {
  const std::uint64_t granules = granules_of(block);
  std::uint64_t place = round_up(ground * kGranule, step) / kGranule;
  for (const PlacedAnew& other : below) {
    if (!live_together(other.life, block.life)) continue;
    if (place + granules <= other.granule) break;
    place = std::max(place, round_up(std::uint64_t{other.end} * kGranule, step) / kGranule);
  }
  return place;
}

std::uint64_t length_of(const SlotLife& life) {
  return life.end - life.begin;
}

// Places each slot into the lowest gap that it fits, those that live longest first. Returns false where it becomes no lower
// than `height`. Takes quadratic time: 1,000 slots in half a millisecond.
bool fill_gaps(Builder& to, std::uint64_t ground, std::uint64_t height) {
  const std::span<PlacedAnew> all(to.anew, to.variant.large_count);
  std::sort(all.begin(), all.end(), [](const PlacedAnew& a, const PlacedAnew& b) {
    if (length_of(a.life) != length_of(b.life)) return length_of(a.life) > length_of(b.life);
    return granules_of(a) != granules_of(b) ? granules_of(a) > granules_of(b) : a.slot < b.slot;
  });
  for (std::size_t at = 0; at < all.size(); ++at) {
    PlacedAnew block = all[at];
    const std::span<PlacedAnew> below = all.first(at);
    const std::uint64_t place = lowest_gap(below, block, step_of(to.variant.slots[block.slot]), ground);
    const std::uint64_t end = place + granules_of(block);
    if (end >= height) return false;
    block.granule = static_cast<std::uint32_t>(place);
    block.end = static_cast<std::uint32_t>(end);
    const auto after = std::upper_bound(
        below.begin(), below.end(), block.granule,
        [](std::uint32_t granule, const PlacedAnew& other) { return granule < other.granule; });
    std::copy_backward(after, below.end(), below.end() + 1);
    *after = block;
  }
  return true;
}

void take_places(Builder& to) {
  for (const PlacedAnew& block : std::span(to.anew, to.variant.large_count))
    to.variant.hot[block.slot].granule = block.granule;
  std::uint32_t granule = 0;
  for_large_slots(slots_of(to), [&](std::uint32_t slot, bool goes_on) {
    HotSlot& hot = to.variant.hot[slot];
    if (goes_on) hot.granule = granule;
    granule = hot.granule;
  });
}

// A run lives from where its first slot does to where its last one ends: no other large slot is between them.
void collect_blocks(Builder& to) {
  PlacedAnew* end = to.anew;
  for_large_slots(slots_of(to), [&](std::uint32_t slot, bool goes_on) {
    const SlotLife life = slot_life(to.variant.loops, slot, to.variant.slots[slot].freed_at);
    if (!goes_on) {
      *end++ = {.life = life, .slot = slot, .granule = 0, .end = 0};
      return;
    }
    SlotLife& of_run = (end - 1)->life;
    of_run = {.begin = std::min(of_run.begin, life.begin), .end = std::max(of_run.end, life.end)};
  });
}

// Returns the most granules that are live at once: no layout is lower.
std::uint64_t most_live(const Builder& to, Times& times, std::uint64_t ground) {
  times.level(ground);
  for (const PlacedAnew& block : std::span(to.anew, to.variant.large_count))
    times.add(block.life, granules_of(to.variant.slots[block.slot]));
  return times.highest();
}

}  // namespace

// Drops the slots in the planned order. Where that leaves holes, it tries another way.
bool place_anew(Builder& to, std::uint64_t large_start) {
  constexpr std::uint64_t kGoodEnough = 64;  // 1/64 above the least
  const std::uint64_t ground = large_start / kGranule;
  collect_blocks(to);
  Times times(to);
  const std::uint64_t least = most_live(to, times, ground);
  to.variant.least = least * kGranule;
  if (!drop_in_planned_order(to, times, ground)) return false;
  take_places(to);
  const std::uint64_t height = times.highest();
  if (height > least + least / kGoodEnough && fill_gaps(to, ground, height)) take_places(to);
  return true;
}

}  // namespace memo::runtime
