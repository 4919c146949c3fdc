// The address space of all slabs, and who holds each 64 bytes of it.
//
//   base                                                      base + granules * 64
//   |guard| lane |guard| lane |guard| … | lane of the next plan |guard| … | not yet used |guard
//
//   owners[]: 16 bits for each 64 bytes, non-zero where a live block starts
//
// It is reserved once, without memory behind it, so that one subtraction and one comparison tell the arena's
// pointers from the heap's, whatever plan they came from, and stay valid when a plan is replaced. Two bytes of
// table for 64 bytes of slab, of which only the pages that blocks start in ever become resident.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/formats/plan_format.h"

namespace memo::runtime {

inline constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 21;  // lanes begin and end on huge pages
inline constexpr std::uint64_t kChunkGranules = kChunkBytes / kGranule;

// What an owner says: nothing starts here; a cell and its length in granules; a large slot and its number.
using Owner = std::uint16_t;
inline constexpr Owner kNobody = 0;
inline constexpr Owner kLargeOwner = 0x8000;

struct Region {
  std::atomic<std::uint64_t> granules;  // in use; 0 before the first plan. Written after the rest.
  char* base;
  std::atomic<Owner>* owners;
  std::atomic<std::uint8_t>* lane_of_chunk;
  std::uint64_t chunks;  // reserved

  [[nodiscard]] char* at(std::uint64_t granule) const { return base + granule * kGranule; }
};

extern Region g_region;

// Which granule starts at this address? One rotation makes both a foreign and a misaligned address huge.
inline std::uint64_t granule_of(const void* address) {
  const auto distance = static_cast<std::uint64_t>(static_cast<const char*>(address) - g_region.base);
  return distance >> 6 | distance << 58;
}

// Reserves the address space, room for at least `bytes` of slab. Once; later calls return true. False: the
// kernel refuses.
bool reserve_region(std::uint64_t bytes);

// The chunks of a slab of `bytes`: its own, and at least a page behind it that faults, as the one before it does.
[[nodiscard]] std::uint64_t slab_chunks(std::uint64_t bytes);

// Extends the part in use to `end_chunk`. False: no memory for the tables.
bool use_chunks(std::uint64_t end_chunk);

// Whether pages come when a block first touches them, or all of them before; and small ones when touched, where little of
// the slab will be.
enum class Pages : std::uint8_t { kWhenTouched, kPresent, kSmallWhenTouched };

// Makes [granule, granule + bytes) usable memory, on huge pages where they fit and are wanted. False: there is no room for it.
bool back_with_memory(std::uint64_t granule, std::uint64_t bytes, Pages pages);

// Lets the pages of [granule, granule + bytes) go, in which nothing is live. They come again when touched.
void let_pages_go(std::uint64_t granule, std::uint64_t bytes);

// Gives the memory back; the addresses stay ours.
void give_memory_back(std::uint64_t granule, std::uint64_t bytes);

}  // namespace memo::runtime
