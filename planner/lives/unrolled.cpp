#include "planner/lives/unrolled.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "planner/lives/growth.h"
#include "planner/lives/lives.h"
#include "planner/problem/bounds.h"
#include "planner/steps/sequences.h"
#include "planner/trace/mix.h"
#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

// Makes the operators nest. Where shapes disagree, an operator ends before the next one that is not inside it.
void nest(std::vector<VariantScope>& scopes) {
  for (std::size_t index = scopes.size(); index-- > 0;)
    if (scopes[index].parent != kNone) {
      Lifetime& around = scopes[scopes[index].parent].life;
      around.end = std::max(around.end, scopes[index].life.end);
    }
  std::vector<std::size_t> open;
  for (std::size_t index = 0; index < scopes.size(); ++index) {
    while (!open.empty() && scopes[index].parent != open.back()) {
      Lifetime& before = scopes[open.back()].life;
      before.end = std::max(before.begin, std::min(before.end, scopes[index].life.begin));
      open.pop_back();
    }
    open.push_back(index);
  }
}

// Makes a demand of each allocation that is large enough for all passes, by the number of its node.
std::vector<Demand> unite(const Tree& tree) {
  std::vector<Demand> united(tree.count);
  for (const ShapeRun& run : tree.runs)
    for (const Member* member : run.members())
      for (std::size_t i = 0; i < run.made.size(); ++i)
        enlarge(united[run.made[i].node->number], member->pass->allocations[i]);
  return united;
}

// What is the same however the loops are unrolled.
Variant frame_of(const Tree& tree) {
  Variant variant;
  const Member& member = *tree.runs.front().members().front();
  variant.key = member.pass->key;
  variant.pass_name = member.view->trace->name(member.pass->name);
  std::set<std::uint64_t> shapes;
  for (const ShapeRun& run : tree.runs) {
    for (const Member* one : run.members()) {
      variant.runs += one->runs;
      shapes.insert(one->fingerprint);
    }
  }
  variant.shapes = shapes.size();
  for (const Entry& entry : tree.entries) variant.fingerprint = mix(variant.fingerprint, entry.source().id);
  return variant;
}

// Writes the operators and demands of a tree whose demands are numbered.
class Writer {
 public:
  Writer(const Tree& tree, const std::vector<Demand>& united, const Pools& pools, Growing growing,
         Variant frame)
      : tree_(tree), united_(united), pools_(pools), growing_(growing), variant_(std::move(frame)) {}

  [[nodiscard]] Variant write() {
    Copies copies{};
    add(tree_.body, copies);
    nest(variant_.scopes);
    return std::move(variant_);
  }

 private:
  // Adds an iteration.
  void add(const Branch& body, Copies& copies) {
    for (const std::unique_ptr<Node>& node : body.nodes) {
      if (node->is_loop)
        add_loop(*node, copies);
      else if (node->is_scope)
        add_scope(*node, copies);
      else
        add_demand(*node, copies);
    }
  }

  void add_loop(const Node& loop, Copies& copies) {
    if (loop.demands() + loop.scopes() != 0)
      variant_.loops.push_back({.first_demand = first_demand(loop, copies),
                                .demands = loop.body.demands,
                                .first_scope = scope_number(loop, copies),
                                .scopes = loop.body.scopes,
                                .period = loop.period,
                                .lengths = {loop.lengths.begin(), loop.lengths.end()}});
    for (std::uint32_t copy = 0; copy < loop.period; ++copy) {
      copies[loop.level] = copy;
      add(loop.body, copies);
    }
    copies[loop.level] = 0;
  }

  void add_scope(const Node& node, const Copies& copies) {
    const Member& member = *node.run->members().front();
    const Shape& shape = *node.run->shape;
    const Scope& scope = member.pass->scopes[shape.scopes_before[node.step]];
    const auto here = static_cast<Time>(variant_.demands.size());
    const Time end = scope_end(tree_.body, node, copies);
    variant_.scopes.push_back({.name = std::string(member.view->trace->name(scope.name)),
                               .parent = scope_around(node, copies),
                               .life = {here, std::max(here, end)}});
  }

  void add_demand(const Node& node, const Copies& copies) {
    const Member& member = *node.run->members().front();
    const Allocation& made = member.pass->allocations[node.run->shape->made_before(node.step)];
    Demand demand = united_[node.number];
    demand.life = life_of(tree_.body, node, copies);
    demand.site = member.view->site(made.site);
    demand.scope = scope_around(node, copies);
    demand.zone = zone_of(node, growing_);
    demand.growth = growth_of(node);
    if (growing_ == Growing::kInPools) demand.pool = pools_.of(node);
    if (has_list(demand.zone))
      demand.cells = demand.pool != 0 ? pools_.cells_of(demand.pool) : node.needs.gathered;
    variant_.demands.push_back(demand);
  }

  // Returns the number of the operator around a node, which is in the same iterations of the loops around both.
  [[nodiscard]] std::uint32_t scope_around(const Node& node, const Copies& copies) const {
    const ScopeIndex scope = node.run->shape->sequence.around[node.step];
    return scope == kNone ? kNone : scope_number(*node.run->scopes[scope].node, copies);
  }

  const Tree& tree_;
  const std::vector<Demand>& united_;
  const Pools& pools_;
  const Growing growing_;
  Variant variant_;
};

// Lists the nodes of the demands in their order: those in a loop once for each iteration that the variant has.
void list_nodes(const Branch& body, std::vector<std::uint32_t>& nodes) {
  for (const std::unique_ptr<Node>& node : body.nodes) {
    if (!node->is_loop && !node->is_scope) nodes.push_back(node->number);
    for (std::uint32_t copy = 0; node->is_loop && copy < node->period; ++copy) list_nodes(node->body, nodes);
  }
}

// What the plan and the library keep of a slot: its lines of the tables, and a bit for each place that shares its bytes.
constexpr Bytes kBytesOfSlot = 256;

// Returns the bytes of the cells that growing blocks have for each demand alone.
Bytes lists_of_growing(const Variant& variant) {
  Bytes bytes = 0;
  for (const Demand& demand : variant.demands)
    if (demand.zone == PlanZone::kPool) bytes += Bytes{demand.cells} * demand.size;
  return bytes;
}

// Chooses how deep the loops look back, and where growing blocks have their home.
class Unroller {
 public:
  // Takes a tree that has its nodes.
  explicit Unroller(Tree& tree) : tree_(tree), united_(unite(tree)), frame_(frame_of(tree)) {
    find_growth(tree);
  }

  [[nodiscard]] Variant best() {
    Variant best = looking_back(kMostIterationsAlive);
    return tree_.deeper.empty() ? best : looking_back(cheapest_depth(cost(best)));
  }

 private:
  // Returns the depth that costs least, given what the shallowest costs.
  [[nodiscard]] std::uint32_t cheapest_depth(std::optional<Bytes> least) {
    std::uint32_t depth = kMostIterationsAlive;
    for (const std::uint32_t deepest : std::set(tree_.deeper)) {
      const std::optional<Bytes> needed = cost(looking_back(deepest));
      if (!needed || (least && *needed >= *least)) continue;
      least = needed;
      depth = deepest;
    }
    return depth;
  }

  // Returns the variant, with the growing buffers that are handed on where they take fewest bytes.
  [[nodiscard]] Variant looking_back(std::uint32_t deepest) {
    look_at_lives(tree_, deepest);
    const Pools pools(tree_, united_);
    GrowingBuffers growing = pools.buffers();
    if (growing.handed_on != 0) {
      const Variant in_slab = written(pools, Growing::kInSlab);
      growing.slab =
          peak_planned(in_slab) + lists_of_growing(in_slab) - peak_planned(written(pools, Growing::kOnHeap));
    }
    Variant variant = written(pools, growing.home());
    if (!variant.loops.empty()) variant.loops.front().growing = growing;
    return variant;
  }

  [[nodiscard]] Variant written(const Pools& pools, Growing growing) {
    number_demands(tree_, growing);
    return Writer(tree_, united_, pools, growing, frame_).write();
  }

  // Returns what the variant costs in bytes: its slab, its slots, and what it leaves to the heap since it lives too long. Returns
  // nothing where it has more blocks that no cell can hold than a plan has places for.
  [[nodiscard]] std::optional<Bytes> cost(const Variant& variant) const {
    const auto large = std::ranges::count_if(variant.demands, [](const Demand& demand) {
      return why_unplanned(demand).empty() && demand.size > static_cast<Bytes>(kMaxCellBytes);
    });
    if (large > kMaxLargePlaces) return std::nullopt;
    const Bytes lingering =
        peak_of(tree_, [](const Node& node) { return node.needs.lingers() && !node.needs.outlives(); });
    return peak_planned(variant) + static_cast<Bytes>(variant.demands.size()) * kBytesOfSlot +
           kWeightOfHeap * lingering;
  }

  Tree& tree_;
  const std::vector<Demand> united_;
  const Variant frame_;
};

}  // namespace

Variant unroll(Tree& tree) {
  grow(tree);
  return Unroller(tree).best();
}

std::vector<std::uint32_t> nodes_of_demands(const Tree& tree) {
  std::vector<std::uint32_t> nodes;
  list_nodes(tree.body, nodes);
  return nodes;
}

Bytes peak_with_sizes_of(const Tree& tree, const Variant& variant, const ShapeRun& run, const Pass& pass) {
  std::vector<Bytes> sizes(tree.count);
  for (std::size_t i = 0; i < run.made.size(); ++i) {
    Bytes& size = sizes[run.made[i].node->number];
    size = std::max(size, pass.allocations[i].size);
  }
  const std::vector<std::uint32_t> node_of = nodes_of_demands(tree);
  Problem problem;
  for (std::size_t i = 0; i < variant.demands.size(); ++i)
    if (why_unplanned(variant.demands[i]).empty() && sizes[node_of[i]] != 0)
      problem.buffers.push_back({.life = variant.demands[i].life, .size = sizes[node_of[i]]});
  return peak_live_bytes(problem);
}

Bytes peak_planned(const Variant& variant) {
  Problem problem;
  for (const Demand& demand : variant.demands)
    if (why_unplanned(demand).empty()) problem.buffers.push_back({.life = demand.life, .size = demand.size});
  return peak_live_bytes(problem);
}

}  // namespace memo::planner
