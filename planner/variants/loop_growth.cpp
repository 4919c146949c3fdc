#include "planner/variants/loop_growth.h"

#include <algorithm>

#include "planner/problem/problem.h"

namespace memo::planner {
namespace {

constexpr std::size_t kLeastSteps = 3;  // more than two runs of a few iterations reach by chance

}  // namespace

void LoopGrowth::Line::go_on(const Instance& from, const Instance& to) {
  const auto iterations = static_cast<Bytes>(to.iteration - from.iteration);
  const Bytes more = to.size - from.size;
  if (steps == 0 && iterations > 0) slope = more / iterations;
  ++steps;
  broken = broken || slope <= 0 || more != slope * iterations;
}

void LoopGrowth::add(std::size_t run, std::size_t iteration, std::uint32_t place, const Allocation& made) {
  Line& line = lines_[place];
  instances_.push_back(
      {.run = run, .iteration = iteration, .place = place, .size = made.size, .life = made.life});
  if (line.last != SIZE_MAX && instances_[line.last].run == run)
    line.go_on(instances_[line.last], instances_.back());
  line.last = instances_.size() - 1;
}

Bytes LoopGrowth::per_iteration(std::uint32_t place) const {
  const Line& line = lines_[place];
  return line.broken || line.steps < kLeastSteps ? 0 : line.slope;
}

Bytes LoopGrowth::peak(const std::function<bool(std::uint32_t)>& is_meant) const {
  Bytes most = 0;
  for (auto first = instances_.begin(); first != instances_.end();) {
    const auto end =
        std::find_if(first, instances_.end(), [&](const Instance& other) { return other.run != first->run; });
    Problem problem;
    for (; first != end; ++first)
      if (is_meant(first->place)) problem.buffers.push_back({.life = first->life, .size = first->size});
    most = std::max(most, peak_live_bytes(problem));
  }
  return most;
}

}  // namespace memo::planner
