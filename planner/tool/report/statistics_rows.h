// Lists the statistics of a served process, one row for each figure: its meaning for people and its name in
// Prometheus.
#pragma once

#include <span>
#include <string_view>

#include "runtime/formats/reasons.h"

namespace memo::planner {

// The two kinds of Prometheus: a counter only rises while the process lives, a gauge may fall.
enum class Measure { kCounter, kGauge };

struct StatisticsRow {
  std::string_view key;  // the key in the JSON object; "heap.resident" is in an inner object
  std::string_view metric;
  std::string_view label;  // 'reason="no_plan"', or ""
  Measure measure;
  std::string_view means;
};

// Rows of one metric are neighbours, since Prometheus wants one meaning for each metric. Metrics with labels
// take theirs from meaning_of_all (statistics.cpp).
inline constexpr StatisticsRow kStatisticsRows[] = {
    {"passes", "memomalloc_passes_total", "", Measure::kCounter, "Passes that have ended"},
    {"served", "memomalloc_served_total", "", Measure::kCounter,
     "Allocations inside passes that came from the slab"},
    {"served_bytes", "memomalloc_served_bytes_total", "", Measure::kCounter, "Bytes that these asked for"},
    {"searched", "memomalloc_searched_total", "", Measure::kCounter,
     "Allocations inside passes that were not what the plan expected next, and had to be looked for"},
    {"steady.passes", "memomalloc_steady_passes_total", "", Measure::kCounter,
     "Passes that began after the warm-up, while a plan was in force"},
    {"steady.served", "memomalloc_steady_served_total", "", Measure::kCounter,
     "Allocations inside these that came from the slab"},
    {"steady.served_bytes", "memomalloc_steady_served_bytes_total", "", Measure::kCounter,
     "Bytes that these asked for"},
    {"steady.missed", "memomalloc_steady_missed_total", "", Measure::kCounter,
     "Allocations inside these passes that went to the heap"},
    {"steady.missed_bytes", "memomalloc_steady_missed_bytes_total", "", Measure::kCounter,
     "Bytes that these asked for"},
    {"steady.kept", "memomalloc_steady_kept_total", "", Measure::kCounter,
     "Of these, the ones whose block outlives the pass, where no plan has a place for it"},
    {"steady.kept_bytes", "memomalloc_steady_kept_bytes_total", "", Measure::kCounter,
     "Bytes that these asked for"},
    {"steady.warm_up", "memomalloc_warm_up_passes", "", Measure::kGauge,
     "Passes of each kind that the plan takes for the warm-up"},
#define MEMO_REASON(reason, name, means, advice)                                            \
  {"fallback." name, "memomalloc_fallback_total", "reason=\"" name "\"", Measure::kCounter, \
   "To the heap: " means},
    MEMO_REASONS(MEMO_REASON)
#undef MEMO_REASON
        {"fallback_bytes", "memomalloc_fallback_bytes_total", "", Measure::kCounter,
         "Bytes that these asked for"},
    {"kept_bytes", "memomalloc_kept_bytes_total", "", Measure::kCounter,
     "Of these, the ones of blocks that the program keeps beyond their pass"},
    {"slab_bytes", "memomalloc_slab_bytes", "", Measure::kGauge, "Memory of all lanes that have some"},
    {"lanes", "memomalloc_lanes", "", Measure::kGauge, "Lanes that have memory"},
    {"lanes_used", "memomalloc_lanes_used", "", Measure::kGauge, "Of these, those that have run a pass"},
    {"pinned", "memomalloc_pinned_blocks", "", Measure::kGauge, "Live blocks in lanes on which no pass runs"},
    {"worker_passes", "memomalloc_worker_passes_total", "", Measure::kCounter,
     "Passes of threads that worked for others, that have ended"},
    {"worker_served", "memomalloc_worker_served_total", "", Measure::kCounter,
     "Allocations of workers that came from the slab"},
    {"worker_served_bytes", "memomalloc_worker_served_bytes_total", "", Measure::kCounter,
     "Bytes that these asked for"},
    {"worker_fallback", "memomalloc_worker_fallback_total", "", Measure::kCounter,
     "Allocations of workers that went to the heap"},
    {"worker_fallback_bytes", "memomalloc_worker_fallback_bytes_total", "", Measure::kCounter,
     "Bytes that these asked for"},
    {"worker_lanes", "memomalloc_worker_lanes", "", Measure::kGauge, "Lanes for workers that have memory"},
    {"turns.waited", "memomalloc_turns_waited_total", "", Measure::kCounter,
     "Passes that waited for their turn"},
    {"turns.in_vain", "memomalloc_turns_in_vain_total", "", Measure::kCounter,
     "Of these, the ones that waited while the processors were idle"},
    {"double_free", "memomalloc_double_frees_total", "", Measure::kCounter, "Frees of slots that were free"},
    {"bad_free", "memomalloc_bad_frees_total", "", Measure::kCounter, "Frees of addresses inside a block"},
    {"abandoned", "memomalloc_abandoned_passes_total", "", Measure::kCounter, "Passes left without an end"},
    {"plans_loaded", "memomalloc_plans_loaded_total", "", Measure::kCounter, "Plans that were taken up"},
    {"plans_refused", "memomalloc_plans_refused_total", "", Measure::kCounter,
     "Plans that could not be used"},
    {"plans_grown", "memomalloc_plans_grown_total", "", Measure::kCounter,
     "Times the plan was made larger for a shape beyond the profile"},
    {"recordings", "memomalloc_recordings_total", "", Measure::kCounter,
     "Recordings begun to learn from, in mode auto"},
    {"aside.passes", "memomalloc_aside_passes_total", "", Measure::kCounter,
     "Passes left to the heap, since serving them costs more than it saves"},
    {"aside.kinds", "memomalloc_aside_kinds", "", Measure::kGauge, "Kinds of passes of which that is so now"},
    {"aside.of_kinds", "memomalloc_kinds", "", Measure::kGauge, "Kinds of passes that were served or tried"},
    {"compared.passes", "memomalloc_compared_passes_total", "", Measure::kCounter,
     "Passes given to the heap to find out what serving is worth"},
    {"compared.blocks", "memomalloc_compared_blocks_total", "", Measure::kCounter,
     "Allocations inside these passes"},
    {"compared.bytes", "memomalloc_compared_bytes_total", "", Measure::kCounter,
     "Bytes that these asked for"},
    {"released.times", "memomalloc_releases_total", "", Measure::kCounter,
     "Times that idle memory went back to the system"},
    {"released.lane_bytes", "memomalloc_released_lane_bytes_total", "", Measure::kCounter,
     "Went back to the system: pages of lanes that no pass needed"},
    {"released.heap_bytes", "memomalloc_released_heap_bytes_total", "", Measure::kCounter,
     "Went back to the system: pages that lay idle in the heap"},
    {"nodes.own", "memomalloc_own_node_passes_total", "", Measure::kCounter,
     "Passes on a lane whose memory is on the thread's node"},
    {"nodes.other", "memomalloc_other_node_passes_total", "", Measure::kCounter,
     "Passes on a lane whose memory is on another node; more threads at once than lanes"},
    {"nodes.refused", "memomalloc_refused_placements_total", "", Measure::kCounter,
     "Times that the kernel placed no pages on a node"},
    {"own.plans", "memomalloc_own_bytes", R"(use="plans")", Measure::kGauge,
     "The library's own memory: plans and the tables made of them"},
    {"own.slab_index", "memomalloc_own_bytes", R"(use="slab_index")", Measure::kGauge,
     "Its own memory: which slot each part of the slab belongs to"},
    {"own.threads", "memomalloc_own_bytes", R"(use="threads")", Measure::kGauge,
     "Its own memory: for each thread, events to be written and call stacks of hooks"},
    {"own.hooks", "memomalloc_own_bytes", R"(use="hooks")", Measure::kGauge,
     "Its own memory: names of passes and operators, and the code of hooks"},
    {"own.recorder", "memomalloc_own_bytes", R"(use="recorder")", Measure::kGauge,
     "Its own memory: what the recorder knows about blocks"},
    {"pid", "memomalloc_process", "", Measure::kGauge, "Number of the process"},
    {"parent", "memomalloc_parent_process", "", Measure::kGauge, "Number of the process that started it"},
    {"started_ms", "memomalloc_started_milliseconds", "", Measure::kGauge,
     "When the process started, in milliseconds since 1970"},
    {"written_ms", "memomalloc_written_milliseconds", "", Measure::kGauge,
     "When this was written, in milliseconds since 1970"},
    {"heap.allocated", "memomalloc_heap_allocated_bytes", "", Measure::kGauge,
     "Live bytes of the library's heap"},
    {"heap.resident", "memomalloc_heap_resident_bytes", "", Measure::kGauge, "Memory that this heap holds"},
};

// Texts of the statistics. Prometheus has numbers alone, so they are labels of a metric whose value is 1; keys and
// labels have the same names.
struct TextsRow {
  std::string_view metric;
  std::span<const std::string_view> keys;
  std::string_view means;
};

inline constexpr std::string_view kStateKeys[] = {"state"};
inline constexpr std::string_view kProcessKeys[] = {"version", "mode", "program", "plan_hash"};
inline constexpr TextsRow kTextsRows[] = {
    {"memomalloc_state", kStateKeys, "What the process is at"},
    {"memomalloc_info", kProcessKeys, "The library, its mode and plan, and the program that it is in"},
};

}  // namespace memo::planner
