#include "planner/variants/loop_runs.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "planner/trace/size_class.h"

namespace memo::planner {
namespace {

void count_parts(Run& run, const LoopContexts& contexts) {
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
void locate(Run& run, const Numbered& body, const LoopContexts& contexts) {
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

// Makes the first iteration a part of what comes before the loop.
void leave_first_before(Repeats& repeats) {
  if (repeats.count() < 2) {
    repeats = {};
    return;
  }
  repeats.places.erase(repeats.places.begin(),
                       repeats.places.begin() + (repeats.begins[1] - repeats.begins[0]));
  repeats.begins.erase(repeats.begins.begin());
}

// Makes so many of the steps behind the loop a part of the last iteration, which the body does not have.
void take_from_behind(Run& run, std::uint32_t steps) {
  const std::size_t behind = run.sequence.steps.size() - run.repeats.begins.back();
  const auto taken = static_cast<std::uint32_t>(std::min<std::size_t>(steps, behind));
  run.repeats.begins.back() += taken;
  run.repeats.places.insert(run.repeats.places.end(), taken, kNoPlace);
}

// Adds the steps to the hash. Counts them first: the first context of all has the number 0, of which no row of steps would show in
// an empty hash.
std::uint64_t print_of_steps(const Run& run, std::size_t first, std::size_t end, std::uint64_t hash) {
  hash = mix(hash, end - first);
  for (std::size_t step = first; step < end; ++step) hash = mix(hash, run.sequence.steps[step].context);
  return hash;
}

// Returns true if no operator that began in the loop is still open after it.
bool ends_cleanly(const Run& run) {
  const std::vector<std::uint32_t>& around = run.sequence.around;
  return std::none_of(around.begin() + run.repeats.begins.back(), around.end(), [&](std::uint32_t scope) {
    return scope != kNone && scope >= run.scopes.front() && scope < run.scopes.back();
  });
}

}  // namespace

Nested sequence_of(const Member& member, LoopContexts& contexts) {
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
    const LoopContext context{
        .is_scope = false, .scope = name(made.scope), .site = member.view->site(made.site)};
    sequence.steps.push_back({.context = contexts.add(context), .size = made.size});
    sequence.around.push_back(made.scope);
  }
  begin_scopes_until(std::numeric_limits<Time>::max());
  return sequence;
}

Numbered::Numbered(Body contexts_of_body, const LoopContexts& contexts) : body(std::move(contexts_of_body)) {
  for (const ContextId context : body) {
    allocations_before.push_back(allocations);
    ++(contexts.is_scope(context) ? scopes : allocations);
  }
  allocations_before.push_back(allocations);
}

Location end_of(const Run& run, const Allocation& made, const Numbered& body) {
  Location end = outlives_its_pass(made) ? run.locations.back() : run.location(made.life.end);
  const bool at_begin = !end.before && end.place == 0;
  if (at_begin && end.iteration == Location::kBehind)
    return {.before = false, .iteration = run.iterations() - 1, .place = body.allocations};
  if (at_begin && end.iteration > 0 && end.iteration != Location::kBehind)
    return {.before = false, .iteration = end.iteration - 1, .place = body.allocations};
  return end;
}

std::optional<Run> run_of(const Member& member, const Numbered& body, LoopContexts& contexts,
                          LoopBounds bounds) {
  Run run;
  run.member = &member;
  run.bounds = bounds;
  run.sequence = sequence_of(member, contexts);
  run.repeats = repeats_of(body.body, run.sequence);
  if (bounds.leaves_first_before) leave_first_before(run.repeats);
  if (run.iterations() == 0) return std::nullopt;
  take_from_behind(run, bounds.steps_of_behind);
  count_parts(run, contexts);
  if (!ends_cleanly(run)) return std::nullopt;
  locate(run, body, contexts);
  return run;
}

std::uint64_t frame_of(const Run& run, bool with_sizes) {
  std::uint64_t hash = 0;
  for (std::uint32_t step = 0; step < run.repeats.begins.front(); ++step) {
    hash = mix(hash, run.sequence.steps[step].context);
    if (with_sizes) hash = mix(hash, static_cast<std::uint64_t>(size_class(run.sequence.steps[step].size)));
  }
  hash = mix(hash, run.repeats.begins.front());
  return print_of_steps(run, run.repeats.begins.back(), run.sequence.steps.size(), hash);
}

bool equals_body(const Run& run, std::size_t iteration, const Numbered& body) {
  const Repeats& repeats = run.repeats;
  const auto begin = repeats.places.begin() + (repeats.begins[iteration] - repeats.begins.front());
  const auto end = repeats.places.begin() + (repeats.begins[iteration + 1] - repeats.begins.front());
  return static_cast<std::size_t>(end - begin) == body.body.size() && std::find(begin, end, kNoPlace) == end;
}

std::optional<std::size_t> exact_iteration(const Run& run, const Numbered& body) {
  for (std::size_t i = 0; i < run.iterations(); ++i)
    if (equals_body(run, i, body)) return i;
  return std::nullopt;
}

std::uint64_t print_of_first_iteration(const Run& run) {
  return print_of_steps(run, run.repeats.begins[0], run.repeats.begins[1], 0);
}

}  // namespace memo::planner
