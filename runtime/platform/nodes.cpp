#include "runtime/platform/nodes.h"

#include <linux/mempolicy.h>
#include <sched.h>

#include <cerrno>
#include <cstring>

#include "runtime/platform/kernel_call.h"
#include "runtime/platform/own_file.h"

namespace memo::runtime {

constinit std::atomic<const Nodes*> g_nodes{nullptr};

namespace {

constexpr Node kMostNodes = 1024;  // of any kernel

constinit std::atomic<std::uint64_t> g_refused{0};

Node ask_where_this_thread_is() {
  unsigned processor = 0;
  unsigned node = 0;
  return getcpu(&processor, &node) == 0 && node < kMostNodes ? static_cast<Node>(node) : kNoNode;
}

bool ask_for_pages_of(void* memory, std::size_t bytes, Node node, PagesThere there) {
  constexpr unsigned kBits = 64;
  std::uint64_t mask[kMostNodes / kBits] = {};
  mask[node / kBits] = std::uint64_t{1} << node % kBits;
  constexpr unsigned long kPolicy = MPOL_PREFERRED;
  constexpr unsigned long kEndOfMask = kMostNodes + 1UL;  // the kernel leaves out the last bit
  const unsigned long how = there == PagesThere::kMove ? MPOL_MF_MOVE : 0;
  return kernel(SYS_mbind, memory, bytes, kPolicy, mask, kEndOfMask, how) == 0;
}

// Reads the file whole even where the masks of 8192 processors and 1024 nodes stand before the line.
bool may_use_several_nodes() {
  char text[8192];
  const std::int64_t bytes = read_beginning("/proc/self/status", text, sizeof text - 1);
  if (bytes <= 0) return false;
  text[bytes] = '\0';
  return names_several_nodes(text);
}

// Returns false where the kernel does not say: then no page can be placed either.
bool has_a_policy_of_its_own() {
  int policy = MPOL_DEFAULT;
  return kernel(SYS_get_mempolicy, &policy, nullptr, 0UL, nullptr, 0UL) == 0 && policy != MPOL_DEFAULT;
}

}  // namespace

const Nodes kKernelsNodes{.here = ask_where_this_thread_is, .prefer = ask_for_pages_of};

bool names_several_nodes(const char* status) {
  constexpr char kKey[] = "\nMems_allowed_list:";
  const char* line = std::strstr(status, kKey);
  if (line == nullptr) return false;
  line += sizeof kKey - 1;
  const std::size_t end = std::strcspn(line, "\n");
  return std::strcspn(line, ",-") < end;
}

void find_nodes() {
  static constinit bool looked = false;
  if (looked) return;
  looked = true;
  const int error = errno;
  if (may_use_several_nodes() && !has_a_policy_of_its_own())
    g_nodes.store(&kKernelsNodes, std::memory_order_relaxed);
  errno = error;
}

bool prefer_node(void* memory, std::size_t bytes, Node node, PagesThere there) {
  const Nodes* nodes = g_nodes.load(std::memory_order_relaxed);
  if (nodes == nullptr || node == kNoNode) return false;
  const int error = errno;
  const bool placed = nodes->prefer(memory, bytes, node, there);
  errno = error;
  if (!placed) g_refused.fetch_add(1, std::memory_order_relaxed);
  return placed;
}

std::uint64_t refused_placements() {
  return g_refused.load(std::memory_order_relaxed);
}

}  // namespace memo::runtime
