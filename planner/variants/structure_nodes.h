// A structure as the variant to come: a tree of steps and loops, and where in it all that the passes do lies.
//
//   body   p   q   (a   b   (c d)   e)   r          nodes: steps, and loops with a body of their own
//
// What every pass repeats equally often is no loop: it is written in full. Nor is what is never repeated often.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "planner/variants/loop_lives.h"
#include "planner/variants/structure.h"
#include "runtime/formats/plan_format.h"

namespace memo::planner {

struct Node;
struct ShapeRun;

// The iterations of a loop, one after the other.
struct BodyOfNodes {
  std::vector<std::unique_ptr<Node>> nodes;
  std::uint32_t demands = 0;  // of one iteration, with those of all iterations of the loops in it
  std::uint32_t scopes = 0;   // likewise
};

// The needs of an allocation, over all its instances in all passes. Loops are counted from the outermost on.
struct Needs {
  std::size_t instances = 0;
  std::size_t lingering = 0;  // instances that live through too many iterations of a loop
  std::size_t escaping = 0;
  std::array<std::uint32_t, kMaxLoopDepth> places{};  // of each loop around: places needed at once
  std::uint32_t bound = kMaxLoopDepth;  // so many loops are around the allocation whenever the block is freed
  std::uint32_t end = 0;                // node of the bounding iteration after which it is freed, from 1 on
  // Says how many iterations of the innermost of these loops later, and after which node there.
  struct Reach {
    std::uint32_t through = 0;
    std::uint32_t to = 0;
    friend auto operator<=>(const Reach&, const Reach&) = default;
  };
  Reach reach;
  std::uint32_t gathered = 0;  // blocks of one place that live at once, where they linger

  [[nodiscard]] bool lingers() const { return lingering * kLingeringOneIn > instances; }
  [[nodiscard]] bool outlives() const { return escaping * kLingeringOneIn > instances; }
  // Returns true if a few blocks outlive their pass, as in Carried: such a block shares its bytes with none.
  [[nodiscard]] bool is_left_behind() const { return escaping != 0 && !outlives(); }
};

// A step, as the first shape took it that has it; or a loop.
struct Node {
  Node* around = nullptr;                           // the loop that it lies in
  std::uint32_t level = 0;                          // how many loops it lies in
  std::uint32_t place = 0;                          // in its body
  std::uint32_t number = 0;                         // of all nodes
  std::uint32_t first_demand = 0, first_scope = 0;  // before it, in an iteration of its body

  const ShapeRun* run = nullptr;  // of a step
  std::uint32_t step = 0;
  bool is_scope = false;
  std::uint32_t scope_end = 0;  // of an operator: the node of its body after which it ends, from 1 on
  Needs needs;                  // of an allocation

  bool is_loop = false;
  BodyOfNodes body;
  std::uint32_t period = 1;
  std::set<std::size_t> lengths;

  [[nodiscard]] std::uint32_t demands() const { return is_loop ? period * body.demands : is_scope ? 0 : 1; }
  [[nodiscard]] std::uint32_t scopes() const { return is_loop ? period * body.scopes : is_scope ? 1 : 0; }
};

// An iteration of a run of a loop.
struct TurnOf {
  std::uint32_t number = 0;
  std::uint32_t count = 0;  // of the run's iterations

  friend bool operator==(const TurnOf&, const TurnOf&) = default;
};

// The place of an operator or an allocation of a pass in its structure.
struct Spot {
  Node* node = nullptr;
  std::array<TurnOf, kMaxLoopDepth> turns{};  // of the loops around it

  // Returns the node that it is, or is in, in the body that lies in so many loops.
  [[nodiscard]] Node* at_level(std::uint32_t level) const {
    Node* found = node;
    while (found->level > level) found = found->around;
    return found;
  }
};

// An aligned shape, with the spots of all that its passes do.
struct ShapeRun {
  const AlignedShape* aligned = nullptr;
  std::vector<Spot> made;
  std::vector<Spot> scopes;

  [[nodiscard]] const Shape& shape() const { return *aligned->shape; }
  [[nodiscard]] const std::vector<const Member*>& members() const { return shape().members; }
};

struct StructureNodes {
  std::vector<std::unique_ptr<ShapeRun>> runs;
  BodyOfNodes body;
  std::uint32_t count = 0;  // of all nodes
};

// Returns the nodes of the structure, which must outlive them.
[[nodiscard]] StructureNodes nodes_of(const Structure& structure);

// Returns how many loops around both spots are in the same iteration.
[[nodiscard]] std::uint32_t loops_in_common(const Spot& a, const Spot& b);

// Calls `visit` for each node of the body and of the loops in it.
template <typename Visit>
void for_each_node(const BodyOfNodes& body, const Visit& visit) {
  for (const std::unique_ptr<Node>& node : body.nodes) {
    visit(*node);
    for_each_node(node->body, visit);
  }
}

}  // namespace memo::planner
