#include "runtime/plan/variant_builder.h"

namespace memo::runtime {
namespace {

bool share_bytes(const LargeSlot& a, const LargeSlot& b) {
  return a.granule < b.granule + b.bytes / kGranule && b.granule < a.granule + a.bytes / kGranule;
}

}  // namespace

// Compares every pair of large slots: the places themselves decide which may be live together. A slot conflicts
// with itself, too.
void find_conflicts(Builder& to) {
  const std::uint32_t words = mask_words(to.variant.large_count);
  for (std::uint32_t a = 0; a < to.variant.large_count; ++a) {
    std::uint64_t* mask = to.masks + std::uint64_t{a} * words;
    for (std::uint32_t b = 0; b < to.variant.large_count; ++b) {
      if (share_bytes(to.large[a], to.large[b])) mask[b / 64] |= std::uint64_t{1} << b % 64;
    }
    std::uint32_t first = 0;
    std::uint32_t end = words;
    while (mask[first] == 0) ++first;
    while (mask[end - 1] == 0) --end;
    to.large[a].mask = mask + first;
    to.large[a].first_word = static_cast<std::uint16_t>(first);
    to.large[a].words = static_cast<std::uint16_t>(end - first);
  }
}

}  // namespace memo::runtime
