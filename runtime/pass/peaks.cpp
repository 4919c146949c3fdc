#include "runtime/pass/peaks.h"

#include <algorithm>

#include "runtime/pass/arena.h"
#include "runtime/platform/notice.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/serving.h"
#include "runtime/serving/statistics.h"

namespace memo::runtime {

namespace {

// A region that was not there weighs as much as so many that were: one in kRare is no reason for another.
constexpr std::uint64_t kRare = 16;
constexpr std::uint64_t kOften = 4 * kRare;

// Keeps signal handlers of the thread from taking a region or giving it back. They go to the heap meanwhile.
class InsideArena {
 public:
  explicit InsideArena(ThreadState& self) : self_(self), cursor_(self.cursor) {
    self.cursor = &kReentered;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~InsideArena() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    self_.cursor = cursor_;
  }
  InsideArena(const InsideArena&) = delete;
  InsideArena& operator=(const InsideArena&) = delete;

 private:
  ThreadState& self_;
  const HotSlot* const cursor_;
};

bool say_no_memory(const Lane& region) {
  static constinit std::atomic<bool> said{false};
  if (said.exchange(true, std::memory_order_relaxed)) return false;
  notice(
      "no memory for another peak region of %llu bytes: passes at their peak go to the heap; raise --memory-budget, or let fewer "
      "passes run at once",
      static_cast<unsigned long long>(region.bytes));
  return false;
}

// Makes the live bits of the region, which the caller holds, those of the variant. Returns false if blocks of a variant with
// other places live in it.
bool adopt(Lane& region, const Variant& variant) {
  if (!may_run_on(region, variant)) return false;
  region.variant.store(&variant, std::memory_order_relaxed);
  return true;
}

// Takes the region, unless another pass holds it, or blocks that the pass cannot have there live in it.
bool take(Lane& region, const LoadedPlan& plan, const Variant& variant, bool may_hold_blocks) {
  if (!claim_lane(region, &plan, current_thread())) return false;
  const bool fits = (may_hold_blocks || large_empty(region)) && adopt(region, variant);
  if (!fits || !(back_lane(region, Pages::kWhenTouched) || say_no_memory(region))) {
    give_lane(region);
    return false;
  }
  want_pages_again(region);
  region.live.note_held_over();
  region.ran.store(true, std::memory_order_relaxed);
  region.cold.store(false, std::memory_order_relaxed);
  return true;
}

// Takes the first region that is free, so that those behind it keep no pages as long as few passes are at their peak.
Lane* take_first(const LoadedPlan& plan, const Variant& variant, bool may_hold_blocks) {
  const std::uint32_t count = plan.peak_regions.load(std::memory_order_acquire);
  for (std::uint32_t number = 0; number < count; ++number) {
    Lane& region = g_lanes[plan.peaks[number]];
    if (take(region, plan, variant, may_hold_blocks)) return &region;
  }
  return nullptr;
}

void give_peak(Progress& progress) {
  Lane* region = progress.peak;
  progress.peak = nullptr;
  give_lane(*region);
}

}  // namespace

[[gnu::cold, gnu::noinline]] Lane* hold_peak(ThreadState& self) {
  Progress& progress = self.lane->progress;
  if (progress.peak != nullptr) return progress.peak;
  const LoadedPlan& plan = *self.lane->plan.load(std::memory_order_relaxed);
  const Variant& variant = *self.lane->variant.load(std::memory_order_relaxed);
  progress.peak = take_first(plan, variant, false);
  if (progress.peak == nullptr) progress.peak = take_first(plan, variant, true);
  if (progress.peak != nullptr) ++progress.peaks_taken;
  return progress.peak;
}

bool leave_empty_peak(ThreadState& self) {
  Progress& progress = self.lane->progress;
  if (progress.peak == nullptr) return true;
  if (!progress.peak->live.hold_nothing_new()) return false;
  give_peak(progress);
  return true;
}

void note_freed_at_peak(ThreadState& self) {
  if (self.cursor == &kReentered) return;
  const InsideArena inside(self);
  static_cast<void>(leave_empty_peak(self));
}

void leave_peak(ThreadState& self) {
  const InsideArena inside(self);
  if (self.lane->progress.peak != nullptr) give_peak(self.lane->progress);
}

void count_peaks(LoadedPlan& plan, const Progress& progress) {
  if (plan.split == kNoSplit) return;
  add(statistics().peaks_taken, progress.peaks_taken);
  const std::uint64_t missed = progress.fallback[static_cast<int>(Reason::kNoPeak)];
  std::uint64_t score = plan.short_of_peaks.load(std::memory_order_relaxed) + kRare * missed;
  if (score == 0) return;
  score -= std::min(score, progress.peaks_taken);
  const bool is_often = score >= kOften;
  const bool is_another_wanted = is_often && !end_passes_of_ended_threads();
  if (is_another_wanted && add_lane_on_demand(LaneFor::kPeaks)) add(statistics().peaks_made, 1);
  plan.short_of_peaks.store(is_often ? 0 : score, std::memory_order_relaxed);
}

}  // namespace memo::runtime
