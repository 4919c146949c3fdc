// Formulas behind sizes: those of a Transformer are found as they were made, rounded or not; noise has none.
#include "planner/sizes/size_formulas.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

namespace memo::planner {
namespace {

// A batch of 1 to 8 and a length of 8 to 128 for each of 40 passes.
std::vector<SizesOfPasses> texts(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<SizesOfPasses> numbers(2);
  for (int pass = 0; pass < 40; ++pass) {
    numbers[0].push_back(1 + static_cast<std::int64_t>(random() % 8));
    numbers[1].push_back(8 + static_cast<std::int64_t>(random() % 121));
  }
  return numbers;
}

template <typename Size>
SizesOfPasses sizes_of(const std::vector<SizesOfPasses>& numbers, Size size) {
  SizesOfPasses sizes;
  for (std::size_t pass = 0; pass < numbers[0].size(); ++pass)
    sizes.push_back(size(numbers[0][pass], numbers[1][pass]));
  return sizes;
}

std::int64_t up_to_64(std::int64_t size) {
  return (size + 63) / 64 * 64;
}

TEST(SizeFormulas, OfATransformerAreFoundAsTheyWereMade) {
  const auto numbers = texts(1);
  EXPECT_EQ(formula_of(sizes_of(numbers, [](auto p, auto q) { return 1024 * p * q; }), numbers),
            (SizeFormula{.factor = 1024, .powers = {1, 1}}));
  EXPECT_EQ(formula_of(sizes_of(numbers, [](auto p, auto q) { return 16 + 16 * p * q * q; }), numbers),
            (SizeFormula{.base = 16, .factor = 16, .powers = {1, 2}}));
  EXPECT_EQ(formula_of(sizes_of(numbers, [](auto, auto q) { return 4 * q * q; }), numbers),
            (SizeFormula{.factor = 4, .powers = {0, 2}}));
  EXPECT_EQ(formula_of(sizes_of(numbers, [](auto p, auto) { return 512 * p; }), numbers),
            (SizeFormula{.factor = 512, .powers = {1, 0}}));
}

// At any shape, also a larger one, the block fits what the formula foresees, or lacks less than rounding adds to a slot.
RC_GTEST_PROP(SizeFormulas, AllowForRoundingTo64Bytes, ()) {
  const auto numbers = texts(*rc::gen::arbitrary<unsigned>());
  const std::int64_t width = *rc::gen::inRange<std::int64_t>(65, 5000);
  const auto size = [width](auto p, auto q) { return up_to_64(width * p * q); };
  const SizeFormula formula = formula_of(sizes_of(numbers, size), numbers);
  RC_ASSERT(formula.exists());
  RC_ASSERT(formula.powers == (std::array<std::uint32_t, kFormulaNumbers>{1, 1}));
  RC_ASSERT(formula.rounding < 64U);
  const auto foreseen =
      static_cast<std::int64_t>(formula.base + formula.factor * 16 * 256 + formula.rounding);
  RC_ASSERT(std::abs(foreseen - size(16, 256)) <= 64);
}

TEST(SizeFormulas, NoiseHasNone) {
  const auto numbers = texts(2);
  std::mt19937 random(3);
  const auto noisy = [&random](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  EXPECT_FALSE(
      formula_of(sizes_of(numbers, [&](auto, auto) { return 2000 + noisy(100'000); }), numbers).exists());
  EXPECT_FALSE(formula_of(sizes_of(numbers, [&](auto p, auto q) { return 64 * p * q + noisy(300); }), numbers)
                   .exists());
  EXPECT_FALSE(formula_of(sizes_of(numbers, [&](auto, auto) { return 40 + noisy(60); }), numbers).exists());
}

TEST(SizeFormulas, ASumOfTwoProductsHasNone) {
  const auto numbers = texts(4);
  EXPECT_FALSE(
      formula_of(sizes_of(numbers, [](auto p, auto q) { return 1024 * p * q + 64 * p * q * q; }), numbers)
          .exists());
}

TEST(SizeFormulas, WhatNeverChangesOrShrinksHasNone) {
  const auto numbers = texts(5);
  EXPECT_FALSE(formula_of(sizes_of(numbers, [](auto, auto) { return 4096; }), numbers).exists());
  EXPECT_FALSE(
      formula_of(sizes_of(numbers, [](auto, auto q) { return 100'000 - 64 * q; }), numbers).exists());
}

TEST(SizeFormulas, CountInTwoNumbersThatAreNotTooLarge) {
  EXPECT_TRUE(have_formulas(texts(6)));
  EXPECT_FALSE(have_formulas({}));
  EXPECT_FALSE(have_formulas({{1, 2, 3}}));
  EXPECT_FALSE(have_formulas({{1, 1025}, {1, 2000}}));
  EXPECT_FALSE(have_formulas({{1, 8}, {1, 65537}}));
}

}  // namespace
}  // namespace memo::planner
