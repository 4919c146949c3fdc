#include "runtime/statistics.h"

#include <cstdarg>
#include <cstdio>

#include "runtime/arena.h"
#include "runtime/serving.h"
#include "runtime/thread_state.h"

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

unsigned long long total(const std::atomic<std::uint64_t>& counter, std::uint64_t running) {
  return counter.load(std::memory_order_relaxed) + running;
}

std::uint64_t running_fallback(const ThreadState& self, std::uint32_t reason) {
  if (self.lane != nullptr) return self.lane->progress.fallback[reason];
  return self.depth != 0 && reason == static_cast<std::uint32_t>(self.why) ? self.missed : 0;
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

void print_passes(Json& json, ThreadState& self) {
  count_served(self);
  const bool inside = self.depth != 0;
  json.print("{\"passes\":%llu,\"served\":%llu,\"fallback\":{", total(g_statistics.passes, 0),
             total(g_statistics.served, inside ? self.served : 0));
  for (std::uint32_t reason = 0; reason < kReasonCount; ++reason) {
    json.print("%s\"%s\":%llu", reason == 0 ? "" : ",", kReasonNames[reason],
               total(g_statistics.fallback[reason], running_fallback(self, reason)));
  }
  const std::uint64_t running = self.lane != nullptr ? self.lane->progress.fallback_bytes : 0;
  json.print("},\"served_bytes\":%llu,\"fallback_bytes\":%llu",
             total(g_statistics.served_bytes, inside ? self.served_bytes : 0),
             total(g_statistics.fallback_bytes, running + (inside ? self.missed_bytes : 0)));
}

}  // namespace

void set_state(const char* state) {
  g_state.store(state, std::memory_order_relaxed);
}

void forget_statistics() {
  for (std::atomic<std::uint64_t>* counter :
       {&g_statistics.passes, &g_statistics.served, &g_statistics.served_bytes, &g_statistics.fallback_bytes,
        &g_statistics.double_free, &g_statistics.bad_free, &g_statistics.abandoned,
         &g_statistics.plans_loaded, &g_statistics.plans_refused, &g_statistics.plans_grown,
         &g_statistics.recordings}) {
    counter->store(0, std::memory_order_relaxed);
  }
  for (std::atomic<std::uint64_t>& counter : g_statistics.fallback)
    counter.store(0, std::memory_order_relaxed);
}

std::size_t statistics_json(char* out, std::size_t capacity, const HeapFigures* heap) {
  Json json(out, capacity);
  end_passes_of_ended_threads();
  ServingFigures serving;
  look_at_serving(&serving);
  print_passes(json, t_self);
  json.print(",\"slab_bytes\":%llu,\"lanes\":%llu,\"lanes_used\":%llu,\"pinned\":%llu",
             plain(serving.slab_bytes), plain(serving.lanes), plain(serving.used), plain(serving.pinned));
  json.print(",\"double_free\":%llu,\"bad_free\":%llu,\"abandoned\":%llu", total(g_statistics.double_free, 0),
             total(g_statistics.bad_free, 0), total(g_statistics.abandoned, 0));
  json.print(",\"plans_loaded\":%llu,\"plans_refused\":%llu,\"plans_grown\":%llu,\"plan\":",
             total(g_statistics.plans_loaded, 0), total(g_statistics.plans_refused, 0),
             total(g_statistics.plans_grown, 0));
  print_text(json, serving.plan);
  json.print(",\"state\":\"%s\",\"recordings\":%llu", g_state.load(std::memory_order_relaxed),
             total(g_statistics.recordings, 0));
  if (heap != nullptr) {
    json.print(",\"heap\":{\"allocated\":%llu,\"resident\":%llu}", plain(heap->allocated),
               plain(heap->resident));
  }
  json.print("}");
  return json.length();
}

}  // namespace memo::runtime
