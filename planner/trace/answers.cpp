#include "planner/trace/answers.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace memo::planner {
namespace {

constexpr Bytes kSmall = 64;  // an answer of no more than one part in so many of the highest pass is small

// Returns for each pass when the next one of its thread begins.
std::vector<std::uint64_t> next_begins(const Trace& trace) {
  std::vector<std::uint64_t> next_of_thread(trace.threads, UINT64_MAX);
  std::vector<std::uint64_t> next(trace.passes.size(), UINT64_MAX);
  for (std::size_t p = trace.passes.size(); p-- > 0;) {
    const Pass& pass = trace.passes[p];
    if (pass.thread >= next_of_thread.size()) continue;
    next[p] = next_of_thread[pass.thread];
    next_of_thread[pass.thread] = pass.begin_ns;
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

void keep_answers(Trace& trace) {
  const std::vector<Allocation*> answers = answers_in(trace);
  if (answers.empty()) return;
  const Bytes small = highest_peak(trace) / kSmall;
  for (Allocation* answer : answers) answer->escapes = answer->size <= small;
}

}  // namespace memo::planner
