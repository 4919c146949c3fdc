#include "planner/variants/structure.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "planner/trace/mix.h"
#include "planner/variants/structure_lives.h"
#include "planner/variants/structure_nodes.h"

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

class Builder {
 public:
  explicit Builder(const Structure& structure) : source_(structure), nodes_(nodes_of(structure)) {}

  Variant build() {
    look_at_lives(nodes_);
    const Member& member = *nodes_.runs.front()->members().front();
    variant_.key = member.pass->key;
    variant_.pass_name = member.view->trace->name(member.pass->name);
    unite_all();
    Copies copies{};
    add(nodes_.body, copies);
    for (const Entry& entry : source_.entries)
      variant_.fingerprint = mix(variant_.fingerprint, entry.source().id);
    nest(variant_.scopes);
    return std::move(variant_);
  }

 private:
  // Makes a demand of each allocation that is large enough for all passes.
  void unite_all() {
    united_.resize(nodes_.count);
    std::set<std::uint64_t> shapes;
    for (const auto& run : nodes_.runs) {
      for (const Member* member : run->members()) {
        for (std::size_t i = 0; i < run->made.size(); ++i)
          enlarge(united_[run->made[i].node->number], member->pass->allocations[i]);
        variant_.runs += member->runs;
        shapes.insert(member->fingerprint);
      }
    }
    variant_.shapes = shapes.size();
  }

  // Adds an iteration.
  void add(const BodyOfNodes& body, Copies& copies) {
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
    const Shape& shape = node.run->shape();
    const Scope& scope = member.pass->scopes[shape.scopes_before[node.step]];
    const auto here = static_cast<Time>(variant_.demands.size());
    const Time end = scope_end(nodes_.body, node, copies);
    variant_.scopes.push_back({.name = std::string(member.view->trace->name(scope.name)),
                               .parent = scope_around(node, copies),
                               .life = {here, std::max(here, end)}});
  }

  void add_demand(const Node& node, const Copies& copies) {
    const Member& member = *node.run->members().front();
    const Allocation& made = member.pass->allocations[node.run->shape().made_before(node.step)];
    Demand demand = united_[node.number];
    demand.life = life_of(nodes_.body, node, copies);
    demand.site = member.view->site(made.site);
    demand.scope = scope_around(node, copies);
    demand.lingers = node.needs.lingers();
    demand.escapes = node.level == 0 ? node.needs.escaping != 0 : node.needs.outlives();
    demand.gathered = demand.lingers && !demand.escapes ? node.needs.gathered : 0;
    variant_.demands.push_back(demand);
  }

  // Returns the number of the operator around a node, which is in the same iterations of the loops around both.
  [[nodiscard]] std::uint32_t scope_around(const Node& node, const Copies& copies) const {
    const ScopeIndex scope = node.run->shape().sequence.around[node.step];
    return scope == kNone ? kNone : scope_number(*node.run->scopes[scope].node, copies);
  }

  const Structure& source_;
  StructureNodes nodes_;
  std::vector<Demand> united_;  // by the number of a node
  Variant variant_;
};

}  // namespace

Variant variant_of(const Structure& structure) {
  return Builder(structure).build();
}

}  // namespace memo::planner
