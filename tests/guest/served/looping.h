// A pass with a loop in a loop, and the blocks of one: what the programs share that attack loops. Each byte that a block has
// room for is written when it is made and read when it is freed, and no block may share one with another.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/formats/reasons.h"
#include "served.h"

namespace served {

struct Block {
  unsigned char* begin;
  std::size_t room;
  unsigned seed;
};

// Allocations that passes of this process made, served or not, by their own count.
inline std::atomic<std::uint64_t> g_made;

// Seeds differ from block to block, so that bytes of another show.
inline std::atomic<unsigned> g_seed;

[[nodiscard]] inline Block filled_block(void* begin, std::size_t size) {
  EXPECT(begin != nullptr);
  const Block block{static_cast<unsigned char*>(begin), malloc_usable_size(begin), g_seed.fetch_add(1)};
  EXPECT(block.room >= size);
  fill(block.begin, block.room, block.seed);
  return block;
}

inline void check(const Block& block) {
  EXPECT(is_filled(block.begin, block.room, block.seed));
}

inline void check_and_free(const Block& block) {
  check(block);
  free(block.begin);
}

// The live blocks of a pass in the order in which they were made. Allocates nothing itself, so that a pass is counted to its
// last allocation.
class Held {
 public:
  void born(void* begin, std::size_t size) {
    EXPECT(count_ < kMost);
    const Block block = filled_block(begin, size);
    for (std::size_t at = 0; at < count_; ++at) EXPECT(are_apart(block, blocks_[at]));
    blocks_[count_++] = block;
    g_made.fetch_add(1);
  }
  // Takes a block out, for somebody else to free.
  Block taken(std::size_t at) {
    EXPECT(at < count_);
    const Block block = blocks_[at];
    memmove(blocks_ + at, blocks_ + at + 1, (--count_ - at) * sizeof block);
    return block;
  }
  Block youngest() { return taken(count_ - 1); }

  // Frees all blocks but the first `count`, the oldest of them first.
  void drop_to(std::size_t count) {
    for (std::size_t at = count; at < count_; ++at) check_and_free(blocks_[at]);
    count_ = count < count_ ? count : count_;
  }
  void drop_all() { drop_to(0); }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t kMost = 4096;

  static bool are_apart(const Block& a, const Block& b) {
    return a.begin + a.room <= b.begin || b.begin + b.room <= a.begin;
  }

  Block blocks_[kMost];
  std::size_t count_ = 0;
};

// How often the loops of a pass go round.
struct Iterations {
  std::size_t outer;
  std::size_t inner;
};

// Where in them a pass stands.
struct Iteration {
  std::size_t outer;
  std::size_t inner;
};

// The sizes of a pass: `more` hundredths more than profiled; and where it doubles, twice as much in each iteration of the inner loop.
struct Sizes {
  std::size_t more = 0;
  bool doubling = false;

  [[nodiscard]] std::size_t of(std::size_t profiled, std::size_t iteration) const {
    return (profiled << (doubling ? iteration : 0)) + profiled * more / 100;
  }
};

// Runs in the middle of each iteration of the inner loop. Returns false where the pass is to end there.
using Inside = bool (*)(Held& held, const Iteration& at);

inline bool goes_on(Held&, const Iteration&) {
  return true;
}

inline constexpr std::size_t kHeadBytes = 300;
inline constexpr std::size_t kStateBytes = 5000;
inline constexpr std::size_t kNarrowBytes = 120;
inline constexpr std::size_t kWideBytes = 9000;

// Where the blocks of a walk stand among those that it holds.
inline constexpr std::size_t kState = 1;
inline constexpr std::size_t kGathered = 2;  // the first of those that the inner loop has gathered

// Allocates as a pass does whose outer loop hands a block on from one iteration to the next, and whose inner loop gathers one block in each
// iteration and works in another. Returns false, with its blocks in `held`, where it was left. No destructor waits in it, so that a
// longjmp may leave it.
[[gnu::noinline]] inline bool walk(Held& held, const Iterations& iterations, Inside inside,
                                   const Sizes& sizes = {}) {
  held.born(malloc(kHeadBytes), kHeadBytes);
  const std::size_t state = sizes.of(kStateBytes, 0);
  held.born(malloc(state), state);
  for (std::size_t outer = 0; outer < iterations.outer; ++outer) {
    held.born(malloc(state), state);
    check_and_free(held.taken(kState));
    for (std::size_t inner = 0; inner < iterations.inner; ++inner) {
      held.born(malloc(kNarrowBytes), kNarrowBytes);
      const std::size_t wide = sizes.of(kWideBytes, inner);
      held.born(malloc(wide), wide);
      if (!inside(held, {outer, inner})) return false;
      check_and_free(held.youngest());
    }
    held.drop_to(kGathered);
  }
  held.drop_all();
  return true;
}

// Returns the allocations of passes that the statistics know of, served and not.
inline std::uint64_t accounted() {
  std::uint64_t sum = figure("served") + figure("blocks");
  for (const char* reason : memo::kReasonNames) sum += figure(reason);
  return sum;
}

// Holds the statistics against what passes made since this was made, and `others` besides that were not theirs to count.
class Accounts {
 public:
  [[nodiscard]] bool add_up(std::uint64_t others = 0) const {
    return !by_plan() || accounted() - accounted_ == g_made.load() - made_ + others;
  }

 private:
  std::uint64_t accounted_ = accounted();
  std::uint64_t made_ = g_made.load();
};

// Each thread has one for its ordinary passes, and one for each pass that it runs inside of another.
inline thread_local Held t_held[4];
inline thread_local int t_depth = 0;

inline void ordinary_pass(const Iterations& iterations, Inside inside = goes_on, const Sizes& sizes = {}) {
  const Pass pass;
  Held& held = t_held[t_depth++];
  EXPECT(walk(held, iterations, inside, sizes));
  --t_depth;
}

// The numbers of iterations differ from pass to pass, and follow no pattern that would be longer than an iteration: so the planner sees
// loops in loops.
inline void ordinary_passes() {
  static thread_local std::uint64_t number = 0;
  for (const std::uint64_t end = number + 6; number < end; ++number)
    ordinary_pass(
        {.outer = 5 + (number * 0x9e3779b97f4a7c15 >> 33) % 36, .inner = std::size_t{4} << number % 4});
}

}  // namespace served
