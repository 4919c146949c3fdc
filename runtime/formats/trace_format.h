// The trace on disk: what the recorder writes and the planner reads. Little-endian, every field aligned to
// its size, every block a multiple of eight bytes. The one version number below covers everything in this
// file.
//
//   file    = block…                      blocks are appended whole, by any thread, in no particular order
//   block   = BlockHeader payload
//
//            0         4        6        8              12             16                       24
//            +---------+--------+--------+--------------+--------------+------------------------+
//            | "MMTR"  |version | kind   | payload bytes| thread       | checksum               |
//            +---------+--------+--------+--------------+--------------+------------------------+
//         24 | sequence         | lost events            | ticks        | nanoseconds            | 56
//            +------------------+------------------------+--------------+------------------------+
//
//   The checksum covers the header (with its own field as 0) and the payload. A reader that meets anything
//   else looks for the next header whose checksum is right, so a torn block costs itself and nothing after
//   it. `sequence` counts the blocks of one thread from 0: a gap is a lost block, a repetition is a copy to
//   ignore. `ticks` and `nanoseconds` are one moment on both clocks, so that ticks can be turned into time.
//
//   A trace that keeps the newest passes is written as a ring (trace_ring.h): blocks stand in any order, with
//   stretches of zeros between them, and the first blocks of a thread may be missing.
//
//   payload by kind:
//     kProcess   ProcessRecord, then the command line (NUL-separated)     the first block to be written
//     kModules   ModuleRecord { build-id, path } …                        what was mapped from `ticks` on
//     kNames     NameRecord { text } …                                    scopes' and passes' names
//     kEvents    event…                                                   what one thread did, in its order
//     kStacks    StackRecord { frames } …                                 with --stacks only
//     kEnd       EndRecord                                                the process ended in good order
//     kFunctions NameRecord { text } …                                    functions of Python in stacks
//
//   event   = EventHead field…                `words` counts everything, so an unknown kind can be stepped
//   over
//
//            0      1      2      3           4                        8                         16
//            +------+------+------+-----------+------------------------+-------------------------+
//            | kind | flags| words| alignment | detail                 | ticks                   |
//            +------+------+------+-----------+------------------------+-------------------------+
//     kAllocate    detail: stack pointer | tagged pointer | size | return address [ | stack id ]
//     kFree        detail: 0           | tagged pointer
//     kPassBegin   detail: name id     | pass number | key
//     kPassEnd     detail: 0           | pass number
//     kScopeBegin  detail: name id
//     kScopeEnd    detail: name id
//     kOperator    detail: name id                                        with --data-flow only: an operator ended,
//     kReads       detail: 0           | tagged pointer | size            and these follow it:
//     kWrites      detail: 0           | tagged pointer | size
//
//   Stack pointer: the caller's, its low half. Within a thread it tells who allocates deeper.
//
//   Tagged pointer: tag << 48 | address. The tag is the generation of that address, so a free names exactly
//   one allocation, whatever thread wrote it and wherever in the file it stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/formats/hash.h"

namespace memo::trace {

inline constexpr std::uint32_t kMagic = 0x52544D4D;  // "MMTR" in the file
inline constexpr std::uint16_t kVersion = 1;
inline constexpr std::uint32_t kMaxPayload = 1U << 20;

enum class BlockKind : std::uint16_t { kProcess = 1, kModules, kNames, kEvents, kStacks, kEnd, kFunctions };

struct BlockHeader {
  std::uint32_t magic;
  std::uint16_t version;
  BlockKind kind;
  std::uint32_t payload_bytes;
  std::uint32_t thread;  // dense number of the thread within the process; 0 for blocks of no thread
  std::uint64_t checksum;
  std::uint64_t sequence;
  std::uint64_t lost;  // events of this thread, up to here, that the recorder could not record
  std::uint64_t ticks;
  std::uint64_t nanoseconds;
};
static_assert(sizeof(BlockHeader) == 56);

struct ProcessRecord {
  std::uint32_t pid;
  std::uint32_t parent;
  std::uint32_t flags;
  std::uint32_t command_bytes;
};
static_assert(sizeof(ProcessRecord) == 16);

inline constexpr std::uint32_t kRecordsAll = 1;  // allocations outside of passes are recorded, too
inline constexpr std::uint32_t kKeepsNewest =
    2;  // older events gave way to newer ones where the file was full

// Followed by build_id_bytes and path_bytes of text, together padded with zeros to eight bytes.
struct ModuleRecord {
  std::uint64_t begin;  // mapped range; return addresses inside it belong to the module
  std::uint64_t end;
  std::uint64_t bias;  // address - bias = the address in the file's own terms, as nm and addr2line print it
  std::uint32_t build_id_bytes;
  std::uint32_t path_bytes;
};
static_assert(sizeof(ModuleRecord) == 32);

// Followed by `bytes` of text, padded with zeros to eight bytes.
struct NameRecord {
  std::uint32_t id;  // from 1; 0 stands for "unknown"
  std::uint32_t bytes;
};
static_assert(sizeof(NameRecord) == 8);

// Followed by `frames` words of eight bytes, innermost first: return addresses, or numbers of functions (kFunctions) with
// kFunctionFrame added.
struct StackRecord {
  std::uint32_t id;  // from 1; 0 stands for "not taken"
  std::uint32_t frames;
};
static_assert(sizeof(StackRecord) == 8);

// No address of a program has this bit.
inline constexpr std::uint64_t kFunctionFrame = std::uint64_t{1} << 63;

struct EndRecord {
  std::uint64_t passes;
  std::uint64_t tags_wrapped;  // times a generation went from 65535 to 0
  std::uint64_t overruns;      // blocks whose end was found overwritten when they were freed
  std::uint64_t stopped;       // 1: recording stopped at a limit, the process went on
};
static_assert(sizeof(EndRecord) == 32);

enum class EventKind : std::uint8_t {
  kAllocate = 1,
  kFree,
  kPassBegin,
  kPassEnd,
  kScopeBegin,
  kScopeEnd,
  kOperator,
  kReads,
  kWrites
};

// Says how the program asked for memory, in the low bits of an allocation's flags. A realloc that moves its
// block is an allocation of kind kRealloc followed by the free of the old block; one that does not is the free
// followed by the allocation.
enum class AllocationKind : std::uint8_t { kMalloc, kCalloc, kRealloc, kAligned, kNew, kNewAligned };

inline constexpr std::uint8_t kAllocationKindMask = 0x07;
inline constexpr std::uint8_t kHasStack = 0x08;        // the allocation has a fifth field: a stack id
inline constexpr std::uint8_t kScopeUnknown = 0x10;    // made on a stack that is not the thread's own
inline constexpr std::uint8_t kFreedOutsider = 0x01;   // a free of a block whose allocation was not recorded
inline constexpr std::uint8_t kFreedByRealloc = 0x02;  // a free that is half of a realloc
inline constexpr std::uint8_t kFreedOverrun = 0x04;    // a free that found the block's end overwritten

struct EventHead {
  EventKind kind;
  std::uint8_t flags;
  std::uint8_t words;           // of eight bytes, this head included
  std::uint8_t alignment_log2;  // allocations only
  std::uint32_t detail;
  std::uint64_t ticks;
};
static_assert(sizeof(EventHead) == 16);

struct AllocateEvent {
  EventHead head;
  std::uint64_t tagged;
  std::uint64_t size;
  std::uint64_t site;
};
static_assert(sizeof(AllocateEvent) == 40);

// An allocation with kHasStack. `stack` is the number of a stack in a kStacks block; 0 if none could be taken.
struct AllocateWithStackEvent {
  AllocateEvent allocation;
  std::uint64_t stack;
};
static_assert(sizeof(AllocateWithStackEvent) == 48);

struct FreeEvent {
  EventHead head;
  std::uint64_t tagged;
};
static_assert(sizeof(FreeEvent) == 24);

struct PassBeginEvent {
  EventHead head;
  std::uint64_t pass;
  std::uint64_t key;
};
static_assert(sizeof(PassBeginEvent) == 32);

struct PassEndEvent {
  EventHead head;
  std::uint64_t pass;
};
static_assert(sizeof(PassEndEvent) == 24);

struct ScopeEvent {
  EventHead head;
};
static_assert(sizeof(ScopeEvent) == 16);

// An operator that ended, by its name. What it read and wrote follows.
struct OperatorEvent {
  EventHead head;
};
static_assert(sizeof(OperatorEvent) == 16);

// An allocation that the operator before it read (kReads) or wrote (kWrites). Its size is here too, since weights and
// inputs are allocations of no pass.
struct AccessEvent {
  EventHead head;
  std::uint64_t tagged;
  std::uint64_t size;
};
static_assert(sizeof(AccessEvent) == 32);

inline constexpr int kTagShift = 48;
inline constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << kTagShift) - 1;

constexpr std::uint64_t tag_address(std::uint64_t address, std::uint16_t tag) {
  return std::uint64_t{tag} << kTagShift | (address & kAddressMask);
}
constexpr std::uint16_t tag_of(std::uint64_t tagged) {
  return static_cast<std::uint16_t>(tagged >> kTagShift);
}
constexpr std::uint64_t address_of(std::uint64_t tagged) {
  return tagged & kAddressMask;
}

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + 7) & ~std::size_t{7};
}

// Returns a checksum that any change of one bit changes. Reads about 4 bytes a cycle, so that a pass pays
// microseconds for it. `bytes` is a multiple of eight.
inline std::uint64_t checksum_words(std::uint64_t seed, const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  std::uint64_t hash = seed;
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, from + i, 8);
    hash = (hash ^ word) * kSpread;
    hash ^= hash >> 29;
  }
  return hash;
}

inline std::uint64_t block_checksum(BlockHeader header, const void* payload) {
  header.checksum = 0;
  return checksum_words(checksum_words(kMagic, &header, sizeof header), payload, header.payload_bytes);
}

}  // namespace memo::trace
