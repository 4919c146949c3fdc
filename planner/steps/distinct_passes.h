// Counts the passes of many traces and keeps one of those that are alike: the replicas of a server run the same passes.
//
//   trace ──► a print of each pass ──► new:   the pass is kept
//                                 └──► known: it is counted, and its content is dropped at once
//
// So memory grows with the distinct passes, and by some bytes for each pass, not with what the traces hold. Passes are alike
// if they have the same name, key and operators, and make the same allocations, with the same lifetimes counted in
// allocations. That is all a plan is made from, so that it does not matter which of them is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "planner/steps/member.h"
#include "planner/trace/trace.h"

namespace memo::planner {

// The passes of a trace.
struct Recording {
  const Trace* trace = nullptr;
  std::uint64_t digest = 0;
  std::vector<std::uint32_t> passes;  // which of the kept passes each is like, in the order of the trace
};

class DistinctPasses {
 public:
  DistinctPasses() = default;
  // Counts the passes of the traces, which must outlive this object.
  explicit DistinctPasses(std::span<const Trace> traces);

  // Counts those of one more.
  void add(const Trace& trace);

  // Counts the passes of the trace, and keeps of it only what a plan needs. Any thread may call it.
  void take(Trace trace);

  // Returns the recordings in an order that follows from what is in them, not from the order in which they came.
  [[nodiscard]] std::vector<const Recording*> recordings() const;
  [[nodiscard]] const Member& operator[](std::uint32_t pass) const { return kept_[pass]; }

 private:
  struct Printed {
    std::uint64_t digest = 0;
    std::vector<std::uint64_t> passes;
  };
  static Printed print(const Trace& trace);
  // Returns which passes of the trace are the first of their kind. They are kept under the name `owner`.
  std::vector<bool> count(const Printed& printed, const Trace& trace, const Trace& owner);

  std::mutex mutex_;  // guards what follows while traces are taken
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
  std::vector<Member> kept_;
  std::deque<Recording> recordings_;
  std::deque<Trace> owned_;
};

// Returns a hash of all in the trace that a plan may depend on. Traces with equal digests are interchangeable.
[[nodiscard]] std::uint64_t digest_of(const Trace& trace);

}  // namespace memo::planner
