#include "planner/variants/loop_unrolling.h"

#include <algorithm>
#include <set>
#include <string>

namespace memo::planner {
namespace {

Variant frame_variant(const LoopLayout& layout, const std::vector<Run>& runs) {
  const Run& reference = layout.reference();
  const Pass& pass = reference.pass();
  Variant variant{.key = pass.key,
                  .pass_name = std::string(reference.member->view->trace->name(pass.name)),
                  .scopes = {},
                  .demands = {},
                  .loops = {},
                  .parallel = {}};
  variant.fingerprint = frame_of(reference);
  for (const ContextId context : layout.body().body) variant.fingerprint = mix(variant.fingerprint, context);
  std::set<std::size_t> lengths;
  for (const Run& run : runs) lengths.insert(run.iterations());
  variant.loops.push_back({.first_demand = layout.before(),
                           .demands = layout.body().allocations,
                           .first_scope = layout.scopes_before(),
                           .scopes = layout.body().scopes,
                           .period = layout.period(),
                           .lengths = {lengths.begin(), lengths.end()}});
  return variant;
}

// ---- operators ----

// Adds the operators of the reference run to the variant, those of the exact iteration once for each iteration.
class ScopeWriter {
 public:
  ScopeWriter(const LoopLayout& layout, Variant& variant) : layout_(layout), variant_(variant) {}

  void write() {
    const Run& reference = layout_.reference();
    add_frame(0, layout_.scopes_before());
    for (std::uint32_t iteration = 0; iteration < layout_.period(); ++iteration) add_iteration(iteration);
    add_frame(reference.scopes.back(), static_cast<ScopeIndex>(reference.pass().scopes.size()));
  }

 private:
  void add(ScopeIndex index, std::uint32_t iteration, Lifetime life) {
    const Run& reference = layout_.reference();
    const Scope& scope = reference.pass().scopes[index];
    variant_.scopes.push_back({.name = std::string(reference.member->view->trace->name(scope.name)),
                               .parent = layout_.scope_number(scope.parent, iteration),
                               .life = life});
  }

  void add_frame(ScopeIndex first, ScopeIndex last) {
    const Run& reference = layout_.reference();
    for (ScopeIndex index = first; index < last; ++index) {
      const Lifetime& life = reference.pass().scopes[index].life;
      add(index, 0,
          {layout_.rank(reference.location(life.begin)), layout_.rank(reference.location(life.end))});
    }
  }

  void add_iteration(std::uint32_t iteration) {
    const Run& reference = layout_.reference();
    const std::size_t exact = layout_.exact();
    const Pass& pass = reference.pass();
    const Time first = reference.made[exact];
    const Time most = layout_.body().allocations;
    const Time here = layout_.rank(iteration, 0);
    for (ScopeIndex index = reference.scopes[exact]; index < reference.scopes[exact + 1]; ++index) {
      const Lifetime& life = pass.scopes[index].life;
      const Time begin = allocations_before(pass, life.begin) - first;
      const Time end = std::min(most, allocations_before(pass, life.end) - first);
      add(index, iteration, {here + begin, here + end});
    }
  }

  const LoopLayout& layout_;
  Variant& variant_;
};

// ---- allocations ----

// Adds the demands of the reference run to the variant, and makes them fit all runs.
class DemandWriter {
 public:
  DemandWriter(const LoopLayout& layout, const LoopLives& lives, Growing growing, Variant& variant)
      : layout_(layout), lives_(lives), growing_(growing), variant_(variant) {}

  void write(const std::vector<Run>& runs) {
    add_all();
    for (const Run& run : runs) unite(run);
    settle_body();
  }

 private:
  void add(std::size_t index, std::uint32_t iteration) {
    const Run& reference = layout_.reference();
    const Allocation& made = reference.pass().allocations[index];
    const auto begin = static_cast<Time>(variant_.demands.size());
    variant_.demands.push_back({.life = {begin, begin + 1},
                                .site = reference.member->view->site(made.site),
                                .scope = layout_.scope_number(made.scope, iteration)});
  }

  void add_all() {
    const Run& reference = layout_.reference();
    const std::size_t exact = layout_.exact();
    for (std::size_t index = 0; index < layout_.before(); ++index) add(index, 0);
    for (std::uint32_t iteration = 0; iteration < layout_.period(); ++iteration)
      for (std::size_t index = reference.made[exact]; index < reference.made[exact + 1]; ++index)
        add(index, iteration);
    for (std::size_t index = reference.made.back(); index < reference.pass().allocations.size(); ++index)
      add(index, 0);
  }

  [[nodiscard]] Demand& demand_at(Time rank) { return variant_.demands[static_cast<std::size_t>(rank)]; }

  void unite(const Run& run) {
    for (std::size_t index = 0; index < run.stray.size(); ++index) {
      if (run.stray[index]) continue;
      const Allocation& made = run.pass().allocations[index];
      const Location& at = run.locations[index];
      if (at.in_loop())
        unite_in_loop(at.place, made);
      else
        unite_in_frame(run, at, made);
    }
    variant_.runs += run.member->runs;
  }

  void unite_in_loop(std::uint32_t place, const Allocation& made) {
    for (std::uint32_t i = 0; i < layout_.period(); ++i) enlarge(demand_at(layout_.rank(i, place)), made);
  }

  void unite_in_frame(const Run& run, const Location& at, const Allocation& made) {
    Demand& demand = demand_at(layout_.rank(at));
    enlarge(demand, made);
    demand.escapes = demand.escapes || outlives_its_pass(made);
    demand.life.end = std::max(demand.life.end, layout_.rank(end_of(run, made, layout_.body())));
  }

  void settle_body() {
    for (std::uint32_t iteration = 0; iteration < layout_.period(); ++iteration) {
      for (std::uint32_t place = 0; place < layout_.body().allocations; ++place) {
        Demand& demand = demand_at(layout_.rank(iteration, place));
        demand.life = life_of(iteration, place);
        demand.lingers = lives_[place].lingers();
        demand.gathered = lives_[place].list_cells(layout_.period());
        demand.escapes = lives_[place].outlives();
        demand.growth = lives_.growth_of(place);
        demand.outgrows = lives_.outgrows(place, growing_);
        if (growing_ == Growing::kInPools) give_pool(demand, place);
      }
    }
  }

  void give_pool(Demand& demand, std::uint32_t place) const {
    demand.pool = lives_.pool_of(place);
    if (demand.pool != 0) demand.gathered = lives_.pools()[demand.pool - 1].cells;
  }

  // Returns the lifetime in the variant. Any iteration may be the last of its pass, and the iteration after the
  // variant's last one is its first.
  [[nodiscard]] Lifetime life_of(std::uint32_t iteration, std::uint32_t place) const {
    const Carried& carried = lives_[place];
    const Time loop_begin = layout_.rank(0, 0);
    const Time loop_end = layout_.behind();
    if (carried.is_left_behind()) return {0, static_cast<Time>(variant_.demands.size())};
    if (carried.behind != 0) return {loop_begin, loop_end + carried.behind};
    const std::size_t last = iteration + carried.reach.through;
    if (last >= layout_.period()) return {loop_begin, loop_end};
    const Time begin = layout_.rank(iteration, place);
    const Time handed_on = carried.reach.through == 0 ? 0 : layout_.rank(last, carried.reach.to);
    return {begin, std::max({begin + 1, layout_.rank(iteration, carried.end), handed_on})};
  }

  const LoopLayout& layout_;
  const LoopLives& lives_;
  const Growing growing_;
  Variant& variant_;
};

}  // namespace

Variant unroll(const LoopLayout& layout, const std::vector<Run>& runs, const LoopLives& lives,
               Growing growing) {
  Variant variant = frame_variant(layout, runs);
  ScopeWriter(layout, variant).write();
  DemandWriter(layout, lives, growing, variant).write(runs);
  return variant;
}

}  // namespace memo::planner
