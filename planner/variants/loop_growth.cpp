#include "planner/variants/loop_growth.h"

#include <algorithm>

#include "planner/problem/problem.h"
#include "runtime/formats/plan_format.h"

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
  instances_.push_back({.run = run,
                        .iteration = iteration,
                        .place = place,
                        .size = made.size,
                        .alignment = made.alignment,
                        .life = made.life});
  if (line.last != SIZE_MAX && instances_[line.last].run == run)
    line.go_on(instances_[line.last], instances_.back());
  line.last = instances_.size() - 1;
}

Bytes LoopGrowth::per_iteration(std::uint32_t place) const {
  const Line& line = lines_[place];
  return line.broken || line.steps < kLeastSteps ? 0 : line.slope;
}

Bytes LoopGrowth::peak(const Places& is_meant) const {
  return peak_of(is_meant, [](const Instance& instance) { return instance.size; });
}

std::uint32_t LoopGrowth::most_alive(const Places& is_meant) const {
  return static_cast<std::uint32_t>(peak_of(is_meant, [](const Instance&) { return Bytes{1}; }));
}

Bytes LoopGrowth::largest(const Places& is_meant) const {
  Bytes largest = 0;
  for (const Instance& instance : instances_)
    if (is_meant(instance.place)) largest = std::max(largest, instance.size);
  return largest;
}

bool LoopGrowth::fit_cells(const Places& is_meant) const {
  return std::ranges::all_of(instances_, [&](const Instance& instance) {
    return !is_meant(instance.place) || (instance.size <= static_cast<Bytes>(kMaxCellBytes) &&
                                         instance.alignment <= static_cast<Bytes>(kGranule));
  });
}

Bytes LoopGrowth::peak_of(const Places& is_meant, const std::function<Bytes(const Instance&)>& weight) const {
  Bytes most = 0;
  for (auto first = instances_.begin(); first != instances_.end();) {
    const auto end =
        std::find_if(first, instances_.end(), [&](const Instance& other) { return other.run != first->run; });
    Problem problem;
    for (; first != end; ++first)
      if (is_meant(first->place)) problem.buffers.push_back({.life = first->life, .size = weight(*first)});
    most = std::max(most, peak_live_bytes(problem));
  }
  return most;
}

}  // namespace memo::planner
