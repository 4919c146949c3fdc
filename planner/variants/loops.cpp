#include "planner/variants/loops.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "planner/period/repeats.h"
#include "planner/trace/size_class.h"
#include "planner/variants/loop_growth.h"
#include "planner/variants/plan_variants.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostSequences = 16;  // sequences searched for a body
constexpr std::size_t kMostSteps = std::size_t{1} << 20;
constexpr std::size_t kLingeringOneIn = 8;  // if over 1/8 of its instances linger or escape: no place
constexpr Bytes kHeapRoundsUpBy = 8;        // 1/8 of a size on average: four size classes to a doubling

// ---- passes as sequences ----

// An event of a pass that matters for its loops: an operator begins, or an operator allocates.
struct Context {
  bool is_scope = false;
  std::string scope;  // the operator that begins, or that allocates
  PlanSite site;
  friend auto operator<=>(const Context&, const Context&) = default;
};

class Contexts {
 public:
  ContextId add(const Context& context) {
    const auto [at, fresh] = ids_.try_emplace(context, static_cast<ContextId>(is_scope_.size()));
    if (fresh) is_scope_.push_back(context.is_scope);
    return at->second;
  }
  [[nodiscard]] bool is_scope(ContextId id) const { return is_scope_[id]; }

 private:
  std::map<Context, ContextId> ids_;
  std::vector<bool> is_scope_;
};

Nested sequence_of(const Member& member, Contexts& contexts) {
  const Pass& pass = *member.pass;
  const auto name = [&](ScopeIndex scope) {
    return scope == kNone ? std::string() : std::string(member.view->trace->name(pass.scopes[scope].name));
  };
  Nested sequence;
  ScopeIndex scope = 0;
  const auto begin_scopes_until = [&](Time position) {
    for (; scope < pass.scopes.size() && pass.scopes[scope].life.begin <= position; ++scope) {
      sequence.steps.push_back(
          {.context = contexts.add({.is_scope = true, .scope = name(scope), .site = {}})});
      sequence.around.push_back(pass.scopes[scope].parent);
    }
  };
  for (const Allocation& made : pass.allocations) {
    begin_scopes_until(made.life.begin);
    const Context context{.is_scope = false, .scope = name(made.scope), .site = member.view->site(made.site)};
    sequence.steps.push_back({.context = contexts.add(context), .size = made.size});
    sequence.around.push_back(made.scope);
  }
  begin_scopes_until(std::numeric_limits<Time>::max());
  return sequence;
}

// ---- one pass, cut into its iterations ----

// The place of an allocation, or of the allocation before which a block is freed: before the loop, in
// `iteration`, or after the loop (kBehind).
struct Location {
  static constexpr std::size_t kBehind = SIZE_MAX;
  bool before = false;
  std::size_t iteration = 0;
  std::uint32_t place = 0;  // among the allocations of its part
};

// The body, with separate numbers for its scopes and its allocations.
struct Numbered {
  Body body;
  std::vector<std::uint32_t>
      allocations_before;  // place in the body → allocations before it; one more for the end
  std::uint32_t allocations = 0;
  std::uint32_t scopes = 0;

  Numbered(Body contexts_of_body, const Contexts& contexts) : body(std::move(contexts_of_body)) {
    for (const ContextId context : body) {
      allocations_before.push_back(allocations);
      ++(contexts.is_scope(context) ? scopes : allocations);
    }
    allocations_before.push_back(allocations);
  }
};

struct Run {
  const Member* member = nullptr;
  Nested sequence;
  Repeats repeats;
  std::vector<Location> locations;  // of each allocation of the pass, and of its end
  std::vector<bool> stray;          // allocations that the body does not have
  std::vector<std::uint32_t>
      scopes;  // scopes that began before each iteration, and before the part after the loop
  std::vector<std::uint32_t> made;  // likewise, the allocations made before

  [[nodiscard]] std::size_t iterations() const { return repeats.count(); }
  [[nodiscard]] const Pass& pass() const { return *member->pass; }
  [[nodiscard]] std::uint32_t made_behind() const {
    return static_cast<std::uint32_t>(pass().allocations.size()) - made.back();
  }
  // Returns before which allocation a position of the pass lies.
  [[nodiscard]] const Location& location(Time position) const {
    return locations[static_cast<std::size_t>(allocations_before(pass(), position))];
  }
};

void count_parts(Run& run, const Contexts& contexts) {
  std::uint32_t scopes = 0;
  std::uint32_t made = 0;
  auto boundary = run.repeats.begins.begin();
  for (std::uint32_t step = 0; step <= run.sequence.steps.size(); ++step) {
    if (boundary != run.repeats.begins.end() && *boundary == step) {
      run.scopes.push_back(scopes);
      run.made.push_back(made);
      ++boundary;
    }
    if (step < run.sequence.steps.size())
      ++(contexts.is_scope(run.sequence.steps[step].context) ? scopes : made);
  }
}

// Finds the location of each allocation. A stray gets the location of the next allocation that is none.
void locate(Run& run, const Numbered& body, const Contexts& contexts) {
  const std::uint32_t first = run.repeats.begins.front();
  const std::uint32_t end = run.repeats.begins.back();
  const auto allocations = static_cast<std::uint32_t>(run.pass().allocations.size());
  run.locations.assign(allocations + std::size_t{1},
                       {.before = false, .iteration = Location::kBehind, .place = run.made_behind()});
  run.stray.assign(allocations, false);
  std::uint32_t made = allocations;
  std::size_t iteration = run.iterations() - 1;
  for (auto step = static_cast<std::uint32_t>(run.sequence.steps.size()); step-- > 0;) {
    while (step >= first && step < run.repeats.begins[iteration]) --iteration;
    if (contexts.is_scope(run.sequence.steps[step].context)) continue;
    Location& here = run.locations[--made];
    const std::uint32_t place = step < first || step >= end ? 0 : run.repeats.places[step - first];
    if (step < first) {
      here = {.before = true, .iteration = 0, .place = made};
    } else if (step >= end) {
      here = {.before = false, .iteration = Location::kBehind, .place = made - run.made.back()};
    } else if (place != kNoPlace) {
      here = {.before = false, .iteration = iteration, .place = body.allocations_before[place]};
    } else {
      run.stray[made] = true;
      here = run.locations[made + 1];
    }
  }
}

// Returns true if no operator that began in the loop is still open after it.
bool ends_cleanly(const Run& run) {
  const std::vector<std::uint32_t>& around = run.sequence.around;
  return std::none_of(around.begin() + run.repeats.begins.back(), around.end(), [&](std::uint32_t scope) {
    return scope != kNone && scope >= run.scopes.front() && scope < run.scopes.back();
  });
}

std::optional<Run> run_of(const Member& member, const Numbered& body, Contexts& contexts) {
  Run run;
  run.member = &member;
  run.sequence = sequence_of(member, contexts);
  run.repeats = repeats_of(body.body, run.sequence);
  if (run.iterations() == 0) return std::nullopt;
  count_parts(run, contexts);
  if (!ends_cleanly(run)) return std::nullopt;
  locate(run, body, contexts);
  return run;
}

// Returns equal values for runs that are alike before and after the loop. Sizes after the loop do not count:
// what happens there may work on all that the loop has gathered.
std::uint64_t frame_of(const Run& run) {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint32_t step) { hash = mix(hash, run.sequence.steps[step].context); };
  for (std::uint32_t step = 0; step < run.repeats.begins.front(); ++step) {
    add(step);
    hash = mix(hash, static_cast<std::uint64_t>(size_class(run.sequence.steps[step].size)));
  }
  hash = mix(hash, run.repeats.begins.front());
  for (std::uint32_t step = run.repeats.begins.back(); step < run.sequence.steps.size(); ++step) add(step);
  return hash;
}

// ---- all runs of a variant together ----

// The needs of one allocation of the body, over all iterations of all runs.
struct Carried {
  // In how many iterations later the block is last alive, and before which place it is freed there.
  struct Reach {
    std::size_t through = 0;
    std::uint32_t to = 0;
    friend auto operator<=>(const Reach&, const Reach&) = default;
  };
  std::uint32_t end = 0;     // place where it is freed, if in its own iteration
  Reach reach;               // where it is freed, if in a later iteration
  std::uint32_t behind = 0;  // where it is freed after the loop; 0: never there
  std::size_t places = 1;    // places needed at once
  std::size_t instances = 0;
  std::size_t lingering = 0;  // of these, instances that needed more than kMostIterationsAlive
  std::size_t escaping = 0;

  [[nodiscard]] bool lingers() const { return lingering * kLingeringOneIn > instances; }
  [[nodiscard]] bool outlives() const { return escaping * kLingeringOneIn > instances; }
  [[nodiscard]] bool is_handed_on() const { return reach.through != 0 || behind != 0; }
};

class Fold {
 public:
  Fold(const Numbered& body, const std::vector<Run>& runs)
      : body_(body),
        runs_(runs),
        reference_(longest(runs)),
        carried_(body.allocations),
        growth_(body.allocations) {}

  // Returns the variant. Returns nothing where no iteration equals the body exactly, since the operators are
  // taken from such an iteration.
  std::optional<Variant> make() {
    const std::optional<std::size_t> exact = exact_iteration();
    if (!exact) return std::nullopt;
    for (const Run& run : runs_)
      for (std::uint32_t i = 0; i < run.stray.size(); ++i)
        if (!run.stray[i] && in_loop(run.locations[i])) carry(run, i);
    return with_growing_in_place(*exact);
  }

 private:
  // Folds with the growing buffers that are handed on in the slab or on the heap, whichever takes fewer bytes.
  Variant with_growing_in_place(std::size_t exact) {
    Variant in_slab = fold(exact);
    GrowingBuffers growing = growing_buffers();
    if (growing.handed_on != 0) {
      growing_on_heap_ = true;
      Variant on_heap = fold(exact);
      growing.slab = peak_planned(in_slab) - peak_planned(on_heap);
      if (growing.stay_on_heap()) in_slab = std::move(on_heap);
    }
    in_slab.loops.front().growing = growing;
    return in_slab;
  }

  Variant fold(std::size_t exact) {
    find_period();
    Variant variant = frame();
    add_scopes(variant, exact);
    add_demands(variant, exact);
    for (const Run& run : runs_) unite(variant, run);
    settle_body(variant);
    return variant;
  }

  static Bytes peak_planned(const Variant& variant) {
    Problem problem;
    for (const Demand& demand : variant.demands)
      if (why_unplanned(demand).empty())
        problem.buffers.push_back({.life = demand.life, .size = demand.size});
    return peak_live_bytes(problem);
  }

  [[nodiscard]] Bytes growth_of(std::uint32_t place) const {
    const Carried& carried = carried_[place];
    return carried.lingers() || carried.outlives() ? 0 : growth_.per_iteration(place);
  }
  [[nodiscard]] bool grows_and_is_handed_on(std::uint32_t place) const {
    return growth_of(place) > 0 && carried_[place].is_handed_on();
  }
  [[nodiscard]] bool outgrows(std::uint32_t place) const {
    return growing_on_heap_ && grows_and_is_handed_on(place);
  }

  [[nodiscard]] GrowingBuffers growing_buffers() const {
    GrowingBuffers growing;
    for (std::uint32_t place = 0; place < body_.allocations; ++place) {
      growing.buffers += growth_of(place) > 0 ? 1U : 0U;
      growing.handed_on += grows_and_is_handed_on(place) ? 1U : 0U;
    }
    growing.heap = growth_.peak([this](std::uint32_t place) { return grows_and_is_handed_on(place); });
    growing.heap += growing.heap / kHeapRoundsUpBy;
    return growing;
  }

  static const Run& longest(const std::vector<Run>& runs) {
    return *std::max_element(runs.begin(), runs.end(),
                             [](const Run& a, const Run& b) { return a.iterations() < b.iterations(); });
  }
  static bool in_loop(const Location& at) { return !at.before && at.iteration != Location::kBehind; }

  std::optional<std::size_t> exact_iteration() const {
    const Repeats& repeats = reference_.repeats;
    for (std::size_t i = 0; i < repeats.count(); ++i) {
      const auto begin = repeats.places.begin() + (repeats.begins[i] - repeats.begins.front());
      const std::size_t steps = repeats.begins[i + 1] - repeats.begins[i];
      if (steps == body_.body.size() && std::find(begin, begin + static_cast<std::ptrdiff_t>(steps),
                                                  kNoPlace) == begin + static_cast<std::ptrdiff_t>(steps))
        return i;
    }
    return std::nullopt;
  }

  [[nodiscard]] static bool escapes(const Allocation& made) { return made.escapes || !made.freed; }

  // Returns where the block is freed. The begin of a part counts as the end of the part before.
  [[nodiscard]] Location end_of(const Run& run, const Allocation& made) const {
    Location end = escapes(made) ? run.locations.back() : run.location(made.life.end);
    const bool at_begin = !end.before && end.place == 0;
    if (at_begin && end.iteration == Location::kBehind)
      return {.before = false, .iteration = run.iterations() - 1, .place = body_.allocations};
    if (at_begin && end.iteration > 0 && end.iteration != Location::kBehind)
      return {.before = false, .iteration = end.iteration - 1, .place = body_.allocations};
    return end;
  }

  void carry(const Run& run, std::uint32_t index) {
    const Allocation& made = run.pass().allocations[index];
    const Location& born = run.locations[index];
    const Location end = end_of(run, made);
    Carried& carried = carried_[born.place];
    ++carried.instances;
    growth_.add(static_cast<std::size_t>(&run - runs_.data()), born.iteration, born.place, made);
    if (escapes(made)) ++carried.escaping;
    const bool leaves = end.iteration == Location::kBehind;
    const std::size_t through = (leaves ? run.iterations() : end.iteration) - born.iteration;
    const std::size_t places = through + (!leaves && end.place > born.place ? 1 : 0);
    if (leaves) {
      carried.behind = std::max(carried.behind, end.place);
    } else if (through == 0) {
      carried.end = std::max(carried.end, end.place);
    } else {
      carried.reach = std::max(carried.reach, {.through = through, .to = end.place});
    }
    if (places > kMostIterationsAlive)
      ++carried.lingering;
    else
      carried.places = std::max(carried.places, places);
  }

  void find_period() {
    period_ = 1;
    for (std::uint32_t place = 0; place < body_.allocations; ++place)
      if (!carried_[place].lingers() && !outgrows(place))
        period_ = std::max(period_, static_cast<std::uint32_t>(carried_[place].places));
  }

  // The demands of the variant are those before the loop, `period_` iterations, and those after it.
  [[nodiscard]] std::uint32_t before() const { return reference_.made.front(); }
  [[nodiscard]] std::uint32_t behind() const { return before() + period_ * body_.allocations; }
  [[nodiscard]] Time rank(std::size_t iteration, std::uint32_t place) const {
    if (iteration >= period_) return behind();
    return Time{before()} + static_cast<Time>(iteration) * body_.allocations + place;
  }
  [[nodiscard]] Time rank(const Location& at) const {
    if (at.before) return at.place;
    return at.iteration == Location::kBehind ? Time{behind()} + at.place : rank(at.iteration, at.place);
  }

  Variant frame() const {
    const Pass& pass = reference_.pass();
    Variant variant{.key = pass.key,
                    .pass_name = std::string(reference_.member->view->trace->name(pass.name)),
                    .scopes = {},
                    .demands = {},
                    .loops = {},
                    .parallel = {}};
    variant.fingerprint = frame_of(reference_);
    for (const ContextId context : body_.body) variant.fingerprint = mix(variant.fingerprint, context);
    std::set<std::size_t> lengths;
    for (const Run& run : runs_) lengths.insert(run.iterations());
    variant.loops.push_back({.first_demand = before(),
                             .demands = body_.allocations,
                             .first_scope = reference_.scopes.front(),
                             .scopes = body_.scopes,
                             .period = period_,
                             .lengths = {lengths.begin(), lengths.end()}});
    return variant;
  }

  // ---- operators ----

  [[nodiscard]] std::uint32_t scopes_before() const { return reference_.scopes.front(); }

  // Turns a scope number of the reference run into one of the variant, in which the iteration that the body was
  // taken from becomes this iteration.
  [[nodiscard]] ScopeIndex scope_number(ScopeIndex scope, std::size_t exact, std::uint32_t iteration) const {
    if (scope == kNone || scope < scopes_before()) return scope;
    if (scope >= reference_.scopes.back())
      return scope - reference_.scopes.back() + scopes_before() + period_ * body_.scopes;
    return scope - reference_.scopes[exact] + scopes_before() + iteration * body_.scopes;
  }

  void add_scope(Variant& variant, ScopeIndex index, std::size_t exact, std::uint32_t iteration,
                 Lifetime life) {
    const Scope& scope = reference_.pass().scopes[index];
    variant.scopes.push_back({.name = std::string(reference_.member->view->trace->name(scope.name)),
                              .parent = scope_number(scope.parent, exact, iteration),
                              .life = life});
  }

  void add_frame_scopes(Variant& variant, ScopeIndex first, ScopeIndex last, std::size_t exact) {
    for (ScopeIndex index = first; index < last; ++index) {
      const Lifetime& life = reference_.pass().scopes[index].life;
      add_scope(variant, index, exact, 0,
                {rank(reference_.location(life.begin)), rank(reference_.location(life.end))});
    }
  }

  void add_scopes(Variant& variant, std::size_t exact) {
    add_frame_scopes(variant, 0, scopes_before(), exact);
    const Pass& pass = reference_.pass();
    const Time first = reference_.made[exact];
    const Time most = body_.allocations;
    for (std::uint32_t iteration = 0; iteration < period_; ++iteration) {
      for (ScopeIndex index = reference_.scopes[exact]; index < reference_.scopes[exact + 1]; ++index) {
        const Lifetime& life = pass.scopes[index].life;
        const Time begin = allocations_before(pass, life.begin) - first;
        const Time end = std::min(most, allocations_before(pass, life.end) - first);
        add_scope(variant, index, exact, iteration, {rank(iteration, 0) + begin, rank(iteration, 0) + end});
      }
    }
    add_frame_scopes(variant, reference_.scopes.back(), static_cast<ScopeIndex>(pass.scopes.size()), exact);
  }

  // ---- allocations ----

  void add_demand(Variant& variant, std::size_t index, std::size_t exact, std::uint32_t iteration) {
    const Allocation& made = reference_.pass().allocations[index];
    const auto begin = static_cast<Time>(variant.demands.size());
    variant.demands.push_back({.life = {begin, begin + 1},
                               .site = reference_.member->view->site(made.site),
                               .scope = scope_number(made.scope, exact, iteration)});
  }

  void add_demands(Variant& variant, std::size_t exact) {
    for (std::size_t index = 0; index < before(); ++index) add_demand(variant, index, exact, 0);
    for (std::uint32_t iteration = 0; iteration < period_; ++iteration)
      for (std::size_t index = reference_.made[exact]; index < reference_.made[exact + 1]; ++index)
        add_demand(variant, index, exact, iteration);
    for (std::size_t index = reference_.made.back(); index < reference_.pass().allocations.size(); ++index)
      add_demand(variant, index, exact, 0);
  }

  static void enlarge(Demand& demand, const Allocation& made) {
    demand.size = std::max(demand.size, std::max<Bytes>(made.size, 1));
    demand.alignment = std::max(demand.alignment, made.alignment);
  }

  void unite(Variant& variant, const Run& run) const {
    for (std::size_t index = 0; index < run.stray.size(); ++index) {
      if (run.stray[index]) continue;
      const Allocation& made = run.pass().allocations[index];
      const Location& at = run.locations[index];
      if (in_loop(at)) {
        for (std::uint32_t i = 0; i < period_; ++i)
          enlarge(variant.demands[static_cast<std::size_t>(rank(i, at.place))], made);
        continue;
      }
      Demand& demand = variant.demands[static_cast<std::size_t>(rank(at))];
      enlarge(demand, made);
      demand.escapes = demand.escapes || escapes(made);
      demand.life.end = std::max(demand.life.end, rank(end_of(run, made)));
    }
    ++variant.runs;
  }

  void settle_body(Variant& variant) const {
    for (std::uint32_t iteration = 0; iteration < period_; ++iteration) {
      for (std::uint32_t place = 0; place < body_.allocations; ++place) {
        Demand& demand = variant.demands[static_cast<std::size_t>(rank(iteration, place))];
        const Carried& carried = carried_[place];
        demand.life = life_of(carried, iteration, place);
        demand.lingers = carried.lingers();
        demand.escapes = carried.outlives();
        demand.growth = growth_of(place);
        demand.outgrows = outgrows(place);
      }
    }
  }

  // Returns the lifetime in the variant. Any iteration may be the last of its pass, and the iteration after the
  // variant's last one is its first.
  [[nodiscard]] Lifetime life_of(const Carried& carried, std::uint32_t iteration, std::uint32_t place) const {
    if (carried.behind != 0) return {rank(0, 0), Time{behind()} + carried.behind};
    const std::size_t last = iteration + carried.reach.through;
    if (last >= period_) return {rank(0, 0), behind()};
    const Time begin = rank(iteration, place);
    const Time handed_on = carried.reach.through == 0 ? 0 : rank(last, carried.reach.to);
    return {begin, std::max({begin + 1, rank(iteration, carried.end), handed_on})};
  }

  const Numbered& body_;
  const std::vector<Run>& runs_;
  const Run& reference_;
  std::vector<Carried> carried_;  // by allocation of the body
  LoopGrowth growth_;
  bool growing_on_heap_ = false;
  std::uint32_t period_ = 1;
};

// ---- which passes ----

// The passes with one name and key: different shapes, different numbers of iterations, warm-up.
using Kind = std::vector<const Member*>;

std::vector<Kind> kinds_of(const std::vector<Member>& members) {
  std::map<std::pair<std::string_view, std::uint64_t>, Kind> kinds;
  for (const Member& member : members)
    kinds[{member.view->trace->name(member.pass->name), member.pass->key}].push_back(&member);
  std::vector<Kind> found;
  found.reserve(kinds.size());
  for (auto& [name, kind] : kinds) found.push_back(std::move(kind));
  return found;
}

// Returns one of each distinct sequence, beginning with the last passes, since warm-up comes first.
std::vector<Nested> sequences_of(const Kind& kind, Contexts& contexts) {
  std::set<std::uint64_t> seen;
  std::vector<Nested> sequences;
  std::size_t steps = 0;
  for (auto member = kind.rbegin(); member != kind.rend() && sequences.size() < kMostSequences; ++member) {
    if (!seen.insert((*member)->fingerprint).second) continue;
    Nested sequence = sequence_of(**member, contexts);
    steps += sequence.steps.size();
    if (steps > kMostSteps) break;
    sequences.push_back(std::move(sequence));
  }
  return sequences;
}

bool differ_in_iterations(const std::vector<Run>& runs) {
  const auto [least, most] = std::minmax_element(
      runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.iterations() < b.iterations(); });
  return least->iterations() != most->iterations() && most->iterations() >= kLeastIterations;
}

void fold(const Kind& kind, std::vector<Variant>& variants, std::set<const Member*>& folded) {
  Contexts contexts;
  const std::vector<Nested> sequences = sequences_of(kind, contexts);
  if (sequences.size() < 2) return;
  std::optional<Body> found = find_body(sequences);
  if (!found) return;
  const Numbered body(std::move(*found), contexts);
  if (body.allocations == 0) return;
  std::map<std::uint64_t, std::vector<Run>> groups;
  for (const Member* member : kind)
    if (std::optional<Run> run = run_of(*member, body, contexts))
      groups[frame_of(*run)].push_back(std::move(*run));
  for (const auto& [frame, runs] : groups) {
    if (!differ_in_iterations(runs)) continue;
    std::optional<Variant> variant = Fold(body, runs).make();
    if (!variant) continue;
    variants.push_back(std::move(*variant));
    for (const Run& run : runs) folded.insert(run.member);
  }
}

}  // namespace

std::vector<Variant> fold_loops(std::vector<Member>& members) {
  std::vector<Variant> variants;
  std::set<const Member*> folded;
  for (const Kind& kind : kinds_of(members)) fold(kind, variants, folded);
  std::vector<Member> rest;
  for (const Member& member : members)
    if (!folded.contains(&member)) rest.push_back(member);
  members = std::move(rest);
  return variants;
}

}  // namespace memo::planner
