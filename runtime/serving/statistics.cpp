#include "runtime/serving/statistics.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "runtime/plan/anchors.h"
#include "runtime/platform/own_memory.h"
#include "runtime/serving/serving.h"
#include "runtime/slab/accounts.h"
#include "runtime/slab/region.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

constinit Statistics g_statistics{};
constinit std::atomic<const char*> g_state{"serving"};

namespace {

constexpr const char* kReasonNames[kReasonCount] = {"no_plan",   "no_lane",   "unknown_site", "unexpected",
                                                    "too_big",   "alignment", "occupied",     "gave_up",
                                                    "reentered", "unplanned"};

class Json {
 public:
  Json(char* out, std::size_t capacity) : out_(out), capacity_(capacity) {}

  __attribute__((format(printf, 2, 3))) void print(const char* format, ...) {
    const std::size_t room = length_ < capacity_ ? capacity_ - length_ : 0;
    va_list arguments;
    va_start(arguments, format);
    const int bytes = std::vsnprintf(room != 0 ? out_ + length_ : nullptr, room, format, arguments);
    va_end(arguments);
    length_ += static_cast<std::size_t>(bytes);
  }
  [[nodiscard]] std::size_t length() const { return length_; }

 private:
  char* out_;
  std::size_t capacity_;
  std::size_t length_ = 0;
};

unsigned long long plain(std::uint64_t value) {
  return value;
}

void print_text(Json& json, const char* text) {
  json.print("\"");
  for (; *text != '\0'; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    if (byte == '"' || byte == '\\' || byte < 0x20) {
      json.print("\\u%04x", byte);
    } else {
      json.print("%c", *text);
    }
  }
  json.print("\"");
}

// Returns the mode's state, or "awaiting passes" where it serves but no pass has begun yet.
const char* state_now() {
  const char* state = g_state.load(std::memory_order_relaxed);
  return passes_are_absent() && std::strcmp(state, "serving") == 0 ? "awaiting passes" : state;
}

std::uint64_t running_fallback(const ThreadState& self, std::uint32_t reason) {
  if (self.lane != nullptr) return self.lane->progress.fallback[reason];
  return self.depth != 0 && reason == static_cast<std::uint32_t>(self.why) ? self.missed : 0;
}

// Returns the sums, with what the calling thread's pass has done so far if `with_running`.
PassFigures counted(const PassCounters& counters, const ThreadState& self, bool with_running) {
  PassFigures sum{.passes = counters.passes,
                  .served = counters.served + (with_running ? self.served : 0),
                  .served_bytes = counters.served_bytes + (with_running ? self.served_bytes : 0),
                  .fallback = {},
                  .fallback_bytes = counters.fallback_bytes + (with_running ? self.missed_bytes : 0),
                  .missed = 0};
  for (std::uint32_t reason = 0; reason < kReasonCount; ++reason) {
    sum.fallback[reason] = counters.fallback[reason] + (with_running ? running_fallback(self, reason) : 0);
    sum.missed += sum.fallback[reason];
  }
  if (with_running && self.lane != nullptr) sum.fallback_bytes += self.lane->progress.fallback_bytes;
  return sum;
}

void print_passes(Json& json, const PassFigures& own) {
  json.print("{\"passes\":%llu,\"served\":%llu,\"fallback\":{", plain(own.passes), plain(own.served));
  for (std::uint32_t reason = 0; reason < kReasonCount; ++reason) {
    json.print("%s\"%s\":%llu", reason == 0 ? "" : ",", kReasonNames[reason], plain(own.fallback[reason]));
  }
  json.print("},\"served_bytes\":%llu,\"fallback_bytes\":%llu", plain(own.served_bytes),
             plain(own.fallback_bytes));
}

void print_workers(Json& json, const PassFigures& workers, std::uint64_t lanes) {
  json.print(",\"worker_passes\":%llu,\"worker_served\":%llu,\"worker_served_bytes\":%llu",
             plain(workers.passes), plain(workers.served), plain(workers.served_bytes));
  json.print(",\"worker_fallback\":%llu,\"worker_fallback_bytes\":%llu,\"worker_lanes\":%llu",
             plain(workers.missed), plain(workers.fallback_bytes), plain(lanes));
}

// Prints the mode's state, or "standing aside" where it serves but stands aside for every kind of pass.
void print_state(Json& json) {
  const AsideFigures aside = look_at_accounts();
  const char* state = state_now();
  const bool all_aside = aside.kinds != 0 && aside.kinds == aside.of_kinds;
  if (all_aside && std::strcmp(state, "serving") == 0) state = "standing aside";
  json.print(",\"state\":\"%s\",\"recordings\":%llu", state, plain(g_statistics.recordings));
  json.print(",\"aside\":{\"passes\":%llu,\"kinds\":%llu,\"of_kinds\":%llu}", plain(aside.passes),
             plain(aside.kinds), plain(aside.of_kinds));
}

// Prints what the library maps for itself. The slab's index is the owners' table: one entry for each granule of
// the slab.
void print_own(Json& json, std::uint64_t slab_bytes) {
  json.print(",\"own\":{\"plans\":%llu,\"slab_index\":%llu", plain(own_bytes(Own::kPlans)),
             plain(slab_bytes / kGranule * sizeof(Owner)));
  json.print(",\"threads\":%llu,\"hooks\":%llu,\"recorder\":%llu}", plain(own_bytes(Own::kThreads)),
             plain(own_bytes(Own::kHooks)), plain(own_bytes(Own::kTable)));
}

void forget(PassCounters& counters) {
  for (std::atomic<std::uint64_t>* counter :
       {&counters.passes, &counters.served, &counters.served_bytes, &counters.fallback_bytes}) {
    counter->store(0, std::memory_order_relaxed);
  }
  for (std::atomic<std::uint64_t>& counter : counters.fallback) counter.store(0, std::memory_order_relaxed);
}

}  // namespace

void set_state(const char* state) {
  g_state.store(state, std::memory_order_relaxed);
}

void forget_statistics() {
  forget_aside_passes();
  forget(g_statistics);
  forget(g_statistics.workers);
  for (std::atomic<std::uint64_t>* counter :
       {&g_statistics.double_free, &g_statistics.bad_free, &g_statistics.abandoned,
        &g_statistics.plans_loaded, &g_statistics.plans_refused, &g_statistics.plans_grown,
        &g_statistics.recordings}) {
    counter->store(0, std::memory_order_relaxed);
  }
}

PassFigures look_at_passes() {
  ThreadState& self = t_self;
  count_served(self);
  return counted(g_statistics, self, self.depth != 0 && !self.is_worker);
}

const char* reason_name(std::uint32_t reason) {
  return kReasonNames[reason];
}

std::size_t statistics_json(char* out, std::size_t capacity, const HeapFigures* heap) {
  Json json(out, capacity);
  ServingFigures serving;
  look_at_serving(&serving);
  const ThreadState& self = t_self;
  print_passes(json, look_at_passes());
  json.print(",\"slab_bytes\":%llu,\"lanes\":%llu,\"lanes_used\":%llu,\"pinned\":%llu",
             plain(serving.slab_bytes), plain(serving.lanes), plain(serving.used), plain(serving.pinned));
  print_workers(json, counted(g_statistics.workers, self, self.is_worker), serving.worker_lanes);
  json.print(",\"double_free\":%llu,\"bad_free\":%llu,\"abandoned\":%llu", plain(g_statistics.double_free),
             plain(g_statistics.bad_free), plain(g_statistics.abandoned));
  json.print(",\"plans_loaded\":%llu,\"plans_refused\":%llu,\"plans_grown\":%llu,\"plan\":",
             plain(g_statistics.plans_loaded), plain(g_statistics.plans_refused),
             plain(g_statistics.plans_grown));
  print_text(json, serving.plan);
  print_state(json);
  print_own(json, serving.slab_bytes);
  if (heap != nullptr) {
    json.print(",\"heap\":{\"allocated\":%llu,\"resident\":%llu}", plain(heap->allocated),
               plain(heap->resident));
  }
  json.print("}");
  return json.length();
}

}  // namespace memo::runtime
