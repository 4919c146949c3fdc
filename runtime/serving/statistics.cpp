#include "runtime/serving/statistics.h"

#include <cstdio>
#include <cstring>

#include "runtime/plan/anchors.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/nodes.h"
#include "runtime/platform/own_memory.h"
#include "runtime/serving/figures.h"
#include "runtime/serving/live_page.h"
#include "runtime/serving/pass_memory.h"
#include "runtime/serving/statistics_text.h"
#include "runtime/slab/region.h"
#include "runtime/slab/thread_state.h"
#include "runtime/worth/worth.h"

namespace memo::runtime {

constinit std::atomic<const char*> g_state{kStateServing};

namespace {

static_assert(kOwnUses == kOwnCount);

// Returns the mode's state, or the state of serving where the mode serves: no pass has begun yet, or serving
// stands aside for every kind of pass.
const char* state_now(const WorthFigures& worth) {
  const char* state = g_state.load(std::memory_order_relaxed);
  if (std::strcmp(state, kStateServing) != 0) return state;
  if (passes_are_absent()) return kStateAwaiting;
  return worth.aside_kinds != 0 && worth.aside_kinds == worth.of_kinds ? kStateAside : state;
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
  sum.searched += self.lane->progress.searched;
}

// Returns true if the thread is in a pass that will be counted at its end, and not apart.
bool is_in_counted_pass(const ThreadState& self) {
  return self.depth != 0 && !self.passes_by && self.why != Reason::kCompared;
}

PassFigures look_at_workers() {
  PassFigures sum = sum_up(statistics().workers);
  if (t_self.is_worker) add_running(sum, t_self);
  return sum;
}

// Adds to what the gauges say of lanes and plan. Leaves the heap's figures at 0 where `heap` is null.
void measure_the_rest(LiveGauges& gauges, const HeapFigures* heap) {
  gauges.written = static_cast<std::uint64_t>(nanoseconds_since_1970());
  measure_own(gauges);
  gauges.most_of_a_pass = most_of_a_pass();
  const WorthFigures worth = look_at_worth();
  gauges.aside_passes = worth.aside_passes;
  gauges.aside_kinds = worth.aside_kinds;
  gauges.of_kinds = worth.of_kinds;
  gauges.worth = worth.worth;
  gauges.refused_placements = refused_placements();
  std::snprintf(gauges.state, sizeof gauges.state, "%s", state_now(worth));
  if (heap == nullptr) return;
  gauges.has_heap = 1;
  gauges.heap_allocated = heap->allocated;
  gauges.heap_resident = heap->resident;
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
                  .searched = counters.searched,
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
  if (is_in_counted_pass(self) && !self.is_worker) add_running(sum, self);
  return sum;
}

bool measure_without_waiting(const HeapFigures& heap, LiveGauges* gauges) {
  if (!look_at_serving_without_waiting(gauges)) return false;
  measure_the_rest(*gauges, &heap);
  return true;
}

std::size_t statistics_json(char* out, std::size_t capacity, const HeapFigures* heap) {
  LiveGauges gauges;
  look_at_serving(&gauges);
  measure_the_rest(gauges, heap);
  const PassFigures own = look_at_passes();
  const PassFigures workers = look_at_workers();
  return print_statistics(out, capacity, live_page().process, gauges, statistics(), own, workers);
}

std::size_t statistics_json(const LivePage& page, char* out, std::size_t capacity) {
  return print_statistics(out, capacity, page.process, page.gauges, page.counters, sum_up(page.counters),
                          sum_up(page.counters.workers));
}

}  // namespace memo::runtime
