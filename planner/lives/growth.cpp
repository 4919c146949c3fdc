#include "planner/lives/growth.h"

#include <algorithm>
#include <map>

#include "planner/problem/bounds.h"
#include "runtime/formats/plan_format.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

constexpr std::size_t kLeastSteps = 3;  // more than two runs of a few iterations reach by chance
constexpr Bytes kHeapRoundsUpBy = 8;    // 1/8 of a size on average: four size classes to a doubling

// The iterations of the loops around a block, but for the loop that is looked at.
using OtherIterations = std::array<std::uint32_t, kMaxLoopDepth>;

// The sizes of the blocks of one node along the iterations of one loop.
class Line {
 public:
  void add(const OtherIterations& others, std::uint32_t iteration, Bytes size) {
    const auto [last, first] = last_.try_emplace(others, iteration, size);
    if (first) return;
    go_on(iteration - last->second.first, size - last->second.second);
    last->second = {iteration, size};
  }
  void end_pass() { last_.clear(); }
  [[nodiscard]] Bytes per_iteration() const { return broken_ || steps_ < kLeastSteps ? 0 : slope_; }

 private:
  void go_on(std::uint32_t iterations, Bytes more) {
    if (steps_ == 0) slope_ = more / Bytes{iterations};
    ++steps_;
    broken_ = broken_ || slope_ <= 0 || more != slope_ * Bytes{iterations};
  }

  Bytes slope_ = 0;
  std::size_t steps_ = 0;  // from one block to the next, all of this slope
  bool broken_ = false;
  std::map<OtherIterations, std::pair<std::uint32_t, Bytes>> last_;
};

using Lines = std::array<Line, kMaxLoopDepth>;  // of each loop around a node

void add(const Spot& spot, Bytes size, Lines& lines) {
  OtherIterations iterations{};
  for (std::uint32_t level = 0; level < spot.node->level; ++level)
    iterations[level] = spot.iterations[level].number;
  for (std::uint32_t level = 0; level < spot.node->level; ++level) {
    OtherIterations others = iterations;
    others[level] = 0;
    lines[level].add(others, iterations[level], size);
  }
}

void add(const ShapeRun& run, const Pass& pass, std::vector<Lines>& lines) {
  for (std::size_t i = 0; i < run.made.size(); ++i)
    add(run.made[i], pass.allocations[i].size, lines[run.made[i].node->number]);
  for (Lines& of_node : lines)
    for (Line& line : of_node) line.end_pass();
}

// Returns the most that was alive at once in any pass, where each block counts for as much as it weighs.
template <typename Weight>
Bytes peak_by(const Tree& tree, const Nodes& is_meant, Weight weight) {
  Bytes most = 0;
  for (const ShapeRun& run : tree.runs) {
    for (const Member* member : run.members()) {
      Problem problem;
      for (std::size_t i = 0; i < run.made.size(); ++i) {
        const Allocation& made = member->pass->allocations[i];
        if (is_meant(*run.made[i].node)) problem.buffers.push_back({.life = made.life, .size = weight(made)});
      }
      most = std::max(most, peak_live_bytes(problem));
    }
  }
  return most;
}

}  // namespace

void find_growth(Tree& tree) {
  std::vector<Lines> lines(tree.count);
  for (const ShapeRun& run : tree.runs)
    for (const Member* member : run.members()) add(run, *member->pass, lines);
  for_each_node(tree.body, [&](Node& node) {
    for (const Line& line : lines[node.number])
      if (node.growth == 0) node.growth = line.per_iteration();
  });
}

Bytes growth_of(const Node& node) {
  return node.needs.outlives() ? 0 : node.growth;
}

bool grows_and_is_handed_on(const Node& node) {
  const bool is_handed_on = node.needs.reach.through != 0 || node.needs.bound < node.level;
  return growth_of(node) > 0 && is_handed_on;
}

PlanZone zone_of(const Node& node, Growing growing) {
  const Needs& needs = node.needs;
  if (node.level == 0 ? needs.escaping != 0 : needs.outlives()) return PlanZone::kKept;
  if (growing != Growing::kInSlab && grows_and_is_handed_on(node))
    return growing == Growing::kInPools ? PlanZone::kPool : PlanZone::kHeap;
  if (needs.lingers()) return growth_of(node) > 0 ? PlanZone::kPool : PlanZone::kList;
  return PlanZone::kLarge;
}

Bytes peak_of(const Tree& tree, const Nodes& is_meant) {
  return peak_by(tree, is_meant, [](const Allocation& made) { return std::max<Bytes>(made.size, 1); });
}

// Gives those that are left behind a cell more each, which they hold through the next pass.
void Pools::add(const Tree& tree, Bytes growth) {
  const Nodes is_alike = [growth](const Node& node) {
    return grows_and_is_handed_on(node) && growth_of(node) == growth;
  };
  Pool pool{.growth = growth};
  pool.cells =
      static_cast<std::uint32_t>(peak_by(tree, is_alike, [](const Allocation&) { return Bytes{1}; }));
  for_each_node(tree.body, [&](const Node& node) {
    pool.cells += is_alike(node) && node.needs.is_left_behind() ? 1U : 0U;
  });
  pools_.push_back(pool);
}

Pools::Pools(const Tree& tree, const std::vector<Demand>& united) {
  std::map<Bytes, Bytes> largest;  // growth → the largest block
  bool fit_cells = true;
  for_each_node(tree.body, [&](const Node& node) {
    buffers_.buffers += growth_of(node) > 0 ? 1U : 0U;
    if (!grows_and_is_handed_on(node)) return;
    ++buffers_.handed_on;
    const Demand& demand = united[node.number];
    Bytes& most = largest[growth_of(node)];
    most = std::max(most, demand.size);
    fit_cells = fit_cells && demand.size <= static_cast<Bytes>(kMaxCellBytes) &&
                demand.alignment <= static_cast<Bytes>(kGranule);
  });
  if (largest.empty()) return;
  buffers_.heap = peak_of(tree, grows_and_is_handed_on);
  buffers_.heap += buffers_.heap / kHeapRoundsUpBy;
  if (fit_cells) buffers_.pools = 0;
  for (const auto& [growth, most] : largest) {
    add(tree, growth);
    if (fit_cells)
      *buffers_.pools += Bytes{pools_.back().cells} *
                         static_cast<Bytes>(runtime::whole_granules(static_cast<std::uint64_t>(most)));
  }
}

std::uint32_t Pools::of(const Node& node) const {
  if (!grows_and_is_handed_on(node)) return 0;
  const auto found = std::ranges::find(pools_, growth_of(node), &Pool::growth);
  return found == pools_.end() ? 0 : static_cast<std::uint32_t>(found - pools_.begin()) + 1;
}

}  // namespace memo::planner
