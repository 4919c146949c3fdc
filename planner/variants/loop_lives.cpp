#include "planner/variants/loop_lives.h"

#include <algorithm>

#include "planner/variants/loops.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

constexpr Bytes kHeapRoundsUpBy = 8;  // 1/8 of a size on average: four size classes to a doubling

}  // namespace

LoopLives::LoopLives(const Numbered& body, const std::vector<Run>& runs)
    : carried_(body.allocations), growth_(body.allocations) {
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::uint32_t i = 0; i < runs[r].stray.size(); ++i)
      if (!runs[r].stray[i] && runs[r].locations[i].in_loop()) add(body, runs[r], r, i);
  find_pools();
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

// Gives those that are left behind a cell more each, which they hold through the next pass.
void LoopLives::find_pools() {
  for (std::uint32_t place = 0; place < carried_.size(); ++place) {
    if (!grows_and_is_handed_on(place) || pool_of(place) != 0) continue;
    Pool pool{.growth = growth_of(place)};
    const auto is_alike = [&](std::uint32_t other) {
      return grows_and_is_handed_on(other) && growth_of(other) == pool.growth;
    };
    pool.cells = growth_.most_alive(is_alike);
    for (std::uint32_t other = 0; other < carried_.size(); ++other)
      pool.cells += is_alike(other) && carried_[other].is_left_behind() ? 1U : 0U;
    pool.bytes =
        static_cast<Bytes>(runtime::whole_granules(static_cast<std::uint64_t>(growth_.largest(is_alike))));
    pools_.push_back(pool);
  }
}

std::uint32_t LoopLives::pool_of(std::uint32_t place) const {
  if (!grows_and_is_handed_on(place)) return 0;
  const auto found = std::ranges::find(pools_, growth_of(place), &Pool::growth);
  return found == pools_.end() ? 0 : static_cast<std::uint32_t>(found - pools_.begin()) + 1;
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
  const auto is_handed_on = [this](std::uint32_t place) { return grows_and_is_handed_on(place); };
  growing.heap = growth_.peak(is_handed_on);
  growing.heap += growing.heap / kHeapRoundsUpBy;
  if (!growth_.fit_cells(is_handed_on)) return growing;
  growing.pools = 0;
  for (const Pool& pool : pools_) *growing.pools += static_cast<Bytes>(pool.cells) * pool.bytes;
  return growing;
}

}  // namespace memo::planner
