// Sizes that follow from numbers, and the numbers that passes had: p and q, such as a batch and a length, or t, the steps beyond
// what was profiled.
//
//   a slot with a formula   takes base + factor * p^i * q^j bytes, and a few more where sizes are rounded; or base + factor * t
//   a request beyond it     tells the product p^i * q^j: (request - base) / factor; there are eight kinds of products. Or it
//                           tells t; a remainder means that it is of another shape
//   a pass that told some   had the numbers that explain them all, and none of those products that would not have fitted
//   a variant that grows    makes room for the largest p with the largest q, before a pass comes that has both
//
// A formula may be wrong. Then a slot is too large or too small, and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "runtime/plan/growth.h"
#include "runtime/plan/plan_file.h"

namespace memo::runtime {

// The numbers of a pass. Where p and q are 0 they are not known.
struct Numbers {
  std::uint64_t p;
  std::uint64_t q;
  std::uint64_t t;
};

inline constexpr std::uint32_t kPowers = kMaxFormulaPower + 1;
inline constexpr std::uint32_t kProductKinds = kPowers * kPowers;

// Returns the power of a number that a formula may count in. None of their products overflows (kMaxFormulaNumbers).
[[nodiscard]] constexpr std::uint64_t power_of(std::uint64_t number, std::uint32_t power) {
  return power == 0 ? 1 : power == 1 ? number : number * number;
}

[[nodiscard]] constexpr std::uint32_t kind_of(const PlanFormula& formula) {
  return formula.powers[0] * kPowers + formula.powers[1];
}

// Returns the product of this kind.
[[nodiscard]] constexpr std::uint64_t product_of(std::uint32_t kind, const Numbers& numbers) {
  return power_of(numbers.p, kind / kPowers) * power_of(numbers.q, kind % kPowers);
}

// Returns the bytes that the formula foresees; kNoPlanHoldsIt if no plan can hold them.
[[nodiscard]] inline std::uint64_t size_for(const PlanFormula& formula, const Numbers& numbers) {
  const std::uint64_t product = is_line(formula) ? numbers.t : product_of(kind_of(formula), numbers);
  std::uint64_t size = 0;
  if (__builtin_mul_overflow(formula.factor, product, &size) ||
      __builtin_add_overflow(size, formula.base + formula.rounding, &size))
    return kNoPlanHoldsIt;
  return std::min(size, kNoPlanHoldsIt);
}

// Returns true if a size tells which product it comes of: rounding leaves only one that is possible.
[[nodiscard]] constexpr bool tells_product(const PlanFormula& formula) {
  return formula.rounding < formula.factor;
}

// The formulas of a variant, and what is known of the numbers of its passes.
struct Formulas {
  std::span<const PlanFormula> all;  // sorted by slot; empty for none
  std::uint32_t
      growing;  // slots with bytes of the slab whose formula is a line: where there are some, no other counts
  Numbers planned;  // the largest p and q that were profiled, each for itself, and the t that has room
  std::uint64_t fits[kProductKinds];  // the largest product of each kind that has room in some slot; 0: none
  Seen p, q, t;  // the largest that were profiled or that a pass had; a refused t is forgotten

  [[nodiscard]] Numbers largest() const {
    return {p.load(std::memory_order_relaxed), q.load(std::memory_order_relaxed),
            t.load(std::memory_order_relaxed)};
  }
};

// The products that the requests of one pass told: the largest of each kind, and how many told it. Smaller ones are those
// of earlier iterations of a loop, say.
class ToldProducts {
 public:
  void add(const PlanFormula& formula, std::uint64_t request) {
    if (!tells_product(formula)) return;
    const std::uint64_t beyond = request - std::min(request, formula.base);
    if (beyond < formula.factor || beyond % formula.factor > formula.rounding) return void(++off_);
    add(told_[kind_of(formula)], beyond / formula.factor);
  }

  // Returns the numbers that the pass had, as far as they matter: of those that explain what it told, the ones that make
  // the variant's largest numbers least larger. Returns zeroes if there are none, if a single request told them, or if
  // more requests were on no formula. Takes a few steps for each value of p up to four times the planned one.
  [[nodiscard]] Numbers explain(const Formulas& formulas) const;

 private:
  struct Told {
    std::uint64_t product;  // 0: none
    std::uint64_t times;
  };

  static void add(Told& told, std::uint64_t product) {
    if (product > told.product) told = {.product = product, .times = 0};
    if (product == told.product) ++told.times;
  }

  [[nodiscard]] bool are_confirmed() const;
  [[nodiscard]] std::uint64_t q_for(std::uint64_t p, std::uint64_t most) const;
  [[nodiscard]] bool are_explained_by(const Numbers& numbers, const Formulas& formulas) const;

  Told told_[kProductKinds];
  std::uint64_t off_;  // requests that are on no formula
};

// Finds the formulas of a variant in the file, and the numbers that its slots there are large enough for.
void find_formulas(const PlanFile& file, std::uint32_t variant, Formulas& formulas);

// Returns the formulas of a variant in the file, sorted by slot.
[[nodiscard]] std::span<const PlanFormula> formulas_of(const PlanFile& file, std::uint32_t variant);

// Returns the largest numbers of the variant's shapes; zeroes if the file does not say two.
[[nodiscard]] Numbers largest_numbers(const PlanFile& file, std::uint32_t variant);

// Returns the formula of a slot; nullptr if it has none.
[[nodiscard]] const PlanFormula* formula_at(const Formulas& formulas, std::uint32_t slot);

}  // namespace memo::runtime
