#include "planner/variants/loop_lives.h"

#include <algorithm>

#include "planner/variants/loops.h"

namespace memo::planner {
namespace {

constexpr Bytes kHeapRoundsUpBy = 8;  // 1/8 of a size on average: four size classes to a doubling

}  // namespace

LoopLives::LoopLives(const Numbered& body, const std::vector<Run>& runs)
    : carried_(body.allocations), growth_(body.allocations) {
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::uint32_t i = 0; i < runs[r].stray.size(); ++i)
      if (!runs[r].stray[i] && runs[r].locations[i].in_loop()) add(body, runs[r], r, i);
}

void LoopLives::add(const Numbered& body, const Run& run, std::size_t run_index, std::uint32_t index) {
  const Allocation& made = run.pass().allocations[index];
  const Location& born = run.locations[index];
  const Location end = end_of(run, made, body);
  Carried& carried = carried_[born.place];
  ++carried.instances;
  growth_.add(run_index, born.iteration, born.place, made);
  if (escapes(made)) ++carried.escaping;
  const bool leaves = end.iteration == Location::kBehind;
  const std::size_t through = (leaves ? run.iterations() : end.iteration) - born.iteration;
  const std::size_t places = through + (!leaves && end.place > born.place ? 1 : 0);
  if (leaves) {
    carried.behind = std::max(carried.behind, end.place);
  } else if (through == 0) {
    carried.end = std::max(carried.end, end.place);
  } else {
    carried.reach = std::max(carried.reach, {.through = through, .to = end.place});
  }
  carried.in_list = std::max(carried.in_list, places);
  if (places > kMostIterationsAlive)
    ++carried.lingering;
  else
    carried.places = std::max(carried.places, places);
}

Bytes LoopLives::growth_of(std::uint32_t place) const {
  const Carried& carried = carried_[place];
  return carried.lingers() || carried.outlives() ? 0 : growth_.per_iteration(place);
}

bool LoopLives::grows_and_is_handed_on(std::uint32_t place) const {
  return growth_of(place) > 0 && carried_[place].is_handed_on();
}

std::uint32_t LoopLives::period(Growing growing) const {
  std::uint32_t period = 1;
  for (std::uint32_t place = 0; place < carried_.size(); ++place)
    if (!carried_[place].lingers() && !outgrows(place, growing))
      period = std::max(period, static_cast<std::uint32_t>(carried_[place].places));
  return period;
}

GrowingBuffers LoopLives::growing_buffers() const {
  GrowingBuffers growing;
  for (std::uint32_t place = 0; place < carried_.size(); ++place) {
    growing.buffers += growth_of(place) > 0 ? 1U : 0U;
    growing.handed_on += grows_and_is_handed_on(place) ? 1U : 0U;
  }
  growing.heap = growth_.peak([this](std::uint32_t place) { return grows_and_is_handed_on(place); });
  growing.heap += growing.heap / kHeapRoundsUpBy;
  return growing;
}

}  // namespace memo::planner
