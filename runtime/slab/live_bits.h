// Tells which large slots of a lane are live, one bit each, in two sets:
//
//   live = taken and not returned
//
//   taken     written only by the thread whose pass holds the lane: what it takes, and what it frees meanwhile
//   returned  set by every other free; collected into `taken` when a slot seems to be in use
//
// So a pass that frees its own blocks, as passes do, executes no locked instruction. One set for all threads
// would need one for each free and each allocation, some five nanoseconds each.
//
// A third set, held over, is what was live when the pass began.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "runtime/plan/loaded_plan.h"
#include "runtime/platform/processor.h"

namespace memo::runtime {

inline constexpr std::uint32_t kLiveWords = kMaxLargePlaces / 64;

class LiveBits {
 public:
  // Returns true if nothing live shares a byte with the slot. Only the thread that holds the lane may call this
  // and the next two functions: what other threads do meanwhile only makes more slots free.
  [[nodiscard]] bool allow(const LargeSlot& slot) { return !clash(slot) || (collect(slot), !clash(slot)); }

  // Marks a slot as live. If its bit is set in `returned` before it is taken, the block before was freed twice.
  void take(std::uint32_t large) {
    std::atomic<std::uint64_t>& returned = returned_[large / 64];
    if ((returned.load(std::memory_order_relaxed) & bit(large)) != 0) [[unlikely]]
      returned.fetch_and(~bit(large), std::memory_order_relaxed);
    set_own_bits(taken_[large / 64], bit(large));
  }

  // Marks a slot as free.
  void release(std::uint32_t large) { clear_own_bits(taken_[large / 64], bit(large)); }

  // Marks a slot as free, for threads that do not hold the lane.
  void give_back(std::uint32_t large) {
    returned_[large / 64].fetch_or(bit(large), std::memory_order_release);
  }

  [[nodiscard]] bool is_live(std::uint32_t large) const { return (live_word(large / 64) & bit(large)) != 0; }

  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t live = 0;
    for (std::uint32_t word = 0; word < kLiveWords; ++word)
      live += static_cast<std::uint64_t>(std::popcount(live_word(word)));
    return live;
  }

  // Notes what lives where a pass begins: blocks of earlier passes. For the thread that holds the lane, as the next function.
  void note_held_over() {
    for (std::uint32_t word = 0; word < kLiveWords; ++word) held_over_[word] = live_word(word);
  }

  // Returns true if a slot that shares a byte with this one was live when the pass began, and is live.
  [[nodiscard]] bool is_held_over(const LargeSlot& slot) const {
    std::uint64_t held = 0;
    for (std::uint32_t at = 0; at < slot.words; ++at) {
      const std::uint32_t word = slot.first_word + at;
      held |= slot.mask[at] & held_over_[word] & live_word(word);
    }
    return held != 0;
  }

 private:
  static constexpr std::uint64_t bit(std::uint32_t large) { return std::uint64_t{1} << large % 64; }

  [[nodiscard]] std::uint64_t live_word(std::uint32_t word) const {
    const std::uint64_t returned = returned_[word].load(std::memory_order_acquire);
    return taken_[word].load(std::memory_order_relaxed) & ~returned;
  }

  [[nodiscard]] bool clash(const LargeSlot& slot) const {
    std::uint64_t shared = 0;
    for (std::uint32_t word = 0; word < slot.words; ++word) {
      shared |= taken_[slot.first_word + word].load(std::memory_order_relaxed) & slot.mask[word];
    }
    return shared != 0;
  }

  // Moves the returned bits of the slot's words into `taken`. The acquire pairs with the release in
  // give_back(): what the freeing threads did with their blocks happened before those bytes are handed out
  // again.
  __attribute__((noinline, cold)) void collect(const LargeSlot& slot) {
    for (std::uint32_t word = slot.first_word; word < slot.first_word + std::uint32_t{slot.words}; ++word) {
      if (returned_[word].load(std::memory_order_relaxed) == 0) continue;
      clear_own_bits(taken_[word], returned_[word].exchange(0, std::memory_order_acquire));
    }
  }

  std::atomic<std::uint64_t> taken_[kLiveWords];
  std::uint64_t held_over_[kLiveWords] = {};  // see note_held_over()
  alignas(
      64) std::atomic<std::uint64_t> returned_[kLiveWords];  // written by others: not in the same cache line
};

}  // namespace memo::runtime
