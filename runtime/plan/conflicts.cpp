#include <algorithm>
#include <span>

#include "runtime/plan/variant_builder.h"

namespace memo::runtime {
namespace {

std::uint64_t end_of(const LargeSlot& slot) {
  return slot.granule + slot.bytes / kGranule;
}

// Sets the bits from `first` to before `end`, of which there is at least one.
void set_bits(std::uint64_t* words, std::uint32_t first, std::uint32_t end) {
  const std::uint64_t from = ~std::uint64_t{0} << first % 64;
  const std::uint64_t until = ~std::uint64_t{0} >> (63 - (end - 1) % 64);
  const std::uint32_t last = (end - 1) / 64;
  if (first / 64 == last) {
    words[last] |= from & until;
    return;
  }
  words[first / 64] |= from;
  for (std::uint32_t word = first / 64 + 1; word < last; ++word) words[word] = ~std::uint64_t{0};
  words[last] |= until;
}

// Returns the numbers of the places, sorted by where they end.
std::span<const std::uint32_t> sorted_by_end(const GroupBuilder& to) {
  const std::span<std::uint32_t> slots(to.by_end, to.place_count);
  for (std::uint32_t large = 0; large < slots.size(); ++large) slots[large] = large;
  const LargeSlot* large = to.large;
  std::sort(slots.begin(), slots.end(),
            [large](std::uint32_t a, std::uint32_t b) { return end_of(large[a]) < end_of(large[b]); });
  return slots;
}

// Drops the words at either end of the mask that have no bit.
void trim(LargeSlot& slot, const std::uint64_t* mask, std::uint32_t words) {
  std::uint32_t first = 0;
  std::uint32_t end = words;
  while (mask[first] == 0) ++first;
  while (mask[end - 1] == 0) --end;
  slot.mask = mask + first;
  slot.first_word = static_cast<std::uint16_t>(first);
  slot.words = static_cast<std::uint16_t>(end - first);
}

}  // namespace

// Sweeps over the places from the bottom: they alone decide which blocks may be live together. The numbers are in the
// order of the places. So what shares bytes with a slot is, of those that begin below it, what still reaches up to it;
// and of those that begin in it or above, a range of numbers, which begins with the slot itself.
//
//   number   0 |======|
//            1    |============|
//            2        |====|            2 is reached by 1, no longer by 0; 3 begins in it, 4 does not
//            3          |======|
//            4               |===|
//
// Costs a sort, and the words of a mask for each slot.
void find_conflicts(const GroupBuilder& to) {
  const std::uint32_t count = to.place_count;
  const std::uint32_t words = mask_words(count);
  const std::span<const std::uint32_t> by_end = sorted_by_end(to);
  std::uint64_t reaching[kMaxLargePlaces / 64] = {};  // the slots below that end above the place of this one
  std::size_t ended = 0;
  for (std::uint32_t number = 0; number < count; ++number) {
    LargeSlot& slot = to.large[number];
    for (; end_of(to.large[by_end[ended]]) <= slot.granule; ++ended)
      reaching[by_end[ended] / 64] &= ~(std::uint64_t{1} << by_end[ended] % 64);
    std::uint64_t* mask = to.masks + std::uint64_t{number} * words;
    std::copy_n(reaching, words, mask);
    const LargeSlot* beyond =
        std::lower_bound(to.large + number, to.large + count, end_of(slot),
                         [](const LargeSlot& other, std::uint64_t end) { return other.granule < end; });
    set_bits(mask, number, static_cast<std::uint32_t>(beyond - to.large));
    set_bits(reaching, number, number + 1);
    trim(slot, mask, words);
  }
}

}  // namespace memo::runtime
