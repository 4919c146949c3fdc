// Says on which node of the machine's memory a thread runs, and places pages there. A processor reaches the memory of another
// node more slowly than that of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace memo::runtime {

using Node = std::uint16_t;
inline constexpr Node kNoNode = 0xffff;  // on a machine of one node, and where the kernel does not say

// What becomes of pages that are in memory already.
enum class PagesThere { kStay, kMove };

// The two questions to the kernel, so that a test can answer them on a machine of one node.
struct Nodes {
  Node (*here)();
  bool (*prefer)(void* memory, std::size_t bytes, Node node, PagesThere there);
};

extern const Nodes kKernelsNodes;          // asks the kernel
extern std::atomic<const Nodes*> g_nodes;  // nullptr: one node

// Looks once whether the process may use the memory of several nodes. Leaves g_nodes alone where it may not, and where a
// policy for memory was set for the calling thread, as numactl does: that decides. For one thread at a time.
void find_nodes();

// Returns true if the text of /proc/self/status names several nodes whose memory the process may use.
[[nodiscard]] bool names_several_nodes(const char* status);

// Returns the node that the calling thread runs on at this moment. Costs a load on a machine of one node, and else a call
// into the kernel's page of functions (getcpu).
[[nodiscard]] inline Node node_here() {
  const Nodes* nodes = g_nodes.load(std::memory_order_relaxed);
  return nodes == nullptr ? kNoNode : nodes->here();
}

// Has whole pages come from this node from now on, or from another one where this one is full. Their mapping keeps that for
// good. Returns false if the kernel refuses, as a sandbox may, and counts it: pages then come from where they are touched.
// Keeps errno.
[[nodiscard]] bool prefer_node(void* memory, std::size_t bytes, Node node, PagesThere there);

// Returns how often the kernel refused.
[[nodiscard]] std::uint64_t refused_placements();

}  // namespace memo::runtime
