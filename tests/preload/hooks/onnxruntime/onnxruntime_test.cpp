// ONNX Runtime's passes, found by changing its table of functions, on a library that looks like it from outside.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/preload/recording.h"

namespace memo::testing {
namespace {

using planner::Bytes;
using planner::Pass;
using planner::Trace;
using Sizes = std::vector<Bytes>;

constexpr Bytes kResult = 77;  // what a run leaves to its caller

Trace trace_of_client(const std::string& scene) {
  return only_trace(record({MEMO_ORT_CLIENT, scene, MEMO_ORT_FOLDER}), scene);
}

// Opened RTLD_LOCAL and asked for the symbol by its handle. A pass has what the run allocates and nothing else; equal
// shapes have equal keys, others have others, and none is 0, which would say that nothing is known. The client checks
// that the table's page can be read only, as before.
TEST(OnnxRuntime, RunIsAPassKeyedByShapes) {
  const Trace trace = trace_of_client("shapes");
  ASSERT_EQ(trace.passes.size(), 3U);
  for (const Pass& pass : trace.passes) {
    EXPECT_EQ(trace.name(pass.name), "OrtApi::Run");
    EXPECT_TRUE(pass.complete);
    EXPECT_NE(pass.key, 0U);
  }
  EXPECT_EQ(sizes(trace.passes[0]), (Sizes{24, 20, kResult}));
  EXPECT_EQ(sizes(trace.passes[2]), (Sizes{32, 20, kResult}));
  EXPECT_EQ(trace.passes[0].key, trace.passes[1].key);
  EXPECT_NE(trace.passes[0].key, trace.passes[2].key);
}

TEST(OnnxRuntime, IsFoundByWhoeverAskedForTheTableInAConstructor) {
  EXPECT_EQ(trace_of_client("addon").passes.size(), 1U);
}

// Two versions in one process: the client checks that each call reaches its own. Shapes read by reference and shapes
// read through an object give the same key.
TEST(OnnxRuntime, TwoVersionsInOneProcessKeepApart) {
  const Trace trace = trace_of_client("two-runtimes");
  ASSERT_EQ(trace.passes.size(), 2U);
  EXPECT_EQ(trace.passes[0].key, trace.passes[1].key);
  EXPECT_EQ(sizes(trace.passes[0]), sizes(trace.passes[1]));
}

// The key of bound inputs is that of the same inputs handed to Run, in whatever order they were bound; one bound anew
// counts as it is now, and one that was cleared no more.
TEST(OnnxRuntime, RunWithBindingIsKeyedByWhatIsBound) {
  const Trace trace = trace_of_client("binding");
  ASSERT_EQ(trace.passes.size(), 4U);
  EXPECT_EQ(trace.name(trace.passes[1].name), "OrtApi::RunWithBinding");
  EXPECT_EQ(trace.passes[1].key, trace.passes[0].key);
  EXPECT_NE(trace.passes[2].key, trace.passes[0].key);
  EXPECT_EQ(trace.passes[3].key, trace.passes[0].key);
}

// Threads that bind, run and release side by side do not get into each other's keys.
TEST(OnnxRuntime, BindingsOfThreadsKeepApart) {
  const Trace trace = trace_of_client("threads");
  std::map<std::uint64_t, std::set<Bytes>> widths;
  for (const Pass& pass : trace.passes) widths[pass.key].insert(sizes(pass).at(0));
  EXPECT_EQ(trace.passes.size(), 8U * 50U);
  EXPECT_EQ(widths.size(), 8U);
  for (const auto& [key, its] : widths) EXPECT_EQ(its.size(), 1U) << key;
}

// The caller gets the status that the runtime made, and the pass is over. The status's one block outlives it.
TEST(OnnxRuntime, AFailedRunEndsItsPass) {
  const Trace trace = trace_of_client("failing");
  ASSERT_EQ(trace.passes.size(), 1U);
  EXPECT_EQ(sizes(trace.passes[0]), Sizes{8});
  EXPECT_TRUE(trace.passes[0].complete);
}

// Inputs without a shape are no obstacle, and the statuses that say so are released (the client counts them).
TEST(OnnxRuntime, InputsWithoutAShapeAreNoObstacle) {
  EXPECT_EQ(trace_of_client("sequence").passes.size(), 2U);
}

TEST(OnnxRuntime, IsFoundAgainAfterUnloading) {
  EXPECT_EQ(trace_of_client("reload").passes.size(), 12U);
}

TEST(OnnxRuntime, IsFoundAgainHoweverOftenItIsLoadedElsewhere) {
  EXPECT_EQ(trace_of_client("reload-elsewhere").passes.size(), 20U);
}

// The names of nodes that a recording has: of a class derived through another, and of one derived from two. A node without a name
// is known by its type and number.
TEST(OnnxRuntime, NodesAreLabelsOfWhatTheirKernelsAllocate) {
  if (!can_read_names()) GTEST_SKIP() << "the kernel has no process_vm_readv";
  const Trace trace = trace_of_client("shapes");
  const std::vector<std::string> nodes = {"[left (Conv)]", "[Relu_7 (Relu)]", ""};
  for (const Pass& pass : trace.passes) EXPECT_EQ(scopes(trace, pass), nodes);
}

// What the first node writes is what the second reads. The input is none of the heap's blocks.
TEST(OnnxRuntime, NodesSayWhatTheyReadAndWrite) {
  if (!can_read_names()) GTEST_SKIP() << "the kernel has no process_vm_readv";
  const Trace trace = only_trace(
      record({MEMO_ORT_CLIENT, "shapes", MEMO_ORT_FOLDER}, {{"MEMOMALLOC_DATA_FLOW", "1"}}), "shapes");
  ASSERT_EQ(trace.passes.size(), 3U);
  for (const Pass& pass : trace.passes) {
    ASSERT_EQ(pass.operations.size(), 2U);
    const planner::Operation& left = pass.operations[0];
    const planner::Operation& right = pass.operations[1];
    EXPECT_EQ(trace.name(left.name), "[left (Conv)]");
    EXPECT_TRUE(left.reads.empty());
    ASSERT_EQ(left.writes.size(), 1U);
    ASSERT_EQ(right.reads.size(), 1U);
    ASSERT_EQ(right.writes.size(), 1U);
    EXPECT_EQ(right.reads[0].tagged, left.writes[0].tagged);
    EXPECT_NE(right.writes[0].tagged, left.writes[0].tagged);
  }
}

TEST(OnnxRuntime, NobodyAsksForDataFlowUnlessTheOptionDoes) {
  for (const Pass& pass : trace_of_client("shapes").passes) EXPECT_TRUE(pass.operations.empty());
}

// A table of another major release may be laid out otherwise: it is left alone, and the program runs.
TEST(OnnxRuntime, AnotherMajorReleaseIsLeftAlone) {
  const Recording recording = record({MEMO_ORT_CLIENT, "future", MEMO_ORT_FOLDER});
  EXPECT_EQ(recording.status, 0);
  EXPECT_TRUE(recording.traces.empty());
}

}  // namespace
}  // namespace memo::testing
