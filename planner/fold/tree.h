// A structure as the variant to come: a tree of steps and loops, and where in it all that the passes do lies. A pass that
// repeats nothing is a tree without loops.
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

#include "planner/fold/bodies.h"
#include "planner/fold/needs.h"

namespace memo::planner {

struct Node;
struct ShapeRun;

// The iterations of a loop, one after the other.
struct Branch {
  std::vector<std::unique_ptr<Node>> nodes;
  std::uint32_t demands = 0;  // of one iteration, with those of all iterations of the loops in it
  std::uint32_t scopes = 0;   // likewise
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
  Bytes growth =
      0;  // of an allocation: its block in the next iteration of a loop is larger by so much (growth.h)

  bool is_loop = false;
  Branch body;
  std::uint32_t period = 1;
  std::set<std::size_t> lengths;

  [[nodiscard]] std::uint32_t demands() const { return is_loop ? period * body.demands : is_scope ? 0 : 1; }
  [[nodiscard]] std::uint32_t scopes() const { return is_loop ? period * body.scopes : is_scope ? 1 : 0; }
};

// An iteration of a run of a loop.
struct IterationOf {
  std::uint32_t number = 0;
  std::uint32_t count = 0;  // of the run's iterations

  friend bool operator==(const IterationOf&, const IterationOf&) = default;
};

// The place of an operator or an allocation of a pass in its tree.
struct Spot {
  Node* node = nullptr;
  std::array<IterationOf, kMaxLoopDepth> iterations{};  // of the loops around it

  // Returns the node that it is, or is in, in the body that lies in so many loops.
  [[nodiscard]] Node* at_level(std::uint32_t level) const {
    Node* found = node;
    while (found->level > level) found = found->around;
    return found;
  }
};

// A shape in a tree, with the spots of all that its passes do.
struct ShapeRun {
  const Shape* shape = nullptr;
  std::vector<std::uint32_t> entries;  // of each piece
  std::vector<Spot> made;
  std::vector<Spot> scopes;

  [[nodiscard]] const std::vector<const Member*>& members() const { return shape->members; }
};

// A piece that shapes have in common. Its operators and call sites are those of the shape that brought it in.
struct Entry {
  const Shape* from = nullptr;
  std::uint32_t piece = 0;  // in `from`

  [[nodiscard]] const Piece& source() const { return from->pieces[piece]; }
};

// Shapes laid beside each other, and the nodes that they have in common then.
struct Tree {
  const Bodies* bodies = nullptr;
  std::vector<Entry> entries;
  std::vector<ShapeRun> runs;
  Branch body;
  std::uint32_t count = 0;  // of all nodes
  std::set<std::uint32_t>
      deeper;  // numbers of iterations, above kMostIterationsAlive, that blocks live through
};

// Makes the nodes of a tree that has all its shapes.
void grow(Tree& tree);

// Returns how many loops around both spots are in the same iteration.
[[nodiscard]] std::uint32_t loops_in_common(const Spot& a, const Spot& b);

// Calls `visit` for each node of the body and of the loops in it.
template <typename Visit>
void for_each_node(const Branch& body, const Visit& visit) {
  for (const std::unique_ptr<Node>& node : body.nodes) {
    visit(*node);
    for_each_node(node->body, visit);
  }
}

}  // namespace memo::planner
