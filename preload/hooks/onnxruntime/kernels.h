// ONNX Runtime's kernels, for recordings: each run of one is a scope by the name of its node. Kernels are called through
// the tables of their virtual functions, and the library takes the place of Compute there. Two other ways were considered:
//   - ONNX Runtime's own profiler names nodes and their times. It allocates more in each pass than the pass itself, so that the
//     trace is one of the profiler.
//   - The order of the nodes, from one run with that profiler, beside a recording without. Nothing in a recording tells where one
//     node ends and the next begins, and with several threads the order varies.
#pragma once

#include "preload/platform/elf_object.h"

namespace memo::guest {

// Wraps the kernels of the object if it is an ONNX Runtime: the library itself, or Python's module with the library in it. The same
// object may come again. `with_flow` asks for what each node reads and writes, too. Takes some ten milliseconds for such an
// object. To be called within a walk of the loaded objects.
void wrap_onnxruntime_kernels(const ElfObject& object, bool with_flow);

}  // namespace memo::guest
