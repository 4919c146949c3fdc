// The loader of plans: what it accepts can be served from, and whatever it refuses leaves the process as it was.
#include "runtime/plan/plan_file.h"

#include <sys/stat.h>

#include <fstream>

#include "runtime/serving/plan_in_force.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"
#include "tests/runtime/plan/plan_bytes.h"

namespace memo::runtime {
namespace {

using namespace testing;

// The checksum only guards against accidents: with it put right, any single damaged byte is refused or harmless. Some
// of what is accepted is served from, under the shadow.
TEST(PlanLoader, NoDamagedByteIsBelievedBlindly) {
  const Bytes good = some_plan();
  std::size_t accepted = 0;
  for (std::size_t at = sizeof(PlanHeader); at < good.size(); ++at) {
    Bytes bad = good;
    bad[at] ^= 0xff;
    seal(bad);
    if (!complaint(bad).empty()) continue;
    if (++accepted % 64 != 1) continue;
    std::ofstream(plan_path(), std::ios::binary)
        .write(reinterpret_cast<const char*>(bad.data()), static_cast<std::streamsize>(bad.size()));
    if (!serve_plan(plan_path().c_str())) continue;
    Shadow shadow;
    std::vector<void*> blocks;
    {
      Pass pass;
      for (std::uint64_t site = 1; site <= 8; ++site) {
        void* block = allocate(64, site);
        if (block == nullptr) continue;
        shadow.born(block, usable_size(block));
        static_cast<char*>(block)[63] = 1;
        blocks.push_back(block);
      }
    }
    for (void* block : blocks) EXPECT_TRUE(release(block));
  }
  std::filesystem::remove(plan_path());
  EXPECT_GT(accepted, 0u);
}

// A pipe that nobody writes to would keep whoever opens it waiting.
TEST(PlanLoader, IsNotHeldUpByAPipe) {
  const std::string pipe = plan_path().string() + ".pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(serve_plan(pipe.c_str()));
  std::filesystem::remove(pipe);
}

// A plan that cannot be used leaves the one before it in force.
TEST(PlanLoader, AFailedLoadChangesNothing) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {cell_slot(1, 40, 0)}}};
  serve(plan);
  EXPECT_FALSE(serve_plan("/nonexistent/plan"));
  EXPECT_FALSE(serve_plan("/dev/null"));
  EXPECT_FALSE(serve_plan("/"));
  Pass pass;
  void* block = allocate(40, 1);
  EXPECT_NE(block, nullptr);
  EXPECT_TRUE(release(block));
}

// A height beyond the address space: one line, and the heap serves.
TEST(PlanLoader, NoRoomForTheSlabIsSurvived) {
  PlanDescription plan = empty_plan();
  plan.variants = {{.slots = {large_slot(1, std::uint64_t{1} << 36, 0)}}};
  planner::write_plan(plan, plan_path());
  set_lanes(100);
  EXPECT_FALSE(serve_plan(plan_path().c_str()));
  set_lanes(0);
  std::filesystem::remove(plan_path());
}

}  // namespace
}  // namespace memo::runtime
