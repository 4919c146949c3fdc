// Prints what `memomalloc size` finds out: a table with some sentences, or one JSON object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/plan/foreseen.h"
#include "planner/plan/memory_need.h"

namespace memo::cli {

// What a variant is for requests of the shape that was asked for.
struct VariantAtShape {
  std::size_t variant = 0;   // index into the plan's variants
  bool grows = false;        // the shape needs more room than was planned
  bool too_high = false;     // the library would not make so much: the shape goes to the heap
  std::uint64_t height = 0;  // of the lane that it has room in
  std::uint64_t touched = 0;
};

struct AtShape {
  planner::FormulaNumbers numbers;
  std::vector<VariantAtShape> variants;  // those whose sizes follow two numbers
};

struct SizeReport {
  std::string path;
  planner::PlanDescription plan;
  std::optional<AtShape> shape;
  planner::MemoryNeed need;  // room for the shape included
  std::optional<std::uint64_t> base;
  std::optional<std::uint64_t> limit;
  std::optional<std::uint64_t> at_once;

  // Returns how many of the largest requests fit into the limit at once. There is a limit.
  [[nodiscard]] std::uint64_t fitting() const;
  // Returns true if those that were asked for do not fit into the limit.
  [[nodiscard]] bool is_too_much() const;
};

[[nodiscard]] std::string describe(const SizeReport& report);
[[nodiscard]] std::string to_json(const SizeReport& report);

}  // namespace memo::cli
