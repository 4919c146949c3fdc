#include "planner/variants/structure.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "planner/trace/mix.h"
#include "planner/variants/loop_lives.h"
#include "planner/variants/loops.h"

namespace memo::planner {
namespace {

// Where an operator or an allocation of a pass lies in its structure.
struct Spot {
  std::uint32_t entry = 0;
  std::uint32_t iteration = 0;
  std::uint32_t place = 0;  // among the operators, or the allocations, of an iteration
};

// An aligned shape, with the spots of all that its passes do.
struct Run {
  const AlignedShape* aligned = nullptr;
  std::vector<Spot> made;
  std::vector<Spot> scopes;

  [[nodiscard]] const Shape& shape() const { return *aligned->shape; }
  [[nodiscard]] const std::vector<const Member*>& members() const { return shape().members; }
};

// A step of an entry, as the first shape took it that has it.
struct SourceStep {
  const Run* run = nullptr;  // nullptr: no shape of this structure takes it
  std::uint32_t step = 0;
  std::uint32_t number = 0;  // among the operators, or the allocations, of an iteration

  [[nodiscard]] bool is_scope() const { return run->shape().is_scope[step]; }
};

// An entry in the variant. A single step is a part of one step, once.
struct Part {
  bool is_loop = false;
  std::vector<SourceStep> steps;  // of one iteration
  std::uint32_t demands = 0;      // likewise
  std::uint32_t scopes = 0;
  std::uint32_t period = 1;
  std::uint32_t first_demand = 0;
  std::uint32_t first_scope = 0;
  std::vector<std::uint32_t> scope_ends;  // of an iteration's operators: the demand before which each ends
  std::vector<Carried> carried;           // what each allocation of a loop's body needs
  std::set<std::size_t> lengths;

  [[nodiscard]] std::uint32_t end_demand() const { return first_demand + demands * period; }
};

std::uint32_t place_of(const Token& token, std::uint32_t step) {
  return token.loop == nullptr ? 0 : (*token.places)[step];
}

class Builder {
 public:
  explicit Builder(const Structure& structure) : structure_(structure), parts_(structure.entries.size()) {
    for (const AlignedShape& aligned : structure.shapes)
      runs_.push_back({.aligned = &aligned, .made = {}, .scopes = {}});
    for (const Run& run : runs_) find_steps(run);
    for (Part& part : parts_) number_steps(part);
    for (Run& run : runs_) locate(run);
  }

  Variant build() {
    look_at_loops();
    lay_out();
    const Member& member = *runs_.front().members().front();
    variant_.key = member.pass->key;
    variant_.pass_name = member.view->trace->name(member.pass->name);
    for (const Run& run : runs_) end_scopes(run);
    for (const Part& part : parts_)
      for (std::uint32_t iteration = 0; iteration < part.period; ++iteration) add_iteration(part, iteration);
    for (const Entry& entry : structure_.entries)
      variant_.fingerprint = mix(variant_.fingerprint, entry.source().id);
    for (const Run& run : runs_) unite(run);
    settle_loops();
    nest_scopes();
    return std::move(variant_);
  }

 private:
  // ---- parts ----

  void find_steps(const Run& run) {
    const std::vector<Token>& tokens = run.shape().tokens;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      Part& part = parts_[run.aligned->entries[t]];
      part.is_loop = tokens[t].loop != nullptr;
      part.lengths.insert(tokens[t].count);
      part.steps.resize(part.is_loop ? tokens[t].loop->steps.size() : 1);
      for (std::uint32_t i = 0; i < tokens[t].steps; ++i) {
        SourceStep& step = part.steps[place_of(tokens[t], i)];
        if (step.run == nullptr) step = {.run = &run, .step = tokens[t].begin + i};
      }
    }
  }

  static void number_steps(Part& part) {
    for (SourceStep& step : part.steps)
      if (step.run != nullptr) step.number = step.is_scope() ? part.scopes++ : part.demands++;
    part.scope_ends.resize(part.scopes);
    if (part.is_loop) part.carried.resize(part.demands);
  }

  void locate(Run& run) const {
    const std::vector<Token>& tokens = run.shape().tokens;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      const std::uint32_t entry = run.aligned->entries[t];
      for (std::uint32_t iteration = 0; iteration < tokens[t].count; ++iteration) {
        for (std::uint32_t i = 0; i < tokens[t].steps; ++i) {
          const SourceStep& step = parts_[entry].steps[place_of(tokens[t], i)];
          (step.is_scope() ? run.scopes : run.made)
              .push_back({.entry = entry, .iteration = iteration, .place = step.number});
        }
      }
    }
  }

  // ---- lives in loops ----

  // Returns the index of the last allocation of the pass that the block lives to see.
  static std::size_t last_seen(const Pass& pass, std::size_t index) {
    const Allocation& made = pass.allocations[index];
    if (escapes(made)) return pass.allocations.size() - 1;
    return std::max(index, static_cast<std::size_t>(allocations_before(pass, made.life.end) - 1));
  }

  void look_at_loops() {
    for (const Run& run : runs_)
      for (const Member* member : run.members())
        for (std::size_t i = 0; i < run.made.size(); ++i)
          if (parts_[run.made[i].entry].is_loop) look_at(run, *member->pass, i);
    for (Part& part : parts_)
      for (const Carried& carried : part.carried)
        if (!carried.lingers())
          part.period = std::max(part.period, static_cast<std::uint32_t>(carried.places));
  }

  void look_at(const Run& run, const Pass& pass, std::size_t index) {
    const Spot& born = run.made[index];
    const Spot& last = run.made[last_seen(pass, index)];
    Carried& carried = parts_[born.entry].carried[born.place];
    ++carried.instances;
    carried.escaping += escapes(pass.allocations[index]) ? 1U : 0U;
    const bool leaves = last.entry != born.entry;
    const std::size_t through = (leaves ? iterations_at(run, index) : last.iteration) - born.iteration;
    const std::size_t places = through + (!leaves && last.place >= born.place ? 1 : 0);
    if (leaves) {
      carried.behind = std::max(carried.behind, last.entry);
    } else if (through == 0) {
      carried.end = std::max(carried.end, last.place + 1);
    } else {
      carried.reach = std::max(carried.reach, {.through = through, .to = last.place + 1});
    }
    if (places > kMostIterationsAlive)
      ++carried.lingering;
    else
      carried.places = std::max(carried.places, places);
  }

  // Returns how many iterations the loop around an allocation has in this run.
  static std::size_t iterations_at(const Run& run, std::size_t index) {
    const std::uint32_t entry = run.made[index].entry;
    std::size_t last = index;
    while (last + 1 < run.made.size() && run.made[last + 1].entry == entry) ++last;
    return run.made[last].iteration + std::size_t{1};
  }

  void lay_out() {
    std::uint32_t demands = 0;
    std::uint32_t scopes = 0;
    for (Part& part : parts_) {
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

  // ---- operators and demands ----

  // Notes where the operators of a pass end: after the last allocation that they hold.
  void end_scopes(const Run& run) {
    const Pass& pass = *run.members().front()->pass;
    for (std::size_t index = 0; index < pass.scopes.size(); ++index) {
      const Spot& spot = run.scopes[index];
      const Part& part = parts_[spot.entry];
      const Time first = allocations_before(pass, pass.scopes[index].life.begin);
      const Time end = allocations_before(pass, pass.scopes[index].life.end);
      if (end == first) continue;
      const Spot& last = run.made[static_cast<std::size_t>(end - 1)];
      const bool here = part.is_loop && last.entry == spot.entry && last.iteration == spot.iteration;
      const std::uint32_t until = here ? last.place + 1 : part.is_loop ? part.demands : end_of(last.entry);
      std::uint32_t& known = parts_[spot.entry].scope_ends[spot.place];
      known = std::max(known, until);
    }
  }

  void add_iteration(const Part& part, std::uint32_t iteration) {
    const std::uint32_t begin = part.first_demand + iteration * part.demands;
    for (const SourceStep& source : part.steps) {
      if (source.run == nullptr) continue;
      const Member& member = *source.run->members().front();
      const Shape& shape = source.run->shape();
      const auto here = static_cast<Time>(variant_.demands.size());
      const std::uint32_t around = number(source, shape.sequence.around[source.step], iteration);
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

  // Returns the number that the operator around a step has in the variant, in this iteration of the step.
  [[nodiscard]] ScopeIndex number(const SourceStep& source, ScopeIndex scope, std::uint32_t iteration) const {
    if (scope == kNone) return kNone;
    const Spot& spot = source.run->scopes[scope];
    const Part& part = parts_[spot.entry];
    const Part& own = parts_[entry_of(source)];
    return part.first_scope + (&part == &own ? iteration * part.scopes : 0) + spot.place;
  }

  static std::uint32_t entry_of(const SourceStep& source) {
    const Run& run = *source.run;
    return source.is_scope() ? run.scopes[run.shape().scopes_before[source.step]].entry
                             : run.made[run.shape().made_before(source.step)].entry;
  }

  // Returns the rank after what the block lives to see last. Of a loop, it lives to see all.
  [[nodiscard]] std::uint32_t end_of(std::uint32_t entry) const { return parts_[entry].end_demand(); }

  void unite(const Run& run) {
    for (const Member* member : run.members()) {
      const Pass& pass = *member->pass;
      for (std::size_t i = 0; i < run.made.size(); ++i) {
        const Part& part = parts_[run.made[i].entry];
        const Time rank = Time{part.first_demand} + run.made[i].place;
        for (std::uint32_t iteration = 0; iteration < part.period; ++iteration)
          enlarge(demand_at(rank + Time{iteration} * part.demands), pass.allocations[i]);
        if (part.is_loop) continue;
        Demand& demand = demand_at(rank);
        demand.escapes = demand.escapes || escapes(pass.allocations[i]);
        demand.life.end = std::max(demand.life.end, Time{end_of(run.made[last_seen(pass, i)].entry)});
      }
      ++variant_.runs;
      shapes_.insert(member->fingerprint);
    }
    variant_.shapes = shapes_.size();
  }

  static void enlarge(Demand& demand, const Allocation& made) {
    demand.size = std::max(demand.size, std::max<Bytes>(made.size, 1));
    demand.alignment = std::max(demand.alignment, made.alignment);
  }

  [[nodiscard]] Demand& demand_at(Time rank) { return variant_.demands[static_cast<std::size_t>(rank)]; }

  void settle_loops() {
    for (std::uint32_t entry = 0; entry < parts_.size(); ++entry) {
      const Part& part = parts_[entry];
      if (!part.is_loop) continue;
      for (std::uint32_t iteration = 0; iteration < part.period; ++iteration) {
        for (std::uint32_t place = 0; place < part.demands; ++place) {
          Demand& demand = demand_at(Time{part.first_demand} + Time{iteration} * part.demands + place);
          demand.life = life_of(part, iteration, place);
          demand.lingers = part.carried[place].lingers();
          demand.escapes = part.carried[place].outlives();
        }
      }
    }
  }

  // Returns the life of a block of a loop. Any iteration may be the last, and the first follows the last again.
  [[nodiscard]] Lifetime life_of(const Part& part, std::uint32_t iteration, std::uint32_t place) const {
    const Carried& carried = part.carried[place];
    const Time begin = part.first_demand;
    if (carried.behind != 0) return {begin, end_of(carried.behind)};
    const std::size_t last = iteration + carried.reach.through;
    if (last >= part.period) return {begin, part.end_demand()};
    const auto rank = [&](std::size_t at, std::uint32_t to) {
      return begin + static_cast<Time>(at * part.demands + to);
    };
    const Time handed_on = carried.reach.through == 0 ? 0 : rank(last, carried.reach.to);
    return {rank(iteration, place),
            std::max({rank(iteration, place + 1), rank(iteration, carried.end), handed_on})};
  }

  // Makes the operators nest. Where shapes disagree, an operator ends before the next one that is not inside it.
  void nest_scopes() {
    std::vector<VariantScope>& scopes = variant_.scopes;
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

  const Structure& structure_;
  std::vector<Run> runs_;
  std::vector<Part> parts_;
  std::set<std::uint64_t> shapes_;
  Variant variant_;
};

}  // namespace

Variant variant_of(const Structure& structure) {
  return Builder(structure).build();
}

}  // namespace memo::planner
