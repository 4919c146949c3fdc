// The plan file seen from the planner: what is written is read back, what cannot be written is refused, and a
// damaged file is a sentence.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>

#include "planner/layout/small_cells.h"
#include "planner/plan/plan_reader.h"
#include "planner/plan/plan_writer.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

PlanDescription two_variants() {
  const PlanSlotDescription small{.site = {0, 0x10}, .size = 40, .freed_at = 1, .place = 0};
  const PlanSlotDescription large{.site = {0, 0x20},
                                  .size = 9000,
                                  .alignment = 4096,
                                  .scope = 0,
                                  .freed_at = 2,
                                  .zone = PlanZone::kLarge,
                                  .formula = {.base = 8, .factor = 64, .rounding = 63, .powers = {1, 2}}};
  return {.modules = {{.build_id = "0102fe", .path = "/usr/lib/libmodel.so"}},
          .cells = {64, 192},
          .variants = {
              {.fingerprint = 7,
               .pass_key = 1,
               .lower_bound = 9040,
               .range = {.least = 1, .most = 2, .alone = 3, .varying = {{1, 8}, {8, 128}}},
               .strategy = "greedy-size",
               .scopes = {{.name = "conv", .first_slot = 1, .end_slot = 2}},
               .slots = {small, large},
               .loops = {{.first_slot = 0, .end_slot = 2, .slots = 1, .first_scope = 1, .end_scope = 1}}},
              {.fingerprint = 8, .pass_key = 2, .slots = {small}}}};
}

TEST(PlanFile, ReadsBackWhatWasWritten) {
  EXPECT_EQ(decode_plan(encode_plan(two_variants())), two_variants());
}

// The tables lie one after the other, in the order of the header, and nothing lies behind them.
TEST(PlanFile, HasTheTablesOfTheHeaderAndNothingElse) {
  const std::vector<unsigned char> file = encode_plan(two_variants());
  PlanHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  std::uint64_t end = sizeof header;
  for (std::uint32_t number = 0; number < PlanTables::kTables; ++number) {
    EXPECT_EQ(header.tables[number].offset, runtime::round_up(end, 8)) << number;
    end = header.tables[number].offset + header.tables[number].count * PlanTables::kBytes[number];
  }
  EXPECT_EQ(end, file.size());
  EXPECT_EQ(header.table<PlanFormula>().count, 1U);
  EXPECT_EQ(header.table<PlanShapes>().count, 1U);
}

TEST(PlanFile, RefusesAFormulaThatIsNotPossible) {
  const auto written = [](auto change) {
    PlanDescription plan = two_variants();
    change(plan.variants[0]);
    return encode_plan(plan);
  };
  EXPECT_THROW((void)written([](auto& variant) {
                 variant.slots[1].formula.powers = {0, 0};
               }),
               std::invalid_argument);
  EXPECT_THROW((void)written([](auto& variant) {
                 variant.slots[1].formula.powers = {3, 0};
               }),
               std::invalid_argument);
  EXPECT_THROW((void)written([](auto& variant) { variant.slots[1].formula.rounding = 65; }),
               std::invalid_argument);
  EXPECT_THROW((void)written([](auto& variant) { variant.range.varying.pop_back(); }), std::invalid_argument);
  EXPECT_THROW((void)written([](auto& variant) { variant.range.varying[0].most = 1025; }),
               std::invalid_argument);
}

// Large slots begin where their alignment allows, whatever the cells add up to.
TEST(PlanFile, HeightCountsTheGapBeforeAlignedSlots) {
  const PlanDescription plan = two_variants();
  EXPECT_EQ(large_start(plan), 4096u);
  EXPECT_EQ(height(plan, plan.variants[0]), 4096u + 9024u);
}

TEST(PlanFile, RefusesASlotThatDoesNotFitItsCell) {
  PlanDescription plan = two_variants();
  plan.variants[0].slots[0].size = 65;
  EXPECT_THROW((void)encode_plan(plan), std::invalid_argument);
}

TEST(PlanFile, EveryDamagedByteIsNoticed) {
  const std::vector<unsigned char> good = encode_plan(two_variants());
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::vector<unsigned char> bad = good;
    bad[at] ^= 0x41;
    EXPECT_THROW((void)decode_plan(bad), std::runtime_error) << "byte " << at;
  }
}

TEST(PlanFile, EveryTruncationIsNoticed) {
  const std::vector<unsigned char> good = encode_plan(two_variants());
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW((void)decode_plan(std::span(good).first(size)), std::runtime_error) << size << " bytes";
  }
}

// Two blocks that live at the same time never share a cell, and every block fits its own.
RC_GTEST_PROP(SmallCells, NeverShareACellWhileLive, ()) {
  const auto blocks = *rc::gen::container<std::vector<SmallBlock>>(rc::gen::apply(
      [](Time begin, Time length, Bytes size) {
        return SmallBlock{.life = {begin, begin + length}, .size = size};
      },
      rc::gen::inRange<Time>(0, 50), rc::gen::inRange<Time>(1, 20), rc::gen::inRange<Bytes>(0, 3000)));
  const SmallCells result = assign_small_cells(blocks);
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    RC_ASSERT(static_cast<std::uint64_t>(blocks[a].size) <= result.cells.at(result.cell_of[a]));
    RC_ASSERT(result.cells[result.cell_of[a]] % kGranule == 0u);
    for (std::size_t b = 0; b < a; ++b) {
      RC_ASSERT(result.cell_of[a] != result.cell_of[b] || !blocks[a].life.overlaps(blocks[b].life));
    }
  }
}

}  // namespace
}  // namespace memo::planner
