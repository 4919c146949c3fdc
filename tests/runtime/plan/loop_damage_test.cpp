// Plans whose loops were damaged on purpose, with the checksum put right: loops that point out of range, into each other and at
// themselves, and files that are cut at every byte. A plan is refused, or it serves passes that go round its loops in any
// order, and no byte is handed out twice.
#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "runtime/serving/plan_in_force.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/plan/plan_bytes.h"
#include "tests/runtime/plan/plan_of_loops.h"

namespace memo::runtime {
namespace {

using namespace testing;
using planner::PlanLoopDescription;

// Returns true if the plan was taken, and then has served from it.
bool serves(const Bytes& bytes, const PlanVariantDescription& variant) {
  std::ofstream(plan_path(), std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const bool taken = serve_plan(plan_path().c_str());
  std::filesystem::remove(plan_path());
  Shadow shadow;
  std::mt19937 dice(7);
  for (int pass = 0; taken && pass < 3; ++pass) free_all(shadow, run_pass(variant, dice, 0, shadow));
  return taken;
}

// Returns values that a number in a loop may be damaged to: each that the loops have there, their neighbours, and the extremes.
std::set<std::uint32_t> damages(const std::vector<std::uint32_t>& own) {
  std::set<std::uint32_t> all{0, 1, kSlots, kSlots + 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  for (const std::uint32_t value : own) all.insert({value - 1, value, value + 1, 2 * value});
  return all;
}

constexpr std::size_t kNumbers = sizeof(PlanLoop) / sizeof(std::uint32_t);

std::uint32_t number_at(const Bytes& bytes, std::size_t offset) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

TEST(LoopDamage, IsRefusedOrHarmless) {
  const PlanDescription plan = plan_of_loops();
  const Bytes good = planner::encode_plan(plan);
  ASSERT_TRUE(serves(good, plan.variants[0]));
  const PlanTable table = header_of(good).table<PlanLoop>();
  int taken = 0;
  int refused = 0;
  const auto try_damage = [&](std::size_t offset, std::uint32_t value) {
    Bytes bad = good;
    std::memcpy(bad.data() + offset, &value, sizeof value);
    seal(bad);
    ++(serves(bad, plan.variants[0]) ? taken : refused);
  };
  std::vector<std::uint32_t> own;
  for (std::size_t at = 0; at < table.count * kNumbers; ++at)
    own.push_back(number_at(good, table.offset + at * sizeof(std::uint32_t)));
  for (std::size_t at = 0; at < table.count * kNumbers; ++at)
    for (const std::uint32_t value : damages(own))
      try_damage(table.offset + at * sizeof(std::uint32_t), value);
  EXPECT_GT(taken, 50);
  EXPECT_GT(refused, 500);
}

// Loops that changed places, that are there twice, and that lie in the place of each other.
TEST(LoopDamage, OfTheWholeTableIsRefusedOrHarmless) {
  const PlanDescription plan = plan_of_loops();
  const std::vector<PlanLoopDescription>& loops = plan.variants[0].loops;
  for (std::size_t a = 0; a < loops.size(); ++a) {
    for (std::size_t b = 0; b < loops.size(); ++b) {
      PlanDescription swapped = plan;
      std::swap(swapped.variants[0].loops[a], swapped.variants[0].loops[b]);
      EXPECT_EQ(serves(planner::encode_plan(swapped), plan.variants[0]), a == b);
      PlanDescription twice = plan;
      twice.variants[0].loops[a] = loops[b];
      serves(planner::encode_plan(twice), plan.variants[0]);
    }
  }
}

// The header says that the shorter file is whole.
TEST(LoopDamage, FilesThatAreCutAreRefusedOrHarmless) {
  const PlanDescription plan = plan_of_loops();
  const Bytes good = planner::encode_plan(plan);
  for (std::size_t length = 0; length < good.size(); ++length) {
    Bytes cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NE(complaint(cut), "") << length;
    if (length < sizeof(PlanHeader)) continue;
    PlanHeader header = header_of(cut);
    header.file_bytes = length;
    set_header(cut, header);
    seal(cut);
    if (complaint(cut).empty()) serves(cut, plan.variants[0]);
  }
}

}  // namespace
}  // namespace memo::runtime
