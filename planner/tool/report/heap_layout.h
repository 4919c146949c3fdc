// Shows where the heap of the profiled process placed the buffers of a pass, since the trace records every
// address. The picture leaves out address space that no buffer of the pass touches, so that the rest can stand
// beside a slab.
//
//   addresses   0x7f10'0000 [aaaa]        0x7f58'0000 [bb][cc]           (hundreds of MiB between them)
//   picture               0 [aaaa][bb][cc]
#pragma once

#include <optional>
#include <span>

#include "planner/steps/variants.h"
#include "planner/tool/report/picture.h"
#include "planner/trace/trace.h"

namespace memo::planner {

// Returns the layout of the last recorded pass that allocated like the variant, for the demands that a plan
// holds. Returns nothing if the traces have no such pass. The layout's height is the size of the pages that the
// pass touched, and `Layout::touched` shows how their number grew.
[[nodiscard]] std::optional<Layout> heap_layout(std::span<const Trace> traces, const Variant& variant);

}  // namespace memo::planner
