// The live page: what the library knows about a running process, in a file that the process maps. `memomalloc
// status` reads it from outside, without a signal and without a socket, and it survives the process, whatever
// ends it.
//
//   counters   the library counts in the page itself, so they are exact at every moment
//   gauges     sizes and texts, written anew at most once a second and at each change of the state
//
// `memomalloc release` writes one word, `release_asked`, and waits until the process has copied it to `release_done`. It may
// hold any number: at the worst the process gives back once more what nothing uses.
//
// The writer makes `sequence` odd while it changes the gauges. A reader that finds it odd, or changed after it
// copied the page, copies it again. One version of the library writes one layout: a reader first compares
// `version` and `bytes`.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/formats/memory_buckets.h"
#include "runtime/formats/reasons.h"

namespace memo {

// The folder of a user's pages is the first text with the user's number; the pages in it end in the second.
inline constexpr char kLiveFolder[] = "/dev/shm/memomalloc-";
inline constexpr char kLiveSuffix[] = ".live";

inline constexpr char kLiveMagic[8] = {'M', 'E', 'M', 'O', 'L', 'I', 'V', 'E'};
inline constexpr std::uint32_t kLiveVersion = 1;
inline constexpr std::uint32_t kOwnUses = 4;  // uses of the library's own memory

struct PassCounters {
  std::atomic<std::uint64_t> passes;
  std::atomic<std::uint64_t> served;
  std::atomic<std::uint64_t> served_bytes;
  std::atomic<std::uint64_t> searched;  // allocations that were not what the plan expected next
  std::atomic<std::uint64_t> fallback[kReasonCount];
  std::atomic<std::uint64_t> fallback_bytes;
  std::atomic<std::uint64_t> kept_bytes;  // of these, the ones of blocks that outlive their pass
};

// Passes after the warm-up that began while a plan was in force, and were to be served.
struct SteadyCounters {
  std::atomic<std::uint64_t> passes;
  std::atomic<std::uint64_t> served;
  std::atomic<std::uint64_t> served_bytes;
  std::atomic<std::uint64_t> missed;
  std::atomic<std::uint64_t> missed_bytes;
  std::atomic<std::uint64_t> kept;  // of the missed, those whose block outlives the pass
  std::atomic<std::uint64_t> kept_bytes;
};

// All counters. The inherited ones count the program's own passes; `workers` counts those of workers.
struct Statistics : PassCounters {
  PassCounters workers;
  SteadyCounters steady;
  std::atomic<std::uint64_t> double_free;
  std::atomic<std::uint64_t> bad_free;         // frees of an address inside a block
  std::atomic<std::uint64_t> abandoned;        // passes left without an end
  std::atomic<std::uint64_t> compared_passes;  // of all passes, those given to the heap to compare
  std::atomic<std::uint64_t> compared_blocks, compared_bytes;  // what these asked for: no fallback
  std::atomic<std::uint64_t> plans_loaded;
  std::atomic<std::uint64_t> plans_refused;
  std::atomic<std::uint64_t> plans_grown;
  std::atomic<std::uint64_t> recordings;  // recordings begun in order to plan again
  std::atomic<std::uint64_t> releases;    // times that idle memory went back to the system
  std::atomic<std::uint64_t> released_lane_bytes, released_heap_bytes;
  std::atomic<std::uint64_t> turns_waited,
      turns_in_vain;  // passes that waited for their turn, and of these the ones while the processors were idle
  std::atomic<std::uint64_t>
      pass_memory[kMemoryBuckets];  // passes on lanes, by the most that they may have held at once
  std::atomic<std::uint64_t> pass_memory_bytes;     // the sum of that
  std::atomic<std::uint64_t> own_node, other_node;  // passes on a lane of the thread's node, and of another
};

// The names of the states that more than one program compares.
inline constexpr char kStateServing[] = "serving";
inline constexpr char kStateAside[] = "standing aside";
inline constexpr char kStateAwaiting[] = "awaiting passes";

enum class Finding : std::uint64_t {
  kNothingYet,
  kHelps,
  kNoDifference,  // of more than half a percent
  kHarms,
  kCannotTell,  // after all looks: requests differ too much from one another
};
inline constexpr const char* kFindingNames[] = {"not yet", "helps", "no difference", "harms", "cannot tell"};

// What serving is worth to requests of one kind (runtime/worth/worth.h).
struct Worth {
  Finding finding;
  double share, low, high;         // by which share of what it takes on the heap a served request takes more
  double more_faults;              // page faults of a request
  std::uint64_t pairs;             // compared
  std::uint64_t requests_to_look;  // that the next look still wants
  std::int64_t found_at;           // when, in seconds since 1970; 0 as long as nothing is
  std::uint64_t found_earlier;     // 1 if an earlier start of the program found it (worth_file.h)
};

struct LiveGauges {
  std::uint64_t written;  // nanoseconds since 1970
  std::uint64_t slab_bytes;
  std::uint64_t lanes;           // for passes, that have memory and have not given it back
  std::uint64_t lanes_used;      // of these, the ones that have run a pass
  std::uint64_t worker_lanes;    // that have memory
  std::uint64_t pinned;          // blocks in lanes on which no pass runs; counted only for statistics in full
  std::uint64_t most_of_a_pass;  // the greatest of what Statistics::pass_memory counts
  std::uint64_t aside_passes;    // passes left to the heap, since serving their kind does not pay
  std::uint64_t aside_kinds, of_kinds;
  Worth worth;                       // of the kind that tells most
  std::uint64_t refused_placements;  // times that the kernel placed no pages on a node
  std::uint64_t own[kOwnUses];
  std::uint64_t slab_index;
  std::uint64_t has_heap;  // 1 if the next two are known
  std::uint64_t heap_allocated, heap_resident;
  std::uint64_t plan_hash;  // checksum of the plan's file; 0 without a plan
  std::uint64_t warm_up;    // passes of each kind that the plan takes for the warm-up
  char state[32];
  char plan[512];
};

// The facts of a process that do not change while it lives, and what it would have said.
struct LiveProcess {
  std::uint64_t process;  // its number where it lives: in a container, not the number that the host sees
  std::uint64_t started;  // when the library started in it, in nanoseconds since 1970
  std::uint64_t parent;
  char library[16];  // version of the library
  char mode[16];
  char program[64];  // name of the executable, cut
  char said
      [256];  // the latest trouble that the process may not write to stderr, cut; changes under `sequence`
};

struct LivePage {
  alignas(8) char magic[8];
  std::uint32_t version;
  std::uint32_t bytes;  // sizeof(LivePage)
  std::atomic<std::uint32_t> sequence;
  std::atomic<std::uint32_t>
      release_asked;  // written by `memomalloc release`: another number asks for idle memory
  std::atomic<std::uint32_t> release_done;  // what was asked, once the process has given back what was idle
  std::uint32_t reserved;
  LiveProcess process;
  LiveGauges gauges;
  Statistics counters;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(LivePage) <= 4096);

}  // namespace memo
