// Where the heap of the profiled process had the buffers of a pass: the trace knows every address. Address space that no
// buffer of the pass touches is left out, so that what is left can stand beside a slab.
//
//   addresses   0x7f10'0000 [aaaa]        0x7f58'0000 [bb][cc]           (hundreds of MiB between them)
//   picture               0 [aaaa][bb][cc]
#pragma once

#include <optional>
#include <span>

#include "planner/tool/report/picture.h"
#include "planner/trace/trace.h"
#include "planner/variants/variants.h"

namespace memo::planner {

// By the last recorded pass that allocated like the variant, for the demands that a plan holds; nothing where the traces
// have no such pass. Its height is the pages that the pass touched, and `Layout::touched` how they came together.
[[nodiscard]] std::optional<Layout> heap_layout(std::span<const Trace> traces, const Variant& variant);

}  // namespace memo::planner
