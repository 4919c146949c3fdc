#include "runtime/plan/site_index.h"

namespace memo::runtime {
namespace {

void insert(const SiteIndex& sites, std::uint32_t site, std::uint64_t address) {
  std::uint32_t at = bucket_of(sites, address);
  while (sites.buckets[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & sites.mask;
  sites.buckets[at].store(site + 1, std::memory_order_relaxed);
}

}  // namespace

void rebuild(const SiteIndex& sites) {
  for (std::uint32_t at = 0; at <= sites.mask; ++at) sites.buckets[at].store(0, std::memory_order_relaxed);
  for (std::uint32_t site = 0; site < sites.site_count; ++site) {
    const std::uint64_t address = sites.addresses[site].load(std::memory_order_relaxed);
    if (address != kNoSite) insert(sites, site, address);
  }
}

}  // namespace memo::runtime
