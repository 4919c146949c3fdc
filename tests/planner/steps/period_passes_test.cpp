// Tests the way from a trace without passes to one with passes: what belongs to which pass, with which lifetime, and what the
// plan is told about where passes begin.
#include "planner/steps/period_passes.h"
#include "planner/layout/find_variants.h"

#include <gtest/gtest.h>

#include <random>

#include "planner/layout/plan_variants.h"
#include "planner/plan/plan_reader.h"
#include "planner/plan/plan_writer.h"
#include "planner/registry/registry.h"
#include "planner/steps/new_passes.h"
#include "planner/steps/thread_steps.h"

namespace memo::planner {
namespace {

constexpr Bytes kTensor = 50'000;
constexpr std::uint64_t kOpener = 0x10;

// The allocations of one thread outside of passes, with times as the recorder would give them.
class Recording {
 public:
  explicit Recording(ThreadIndex threads = 1) {
    trace_.names = {"?"};
    trace_.modules = {{.path = "/srv/other.so", .build_id = "bb"},
                      {.path = "/srv/libnet.so", .build_id = "aa"}};
    trace_.threads = threads;
    trace_.records_all = true;
  }
  std::size_t allocate(std::uint64_t site, Bytes size, ThreadIndex thread = 0) {
    now_ += 10;
    trace_.outside.push_back(
        {.size = size, .site = {.module = 1, .offset = site}, .thread = thread, .begin_ns = now_});
    return trace_.outside.size() - 1;
  }
  void release(std::size_t index) {
    now_ += 10;
    trace_.outside[index].freed = true;
    trace_.outside[index].end_ns = now_;
  }
  [[nodiscard]] Trace& trace() { return trace_; }

 private:
  Trace trace_;
  std::uint64_t now_ = 0;
};

// A request, a tensor, twenty small blocks, an answer that is freed in the pass after it and smaller, another tensor after the
// first is freed.
void run_passes(Recording& recording, int passes, ThreadIndex thread = 0) {
  std::size_t last_answer = SIZE_MAX;
  for (int pass = 0; pass < passes; ++pass) {
    const std::size_t request = recording.allocate(kOpener, 300, thread);
    if (last_answer != SIZE_MAX) recording.release(last_answer);
    const std::size_t first = recording.allocate(0x20, kTensor, thread);
    for (std::uint64_t small = 0; small < 20; ++small)
      recording.release(recording.allocate(0x100 + small, 40, thread));
    recording.release(first);
    last_answer = recording.allocate(0x40, 100, thread);
    recording.release(recording.allocate(0x30, kTensor, thread));
    recording.release(request);
  }
}

std::vector<FoundAnchor> find(std::span<Trace> traces, Deadline deadline = {}) {
  return find_passes_by_period(traces, deadline);
}

TEST(PeriodPasses, HaveTheLivesAndTheEscapesOfMarkedOnes) {
  Recording recording;
  run_passes(recording, 8);
  Trace& trace = recording.trace();
  const auto anchors = find({&trace, 1});
  ASSERT_EQ(anchors.size(), 1U);
  EXPECT_EQ(anchors[0].module.build_id, "aa");
  EXPECT_EQ(anchors[0].offset, kOpener);
  EXPECT_EQ(anchors[0].most, Anchor::kAnySize);  // no other size from there
  ASSERT_EQ(trace.passes.size(), 7U);
  EXPECT_TRUE(trace.outside.empty());
  const Pass& pass = trace.passes[3];
  EXPECT_TRUE(pass.complete);
  EXPECT_EQ(pass.number, 4U);
  EXPECT_EQ(trace.name(pass.name), "period of libnet.so+0x10");
  ASSERT_EQ(pass.allocations.size(), 24U);
  EXPECT_EQ(pass.allocations[0].life, (Lifetime{0, 24}));
  EXPECT_EQ(pass.allocations[1].life, (Lifetime{1, 22}));  // gone before the second tensor
  EXPECT_TRUE(pass.allocations[22].escapes);
  EXPECT_EQ(pass.allocations[23].life, (Lifetime{23, 24}));
  EXPECT_FALSE(pass.allocations[0].escapes);
}

TEST(PeriodPasses, AnAnchorWhoseSiteAllocatesOtherSizesTooIsForItsSizeAlone) {
  Recording recording;
  for (int i = 0; i < 30; ++i) recording.allocate(kOpener, 2000 + i);
  run_passes(recording, 8);
  const auto anchors = find({&recording.trace(), 1});
  ASSERT_EQ(anchors.size(), 1U);
  EXPECT_EQ(anchors[0].offset, kOpener);
  EXPECT_EQ(anchors[0].least, 257);
  EXPECT_EQ(anchors[0].most, 512);
}

// A text of another batch and length in each pass: two layers, with a loop over the texts in each.
void run_texts(Recording& recording, int passes) {
  std::mt19937 random(3);
  for (int pass = 0; pass < passes; ++pass) {
    const Bytes batch = Bytes{1} << random() % 4;
    const Bytes length = 8 + static_cast<Bytes>(random() % 120);
    const std::size_t request = recording.allocate(kOpener, 8 * batch * length);
    std::size_t state = recording.allocate(0x20, 8192 * batch * length);
    for (int layer = 0; layer < 2; ++layer) {
      const std::size_t weights = recording.allocate(0x30, 64 * batch * length * length);
      for (Bytes text = 0; text < 4 * batch; ++text)
        for (const std::uint64_t view : {0x40U, 0x41U, 0x42U})
          recording.release(recording.allocate(view, 192));
      const std::size_t next = recording.allocate(0x31, 8192 * batch * length);
      recording.release(weights);
      recording.release(state);
      state = next;
      for (std::uint64_t small = 0; small < 4; ++small)
        recording.release(recording.allocate(0x50 + small, 24));
    }
    recording.release(recording.allocate(0x60, 1024 * batch));
    recording.release(state);
    recording.release(request);
  }
}

TEST(PeriodPasses, AreFoundInTheirSitesWhereNoSizeComesBack) {
  Recording recording;
  run_texts(recording, 40);
  Trace& trace = recording.trace();
  const auto anchors = find({&trace, 1});
  ASSERT_EQ(anchors.size(), 1U);
  EXPECT_EQ(anchors[0].offset, kOpener);
  EXPECT_EQ(anchors[0].least, 0);
  EXPECT_EQ(anchors[0].most, Anchor::kAnySize);
  ASSERT_EQ(trace.passes.size(), 39U);
  for (const Pass& pass : trace.passes) {
    const std::size_t rest = pass.allocations.size() - 3 - 2 * 6;
    EXPECT_EQ(rest % (2 * 4 * 3), 0U);  // all iterations of both loops
    EXPECT_GT(rest, 0U);
  }
  const Variants variants = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(variants.variants.size(), 1U);
  EXPECT_EQ(variants.variants[0].runs, 39U);
  EXPECT_EQ(variants.variants[0].loops.size(), 2U);
}

TEST(PeriodPasses, ATraceWithoutStaysAsItIs) {
  Recording recording;
  run_passes(recording, 3);
  const std::size_t before = recording.trace().outside.size();
  EXPECT_TRUE(find({&recording.trace(), 1}).empty());
  EXPECT_EQ(recording.trace().outside.size(), before);
  EXPECT_TRUE(recording.trace().passes.empty());
}

// Two networks that have nothing in common, each on threads of its own.
TEST(PeriodPasses, ThreadsThatRunOtherPassesHaveAnotherAnchor) {
  Recording recording(2);
  run_passes(recording, 10, 0);
  for (int pass = 0; pass < 6; ++pass) {
    const std::size_t tensor = recording.allocate(0x900, 3 * kTensor, 1);
    for (std::uint64_t small = 0; small < 30; ++small)
      recording.release(recording.allocate(0x1000 + small, 40, 1));
    recording.release(tensor);
  }
  Trace& trace = recording.trace();
  const auto anchors = find({&trace, 1});
  ASSERT_EQ(anchors.size(), 2U);
  EXPECT_NE(anchors[0].key, anchors[1].key);
  EXPECT_EQ(trace.passes.size(), 9U + 5U);
  for (const Pass& pass : trace.passes) EXPECT_EQ(pass.key, anchors[pass.thread].key);
}

// The one that loads the networks does some of it in a row, and goes on to something else.
TEST(PeriodPasses, OfAThreadThatOnlyLoadedAreNoneWhereOthersRunThem) {
  Recording recording(2);
  for (int part = 0; part < 5; ++part) {
    const std::size_t tensor = recording.allocate(0x900, 3 * kTensor, 1);
    for (std::uint64_t small = 0; small < 30; ++small)
      recording.release(recording.allocate(0x1000 + small, 40, 1));
    recording.release(tensor);
  }
  const auto load_the_rest = [&] {
    for (std::uint64_t step = 0; step < 2000; ++step) recording.allocate(0x5000 + step * step % 1987, 100, 1);
  };
  load_the_rest();
  Trace alone = recording.trace();
  EXPECT_EQ(find({&alone, 1}).size(), 1U);
  run_passes(recording, 10, 0);
  Trace& trace = recording.trace();
  ASSERT_EQ(find({&trace, 1}).size(), 1U);
  EXPECT_EQ(trace.passes.size(), 9U);
  for (const Pass& pass : trace.passes) EXPECT_EQ(pass.thread, 0U);
}

TEST(PeriodPasses, CutAtKnownAnchorsAreTheSame) {
  Recording recording;
  run_passes(recording, 8);
  Trace again = recording.trace();
  const auto anchors = find({&recording.trace(), 1});
  open_passes_at(anchors, again);
  ASSERT_EQ(again.passes.size(), recording.trace().passes.size());
  for (std::size_t i = 0; i < again.passes.size(); ++i)
    EXPECT_EQ(fingerprint(again, again.passes[i]),
              fingerprint(recording.trace(), recording.trace().passes[i]));
}

// The search looks at all that the threads allocate, whether a program marked it as part of passes or not.
TEST(PeriodPasses, AreTheSameWhereAProgramMarkedThem) {
  Recording recording;
  run_passes(recording, 8);
  Trace marked = recording.trace();
  for (std::size_t i = 0; i < marked.outside.size(); i += 24) {
    const auto first = marked.outside.begin() + static_cast<std::ptrdiff_t>(i);
    Pass& pass = marked.passes.emplace_back();
    pass.allocations.assign(first, first + 24);
  }
  marked.outside.clear();
  const auto unmarked = find({&recording.trace(), 1});
  const auto found = find({&marked, 1});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].offset, kOpener);
  EXPECT_EQ(found[0].passes, unmarked[0].passes);
  EXPECT_EQ(found[0].decided_by, "served most");
  EXPECT_EQ(unmarked[0].decided_by, "served most");
  ASSERT_TRUE(found[0].rival);
  EXPECT_EQ(found[0].rival->module, "/srv/libnet.so");
}

TEST(PeriodPasses, ThePlanSaysWhereTheyBeginAndKeepsItInItsFile) {
  Recording recording;
  run_passes(recording, 8);
  const std::span<Trace> traces(&recording.trace(), 1);
  const auto anchors = find(traces);
  Variants variants = find_variants(DistinctPasses(traces));
  attach(anchors, variants);
  ASSERT_EQ(variants.variants.size(), 1U);
  const PlanDescription plan = plan_variants(variants, *find_strategy("greedy-size"), {}).plan;
  ASSERT_EQ(plan.anchors.size(), 1U);
  EXPECT_EQ(plan.modules[plan.anchors[0].site.module].build_id, "aa");
  EXPECT_EQ(plan.anchors[0].site.offset, kOpener);
  EXPECT_EQ(plan.anchors[0].most, UINT64_MAX);
  EXPECT_EQ(decode_plan(encode_plan(plan)), plan);
}

TEST(PeriodPasses, ADeadlineThatHasPassedFindsNothingAndLeavesTheTraceAsItWas) {
  Recording recording;
  run_passes(recording, 20);
  Trace& trace = recording.trace();
  const std::size_t outside = trace.outside.size();
  Deadline over(0.0);
  EXPECT_TRUE(find_passes_by_period({&trace, 1}, over).empty());
  EXPECT_TRUE(over.cut_short());
  EXPECT_EQ(trace.outside.size(), outside);
  EXPECT_TRUE(trace.passes.empty());
}

// Counted in steps: a limit that is over at once leaves nearly all of a large trace unread.
TEST(PeriodPasses, ADeadlineThatIsOverBoundsThePreparing) {
  Recording recording;
  run_passes(recording, 2000);
  const std::size_t allocations = recording.trace().outside.size();
  ASSERT_GT(allocations, 30'000U);
  Deadline over(1e-9);
  EXPECT_TRUE(find_passes_by_period({&recording.trace(), 1}, over).empty());
  EXPECT_TRUE(over.cut_short());
  EXPECT_LT(over.steps(), allocations / 10);
  EXPECT_EQ(recording.trace().outside.size(), allocations);

  Deadline far(1000.0);
  EXPECT_EQ(find_passes_by_period({&recording.trace(), 1}, far).size(), 1U);
  EXPECT_GE(far.steps(), 2 * allocations);
}

// Once an anchor is found, the passes are cut in the time that is left, and not where none is.
TEST(PeriodPasses, ADeadlineThatIsOverBoundsTheCutting) {
  Recording recording;
  run_passes(recording, 20);
  Trace& trace = recording.trace();
  const std::size_t outside = trace.outside.size();
  Deadline never;
  const std::vector<TraceThread> threads = threads_of({&trace, 1}, never);
  Deadline over(0.0);
  NewPasses passes(1);
  const std::vector<Stretch> stretches{{.thread = 0, .begin = 0, .end = 5, .next = 6}};
  EXPECT_FALSE(passes.add({}, stretches, threads, {&trace, 1}, over));
  EXPECT_TRUE(over.cut_short());
  EXPECT_EQ(trace.outside.size(), outside);
}

TEST(PeriodPasses, ADeadlineFarAwayChangesNothing) {
  Recording recording;
  run_passes(recording, 20);
  Deadline far(1000.0);
  EXPECT_EQ(find_passes_by_period({&recording.trace(), 1}, far).size(), 1U);
  EXPECT_FALSE(far.cut_short());
}

TEST(PeriodPasses, WhoCancelsEndsTheSearch) {
  Recording recording;
  run_passes(recording, 20);
  const std::atomic<bool> cancel = true;
  Deadline cancelled(std::nullopt, &cancel);
  EXPECT_TRUE(find_passes_by_period({&recording.trace(), 1}, cancelled).empty());
  EXPECT_TRUE(cancelled.cut_short());
}

}  // namespace
}  // namespace memo::planner
