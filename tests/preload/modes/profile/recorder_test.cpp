// What a program does is what its trace says: scenes of the specimen, recorded and read back.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "tests/preload/recording.h"

namespace memo::testing {
namespace {

using mini::testing::Environment;
using planner::Allocation;
using planner::AllocationKind;
using planner::Bytes;
using planner::Pass;
using planner::Trace;
using Sizes = std::vector<Bytes>;
using Names = std::vector<std::string>;

bool all_freed(const Trace& trace) {
  for (const Pass& pass : trace.passes) {
    for (const Allocation& made : pass.allocations) {
      if (!made.freed) return false;
    }
  }
  return true;
}

// Requested sizes, alignments and kinds, not what the heap made of them; realloc as an allocation and a free; the
// innermost scope; the key; and the caller's site, not the C++ library's, for operator new.
TEST(Recorder, RecordsEveryKindOfAllocation) {
  const Trace trace = trace_of("kinds");
  ASSERT_EQ(trace.passes.size(), 1U);
  const Pass& pass = trace.passes[0];
  EXPECT_EQ(pass.key, 77U);
  EXPECT_TRUE(pass.complete);
  EXPECT_EQ(sizes(pass), (Sizes{100, 200, 300, 40000, 500, 8}));
  EXPECT_EQ(scopes(trace, pass), (Names{"outer", "inner", "outer", "outer", "", ""}));
  const AllocationKind kinds[] = {AllocationKind::kMalloc,  AllocationKind::kCalloc,  AllocationKind::kMalloc,
                                  AllocationKind::kRealloc, AllocationKind::kAligned, AllocationKind::kNew};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(pass.allocations[i].kind, kinds[i]) << i;
  EXPECT_EQ(pass.allocations[4].alignment, 4096);
  EXPECT_EQ(pass.allocations[2].life.end, pass.allocations[3].life.begin + 1);
  for (const Allocation& made : pass.allocations) {
    EXPECT_FALSE(made.escapes);
    ASSERT_LT(made.site.module, trace.modules.size());
    EXPECT_NE(trace.modules[made.site.module].path.find("specimen"), std::string::npos);
    EXPECT_FALSE(trace.modules[made.site.module].build_id.empty());
  }
  EXPECT_EQ(pass.scopes.size(), 2U);
  EXPECT_EQ(pass.scopes[1].parent, 0U);
}

// What is called allocates deeper on the stack than its caller does.
TEST(Recorder, TellsHowDeepEachAllocationIsMade) {
  const Trace trace = trace_of("depth");
  ASSERT_EQ(trace.passes.size(), 1U);
  const std::vector<Allocation>& made = trace.passes[0].allocations;
  ASSERT_EQ(made.size(), 2U);
  const std::uint32_t deeper =
      made[0].stack_pointer - made[1].stack_pointer;  // modulo 2^32, as the halves are
  EXPECT_GE(deeper, 8192U);
  EXPECT_LT(deeper, 65536U);
}

// A million blocks at one address: its 16-bit generation wraps many times, and every free still finds its block.
TEST(Recorder, LosesNothingWhenTagsWrap) {
  const Trace trace = trace_of("million");
  ASSERT_EQ(trace.passes.size(), 10U);
  for (const Pass& pass : trace.passes) EXPECT_EQ(pass.allocations.size(), 100000U);
  EXPECT_TRUE(all_freed(trace));
  EXPECT_GE(trace.tags_wrapped, 10U);
}

// Frees by other threads, in the pass, after it and after its thread has ended, are matched and placed in time.
TEST(Recorder, MatchesFreesOfOtherThreads) {
  const Trace trace = trace_of("threads");
  ASSERT_EQ(trace.passes.size(), 1U);
  std::size_t during = 0;
  std::size_t after = 0;
  for (const Allocation& made : trace.passes[0].allocations) {
    if (made.size >= 1000 && made.size < 1100) {
      EXPECT_TRUE(made.freed && !made.escapes && made.freed_by != trace.passes[0].thread);
      ++during;
    } else if (made.size >= 2000 && made.size < 2100) {
      EXPECT_TRUE(made.freed && made.escapes && made.freed_by != trace.passes[0].thread);
      ++after;
    }
  }
  EXPECT_EQ(during, 100U);
  EXPECT_EQ(after, 100U);
}

// Threads that come and go share buffers one after the other; each pass is whole.
TEST(Recorder, SurvivesThreadsThatComeAndGo) {
  const Trace trace = trace_of("thread-churn");
  ASSERT_EQ(trace.passes.size(), 200U);
  for (const Pass& pass : trace.passes) {
    EXPECT_TRUE(pass.complete);
    EXPECT_EQ(pass.allocations.size(), 50U);
  }
  EXPECT_TRUE(all_freed(trace));
}

// By default a forked child records nothing, and its frees of inherited blocks do not disturb its parent's story.
TEST(Recorder, LeavesForkedChildrenAlone) {
  const Trace trace = trace_of("fork");
  ASSERT_EQ(trace.passes.size(), 2U);
  EXPECT_EQ(trace.passes[0].allocations.size(), 10U);
  EXPECT_TRUE(trace.passes[1].complete);
  const Sizes second = sizes(trace.passes[1]);
  for (const Bytes size : {11, 22, 33}) EXPECT_EQ(std::count(second.begin(), second.end(), size), 1) << size;
  EXPECT_TRUE(all_freed(trace));
}

// With --follow the child has a file of its own, with its own passes and without its parent's.
TEST(Recorder, FollowsForkedChildrenOnDemand) {
  const Recording recording = record_scene("fork", {{"MEMOMALLOC_FOLLOW", "1"}});
  EXPECT_EQ(recording.status, 0);
  ASSERT_EQ(recording.traces.size(), 2U);
  std::set<std::size_t> passes;
  for (const Trace& trace : recording.traces) {
    passes.insert(trace.passes.size());
    EXPECT_EQ(trace.unmatched_frees, 0U);
    EXPECT_EQ(trace.lost, 0U);
    if (trace.passes.size() == 1) {
      EXPECT_EQ(trace.passes[0].allocations.size(), 20U);
    }
  }
  EXPECT_EQ(passes, (std::set<std::size_t>{1, 2}));
}

// A server that forks its workers: a trace for each process, each with its own passes, all of them whole.
TEST(Recorder, FollowsEveryWorkerOfAServer) {
  const Recording recording = record_scene("prefork", {{"MEMOMALLOC_FOLLOW", "1"}});
  EXPECT_EQ(recording.status, 0);
  ASSERT_EQ(recording.traces.size(), 4U);
  std::map<std::size_t, std::size_t> passes_by_blocks;
  std::set<std::uint32_t> processes;
  for (const Trace& trace : recording.traces) {
    EXPECT_TRUE(trace.ended && trace.damage.empty() && all_freed(trace));
    EXPECT_EQ(trace.lost + trace.unmatched_frees, 0U);
    processes.insert(trace.pid);
    for (const Pass& pass : trace.passes) {
      EXPECT_TRUE(pass.complete);
      EXPECT_EQ(pass.allocations.size(), trace.passes[0].allocations.size());
      ++passes_by_blocks[pass.allocations.size()];
    }
  }
  EXPECT_EQ(processes.size(), 4U);
  EXPECT_EQ(passes_by_blocks, (std::map<std::size_t, std::size_t>{{5, 2}, {10, 8}, {20, 8}, {30, 8}}));
}

// The specimen itself checks what memo_identify answers; see its scene.
TEST(Recorder, ResolvesAliases) {
  const Trace trace = trace_of("alias");
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_TRUE(all_freed(trace));
}

// What an operator reads and writes leads to allocations: of the pass by their numbers, of before it by their sizes; views
// lead to what they are views of. Without the option nothing of it is recorded.
TEST(Recorder, RecordsTheDataFlowThatTheProgramReports) {
  const Trace trace = trace_of("data-flow", {{"MEMOMALLOC_DATA_FLOW", "1"}});
  ASSERT_EQ(trace.passes.size(), 1U);
  const std::vector<planner::Operation>& operations = trace.passes[0].operations;
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_EQ(trace.name(operations[0].name), "conv");
  EXPECT_EQ(operations[0].scope, 0U);
  ASSERT_EQ(operations[0].reads.size(), 2U);
  EXPECT_EQ(operations[0].reads[0].allocation, planner::kNone);
  EXPECT_EQ(operations[0].reads[0].size, 1000);
  EXPECT_EQ(operations[0].reads[1].allocation, 0U);
  ASSERT_EQ(operations[0].writes.size(), 1U);
  EXPECT_EQ(operations[0].writes[0].allocation, 1U);
  EXPECT_EQ(operations[1].scope, planner::kNone);
  EXPECT_TRUE(operations[1].reads.empty() && operations[1].writes.empty());
  EXPECT_TRUE(trace_of("data-flow").passes.at(0).operations.empty());
}

// --tag=hardware: either the program's pointers carry their tags, which the specimen looks at, and every scene is
// recorded as ever; or one line says why they cannot, and so it is, too.
TEST(Recorder, TagsPointersWhereTheProcessorAllowsIt) {
  const TemporaryFolder folder;
  const std::string log = folder.file("log");
  const Environment hardware = {{"MEMOMALLOC_TAG", "hardware"}, {"MEMOMALLOC_LOG", log}};
  for (const char* scene : {"kinds", "alias", "stale-pointer", "hooks", "thread-churn"}) {
    const Trace trace = trace_of(scene, hardware);
    EXPECT_FALSE(trace.passes.empty());
    EXPECT_TRUE(all_freed(trace)) << scene;
  }
  const std::string stopped = "MEMOMALLOC_PASSES";
  EXPECT_EQ(trace_of("ten-passes", {hardware[0], hardware[1], {stopped, "3"}}).passes.size(), 3U);
  std::ostringstream said;
  said << std::ifstream(log).rdbuf();
  const bool refused = said.str().find("no --tag=hardware: this") != std::string::npos;
  const bool caught = said.str().find("was freed again") != std::string::npos;
  EXPECT_NE(refused, caught) << said.str();
}

using Events = std::vector<
    std::tuple<Bytes, std::size_t, AllocationKind, bool, bool, bool, std::uint64_t, std::uint64_t>>;

Events events_of(const Trace& trace) {
  Events events;
  for (const Pass& pass : trace.passes) {
    for (const Allocation& made : pass.allocations)
      events.emplace_back(made.size, static_cast<std::size_t>(made.alignment), made.kind, made.freed,
                          made.escapes, made.overrun, static_cast<std::uint64_t>(made.life.begin),
                          static_cast<std::uint64_t>(made.life.end));
  }
  return events;
}

// --tag=alias: pointers carry their tags on any processor, which the scenes look at, and the trace has the same events.
TEST(Recorder, RecordsTheSameWithSeveralAddressesOfEachBlock) {
  for (const char* scene : {"kinds", "depth", "alias", "stale-pointer", "overrun", "hooks", "thread-churn",
                            "fork", "ten-passes"}) {
    const Trace trace = trace_of(scene, {{"MEMOMALLOC_TAG", "alias"}});
    EXPECT_EQ(events_of(trace), events_of(trace_of(scene))) << scene;
    EXPECT_FALSE(trace.passes.empty());
  }
  EXPECT_EQ(trace_of("data-flow", {{"MEMOMALLOC_TAG", "alias"}, {"MEMOMALLOC_DATA_FLOW", "1"}})
                .passes.at(0)
                .operations.size(),
            2U);
  EXPECT_EQ(trace_of("ten-passes", {{"MEMOMALLOC_TAG", "alias"}, {"MEMOMALLOC_PASSES", "3"}}).passes.size(),
            3U);
}

// The recorded process says in one line that a fork ended its aliases, and says nothing where there are none to end.
TEST(Recorder, SaysThatAForkEndsAliases) {
  for (const char* scene : {"fork", "ten-passes"}) {
    const TemporaryFolder folder;
    const std::string log = folder.file("log");
    EXPECT_FALSE(trace_of(scene, {{"MEMOMALLOC_TAG", "alias"}, {"MEMOMALLOC_LOG", log}}).passes.empty());
    std::ostringstream said;
    said << std::ifstream(log).rdbuf();
    EXPECT_EQ(said.str().find("pointers to new blocks have no tag") != std::string::npos,
              scene == std::string("fork"))
        << said.str();
  }
}

// One byte behind the end of a block is seen when the block is freed.
TEST(Recorder, ReportsAnOverrun) {
  const Trace trace = trace_of("overrun");
  EXPECT_EQ(trace.overruns, 1U);
  ASSERT_EQ(trace.passes.size(), 1U);
  ASSERT_EQ(trace.passes[0].allocations.size(), 1U);
  EXPECT_TRUE(trace.passes[0].allocations[0].overrun);
}

// Marks that do not nest, do not end or end too often cost nothing but themselves.
TEST(Recorder, ForgivesCarelessMarks) {
  const Trace trace = trace_of("marks");
  ASSERT_EQ(trace.passes.size(), 2U);
  EXPECT_EQ(trace.passes[0].key, 1U);
  EXPECT_EQ(sizes(trace.passes[0]), (Sizes{1, 2}));
  EXPECT_EQ(scopes(trace, trace.passes[0]), (Names{"left open", "left open"}));
  EXPECT_EQ(trace.passes[1].allocations.size(), 4U);
}

// --passes N: that many passes, whole, and the program runs on.
TEST(Recorder, StopsAfterSoManyPasses) {
  const Trace trace = trace_of("ten-passes", {{"MEMOMALLOC_PASSES", "3"}});
  EXPECT_EQ(trace.passes.size(), 3U);
  EXPECT_TRUE(trace.stopped);
  EXPECT_TRUE(all_freed(trace));
}

const Environment kNewestInFourMebibytes = {{"MEMOMALLOC_KEEP", "newest"}, {"MEMOMALLOC_TRACE_LIMIT", "4"}};
const Environment kNewestInSixteenMebibytes = {{"MEMOMALLOC_KEEP", "newest"},
                                               {"MEMOMALLOC_TRACE_LIMIT", "16"}};
constexpr std::size_t kManyPasses = 300;
constexpr std::size_t kManyBlocks = 1000;

// --keep newest: the file does not grow beyond its limit, and what is in it at the end are the last passes, all of
// them whole, up to the very last.
TEST(Recorder, KeepsTheNewestPasses) {
  const TemporaryFolder folder;
  const int status =
      mini::testing::run({MEMO_SPECIMEN, "many-passes"}, recording_into(folder, kNewestInFourMebibytes))
          .status;
  EXPECT_EQ(status, 0);
  ASSERT_EQ(folder.traces().size(), 1U);
  EXPECT_LE(std::filesystem::file_size(folder.traces()[0]), 4U << 20);
  const Trace trace = planner::read_trace(folder.traces()[0]);
  EXPECT_TRUE(trace.ended && trace.overwritten && !trace.stopped);
  EXPECT_TRUE(trace.damage.empty()) << trace.damage[0].what;
  EXPECT_EQ(trace.lost + trace.unmatched_frees, 0U);
  ASSERT_GE(trace.passes.size(), 30U);
  EXPECT_LT(trace.passes.size(), kManyPasses);
  for (std::size_t i = 0; i < trace.passes.size(); ++i) {
    const Pass& pass = trace.passes[i];
    EXPECT_EQ(pass.number, kManyPasses - trace.passes.size() + i + 1);
    EXPECT_TRUE(pass.complete);
    EXPECT_EQ(pass.allocations.size(), kManyBlocks);
    EXPECT_EQ(trace.name(pass.name), "memo_pass_begin");
  }
  EXPECT_TRUE(all_freed(trace));
}

// The same for threads side by side and a process that is killed among them: some two hundred passes have room, and
// what is complete is as the program made it. (Threads that were asleep while the others went round the file once cost
// it a few passes.)
TEST(Recorder, KeepsTheNewestPassesOfAKilledProcess) {
  const Recording recording = record_scene("many-passes-killed", kNewestInSixteenMebibytes);
  EXPECT_EQ(recording.status, 128 + 9);
  ASSERT_EQ(recording.traces.size(), 1U);
  const Trace& trace = recording.traces[0];
  EXPECT_FALSE(trace.ended);
  EXPECT_TRUE(trace.overwritten);
  std::size_t complete = 0;
  for (const Pass& pass : trace.passes) {
    if (!pass.complete) continue;
    ++complete;
    EXPECT_EQ(pass.allocations.size(), kManyBlocks);
    for (const Allocation& made : pass.allocations)
      EXPECT_TRUE(made.freed && made.site.module != planner::kNone);
  }
  EXPECT_GE(complete, 100U);
}

// Without it a full trace ends the recording: the first passes are there, and that it was stopped.
TEST(Recorder, StopsWhereTheTraceIsFull) {
  const Trace trace = trace_of("many-passes", {{"MEMOMALLOC_TRACE_LIMIT", "4"}});
  EXPECT_TRUE(trace.stopped && !trace.overwritten);
  ASSERT_GE(trace.passes.size(), 30U);
  EXPECT_EQ(trace.passes.front().number, 1U);
  EXPECT_LT(trace.passes.size(), kManyPasses);
}

// Killed without a chance to clean up: every pass that had ended is in the file.
TEST(Recorder, SurvivesKill) {
  const Recording recording = record_scene("kill");
  EXPECT_EQ(recording.status, 128 + 9);
  ASSERT_EQ(recording.traces.size(), 1U);
  const Trace& trace = recording.traces[0];
  EXPECT_FALSE(trace.ended);
  ASSERT_EQ(trace.passes.size(), 10U);
  for (const Pass& pass : trace.passes) EXPECT_TRUE(pass.complete);
  EXPECT_TRUE(all_freed(trace));
}

// A program without passes gets no file.
TEST(Recorder, LeavesNoFileWithoutAPass) {
  const Recording recording = record_scene("nothing");
  EXPECT_EQ(recording.status, 0);
  EXPECT_TRUE(recording.traces.empty());
}

// A folder that is not there costs one line and the trace, nothing else.
TEST(Recorder, RunsOnWhereTheTraceCannotBeWritten) {
  const Recording recording = record_scene("ten-passes", {{"MEMOMALLOC_TRACE", "/nonexistent/x.trace"}});
  EXPECT_EQ(recording.status, 0);
  EXPECT_TRUE(recording.traces.empty());
}

// --stacks: each allocation has its stack, from the call site outwards to main, each different stack written once.
TEST(Recorder, TakesStacksOnDemand) {
  const Trace trace = trace_of("kinds", {{"MEMOMALLOC_STACKS", "1"}});
  ASSERT_EQ(trace.passes.size(), 1U);
  ASSERT_EQ(trace.passes[0].allocations.size(), 6U);
  for (const Allocation& made : trace.passes[0].allocations) {
    ASSERT_LT(made.stack, trace.stacks.size());
    EXPECT_EQ(trace.stacks[made.stack].front(), made.site);
    EXPECT_GE(trace.stacks[made.stack].size(), 3U);
  }
}

// --record all: what happens outside passes is there too.
TEST(Recorder, RecordsOutsidePassesOnDemand) {
  const Trace trace = trace_of("kinds", {{"MEMOMALLOC_RECORD", "all"}});
  EXPECT_TRUE(trace.records_all);
  EXPECT_FALSE(trace.outside.empty());
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_EQ(trace.passes[0].allocations.size(), 6U);
}

}  // namespace
}  // namespace memo::testing
