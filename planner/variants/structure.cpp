#include "planner/variants/structure.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "planner/trace/mix.h"
#include "planner/variants/loops.h"
#include "planner/variants/structure_lives.h"
#include "planner/variants/structure_parts.h"

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
  explicit Builder(const Structure& structure) : source_(structure), structure_(parts_of(structure)) {}

  Variant build() {
    look_at_loops(structure_);
    lay_out();
    const Member& member = *structure_.runs.front().members().front();
    variant_.key = member.pass->key;
    variant_.pass_name = member.view->trace->name(member.pass->name);
    note_scope_ends(structure_);
    for (const Part& part : structure_.parts)
      for (std::uint32_t iteration = 0; iteration < part.period; ++iteration) add_iteration(part, iteration);
    for (const Entry& entry : source_.entries)
      variant_.fingerprint = mix(variant_.fingerprint, entry.source().id);
    for (const ShapeRun& run : structure_.runs) unite(run);
    for (const Part& part : structure_.parts)
      if (part.is_loop) settle(part);
    nest(variant_.scopes);
    return std::move(variant_);
  }

 private:
  void lay_out() {
    std::uint32_t demands = 0;
    std::uint32_t scopes = 0;
    for (Part& part : structure_.parts) {
      part.first_demand = demands;
      part.first_scope = scopes;
      demands += part.demands * part.period;
      scopes += part.scopes * part.period;
      if (part.is_loop && part.demands + part.scopes != 0)
        variant_.loops.push_back({.first_demand = part.first_demand,
                                  .demands = part.demands,
                                  .first_scope = part.first_scope,
                                  .scopes = part.scopes,
                                  .period = part.period,
                                  .lengths = {part.lengths.begin(), part.lengths.end()}});
    }
  }

  void add_iteration(const Part& part, std::uint32_t iteration) {
    const std::uint32_t begin = part.first_demand + iteration * part.demands;
    for (const SourceStep& source : part.steps) {
      if (source.run == nullptr) continue;
      const Member& member = *source.run->members().front();
      const Shape& shape = source.run->shape();
      const auto here = static_cast<Time>(variant_.demands.size());
      const std::uint32_t around =
          structure_.number_of(shape.sequence.around[source.step], source, iteration);
      if (source.is_scope()) {
        const Scope& scope = member.pass->scopes[shape.scopes_before[source.step]];
        const Time end = Time{part.is_loop ? begin : 0} + part.scope_ends[source.number];
        variant_.scopes.push_back({.name = std::string(member.view->trace->name(scope.name)),
                                   .parent = around,
                                   .life = {here, std::max(here, end)}});
      } else {
        const Allocation& made = member.pass->allocations[shape.made_before(source.step)];
        variant_.demands.push_back(
            {.life = {here, here + 1}, .site = member.view->site(made.site), .scope = around});
      }
    }
  }

  void unite(const ShapeRun& run) {
    for (const Member* member : run.members()) {
      const Pass& pass = *member->pass;
      for (std::size_t i = 0; i < run.made.size(); ++i) {
        const Part& part = structure_.parts[run.made[i].entry];
        const Time rank = Time{part.first_demand} + run.made[i].place;
        for (std::uint32_t iteration = 0; iteration < part.period; ++iteration)
          enlarge(demand_at(rank + Time{iteration} * part.demands), pass.allocations[i]);
        if (part.is_loop) continue;
        Demand& demand = demand_at(rank);
        demand.escapes = demand.escapes || escapes(pass.allocations[i]);
        demand.life.end =
            std::max(demand.life.end, Time{structure_.end_of(run.made[last_seen(pass, i)].entry)});
      }
      ++variant_.runs;
      shapes_.insert(member->fingerprint);
    }
    variant_.shapes = shapes_.size();
  }

  [[nodiscard]] Demand& demand_at(Time rank) { return variant_.demands[static_cast<std::size_t>(rank)]; }

  void settle(const Part& loop) {
    for (std::uint32_t iteration = 0; iteration < loop.period; ++iteration) {
      for (std::uint32_t place = 0; place < loop.demands; ++place) {
        Demand& demand = demand_at(Time{loop.first_demand} + Time{iteration} * loop.demands + place);
        demand.life = life_of(structure_, loop, iteration, place);
        demand.lingers = loop.carried[place].lingers();
        demand.gathered = loop.carried[place].list_cells(loop.period);
        demand.escapes = loop.carried[place].outlives();
      }
    }
  }

  const Structure& source_;
  StructureParts structure_;
  std::set<std::uint64_t> shapes_;
  Variant variant_;
};

}  // namespace

Variant variant_of(const Structure& structure) {
  return Builder(structure).build();
}

}  // namespace memo::planner
