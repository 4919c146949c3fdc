// The range of the shapes that one structure serves: what a plan tells people about its requests.
#pragma once

#include <cstdint>
#include <vector>

namespace memo::planner {

// A whole number that differs from shape to shape and that the sizes follow, such as a batch or a length.
struct VaryingSize {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  friend bool operator==(const VaryingSize&, const VaryingSize&) = default;
};

struct ShapeRange {
  std::int64_t least = 0;  // bytes that the smallest shape requested in all
  std::int64_t most = 0;   // likewise the largest
  std::int64_t alone = 0;  // the highest peak of any shape alone; 0 for a variant that is no structure
  std::vector<VaryingSize> varying;  // at most two; empty if no two numbers explain the sizes
  friend bool operator==(const ShapeRange&, const ShapeRange&) = default;
};

}  // namespace memo::planner
