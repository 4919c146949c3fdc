#include "planner/variants/loop_lives.h"

#include <algorithm>

#include "runtime/formats/plan_format.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

constexpr Bytes kHeapRoundsUpBy = 8;  // 1/8 of a size on average: four size classes to a doubling

// The life of a block of the body, from the iteration that makes it on.
struct Life {
  Location born;
  Location end;
  bool leaves = false;      // no iteration frees it
  std::size_t through = 0;  // iterations later in which it is last alive
  std::size_t places = 0;   // that blocks of its kind need at once
};

Life life_of(const Numbered& body, const Run& run, std::uint32_t index) {
  Life life{.born = run.locations[index], .end = end_of(run, run.pass().allocations[index], body)};
  life.leaves = life.end.iteration == Location::kBehind;
  life.through = (life.leaves ? run.iterations() : life.end.iteration) - life.born.iteration;
  life.places = life.through + (!life.leaves && life.end.place > life.born.place ? 1 : 0);
  return life;
}

// Calls `visit` with the index of each allocation of the body in the run.
template <typename Visit>
void for_each_in_loop(const Run& run, const Visit& visit) {
  for (std::uint32_t index = 0; index < run.stray.size(); ++index)
    if (!run.stray[index] && run.locations[index].in_loop()) visit(index);
}

}  // namespace

LoopLives::LoopLives(const Numbered& body, const std::vector<Run>& runs, std::uint32_t deepest)
    : carried_(body.allocations), growth_(body.allocations) {
  for (const Run& run : runs) look_back(body, run, deepest);
  for (std::size_t r = 0; r < runs.size(); ++r) add(body, runs[r], r);
  find_pools();
}

// Leaves out what leaves the loop, or dies in its last iteration: its life says how long the loop was, as that of a list's blocks, not
// how far an iteration looks back.
void LoopLives::look_back(const Numbered& body, const Run& run, std::uint32_t deepest) {
  for_each_in_loop(run, [&](std::uint32_t index) {
    const Life life = life_of(body, run, index);
    if (life.born.iteration + life.through + 1 >= run.iterations()) return;
    if (life.places <= kMostIterationsAlive || life.places > kMaxLoopPeriod) return;
    deeper_.insert(static_cast<std::uint32_t>(life.places));
    std::size_t& most = carried_[life.born.place].most_alive;
    if (life.places <= deepest) most = std::max(most, life.places);
  });
}

void LoopLives::add(const Numbered& body, const Run& run, std::size_t run_index) {
  for_each_in_loop(run, [&](std::uint32_t index) {
    const Allocation& made = run.pass().allocations[index];
    const Life life = life_of(body, run, index);
    Carried& carried = carried_[life.born.place];
    ++carried.instances;
    growth_.add(run_index, life.born.iteration, life.born.place, made);
    if (outlives_its_pass(made)) ++carried.escaping;
    if (life.leaves) {
      carried.behind = std::max(carried.behind, life.end.place);
    } else if (life.through == 0) {
      carried.end = std::max(carried.end, life.end.place);
    } else {
      carried.reach = std::max(carried.reach, {.through = life.through, .to = life.end.place});
    }
    carried.in_list = std::max(carried.in_list, life.places);
    if (life.places > carried.most_alive)
      ++carried.lingering;
    else
      carried.places = std::max(carried.places, life.places);
  });
}

Bytes LoopLives::lingering_bytes() const {
  return growth_.peak(
      [this](std::uint32_t place) { return carried_[place].lingers() && !carried_[place].outlives(); });
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
