// The reader puts back together what a process recorded, and survives every file that is not what it should
// be.
#include <gtest/gtest.h>

#include "planner/trace/trace.h"
#include "tests/planner/trace/trace_builder.h"

namespace memo::planner {
namespace {

using testing::small_trace;
using testing::tagged;
using testing::TraceBuilder;

Trace parse(const TraceBuilder& build) {
  return parse_trace(build.bytes(), "test.trace");
}

// Everything the file says about one pass comes back: key, scope, sites within their module, alignment,
// lifetimes in positions, and that the second block outlived its pass although it was freed in the end.
TEST(TraceReader, ReadsAPassBack) {
  const Trace trace = parse(small_trace());
  EXPECT_EQ(trace.pid, 42U);
  EXPECT_EQ(trace.command, (std::vector<std::string>{"server", "--port"}));
  EXPECT_TRUE(trace.ended);
  EXPECT_TRUE(trace.damage.empty());
  EXPECT_EQ(trace.lost, 0U);
  ASSERT_EQ(trace.passes.size(), 1U);
  const Pass& pass = trace.passes[0];
  EXPECT_TRUE(pass.complete);
  EXPECT_EQ(pass.key, 99U);
  EXPECT_EQ(trace.name(pass.name), "conv");
  EXPECT_EQ(pass.events, 3);
  ASSERT_EQ(pass.scopes.size(), 1U);
  EXPECT_EQ(pass.scopes[0].life, (Lifetime{0, 2}));
  ASSERT_EQ(pass.allocations.size(), 2U);
  const Allocation& inner = pass.allocations[0];
  EXPECT_EQ(inner.size, 100);
  EXPECT_EQ(inner.life, (Lifetime{0, 1}));
  EXPECT_EQ(inner.scope, 0U);
  EXPECT_TRUE(inner.freed);
  EXPECT_FALSE(inner.escapes);
  ASSERT_LT(inner.site.module, trace.modules.size());
  EXPECT_EQ(trace.modules[inner.site.module].path, "/usr/lib/libnet.so");
  EXPECT_EQ(trace.modules[inner.site.module].build_id, "abcd");
  EXPECT_EQ(inner.site.offset, 0x810U);
  const Allocation& escaping = pass.allocations[1];
  EXPECT_EQ(escaping.alignment, 64);
  EXPECT_EQ(escaping.scope, kNone);
  EXPECT_TRUE(escaping.escapes);
  EXPECT_TRUE(escaping.freed);
  EXPECT_EQ(escaping.life, (Lifetime{2, 3}));
}

// A block that another thread frees, while the pass goes on, dies between two positions of the pass; the
// order of the two threads' blocks in the file does not matter.
TEST(TraceReader, MatchesFreesAcrossThreads) {
  TraceBuilder build;
  build.pass_begin(1);
  build.allocate(tagged(1, 0x5000), 10);
  TraceBuilder other = build;
  build.allocate(tagged(1, 0x6000), 20);
  build.forget_events();
  other.seal_events(1, 0);
  other.free(tagged(1, 0x5000));
  other.seal_events(2, 0);
  other.allocate(tagged(1, 0x6000), 20);
  other.free(tagged(1, 0x6000));
  other.pass_end(1);
  other.seal_events(1, 1);
  const Trace trace = parse(other);
  ASSERT_EQ(trace.passes.size(), 1U);
  const Allocation& remote = trace.passes[0].allocations[0];
  EXPECT_TRUE(remote.freed);
  EXPECT_FALSE(remote.escapes);
  EXPECT_EQ(remote.freed_by, 1U);
  EXPECT_EQ(remote.life, (Lifetime{0, 1}));
  EXPECT_EQ(trace.threads, 2U);
  EXPECT_EQ(trace.unmatched_frees, 0U);
}

// A tag that came round again names two allocations; each free takes the one alive at its time.
TEST(TraceReader, MatchesATagThatCameRoundAgain) {
  TraceBuilder build;
  for (std::uint64_t pass = 1; pass <= 2; ++pass) {
    build.pass_begin(pass);
    build.allocate(tagged(9, 0x5000), 10 * pass);
    build.pass_end(pass);
    build.free(tagged(9, 0x5000));
  }
  build.seal_events(1, 0);
  const Trace trace = parse(build);
  ASSERT_EQ(trace.passes.size(), 2U);
  for (const Pass& pass : trace.passes) EXPECT_TRUE(pass.allocations[0].freed);
  EXPECT_LT(trace.passes[0].allocations[0].end_ns, trace.passes[1].allocations[0].begin_ns);
  EXPECT_EQ(trace.unmatched_frees, 0U);
}

// A pass cut off by the end of the recording is there, marked incomplete.
TEST(TraceReader, KeepsAnUnfinishedPass) {
  TraceBuilder build;
  build.pass_begin(1);
  build.allocate(tagged(1, 0x5000), 10);
  build.seal_events(1, 0);
  const Trace trace = parse(build);
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_FALSE(trace.passes[0].complete);
  EXPECT_FALSE(trace.ended);
}

// A missing block is noticed by its number: the pass it was part of is not taken for complete.
TEST(TraceReader, NoticesAMissingBlock) {
  TraceBuilder build;
  build.pass_begin(1);
  build.allocate(tagged(1, 0x5000), 10);
  build.seal_events(1, 0);
  build.free(tagged(1, 0x5000));
  build.pass_end(1);
  build.seal_events(1, 2);
  const Trace trace = parse(build);
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_FALSE(trace.passes[0].complete);
  EXPECT_EQ(trace.damage.size(), 1U);
}

// A block written twice (by its thread and by the process's exit) counts once.
TEST(TraceReader, IgnoresACopyOfABlock) {
  TraceBuilder build;
  build.pass_begin(1);
  build.allocate(tagged(1, 0x5000), 10);
  TraceBuilder copy = build;
  build.pass_end(1);
  build.seal_events(1, 0);
  copy.seal_events(1, 0);
  const Trace trace = parse_trace(copy.bytes() + build.bytes(), "test.trace");
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_TRUE(trace.passes[0].complete);
  EXPECT_EQ(trace.passes[0].allocations.size(), 1U);
}

// Any one byte changed, anywhere: the reader answers, and says at which offset something was wrong. The
// checksum covers every byte, so no change may pass unseen.
TEST(TraceReader, SeesEveryChangedByte) {
  const std::string whole = small_trace().bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ flip);
      const Trace trace = parse_trace(bytes, "test.trace");
      ASSERT_EQ(trace.damage.size(), 1U) << "byte " << at;
      EXPECT_LE(trace.damage[0].offset, at);
    }
  }
}

// Cut anywhere: what stands before the cut is read, the cut is reported where it is.
TEST(TraceReader, ReadsWhatStandsBeforeACut) {
  const std::string whole = small_trace().bytes();
  std::size_t with_pass = 0;
  for (std::size_t length = 1; length < whole.size(); ++length) {
    try {
      const Trace trace = parse_trace(std::string_view(whole).substr(0, length), "test.trace");
      EXPECT_LE(trace.damage.size(), 1U);
      EXPECT_FALSE(trace.ended);
      if (!trace.passes.empty()) ++with_pass;
    } catch (const TraceError& error) {
      EXPECT_NE(std::string(error.what()).find("offset 0"), std::string::npos) << error.what();
      EXPECT_LT(length, 100U);
    }
  }
  EXPECT_GT(with_pass, 0U);
}

// Where the oldest passes gave way to newer ones, a thread's first blocks are missing, what is left of a pass whose
// begin went with them is left out, frees whose allocations went are no fault, and stretches of zeros are none either.
TEST(TraceReader, ReadsWhatATraceOfTheNewestPassesKept) {
  TraceBuilder build(trace::kKeepsNewest);
  build.gap(400);
  build.allocate(tagged(1, 0x7000), 7);
  build.pass_end(4);
  build.free(tagged(1, 0x5000));
  build.pass_begin(5);
  build.allocate(tagged(1, 0x5000), 50);
  build.free(tagged(1, 0x5000));
  build.pass_end(5);
  build.seal_events(1, 9);
  build.gap(64);
  const Trace trace = parse(build);
  EXPECT_TRUE(trace.overwritten);
  EXPECT_TRUE(trace.damage.empty());
  EXPECT_EQ(trace.unmatched_frees, 0U);
  EXPECT_TRUE(trace.outside.empty());
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_EQ(trace.passes[0].number, 5U);
  EXPECT_TRUE(trace.passes[0].complete);
  ASSERT_EQ(trace.passes[0].allocations.size(), 1U);
  EXPECT_EQ(trace.passes[0].allocations[0].life, (Lifetime{0, 1}));
}

// A program without passes, whose oldest allocations gave way: what is left of them is all there is to learn from.
TEST(TraceReader, KeepsTheNewestAllocationsWhereNothingMarksPasses) {
  TraceBuilder build(trace::kKeepsNewest | trace::kRecordsAll);
  build.allocate(tagged(1, 0x5000), 50);
  build.free(tagged(1, 0x5000));
  build.allocate(tagged(1, 0x6000), 60);
  build.seal_events(1, 9);
  const Trace trace = parse(build);
  EXPECT_TRUE(trace.overwritten);
  ASSERT_EQ(trace.outside.size(), 2U);
  EXPECT_TRUE(trace.outside[0].freed);
}

// A block that is missing behind the first ones took frees with it. What was allocated before it is left out, since it would
// seem to live for ever. So a plan that is made while the program writes over its trace keeps no block of a pass out.
TEST(TraceReader, LeavesOutWhatLiesBeforeAGapInATraceOfTheNewestAllocations) {
  TraceBuilder build(trace::kKeepsNewest | trace::kRecordsAll);
  build.allocate(tagged(1, 0x5000), 50);
  build.seal_events(1, 9);
  build.allocate(tagged(1, 0x6000), 60);
  build.free(tagged(1, 0x6000));
  build.seal_events(1, 11);
  build.allocate(tagged(1, 0x8000), 80);
  build.seal_events(2, 0);
  const Trace trace = parse(build);
  EXPECT_TRUE(trace.overwritten);
  ASSERT_EQ(trace.outside.size(), 2U);
  EXPECT_EQ(trace.outside[0].size, 60);
  EXPECT_TRUE(trace.outside[0].freed);
  EXPECT_EQ(trace.outside[1].size, 80) << "another thread lost nothing";
}

// In a file that only grows, the same is damage: a lost block, and bytes that never arrived on the disk.
TEST(TraceReader, ReportsGapsInATraceOfTheFirstPasses) {
  TraceBuilder build;
  build.gap(400);
  build.pass_begin(5);
  build.pass_end(5);
  build.seal_events(1, 9);
  const Trace trace = parse(build);
  EXPECT_FALSE(trace.overwritten);
  ASSERT_EQ(trace.damage.size(), 2U);
  for (const Damage& damage : trace.damage) EXPECT_GT(damage.offset, 0U) << damage.what;
}

// The files fuzzing starts from are traces of this version: whole, or damaged where their names say so.
TEST(TraceReader, ReadsTheFuzzingCorpus) {
  EXPECT_EQ(read_trace(MEMO_TRACE_CORPUS "/small").passes.size(), 1U);
  EXPECT_EQ(read_trace(MEMO_TRACE_CORPUS "/cut").damage.size(), 1U);
}

// Garbage between two blocks costs the garbage only.
TEST(TraceReader, FindsItsWayBackAfterGarbage) {
  const std::string bytes = small_trace().bytes() + "MMTR and so on, but no block" + small_trace().bytes();
  const Trace trace = parse_trace(bytes, "test.trace");
  ASSERT_EQ(trace.damage.size(), 1U);
  EXPECT_EQ(trace.damage[0].offset, small_trace().bytes().size());
  EXPECT_TRUE(trace.ended);
}

std::string refusal(const std::string& bytes) {
  try {
    static_cast<void>(parse_trace(bytes, "x.trace"));
  } catch (const TraceError& error) {
    return error.what();
  }
  return "";
}

// What is no trace is refused by name, and a trace of another version with both versions.
TEST(TraceReader, RefusesWhatIsNoTrace) {
  EXPECT_EQ(refusal(""), "x.trace is empty, not a trace");
  EXPECT_NE(refusal("hello, this is some text that is longer than any header").find("not a trace"),
            std::string::npos);
  std::string other(sizeof(trace::BlockHeader), '\0');
  trace::BlockHeader header{
      trace::kMagic, trace::kVersion + 1, trace::BlockKind::kProcess, 0, 0, 0, 0, 0, 0, 0};
  std::memcpy(other.data(), &header, sizeof header);
  EXPECT_NE(refusal(other).find("version 2, this command reads version 1"), std::string::npos);
  EXPECT_THROW(static_cast<void>(read_trace("/nonexistent/x.trace")), TraceError);
}

// Equal passes have equal fingerprints; one byte more in one allocation, or another order of frees, and they
// differ.
TEST(TraceReader, FingerprintsTellPassesApart) {
  TraceBuilder build;
  const auto pass = [&build](std::uint64_t number, std::uint64_t size, bool swap) {
    build.pass_begin(number);
    build.allocate(tagged(static_cast<std::uint16_t>(number), 0x5000), size);
    build.allocate(tagged(static_cast<std::uint16_t>(number), 0x6000), 20);
    build.free(tagged(static_cast<std::uint16_t>(number), swap ? 0x6000 : 0x5000));
    build.free(tagged(static_cast<std::uint16_t>(number), swap ? 0x5000 : 0x6000));
    build.pass_end(number);
  };
  pass(1, 10, false);
  pass(2, 10, false);
  pass(3, 11, false);
  pass(4, 10, true);
  build.seal_events(1, 0);
  const Trace trace = parse(build);
  ASSERT_EQ(trace.passes.size(), 4U);
  const auto print = [&](std::size_t i) { return fingerprint(trace, trace.passes[i]); };
  EXPECT_EQ(print(0), print(1));
  EXPECT_NE(print(0), print(2));
  EXPECT_NE(print(0), print(3));
}

// The allocation problem of a pass leaves out what outlives it; its peak counts it.
TEST(TraceReader, MakesAProblem) {
  const Trace trace = parse(small_trace());
  std::vector<std::uint32_t> index;
  const Problem problem = to_problem(trace.passes[0], &index);
  ASSERT_EQ(problem.buffers.size(), 1U);
  EXPECT_EQ(problem.buffers[0], (Buffer{{0, 1}, 100, 16, std::nullopt}));
  EXPECT_EQ(index, std::vector<std::uint32_t>{0});
  EXPECT_EQ(peak_live_bytes(trace.passes[0]), 4096);
  EXPECT_EQ(bytes_requested(trace.passes[0]), 4196);
}

}  // namespace
}  // namespace memo::planner
