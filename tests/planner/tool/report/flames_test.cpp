// Flame graphs count what the trace has: every figure here is worked out by hand from two passes of three blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "planner/system/temporary_folder.h"
#include "planner/tool/report/flames.h"
#include "tests/planner/trace/trace_builder.h"

namespace memo::planner {
namespace {

namespace fs = std::filesystem;

using memo::testing::small_trace;
using memo::testing::stacked_trace;
using memo::testing::tagged;
using memo::testing::TraceBuilder;

Flames flames_of_trace(const Trace& trace) {
  return flames_of(trace, summarise(trace));
}

// The traces that fuzzing and the tests of the command read are those of today's format.
TEST(Flames, TheCorpusHasTheTraceWithCallStacks) {
  const std::string path = MEMO_TRACE_CORPUS "/stacks";
  const std::string bytes = stacked_trace().bytes();
  if (std::getenv("MEMOMALLOC_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << bytes;
  std::ifstream file(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator(file), {}), bytes) << path;
}

TEST(Flames, HaveThePathFromTheOutermostFunctionToTheOneThatAllocates) {
  const Flames flames = flames_of_trace(parse_trace(stacked_trace().bytes(), "stacks.trace"));
  ASSERT_EQ(flames.graphs.size(), 4U);
  EXPECT_EQ(flames.graphs[0].passes, "all passes together");
  EXPECT_EQ(folded(flames.graphs[0].tree),
            "libnet.so+0xa10;libnet.so+0x820 8192\n"
            "libnet.so+0xa10;libnet.so+0x910;libnet.so+0x810 16384\n"
            "no call stack 1024\n");
}

// Returns the folded stacks of a pass with one block of 100 bytes, which was asked for from these frames.
std::string folded_stack(const std::vector<std::uint64_t>& frames) {
  TraceBuilder build;
  build.module(0x1000, 0x2000, 0x1000, "", "/usr/lib/libpython3.12.so.1.0");
  build.module(0x2000, 0x3000, 0x2000, "", "/usr/lib/libnet.so");
  build.seal_modules();
  build.stack(1, frames);
  build.pass_begin(1);
  build.allocate_from_stack(tagged(1, 0x50000), 100, frames.front(), 1);
  build.pass_end(1);
  build.seal_events(1, 0);
  // A reader finds functions wherever they stand.
  build.function(7, "Model.run (/srv/project/model.py:12)");
  build.function(8, "main (serve.py:3)");
  build.end(1);
  return folded(flames_of_trace(parse_trace(build.bytes(), "python.trace")).graphs.at(0).tree);
}

// The interpreter's frames between functions of Python only pass calls on.
TEST(Flames, HaveFunctionsOfPythonWithoutTheInterpreterAroundThem) {
  constexpr std::uint64_t kRun = trace::kFunctionFrame | 7;
  constexpr std::uint64_t kMain = trace::kFunctionFrame | 8;
  EXPECT_EQ(folded_stack({0x2010, 0x1010, kRun, 0x1020, kMain, 0x1030, 0x2020}),
            "libnet.so+0x20;main (serve.py:3);Model.run (project/model.py:12);libnet.so+0x10 100\n");
}

// Of what allocates in the interpreter itself the name says what for.
TEST(Flames, KeepTheInterpreterWhereItAllocates) {
  constexpr std::uint64_t kMain = trace::kFunctionFrame | 8;
  EXPECT_EQ(folded_stack({0x1010, 0x1020, kMain, 0x1030}),
            "main (serve.py:3);libpython3.12.so.1.0+0x20;libpython3.12.so.1.0+0x10 100\n");
  EXPECT_EQ(folded_stack({0x1010, 0x2010, 0x1030}),
            "libpython3.12.so.1.0+0x30;libnet.so+0x10;libpython3.12.so.1.0+0x10 100\n");
}

TEST(Flames, HaveAPlaceForAFunctionThatTheTraceLacks) {
  EXPECT_EQ(folded_stack({0x2010, trace::kFunctionFrame | 9}), "?;libnet.so+0x10 100\n");
}

// At the worst moment the two blocks with a stack are alive, in one pass and not in both.
TEST(Flames, OfThePeakAreOfOnePass) {
  const Flames flames = flames_of_trace(parse_trace(stacked_trace().bytes(), "stacks.trace"));
  EXPECT_EQ(folded(flames.graphs.at(2).tree),
            "libnet.so+0xa10;libnet.so+0x820 4096\n"
            "libnet.so+0xa10;libnet.so+0x910;libnet.so+0x810 8192\n");
}

TEST(Flames, AreOfOperatorsAloneWithoutCallStacks) {
  const Flames flames = flames_of_trace(parse_trace(small_trace().bytes(), "small.trace"));
  ASSERT_EQ(flames.graphs.size(), 2U);
  EXPECT_EQ(flames.graphs[0].paths, "operators");
  EXPECT_EQ(folded(flames.graphs[0].tree), "conv 100\noutside operators 4096\n");
}

// A pass with operators in operators: conv 10 bytes, empty inside conv 200, empty inside a label inside conv 3,000, a label that
// no operator is around 40,000, and nothing at all 500,000.
Trace nested_operators() {
  TraceBuilder build;
  build.module(0x1000, 0x2000, 0x800, "\xab\xcd", "/usr/lib/libnet.so");
  build.seal_modules();
  build.name(1, "conv");
  build.name(2, "empty");
  build.name(3, "[layer1]");
  build.pass_begin(1);
  const auto in_scope = [&](std::uint32_t name, auto&& body) {
    build.scope_begin(name);
    body();
    build.scope_end(name);
  };
  std::uint64_t address = 0x50000;
  const auto allocate = [&](std::uint64_t size) { build.allocate(tagged(1, address += 0x100000), size); };
  in_scope(1, [&] {
    allocate(10);
    in_scope(2, [&] { allocate(200); });
    in_scope(3, [&] { in_scope(2, [&] { allocate(3'000); }); });
  });
  in_scope(3, [&] { allocate(40'000); });
  allocate(500'000);
  build.pass_end(1);
  build.seal_events(1, 0);
  build.end(1);
  return parse_trace(build.bytes(), "nested.trace");
}

TEST(Flames, HaveThePathOfAllOperatorsAroundAnAllocation) {
  EXPECT_EQ(folded(flames_of_trace(nested_operators()).graphs.at(0).tree),
            "[layer1] 40000\nconv 10\nconv;[layer1];empty 3000\nconv;empty 200\noutside operators 500000\n");
}

// The outermost operator is no label, and what lies in labels alone is outside of all operators.
TEST(Flames, SummariesCountByTheOutermostOperatorAndByTheInnermost) {
  const Trace trace = nested_operators();
  const TraceSummary summary = summarise(trace);
  ASSERT_EQ(summary.outermost.size(), 2U);
  EXPECT_EQ(outside_operators(summary).bytes, 540'000);
  EXPECT_EQ(summary.outermost[1].name, "conv");
  EXPECT_EQ(summary.outermost[1].calls, 1U);
  EXPECT_EQ(summary.outermost[1].bytes, 3'210);
  const auto empty = std::ranges::find(summary.scopes, "empty", &Total::name);
  ASSERT_NE(empty, summary.scopes.end());
  EXPECT_EQ(empty->bytes, 3'200);
}

TEST(Flames, SumAPathWithAllLongerOnes) {
  CallTree tree;
  const std::uint32_t outer = tree.child(CallNode::kNoParent, tree.name("main"));
  const std::uint32_t inner = tree.child(outer, tree.name("run"));
  tree.add(inner, 1, 30);
  tree.add(tree.child(inner, tree.name("main")), 2, 12);
  tree.add(tree.child(outer, tree.name("run")), 1, 4);  // the same path again
  EXPECT_EQ(bytes_with_callees(tree), (std::vector<Bytes>{46, 46, 12}));
  EXPECT_EQ(folded(tree), "main;run 34\nmain;run;main 12\n");
}

// A name may have what ends a name or a line in folded stacks.
TEST(Flames, KeepFoldedStacksToOneLineForEachPath) {
  CallTree tree;
  tree.add(tree.child(CallNode::kNoParent, tree.name("f<a;b>\n")), 1, 7);
  EXPECT_EQ(folded(tree), "f<a:b>  7\n");
}

// Writes an ELF file of one symbol: `run`, 0x100 bytes at 0x1000. Returns the build-id that it has.
std::string write_symbols(const fs::path& path) {
  fs::create_directories(path.parent_path());
  std::ofstream(path.string() + ".s")
      << ".globl run\n.type run, @function\nrun: .zero 0x100\n.size run, 0x100\n";
  const std::string words = "cc -nostdlib -shared -Wl,--build-id=0xabcdef -Wl,-Ttext=0x1000 -o '" +
                            path.string() + "' -x assembler '" + path.string() + ".s'";
  EXPECT_EQ(std::system(words.c_str()), 0);
  return "abcdef";
}

// A stripped library has its names in another file, below the folder that distributions put them in.
TEST(Flames, TakeNamesFromDebugFiles) {
  const process::TemporaryFolder folder("debug-files");
  const fs::path debug = folder.path() / ".build-id/ab/cdef.debug";
  const Trace trace{.modules = {{.path = "/nowhere/libnet.so", .build_id = write_symbols(debug)}}};
  EXPECT_EQ(Symbolizer(trace, folder.path().string()).name({0, 0x1010}), "run");
  EXPECT_EQ(Symbolizer(trace, folder.path().string()).name({0, 0x1101}), "libnet.so+0x1101");
  const Trace other{.modules = {{.path = "/nowhere/libnet.so", .build_id = "abcd"}}};
  EXPECT_EQ(Symbolizer(other, folder.path().string()).name({0, 0x1010}), "libnet.so+0x1010");
}

}  // namespace
}  // namespace memo::planner
