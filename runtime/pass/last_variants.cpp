#include "runtime/pass/last_variants.h"

#include <atomic>

#include "runtime/formats/hash.h"

namespace memo::runtime {
namespace {

constexpr int kLogEntries = 8;
constexpr int kNumberBits = 16;
constexpr std::uint64_t kNumber = (1U << kNumberBits) - 1;

// Each entry is the upper bits of the object's hash, and the number of the variant. One word, since several threads read and write it.
constinit std::atomic<std::uint64_t> g_last[1 << kLogEntries];

// The upper bits name the object, those below them its entry.
std::uint64_t hash_of(std::uintptr_t object) {
  return scrambled(object) | (std::uint64_t{1} << 63);
}

std::atomic<std::uint64_t>& entry_of(std::uint64_t hash) {
  return g_last[(hash >> (kNumberBits - kLogEntries)) & ((1U << kLogEntries) - 1)];
}

const Variant* variant_in(std::uint64_t entry, std::uint64_t hash, const LoadedPlan& plan) {
  if ((entry ^ hash) >> kNumberBits != 0 || (entry & kNumber) >= plan.variants.size()) return nullptr;
  return &plan.variants[entry & kNumber];
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
  const Variant* variant = variant_in(entry_of(hash).load(std::memory_order_relaxed), hash, plan);
  return variant != nullptr && wanted.fits(*variant) ? variant : nullptr;
}

void note_variant_of(std::uintptr_t object, const Lane& lane, bool missed_much) {
  const LoadedPlan& plan = *lane.plan.load(std::memory_order_relaxed);
  const Variant* variant = lane.variant.load(std::memory_order_relaxed);
  const std::uint64_t hash = hash_of(object);
  std::atomic<std::uint64_t>& entry = entry_of(hash);
  const std::uint64_t before = entry.load(std::memory_order_relaxed);
  if (missed_much && variant_in(before, hash, plan) == variant)
    variant = next_for(lane.progress.wanted, plan, variant);
  const std::uint64_t after =
      (hash & ~kNumber) | (static_cast<std::uint64_t>(variant - plan.variants.data()) & kNumber);
  if (after != before) entry.store(after, std::memory_order_relaxed);
}

}  // namespace memo::runtime
