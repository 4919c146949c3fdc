#include "runtime/serving/statistics_text.h"

#include <cstdarg>
#include <cstdio>
#include <iterator>

#include "runtime/platform/own_memory.h"

namespace memo::runtime {
namespace {

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

// JSON has no infinity.
double finite(double value) {
  return __builtin_isfinite(value) ? value : 0;
}

void print_byte(Json& json, char text) {
  const auto byte = static_cast<unsigned char>(text);
  if (byte == '"' || byte == '\\' || byte < 0x20) {
    json.print("\\u%04x", byte);
  } else {
    json.print("%c", text);
  }
}

// Ends with the array at the latest: another process may have written over the live page, and over the end of its
// texts.
template <std::size_t Room>
void print_text(Json& json, const char* name, const char (&text)[Room]) {
  json.print(",\"%s\":\"", name);
  for (std::size_t at = 0; at < Room && text[at] != '\0'; ++at) print_byte(json, text[at]);
  json.print("\"");
}

void print_passes(Json& json, const PassFigures& own) {
  json.print("{\"passes\":%llu,\"served\":%llu,\"searched\":%llu,\"fallback\":{", plain(own.passes),
             plain(own.served), plain(own.searched));
  for (std::uint32_t reason = 0; reason < kReasonCount; ++reason) {
    json.print("%s\"%s\":%llu", reason == 0 ? "" : ",", kReasonNames[reason], plain(own.fallback[reason]));
  }
  json.print("},\"served_bytes\":%llu,\"fallback_bytes\":%llu,\"kept_bytes\":%llu", plain(own.served_bytes),
             plain(own.fallback_bytes), plain(own.kept_bytes));
}

void print_steady(Json& json, const SteadyCounters& steady, std::uint64_t warm_up) {
  json.print(",\"steady\":{\"passes\":%llu,\"served\":%llu,\"served_bytes\":%llu", plain(steady.passes),
             plain(steady.served), plain(steady.served_bytes));
  json.print(",\"missed\":%llu,\"missed_bytes\":%llu", plain(steady.missed), plain(steady.missed_bytes));
  json.print(",\"kept\":%llu,\"kept_bytes\":%llu,\"warm_up\":%llu}", plain(steady.kept),
             plain(steady.kept_bytes), plain(warm_up));
}

void print_workers(Json& json, const PassFigures& workers, std::uint64_t lanes) {
  json.print(",\"worker_passes\":%llu,\"worker_served\":%llu,\"worker_served_bytes\":%llu",
             plain(workers.passes), plain(workers.served), plain(workers.served_bytes));
  json.print(",\"worker_fallback\":%llu,\"worker_fallback_bytes\":%llu,\"worker_lanes\":%llu",
             plain(workers.missed), plain(workers.fallback_bytes), plain(lanes));
}

void print_events(Json& json, const Statistics& counters) {
  json.print(",\"double_free\":%llu,\"bad_free\":%llu,\"abandoned\":%llu", plain(counters.double_free),
             plain(counters.bad_free), plain(counters.abandoned));
  json.print(",\"plans_loaded\":%llu,\"plans_refused\":%llu,\"plans_grown\":%llu",
             plain(counters.plans_loaded), plain(counters.plans_refused), plain(counters.plans_grown));
}

void print_releases(Json& json, const Statistics& counters) {
  json.print(",\"released\":{\"times\":%llu,\"lane_bytes\":%llu,\"heap_bytes\":%llu}",
             plain(counters.releases), plain(counters.released_lane_bytes),
             plain(counters.released_heap_bytes));
}

// Prints the buckets that have passes by the most bytes of each. Prints nothing where no pass ran on a lane.
void print_pass_memory(Json& json, const LiveGauges& gauges, const Statistics& counters) {
  std::uint64_t passes = 0;
  for (const std::atomic<std::uint64_t>& bucket : counters.pass_memory) passes += bucket;
  if (passes == 0) return;
  json.print(",\"pass_memory\":{\"sum\":%llu,\"most\":%llu,\"up_to\":{", plain(counters.pass_memory_bytes),
             plain(gauges.most_of_a_pass));
  const char* comma = "";
  for (std::uint32_t bucket = 0; bucket < kMemoryBuckets; ++bucket) {
    const std::uint64_t count = counters.pass_memory[bucket];
    if (count == 0) continue;
    if (bucket + 1 == kMemoryBuckets) {
      json.print("%s\"more\":%llu", comma, plain(count));
    } else {
      json.print("%s\"%llu\":%llu", comma, plain(memory_bound_of(bucket)), plain(count));
    }
    comma = ",";
  }
  json.print("}}");
}

void print_turns(Json& json, const Statistics& counters) {
  json.print(",\"turns\":{\"waited\":%llu,\"in_vain\":%llu}", plain(counters.turns_waited),
             plain(counters.turns_in_vain));
}

void print_nodes(Json& json, const LiveGauges& gauges, const Statistics& counters) {
  json.print(",\"nodes\":{\"own\":%llu,\"other\":%llu,\"refused\":%llu}", plain(counters.own_node),
             plain(counters.other_node), plain(gauges.refused_placements));
}

void print_state(Json& json, const LiveGauges& gauges, const Statistics& counters) {
  print_text(json, "state", gauges.state);
  json.print(",\"recordings\":%llu", plain(counters.recordings));
  json.print(",\"aside\":{\"passes\":%llu,\"kinds\":%llu,\"of_kinds\":%llu}", plain(gauges.aside_passes),
             plain(gauges.aside_kinds), plain(gauges.of_kinds));
  json.print(",\"compared\":{\"passes\":%llu,\"blocks\":%llu,\"bytes\":%llu}",
             plain(counters.compared_passes), plain(counters.compared_blocks),
             plain(counters.compared_bytes));
}

// Prints nothing where nothing is compared. A page that something else wrote over may hold any number.
void print_worth(Json& json, const Worth& worth) {
  const auto finding = static_cast<std::uint64_t>(worth.finding);
  if (finding >= std::size(kFindingNames) || (worth.pairs == 0 && worth.requests_to_look == 0)) return;
  json.print(",\"worth\":{\"finding\":\"%s\",\"share\":%.5f,\"low\":%.5f,\"high\":%.5f",
             kFindingNames[finding], finite(worth.share), finite(worth.low), finite(worth.high));
  json.print(",\"more_faults\":%.1f,\"pairs\":%llu,\"requests_to_look\":%llu,\"found_earlier\":%s}",
             finite(worth.more_faults), plain(worth.pairs), plain(worth.requests_to_look),
             worth.found_earlier != 0 ? "true" : "false");
}

void print_memory(Json& json, const LiveGauges& gauges) {
  const auto own = [&](Own use) { return plain(gauges.own[static_cast<std::uint32_t>(use)]); };
  json.print(",\"own\":{\"plans\":%llu,\"slab_index\":%llu", own(Own::kPlans), plain(gauges.slab_index));
  json.print(",\"threads\":%llu,\"hooks\":%llu,\"recorder\":%llu}", own(Own::kThreads), own(Own::kHooks),
             own(Own::kTable));
  if (gauges.has_heap == 0) return;
  json.print(",\"heap\":{\"allocated\":%llu,\"resident\":%llu}", plain(gauges.heap_allocated),
             plain(gauges.heap_resident));
}

// Prints who wrote this and when, so that a file of yesterday is not taken for the present. Prints nothing
// where no library was started, as in a program that embeds the arena.
void print_process(Json& json, const LiveProcess& process, std::uint64_t written) {
  if (process.process == 0) return;
  constexpr std::uint64_t kMillisecond = 1'000'000;  // nanoseconds
  json.print(",\"pid\":%llu,\"parent\":%llu", plain(process.process), plain(process.parent));
  json.print(",\"started_ms\":%llu,\"written_ms\":%llu", plain(process.started / kMillisecond),
             plain(written / kMillisecond));
  print_text(json, "program", process.program);
  print_text(json, "mode", process.mode);
  print_text(json, "version", process.library);
  if (*process.said != '\0') print_text(json, "said", process.said);
}

}  // namespace

const char* reason_name(std::uint32_t reason) {
  return kReasonNames[reason];
}

std::size_t print_statistics(char* out, std::size_t capacity, const LiveProcess& process,
                             const LiveGauges& gauges, const Statistics& counters, const PassFigures& own,
                             const PassFigures& workers) {
  Json json(out, capacity);
  print_passes(json, own);
  print_steady(json, counters.steady, gauges.warm_up);
  json.print(",\"slab_bytes\":%llu,\"lanes\":%llu,\"lanes_used\":%llu,\"pinned\":%llu",
             plain(gauges.slab_bytes), plain(gauges.lanes), plain(gauges.lanes_used), plain(gauges.pinned));
  print_workers(json, workers, gauges.worker_lanes);
  print_events(json, counters);
  print_text(json, "plan", gauges.plan);
  json.print(",\"plan_hash\":\"%016llx\"", plain(gauges.plan_hash));
  print_state(json, gauges, counters);
  print_worth(json, gauges.worth);
  print_memory(json, gauges);
  print_releases(json, counters);
  print_turns(json, counters);
  print_pass_memory(json, gauges, counters);
  print_nodes(json, gauges, counters);
  print_process(json, process, gauges.written);
  json.print("}");
  return json.length();
}

}  // namespace memo::runtime
