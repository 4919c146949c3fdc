// A trace in memory: what `memomalloc profile` recorded, put in order. A pass is complete in itself: it knows
// its allocations with their lifetimes, whichever thread freed them.
//
//   Trace trace = read_trace("memomalloc.server.42.trace");
//   for (const Pass& pass : trace.passes)
//     for (const Allocation& allocation : pass.allocations) …
//
// Time inside a pass is counted in the pass's own events: each of its allocations takes one position, and so
// does each free of one of them by the pass's thread. A free by another thread falls between two positions, as
// the clock tells.
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

// Stands for the module of a function of Python, which has no address.
inline constexpr ModuleIndex kPythonModule = kNone - 1;

// A call site: the return address within its module, the same in every run of the same binary. In a call stack it may be a
// function of Python: then `offset` is its place in Trace::functions.
struct Site {
  ModuleIndex module = kNone;
  std::uint64_t offset = 0;  // the raw address where the module is unknown
  friend auto operator<=>(const Site&, const Site&) = default;
};

struct Allocation {
  std::uint64_t tagged = 0;  // tag << 48 | address
  Bytes size = 0;            // as requested; may be 0
  Bytes alignment = 16;      // as requested; 16 where the program asked for none
  AllocationKind kind = AllocationKind::kMalloc;
  bool freed = false;      // the trace has the free of this block
  bool escapes = false;    // the block was still alive when its pass ended
  bool is_answer = false;  // it was, but may have a place until the thread's next pass (pass_answers.h)
  bool overrun = false;    // a write beyond the block's end was found
  Lifetime life;           // in positions of its pass; ends with the pass where the block escapes
  Site site;
  std::uint32_t stack_pointer = 0;  // caller's, low half: the higher, the shallower, within a thread
  ScopeIndex scope = kNone;         // innermost scope instance, in Pass::scopes
  ThreadIndex thread = 0;
  ThreadIndex freed_by = kNone;
  StackIndex stack = kNone;    // in Trace::stacks
  std::uint64_t begin_ns = 0;  // on the process's monotonic clock
  std::uint64_t end_ns = 0;    // 0: never freed

  [[nodiscard]] std::uint64_t address() const { return trace::address_of(tagged); }
  [[nodiscard]] std::uint16_t tag() const { return trace::tag_of(tagged); }
};

// A call of an operator inside a pass.
struct Scope {
  NameIndex name = 0;         // in Trace::names
  ScopeIndex parent = kNone;  // the scope around it
  Lifetime life;              // in positions of the pass
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
};

// An allocation that an operator read or wrote.
struct Access {
  std::uint32_t allocation =
      kNone;  // in Pass::allocations; kNone: made outside of the pass, as weights and inputs are
  std::uint64_t tagged = 0;
  Bytes size = 0;
};

// An operator of a pass, and its data flow. Only a trace of `profile --data-flow` has any.
struct Operation {
  NameIndex name = 0;         // in Trace::names
  ScopeIndex scope = kNone;   // innermost scope around it, in Pass::scopes
  Time ended = 0;             // the position before which it ended
  std::vector<Access> reads;  // an operator that changes an allocation has it in both lists
  std::vector<Access> writes;
};

struct Pass {
  std::uint64_t number = 0;  // in the order they began in the process, from 1
  ThreadIndex thread = 0;
  NameIndex name = 0;  // what was hooked, or "memo_pass_begin"
  std::uint64_t key = 0;
  bool complete = false;  // its end is in the trace, and no event in between is missing
  Time events = 0;        // number of positions: every lifetime lies in [0, events]
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  std::vector<Scope> scopes;
  std::vector<Allocation> allocations;  // in the order they were made
  std::vector<Operation> operations;    // in the order they ended
};

// A part of the file that could not be used. The rest was read.
struct Damage {
  std::uint64_t offset = 0;
  std::string what;
};

struct Trace {
  std::string path;
  std::uint32_t pid = 0;
  std::uint32_t parent = 0;
  std::vector<std::string> command;
  bool records_all = false;   // allocations outside of passes were recorded, too (`outside`)
  bool keeps_newest = false;  // when the file was full, newer passes replaced the oldest
  bool overwritten = false;   // newer passes did replace older ones

  std::vector<Module> modules;
  std::vector<std::string> names;      // [0] is "?"
  std::vector<std::string> functions;  // of Python: "run (/srv/model.py:12)". [0] is "?"
  std::vector<std::vector<Site>> stacks;
  ThreadIndex threads = 0;
  std::vector<Pass> passes;         // sorted by number
  std::vector<Allocation> outside;  // made outside of passes, lifetimes in nanoseconds; sorted by begin_ns

  std::uint64_t events = 0;
  std::uint64_t lost = 0;             // events the recorder dropped or the file lacks, as far as is known
  std::uint64_t unmatched_frees = 0;  // frees whose allocation should be in the trace and is not
  std::uint64_t tags_wrapped = 0;     // known only if `ended` is true
  std::uint64_t overruns = 0;
  bool ended = false;    // the process closed the trace; otherwise it was killed, or still runs
  bool stopped = false;  // a limit ended the recording
  std::vector<Damage> damage;

  [[nodiscard]] std::string_view name(NameIndex index) const {
    return index < names.size() ? std::string_view(names[index]) : "?";
  }
};

// Thrown where the file is no trace at all, cannot be opened, or is of another version: a sentence that names
// it.
class TraceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[nodiscard]] Trace read_trace(const std::string& path);

// Reads the same from bytes in memory; `name` stands for the path in messages.
[[nodiscard]] Trace parse_trace(std::string_view bytes, const std::string& name);

// Returns equal values for passes that allocated alike: sites, sizes, alignments, scopes and the order of
// allocations and frees. Addresses do not count, so values are comparable between processes that ran the same
// binaries.
[[nodiscard]] std::uint64_t fingerprint(const Trace& trace, const Pass& pass);

// Returns the pass as an allocation problem. Allocations that escape or ask for 0 bytes are left out; `index`,
// unless null, receives the allocation of each buffer.
[[nodiscard]] Problem to_problem(const Pass& pass, std::vector<std::uint32_t>* index = nullptr);

// Returns the bytes alive at once at the worst moment of the pass, escaping allocations included.
[[nodiscard]] Bytes peak_live_bytes(const Pass& pass);
[[nodiscard]] Bytes bytes_requested(const Pass& pass);

}  // namespace memo::planner
