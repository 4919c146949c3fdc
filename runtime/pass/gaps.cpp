#include "runtime/pass/gaps.h"

#include <algorithm>

#include "runtime/plan/variant_builder.h"

namespace memo::runtime {
namespace {

// Large slots of a variant: one bit for each.
class LargeSet {
 public:
  // Holds the slots that are large enough.
  LargeSet(const Variant& variant, std::uint64_t size) : words_(mask_words(variant.place_count)) {
    for (std::uint32_t number = 0; number < variant.place_count; ++number) {
      const LargeSlot& slot = variant.large[number];
      if (slot.bytes >= size) set_[number / 64] |= bit(number);
    }
  }

  // Takes those out that share a byte with the slot.
  void leave_out(const LargeSlot& slot) {
    for (std::uint32_t at = 0; at < slot.words; ++at) set_[slot.first_word + at] &= ~slot.mask[at];
  }

  // Does so unless none would be left. Returns false then.
  [[nodiscard]] bool can_leave_out(const LargeSlot& slot) {
    const LargeSet before = *this;
    leave_out(slot);
    if (!is_empty()) return true;
    *this = before;
    return false;
  }

  [[nodiscard]] bool is_empty() const {
    return std::all_of(set_, set_ + words_, [](std::uint64_t word) { return word == 0; });
  }

  [[nodiscard]] bool has(std::uint32_t number) const { return (set_[number / 64] & bit(number)) != 0; }

 private:
  static constexpr std::uint64_t bit(std::uint32_t number) { return std::uint64_t{1} << number % 64; }

  std::uint64_t set_[kLiveWords] = {};
  std::uint32_t words_;
};

void leave_out_what_lives(LargeSet& places, const Search& search) {
  const Variant& variant = *search.variant;
  for (std::uint32_t number = 0; number < variant.place_count; ++number)
    if (search.lane.live.is_live(number)) places.leave_out(variant.large[number]);
}

// Leaves the next large slots of the plan their bytes, until one takes the last of the places.
void leave_to_those_to_come(LargeSet& places, const Search& search) {
  const Variant& variant = *search.variant;
  for (std::uint32_t slot = search.at; slot < variant.slot_count; ++slot) {
    const std::uint32_t number = variant.large_of[slot];
    if (number < variant.place_count && !places.can_leave_out(variant.large[number])) return;
  }
}

// Returns the number of the smallest of the slots; kNone where there is none.
std::uint32_t smallest_of(const LargeSet& places, const Variant& variant) {
  std::uint32_t smallest = kNone;
  for (std::uint32_t number = 0; number < variant.place_count; ++number) {
    const bool smaller = smallest == kNone || variant.large[number].bytes < variant.large[smallest].bytes;
    if (smaller && places.has(number)) smallest = number;
  }
  return smallest;
}

}  // namespace

bool take_gap(Search& search) {
  LargeSet places(*search.variant, search.request.size);
  leave_out_what_lives(places, search);
  if (places.is_empty()) return false;
  leave_to_those_to_come(places, search);
  const std::uint32_t number = smallest_of(places, *search.variant);
  return number != kNone && take_large(search, number);
}

}  // namespace memo::runtime
