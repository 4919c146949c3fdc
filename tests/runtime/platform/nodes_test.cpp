// The nodes of the machine's memory: which there are by the kernel's text, and what it is asked for. Failure: a machine of
// one node that is taken for several, or pages that the kernel is not asked to place.
#include "runtime/platform/nodes.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include "runtime/platform/pages.h"

namespace memo::runtime {
namespace {

// Restores what the process has, whatever a test puts there.
class OtherNodes {
 public:
  explicit OtherNodes(const Nodes* nodes) { g_nodes.store(nodes); }
  ~OtherNodes() { g_nodes.store(before_); }
  OtherNodes(const OtherNodes&) = delete;
  OtherNodes& operator=(const OtherNodes&) = delete;

 private:
  const Nodes* before_ = g_nodes.load();
};

std::string status_with(const std::string& list) {
  return "Name:\tserver,of-all\nCpus_allowed_list:\t0-3\nMems_allowed:\t00000000,00000003\nMems_allowed_list:\t" +
         list + "\nvoluntary_ctxt_switches:\t1,2\n";
}

TEST(Nodes, AreSeveralWhereTheListNamesMoreThanOne) {
  EXPECT_TRUE(names_several_nodes(status_with("0-1").c_str()));
  EXPECT_TRUE(names_several_nodes(status_with("0,2").c_str()));
  EXPECT_TRUE(names_several_nodes(status_with("1,3-7").c_str()));
}

TEST(Nodes, AreNotSeveralByAnythingElse) {
  EXPECT_FALSE(names_several_nodes(status_with("0").c_str()));
  EXPECT_FALSE(names_several_nodes(status_with("17").c_str()));
  EXPECT_FALSE(names_several_nodes(status_with("").c_str()));
  EXPECT_FALSE(names_several_nodes("Name:\ta\nMems_allowed:\t0,3\n"));
  EXPECT_FALSE(names_several_nodes("Name:\ta\nMems_allowed_list:\t0"));
  EXPECT_FALSE(names_several_nodes(""));
}

TEST(Nodes, OfAMachineOfOneAreNotAskedFor) {
  const OtherNodes none(nullptr);
  const std::uint64_t refused = refused_placements();
  char page[64];
  EXPECT_EQ(node_here(), kNoNode);
  EXPECT_FALSE(prefer_node(page, sizeof page, 0, PagesThere::kStay));
  EXPECT_EQ(refused_placements(), refused);
}

TEST(Nodes, ARefusalIsCountedAndKeepsErrno) {
  static constexpr Nodes kRefusing{
      .here = [] { return Node{1}; },
      .prefer = [](void*, std::size_t, Node, PagesThere) { return errno = EPERM, false; }};
  const OtherNodes refusing(&kRefusing);
  const std::uint64_t refused = refused_placements();
  char page[64];
  errno = ENOENT;
  EXPECT_EQ(node_here(), 1);
  EXPECT_FALSE(prefer_node(page, sizeof page, 1, PagesThere::kMove));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(refused_placements(), refused + 1);
}

// Returns the line of the memory in /proc/self/numa_maps; "" where the kernel has no such file.
std::string line_of(const void* memory) {
  std::ostringstream address;
  address << std::hex << reinterpret_cast<std::uintptr_t>(memory) << ' ';
  std::ifstream maps("/proc/self/numa_maps");
  for (std::string line; std::getline(maps, line);)
    if (line.starts_with(address.str())) return line;
  return "";
}

TEST(Nodes, TheKernelHasPagesComeFromTheNode) {
  const std::size_t bytes = 4 * page_bytes();
  void* memory = map_pages(bytes);
  if (line_of(memory).empty()) GTEST_SKIP() << "the kernel has no /proc/self/numa_maps";
  const OtherNodes kernels(&kKernelsNodes);
  const Node here = node_here();
  ASSERT_NE(here, kNoNode);
  for (const PagesThere there : {PagesThere::kStay, PagesThere::kMove}) {
    if (!prefer_node(memory, bytes, here, there)) GTEST_SKIP() << "the kernel refuses mbind";
    static_cast<volatile char*>(memory)[0] = 1;
  }
  const std::string line = line_of(memory);
  EXPECT_NE(line.find("prefer:" + std::to_string(here)), std::string::npos) << line;
  EXPECT_NE(line.find(" N" + std::to_string(here) + "="), std::string::npos) << line;
  unmap_pages(memory, bytes);
}

// Nodes that no kernel has: asked for them, it must refuse rather than take another.
TEST(Nodes, TheKernelRefusesANodeThatIsNotThere) {
  const std::size_t bytes = page_bytes();
  void* memory = map_pages(bytes);
  const OtherNodes kernels(&kKernelsNodes);
  const std::uint64_t refused = refused_placements();
  EXPECT_FALSE(prefer_node(memory, bytes, 1023, PagesThere::kStay));
  EXPECT_EQ(refused_placements(), refused + 1);
  unmap_pages(memory, bytes);
}

}  // namespace
}  // namespace memo::runtime
