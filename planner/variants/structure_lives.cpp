#include "planner/variants/structure_lives.h"

#include <algorithm>

#include "planner/variants/loops.h"

namespace memo::planner {
namespace {

// Returns how many iterations the loop around an allocation has in this run.
std::size_t iterations_at(const ShapeRun& run, std::size_t index) {
  const std::uint32_t entry = run.made[index].entry;
  std::size_t last = index;
  while (last + 1 < run.made.size() && run.made[last + 1].entry == entry) ++last;
  return run.made[last].iteration + std::size_t{1};
}

void look_at(const ShapeRun& run, const Pass& pass, std::size_t index, std::vector<Part>& parts) {
  const Spot& born = run.made[index];
  const Spot& last = run.made[last_seen(pass, index)];
  Carried& carried = parts[born.entry].carried[born.place];
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
  carried.in_list = std::max(carried.in_list, places);
  if (places > kMostIterationsAlive)
    ++carried.lingering;
  else
    carried.places = std::max(carried.places, places);
}

void end_scopes(const ShapeRun& run, StructureParts& structure) {
  const Pass& pass = *run.members().front()->pass;
  for (std::size_t index = 0; index < pass.scopes.size(); ++index) {
    const Spot& spot = run.scopes[index];
    const Part& part = structure.parts[spot.entry];
    const Time first = allocations_before(pass, pass.scopes[index].life.begin);
    const Time end = allocations_before(pass, pass.scopes[index].life.end);
    if (end == first) continue;
    const Spot& last = run.made[static_cast<std::size_t>(end - 1)];
    const bool here = part.is_loop && last.entry == spot.entry && last.iteration == spot.iteration;
    const std::uint32_t until = here           ? last.place + 1
                                : part.is_loop ? part.demands
                                               : structure.end_of(last.entry);
    std::uint32_t& known = structure.parts[spot.entry].scope_ends[spot.place];
    known = std::max(known, until);
  }
}

}  // namespace

std::size_t last_seen(const Pass& pass, std::size_t index) {
  const Allocation& made = pass.allocations[index];
  if (escapes(made)) return pass.allocations.size() - 1;
  return std::max(index, static_cast<std::size_t>(allocations_before(pass, made.life.end) - 1));
}

void look_at_loops(StructureParts& structure) {
  for (const ShapeRun& run : structure.runs)
    for (const Member* member : run.members())
      for (std::size_t i = 0; i < run.made.size(); ++i)
        if (structure.part_of(run.made[i]).is_loop) look_at(run, *member->pass, i, structure.parts);
  for (Part& part : structure.parts)
    for (const Carried& carried : part.carried)
      if (!carried.lingers()) part.period = std::max(part.period, static_cast<std::uint32_t>(carried.places));
}

void note_scope_ends(StructureParts& structure) {
  for (const ShapeRun& run : structure.runs) end_scopes(run, structure);
}

Lifetime life_of(const StructureParts& structure, const Part& part, std::uint32_t iteration,
                 std::uint32_t place) {
  const Carried& carried = part.carried[place];
  const Time begin = part.first_demand;
  if (carried.is_left_behind()) return {0, structure.parts.back().end_demand()};
  if (carried.behind != 0) return {begin, structure.end_of(carried.behind)};
  const std::size_t last = iteration + carried.reach.through;
  if (last >= part.period) return {begin, part.end_demand()};
  const auto rank = [&](std::size_t at, std::uint32_t to) {
    return begin + static_cast<Time>(at * part.demands + to);
  };
  const Time handed_on = carried.reach.through == 0 ? 0 : rank(last, carried.reach.to);
  return {rank(iteration, place),
          std::max({rank(iteration, place + 1), rank(iteration, carried.end), handed_on})};
}

}  // namespace memo::planner
