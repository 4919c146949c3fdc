// The plan file: what the planner writes and the arena serves from.
//
//   +--------------+ 0
//   | PlanHeader   |   magic, byte order, version, checksum, size; offset and count of each table
//   +--------------+
//   | PlanModule[] |   the binaries whose code allocates: build-id, path
//   | PlanSite[]   |   call sites: module + offset
//   | PlanCell[]   |   the small-cell zone, shared by all variants
//   | PlanVariant[]|   one for each kind of pass: key, fingerprint, height; ranges of scopes and slots
//   | PlanScope[]  |   operator calls: name, range of slots
//   | PlanSlot[]   |   the allocations of a variant in the order the program makes them
//   | PlanAnchor[] |   what opens a pass where the program does not say so; mostly none
//   | PlanLoop[]   |   slots that a pass goes through again and again; mostly none
//   | PlanFormula[]|   how the sizes of slots follow from a batch and a length, say, or from the iterations of a loop; often none
//   | PlanShapes[] |   what the shapes of a variant asked for; often none
//   | strings      |   NUL-terminated, referred to by byte offset
//   +--------------+ file_bytes
//
// A lane of the arena, which is what the places of the slots mean:
//
//   0          large_start                                                  height
//   +------+---+------------------------------------------------------------+
//   |c0|c1 |...|          large slots, free to overlap each other           |
//   +------+---+------------------------------------------------------------+
//
// A cell serves one block at a time, for any of its slots. Cells lie one after the other in the order of the
// table and never overlap, so one flag for each tells whether the arena may hand it out. A list is a run of cells for
// one slot of a loop, whose blocks each iteration adds to those of the iterations before. A pool is one for several whose blocks
// grow alike. Large slots lie where
// the solver put them. The library works out which of them share bytes when it loads the plan, so no file can
// be wrong about that. Every place is a multiple of 64 bytes from the start of a lane, which is 2 MiB aligned.
//
// Slots have formulas where it is known how their sizes follow from numbers of the pass:
//
//   p, q   the two numbers of its shape, such as a batch and a length. PlanShapes has the largest of each that was profiled.
//   t      how many steps it is beyond the largest shape on one line, such as images, or beyond the longest run of a loop.
//          The formula is a line then: `base`, which is the slot's size, and `factor` more for each step.
//
// The file holds the places of what was profiled, where t is 0; smaller shapes fit there. Nothing lies where it does because of
// formulas: the arena learns from requests that do not fit which numbers passes have. It writes larger sizes into a copy of the
// file, makes each cell as large as the largest of its slots, and drops the large slots in the order of their places, each onto
// those below it that are live at the same time (`freed_at`).
//
// Everything is little-endian, naturally aligned, and refers by index. The reader checks every index before
// it uses one; the checksum is against accidents, not against malice. It finds the tables by the header alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "runtime/formats/hash.h"

namespace memo {

inline constexpr char kPlanMagic[8] = {'M', 'E', 'M', 'O', 'P', 'L', 'A', 'N'};
inline constexpr std::uint32_t kPlanVersion = 1;
inline constexpr std::uint32_t kPlanByteOrder =
    0x0a0b0c0d;  // reads differently on a machine of another byte order

inline constexpr std::uint32_t kGranule = 64;  // places and cells are multiples of it
inline constexpr std::uint64_t kMaxCellBytes = std::uint64_t{0x7fff} * kGranule;
inline constexpr std::uint32_t kMaxLargePlaces =
    4096;  // in each variant, as count_places() counts them (place_runs.h)
inline constexpr std::uint32_t kMaxTableSlots =
    1024;  // in variants that share a table of places, if they are several
inline constexpr std::uint32_t kMaxLists = 1024;  // in each variant
inline constexpr std::uint64_t kListsMayTake =
    1 << 20;  // together, or as much as the largest variant needs for all else
inline constexpr std::uint32_t kMaxVariants = 1024;
inline constexpr std::uint32_t kMaxAnchors = 8;
inline constexpr std::uint32_t kMaxLoops = 1024;      // in each variant
inline constexpr std::uint32_t kMaxLoopDepth = 4;     // loops in each other
inline constexpr std::uint32_t kMaxLoopPeriod = 16;   // iterations that a loop is unrolled to
inline constexpr std::uint32_t kMaxVaryingSizes = 2;  // in each variant
inline constexpr std::uint32_t kFormulaNumbers = 3;   // p, q and t
inline constexpr std::uint32_t kMaxFormulaPower = 2;  // of p and q in a formula
inline constexpr std::uint32_t kMaxFormulaRounding = kGranule;
// The largest numbers that formulas may count in, the smaller of the two first. It bounds the search for those of a pass,
// and no product of their powers, each four times as large, overflows.
inline constexpr std::uint64_t kMaxFormulaNumbers[kMaxVaryingSizes] = {1u << 10, 1u << 16};
inline constexpr std::uint32_t kMaxModules =
    1024;  // bounds, with kMaxSites, the time it takes to find call sites
inline constexpr std::uint32_t kMaxSites = 1u
                                           << 18;  // bounds, with kMaxVariants, the tables of a loaded plan
inline constexpr std::uint32_t kMaxPlanAlignment = 1u << 21;
inline constexpr std::uint64_t kMaxPlanHeight = std::uint64_t{1} << 37;
inline constexpr std::uint32_t kNoScope = 0xffffffff;

// The key of the variant for workers: threads without a pass of their own that allocate for the passes of
// others. No pass has this key, whatever key the program gives.
inline constexpr std::uint64_t kWorkerPassKey = 0x737265'6b726f77;  // "workers" in the file

// A binary. One without a build-id is found by its path. One with neither has its sites at absolute "offsets":
// code made at run time, or a framework that numbers its call sites itself.
struct PlanModule {
  std::uint8_t build_id[32];
  std::uint32_t build_id_bytes;
  std::uint32_t path;  // string; "" where unknown
};

struct PlanSite {
  std::uint32_t module;
  std::uint32_t reserved;
  std::uint64_t offset;  // return address minus the module's load address
};

struct PlanCell {
  std::uint32_t bytes;  // a multiple of 64
};

struct PlanVariant {
  std::uint64_t fingerprint;  // of the sequence of allocations that it was planned from
  std::uint64_t pass_key;     // the key given to memo_pass_begin; 0 fits any pass
  std::uint64_t height;       // bytes of a lane, cells included
  std::uint64_t lower_bound;  // no plan for these lifetimes can be lower
  std::uint32_t first_scope, scope_count;
  std::uint32_t first_slot, slot_count;
  std::uint32_t strategy;   // string: the strategy that solved it
  std::uint32_t unplanned;  // allocations left to the heap
  std::uint32_t shapes;     // shapes of the profile that it serves: more than one where sizes lie on a line
  std::uint32_t warm_up;    // passes of each kind that a process runs before its passes recur
};

// Scopes are sorted by first_slot and nest properly: a scope's range holds the ranges of the scopes inside
// it. Slot numbers are relative to the variant's first.
struct PlanScope {
  std::uint64_t name_hash;  // scope_name_hash() of the name
  std::uint32_t name;       // string
  std::uint32_t first_slot, end_slot;
  std::uint32_t parent;  // scope of the same variant, or kNoScope
};

// The place of a slot's block. kHeap: the heap serves the block, since no place would do. kKept: the heap serves it, since
// the program keeps it beyond its pass, where it would hold a place in the next one. Such a slot is still in the plan, so
// that the cursor expects it and the block does not take the place of another. kList: each iteration of the loop takes the
// next cell of the slot's list; the heap serves what comes when all of them are taken. kPool: likewise, of blocks that grow
// alike. It has as many cells as live at once, however long the loop runs.
enum class PlanZone : std::uint32_t { kCell = 0, kLarge = 1, kHeap = 2, kList = 3, kKept = 4, kPool = 5 };

[[nodiscard]] constexpr bool is_on_heap(PlanZone zone) {
  return zone == PlanZone::kHeap || zone == PlanZone::kKept;
}
[[nodiscard]] constexpr bool has_list(PlanZone zone) {
  return zone == PlanZone::kList || zone == PlanZone::kPool;
}

// The cells of a list: those of one slot, or of all that share a pool, and no other's.
struct PlanList {
  std::uint32_t first;  // number of its first cell
  std::uint32_t cells;  // how many it has, one after the other
  friend constexpr bool operator==(const PlanList&, const PlanList&) = default;
};

struct PlanSlot {
  std::uint64_t size;  // bytes asked for in the profile
  std::uint64_t
      place;  // number of its cell, or offset in the lane; 0 on the heap; place_of(PlanList) for a list or pool
  std::uint32_t site;
  std::uint32_t scope;   // innermost scope of the same variant, or kNoScope
  std::uint32_t spread;  // the smallest block that the profile had here took so many bytes less than `size`
  std::uint32_t alignment;  // a power of two; up to 64 for cells
  std::uint32_t
      freed_at;  // the slot before whose allocation this block is freed; slot_count: at the pass's end.
                 // A slot that is not after this one means, in a loop, the slot of a later iteration
                 // (runtime/formats/slot_life.h).
  PlanZone zone;
};

// An anchor: an allocation of `least` to `most` bytes at this site ends the thread's pass and begins another. A
// plan with anchors knows no other passes.
struct PlanAnchor {
  std::uint64_t least, most;
  std::uint64_t pass_key;  // key of the passes that it opens
  std::uint32_t site;
  std::uint32_t reserved;
};

// A loop: a body that the pass runs any number of times. The plan repeats the body until the blocks that one
// iteration hands on to the next are back in their places: iteration k has the slots of iteration k modulo the
// period.
//
//   slots   | before |  iteration 0  |  iteration 1  | behind |
//                    first_slot                      end_slot      two times `slots`: the period is 2
//
// The scopes of the body are repeated as often, `scopes` for each iteration; or it has none.
//
// A body may have loops in it, up to kMaxLoopDepth in each other. Each of the iterations that the plan has of a body then has
// its own copy of the inner loop. An inner loop lies in one iteration, with its slots and with its scopes:
//
//   slots   | before | a | b b | c | a | b b | c | behind |      the outer loop has the period 2, and the inner one, too
//                        |-----|       |-----|                   three loops in the table
//                    |-------------------------|
//
// The table has the loops of a variant in the order of their slots, a loop before those in it.
struct PlanLoop {
  std::uint32_t variant;
  std::uint32_t first_slot, end_slot;
  std::uint32_t slots;  // of one iteration
  std::uint32_t first_scope, end_scope;
  std::uint32_t scopes;  // of one iteration
  std::uint32_t reserved;
};

// The size of a slot: `base + factor * p^powers[0] * q^powers[1] * t^powers[2]`, and up to `rounding` bytes more. Sorted by
// variant and slot. One that counts in t counts in nothing else, and exactly.
struct PlanFormula {
  std::uint32_t variant;
  std::uint32_t slot;  // of the variant
  std::uint64_t base, factor;
  std::uint32_t rounding;
  std::uint8_t powers[kFormulaNumbers];
  std::uint8_t reserved;
};

// What the shapes of a variant asked for that serves many. For people; the arena reads only `most`, where the variant has
// formulas. The numbers are sorted by it, and so are the variants.
struct PlanShapes {
  std::uint32_t variant;
  std::uint32_t varying;                  // numbers that the sizes follow, such as a batch and a length
  std::uint64_t least_bytes, most_bytes;  // that the smallest and the largest shape asked for in all
  std::uint64_t alone_bytes;              // the highest peak of a shape alone
  std::uint64_t least[kMaxVaryingSizes], most[kMaxVaryingSizes];
};

// What the tables of a file have elements of, in the order of the header and of the file. The strings are bytes.
template <typename... Elements>
struct PlanElements {
  static constexpr std::uint32_t kTables = sizeof...(Elements);
  static constexpr std::uint32_t kBytes[] = {sizeof(Elements)...};

  // Returns the number of the table that has these elements.
  template <typename Element>
  static constexpr std::uint32_t number() {
    constexpr bool kIsIt[] = {std::is_same_v<Element, Elements>...};
    std::uint32_t number = 0;
    while (!kIsIt[number]) ++number;
    return number;
  }
};
using PlanTables = PlanElements<PlanModule, PlanSite, PlanCell, PlanVariant, PlanScope, PlanSlot, PlanAnchor,
                                PlanLoop, PlanFormula, PlanShapes, char>;

struct PlanTable {
  std::uint64_t offset;  // from the start of the file, a multiple of 8
  std::uint64_t count;   // elements
};

struct PlanHeader {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint64_t checksum;  // plan_checksum() of everything after this field
  std::uint64_t file_bytes;
  std::uint64_t large_start;  // end of the cells, rounded up to the largest alignment of a large slot
  PlanTable tables[PlanTables::kTables];

  template <typename Element>
  [[nodiscard]] constexpr PlanTable& table() {
    return tables[PlanTables::number<Element>()];
  }
  template <typename Element>
  [[nodiscard]] constexpr const PlanTable& table() const {
    return tables[PlanTables::number<Element>()];
  }
};

static_assert(sizeof(PlanHeader) == 40 + 11 * 16 && sizeof(PlanModule) == 40 && sizeof(PlanSite) == 16 &&
              sizeof(PlanVariant) == 64 && sizeof(PlanScope) == 24 && sizeof(PlanSlot) == 40 &&
              sizeof(PlanAnchor) == 32 && sizeof(PlanLoop) == 32 && sizeof(PlanFormula) == 32 &&
              sizeof(PlanShapes) == 64);

constexpr std::uint64_t place_of(const PlanList& list) {
  return std::uint64_t{list.cells} << 32 | list.first;
}

// Returns true if the size is `base` and `factor` more for each step.
constexpr bool is_line(const PlanFormula& formula) {
  return formula.powers[2] != 0;
}

constexpr PlanList list_at(std::uint64_t place) {
  return {.first = static_cast<std::uint32_t>(place), .cells = static_cast<std::uint32_t>(place >> 32)};
}

// Returns true if the profile had a block of this size in the slot, or both a smaller and a larger one.
constexpr bool was_seen_in(const PlanSlot& slot, std::uint64_t size) {
  return size <= slot.size && slot.size - size <= slot.spread;
}

// Returns the number of the first table that is not aligned, or does not lie in a file of `bytes` after its header;
// PlanTables::kTables if all of them do.
constexpr std::uint32_t first_table_outside(const PlanHeader& header, std::uint64_t bytes) {
  std::uint32_t number = 0;
  for (const PlanTable& table : header.tables) {
    if (table.offset % 8 != 0 || table.offset < sizeof header || table.offset > bytes) break;
    if (table.count > (bytes - table.offset) / PlanTables::kBytes[number]) break;
    ++number;
  }
  return number;
}

// The checksum covers everything after its own field.
inline constexpr std::size_t kPlanChecksumStart = offsetof(PlanHeader, file_bytes);

// Returns the checksum: multiplies and folds, eight bytes at a time.
inline std::uint64_t plan_checksum(const unsigned char* bytes, std::size_t count) {
  std::uint64_t sum = kSpread ^ count;
  for (std::size_t at = 0; at < count; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, count - at < 8 ? count - at : 8);
    sum = (sum ^ word) * 0xff51afd7ed558ccd;
    sum ^= sum >> 32;
  }
  return sum;
}

// Returns the FNV-1a hash of a name. The arena looks scopes up by it; hooks compute it once for each symbol.
constexpr std::uint64_t scope_name_hash(const char* name) {
  std::uint64_t hash = kFnvBegin;
  for (; *name != '\0'; ++name) hash = fnv_added(hash, static_cast<unsigned char>(*name));
  return hash;
}

}  // namespace memo
