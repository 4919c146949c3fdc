#include "planner/trace/matching.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace memo::planner {
namespace {

// An allocation that a free may end.
struct Candidate {
  std::uint64_t tagged;
  std::uint64_t ticks;
  std::size_t pass;  // index of the pass; kOutside: in Trace::outside
  std::size_t allocation;
  bool taken = false;
};
constexpr std::size_t kOutside = SIZE_MAX;

class Matching {
 public:
  Matching(Trace& trace, const TraceContext& context, Unmatched& left)
      : trace_(trace), context_(context), left_(left) {}

  void run();

 private:
  [[nodiscard]] std::vector<Candidate> candidates() const;
  [[nodiscard]] Allocation& at(const Candidate& candidate);
  void settle(Candidate& candidate, const PendingFree& free);
  void match(std::vector<Candidate>::iterator begin, std::vector<Candidate>::iterator end,
             const PendingFree* first, const PendingFree* last);

  Trace& trace_;
  const TraceContext& context_;
  Unmatched& left_;
};

std::vector<Candidate> Matching::candidates() const {
  std::vector<Candidate> all;
  for (std::size_t p = 0; p < trace_.passes.size(); ++p) {
    const std::vector<Allocation>& made = trace_.passes[p].allocations;
    for (std::size_t a = 0; a < made.size(); ++a) {
      if (!made[a].freed) all.push_back({made[a].tagged, left_.passes[p].allocation_ticks[a], p, a});
    }
  }
  for (std::size_t a = 0; a < trace_.outside.size(); ++a) {
    all.push_back({trace_.outside[a].tagged, left_.outside_ticks[a], kOutside, a});
  }
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.tagged != b.tagged ? a.tagged < b.tagged : a.ticks < b.ticks;
  });
  return all;
}

Allocation& Matching::at(const Candidate& candidate) {
  return candidate.pass == kOutside ? trace_.outside[candidate.allocation]
                                    : trace_.passes[candidate.pass].allocations[candidate.allocation];
}

void Matching::settle(Candidate& candidate, const PendingFree& free) {
  candidate.taken = true;
  Allocation& freed = at(candidate);
  freed.freed = true;
  freed.overrun = (free.flags & trace::kFreedOverrun) != 0;
  freed.freed_by = free.thread;
  freed.end_ns = context_.to_ns(free.ticks);
  if (candidate.pass == kOutside) return;
  const std::vector<std::uint64_t>& ticks = left_.passes[candidate.pass].position_ticks;
  const auto position = std::upper_bound(ticks.begin(), ticks.end(), free.ticks) - ticks.begin();
  freed.life.end = std::max<Time>(position, freed.life.begin + 1);
  freed.escapes = free.ticks > left_.passes[candidate.pass].end_ticks;
}

// Matches all allocations and frees of one tagged pointer. Nearly always there is one of each. Where the tag
// came again, each free takes the youngest allocation before it. A free whose allocation was overwritten finds
// only younger allocations, or none.
void Matching::match(std::vector<Candidate>::iterator begin, std::vector<Candidate>::iterator end,
                     const PendingFree* first, const PendingFree* last) {
  for (; first != last; ++first) {
    auto younger = std::upper_bound(begin, end, first->ticks, [](std::uint64_t ticks, const Candidate& one) {
      return ticks < one.ticks;
    });
    const bool too_young = younger == begin && trace_.overwritten;
    auto chosen = younger == begin ? begin : std::prev(younger);
    if (chosen == end || chosen->taken || too_young) {
      if (!trace_.overwritten) ++trace_.unmatched_frees;
    } else {
      settle(*chosen, *first);
    }
  }
}

void Matching::run() {
  std::vector<PendingFree>& pending = left_.frees;
  std::vector<Candidate> made = candidates();
  std::sort(pending.begin(), pending.end(), [](const PendingFree& a, const PendingFree& b) {
    return a.tagged != b.tagged ? a.tagged < b.tagged : a.ticks < b.ticks;
  });
  auto group = made.begin();
  for (std::size_t i = 0; i < pending.size();) {
    const std::uint64_t tagged = pending[i].tagged;
    std::size_t next = i;
    while (next < pending.size() && pending[next].tagged == tagged) ++next;
    group = std::lower_bound(group, made.end(), tagged,
                             [](const Candidate& one, std::uint64_t value) { return one.tagged < value; });
    auto end = std::find_if(group, made.end(), [&](const Candidate& one) { return one.tagged != tagged; });
    match(group, end, pending.data() + i, pending.data() + next);
    i = next;
  }
}

}  // namespace

void match_frees(Trace& trace, const TraceContext& context, Unmatched& left) {
  Matching(trace, context, left).run();
}

}  // namespace memo::planner
