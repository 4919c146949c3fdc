#include "planner/sizes/size_formulas.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace memo::planner {
namespace {

constexpr std::int64_t kOffOneIn = 32;  // of a size's range may be rounding

std::int64_t power_of(std::int64_t number, std::uint32_t power) {
  return power == 0 ? 1 : power == 1 ? number : number * number;
}

// The product of powers of each pass.
std::vector<std::int64_t> products_of(const std::vector<SizesOfPasses>& numbers,
                                      const std::array<std::uint32_t, kFormulaNumbers>& powers) {
  std::vector<std::int64_t> products;
  for (std::size_t pass = 0; pass < numbers[0].size(); ++pass)
    products.push_back(power_of(numbers[0][pass], powers[0]) * power_of(numbers[1][pass], powers[1]));
  return products;
}

// Returns the bytes for each unit of the product, by the passes where it is least and most; 0 if there are none.
std::int64_t slope_of(const SizesOfPasses& sizes, const std::vector<std::int64_t>& products) {
  const auto [least, most] = std::minmax_element(products.begin(), products.end());
  const std::int64_t run = *most - *least;
  const std::int64_t rise = sizes[static_cast<std::size_t>(most - products.begin())] -
                            sizes[static_cast<std::size_t>(least - products.begin())];
  return run == 0 || rise <= 0 ? 0 : (rise + run / 2) / run;
}

// Returns the line over these products; no formula if the sizes are not on it.
SizeFormula line_over(const SizesOfPasses& sizes, const std::vector<std::int64_t>& products) {
  const std::int64_t slope = slope_of(sizes, products);
  if (slope == 0) return {};
  std::vector<std::int64_t> rest;
  for (std::size_t pass = 0; pass < sizes.size(); ++pass)
    rest.push_back(sizes[pass] - slope * products[pass]);
  const auto [least, most] = std::minmax_element(rest.begin(), rest.end());
  const std::int64_t rounding = *most - *least;
  const auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end());
  if (*least < 0 || rounding > kMaxFormulaRounding || rounding * kOffOneIn > *largest - *smallest) return {};
  return {.base = static_cast<std::uint64_t>(*least),
          .factor = static_cast<std::uint64_t>(slope),
          .rounding = static_cast<std::uint32_t>(rounding)};
}

}  // namespace

bool have_formulas(const std::vector<SizesOfPasses>& numbers) {
  if (numbers.size() != kMaxVaryingSizes) return false;
  return std::equal(numbers.begin(), numbers.end(), std::begin(kMaxFormulaNumbers),
                    [](const SizesOfPasses& one, std::uint64_t most) {
                      return *std::max_element(one.begin(), one.end()) <= static_cast<std::int64_t>(most);
                    });
}

SizeFormula formula_of(const SizesOfPasses& sizes, const std::vector<SizesOfPasses>& numbers) {
  SizeFormula best;
  for (std::uint32_t sum = 1; sum <= 2 * kMaxFormulaPower; ++sum)
    for (std::uint32_t of_p = 0; of_p <= sum; ++of_p) {
      const std::array<std::uint32_t, kFormulaNumbers> powers = {of_p, sum - of_p};
      if (std::max(powers[0], powers[1]) > kMaxFormulaPower) continue;
      SizeFormula found = line_over(sizes, products_of(numbers, powers));
      found.powers = powers;
      if (found.exists() && (!best.exists() || found.rounding < best.rounding)) best = found;
    }
  return best;
}

}  // namespace memo::planner
