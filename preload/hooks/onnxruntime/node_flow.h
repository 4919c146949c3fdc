// What a node of ONNX Runtime reads and writes, for --data-flow.
#pragma once

#include "preload/boundaries/boundary.h"
#include "preload/hooks/onnxruntime/node.h"

namespace memo::guest::ort {

// Tells the recorder which blocks the kernel has read and written in this context, under the label of its node. To be called
// when it has computed, and before the session frees its inputs. Tensors that share a block, such as weights, are left out. Of a
// session that writes such tensors nothing more is told: with its arena or a memory pattern it has many in one block, and who
// touches that block need not read what another wrote. Nothing is told either where the objects are laid out otherwise than
// expected. Costs four system calls for each tensor, and four more. A node of more than 64 tensors is told with the first of them.
void note_node_flow(const Kernel& kernel, const void* context, const BoundaryName& label);

}  // namespace memo::guest::ort
