#include "runtime/plan/formulas.h"

namespace memo::runtime {
namespace {

constexpr std::uint64_t kFewestTold = 2;  // a single request proves no shape

// Returns the whole root; 0 if there is none up to `most`.
std::uint64_t root_of(std::uint64_t square, std::uint64_t most) {
  std::uint64_t low = 1;
  std::uint64_t high = most;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (middle * middle < square)
      low = middle + 1;
    else
      high = middle;
  }
  return low * low == square ? low : 0;
}

std::uint64_t larger(const Numbers& numbers, const Numbers& known) {
  return std::max(numbers.p, known.p) * std::max(numbers.q, known.q);
}

// Counts the slots of the slab that have lines. Returns the steps that all of them are large enough for: a slot in one place with
// others is as large as the largest of them.
std::uint64_t steps_of(const PlanFile& file, std::uint32_t variant, Formulas& formulas) {
  const PlanSlot* slots = file.slots().data() + file.variants()[variant].first_slot;
  std::uint64_t steps = kNoPlanHoldsIt;
  for (const PlanFormula& formula : formulas.all) {
    const PlanSlot& slot = slots[formula.slot];
    if (!is_line(formula) || is_on_heap(slot.zone)) continue;
    ++formulas.growing;
    steps = std::min(steps, (slot.size - std::min(slot.size, formula.base)) / formula.factor);
  }
  return formulas.growing == 0 ? 0 : steps;
}

}  // namespace

bool ToldProducts::are_confirmed() const {
  std::uint64_t told = 0;
  for (const Told& one : told_) told += one.times;
  return told >= kFewestTold && told >= off_;
}

// Returns the q up to `most` that goes with this p; 0 if there is none. Where nothing was told that depends on q, 1 will do.
std::uint64_t ToldProducts::q_for(std::uint64_t p, std::uint64_t most) const {
  for (std::uint32_t kind = 0; kind < kProductKinds; ++kind) {
    const std::uint32_t power = kind % kPowers;
    if (power == 0 || told_[kind].product == 0) continue;
    const std::uint64_t of_p = power_of(p, kind / kPowers);
    if (told_[kind].product % of_p != 0) return 0;
    const std::uint64_t of_q = told_[kind].product / of_p;
    if (power == 2) return root_of(of_q, most);
    return of_q <= most ? of_q : 0;
  }
  return 1;
}

// What was not told has fitted: a request of a product that no slot has room for would have told it.
bool ToldProducts::are_explained_by(const Numbers& numbers, const Formulas& formulas) const {
  for (std::uint32_t kind = 0; kind < kProductKinds; ++kind) {
    const std::uint64_t product = product_of(kind, numbers);
    if (told_[kind].product != 0) {
      if (product != told_[kind].product) return false;
    } else if (formulas.fits[kind] != 0 && product > formulas.fits[kind]) {
      return false;
    }
  }
  return true;
}

Numbers ToldProducts::explain(const Formulas& formulas) const {
  Numbers best{};
  if (!are_confirmed()) return best;
  const Numbers known = formulas.largest();
  const std::uint64_t most_q = kMostTimesAsHigh * formulas.planned.q;
  for (std::uint64_t p = 1; p <= kMostTimesAsHigh * formulas.planned.p; ++p) {
    const Numbers numbers{.p = p, .q = q_for(p, most_q), .t = 0};
    if (numbers.q == 0 || !are_explained_by(numbers, formulas)) continue;
    if (best.p == 0 || larger(numbers, known) < larger(best, known)) best = numbers;
  }
  return best;
}

void find_formulas(const PlanFile& file, std::uint32_t variant, Formulas& formulas) {
  formulas.all = formulas_of(file, variant);
  if (formulas.all.empty()) return;
  formulas.planned = largest_numbers(file, variant);
  formulas.planned.t = steps_of(file, variant, formulas);
  raise(formulas.p, formulas.planned.p);
  raise(formulas.q, formulas.planned.q);
  raise(formulas.t, formulas.planned.t);
}

std::span<const PlanFormula> formulas_of(const PlanFile& file, std::uint32_t variant) {
  const std::span<const PlanFormula> all = file.formulas();
  const auto is_before = [](const PlanFormula& formula, std::uint32_t number) {
    return formula.variant < number;
  };
  return {std::lower_bound(all.begin(), all.end(), variant, is_before),
          std::lower_bound(all.begin(), all.end(), variant + 1, is_before)};
}

Numbers largest_numbers(const PlanFile& file, std::uint32_t variant) {
  const std::span<const PlanShapes> all = file.shapes();
  const auto found = std::lower_bound(
      all.begin(), all.end(), variant,
      [](const PlanShapes& shapes, std::uint32_t number) { return shapes.variant < number; });
  if (found == all.end() || found->variant != variant || found->varying != kMaxVaryingSizes) return {};
  return {.p = found->most[0], .q = found->most[1], .t = 0};
}

const PlanFormula* formula_at(const Formulas& formulas, std::uint32_t slot) {
  const auto found = std::lower_bound(
      formulas.all.begin(), formulas.all.end(), slot,
      [](const PlanFormula& formula, std::uint32_t number) { return formula.slot < number; });
  return found != formulas.all.end() && found->slot == slot ? &*found : nullptr;
}

}  // namespace memo::runtime
