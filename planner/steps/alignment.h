// Aligns two sequences: which elements of one correspond to which of the other, in order and as many as possible.
//
//   a b c d e
//   a   c x e y      found: 0 2 - 4 -
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace memo::planner {

inline constexpr std::uint32_t kUnaligned = UINT32_MAX;

// Returns for each element of `other` the place of the element of `base` that it corresponds to, or kUnaligned. Returns
// nothing where that would take too long: it takes quadratic time, apart from what is common at both ends.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> align(std::span<const std::uint64_t> base,
                                                              std::span<const std::uint64_t> other);

[[nodiscard]] std::size_t count_aligned(std::span<const std::uint32_t> alignment);

// Puts the elements of two aligned sequences into one.
struct Merged {
  struct Origin {
    bool is_base = true;
    std::uint32_t place = 0;
  };
  std::vector<Origin> elements;
  std::vector<std::uint32_t> base;   // place in the base → place in `elements`
  std::vector<std::uint32_t> other;  // likewise
};

[[nodiscard]] Merged merge(std::size_t base, std::span<const std::uint32_t> alignment);

}  // namespace memo::planner
