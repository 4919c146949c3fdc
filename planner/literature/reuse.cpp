#include "planner/literature/reuse.h"

#include <map>
#include <utility>

#include "planner/placing/outcome.h"
#include "planner/problem/bounds.h"
#include "planner/problem/events.h"

namespace memo::planner {
namespace {

class Walk {
 public:
  explicit Walk(const Problem& problem) : problem_(problem), offsets_(problem.buffers.size()) {}

  void birth(BufferIndex index) {
    const Buffer& buffer = problem_.buffers[index];
    std::vector<Offset>& places = free_[{buffer.size, buffer.alignment}];
    if (places.empty()) {
      offsets_[index] = align_up(end_, buffer.alignment);
      end_ = offsets_[index] + buffer.size;
    } else {
      offsets_[index] = places.back();
      places.pop_back();
    }
  }
  void death(BufferIndex index) {
    const Buffer& buffer = problem_.buffers[index];
    free_[{buffer.size, buffer.alignment}].push_back(offsets_[index]);
  }
  [[nodiscard]] const Offsets& offsets() const { return offsets_; }

 private:
  const Problem& problem_;
  Offsets offsets_;
  Offset end_ = 0;
  std::map<std::pair<Bytes, Bytes>, std::vector<Offset>> free_;  // by size and alignment
};

Outcome solve(const Problem& problem, const Limits&) {
  Walk walk(problem);
  follow_events(problem, walk);
  return conclude(problem, walk.offsets());
}

}  // namespace

const Strategy kReuse = {
    .name = "reuse",
    .summary = "In the order of execution; a buffer takes the place of a dead one of exactly its size",
    .cost = "O(n log n)",
    .guarantee = "none",
    .exact = false,
    .refusal = refusal_of_fixed_offsets,
    .solve = solve,
};

}  // namespace memo::planner
