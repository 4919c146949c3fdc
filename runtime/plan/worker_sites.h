// The call sites at which threads without a pass of their own begin to work for the passes of others (runtime/pass/workers.h).
//
// They stand in a table of their own, since threads look at it outside of passes, where nothing keeps a plan from being
// replaced. Whoever reads half of a change opens a pass that matches nothing, or misses one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {

// As many threads may hold a lane for workers at once; the others are on the heap.
inline constexpr std::uint32_t kMostWorkerLanes = 48;

inline constexpr std::size_t kWorkerSites =
    1024;  // places; at most half of them are taken, so that every search ends
struct WorkerSites {
  std::atomic<bool> any;
  std::atomic<std::uint64_t> addresses[kWorkerSites];  // 0: free
};
extern constinit WorkerSites g_worker_sites;

// The plan in force has a variant for workers.
inline bool workers_are_planned() {
  return g_worker_sites.any.load(std::memory_order_relaxed);
}

[[nodiscard]] bool is_worker_site(std::uint64_t site);

// To be called whenever call sites were found, and when a plan is replaced.
void set_worker_sites(const LoadedPlan& plan);

}  // namespace memo::runtime
