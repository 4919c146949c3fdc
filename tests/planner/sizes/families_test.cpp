// Shapes whose sizes lie on a line are one variant; what does not fit stays by itself; and a plan evaluated at a parameter
// beyond its profile is sound, and about as low as a plan made for that shape.
#include "planner/sizes/families.h"

#include <gtest/gtest.h>

#include "planner/check/check_plan.h"
#include "planner/layout/plan_variants.h"
#include "planner/registry/registry.h"

namespace memo::planner {
namespace {

// Bytes at batch b: a·b + c for each allocation, which lives until two others were made.
struct Size {
  Bytes each;
  Bytes constant;
};
const std::vector<Size> kNetwork = {{4096, 0}, {12000, 640}, {0, 2048}, {40, 0}, {9216, 0}};

Variant shape(Bytes batch, std::uint64_t key = 0, const std::vector<Size>& sizes = kNetwork) {
  Variant variant{.key = key, .pass_name = "forward", .runs = 2};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto begin = static_cast<Time>(i);
    variant.demands.push_back({.size = sizes[i].each * batch + sizes[i].constant,
                               .alignment = 16,
                               .life = {begin, std::min<Time>(begin + 2, std::ssize(sizes))},
                               .site = {.module = 0, .offset = 0x10 + i}});
  }
  return variant;
}

Variants joined(std::vector<Variant> shapes, std::vector<Anchor> anchors = {}) {
  Variants variants;
  variants.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  variants.variants = std::move(shapes);
  variants.anchors = std::move(anchors);
  join_families(variants);
  return variants;
}

TEST(Families, TwoShapesDefineALineAndTheLargestIsPlanned) {
  const Variants variants = joined({shape(1), shape(8)});
  ASSERT_EQ(variants.variants.size(), 1U);
  const Variant& family = variants.variants[0];
  EXPECT_EQ(family.shapes, 2U);
  EXPECT_EQ(family.runs, 4U);
  const Bytes step = family.demands[3].growth;  // 40 bytes a batch
  for (std::size_t i = 0; i < kNetwork.size(); ++i) {
    EXPECT_EQ(family.demands[i].size, shape(8).demands[i].size);
    EXPECT_EQ(family.demands[i].growth * 40, kNetwork[i].each * step);
  }
  EXPECT_EQ(40 % step, 0);  // each batch is a whole number of steps
}

TEST(Families, AShapeThatIsNotOnTheLineStaysByItself) {
  Variant stray = shape(4);
  stray.demands[1].size += 64;
  const Variants variants = joined({shape(1), stray, shape(8), shape(2)});
  ASSERT_EQ(variants.variants.size(), 2U);
  EXPECT_EQ(variants.variants[0].shapes, 3U);
  EXPECT_EQ(variants.variants[1].demands[1].size, stray.demands[1].size);
  EXPECT_EQ(variants.variants[1].demands[1].growth, 0);
}

TEST(Families, OtherCallsOrOperatorsAreOfAnotherKind) {
  Variant moved = shape(1);
  moved.demands[2].site.offset = 0x999;
  Variant named = shape(2);
  named.pass_name = "another";
  Variant scoped = shape(4);
  scoped.scopes = {{.name = "conv", .life = {0, 2}}};
  EXPECT_EQ(joined({shape(8), moved, named, scoped}).variants.size(), 4U);
}

// Makes a variant with one output for the batch, and a workspace for each image that the same call makes twice.
Variant looping(Bytes batch) {
  Variant variant{.pass_name = "forward", .runs = 2};
  const auto add = [&](std::uint64_t site, Bytes size) {
    const Time begin = std::ssize(variant.demands);
    variant.demands.push_back(
        {.size = size, .life = {begin, begin + 1}, .site = {.module = 0, .offset = site}});
  };
  add(0x10, 4096 * batch);
  for (Bytes iteration = 0; iteration < 2 * batch; ++iteration) add(0x20, 9000);
  add(0x30, 2048 * batch);
  variant.demands[0].life.end = std::ssize(variant.demands);
  return variant;
}

TEST(Families, AShapeMayMakeEachCallLessOften) {
  Variant longer = looping(1);
  longer.demands[1].life.end = 4;
  const Variants variants = joined({looping(4), longer, looping(2)});
  ASSERT_EQ(variants.variants.size(), 1U);
  const std::vector<Demand>& demands = variants.variants[0].demands;
  ASSERT_EQ(demands.size(), 10U);
  EXPECT_EQ(demands[0].growth, 2);
  EXPECT_EQ(demands[9].growth, 1);
  EXPECT_EQ(demands[4].growth, 0);
  EXPECT_EQ(demands[1].life, (Lifetime{1, 10}));  // up to what the smaller shape made before it was freed
  EXPECT_EQ(demands[2].life, (Lifetime{2, 3}));
}

TEST(Families, AShapeThatLacksACallIsOfAnotherKind) {
  Variant lacking = looping(1);
  lacking.demands.erase(lacking.demands.begin() + 1, lacking.demands.begin() + 3);
  EXPECT_EQ(joined({looping(4), lacking}).variants.size(), 2U);
}

TEST(Families, NoSizeMayFallWhereOthersRise) {
  Variant crossing = shape(1);
  crossing.demands[2].size = 100000;
  EXPECT_EQ(joined({shape(8), crossing}).variants.size(), 2U);
}

// A text, say, of a few bytes more or less: the slot is as large as the largest of them, and does not spoil the steps.
TEST(Families, SizesOfOneClassDoNotMatterUnlessThreeShapesAgree) {
  std::vector<Variant> shapes = {shape(1), shape(4), shape(8)};
  const Bytes texts[] = {70, 75, 71};
  const Bytes lists[] = {521, 524, 528};  // one byte a batch
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Time end = std::ssize(shapes[i].demands);
    for (const Bytes size : {texts[i], lists[i]})
      shapes[i].demands.push_back(
          {.size = size, .life = {end, end + 1}, .site = {.module = 0, .offset = 0x90}});
  }
  const Variants variants = joined(shapes);
  ASSERT_EQ(variants.variants.size(), 1U);
  const Variant& family = variants.variants[0];
  EXPECT_EQ(family.demands[5].size, 75);
  EXPECT_EQ(family.demands[5].growth, 0);
  EXPECT_EQ(family.demands[6].growth, 1);
  EXPECT_EQ(family.demands[0].growth, 4096);
}

TEST(Families, LivesEscapesAndAlignmentsAreThoseOfAllShapes) {
  Variant longer = shape(1);
  longer.demands[0].life.end = 4;
  longer.demands[1].alignment = 256;
  longer.demands[4].zone = PlanZone::kKept;
  longer.demands[4].size = 17;
  const Variants variants = joined({shape(8), longer});
  ASSERT_EQ(variants.variants.size(), 1U);
  const Variant& family = variants.variants[0];
  EXPECT_EQ(family.demands[0].life, (Lifetime{0, 4}));
  EXPECT_EQ(family.demands[1].alignment, 256);
  EXPECT_EQ(family.demands[4].zone, PlanZone::kKept);
}

// ONNX Runtime's keys are the shapes. A stray variant that kept one of them would hold its passes back from the family.
TEST(Families, ShapesOfDifferentKeysFitAnyPass) {
  Variant stray = shape(8, 0x88);
  stray.demands.pop_back();
  const Variants variants = joined({shape(1, 0x11), shape(8, 0x88), stray, shape(3, 0x33, {{500, 0}})});
  ASSERT_EQ(variants.variants.size(), 3U);
  for (const Variant& variant : variants.variants)
    EXPECT_EQ(variant.key, variant.demands.size() == 1 ? 0x33U : 0U);
  EXPECT_EQ(joined({shape(1, 7), shape(8, 7)}).variants[0].key, 7U);
}

TEST(Families, TheirAnchorsBecomeOneThatIsOpenUpwardsWhereItsSizeGrows) {
  const PlanSite opening = shape(1).demands[0].site;
  const auto anchors = [&](Bytes least, Bytes most, std::uint64_t key) {
    return Anchor{.site = opening, .least = least, .most = most, .key = key};
  };
  const Anchor foreign{.site = {.module = 0, .offset = 0x77}, .least = 1, .most = 64, .key = 3};
  const Variants variants =
      joined({shape(1, 0), shape(8, 2)}, {anchors(4096, 4096, 0), foreign, anchors(32768, 32768, 2)});
  ASSERT_EQ(variants.anchors.size(), 2U);
  EXPECT_EQ(variants.anchors[0].least, 4096);
  EXPECT_EQ(variants.anchors[0].most, Anchor::kAnySize);
  EXPECT_EQ(variants.anchors[0].key, 0U);
  EXPECT_EQ(variants.anchors[1].key, 3U);
}

TEST(Families, ThePlanHoldsTheGrowthAndSaysSo) {
  const PlannedVariants planned =
      plan_variants(joined({shape(1), shape(4), shape(8)}), *find_strategy("greedy-size"), {});
  EXPECT_EQ(planned.reports[0].shapes, 3U);
  EXPECT_EQ(planned.reports[0].growing, 4U);
  EXPECT_EQ(planned.plan.variants[0].shapes, 3U);
  EXPECT_EQ(planned.plan.variants[0].slots[2].formula.growth(), 0U);
  EXPECT_EQ(planned.plan.variants[0].slots[0].formula.growth(), static_cast<std::uint64_t>(4096 / 8));
  EXPECT_TRUE(check_plan(planned.plan).valid());
}

}  // namespace
}  // namespace memo::planner
