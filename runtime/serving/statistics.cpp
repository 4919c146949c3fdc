#include "runtime/serving/statistics.h"

#include <cstdio>
#include <cstring>

#include "runtime/plan/anchors.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/nodes.h"
#include "runtime/platform/own_memory.h"
#include "runtime/serving/live_page.h"
#include "runtime/serving/serving.h"
#include "runtime/serving/statistics_text.h"
#include "runtime/slab/accounts.h"
#include "runtime/slab/region.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

constinit std::atomic<const char*> g_state{kStateServing};

namespace {

static_assert(kOwnUses == kOwnCount);

// Returns the mode's state, or the state of serving where the mode serves: no pass has begun yet, or serving
// stands aside for every kind of pass.
const char* state_now(const AsideFigures& aside) {
  const char* state = g_state.load(std::memory_order_relaxed);
  if (std::strcmp(state, kStateServing) != 0) return state;
  if (passes_are_absent()) return kStateAwaiting;
  return aside.kinds != 0 && aside.kinds == aside.of_kinds ? kStateAside : state;
}

void take_over(const ServingFigures& serving, LiveGauges& gauges) {
  gauges.slab_bytes = serving.slab_bytes;
  gauges.lanes = serving.lanes;
  gauges.lanes_used = serving.used;
  gauges.worker_lanes = serving.worker_lanes;
  gauges.peak_regions = serving.peak_regions;
  gauges.peak_bytes = serving.peak_bytes;
  gauges.pinned = serving.pinned;
  gauges.plan_hash = serving.plan_hash;
  gauges.warm_up = serving.warm_up;
  std::memcpy(gauges.plan, serving.plan, sizeof gauges.plan);
}

// Measures what the library maps for itself. The slab's index is the owners' table: one entry for each granule
// of the slab.
void measure_own(LiveGauges& gauges) {
  gauges.slab_index = gauges.slab_bytes / kGranule * sizeof(Owner);
  for (std::uint32_t use = 0; use < kOwnUses; ++use) gauges.own[use] = own_bytes(static_cast<Own>(use));
}

std::uint64_t running_fallback(const ThreadState& self, std::uint32_t reason) {
  if (self.lane != nullptr) return self.lane->progress.fallback[reason];
  return self.depth != 0 && reason == static_cast<std::uint32_t>(self.why) ? self.missed : 0;
}

// Adds what the calling thread's pass has done so far.
void add_running(PassFigures& sum, const ThreadState& self) {
  sum.served += self.served;
  sum.served_bytes += self.served_bytes;
  sum.fallback_bytes += self.missed_bytes;
  for (std::uint32_t reason = 0; reason < kReasonCount; ++reason) {
    const std::uint64_t more = running_fallback(self, reason);
    sum.fallback[reason] += more;
    sum.missed += more;
  }
  if (self.lane == nullptr) return;
  sum.fallback_bytes += self.lane->progress.fallback_bytes;
  sum.kept_bytes += self.lane->progress.kept_bytes;
}

PassFigures look_at_workers() {
  PassFigures sum = sum_up(statistics().workers);
  if (t_self.is_worker) add_running(sum, t_self);
  return sum;
}

// Leaves the heap's figures at 0 where `heap` is null.
LiveGauges gauges_of(const ServingFigures& serving, const HeapFigures* heap) {
  LiveGauges gauges{};
  gauges.written = static_cast<std::uint64_t>(nanoseconds_since_1970());
  take_over(serving, gauges);
  measure_own(gauges);
  const AsideFigures aside = look_at_accounts();
  gauges.aside_passes = aside.passes;
  gauges.aside_kinds = aside.kinds;
  gauges.of_kinds = aside.of_kinds;
  gauges.refused_placements = refused_placements();
  std::snprintf(gauges.state, sizeof gauges.state, "%s", state_now(aside));
  gauges.has_heap = heap != nullptr ? 1 : 0;
  gauges.heap_allocated = heap != nullptr ? heap->allocated : 0;
  gauges.heap_resident = heap != nullptr ? heap->resident : 0;
  return gauges;
}

}  // namespace

Statistics& statistics() {
  return live_page().counters;
}

void count_release(std::uint64_t slab_bytes, std::uint64_t heap_bytes) {
  Statistics& counters = statistics();
  add(counters.releases, slab_bytes + heap_bytes != 0 ? 1 : 0);
  add(counters.released_lane_bytes, slab_bytes);
  add(counters.released_heap_bytes, heap_bytes);
}

void set_state(const char* state) {
  g_state.store(state, std::memory_order_relaxed);
}

PassFigures sum_up(const PassCounters& counters) {
  PassFigures sum{.passes = counters.passes,
                  .served = counters.served,
                  .served_bytes = counters.served_bytes,
                  .fallback = {},
                  .fallback_bytes = counters.fallback_bytes,
                  .kept_bytes = counters.kept_bytes,
                  .missed = 0};
  for (std::uint32_t reason = 0; reason < kReasonCount; ++reason) {
    sum.fallback[reason] = counters.fallback[reason];
    sum.missed += sum.fallback[reason];
  }
  return sum;
}

PassFigures look_at_passes() {
  ThreadState& self = t_self;
  count_served(self);
  PassFigures sum = sum_up(statistics());
  if (self.depth != 0 && !self.is_worker) add_running(sum, self);
  return sum;
}

bool measure_without_waiting(const HeapFigures& heap, LiveGauges* gauges) {
  ServingFigures serving;
  if (!look_at_serving_without_waiting(&serving)) return false;
  *gauges = gauges_of(serving, &heap);
  return true;
}

std::size_t statistics_json(char* out, std::size_t capacity, const HeapFigures* heap) {
  ServingFigures serving;
  look_at_serving(&serving);
  const LiveGauges gauges = gauges_of(serving, heap);
  const PassFigures own = look_at_passes();
  const PassFigures workers = look_at_workers();
  return print_statistics(out, capacity, live_page().process, gauges, statistics(), own, workers);
}

std::size_t statistics_json(const LivePage& page, char* out, std::size_t capacity) {
  return print_statistics(out, capacity, page.process, page.gauges, page.counters, sum_up(page.counters),
                          sum_up(page.counters.workers));
}

}  // namespace memo::runtime
