// Flame graphs count what the trace has: every figure here is worked out by hand from two passes of three blocks.
#include <gtest/gtest.h>

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
  ASSERT_EQ(flames.graphs.size(), 2U);
  EXPECT_EQ(flames.graphs[0].passes, "all passes together");
  EXPECT_EQ(folded(flames.graphs[0].tree),
            "libnet.so+0xa10;libnet.so+0x820 8192\n"
            "libnet.so+0xa10;libnet.so+0x910;libnet.so+0x810 16384\n"
            "no call stack 1024\n");
}

// At the worst moment the two blocks with a stack are alive, in one pass and not in both.
TEST(Flames, OfThePeakAreOfOnePass) {
  const Flames flames = flames_of_trace(parse_trace(stacked_trace().bytes(), "stacks.trace"));
  EXPECT_EQ(folded(flames.graphs.at(1).tree),
            "libnet.so+0xa10;libnet.so+0x820 4096\n"
            "libnet.so+0xa10;libnet.so+0x910;libnet.so+0x810 8192\n");
}

TEST(Flames, AreNoneWithoutCallStacks) {
  EXPECT_TRUE(flames_of_trace(parse_trace(small_trace().bytes(), "small.trace")).graphs.empty());
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
