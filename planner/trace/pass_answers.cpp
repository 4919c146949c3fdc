#include "planner/trace/pass_answers.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace memo::planner {
namespace {

constexpr Bytes kSmall = 64;  // an answer of no more than one part in so many of the highest pass is small

// Returns for each pass when the next one of its thread begins: never for the last of several, and at once for an only one, which
// shows nothing.
std::vector<std::uint64_t> next_begins(const Trace& trace) {
  std::map<ThreadIndex, std::size_t> last;  // thread -> its pass before
  std::vector<std::uint64_t> next(trace.passes.size(), 0);
  for (std::size_t p = 0; p < trace.passes.size(); ++p) {
    const auto [before, is_first] = last.try_emplace(trace.passes[p].thread, p);
    if (is_first) continue;
    next[before->second] = trace.passes[p].begin_ns;
    next[p] = UINT64_MAX;
    before->second = p;
  }
  return next;
}

bool is_answer(const Allocation& made, std::uint64_t next_begin) {
  return made.escapes && made.freed && made.size > 0 && made.end_ns < next_begin;
}

std::vector<Allocation*> answers_in(Trace& trace) {
  const std::vector<std::uint64_t> next = next_begins(trace);
  std::vector<Allocation*> answers;
  for (std::size_t p = 0; p < trace.passes.size(); ++p) {
    if (!trace.passes[p].complete) continue;
    for (Allocation& made : trace.passes[p].allocations)
      if (is_answer(made, next[p])) answers.push_back(&made);
  }
  return answers;
}

// Returns the most bytes that a pass of the trace has alive at once, without what outlives it: the slab is about as high.
Bytes highest_peak(const Trace& trace) {
  Bytes highest = 0;
  for (const Pass& pass : trace.passes) highest = std::max(highest, peak_live_bytes(to_problem(pass)));
  return highest;
}

}  // namespace

void end_answers_with_passes(Trace& trace) {
  const std::vector<Allocation*> answers = answers_in(trace);
  if (answers.empty()) return;
  const Bytes small = highest_peak(trace) / kSmall;
  for (Allocation* answer : answers) {
    answer->is_answer = answer->size > small;
    answer->escapes = !answer->is_answer;
  }
}

}  // namespace memo::planner
