// Skips passes that serving stands aside for, so that they cost nothing that can be measured: the library does not even begin them.
//
// A pass that passes by (runtime/pass/pass.cpp) lets those of its key be skipped for some milliseconds. The first one after that is looked at again,
// which finds out whether serving still stands aside, and counts those that were skipped. They are taken to allocate as much as the last
// one of their kind that was counted.
//
//   passes    | looked at | skipped … skipped | looked at | skipped …
//   time                  |◄──── 10 ms ──────►|
//
// A skipped pass costs a look at its key's word, and one in eight a look at the clock, which is what costs most. So a thread may skip
// seven passes more. A pass inside it is a part of it, as everywhere.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/formats/hash.h"
#include "runtime/platform/ticks.h"
#include "runtime/slab/progress.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

inline constexpr std::size_t kSkips = 64;
inline constexpr std::size_t kStripes = 8;
inline constexpr std::uint32_t kPassesPerClock = 8;

// Passes that were skipped and not counted yet. Threads share eight of these, so that they hardly wait for a cache line.
struct alignas(64) Skipped {
  std::atomic<std::uint64_t> passes;
};

// The passes of one key. Keys may share one: the last that was let be skipped then has it.
struct Skip {
  std::atomic<std::uint64_t> key;    // plus one; 0: none
  std::atomic<std::uint64_t> until;  // tick; 0: no more
  std::atomic<Reason> why;           // why they go to the heap
  Skipped skipped[kStripes];
};
extern constinit Skip g_skips[kSkips];

// Ticks after which a skipped pass that did not end is taken to be left: a second.
extern constinit std::atomic<std::uint64_t> g_longest_skipped;

// The skipped passes of a thread. Addresses are cut to 32 bits, since static TLS is scarce: those of a stack lie nearer to each other.
struct SkippedPasses {
  std::uint64_t left_at = 0;    // tick from which on the outermost of those that run is taken to be left
  std::uint32_t stack = 0;      // stack pointer where that one began
  std::uint32_t address = 0;    // return address there
  std::uint32_t depth = 0;      // of those that run, one inside the other
  std::uint32_t unclocked = 0;  // skipped since one that looked at the clock, that one included
};
static_assert(sizeof(SkippedPasses) == 24);
extern constinit thread_local SkippedPasses t_skipped __attribute__((tls_model("initial-exec")));

[[nodiscard]] inline Skip& skip_of(std::uint64_t key) {
  static_assert(kSkips == 64);
  return g_skips[key * kSpread >> 58];
}

// Returns where the calling thread counts those that it skips: threads' own memory lies on pages of its own.
[[nodiscard]] inline Skipped& own_stripe(Skip& skip) {
  return skip.skipped[(reinterpret_cast<std::uintptr_t>(&t_skipped) >> 12) % kStripes];
}

// Returns how many passes of the key were skipped since the last call.
[[nodiscard]] std::uint64_t take_skipped(Skip& skip);

// Lets passes of the key, which go to the heap for this reason, be skipped from now on, for a hundredth of a second.
void let_be_skipped(std::uint64_t key, Reason why, std::uint64_t ticks_per_second);

// Skips no pass from now on: another plan is in force, or passes are recorded.
void skip_no_passes();

// Forgets the passes that were not counted yet, in a copy of the process.
void forget_skipped_passes();

[[nodiscard]] inline std::uint32_t low_bits(const void* address) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address));
}

// Returns true if what begins here is part of a skipped pass. What begins no deeper shows that the program left that one without an end.
[[nodiscard]] inline bool is_inside_skipped(std::uintptr_t stack, const void* address) {
  const SkippedPasses& own = t_skipped;
  if (own.depth == 0) [[likely]]
    return false;
  const auto above = static_cast<std::int32_t>(static_cast<std::uint32_t>(stack) - own.stack);
  const bool is_deeper = above < 0 || (above == 0 && low_bits(address) != own.address);
  return is_deeper && ticks_now() < own.left_at;
}

// Returns true if the pass that begins here is skipped. Otherwise it is to be begun as ever.
[[nodiscard]] inline bool skip_pass(std::uint64_t key, std::uintptr_t stack, const void* address) {
  SkippedPasses& own = t_skipped;
  if (is_inside_skipped(stack, address)) return ++own.depth, true;
  own.depth = 0;
  Skip& skip = skip_of(key);
  if (skip.key.load(std::memory_order_relaxed) != key + 1 || t_self.depth != 0) return false;
  const std::uint64_t until = skip.until.load(std::memory_order_relaxed);
  if (until == 0 || (own.unclocked == 0 && ticks_now() >= until)) return false;
  own.unclocked = (own.unclocked + 1) % kPassesPerClock;
  own.stack = static_cast<std::uint32_t>(stack);
  own.address = low_bits(address);
  own.left_at = until + g_longest_skipped.load(std::memory_order_relaxed);
  own.depth = 1;
  own_stripe(skip).passes.fetch_add(1, std::memory_order_relaxed);
  t_self.ignores_operators = true;
  t_self.frame_or_last = kLastWasSkipped | reinterpret_cast<std::uintptr_t>(&skip);
  return true;
}

// Returns true if the pass that ends here was skipped.
[[nodiscard]] inline bool end_skipped_pass() {
  SkippedPasses& own = t_skipped;
  if (own.depth == 0) return false;
  --own.depth;
  return true;
}

}  // namespace memo::runtime
