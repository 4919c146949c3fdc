// A trace in memory: what `memomalloc profile` recorded, put in order. Passes are complete stories: each
// knows its allocations with their lifetimes, whoever freed them.
//
//   Trace trace = read_trace("memomalloc.server.42.trace");
//   for (const Pass& pass : trace.passes)
//     for (const Allocation& allocation : pass.allocations) …
//
// Time inside a pass is counted in its own events: each of its allocations takes one position, and so does
// each free of one of them by the pass's thread. A free by another thread falls between two of them, where
// the clock puts it.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "planner/problem/problem.h"
#include "runtime/formats/trace_format.h"

namespace memo::planner {

using ModuleIndex = std::uint32_t;
using ThreadIndex = std::uint32_t;
using NameIndex = std::uint32_t;
using ScopeIndex = std::uint32_t;
using StackIndex = std::uint32_t;
using memo::trace::AllocationKind;

inline constexpr std::uint32_t kNone = UINT32_MAX;

// A file that was mapped into the process. The same file mapped twice (or unloaded and loaded again) is one
// module.
struct Module {
  std::string path;
  std::string build_id;  // lower-case hexadecimal; empty where the file has none
};

// Where a caller stood: the return address within its module, the same in every run of the same binary.
struct Site {
  ModuleIndex module = kNone;
  std::uint64_t offset = 0;  // the raw address where the module is unknown
  friend auto operator<=>(const Site&, const Site&) = default;
};

struct Allocation {
  std::uint64_t tagged = 0;  // tag << 48 | address
  Bytes size = 0;            // as asked for; may be 0
  Bytes alignment = 16;      // as asked for; 16 where nothing was said
  AllocationKind kind = AllocationKind::kMalloc;
  bool freed = false;    // the trace has its free
  bool escapes = false;  // still alive when its pass ended
  bool overrun = false;  // its end was found overwritten
  Lifetime life;         // in positions of its pass; an escaping one ends with the pass
  Site site;
  std::uint32_t stack_pointer = 0;  // of the caller, its low half: the higher, the shallower, within a thread
  ScopeIndex scope = kNone;         // innermost scope instance, in Pass::scopes
  ThreadIndex thread = 0;
  ThreadIndex freed_by = kNone;
  StackIndex stack = kNone;    // in Trace::stacks
  std::uint64_t begin_ns = 0;  // on the process's monotonic clock
  std::uint64_t end_ns = 0;    // 0: never freed

  [[nodiscard]] std::uint64_t address() const { return trace::address_of(tagged); }
  [[nodiscard]] std::uint16_t tag() const { return trace::tag_of(tagged); }
};

// One call of an operator inside a pass.
struct Scope {
  NameIndex name = 0;         // in Trace::names
  ScopeIndex parent = kNone;  // the scope around it
  Lifetime life;              // in positions of the pass
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
};

struct Pass {
  std::uint64_t number = 0;  // in the order they began in the process, from 1
  ThreadIndex thread = 0;
  NameIndex name = 0;  // what was hooked, or "memo_pass_begin"
  std::uint64_t key = 0;
  bool complete = false;  // its end is in the trace, and nothing of it is missing in between
  Time events = 0;        // positions: every lifetime lies in [0, events]
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  std::vector<Scope> scopes;
  std::vector<Allocation> allocations;  // in the order they were made
};

// Something in the file that could not be used. Everything else was read.
struct Damage {
  std::uint64_t offset = 0;
  std::string what;
};

struct Trace {
  std::string path;
  std::uint32_t pid = 0;
  std::uint32_t parent = 0;
  std::vector<std::string> command;
  bool records_all = false;   // `outside` was recorded
  bool keeps_newest = false;  // where the file was full, the oldest passes gave way to newer ones
  bool overwritten = false;   // and that has happened

  std::vector<Module> modules;
  std::vector<std::string> names;  // [0] is "?"
  std::vector<std::vector<Site>> stacks;
  ThreadIndex threads = 0;
  std::vector<Pass> passes;         // by number
  std::vector<Allocation> outside;  // outside passes, lifetimes in nanoseconds; by begin_ns

  std::uint64_t events = 0;
  std::uint64_t lost = 0;             // events the recorder dropped or the file lacks, as far as is known
  std::uint64_t unmatched_frees = 0;  // frees whose allocation should be in the trace and is not
  std::uint64_t tags_wrapped = 0;     // known when ended is true
  std::uint64_t overruns = 0;
  bool ended = false;    // the process closed the trace; else it was killed, or still runs
  bool stopped = false;  // a limit ended the recording
  std::vector<Damage> damage;

  [[nodiscard]] std::string_view name(NameIndex index) const {
    return index < names.size() ? std::string_view(names[index]) : "?";
  }
};

// The file is no trace at all, cannot be opened, or is of another version: a sentence that names it.
class TraceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[nodiscard]] Trace read_trace(const std::string& path);

// The same from bytes in memory; `name` stands for the path in messages.
[[nodiscard]] Trace parse_trace(std::string_view bytes, const std::string& name);

// Equal for passes that allocated alike: sites, sizes, alignments, scopes and the order of allocations and
// frees. Independent of addresses, so comparable between processes that ran the same binaries.
[[nodiscard]] std::uint64_t fingerprint(const Trace& trace, const Pass& pass);

// The pass as an allocation problem. Allocations that escape or ask for nothing are left out; `index`, where
// wanted, says which allocation each buffer is.
[[nodiscard]] Problem to_problem(const Pass& pass, std::vector<std::uint32_t>* index = nullptr);

// Bytes alive at once at the worst moment of the pass, escaping ones included.
[[nodiscard]] Bytes peak_live_bytes(const Pass& pass);
[[nodiscard]] Bytes bytes_requested(const Pass& pass);

}  // namespace memo::planner
