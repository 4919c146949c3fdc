#include "planner/lives/lives.h"

#include <algorithm>
#include <map>
#include <vector>

#include "planner/steps/sequences.h"

namespace memo::planner {
namespace {

// Returns the index of the last allocation of the pass that the block lives to see.
std::size_t last_seen(const Pass& pass, std::size_t index) {
  const Allocation& made = pass.allocations[index];
  if (escapes(made)) return pass.allocations.size() - 1;
  return std::max(index, static_cast<std::size_t>(allocations_before(pass, made.life.end) - 1));
}

// ---- what an instance needs ----

// The life of a block, from the iteration that makes it on.
struct Life {
  std::uint32_t loops = 0;    // so many of the loops around it are around its end as well
  std::uint32_t through = 0;  // iterations of the innermost of these
  std::uint32_t to = 0;       // the node up to which it lives there
  std::array<std::uint32_t, kMaxLoopDepth> places{};  // of each loop: needed at once by blocks like it
  bool is_handed_on = false;                          // from one iteration to a later one, which frees it
  bool ends_early = false;                            // before the last iteration
};

Life life_of(const Spot& born, const Spot& last) {
  const std::uint32_t common = loops_in_common(born, last);
  const std::uint32_t level = born.node->level;
  Life life{.loops = common};
  life.is_handed_on =
      common < std::min(level, last.node->level) && born.at_level(common) == last.at_level(common);
  if (life.is_handed_on) {
    life.loops = common + 1;
    life.through = last.iterations[common].number - born.iterations[common].number;
    life.ends_early = last.iterations[common].number + 1 < born.iterations[common].count;
  }
  life.to = last.at_level(life.loops)->place;
  if (life.is_handed_on)
    life.places[common] = life.through + (life.to >= born.at_level(life.loops)->place ? 1 : 0);
  for (std::uint32_t inner = life.loops; inner < level; ++inner)
    life.places[inner] = born.iterations[inner].count - born.iterations[inner].number;
  return life;
}

bool takes_too_many(const Life& life, const Needs& needs) {
  for (std::uint32_t level = 0; level < kMaxLoopDepth; ++level)
    if (life.places[level] > std::max(kMostIterationsAlive, needs.deep[level])) return true;
  return false;
}

// Takes in that a block lives until the last of the iterations of so many loops, and there up to a node.
void bound(Needs& needs, const Life& life) {
  if (life.loops > needs.bound) return;
  if (life.loops < needs.bound) needs.end = 0, needs.reach = {};
  needs.bound = life.loops;
  if (life.through == 0)
    needs.end = std::max(needs.end, life.to + 1);
  else
    needs.reach = std::max(needs.reach, {.through = life.through, .to = life.to + 1});
}

// Leaves out what leaves the loop, or dies in its last iteration: its life says how long the loop was, as that of a list's blocks, not
// how far an iteration looks back.
void look_back(Tree& tree, Needs& needs, const Life& life, std::uint32_t deepest) {
  if (!life.is_handed_on || !life.ends_early) return;
  const std::uint32_t places = life.places[life.loops - 1];
  if (places <= kMostIterationsAlive || places > kMaxLoopPeriod) return;
  tree.deeper.insert(places);
  std::uint32_t& deep = needs.deep[life.loops - 1];
  if (places <= deepest) deep = std::max(deep, places);
}

void add_instance(Needs& needs, const Life& life, bool escapes) {
  ++needs.instances;
  needs.escaping += escapes ? 1U : 0U;
  bound(needs, life);
  if (takes_too_many(life, needs)) {
    ++needs.lingering;
    return;
  }
  for (std::uint32_t level = 0; level < kMaxLoopDepth; ++level)
    needs.places[level] = std::max(needs.places[level], life.places[level]);
}

// Calls `visit` with the needs of each block's allocation, the block and its life.
template <typename Visit>
void for_each_life(const Tree& tree, const Visit& visit) {
  for (const ShapeRun& run : tree.runs)
    for (const Member* member : run.members())
      for (std::size_t i = 0; i < run.made.size(); ++i)
        visit(run.made[i], member->pass->allocations[i],
              life_of(run.made[i], run.made[last_seen(*member->pass, i)]));
}

// An answer may be the last block that a loop hands on, which says nothing of the others.
bool leaves_its_place(const Spot& spot, const Allocation& made) {
  return spot.node->level == 0 ? escapes(made) : outlives_its_pass(made);
}

void end_scopes(const ShapeRun& run) {
  const Pass& pass = *run.members().front()->pass;
  for (std::size_t index = 0; index < pass.scopes.size(); ++index) {
    const Spot& spot = run.scopes[index];
    const Time first = allocations_before(pass, pass.scopes[index].life.begin);
    const Time end = allocations_before(pass, pass.scopes[index].life.end);
    if (end == first) continue;
    const Spot& last = run.made[static_cast<std::size_t>(end - 1)];
    const std::uint32_t level = spot.node->level;
    const bool here = loops_in_common(spot, last) == level;
    const Node* around = spot.node->around;
    const auto all = static_cast<std::uint32_t>(around == nullptr ? 0 : around->body.nodes.size());
    std::uint32_t& known = spot.node->scope_end;
    known = std::max(known, here ? last.at_level(level)->place + 1 : all);
  }
}

// ---- loops ----

void find_periods(const Branch& body, Growing growing) {
  for_each_node(body, [&](Node& node) {
    if (node.is_loop) node.period = 1;
  });
  for_each_node(body, [&](const Node& node) {
    if (node.is_loop || node.is_scope || zone_of(node, growing) != PlanZone::kLarge) return;
    for (Node* loop = node.around; loop != nullptr; loop = loop->around)
      loop->period = std::max(loop->period, node.needs.places[loop->level]);
  });
}

// Counts how many blocks of one place of a lingering allocation live at once.
class Gathered {
 public:
  void add(const ShapeRun& run, const Pass& pass) {
    std::map<std::pair<Node*, Copies>, std::vector<std::pair<std::size_t, int>>> changes;
    for (std::size_t i = 0; i < run.made.size(); ++i) {
      Node* node = run.made[i].node;
      if (!node->needs.lingers() || node->needs.outlives()) continue;
      std::vector<std::pair<std::size_t, int>>& of_place = changes[{node, copies_at(run.made[i])}];
      of_place.emplace_back(i, 1);
      of_place.emplace_back(last_seen(pass, i) + 1, -1);
    }
    for (auto& [place, of_place] : changes) {
      std::sort(of_place.begin(), of_place.end());
      int alive = 0;
      for (const auto& [when, change] : of_place) {
        alive += change;
        std::uint32_t& most = place.first->needs.gathered;
        most = std::max(most, static_cast<std::uint32_t>(std::max(alive, 0)));
      }
    }
  }

 private:
  static Copies copies_at(const Spot& spot) {
    Copies copies{};
    for (const Node* loop = spot.node->around; loop != nullptr; loop = loop->around)
      copies[loop->level] = spot.iterations[loop->level].number % loop->period;
    return copies;
  }
};

// ---- numbers ----

void number(Branch& body) {
  body.demands = body.scopes = 0;
  for (const std::unique_ptr<Node>& node : body.nodes) {
    if (node->is_loop) number(node->body);
    node->first_demand = body.demands;
    node->first_scope = body.scopes;
    body.demands += node->demands();
    body.scopes += node->scopes();
  }
}

// Returns how many demands come before the iteration of a loop; 0 for no loop.
std::uint32_t begin_of(const Node* loop, const Copies& copies) {
  if (loop == nullptr) return 0;
  return first_demand(*loop, copies) + copies[loop->level] * loop->body.demands;
}

std::uint32_t end_demand(const Node& node, const Copies& copies) {
  return first_demand(node, copies) + node.demands();
}

// Returns the end of a node of the iteration, which counts from 1 on.
std::uint32_t end_in(const Branch& body, std::uint32_t begin, std::uint32_t node) {
  return node == 0 ? begin : begin + body.nodes[node - 1]->first_demand + body.nodes[node - 1]->demands();
}

const Node* loop_at(const Node& node, std::uint32_t level) {
  const Node* found = &node;
  while (found->level > level) found = found->around;
  return found;
}

}  // namespace

void look_at_lives(Tree& tree, std::uint32_t deepest) {
  for_each_node(tree.body, [](Node& node) { node.needs = {}; });
  for_each_life(tree, [&](const Spot& spot, const Allocation&, const Life& life) {
    look_back(tree, spot.node->needs, life, deepest);
  });
  for_each_life(tree, [](const Spot& spot, const Allocation& made, const Life& life) {
    add_instance(spot.node->needs, life, leaves_its_place(spot, made));
  });
  for (const ShapeRun& run : tree.runs) end_scopes(run);
}

void number_demands(Tree& tree, Growing growing) {
  find_periods(tree.body, growing);
  for_each_node(tree.body, [](Node& node) { node.needs.gathered = 0; });
  Gathered gathered;
  for (const ShapeRun& run : tree.runs)
    for (const Member* member : run.members()) gathered.add(run, *member->pass);
  number(tree.body);
}

std::uint32_t first_demand(const Node& node, const Copies& copies) {
  return begin_of(node.around, copies) + node.first_demand;
}

std::uint32_t scope_number(const Node& node, const Copies& copies) {
  std::uint32_t number = node.first_scope;
  for (const Node* loop = node.around; loop != nullptr; loop = loop->around)
    number += loop->first_scope + copies[loop->level] * loop->body.scopes;
  return number;
}

Lifetime life_of(const Branch& whole, const Node& node, const Copies& copies) {
  const Needs& needs = node.needs;
  if (node.level != 0 && needs.is_left_behind()) return {0, whole.demands};
  const std::uint32_t loops = std::min(needs.bound, node.level);
  const Node* outermost = loop_at(node, loops);  // of what it leaves; itself if it leaves no loop
  const Node* bounding = loops == 0 ? nullptr : outermost->around;
  const Branch& body = bounding == nullptr ? whole : bounding->body;
  if (needs.reach.through != 0 && copies[loops - 1] + needs.reach.through >= bounding->period)
    return {first_demand(*bounding, copies), end_demand(*bounding, copies)};
  const std::uint32_t begin = begin_of(bounding, copies);
  std::uint32_t end = std::max(end_demand(*outermost, copies), end_in(body, begin, needs.end));
  if (needs.reach.through != 0)
    end = std::max(end, end_in(body, begin + needs.reach.through * body.demands, needs.reach.to));
  return {first_demand(*outermost, copies), end};
}

std::uint32_t scope_end(const Branch& whole, const Node& node, const Copies& copies) {
  return end_in(node.around == nullptr ? whole : node.around->body, begin_of(node.around, copies),
                node.scope_end);
}

}  // namespace memo::planner
