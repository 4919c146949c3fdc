// The loader of plans: what it accepts it has checked, and every way a file can be wrong is one sentence and leaves
// the process as it was.
#include <sys/stat.h>

#include <fstream>

#include "runtime/plan/plan_file.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"

namespace memo::runtime {
namespace {

using namespace testing;

using Bytes = std::vector<unsigned char>;

Bytes some_plan() {
  return planner::encode_plan(PlanDice(2).draw());
}

// What the loader says, "" when it accepts.
std::string complaint(const Bytes& bytes) {
  PlanFault why{};
  return check_plan({bytes.data(), bytes.size()}, &why) ? "" : why.text;
}

void seal(Bytes& bytes) {
  const std::uint64_t sum =
      plan_checksum(bytes.data() + kPlanChecksumStart, bytes.size() - kPlanChecksumStart);
  std::memcpy(bytes.data() + offsetof(PlanHeader, checksum), &sum, sizeof sum);
}

PlanHeader header_of(const Bytes& bytes) {
  PlanHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

void set_header(Bytes& bytes, const PlanHeader& header) {
  std::memcpy(bytes.data(), &header, sizeof header);
}

TEST(PlanLoader, AcceptsWhatThePlannerWrites) {
  EXPECT_EQ(complaint(some_plan()), "");
}

TEST(PlanLoader, EachFaultHasItsOwnSentence) {
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
  EXPECT_EQ(with(header), "it has version 99 and this library reads version 3: plan again");
  header = header_of(good);
  header.checksum ^= 1;
  EXPECT_EQ(with(header), "its checksum is wrong: it was damaged");
  Bytes cut(good.begin(), good.end() - 1);
  EXPECT_NE(complaint(cut).find("it was cut off"), std::string::npos);
  cut.resize(20);
  EXPECT_NE(complaint(cut).find("too short"), std::string::npos);
}

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

// Whoever starts a program with raised privileges must not have been able to write its plan.
TEST(PlanLoader, TrustsNoFileOfWhoeverStartedAPrivilegedProgram) {
  struct Case {
    Privileges mine;
    uid_t owner;
    mode_t mode;
    bool trusted;
  };
  constexpr Privileges kOrdinary{.raised = false, .real = 1000, .effective = 1000};
  constexpr Privileges kSetUserId{.raised = true, .real = 1000, .effective = 500};
  constexpr Privileges kSetGroupId{.raised = true, .real = 1000, .effective = 1000};
  for (const Case& each : {Case{kOrdinary, 1234, 0666, true}, Case{kSetUserId, 0, 0644, true},
                           Case{kSetUserId, 500, 0600, true}, Case{kSetUserId, 1000, 0644, false},
                           Case{kSetUserId, 0, 0646, false}, Case{kSetUserId, 500, 0660, false},
                           Case{kSetGroupId, 0, 0444, true}, Case{kSetGroupId, 1000, 0600, false}}) {
    struct stat file {};
    file.st_uid = each.owner;
    file.st_mode = S_IFREG | each.mode;
    PlanFault why{};
    EXPECT_EQ(check_trust(file, each.mine, &why), each.trusted)
        << each.owner << " " << std::oct << each.mode << " " << why.text;
  }
}

// A pipe that nobody writes to would keep whoever opens it waiting.
TEST(PlanLoader, IsNotHeldUpByAPipe) {
  const std::string pipe = plan_path().string() + ".pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(serve_plan(pipe.c_str()));
  std::filesystem::remove(pipe);
}

TEST(PlanLoader, RefusesAnchorsThatAreNowhereOrOfNoSize) {
  PlanDescription plan = PlanDice(2).draw();
  plan.anchors = {{.site = {0, 3}, .least = 10, .most = 20, .pass_key = 0}};
  const Bytes good = planner::encode_plan(plan);
  EXPECT_EQ(complaint(good), "");
  const auto with = [&](std::size_t field, std::uint64_t value, std::size_t width) {
    Bytes bytes = good;
    std::memcpy(bytes.data() + header_of(good).anchors.offset + field, &value, width);
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
  header.anchors = {.offset = header.slots.offset, .count = kMaxAnchors + 1};
  set_header(bytes, header);
  seal(bytes);
  EXPECT_NE(complaint(bytes).find("at most 8"), std::string::npos);
}

// Every index that the arena uses when a pass goes round is inside the variant.
TEST(PlanLoader, RefusesLoopsOverWhatIsNotThere) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = std::vector<PlanSlotDescription>(9, cell_slot(1, 40, 0)),
                    .loops = {{.first_slot = 1, .end_slot = 5, .slots = 2}}}};
  plan.variants[0].scopes =
      std::vector<PlanScopeDescription>(3, {.name = "op", .first_slot = 1, .end_slot = 2});
  const auto with = [&](const planner::PlanLoopDescription& loop) {
    PlanDescription changed = plan;
    changed.variants[0].loops.push_back(loop);
    return complaint(planner::encode_plan(changed));
  };
  EXPECT_EQ(complaint(planner::encode_plan(plan)), "");
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 1, .first_scope = 0, .end_scope = 0, .scopes = 0}),
            "");
  const std::string refused = "loop 1 goes over slots or scopes that are not there, or over those of another";
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 10, .slots = 1}), refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 3}), refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 0}), refused);
  EXPECT_EQ(with({.first_slot = 4, .end_slot = 8, .slots = 1}), refused);
  EXPECT_EQ(with({.first_slot = 7, .end_slot = 7, .slots = 1}), refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 2, .first_scope = 1, .end_scope = 4, .scopes = 1}),
            refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 2, .first_scope = 0, .end_scope = 3, .scopes = 1}),
            refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 2, .first_scope = 3, .end_scope = 1, .scopes = 1}),
            refused);
  plan.variants[0].loops.assign(kMaxLoops + 1, {.first_slot = 8, .end_slot = 9, .slots = 1});
  EXPECT_NE(complaint(planner::encode_plan(plan)), "");
}

// What would make a small file cost much memory or time is refused.
TEST(PlanLoader, RefusesWhatNoPlannerWrites) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {cell_slot(1, 40, 0)}}, {.slots = {cell_slot(1, 40, 0)}}};
  Bytes bytes = planner::encode_plan(plan);
  PlanVariant second;
  const std::size_t at = header_of(bytes).variants.offset + sizeof second;
  std::memcpy(&second, bytes.data() + at, sizeof second);
  second.first_slot = 0;
  second.slot_count = 2;
  std::memcpy(bytes.data() + at, &second, sizeof second);
  seal(bytes);
  EXPECT_EQ(complaint(bytes), "its variants share slots or scopes");
  plan.modules.resize(kMaxModules + 1);
  EXPECT_NE(complaint(planner::encode_plan(plan)).find("at most 1024"), std::string::npos);
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
