// Normalisation must not change which buffers disturb each other; the solvers see nothing else.
#include "planner/problem/normalise.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "planner/problem/bounds.h"
#include "planner/problem/soundness.h"

namespace memo::planner {
namespace {

TEST(Normalise, DividesSplitsAndNumbersSections) {
  const Problem problem{.buffers = {{.life = {50, 60}, .size = 12, .alignment = 4},
                                    {.life = {0, 20}, .size = 8},
                                    {.life = {10, 50}, .size = 4, .alignment = 1, .fixed = 16},
                                    {.life = {40, 50}, .size = 4}},
                        .capacity = 31};
  const Normalised normalised = normalise(problem);
  EXPECT_EQ(normalised.unit, 4);
  ASSERT_EQ(normalised.parts.size(), 2u);
  const ProblemPart& first = normalised.parts.front();
  EXPECT_EQ(first.original, (std::vector<BufferIndex>{1, 2, 3}));
  EXPECT_EQ(first.sections, 2);
  EXPECT_EQ(first.problem.capacity, 7);
  EXPECT_EQ(first.problem.buffers[0], (Buffer{.life = {0, 1}, .size = 2}));
  EXPECT_EQ(first.problem.buffers[1], (Buffer{.life = {0, 2}, .size = 1, .alignment = 1, .fixed = 4}));
  EXPECT_EQ(first.problem.buffers[2], (Buffer{.life = {1, 2}, .size = 1}));
  const ProblemPart& second = normalised.parts.back();
  EXPECT_EQ(second.problem.buffers, (std::vector<Buffer>{{.life = {0, 1}, .size = 3, .alignment = 1}}));
  EXPECT_EQ(restore(normalised, std::vector<Offsets>{{0, 4, 2}, {0}}), (Offsets{0, 0, 16, 8}));
}

TEST(Normalise, NothingBecomesNoParts) {
  EXPECT_TRUE(normalise(Problem{}).parts.empty());
  EXPECT_TRUE(restore(normalise(Problem{}), {}).empty());
}

std::vector<Lifetime> arbitrary_lives() {
  return *rc::gen::container<std::vector<Lifetime>>(rc::gen::apply(
      [](Time begin, Time length) {
        return Lifetime{begin, begin + length};
      },
      rc::gen::inRange<Time>(-20, 20), rc::gen::inRange<Time>(1, 12)));
}

RC_GTEST_PROP(Normalise, SectionsKeepEveryOverlap, ()) {
  Problem problem;
  for (const Lifetime& life : arbitrary_lives()) problem.buffers.push_back({.life = life, .size = 1});
  const std::vector<Lifetime> sections = section_lifetimes(problem);
  for (std::size_t a = 0; a < sections.size(); ++a) {
    for (std::size_t b = 0; b < sections.size(); ++b) {
      RC_ASSERT(sections[a].overlaps(sections[b]) ==
                problem.buffers[a].life.overlaps(problem.buffers[b].life));
    }
  }
}

// With everything aligned to 16, a stack of three buffers of 1 byte needs two paddings, not three.
TEST(LowerBound, CountsThePaddingBelowTheTopmost) {
  Problem problem;
  for (int i = 0; i < 3; ++i) problem.buffers.push_back({.life = {0, 2}, .size = 1, .alignment = 16});
  EXPECT_EQ(lower_bound(problem), 33);
}

TEST(LowerBound, ReachesTheEndOfAFixedBuffer) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 4, .fixed = 100}}, .capacity = {}};
  EXPECT_EQ(lower_bound(problem), 104);
}

TEST(Unsound, NamesTheBufferAndTheReason) {
  EXPECT_EQ(unsound({.buffers = {{.life = {0, 2}, .size = 0}}, .capacity = {}}),
            "buffer 0 has size 0; sizes start at 1");
  EXPECT_EQ(unsound({.buffers = {{.life = {2, 2}, .size = 1}}, .capacity = {}}),
            "buffer 0 lives from 2 to 2; a lifetime ends after it begins");
  EXPECT_EQ(unsound({.buffers = {{.life = {0, 2}, .size = 1, .alignment = 0}}, .capacity = {}}),
            "buffer 0 has alignment 0; alignments start at 1");
  EXPECT_EQ(unsound({.buffers = {{.life = {0, 2}, .size = 1, .alignment = 4, .fixed = 6}}, .capacity = {}}),
            "buffer 0 is fixed at 6, which is no multiple of its alignment 4");
  EXPECT_EQ(unsound({.buffers = {{.life = {0, 2}, .size = kMostBytes}}, .capacity = {}}),
            "the sizes, alignments and fixed offsets add up to more than 4 EiB");
  EXPECT_EQ(
      unsound({.buffers = {{.life = {0, 2}, .size = 4, .fixed = 4}, {.life = {1, 2}, .size = 8, .fixed = 0}},
               .capacity = {}}),
      "buffers 0 and 1 are fixed on the same bytes while both are alive");
}

}  // namespace
}  // namespace memo::planner
