// The call sites at which threads without a pass of their own begin to work for the passes of others
// (runtime/pass/workers.h).
//
// They have a table of their own, since threads read it outside of passes, where nothing keeps a plan from
// being replaced. A thread that reads a half-written change opens a pass that matches nothing, or misses a
// pass.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {

// The greatest number of worker lanes, and so of workers that are served at once; the heap serves the others.
inline constexpr std::uint32_t kMostWorkerLanes = 48;

inline constexpr std::size_t kWorkerSites =
    1024;  // entries; at most half are taken, so that every search ends
struct WorkerSites {
  std::atomic<bool> any;
  std::atomic<std::uint64_t> addresses[kWorkerSites];  // 0: free
};
extern constinit WorkerSites g_worker_sites;

// Returns true if the plan in force has a variant for workers.
inline bool workers_are_planned() {
  return g_worker_sites.any.load(std::memory_order_relaxed);
}

[[nodiscard]] bool is_worker_site(std::uint64_t site);

// Takes the plan's sites of workers. To be called whenever the library has looked up call sites, and when it
// replaces a plan.
void set_worker_sites(const LoadedPlan& plan);

}  // namespace memo::runtime
