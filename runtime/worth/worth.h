// Decides for each kind of pass (its key) whether passes are served, by measuring in the process itself what that is worth.
//
//   warm-up ──► compared ──(helps, or no difference)──► served ──(10 min)──► compared again
//                  │                                                             ▲
//                  └──────────(harms)──► aside ──(10 min, 40 min, … 4 h)─────────┘
//
// Where the load has changed (load.h), a kind is compared again before its time.
// What an earlier start found (worth_file.h) is taken over: such a kind begins where its finding leads, served or aside.
//
// While a kind is compared (experiment.h), one thread's passes of it are in the experiment, and all others are served: so the heap
// holds the memory of one pass beside the slab at the most. One kind is compared at a time. A kind that stands aside passes by: the
// library does not even see its allocations, since counting each would cost much of what standing aside saves. One such pass in
// sixteen is counted, and the others are taken to allocate as much. So do passes that no variant of the plan is for.
//
// As long as nobody called compare_ways(), as in a test or in a program that embeds the arena, all passes are served, and none
// passes by.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/formats/live_page.h"
#include "runtime/formats/worth_file.h"

namespace memo::runtime {

// Says who plans again where passes do not match any more: a user, or the library by itself.
enum class WhoPlans { kUser, kLibrary };

// Lets passes be compared from now on. To be called once.
void compare_ways(WhoPlans who_plans);

// What is known of the passes of one key. Looked up once a pass: that costs a look at the keys of up to 64 kinds.
struct PassKind;
[[nodiscard]] PassKind& kind_of(std::uint64_t pass_key);

// What becomes of a pass that begins.
enum class Way {
  kSlab,
  kSlabFromNowOn,  // the passes of its kind were compared
  kHeapToCompare,
  kHeap,  // serving stands aside for its kind
};

// Returns the way of a pass of this kind that a thread begins; `thread` is an address that is its own. Passes of the warm-up are
// served. Costs a look at the coarse clock; more clocks are read at the edges of an experiment's blocks.
[[nodiscard]] Way way_of(PassKind& kind, const void* thread, bool is_warm);

// Returns true if passes of this kind go to the heap for now, since serving harms them.
[[nodiscard]] bool stands_aside(const PassKind& kind);

// Counts passes of this kind that begin, or have begun. Returns the number of the last one in this process, from 1 on.
std::uint64_t count_passes(PassKind& kind, std::uint64_t passes = 1);

// Counts passes that went to the heap since serving stands aside for their kind.
void count_aside_passes(std::uint64_t passes);

// Returns the ticks in a second; 0 as long as that is not known.
[[nodiscard]] std::uint64_t ticks_per_second();

// What passes of one kind leave to the heap while they pass by.
class PassingBy {
 public:
  // Returns true for the pass in sixteen that is counted, the first one among them.
  [[nodiscard]] bool counts_the_next() { return begun_.fetch_add(1, std::memory_order_relaxed) % kEach == 0; }

  // Notes what a pass that was counted allocated. The others are taken to do the same.
  void note(std::uint64_t blocks, std::uint64_t bytes) {
    blocks_.store(blocks, std::memory_order_relaxed);
    bytes_.store(bytes, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t blocks() const { return blocks_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t kEach = 16;

  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::uint64_t> blocks_{0};
  std::atomic<std::uint64_t> bytes_{0};
};

// Returns the number of the kind, from 1 to 64: what a thread keeps while its pass runs.
[[nodiscard]] std::uint32_t number_of(const PassKind& kind);

[[nodiscard]] PassingBy& passing_by(PassKind& kind);
[[nodiscard]] PassingBy& passing_by(std::uint32_t number);

// Returns true if passes may pass by.
[[nodiscard]] bool passes_may_go_by();

// Lets what an earlier start found of passes of this key count here, as if it had been found now. To be called when the plan has
// come into force, before its passes begin.
void take_over(std::uint64_t pass_key, const Worth& found);

// Returns how often something was found in this process, so that its keeper can tell that there is more.
[[nodiscard]] std::uint64_t findings_made();

// Copies what was found in this process of the plan in force. Returns false while a thread holds it: ask again later.
[[nodiscard]] bool copy_findings(FoundKind (&out)[kMostFoundKinds], std::uint32_t* count);

// Forgets what was found. To be called when another plan comes into force: what was found of the one before says nothing about it.
void forget_findings();

// Begins the experiment that is under way anew in a copy of the process, and its counts.
void compare_anew_in_copy();

struct WorthFigures {
  Worth
      worth;  // of the kind with most passes, of those that something was found of, or of all where nothing was
  std::uint64_t aside_passes;  // that went to the heap
  std::uint64_t aside_kinds;   // kinds that serving stands aside for now
  std::uint64_t of_kinds;      // all kinds; both leave out those of which no pass has begun here
};
[[nodiscard]] WorthFigures look_at_worth();

}  // namespace memo::runtime
