#include "runtime/pass/last_variants.h"

#include <atomic>
#include <cstddef>

#include "runtime/formats/hash.h"

namespace memo::runtime {
namespace {

constexpr int kLogRows = 6;
constexpr std::size_t kRow = 4;
constexpr int kNumberBits = 16;
constexpr std::uint64_t kNumber = (1U << kNumberBits) - 1;

// Each entry is the upper bits of the object's hash, and the number of the variant. One word, since several threads read and write it.
// An object may have any entry of its row, since two models that alternate on one entry would both begin as strangers for ever.
using Entry = std::atomic<std::uint64_t>;
constinit Entry g_last[1 << kLogRows][kRow];
constinit std::atomic<std::uint32_t> g_driven_out;  // entries; which of a full row goes next

// The upper bits name the object, those below them its row.
std::uint64_t hash_of(std::uintptr_t object) {
  return scrambled(object) | (std::uint64_t{1} << 63);
}

bool is_of(std::uint64_t entry, std::uint64_t hash) {
  return (entry ^ hash) >> kNumberBits == 0;
}

// Returns the entry of the object, else one that it may take.
Entry& entry_for(std::uint64_t hash) {
  Entry(&row)[kRow] = g_last[(hash >> (kNumberBits - kLogRows)) & ((1U << kLogRows) - 1)];
  Entry* unused = nullptr;
  for (Entry& entry : row) {
    const std::uint64_t value = entry.load(std::memory_order_relaxed);
    if (is_of(value, hash)) return entry;
    if (value == 0 && unused == nullptr) unused = &entry;
  }
  return unused != nullptr ? *unused : row[g_driven_out.load(std::memory_order_relaxed) % kRow];
}

const Variant* variant_in(std::uint64_t entry, std::uint64_t hash, const LoadedPlan& plan) {
  if (!is_of(entry, hash) || (entry & kNumber) >= plan.variants.size()) return nullptr;
  return &plan.variants[entry & kNumber];
}

// Counts by a load and a store: of two at once one may get lost, and the next stranger drives out the same entry.
void replace(Entry& entry, std::uint64_t before, std::uint64_t after) {
  entry.store(after, std::memory_order_relaxed);
  if (before != 0 && !is_of(before, after))
    g_driven_out.store(g_driven_out.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Returns the next variant that the pass might have used, or this one where there is none.
const Variant* next_for(const Wanted& wanted, const LoadedPlan& plan, const Variant* variant) {
  const Variant* next = variant;
  do {
    next = next + 1 == plan.variants.data() + plan.variants.size() ? plan.variants.data() : next + 1;
  } while (next != variant && !wanted.fits(*next));
  return next;
}

}  // namespace

const Variant* last_variant_of(std::uintptr_t object, const LoadedPlan& plan, const Wanted& wanted) {
  const std::uint64_t hash = hash_of(object);
  const Variant* variant = variant_in(entry_for(hash).load(std::memory_order_relaxed), hash, plan);
  return variant != nullptr && wanted.fits(*variant) ? variant : nullptr;
}

void note_variant_of(std::uintptr_t object, const Lane& lane, bool missed_much) {
  const LoadedPlan& plan = *lane.plan.load(std::memory_order_relaxed);
  const Variant* variant = lane.variant.load(std::memory_order_relaxed);
  const std::uint64_t hash = hash_of(object);
  Entry& entry = entry_for(hash);
  const std::uint64_t before = entry.load(std::memory_order_relaxed);
  if (missed_much && variant_in(before, hash, plan) == variant)
    variant = next_for(lane.progress.wanted, plan, variant);
  const std::uint64_t after =
      (hash & ~kNumber) | (static_cast<std::uint64_t>(variant - plan.variants.data()) & kNumber);
  if (after != before) replace(entry, before, after);
}

}  // namespace memo::runtime
