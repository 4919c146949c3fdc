// The entries of a structure as parts of the variant to come, and where all that its passes do lies in them.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "planner/variants/loop_lives.h"
#include "planner/variants/structure.h"

namespace memo::planner {

// The place of an operator or an allocation of a pass in its structure.
struct Spot {
  std::uint32_t entry = 0;
  std::uint32_t iteration = 0;
  std::uint32_t place = 0;  // among the operators, or the allocations, of an iteration
};

// An aligned shape, with the spots of all that its passes do.
struct ShapeRun {
  const AlignedShape* aligned = nullptr;
  std::vector<Spot> made;
  std::vector<Spot> scopes;

  [[nodiscard]] const Shape& shape() const { return *aligned->shape; }
  [[nodiscard]] const std::vector<const Member*>& members() const { return shape().members; }
};

// A step of an entry, as the first shape took it that has it.
struct SourceStep {
  const ShapeRun* run = nullptr;  // nullptr: no shape of this structure takes it
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

struct StructureParts {
  std::vector<ShapeRun> runs;
  std::vector<Part> parts;  // by entry

  [[nodiscard]] const Part& part_of(const Spot& spot) const { return parts[spot.entry]; }
  // Returns the rank after all that an entry allocates. Of a loop, a block lives to see all.
  [[nodiscard]] std::uint32_t end_of(std::uint32_t entry) const { return parts[entry].end_demand(); }
  // Returns the number in the variant of an operator around a step, in this iteration of the step.
  [[nodiscard]] ScopeIndex number_of(ScopeIndex scope, const SourceStep& inside,
                                     std::uint32_t iteration) const;
};

// Returns the parts with their steps. The structure must outlive them.
[[nodiscard]] StructureParts parts_of(const Structure& structure);

}  // namespace memo::planner
