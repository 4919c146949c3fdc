// The life of a slot's block, as `freed_at` and the loops around the slot tell it.
#pragma once

#include <cstdint>

namespace memo {

// From one slot of the variant to before another.
struct SlotLife {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Returns the life of the block of `slot`. `loops` are those of the variant, a loop before the loops in it.
//
//   slots      | p | a | b b | c | a | b b | c | q        a loop of period 2 with a loop in each of its iterations
//              0   1   2     4   5   6     8   9
//
//   freed_at of slot 3:   4        its own iteration frees the block: it lives in [3, 4)
//                         5        it leaves the inner loop, any iteration of which may be the last: [2, 5)
//                         2 or 3   a later iteration of the inner loop: [2, 4)
//                         1        a later iteration of the outer loop: [1, 9)
//                         10       what follows the outer loop: [1, 10)
template <typename Loops>
constexpr SlotLife slot_life(const Loops& loops, std::uint32_t slot, std::uint32_t freed_at) {
  SlotLife life{.begin = slot, .end = freed_at};
  bool goes_round = false;
  for (const auto& loop : loops) {
    if (slot < loop.first_slot || slot >= loop.end_slot) continue;
    if (freed_at > loop.end_slot) return {.begin = loop.first_slot, .end = freed_at};
    if (freed_at > slot) continue;
    if (goes_round && freed_at < loop.first_slot) break;
    goes_round = true;
    life = {.begin = loop.first_slot, .end = loop.end_slot};
  }
  return life;
}

}  // namespace memo
