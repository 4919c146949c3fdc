// Tries slots that the plan has for other moments of the pass: later and earlier ones of the same call site, then any
// free cell (operators in another order find their own cells taken, and others idle).
#pragma once

#include "runtime/pass/taking.h"

namespace memo::runtime {

// Tries the slots of `site`, nearest first, then spare cells. `expected` says that the expected slot, one of these, has
// been tried; otherwise a slot that is found further on becomes the place to resume at. Returns true if there is a
// block, or if the plan leaves the request to the heap.
[[nodiscard]] bool try_candidates(Search& search, std::uint32_t site, bool expected);

// Takes any idle cell that is large enough. Returns false where there is none.
[[nodiscard]] bool take_spare_cell(Search& search);

}  // namespace memo::runtime
