// The check of a plan: what the planner writes passes, and every way a file can be wrong is one sentence.
#include "runtime/plan/plan_check.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"
#include "tests/runtime/plan/plan_bytes.h"

namespace memo::runtime {
namespace {

using namespace testing;

TEST(PlanCheck, AcceptsWhatThePlannerWrites) {
  EXPECT_EQ(complaint(some_plan()), "");
}

TEST(PlanCheck, EachFaultHasItsOwnSentence) {
  const Bytes good = some_plan();
  PlanHeader header = header_of(good);
  const auto with = [&](const PlanHeader& changed) {
    Bytes bytes = good;
    set_header(bytes, changed);
    return complaint(bytes);
  };
  header.magic[0] = 'X';
  EXPECT_EQ(with(header), "it is not a plan");
  header = header_of(good);
  header.byte_order = __builtin_bswap32(kPlanByteOrder);
  EXPECT_EQ(with(header), "it was written on a machine of another byte order");
  header = header_of(good);
  header.version = 99;
  EXPECT_EQ(with(header), "it has version 99 and this library reads version 1: plan again");
  header = header_of(good);
  header.checksum ^= 1;
  EXPECT_EQ(with(header), "its checksum is wrong: it was damaged");
  Bytes cut(good.begin(), good.end() - 1);
  EXPECT_NE(complaint(cut).find("it was cut off"), std::string::npos);
  cut.resize(20);
  EXPECT_NE(complaint(cut).find("too short"), std::string::npos);
}

TEST(PlanCheck, RefusesAnchorsThatAreNowhereOrOfNoSize) {
  PlanDescription plan = PlanDice(2).draw();
  plan.anchors = {{.site = {0, 3}, .least = 10, .most = 20, .pass_key = 0}};
  const Bytes good = planner::encode_plan(plan);
  EXPECT_EQ(complaint(good), "");
  const auto with = [&](std::size_t field, std::uint64_t value, std::size_t width) {
    Bytes bytes = good;
    std::memcpy(bytes.data() + header_of(good).table<PlanAnchor>().offset + field, &value, width);
    seal(bytes);
    return complaint(bytes);
  };
  EXPECT_NE(with(offsetof(PlanAnchor, site), 1000, 4).find("not there"), std::string::npos);
  EXPECT_NE(with(offsetof(PlanAnchor, least), 21, 8).find("not there"), std::string::npos);
  plan.anchors.resize(kMaxAnchors, plan.anchors.front());
  Bytes bytes = planner::encode_plan(plan);
  EXPECT_EQ(complaint(bytes), "");
  plan.anchors.push_back(plan.anchors.front());
  EXPECT_THROW((void)planner::encode_plan(plan), std::invalid_argument);
  PlanHeader header = header_of(bytes);
  header.table<PlanAnchor>() = {.offset = header.table<PlanSlot>().offset, .count = kMaxAnchors + 1};
  set_header(bytes, header);
  seal(bytes);
  EXPECT_NE(complaint(bytes).find("at most 8"), std::string::npos);
}

TEST(PlanCheck, FindsEachTableByTheHeader) {
  const Bytes good = some_plan();
  const auto with = [&](std::uint32_t number, const PlanTable& table) {
    Bytes bytes = good;
    PlanHeader header = header_of(good);
    header.tables[number] = table;
    set_header(bytes, header);
    seal(bytes);
    return complaint(bytes);
  };
  for (std::uint32_t number = 0; number < PlanTables::kTables; ++number) {
    const PlanTable table = header_of(good).tables[number];
    const std::uint64_t fitting = (good.size() - table.offset) / PlanTables::kBytes[number];
    const std::string said = "table " + std::to_string(number) + " lies outside of the file";
    EXPECT_EQ(with(number, {.offset = table.offset + 4, .count = table.count}), said);
    EXPECT_EQ(with(number, {.offset = sizeof(PlanHeader) - 8, .count = table.count}), said);
    EXPECT_EQ(with(number, {.offset = (good.size() + 8) / 8 * 8, .count = 0}), said);
    EXPECT_EQ(with(number, {.offset = table.offset, .count = fitting + 1}), said);
    EXPECT_EQ(with(number, {.offset = table.offset, .count = ~std::uint64_t{0}}), said);
  }
}

// What no table has is not looked at.
TEST(PlanCheck, PassesOverWhatLiesBetweenTheTables) {
  constexpr std::size_t kMore = 24;
  Bytes bytes = some_plan();
  PlanHeader header = header_of(bytes);
  bytes.insert(bytes.begin() + sizeof header, kMore, 'P');
  for (PlanTable& table : header.tables) table.offset += kMore;
  header.file_bytes += kMore;
  set_header(bytes, header);
  seal(bytes);
  EXPECT_EQ(complaint(bytes), "");
}

TEST(PlanCheck, TakesSizesBetweenTheSmallestAndTheLargestForSeen) {
  const PlanSlot slot{.size = 1000, .spread = 400};
  EXPECT_TRUE(was_seen_in(slot, 600));
  EXPECT_TRUE(was_seen_in(slot, 1000));
  EXPECT_FALSE(was_seen_in(slot, 599));
  EXPECT_FALSE(was_seen_in(slot, 1001));
}

TEST(PlanCheck, RefusesListsThatAreNowhereOrSmallerThanTheirBlocks) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 128, 128, 64};
  plan.variants = {
      {.slots = {cell_slot(1, 40, 0),
                 {.site = {0, 2}, .size = 100, .zone = PlanZone::kList, .place = 1, .cells = 2}}}};
  const Bytes good = planner::encode_plan(plan);
  EXPECT_EQ(complaint(good), "");
  const auto with = [&](const PlanList& list) {
    Bytes bytes = good;
    const std::uint64_t place = place_of(list);
    std::memcpy(bytes.data() + header_of(good).table<PlanSlot>().offset + sizeof(PlanSlot) +
                    offsetof(PlanSlot, place),
                &place, sizeof place);
    seal(bytes);
    return complaint(bytes);
  };
  EXPECT_EQ(with({.first = 2, .cells = 1}), "");
  for (const PlanList& list :
       {PlanList{.first = 1, .cells = 0}, PlanList{.first = 4, .cells = 1}, PlanList{.first = 2, .cells = 3},
        PlanList{.first = 0, .cells = 2}, PlanList{.first = 3, .cells = 1},
        PlanList{.first = 0xffffffff, .cells = 2}, PlanList{.first = 1, .cells = 0xffffffff}})
    EXPECT_NE(with(list).find("not possible"), std::string::npos) << list.first << " " << list.cells;
  plan.variants[0].slots[1].cells = 3;
  EXPECT_THROW((void)planner::encode_plan(plan), std::invalid_argument);
}

// A formula is counted with unchecked, so each of its parts is bounded.
TEST(PlanCheck, RefusesFormulasThatAreNowhereOrNotPossible) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 128};
  plan.variants = {{.slots = {cell_slot(1, 40, 0), cell_slot(2, 100, 1)}}};
  plan.variants[0].range = {.least = 1, .most = 2, .alone = 1, .varying = {{1, 8}, {1, 16}}};
  for (PlanSlotDescription& slot : plan.variants[0].slots) slot.formula = {.factor = 8, .powers = {1, 1}};
  const Bytes good = planner::encode_plan(plan);
  EXPECT_EQ(complaint(good), "");
  const std::size_t formulas = header_of(good).table<PlanFormula>().offset;
  const auto with = [&](std::size_t at, std::uint64_t value, std::size_t width) {
    Bytes bytes = good;
    std::memcpy(bytes.data() + at, &value, width);
    seal(bytes);
    return complaint(bytes);
  };
  const std::string said = "formula 0 is of a slot that is not there, or out of order, or not possible";
  EXPECT_EQ(with(formulas + offsetof(PlanFormula, variant), 1, 4), said);
  EXPECT_EQ(with(formulas + offsetof(PlanFormula, slot), 2, 4), said);
  EXPECT_EQ(with(formulas + offsetof(PlanFormula, base), kMaxPlanHeight + 1, 8), said);
  EXPECT_EQ(with(formulas + offsetof(PlanFormula, factor), 0, 8), said);
  EXPECT_EQ(with(formulas + offsetof(PlanFormula, factor), ~std::uint64_t{0}, 8), said);
  EXPECT_EQ(with(formulas + offsetof(PlanFormula, rounding), kMaxFormulaRounding + 1, 4), said);
  EXPECT_EQ(with(formulas + offsetof(PlanFormula, powers), 0, 4), said);
  EXPECT_EQ(with(formulas + offsetof(PlanFormula, powers), 0x0103, 4), said);
  EXPECT_EQ(with(formulas + offsetof(PlanFormula, slot), 1, 4),
            "formula 1 is of a slot that is not there, or out of order, or not possible");
  const std::size_t shapes = header_of(good).table<PlanShapes>().offset;
  const std::string numbers = "formula 0 counts in numbers that are not there or not possible";
  EXPECT_EQ(with(shapes + offsetof(PlanShapes, variant), 1, 4), numbers);
  EXPECT_EQ(with(shapes + offsetof(PlanShapes, varying), 1, 4), numbers);
  EXPECT_EQ(with(shapes + offsetof(PlanShapes, most), 0, 8), numbers);
  EXPECT_EQ(with(shapes + offsetof(PlanShapes, most), kMaxFormulaNumbers[0] + 1, 8), numbers);
  EXPECT_EQ(with(shapes + offsetof(PlanShapes, most) + 8, kMaxFormulaNumbers[1] + 1, 8), numbers);
}

// A grown copy tells by the sizes of its slots how many steps it has room for, so a line begins with its slot's size.
TEST(PlanCheck, RefusesLinesThatAreNotOfTheirSlot) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {cell_slot(1, 40, 0)}}};
  plan.variants[0].slots[0].formula = planner::line_from(40, 8);
  const Bytes good = planner::encode_plan(plan);
  EXPECT_EQ(complaint(good), "");
  const std::size_t formula = header_of(good).table<PlanFormula>().offset;
  const auto with = [&](std::size_t at, std::uint64_t value, std::size_t width) {
    Bytes bytes = good;
    std::memcpy(bytes.data() + formula + at, &value, width);
    seal(bytes);
    return complaint(bytes);
  };
  const std::string said = "formula 0 is of a slot that is not there, or out of order, or not possible";
  EXPECT_EQ(with(offsetof(PlanFormula, base), 48, 8), said);
  EXPECT_EQ(with(offsetof(PlanFormula, base), 0, 8), said);
  EXPECT_EQ(with(offsetof(PlanFormula, factor), 0, 8), said);
  EXPECT_EQ(with(offsetof(PlanFormula, factor), kMaxPlanHeight + 1, 8), said);
  EXPECT_EQ(with(offsetof(PlanFormula, rounding), 1, 4), said);
  EXPECT_EQ(with(offsetof(PlanFormula, powers) + 2, 2, 1), said);
  EXPECT_EQ(with(offsetof(PlanFormula, powers) + 1, 1, 1), said);
  plan.variants[0].slots[0].formula.base = 48;
  EXPECT_THROW((void)planner::encode_plan(plan), std::invalid_argument);
}

// What would make a small file cost much memory or time is refused.
TEST(PlanCheck, RefusesWhatNoPlannerWrites) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {cell_slot(1, 40, 0)}}, {.slots = {cell_slot(1, 40, 0)}}};
  Bytes bytes = planner::encode_plan(plan);
  PlanVariant second;
  const std::size_t at = header_of(bytes).table<PlanVariant>().offset + sizeof second;
  std::memcpy(&second, bytes.data() + at, sizeof second);
  second.first_slot = 0;
  second.slot_count = 2;
  std::memcpy(bytes.data() + at, &second, sizeof second);
  seal(bytes);
  EXPECT_EQ(complaint(bytes), "its variants share slots or scopes");
  plan.modules.resize(kMaxModules + 1);
  EXPECT_NE(complaint(planner::encode_plan(plan)).find("at most 1024"), std::string::npos);
}

}  // namespace
}  // namespace memo::runtime
