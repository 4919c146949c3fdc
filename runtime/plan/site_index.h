// A hash table from the addresses of call sites to their numbers. The library rewrites it while passes read it, when
// modules come and go: a reader may miss a site or meet a stale one, which costs that allocation its slot and nothing
// else.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/formats/hash.h"

namespace memo::runtime {

inline constexpr std::uint64_t kNoSite = ~std::uint64_t{0};  // no caller has this address
inline constexpr std::uint32_t kNone = 0xffffffff;

struct SiteIndex {
  std::atomic<std::uint64_t>* addresses;  // site -> absolute address, or kNoSite
  std::atomic<std::uint32_t>* buckets;    // site + 1; 0 is empty
  std::uint32_t site_count;
  std::uint32_t mask;
};

// Fills the buckets from the addresses.
void rebuild(const SiteIndex& sites);

// Returns where the search for an address begins.
inline std::uint32_t bucket_of(const SiteIndex& sites, std::uint64_t address) {
  return static_cast<std::uint32_t>(address * kSpread >> 32) & sites.mask;
}

// Returns the number of the site, or kNone.
[[nodiscard]] inline std::uint32_t find_site(const SiteIndex& sites, std::uint64_t address) {
  std::uint32_t at = bucket_of(sites, address);
  for (std::uint32_t tries = 0; tries <= sites.mask; ++tries, at = (at + 1) & sites.mask) {
    const std::uint32_t entry = sites.buckets[at].load(std::memory_order_relaxed);
    if (entry == 0) return kNone;
    if (sites.addresses[entry - 1].load(std::memory_order_relaxed) == address) return entry - 1;
  }
  return kNone;
}

}  // namespace memo::runtime
