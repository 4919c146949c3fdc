#include "runtime/slab/region.h"

#include <algorithm>

#include "runtime/formats/rounding.h"
#include "runtime/platform/limits.h"
#include "runtime/platform/memory_annotations.h"
#include "runtime/platform/pages.h"

namespace memo::runtime {

constinit Region g_region{};

namespace {

constexpr std::uint64_t kComfortable = std::uint64_t{1} << 38;  // 256 GiB: several plans of many lanes
constexpr std::uint64_t kShareOfLimit = 4;  // 1/4 of the address limit: the program needs addresses, too
constexpr std::uint64_t kOwnersPerChunk = kChunkGranules * sizeof(Owner);

constinit std::atomic<std::uint64_t> g_backed{0};  // bytes of slab that have memory
constinit std::atomic<std::uint64_t> g_budget{kNoLimit};

// Reserves three chunks more than asked: a guard at each end, and what the alignment may cost.
bool reserve_exactly(std::uint64_t chunks) {
  const std::uint64_t bytes = (chunks + 3) * kChunkBytes;
  void* slabs = reserve_addresses(bytes);
  if (slabs == nullptr) return false;
  void* owners = reserve_addresses(chunks * kOwnersPerChunk);
  void* lanes = owners == nullptr ? nullptr : map_sparse_pages(chunks);
  if (lanes == nullptr) {
    if (owners != nullptr) unmap_pages(owners, chunks * kOwnersPerChunk);
    unmap_pages(slabs, bytes);
    return false;
  }
  const auto start = round_up(reinterpret_cast<std::uintptr_t>(slabs), kChunkBytes) + kChunkBytes;
  g_region.base = reinterpret_cast<char*>(start);
  g_region.owners = static_cast<std::atomic<Owner>*>(owners);
  g_region.lane_of_chunk = static_cast<std::atomic<std::uint8_t>*>(lanes);
  g_region.chunks = chunks;
  return true;
}

std::uint64_t whole_pages(std::uint64_t bytes) {
  return round_up(bytes, page_bytes());
}

// Returns how many of the bytes shall lie on huge pages. A tail of at least half a huge page is worth a whole
// one.
std::uint64_t huge_part(std::uint64_t bytes) {
  return (bytes + kChunkBytes / 2) / kChunkBytes * kChunkBytes;
}

void ask_for_huge_pages(char* begin, std::uint64_t bytes, Pages pages) {
  const std::uint64_t huge = pages == Pages::kSmallWhenTouched ? 0 : huge_part(bytes);
  if (huge != 0) prefer_huge_pages(begin, huge);
  if (bytes > huge) prefer_small_pages(begin + huge, bytes - huge);
}

std::uint64_t comfortable_bytes() {
  return std::min(address_limit() / kShareOfLimit, kComfortable);
}

}  // namespace

bool reserve_region(std::uint64_t bytes) {
  if (g_region.base != nullptr) return true;
  for (std::uint64_t size = comfortable_bytes(); size > bytes; size /= 4) {
    if (reserve_exactly(size / kChunkBytes)) return true;
  }
  return reserve_exactly(round_up(bytes, kChunkBytes) / kChunkBytes);
}

std::uint64_t slab_reach(std::uint64_t bytes) {
  const std::uint64_t pages = whole_pages(bytes);
  return std::max(pages, huge_part(pages));
}

std::uint64_t slab_chunks(std::uint64_t bytes) {
  return slab_reach(bytes) / kChunkBytes + 1;
}

bool use_chunks(std::uint64_t end_chunk) {
  if (end_chunk > g_region.chunks) return false;
  const std::uint64_t granules = end_chunk * kChunkGranules;
  std::uint64_t used = g_region.granules.load(std::memory_order_relaxed);
  if (granules <= used) return true;
  if (!open_pages(g_region.owners, end_chunk * kOwnersPerChunk)) return false;
  while (used < granules &&
         !g_region.granules.compare_exchange_weak(used, granules, std::memory_order_release)) {
  }
  return true;
}

namespace {

// Returns how many bytes of the slabs no pass has touched yet. The control groups do not count these.
std::uint64_t untouched(std::uint64_t slabs) {
  const std::uint64_t used = g_region.granules.load(std::memory_order_relaxed) * kGranule;
  const std::uint64_t resident = resident_bytes(g_region.base, used);
  return slabs - std::min(slabs, resident);
}

// Returns true if the control groups have room for `bytes` more of slab. Passes that begin at once all get their slabs before any
// of them touches its own. A pass that gets none takes as much of the heap: so each slab but the first leaves room for another.
bool groups_have_room(std::uint64_t before, std::uint64_t bytes) {
  const std::uint64_t room = room_in_groups();
  if (room == kNoLimit) return true;
  return before == 0 ? bytes <= room : untouched(before) + 2 * bytes <= room;
}

// Returns true if all slabs together fit the budget, the machine and the control groups, where so much is slab before.
bool is_left(std::uint64_t before, std::uint64_t bytes) {
  const std::uint64_t most = std::min(g_budget.load(std::memory_order_relaxed), physical_memory());
  return before + bytes <= most && groups_have_room(before, bytes);
}

// Counts `bytes` more of slab. Returns false if there is no room for them.
bool claim_memory(std::uint64_t bytes) {
  if (is_left(g_backed.fetch_add(bytes, std::memory_order_relaxed), bytes)) return true;
  g_backed.fetch_sub(bytes, std::memory_order_relaxed);
  return false;
}

bool make_usable(char* begin, std::uint64_t bytes, Pages pages) {
  if (!open_pages(begin, slab_reach(bytes))) return false;
  ask_for_huge_pages(begin, whole_pages(bytes), pages);
  return pages != Pages::kPresent || populate_pages(begin, whole_pages(bytes));
}

}  // namespace

void set_memory_budget(std::uint64_t bytes) {
  g_budget.store(bytes, std::memory_order_relaxed);
}

bool has_memory_for(std::uint64_t bytes) {
  return is_left(g_backed.load(std::memory_order_relaxed), bytes);
}

MemoryBudget memory_budget() {
  const std::uint64_t budget = g_budget.load(std::memory_order_relaxed);
  const std::uint64_t used = g_backed.load(std::memory_order_relaxed);
  return {.bytes = budget, .left = used < budget ? budget - used : 0};
}

bool prefer_node_for(std::uint64_t granule, std::uint64_t chunks, Node node, PagesThere there) {
  return prefer_node(g_region.at(granule), chunks * kChunkBytes, node, there) &&
         prefer_node(g_region.owners + granule, chunks * kOwnersPerChunk, node, there);
}

bool back_with_memory(std::uint64_t granule, std::uint64_t bytes, Pages pages) {
  if (!claim_memory(bytes)) return false;
  if (make_usable(g_region.at(granule), bytes, pages)) return true;
  give_memory_back(granule, bytes);
  return false;
}

namespace {

// Joins the small pages at the end of a slab where a huge page fits now: the rest of them would come by up to 511 faults.
void join_small_end(char* begin, std::uint64_t before, std::uint64_t bytes) {
  const std::uint64_t huge = huge_part(whole_pages(before));
  if (huge_part(whole_pages(bytes)) > huge && slab_reach(before) > huge)
    join_pages(begin + huge, kChunkBytes);
}

}  // namespace

bool extend_memory(std::uint64_t granule, std::uint64_t before, std::uint64_t bytes, Pages pages) {
  if (!claim_memory(bytes - before)) return false;
  char* begin = g_region.at(granule);
  if (make_usable(begin, bytes, pages)) {
    if (pages == Pages::kWhenTouched) join_small_end(begin, before, bytes);
    return true;
  }
  g_backed.fetch_sub(bytes - before, std::memory_order_relaxed);
  empty_pages(begin + slab_reach(before), slab_reach(bytes) - slab_reach(before));
  close_pages(begin + slab_reach(before), slab_reach(bytes) - slab_reach(before));
  return false;
}

namespace {

std::uint64_t empty_and_count(void* memory, std::uint64_t bytes) {
  const std::uint64_t resident = resident_bytes(memory, bytes);
  empty_pages(memory, bytes);
  return resident;
}

}  // namespace

std::uint64_t let_pages_go(std::uint64_t granule, std::uint64_t bytes) {
  const std::uint64_t page = page_bytes();
  const auto start = reinterpret_cast<std::uintptr_t>(g_region.at(granule));
  const std::uintptr_t begin = round_up(start, page);
  const std::uintptr_t end = (start + bytes) / page * page;
  return begin < end ? empty_and_count(reinterpret_cast<void*>(begin), end - begin) : 0;
}

std::uint64_t let_owners_go(std::uint64_t granule, std::uint64_t bytes) {
  return empty_and_count(g_region.owners + granule, slab_reach(bytes) / kGranule * sizeof(Owner));
}

void keep_small_pages(std::uint64_t granule, std::uint64_t bytes) {
  prefer_small_pages(g_region.at(granule), whole_pages(bytes));
}

void want_huge_pages_again(std::uint64_t granule, std::uint64_t bytes) {
  ask_for_huge_pages(g_region.at(granule), whole_pages(bytes), Pages::kWhenTouched);
}

void give_memory_back(std::uint64_t granule, std::uint64_t bytes) {
  g_backed.fetch_sub(bytes, std::memory_order_relaxed);
  const std::uint64_t reach = slab_reach(bytes);
  checker::allow(g_region.at(granule), reach);
  empty_pages(g_region.at(granule), reach);
  close_pages(g_region.at(granule), reach);
  empty_pages(g_region.owners + granule, reach / kGranule * sizeof(Owner));
}

}  // namespace memo::runtime
