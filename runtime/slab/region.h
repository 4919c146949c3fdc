// The address space of all slabs, and who holds each 64 bytes of it.
//
//   base                                                      base + granules * 64
//   |guard| lane |guard| lane |guard| … | lane of the next plan |guard| … | not yet used |guard
//
//   owners[]: 16 bits for each 64 bytes, non-zero where a live block starts
//
// The region is reserved once, without memory. So one subtraction and one comparison tell the arena's pointers
// from the heap's, whatever plan they came from, and this stays valid when a plan is replaced. The owners'
// table takes two bytes for 64 bytes of slab; only those of its pages become resident in which blocks start.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/formats/plan_format.h"
#include "runtime/platform/nodes.h"

namespace memo::runtime {

inline constexpr std::uint64_t kChunkBytes = std::uint64_t{1}
                                             << 21;  // 2 MiB: lanes begin and end on huge pages
inline constexpr std::uint64_t kChunkGranules = kChunkBytes / kGranule;

// An entry of the owners' table: kNobody where no block starts; the length of a cell in granules; or
// kLargeOwner plus the number of a large slot.
using Owner = std::uint16_t;
inline constexpr Owner kNobody = 0;
inline constexpr Owner kLargeOwner = 0x8000;

struct Region {
  std::atomic<std::uint64_t>
      granules;  // granules in use; 0 before the first plan. Written after the other fields.
  char* base;
  std::atomic<Owner>* owners;
  std::atomic<std::uint8_t>* lane_of_chunk;
  std::uint64_t chunks;  // reserved chunks

  [[nodiscard]] char* at(std::uint64_t granule) const { return base + granule * kGranule; }
};

extern Region g_region;

// Returns the granule that starts at this address. One rotation makes both a foreign and a misaligned address
// huge.
inline std::uint64_t granule_of(const void* address) {
  const auto distance = static_cast<std::uint64_t>(static_cast<const char*>(address) - g_region.base);
  return distance >> 6 | distance << 58;
}

// Reserves the address space for at least `bytes` of slab. Only the first call does; later calls return true.
// Returns false if the kernel refuses.
bool reserve_region(std::uint64_t bytes);

// Returns how many chunks a slab of `bytes` takes: its own, with at least one page after it that faults, as the
// page before the slab does.
[[nodiscard]] std::uint64_t slab_chunks(std::uint64_t bytes);

// Extends the part in use to `end_chunk`, from any thread. Returns false if the region ends before, or if there is no
// memory for the tables.
[[nodiscard]] bool use_chunks(std::uint64_t end_chunk);

// When the slab gets its pages: when a block first touches them, or all of them before the first pass.
// kSmallWhenTouched takes small pages, where passes touch little of the slab.
enum class Pages : std::uint8_t { kWhenTouched, kPresent, kSmallWhenTouched };

// Sets the most that all slabs may take together, whether passes touched it or not. No slab beyond that gets memory; those
// that have some keep it.
void set_memory_budget(std::uint64_t bytes);

// The budget, and what the slabs leave of it; kNoLimit for no budget.
struct MemoryBudget {
  std::uint64_t bytes;
  std::uint64_t left;
};
[[nodiscard]] MemoryBudget memory_budget();

// Returns true if the budget, the machine and the control groups leave so much for more slabs.
[[nodiscard]] bool has_memory_for(std::uint64_t bytes);

// Makes the `bytes` from `granule` on usable memory, on huge pages where they fit and are wanted. Returns false
// if there is no room for them.
bool back_with_memory(std::uint64_t granule, std::uint64_t bytes, Pages pages);

// Has the pages of `chunks` chunks from `granule` on, and those of their owners, come from the node. Returns false if the kernel
// refuses.
[[nodiscard]] bool prefer_node_for(std::uint64_t granule, std::uint64_t chunks, Node node, PagesThere there);

// Makes the `before` bytes from `granule` on, which are usable, `bytes` of them; what was touched keeps its
// pages. Returns false if there is no room for more: then all is as it was.
[[nodiscard]] bool extend_memory(std::uint64_t granule, std::uint64_t before, std::uint64_t bytes,
                                 Pages pages);

// Returns how many bytes a slab of `bytes` has that may be touched: the rest of a huge page that it fills by half is part
// of it.
[[nodiscard]] std::uint64_t slab_reach(std::uint64_t bytes);

// Gives back the pages of the `bytes` from `granule` on, in which nothing is live. They come again when touched. Returns
// how many bytes of memory that were.
std::uint64_t let_pages_go(std::uint64_t granule, std::uint64_t bytes);

// Does the same with the owners of a slab of `bytes`, in which nothing is live. They come again as kNobody.
std::uint64_t let_owners_go(std::uint64_t granule, std::uint64_t bytes);

// Has a slab of `bytes` keep small pages. Where huge ones are wanted, the kernel would make one of every 2 MiB in which a single page is
// left, and some seconds later what went would be there again.
void keep_small_pages(std::uint64_t granule, std::uint64_t bytes);

// Wants huge pages again for a slab of `bytes` that kept small ones.
void want_huge_pages_again(std::uint64_t granule, std::uint64_t bytes);

// Gives the memory back to the kernel; the addresses stay reserved.
void give_memory_back(std::uint64_t granule, std::uint64_t bytes);

}  // namespace memo::runtime
