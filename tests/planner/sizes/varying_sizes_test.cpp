// The numbers behind sizes: a batch and a length are found as they were drawn, whatever is made of them; noise is said to
// be noise.
#include "planner/sizes/varying_sizes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <random>

namespace memo::planner {
namespace {

using Formula = std::function<std::int64_t(std::int64_t p, std::int64_t q)>;
struct Drawn {
  std::vector<std::int64_t> p, q;
};

Drawn draw(std::size_t passes, unsigned seed, std::int64_t most_p, std::int64_t most_q) {
  std::mt19937 random(seed);
  const auto number = [&](std::int64_t most) {
    return 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  Drawn drawn;
  for (std::size_t i = 0; i < passes; ++i) {
    drawn.p.push_back(number(most_p));
    drawn.q.push_back(number(most_q));
  }
  return drawn;
}

std::vector<SizesOfPasses> sizes_of(const Drawn& drawn, const std::vector<Formula>& formulas) {
  std::vector<SizesOfPasses> sizes(formulas.size());
  for (std::size_t i = 0; i < drawn.p.size(); ++i)
    for (std::size_t one = 0; one < formulas.size(); ++one)
      sizes[one].push_back(formulas[one](drawn.p[i], drawn.q[i]));
  return sizes;
}

VaryingSize range_of(const std::vector<std::int64_t>& numbers) {
  return {.least = static_cast<std::uint64_t>(*std::min_element(numbers.begin(), numbers.end())),
          .most = static_cast<std::uint64_t>(*std::max_element(numbers.begin(), numbers.end()))};
}

std::vector<VaryingSize> varying_sizes(const std::vector<SizesOfPasses>& sizes) {
  return ranges_of(varying_numbers(sizes));
}

const Formula kRows = [](auto p, auto q) { return 1024 * p * q; };
const Formula kWeights = [](auto p, auto q) { return 16 * p * q * q; };

TEST(VaryingSizes, ABatchAndALengthComeOfTheirProducts) {
  const Drawn drawn = draw(60, 1, 8, 128);
  const auto found = varying_sizes(sizes_of(drawn, {kRows, kWeights}));
  EXPECT_EQ(found, (std::vector<VaryingSize>{range_of(drawn.p), range_of(drawn.q)}));
}

TEST(VaryingSizes, ComeWithTheNumbersOfEachPassTheSmallerFirst) {
  const Drawn drawn = draw(60, 1, 8, 128);
  EXPECT_EQ(varying_numbers(sizes_of(drawn, {kRows, kWeights})),
            (std::vector<SizesOfPasses>{drawn.p, drawn.q}));
}

RC_GTEST_PROP(VaryingSizes, AreThoseThatWereDrawn, ()) {
  const Drawn drawn = draw(60, *rc::gen::arbitrary<unsigned>(), 8, 128);
  const std::int64_t width = 64 * *rc::gen::inRange<std::int64_t>(1, 64);
  const std::int64_t header = *rc::gen::inRange<std::int64_t>(0, 16);  // of each block
  const auto found = varying_sizes(sizes_of(drawn, {[&](auto p, auto q) { return width * p * q + header; },
                                                    [&](auto p, auto q) { return 64 * p * q * q + header; },
                                                    [&](auto p, auto) { return width * p + header; }}));
  RC_ASSERT(found == (std::vector<VaryingSize>{range_of(drawn.p), range_of(drawn.q)}));
}

TEST(VaryingSizes, OneNumberIsEnoughWhereAllFollowIt) {
  const Drawn drawn = draw(40, 2, 1, 500);
  const auto found = varying_sizes(
      sizes_of(drawn, {[](auto, auto q) { return 512 * q; }, [](auto, auto q) { return 128 * ((q + 1) / 2); },
                       [](auto, auto q) { return 32 * q * q; }, [](auto, auto q) { return 4096 + 64 * q; }}));
  EXPECT_EQ(found, std::vector<VaryingSize>{range_of(drawn.q)});
}

TEST(VaryingSizes, TheSideOfASquareIsFound) {
  const Drawn drawn = draw(40, 3, 1, 640);
  const auto found = varying_sizes(
      sizes_of(drawn, {[](auto, auto q) { return 12 * q * q; }, [](auto, auto q) { return 256 * q * q; }}));
  EXPECT_EQ(found, std::vector<VaryingSize>{range_of(drawn.q)});
}

TEST(VaryingSizes, ManySizesThatNothingTiesTogetherAreNotExplained) {
  std::mt19937 random(4);
  std::vector<SizesOfPasses> sizes(6);
  for (SizesOfPasses& one : sizes)
    for (int pass = 0; pass < 40; ++pass) one.push_back(2000 + static_cast<std::int64_t>(random() % 100000));
  EXPECT_TRUE(varying_sizes(sizes).empty());
}

TEST(VaryingSizes, AFewPassesExplainNothing) {
  EXPECT_TRUE(varying_sizes(sizes_of(draw(7, 5, 8, 128), {kRows, kWeights})).empty());
}

TEST(VaryingSizes, SizesThatAllPassesShareDoNotCount) {
  EXPECT_TRUE(varying_sizes({SizesOfPasses(20, 4096), SizesOfPasses(20, 0)}).empty());
  EXPECT_TRUE(varying_sizes({}).empty());
}

}  // namespace
}  // namespace memo::planner
