#include "runtime/plan/worker_sites.h"

#include "runtime/formats/hash.h"

namespace memo::runtime {

constinit WorkerSites g_worker_sites{};

namespace {

// Returns the entry that holds the site, or the free entry where it would go.
std::atomic<std::uint64_t>& place_of(std::uint64_t site) {
  std::size_t at = site * kSpread >> 32;
  for (;; ++at) {
    std::atomic<std::uint64_t>& place = g_worker_sites.addresses[at % kWorkerSites];
    const std::uint64_t there = place.load(std::memory_order_relaxed);
    if (there == site || there == 0) return place;
  }
}

}  // namespace

bool is_worker_site(std::uint64_t site) {
  return place_of(site).load(std::memory_order_relaxed) == site;
}

// Sites that find no room in the table open no pass; they are served in passes that other sites opened.
void set_worker_sites(const LoadedPlan& plan) {
  for (std::atomic<std::uint64_t>& address : g_worker_sites.addresses)
    address.store(0, std::memory_order_relaxed);
  std::size_t taken = 0;
  for (const Variant& variant : plan.variants) {
    for (std::uint32_t slot = 0; slot < variant.slot_count && is_for_workers(variant); ++slot) {
      const std::uint64_t site = variant.hot[slot].site.load(std::memory_order_relaxed);
      std::atomic<std::uint64_t>& place = place_of(site);
      if (taken == kWorkerSites / 2 || place.load(std::memory_order_relaxed) == site) continue;
      place.store(site, std::memory_order_relaxed);
      ++taken;
    }
  }
  g_worker_sites.any.store(taken != 0, std::memory_order_relaxed);
}

}  // namespace memo::runtime
