#include "planner/fold/tree.h"

#include <algorithm>

namespace memo::planner {
namespace {

// What a run does in one iteration of a body: a piece for each place, or nullptr.
struct Occurrence {
  ShapeRun* run = nullptr;
  std::vector<const Piece*> pieces;
  std::array<IterationOf, kMaxLoopDepth> iterations{};
};

std::vector<const Piece*> by_place(const std::vector<Piece>& pieces, const std::vector<std::uint32_t>& places,
                                   std::size_t count) {
  std::vector<const Piece*> all(count);
  for (std::size_t i = 0; i < pieces.size(); ++i) all[places[i]] = &pieces[i];
  return all;
}

class TreeBuilder {
 public:
  explicit TreeBuilder(Tree& tree) : tree_(tree) {}

  // Adds the nodes of a body, of which so many loops are around.
  void add(Branch& body, Node* around, std::uint32_t level, const std::vector<Occurrence>& seen) {
    if (seen.empty()) return;
    for (std::size_t place = 0; place < seen.front().pieces.size(); ++place) {
      std::vector<const Occurrence*> here;
      for (const Occurrence& one : seen)
        if (one.pieces[place] != nullptr) here.push_back(&one);
      if (here.empty()) continue;
      if (here.front()->pieces[place]->is_loop())
        add_loop(body, around, level, place, here);
      else
        add_step(new_node(body, around, level), place, here);
    }
  }

 private:
  Node& new_node(Branch& body, Node* around, std::uint32_t level) {
    Node& node = *body.nodes.emplace_back(std::make_unique<Node>());
    node.around = around;
    node.level = level;
    node.place = static_cast<std::uint32_t>(body.nodes.size() - 1);
    node.number = tree_.count++;
    return node;
  }

  static void add_step(Node& node, std::size_t place, const std::vector<const Occurrence*>& here) {
    node.run = here.front()->run;
    node.step = here.front()->pieces[place]->begin;
    node.is_scope = node.run->shape->is_scope[node.step];
    for (const Occurrence* one : here) {
      const std::uint32_t step = one->pieces[place]->begin;
      const Shape& shape = *one->run->shape;
      (node.is_scope
           ? one->run->scopes[shape.scopes_before[step]]
           : one->run->made[shape.made_before(step)]) = {.node = &node, .iterations = one->iterations};
    }
  }

  void add_loop(Branch& body, Node* around, std::uint32_t level, std::size_t place,
                const std::vector<const Occurrence*>& here) {
    std::set<std::size_t> lengths;
    for (const Occurrence* one : here) lengths.insert(one->pieces[place]->iterations.size());
    const std::size_t most = *lengths.rbegin();
    const bool repeats = lengths.size() > 1 && most >= kLeastIterations && level < kMaxLoopDepth;
    if (!repeats) {
      for (std::size_t i = 0; i < most; ++i)
        add(body, around, level, iterations(place, here, level, i, i + 1));
      return;
    }
    Node& loop = new_node(body, around, level);
    loop.is_loop = true;
    loop.lengths = std::move(lengths);
    add(loop.body, &loop, level + 1, iterations(place, here, level, 0, most, true));
  }

  // Returns what the runs do in the iterations from `begin` to before `end` of the loop.
  [[nodiscard]] std::vector<Occurrence> iterations(std::size_t place,
                                                   const std::vector<const Occurrence*>& here,
                                                   std::uint32_t level, std::size_t begin, std::size_t end,
                                                   bool counted = false) const {
    std::vector<Occurrence> inside;
    for (const Occurrence* one : here) {
      const Piece& loop = *one->pieces[place];
      const LoopBody& body = tree_.bodies->of(loop);
      for (std::size_t i = begin; i < std::min(end, loop.iterations.size()); ++i) {
        const Iteration& iteration = loop.iterations[i];
        inside.push_back({.run = one->run,
                          .pieces = by_place(iteration, body.places.at(ids_of(iteration)), body.ids.size()),
                          .iterations = one->iterations});
        if (counted)
          inside.back().iterations[level] = {.number = static_cast<std::uint32_t>(i),
                                             .count = static_cast<std::uint32_t>(loop.iterations.size())};
      }
    }
    return inside;
  }

  Tree& tree_;
};

}  // namespace

void grow(Tree& tree) {
  std::vector<Occurrence> seen;
  for (ShapeRun& run : tree.runs) {
    const std::size_t scopes = run.shape->scopes_before.back();
    run.made.resize(run.shape->sequence.steps.size() - scopes);
    run.scopes.resize(scopes);
    seen.push_back({.run = &run, .pieces = by_place(run.shape->pieces, run.entries, tree.entries.size())});
  }
  TreeBuilder(tree).add(tree.body, nullptr, 0, seen);
}

std::uint32_t loops_in_common(const Spot& a, const Spot& b) {
  const std::uint32_t most = std::min(a.node->level, b.node->level);
  for (std::uint32_t level = 0; level < most; ++level)
    if (a.at_level(level) != b.at_level(level) || a.iterations[level] != b.iterations[level]) return level;
  return most;
}

}  // namespace memo::planner
