// The nodes of ONNX Runtime's graphs, as its kernels know them. No exported function leads from a kernel to its node, so the library
// reads the objects themselves. Their beginnings have been the same since the first release; what is not as expected is left alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/boundaries/boundary.h"

namespace memo::guest::ort {

// A std::string of libstdc++.
struct Text {
  const char* data;
  std::size_t length;
  char own[16];
};

struct Node {
  std::size_t index;
  Text name;  // may be empty
  Text type;
};

struct KernelInfo {
  const Node* const* helper;  // leads to the node, too
  const Node* node;
};

struct Kernel {
  const std::uintptr_t* functions;
  const KernelInfo* info;
};

// Returns the name of a kernel's node as a label, "[conv1 (Conv)]". A node without a name is called by its type and number, as
// ONNX Runtime does: "[Conv_12 (Conv)]". Returns null where the objects are laid out otherwise: the operating system says what can be
// read, at the first look at each kernel.
[[nodiscard]] const BoundaryName* node_label(const Kernel& kernel);

}  // namespace memo::guest::ort
