#include "runtime/plan/formula_check.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "runtime/plan/formulas.h"

namespace memo::runtime {
namespace {

bool is_after(const PlanFormula& formula, const PlanFormula& before) {
  return before.variant != formula.variant ? before.variant < formula.variant : before.slot < formula.slot;
}

bool are_possible(const Numbers& numbers) {
  return numbers.p != 0 && numbers.p <= kMaxFormulaNumbers[0] && numbers.q != 0 &&
         numbers.q <= kMaxFormulaNumbers[1];
}

// Returns true if the formula, which counts in t, counts in nothing else and begins with its slot's size.
bool check_line(const PlanFile& file, const PlanFormula& formula) {
  const PlanSlot& slot = file.slots()[file.variants()[formula.variant].first_slot + formula.slot];
  return formula.powers[0] == 0 && formula.powers[1] == 0 && formula.powers[2] == 1 &&
         formula.rounding == 0 && formula.base == slot.size;
}

bool check_formula(const PlanFile& file, const PlanFormula& formula) {
  if (formula.variant >= file.variants().size()) return false;
  if (formula.slot >= file.variants()[formula.variant].slot_count) return false;
  if (formula.factor == 0 || formula.factor > kMaxPlanHeight || formula.base > kMaxPlanHeight) return false;
  if (is_line(formula)) return check_line(file, formula);
  const std::uint32_t power = std::max(formula.powers[0], formula.powers[1]);
  return power != 0 && power <= kMaxFormulaPower && formula.rounding <= kMaxFormulaRounding;
}

}  // namespace

bool check_formulas(const PlanFile& file, PlanFault* why) {
  const std::span<const PlanFormula> formulas = file.formulas();
  for (std::size_t index = 0; index < formulas.size(); ++index) {
    const PlanFormula& formula = formulas[index];
    if (!check_formula(file, formula) || (index != 0 && !is_after(formula, formulas[index - 1])))
      return fault(why, "formula %zu is of a slot that is not there, or out of order, or not possible",
                   index);
    if (!is_line(formula) && !are_possible(largest_numbers(file, formula.variant)))
      return fault(why, "formula %zu counts in numbers that are not there or not possible", index);
  }
  return true;
}

}  // namespace memo::runtime
