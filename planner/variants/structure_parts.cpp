#include "planner/variants/structure_parts.h"

namespace memo::planner {
namespace {

void find_steps(const ShapeRun& run, std::vector<Part>& parts) {
  const std::vector<Token>& tokens = run.shape().tokens;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    Part& part = parts[run.aligned->entries[t]];
    part.is_loop = tokens[t].loop != nullptr;
    part.lengths.insert(tokens[t].iterations.size());
    part.steps.resize(part.is_loop ? tokens[t].loop->steps.size() : 1);
    for (const Token::Iteration& iteration : tokens[t].iterations) {
      for (std::uint32_t i = 0; i < iteration.steps; ++i) {
        SourceStep& step = part.steps[iteration.place_of(i)];
        if (step.run == nullptr) step = {.run = &run, .step = iteration.begin + i};
      }
    }
  }
}

void number_steps(Part& part) {
  for (SourceStep& step : part.steps)
    if (step.run != nullptr) step.number = step.is_scope() ? part.scopes++ : part.demands++;
  part.scope_ends.resize(part.scopes);
  if (part.is_loop) part.carried.resize(part.demands);
}

void locate(ShapeRun& run, const std::vector<Part>& parts) {
  const std::vector<Token>& tokens = run.shape().tokens;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    const std::uint32_t entry = run.aligned->entries[t];
    for (std::uint32_t number = 0; number < tokens[t].iterations.size(); ++number) {
      const Token::Iteration& iteration = tokens[t].iterations[number];
      for (std::uint32_t i = 0; i < iteration.steps; ++i) {
        const SourceStep& step = parts[entry].steps[iteration.place_of(i)];
        (step.is_scope() ? run.scopes : run.made)
            .push_back({.entry = entry, .iteration = number, .place = step.number});
      }
    }
  }
}

std::uint32_t entry_of(const SourceStep& source) {
  const ShapeRun& run = *source.run;
  return source.is_scope() ? run.scopes[run.shape().scopes_before[source.step]].entry
                           : run.made[run.shape().made_before(source.step)].entry;
}

}  // namespace

ScopeIndex StructureParts::number_of(ScopeIndex scope, const SourceStep& inside,
                                     std::uint32_t iteration) const {
  if (scope == kNone) return kNone;
  const Spot& spot = inside.run->scopes[scope];
  const Part& part = part_of(spot);
  const bool same = spot.entry == entry_of(inside);
  return part.first_scope + (same ? iteration * part.scopes : 0) + spot.place;
}

StructureParts parts_of(const Structure& structure) {
  StructureParts found;
  found.parts.resize(structure.entries.size());
  for (const AlignedShape& aligned : structure.shapes)
    found.runs.push_back({.aligned = &aligned, .made = {}, .scopes = {}});
  for (const ShapeRun& run : found.runs) find_steps(run, found.parts);
  for (Part& part : found.parts) number_steps(part);
  for (ShapeRun& run : found.runs) locate(run, found.parts);
  return found;
}

}  // namespace memo::planner
